"""Arguments and options that several commands share, with one meaning everywhere."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from remora.api.arguments import MAX_SEED
from semantics.carlson_lisper.expressions import Expression
from semantics.errors import ExpressionError, InputError

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
        """Whether it may be a file, or a folder, and whether it has to exist."""
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


def format_option(command: CommandT) -> CommandT:
    """`--format text|json` for commands with one result."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Text for people, JSON for programs.",
    )(command)


def rows_format_option(command: CommandT) -> CommandT:
    """`--format text|jsonl` for commands that print a stream of rows."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "jsonl", "json"]),
        default=None,
        help="Text for people, or one JSON object per line (json is the same)."
        " Default: text on a terminal, jsonl otherwise.",
    )(command)


def wants_text(form: str | None) -> bool:
    """Whether rows are printed for people."""
    return form == "text" or (form is None and sys.stdout.isatty())


def seed_option(command: CommandT) -> CommandT:
    """`--seed`."""
    return click.option(
        "--seed",
        type=WholeNumber(0, MAX_SEED),
        default=0,
        show_default=True,
        help="Seed of every random choice.",
    )(command)


def no_seed_option(command: CommandT) -> CommandT:
    """`--seed` for commands without random choices, so that scripts can give it to every command."""
    return click.option(
        "--seed",
        type=WholeNumber(0, MAX_SEED),
        expose_value=False,
        help="Accepted as by every command; nothing is random here.",
    )(command)


def is_live(trace: str) -> bool:
    """Whether rows of a trace may still be on their way, so that every result is handed on at once."""
    return trace == "-" or not Path(trace).is_file() or sys.stdout.isatty()


def order_options(command: CommandT) -> CommandT:
    """How the rows of a trace are taken: `--sort`, `--same-time`, `--partition-by`."""
    options = [
        click.option("--sort", is_flag=True, help="Accept rows that are out of time order, and sort them."),
        click.option(
            "--same-time",
            type=click.Choice(["first", "last"]),
            help="Accept an event type that occurs twice at one time, and keep this occurrence.",
        ),
        click.option(
            "--partition-by",
            metavar="COLUMN",
            help="Treat the rows of each value of this column as a trace of their own.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def trace_options(command: CommandT) -> CommandT:
    """How a trace is read: the order of its rows, and `--input-format`."""
    return order_options(
        click.option(
            "--input-format",
            type=click.Choice(["csv", "jsonl", "parquet"]),
            help="Format of the trace, where its name and first bytes do not tell.",
        )(command)
    )


def pattern_before(text: str, trace: str) -> Expression:
    """The pattern that stands before a trace on the command line.

    Raises:
        InputError: it cannot be read; where it names a file, that the two were given the other way round.
    """
    from semantics.carlson_lisper.syntax import parse

    try:
        return parse(text)
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
