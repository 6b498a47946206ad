"""Whole ways of working, made of the rooms above."""
