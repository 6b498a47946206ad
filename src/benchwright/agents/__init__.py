"""Agents: adapters that work on a workspace inside a sandbox."""
