"""Tables of tests that stand beside them as data."""

import tomllib
from pathlib import Path
from typing import Any


def table(test: str, name: str) -> list[Any]:
    """The rows of a table in the file `cases.toml` beside a test; one of several values is a tuple."""
    found = tomllib.loads(Path(test).with_name("cases.toml").read_text("utf-8"))[name]
    return [tuple(row) if isinstance(row, list) else row for row in found]
