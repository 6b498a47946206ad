"""Wrong implementations, rules and the kill matrix."""
