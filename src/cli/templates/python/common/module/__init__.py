"""{{description}}."""
