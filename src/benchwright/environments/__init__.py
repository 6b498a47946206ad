"""Environments: from a recipe to a built, content-addressed, read-only tree."""
