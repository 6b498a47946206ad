"""Evidence: every table of figures in the docs, produced by a command and kept with its commit."""
