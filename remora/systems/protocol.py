"""The protocol of a system's face: what each command does with a text of its language."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import click

from remora.terminal.options import Asked, Result, was_given
from semantics.errors import InputError
from semantics.events import TraceForm
from semantics.systems import System, system_of, system_of_text
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.rows import Partition


@dataclass(frozen=True)
class Deriving:
    """A program that derives events from a log, which are rows with `start` and `time` in ticks, by time."""

    form: TraceForm  # what it requires of the log
    tick: str  # how long a tick is by the program; "" where it does not say
    how: str  # by what it is evaluated, in words
    derived: Callable[[Iterable[Instant]], Iterator[tuple[dict[str, Any], Partition]]]
    warnings: Callable[[ReadReport], Sequence[str]] = lambda report: ()  # when all has been read


class Face(Protocol):
    """A module whose functions carry out commands, `verify` as `remora verify TEXT LOG`, and `read` a file's program.

    Their arguments are the text, what else the command takes, and by name those of its options that apply; of `read`
    the path, and how long a tick is where the file does not say.
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


def face_for(asked: Asked, *apart: str) -> tuple[Face, dict[str, Any]]:
    """The face of the system in whose language the pattern is, and the options that apply to it, but for some."""
    text, system = asked.pattern, system_of_text(asked.pattern)
    if system.suffix and not Path(text).is_file():
        raise InputError("there is no such file", place=text, remedy=f"A word that ends in {system.suffix} is one.")
    return _applying(system, repr(text), asked, apart)


def face_named(asked: Asked, *apart: str) -> tuple[Face, dict[str, Any]]:
    """The face of the system that is named, and the options that apply to it, but for some."""
    return _applying(system_of(asked.system), asked.system, asked, apart)


def _applying(system: System, named: str, asked: Asked, apart: Sequence[str]) -> tuple[Face, dict[str, Any]]:
    applying = {name: value for name, value in vars(asked).items() if name not in apart}
    for parameter in click.get_current_context().command.params:
        languages, name = getattr(parameter, "languages", ()), parameter.name or ""
        if languages and system.language not in languages:
            if was_given(name):
                said = f"{parameter.opts[-1]} is for {' and '.join(languages)}, and this is {system.language}"
                raise click.UsageError(f"{said}: {named} is one of {system.language}.")
            applying.pop(name, None)
    return face_of(system), applying


def differences(meant: Iterable[str], ran: Iterable[str], meaning: str) -> list[str]:
    """Difference between the meaning of a text and the engine that ran, either way."""
    one, other = Counter(meant), Counter(ran)
    return [
        *(f"by the {meaning} alone: {said}" for said in (one - other).elements()),
        *(f"by the engine alone: {said}" for said in (other - one).elements()),
    ]
