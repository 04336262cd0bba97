"""The terminal: messages for people on standard error, results on standard output.

Files are always UTF-8. A terminal or a pipe may be ASCII or a Windows code page, which have no `∈`: there a similar
text is written, because that is better than an end in the middle.
"""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from remora.terminal.texts import abridged, to_json

if TYPE_CHECKING:  # what is printed to a file needs no styles, and these take longer to load than a small log
    from rich.console import Console
    from rich.text import Text

_STYLES = {"good": "green", "bounded": "cyan", "open": "yellow", "bad": "red", "failed": "bold red"}


@cache
def _console_class() -> type[Console]:
    from rich.console import Console

    class Ours(Console):
        """A console that leaves it to `remora.cli.main` what a reader who has gone means."""

        def on_broken_pipe(self) -> NoReturn:
            """Raise the error again, in place of ending the process with a status that says `refuted`."""
            raise BrokenPipeError

    return Ours


def output_console() -> Console:
    """Where results for people go; respects NO_COLOR, FORCE_COLOR and the terminal's width."""
    return _console(sys.stdout)


def message_console() -> Console:
    """Where progress and messages go."""
    return _console(sys.stderr)


def _console(file: TextIO) -> Console:
    # Without emoji and markup a text is printed as it is, whatever colons and brackets it has.
    return _console_class()(file=file, highlight=False, soft_wrap=True, markup=False, emoji=False)


def print_error(text: str) -> None:
    """Say what is wrong."""
    _message("error: ", "bold red", text)


def print_warning(text: str) -> None:
    """Say what the user should know although it works."""
    _message("warning: ", "yellow", text)


def print_note(text: str) -> None:
    """Say what was done beyond what was asked, such as dropping rows by an option."""
    _message("note: ", "cyan", text)


def _message(kind: str, style: str, text: str) -> None:
    if not sys.stderr.isatty():
        sys.stderr.write(f"{kind}{abridged(text)}\n")
        return
    from rich.text import Text

    message_console().print(Text.assemble((kind, style), abridged(text)))


def print_count(text: str) -> None:
    """Say how many results were printed, unless standard output is a pipe.

    Who reads a pipe may take some results alone, and whether the rest is counted would depend on when it was closed.
    """
    try:
        piped = stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):  # it is no file
        piped = False
    if not piped:
        print_note(text)


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str | Text]], *, right: Collection[str] = ()) -> None:
    """Print aligned columns, the longest texts in the last one; a row is one line, however long."""
    from rich.text import Text

    lines = [[Text(heading, "bold") for heading in headings]] if headings else []
    lines += [[Text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    widths = [max(cell.cell_len for cell in column) for column in list(zip(*lines, strict=True))[:-1]]
    console = output_console()
    for *cells, last in lines:
        text = Text()
        for cell, width, heading in zip(cells, widths, headings or widths, strict=False):
            padding = Text(" " * (width - cell.cell_len))
            text += (padding + cell if heading in right else cell + padding) + "  "
        text += last
        text.rstrip()
        console.print(text)


def standing_text(word: str) -> Text:
    """A standing with its symbol and colour."""
    from rich.text import Text

    from reports.page import standing

    entry = standing(word)
    return Text(f"{entry.symbol} {word}", style=_STYLES[entry.tone])


def emit(text: str) -> None:
    """Print a text for programs, or one for people that has no styles."""
    sys.stdout.write(text)


def emit_json(data: Mapping[str, Any]) -> None:
    """Print one JSON document."""
    emit(to_json(data, indent=2, ascii_only=not takes_unicode(sys.stdout)) + "\n")


def takes_unicode(stream: TextIO) -> bool:
    """Whether a stream writes every character as itself."""
    return (getattr(stream, "encoding", None) or "utf-8").lower().replace("_", "-").startswith("utf")


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
"""Replacement for a character that an encoding does not have."""

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
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us: what is asked for is done, and written nowhere
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        stream = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)
