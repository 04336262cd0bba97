"""Resources of the detectors that run for a pattern, and which of them the chooser takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from detectors.carlson_lisper.choice import BUILDING_STEPS, Choice, Input, choose
from detectors.carlson_lisper.generated.programs import GENERATED_STEPS
from detectors.carlson_lisper.source.bounds import Quantity, Resources, resources
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression
from semantics.errors import LimitExceeded

if TYPE_CHECKING:
    from smt.carlson_lisper.validation.validating import Validation

LOOKED_AT = 2_000
"""So many states of the register machine are looked at to find out how large it becomes."""


@dataclass(frozen=True)
class Registers:
    """The register machine of a pattern.

    Attributes:
        states: how many states were found.
        registers: how many starts it keeps at most.
        exact: whether these are all states.
        reason: why it was not built; empty if it was.
    """

    states: int = 0
    registers: int = 0
    exact: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Running:
    """What runs for a pattern.

    Attributes:
        default: the resources of what finds instances where nothing else is asked for.
        starts: how many starts generated code keeps at most where starts and ends are enough.
        registers: the register machine.
        validations: of the two texts that are made for the pattern, by their detectors, whether they were validated.
        choices: what the chooser takes for each of `feeds()`.
    """

    default: Resources
    starts: int
    registers: Registers
    validations: Mapping[str, Validation]
    choices: tuple[tuple[str, Input, Choice], ...]


def feeds() -> tuple[tuple[str, Input], ...]:
    """Ways to feed a detector, for people and as the chooser knows them; all but the first want starts and ends alone.

    They are made when they are asked for: what has been loaded by then is a part of the question.
    """
    return (
        ("whole instances", Input(wanted="instances")),
        ("one instant at a time", Input(feed="instants")),
        ("letters, 10 thousand ticks", Input(feed="letters", instants=10**4)),
        ("letters, 100 million ticks", Input(feed="letters", instants=10**8)),
        ("timestamps, 10 thousand instants", Input(feed="columns", instants=10**4)),
        ("timestamps, 100 million instants", Input(feed="columns", instants=10**8)),
        (
            "1000 traces of 10 thousand ticks",
            Input(feed="traces", instants=10**7, ticks=10**4, traces=1000),
        ),
    )


def running(pattern: Expression) -> Running:
    """What runs for a ground expression."""
    choices = tuple((label, given, choose(pattern, given)) for label, given in feeds())
    return Running(
        resources(pattern, GENERATED_STEPS),
        _starts(pattern),
        _registers(pattern),
        _validations(pattern),
        choices,
    )


def _validations(pattern: Expression) -> dict[str, Validation]:
    from detectors.carlson_lisper.generated.figure3 import Figure3
    from detectors.carlson_lisper.generated.generated import Generated
    from smt.carlson_lisper.validation.validating import validate  # which brings the solver

    return {"figure3": validate(Figure3(pattern)), "generated": validate(Generated(pattern, compiles=False))}


def _starts(pattern: Expression) -> int:
    from detectors.carlson_lisper.generated.generated import Generated  # which brings NumPy

    return Generated(pattern, compiles=False).bound


def _registers(pattern: Expression) -> Registers:
    from detectors.carlson_lisper.register.machine import RegisterMachine  # which brings NumPy

    try:
        size = RegisterMachine(pattern, steps=BUILDING_STEPS).size(LOOKED_AT)
    except LimitExceeded as error:
        return Registers(reason=error.reason)
    return Registers(size.states, size.registers, size.exact)


# ------------------------------------------------------------------------------------------------------------- text


def running_text(running: Running) -> str:
    """The resources of what runs, in words."""
    bounds = running.default
    if bounds.instances == UNBOUNDED:
        return "figure3: no bound"
    counts = [f"{bounds.instances:,} {_plural('instance', bounds.instances)}"]
    counts.append(f"{bounds.occurrences:,} {_plural('occurrence', bounds.occurrences)}")
    return f"figure3: at most {counts[0]}, {counts[1]}; at most {bounds.steps:,} steps at one instant"


def starts_text(running: Running) -> str:
    """What is kept where starts and ends are enough, in words."""
    return f"generated: at most {running.starts:,} {_plural('start', running.starts)}"


def registers_text(running: Running) -> str:
    """The size of the register machine, in words."""
    found = running.registers
    if found.reason:
        return found.reason
    if not found.exact:
        return f"over {found.states:,} states, at most {found.registers:,} registers"
    states, registers = _plural("state", found.states), _plural("register", found.registers)
    return f"{found.states:,} {states}, {found.registers:,} {registers}"


def validations_text(running: Running) -> str:
    """Whether the texts that were made for the pattern do what the proved steps do, in words."""
    said = [name for name, found in running.validations.items() if found.holds]
    said += [
        f"{'wrong' if found.outcome == 'refuted' else 'not'} {name}: {found.reason}"
        for name, found in running.validations.items()
        if not found.holds
    ]
    return "; ".join(said)


def choice_lines(running: Running) -> list[tuple[str, str]]:
    """For each way of feeding, the detector and why."""
    return [(label, f"{choice.name}: {choice.reason}") for label, _, choice in running.choices]


def _plural(noun: str, number: Quantity) -> str:
    return noun if number == 1 else f"{noun}s"
