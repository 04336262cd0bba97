"""Streams that cannot write every character: a similar text is better than an end in the middle.

Files are always UTF-8. A terminal or a pipe may be ASCII or one of the Windows code pages, which have no `∈`.
"""

from __future__ import annotations

import codecs
import io
import os
import sys

_WORDS = "∪ u, ∧ and, ∨ or, ¬ not, ∀ all, ∃ some, ∈ in, ⇒ =>, ≤ <=, ≥ >=, ≠ /=, ≡ ==, ⊆ <=, ⊇ >=, ≅ ~=, ∞ inf, τ tau"

SIMILAR = {
    "…": "...",
    **dict(pair.split(" ") for pair in _WORDS.split(", ")),
    **dict(zip("⟨⟩×–—’‘“”·", "<>x--''\"\"*", strict=True)),
    # standings and verdicts
    **dict(zip("◆◉●◐○✕✓", "***oox+", strict=True)),
    # timelines and trees: one character for one, so that columns stay where they are
    **dict(zip("─━═├┣╠└┤┫╣│┃║┼→⋯╱", "-=~|||`||||||+>./", strict=True)),
}
"""What is written in place of a character that an encoding does not have."""

_HANDLER = "remora.similar"


def _similar(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = error.object[error.start : error.end]
    text = "".join(SIMILAR.get(c) or c.encode("ascii", "backslashreplace").decode() for c in found)
    return text, error.end


def prepare_streams() -> None:
    """Make standard output and error write whatever they are given, and exist."""
    codecs.register_error(_HANDLER, _similar)
    if sys.stdout is None:  # closed by whoever started us: what was asked for is done, and written nowhere
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)
