"""Authoring: from a source to a task folder."""
