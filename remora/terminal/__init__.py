"""The terminal: options, progress, messages, printing, interrupts."""
