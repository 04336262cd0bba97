"""Documents that commands write, each declared once: its data, its JSON Schema and its page in the documentation."""
