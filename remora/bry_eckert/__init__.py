"""Programs of rules in the API and on the command line."""
