"""The judge: a verdict that submitted code cannot forge."""
