"""Jobs: many trials in one resumable folder."""
