"""The terminal: messages for people on standard error, results on standard output, and their texts."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout, suppress
from functools import cache, partial
from io import TextIOWrapper, UnsupportedOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from reports.drawing.layout import Timeline, plain
from reports.drawing.timeline import to_svg, to_text
from semantics.atomic_files import to_json, write_text
from semantics.errors import InputError, unknown_events
from semantics.traces.rows import ReadReport

if TYPE_CHECKING:  # what is printed to a file needs no styles, and these take longer to load than a small log
    import polars as pl
    from rich.console import Console
    from rich.text import Text

    from semantics.traces.rows import Partition

JsonObject = dict[str, Any]
is_file = os.path.isfile  # Whether a text, which may be longer than a path can be, is that of a file
shown = plain  # Text without control characters, which could drive a terminal
_STYLES = {"good": "green", "bounded": "cyan", "open": "yellow", "bad": "red", "failed": "bold red"}
_SIDES = {"left": "bold blue", "right": "bold dark_orange", "both": ""}


def counted(number: int, noun: str) -> str:
    """`no instances`, `1 instance`, `2,000 instances`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}" if number else f"no {noun}s"


def key_text(partition: Partition) -> str:
    """A partition as people read it."""
    return "(none)" if partition is None else shown(partition)


@cache
def _console_class() -> type[Console]:
    from rich.console import Console

    class Ours(Console):
        def on_broken_pipe(self) -> NoReturn:
            """Leave to `remora.cli.main` what it means; rich ends with a status that says `refuted`."""
            raise BrokenPipeError

    return Ours


def output_console(*, messages: bool = False) -> Console:
    """Where results for people go; respects NO_COLOR, FORCE_COLOR and the terminal's width."""
    file = sys.stderr if messages else sys.stdout
    # Without emoji and markup a text is printed as it is, whatever colons and brackets it has.
    return _console_class()(file=file, highlight=False, soft_wrap=True, markup=False, emoji=False)


message_console = partial(output_console, messages=True)  # Where progress and messages go


def _message(kind: str, style: str, text: str) -> None:
    if not sys.stderr.isatty():
        sys.stderr.write(f"{kind}{text}\n")
        return
    from rich.text import Text

    message_console().print(Text.assemble((kind, style), text))


print_error = partial(_message, "error: ", "bold red")  # Say what is wrong
print_warning = partial(_message, "warning: ", "yellow")  # Say what the user should know although it works
print_note = partial(_message, "note: ", "cyan")  # Say what was done beyond what was asked


def print_count(text: str) -> None:
    """Say how many results were printed, unless standard output is a pipe, whose reader may take some alone."""
    with suppress(OSError, ValueError):  # it is no file
        if stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode):
            return
    print_note(text)


@contextmanager
def noting(
    report: ReadReport, asked: Collection[str] = (), more: Callable[[str], Iterable[str]] = lambda _: ()
) -> Iterator[None]:
    """Say in the end what was changed about a log when it was read, also if the reader of the results has gone."""
    gone = None
    try:
        yield
    except BrokenPipeError as error:
        gone = error
    place = "the part that was read" if gone else "the trace"
    for message in (*report.messages(), *more(place)):
        print_note(message)
    for message in unknown_events(asked, report.events, place) if asked else ():
        print_warning(message)
    if gone:
        raise gone


def emit(text: str) -> None:
    """Print a text for programs, or one for people that has no styles."""
    sys.stdout.write(text)


def emit_json(data: Mapping[str, Any]) -> None:
    """Print one JSON document."""
    emit(to_json(data, indent=2, ascii_only=not takes_unicode(sys.stdout)) + "\n")


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


def print_timeline(timeline: Timeline) -> None:
    """Draw a timeline in the terminal's width, elsewhere in 80 columns; what differs is coloured as well as named."""
    from rich.text import Text

    console = output_console()
    styles = {timeline.label(bar): _SIDES[bar.side] for bar in timeline.bars if bar.differs and timeline.compares}
    for line in to_text(timeline, console.width, wrapped=console.file.isatty()).splitlines():
        style = next((style for label, style in styles.items() if line.startswith(f"{label} ")), "")
        console.print(Text(line, style))


def write_drawing(path: Path | None, timeline: Timeline | None) -> None:
    """Write a timeline as SVG, where that was asked for and there is something to draw."""
    if path is not None and timeline is not None:
        write_output(path, to_svg(timeline) + "\n")
    elif path is not None:
        print_note(f"there is no trace to draw, and {path} is not written")


def write_output(path: Path, text: str, what: str = "the picture", other: str = "file with --svg") -> None:
    """Write a file that was asked for; `InputError` if it cannot be written, which says to name another one."""
    try:
        write_text(path, text)
    except OSError as error:
        said = f"{what} cannot be written: {error.strerror or error}"
        raise InputError(said, place=str(path), remedy=f"Name another {other}.") from None


TABLES = ("csv", "parquet")  # The formats of detections that have columns; others have lines


def wants_text(form: str | None) -> bool:
    """Whether rows are printed for people."""
    return form == "text" or (form is None and sys.stdout.isatty())


