"""The atlas: which law holds in which event algebra, with the proof or the trace."""
