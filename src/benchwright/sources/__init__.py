"""Sources: fetch and pin an upstream project."""