def is_live(trace: str) -> bool:
    """Whether rows of a trace may still be on their way, so that every result is handed on at once."""
    return trace == "-" or not is_file(trace) or sys.stdout.isatty()


def require_printable(form: str | None) -> None:
    """Refuse a table in Parquet where standard output takes text alone."""
    if form == "parquet" and (sys.stdout.isatty() or not isinstance(sys.stdout, TextIOWrapper)):
        remedy = "Redirect it to a file; detections of patterns are written to one with --out."
        raise InputError("a table in Parquet is no text", place="--format parquet", remedy=remedy)


class RowPrinter:
    """Prints derived rows, one a line, and counts them; of a log that is live each line is handed on at once.

    A table is written at the end, with a column for each field that a row has, and texts where its values are of
    several kinds.
    """

    def __init__(self, form: str | None, log: str, *, partitioned: bool) -> None:
        self._text, self._live, self._partitioned = wants_text(form), is_live(log), partitioned
        self._ascii_only = not takes_unicode(sys.stdout)
        self._form, self._rows = form, list[dict[str, Any]]()
        self.count = 0
        require_printable(form)

    def print(self, row: dict[str, Any], text: str, partition: Partition) -> None:
        """Print a row, or the text that people read of it."""
        self.count += 1
        last = {"partition": partition} if self._partitioned else {}
        if self._form in TABLES:
            self._rows.append({**row, **last})
            return
        if not self._text:
            text = to_json({**row, **last}, ascii_only=self._ascii_only)
        elif self._partitioned:
            text = f"{key_text(partition)}  {text}"
        emit(f"{text}\n")
        if self._live:
            sys.stdout.flush()

    def finish(self, noun: str, less: int = 0) -> None:
        """Write the table, if there is one; say how many there were, to people; `less` rows withdraw another one."""
        if self._form in TABLES:
            import polars as pl

            fields = dict.fromkeys(name for row in self._rows for name in row) or ("start", "time", "event")
            table = pl.DataFrame([_column(name, [row.get(name) for row in self._rows]) for name in fields])
            (table.write_csv if self._form == "csv" else table.write_parquet)(sys.stdout.buffer)
        sys.stdout.flush()
        if self._text:
            print_count(counted(self.count - 2 * less, noun) + (f", {less:,} withdrawn" if less else ""))


def _column(name: str, values: list[Any]) -> pl.Series:
    """A column of numbers, truth values or texts; of texts where a value is none of them, or they are of two kinds."""
    import polars as pl

    kinds = {type(value) for value in values} - {type(None)}
    plain = len(kinds) <= 1 and kinds <= {int, float, bool, str}
    if plain and not any(kind is int and abs(value or 0) >= 2**63 for kind in kinds for value in values):
        return pl.Series(name, values)
    return pl.Series(name, [value if isinstance(value, str | None) else to_json(value) for value in values])


@contextmanager
def output_aside() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Have everything that is printed go to standard error; gives a context in which our own results are printed.

    A detector from outside may print at any step; C libraries and forked processes are heard there too. Where both are
    one terminal nothing is done. A stream that is not the one of the process is redirected in Python alone.
    """
    results = ours = sys.stdout
    if ours.isatty() and sys.stderr.isatty():
        yield nullcontext
        return
    ours.flush()
    with suppress(OSError, UnsupportedOperation, AttributeError, ValueError):
        if (ours.fileno(), sys.stderr.fileno()) == (1, 2):
            results = os.fdopen(os.dup(1), "w", encoding=ours.encoding, errors=ours.errors)
            os.dup2(2, 1)

    @contextmanager
    def lifted() -> Iterator[None]:
        with redirect_stdout(results):
            yield
            results.flush()

    try:
        with redirect_stdout(sys.stderr):
            yield lifted
    finally:
        if results is not ours:
            sys.stderr.flush()
            ours.flush()  # what was printed past us, and is still there, is not ours
            os.dup2(results.fileno(), 1)
            results.close()


class Aside:
    """A detector whose own printing goes to standard error, while others print results beside it."""

    def __init__(self, factory: Callable[..., Any], *given: Any) -> None:
        with redirect_stdout(sys.stderr):
            self._detector = factory(*given)

    def step(self, time: int, occurrences: Mapping[str, Any]) -> Any:
        """What it reports."""
        ours, sys.stdout = sys.stdout, sys.stderr  # in less time than a context takes
        try:
            return self._detector.step(time, occurrences)
        finally:
            sys.stdout = ours

    def __getattr__(self, name: str) -> Any:
        """The same of the detector; what is called prints aside too."""
        if name == "_detector":  # it was never made
            raise AttributeError(name)
        found = getattr(self._detector, name)

        def called(*arguments: Any, **named: Any) -> Any:
            with redirect_stdout(sys.stderr):
                return found(*arguments, **named)

        return called if callable(found) else found


def takes_unicode(stream: TextIO) -> bool:
    """Whether a stream writes every character as itself."""
    return (getattr(stream, "encoding", None) or "utf-8").lower().replace("_", "-").startswith("utf")


def prepare_streams() -> None:
    """Make standard output and error write whatever they are given, as escapes where need be, and exist."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us: what is asked for is done, and written nowhere
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        stream = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
