"""End of a command: its result has a standing, and the exit status follows from that, here alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from typing import Any, NoReturn

import click

from laws.standings import ExitStatus, Standing, exit_status
from remora.terminal.console import emit_json, print_error
from remora.terminal.texts import JsonObject


@dataclass(frozen=True)
class Result:
    """Result of a command.

    Attributes:
        standing: how what was asked stands; None for a command that shows something and judges nothing.
        document: what `--format json` prints; None where rows were printed as they came.
        show: prints the same for people.
    """

    standing: Standing | None
    document: JsonObject | None = None
    show: Callable[[], object] | None = None


class Ends(Exception):
    """The end of a command before it has a result, with a standing such as `error` where Spark is not there."""

    def __init__(self, standing: Standing, reason: str) -> None:
        super().__init__(reason)
        self.standing = standing


def status_of(standing: Standing | None) -> ExitStatus:
    """The exit status of a command whose result has a standing."""
    return ExitStatus.AS_CLAIMED if standing is None else exit_status([standing])


def ends(command: Callable[..., Result]) -> Callable[..., NoReturn]:
    """A command that prints its result in the form of `--format` and exits with the status of its standing."""
    takes_form = "form" in signature(command).parameters

    @wraps(command)
    def ended(**given: Any) -> NoReturn:
        form = given.get("form") if takes_form else given.pop("form", None)
        try:
            result = command(**given)
        except Ends as error:
            print_error(str(error))
            raise SystemExit(int(status_of(error.standing))) from error
        if form == "json" and result.document is not None:
            emit_json(result.document)
        elif result.show is not None:
            result.show()
        raise SystemExit(int(status_of(result.standing)))

    return ended


def was_given(parameter: str) -> bool:
    """Whether a parameter of the command that runs was given on the command line."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source is click.core.ParameterSource.COMMANDLINE
