"""Validation: the gates a task must hold, and the evidence."""
