"""Commands for who implements or uses another engine, one module each."""
