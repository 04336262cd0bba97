"""The atlas in this room: laws in settings as obligations, and a second opinion of automata."""
