"""Arguments and options that several commands share, with one meaning everywhere."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast, get_args

import click

from remora.api.arguments import MAX_SEED
from semantics.carlson_lisper.expressions import Expression
from semantics.errors import ExpressionError, InputError
from semantics.systems import DEFAULT_SYSTEM, systems_in
from semantics.traces.reading import SameTime
from semantics.traces.reading import USUAL, Epoch, Format, Reading
from semantics.traces.rows import Undecided

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


class WholeNumber(click.IntRange):
    """A whole number within limits, which help and errors call by that name."""

    name = "number"


class Number(click.FloatRange):
    """A finite number within limits."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what lies within no limits, such as `nan`."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no finite number.", param, ctx)
        return number


class NamedPath(click.Path):
    """A file or folder that is named; the empty text would silently be the working directory."""

    def __init__(self, *, file: bool = True, folder: bool = True, exists: bool = False) -> None:
        super().__init__(exists=exists, file_okay=file, dir_okay=folder, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse the empty text."""
        if not str(value):
            self.fail(
                "it is empty and names no file or folder. Give a path; that of the working directory is '.'.",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)


format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text for people, JSON for programs.",
)
"""`--format text|json` for commands with one result."""

rows_format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "jsonl", "json"]),
    default=None,
    help="Text for people, or one JSON object per line (json is the same)."
    " Default: text on a terminal, jsonl otherwise.",
)
"""`--format text|jsonl` for commands that print a stream of rows."""


def wants_text(form: str | None) -> bool:
    """Whether rows are printed for people."""
    return form == "text" or (form is None and sys.stdout.isatty())


seed_option = click.option(
    "--seed", type=WholeNumber(0, MAX_SEED), default=0, show_default=True, help="Seed of every random choice."
)

no_seed_option = click.option(
    "--seed",
    type=WholeNumber(0, MAX_SEED),
    expose_value=False,
    help="Accepted as by every command; nothing is random here.",
)
"""`--seed` for commands without random choices, so that scripts can give it to every command."""

CHECKER = click.option(
    "--checker",
    type=NamedPath(),
    envvar="REMORA_CHECKER",
    show_envvar=True,
    help="Have every certificate checked by this Ethos binary; what it accepts is certified.",
)
SIGNATURE = click.option(
    "--signature",
    type=NamedPath(folder=False, exists=True),
    envvar="REMORA_SIGNATURE",
    show_envvar=True,
    help="The rules that the checker is to use: Cpc.eo in the folder proofs/eo/cpc of cvc5's sources, all of which it"
    " needs.",
)


def require_checker(checker: Path | None, signature: Path | None) -> None:
    """Refuse rules for a checker that nobody names.

    Raises:
        click.UsageError: there are some.
    """
    if signature is not None and checker is None:
        raise click.UsageError("--signature says which rules a checker is to use; name one with --checker.")


TRUST = click.option(
    "--trust", is_flag=True, help="Import a detector of one's own that the campaign names: its code is run."
)
"""Whether code that a folder names may be imported."""


def is_live(trace: str) -> bool:
    """Whether rows of a trace may still be on their way, so that every result is handed on at once."""
    return trace == "-" or not Path(trace).is_file() or sys.stdout.isatty()


_READING: Mapping[str, Callable[[Any], Any]] = {
    "time": click.option(
        "--time", metavar="COLUMN", default="time", help="The column of times.  [default: time]"
    ),
    "event": click.option(
        "--event", metavar="COLUMN", default="event", help="The column of event types.  [default: event]"
    ),
    "value": click.option(
        "--value", metavar="COLUMN", default="value", help="The column of values.  [default: value]"
    ),
    "start": click.option(
        "--start",
        metavar="COLUMN",
        default="start",
        help="The column of the times at which events begin.  [default: start]",
    ),
    "delimiter": click.option(
        "--delimiter", metavar="SIGN", help="What is between the cells of CSV, such as ';' or tab."
    ),
    "header": click.option(
        "--header",
        metavar="NAMES",
        help="The names of the columns of CSV that has no header, such as time,event,user.",
    ),
    "tick": click.option(
        "--tick",
        metavar="LENGTH",
        help="How long a tick is, such as 1s or 100ms: for times in ISO 8601 or since 1970, and bounds with units.",
    ),
    "epoch": click.option(
        "--epoch",
        type=click.Choice(get_args(Epoch)),
        help="With --tick: what numbers in the column of times count, so long a unit since 1970, or ticks.",
    ),
    "zone": click.option(
        "--zone",
        metavar="ZONE",
        help="With --tick: the zone of times that state none, and of those that are printed: UTC, Europe/Berlin,"
        " +02:00.",
    ),
    "round": click.option(
        "--round", is_flag=True, help="With --tick: accept times between two ticks, and take the tick before."
    ),
    "sort": click.option(
        "--sort", is_flag=True, help="Accept rows that are out of time order, and sort them."
    ),
    "same_time": click.option(
        "--same-time",
        type=click.Choice(get_args(SameTime)),
        help="Accept an event type that occurs twice at one time, and keep this occurrence.",
    ),
    "skip_bad": click.option(
        "--skip-bad", is_flag=True, help="Go on past rows that cannot be read, and say which they are."
    ),
    "partition_by": click.option(
        "--partition-by",
        metavar="COLUMN",
        help="Treat the rows of each value of this column as a log of their own.",
    ),
    "format": click.option(
        "--input-format",
        "format",
        type=click.Choice(get_args(Format)),
        help="Format of the log, where its name and first bytes do not tell.",
    ),
}
"""The options that say how a log is read, by the attributes of `semantics.traces.reading.Reading`."""

system_option = click.option(
    "--system",
    type=click.Choice(systems_in("campaigns")),
    default=DEFAULT_SYSTEM,
    show_default=True,
    help="The system whose detectors are judged.",
)

state_option = click.option(
    "--state",
    "state_path",
    type=NamedPath(folder=False),
    help="Go on from the state in this file, if there is one, and store the new state there.",
)

tick_option = click.option(
    "--tick",
    metavar="LENGTH",
    help="How long a tick is, such as 1s or 100ms: for bounds with units, such as [30s].",
)
"""The length of a tick, for commands that read no log."""


def log_options(*without: str) -> Callable[[CommandT], CommandT]:
    """The options that say how a log is read, but for some; the command receives them as one `Reading`."""
    names = [name for name in _READING if name not in without]

    def decorated(command: CommandT) -> CommandT:
        @wraps(command)
        def gathered(**given: Any) -> Any:
            reading = Reading(**{name: given.pop(name) for name in names})
            try:
                return command(reading=reading, **given)
            except Undecided as error:
                from semantics.traces.guessing import guessed

                guess = guessed(error.log, reading)
                if guess is not None:
                    error.options = reading_words(guess, reading, names)
                raise

        found: Any = gathered
        for name in reversed(names):
            found = _READING[name](found)
        return cast(CommandT, found)

    return decorated


def own_logs(about: str) -> Callable[[CommandT], CommandT]:
    """`--log FILE EXPRESSION`, as often as wanted.

    Args:
        about: what is done with the pattern and the trace.
    """
    return click.option("--log", "logs", nargs=2, multiple=True, metavar="FILE EXPRESSION", help=about)


def reading_words(
    reading: Reading, usual: Reading = USUAL, names: Collection[str] = _READING.keys()
) -> list[str]:
    """The options with these names that say how a log is read, as they are written; the usual is left out."""
    words = []
    for name, value in vars(reading).items():
        if name in names and value != getattr(usual, name):
            option = "--input-format" if name == "format" else f"--{name.replace('_', '-')}"
            words += [option] if value is True else [option, "tab" if value == "\t" else str(value)]
    return words


def pattern_before(text: str, trace: str, tick: str | None) -> Expression:
    """The pattern that stands before a trace on the command line.

    Args:
        tick: the length of a tick, where it is stated: then bounds may have units.

    Raises:
        InputError: it cannot be read; where it names a file, that the two were given the other way round.
    """
    from semantics.carlson_lisper.syntax import parse

    try:
        return parse(text, tick)
    except ExpressionError:
        if _is_file(text) and not _is_file(trace):
            raise InputError(
                "this is a file, and stands where the pattern is expected",
                place=text,
                remedy=f"The pattern comes first: {trace!r} {text}",
            ) from None
        raise


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # such as a name that is too long
        return False
