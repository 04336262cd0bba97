"""Place of the plugin in installations made before it moved."""
