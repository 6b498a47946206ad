"""The gateway: what stands behind the sandbox's only door."""
