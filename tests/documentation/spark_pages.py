"""Pages that ask for a session of Spark: their tests share the one of the process that has it."""

import re

needs_spark = re.compile(r"^\$ remora (stream|campaign run) ", re.MULTILINE).search
"""Whether a page, given its text, runs a command that asks for a session."""
