"""Is this detector right? The gate, test suites, and how their outcomes are shown."""
