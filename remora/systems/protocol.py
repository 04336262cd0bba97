"""The protocol of a system's face: what each command does with a text of its language."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import click

from remora.terminal.options import Result, languages_of
from semantics.errors import InputError
from semantics.events import TraceForm
from semantics.systems import System, system_of, system_of_text
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.rows import Partition


class Deriving(Protocol):
    """A program that derives events from a log.

    Attributes:
        form: what it requires of the log.
        tick: how long a tick is by the program; "" where it does not say.
        how: by what it is evaluated, in words.
    """

    form: TraceForm
    tick: str
    how: str

    def derived(self, instants: Iterable[Instant]) -> Iterator[tuple[dict[str, Any], Partition]]:
        """Derived events as rows with `start` and `time` in ticks, `event` and attributes, in the order of time."""

    def warnings(self, report: ReadReport) -> Sequence[str]:
        """Notes for the user, when all has been read."""


class Face(Protocol):
    """A module with these functions, each of which carries out the command of its name.

    Their arguments are the text, what else the command takes, and by name those of its options that apply.

    Attributes:
        evaluate: `remora eval`: what the definitions say of a log.
        detect: what a detector finds in a log as it comes.
        explain: a text in words, and what detecting it takes.
        stream: what is found in a folder that grows.
        verify: `remora verify TEXT LOG`: the detector on a log beside the definitions.
        bench: how fast the detectors are.
        read: the program in a file, to be evaluated in Python; a tick says how long one is where the file does not.
    """

    evaluate: Callable[..., Result]
    detect: Callable[..., Result]
    explain: Callable[..., Result]
    stream: Callable[..., Result]
    verify: Callable[..., Result]
    bench: Callable[..., Result]
    read: Callable[[Path, str | None], Deriving]


ParsedT = TypeVar("ParsedT")


def parsed(path: str | Path, parse: Callable[[str], ParsedT], what: str) -> ParsedT:
    """What is parsed of the text of a file; an error names the file, and what cannot be read."""
    try:
        return parse(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the {what} cannot be read: {error}", place=str(path)) from None
    except InputError as error:
        error.place = f"{path}, {error.place}" if error.place else str(path)
        raise


def face_of(system: System) -> Face:
    """The face of a system."""
    return cast("Face", system.module("remora"))


def face_for(text: str, given: dict[str, Any]) -> tuple[Face, dict[str, Any]]:
    """The face of the system in whose language a text is, and the options that apply to it."""
    system = system_of_text(text)
    if system.suffix and not Path(text).is_file():
        raise InputError("there is no such file", place=text, remedy=f"A word that ends in {system.suffix} is one.")
    return face_of(system), _applying(system, f"{text!r} is one of {system.language}", given)


def face_named(name: str, given: dict[str, Any]) -> tuple[Face, dict[str, Any]]:
    """Face of a system by its name, and the options that apply to it."""
    system = system_of(name)
    return face_of(system), _applying(system, f"{name} is one of {system.language}", given)


def _applying(system: System, said: str, given: dict[str, Any]) -> dict[str, Any]:
    context, applying = click.get_current_context(), dict(given)
    for parameter in context.command.params:
        languages, name = languages_of(parameter), parameter.name or ""
        if not languages or system.language in languages:
            continue
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            kinds = " and ".join(languages)
            raise click.UsageError(f"{parameter.opts[-1]} is for {kinds}, and this is {system.language}: {said}.")
        applying.pop(name, None)
    return applying


def differences(meant: Iterable[str], ran: Iterable[str], meaning: str) -> list[str]:
    """Difference between the meaning of a text and the engine that ran, either way."""
    one, other = Counter(meant), Counter(ran)
    return [
        *(f"by the {meaning} alone: {said}" for said in (one - other).elements()),
        *(f"by the engine alone: {said}" for said in (other - one).elements()),
    ]
