"""Benchwright makes, validates, runs and judges benchmarks for coding agents."""

__version__ = "0.1.0"
