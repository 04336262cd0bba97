"""Writes what the commands of a page print into the page: `python -m tests.documentation.refresh docs/tutorial.md`.

What is written has to be read before it is believed: the tests only see that it is what the commands print.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.documentation.carrying_out import checkout, interpreter_in, masked, ran, shown_output
from tests.documentation.pages import blocks


def refreshed(text: str, folder: Path, *, slow: bool) -> str:
    """The page with the output of its console blocks as it is now; measurements alone change nothing."""
    lines = text.splitlines()
    changes: list[tuple[int, int, list[str]]] = []
    with interpreter_in(folder) as interpreter:
        for block in blocks(text):
            if "not run" in block.remarks or ("slow" in block.remarks and not slow):
                continue
            if block.language != "console":
                ran(block, folder, interpreter)
                continue
            new = shown_output(block, folder)
            if masked(new) != masked(block.text):
                first = block.line - 1
                changes.append((first, first + len(block.text.splitlines()), new.splitlines()))
    for first, last, new_lines in reversed(changes):
        lines[first:last] = new_lines
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(name)
            page.write_text(refreshed(page.read_text("utf-8"), checkout(Path(folder)), slow=True), "utf-8")
