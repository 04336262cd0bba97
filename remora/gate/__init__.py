"""The gate: whether a change of a detector may go in; its output, the plugin for pytest, failures drawn."""
