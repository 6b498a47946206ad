"""Cheating submissions, generated for any task."""
