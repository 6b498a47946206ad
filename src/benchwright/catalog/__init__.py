"""Recipes of known tasks (data)."""
