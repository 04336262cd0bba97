"""Findings in the atlas: what costs a law, which systems coincide, implications, settings that are contexts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from remora.atlas.cells import LAWS, Cell
from remora.atlas.traces import Trace, instances, traces
from semantics.settings.catalogue import SETTINGS, Setting
from semantics.settings.contexts import CONTEXTS
from semantics.settings.instances import Instances

Cells = Mapping[tuple[str, str], Cell]


def holding(cells: Cells) -> dict[str, frozenset[str]]:
    """By law the systems in which nothing refutes it."""
    return {
        law.id: frozenset(name for name in SETTINGS if cells[law.id, name].standing != "refuted")
        for law in LAWS
    }


def implications(cells: Cells) -> list[tuple[str, str]]:
    """Pairs of laws: in every system in which nothing refutes the first, nothing refutes the second.

    Laws that hold everywhere are left out, and what follows from two other pairs.
    """
    held = {law: found for law, found in holding(cells).items() if len(found) < len(SETTINGS)}
    pairs = {(one, other) for one, other in product(held, held) if one != other and held[one] <= held[other]}
    equal = {(one, other) for one, other in pairs if (other, one) in pairs}
    strict = pairs - equal
    indirect = {
        (one, other)
        for one, other in strict
        if any((one, middle) in strict and (middle, other) in strict for middle in held)
    }
    ordered = sorted(strict - indirect, key=_numbers) + sorted(
        (pair for pair in equal if _number(pair[0]) < _number(pair[1])), key=_numbers
    )
    return ordered


def _number(law: str) -> int:
    return int(law.removeprefix("law:"))


def _numbers(pair: tuple[str, str]) -> tuple[int, int]:
    return _number(pair[0]), _number(pair[1])


def classes(cells: Cells) -> list[list[str]]:
    """The systems in which the same laws are refuted; the greatest classes first."""
    found: dict[tuple[bool, ...], list[str]] = {}
    for name in SETTINGS:
        key = tuple(cells[law.id, name].standing == "refuted" for law in LAWS)
        found.setdefault(key, []).append(name)
    return sorted(found.values(), key=lambda names: (-len(names), names))


def costs(cells: Cells, dimension: str) -> Iterator[tuple[str, dict[str, tuple[int, int]]]]:
    """For each law that fails somewhere: by value of a dimension, in how many systems it stands, and of how many."""
    held = holding(cells)
    values: dict[str, list[str]] = {}
    for name, setting in SETTINGS.items():
        value = setting.dimensions[dimension]
        if value:
            values.setdefault(value, []).append(name)
    for law, found in held.items():
        if len(found) < len(SETTINGS):
            yield law, {value: (len(found & set(names)), len(names)) for value, names in values.items()}


@dataclass(frozen=True)
class Likeness:
    """An operator of a setting beside that of a context of Snoop.

    Attributes:
        operator: `seq` or `con`.
        setting: the setting.
        context: the context; "" where the question is another one.
        trace: a shortest trace on which they differ, or the answer is no; None where there is none within the bound.
    """

    operator: str
    setting: str
    context: str
    trace: Trace | None


def rosetta() -> Iterator[Likeness]:
    """Settings of duplicate lists beside contexts, by operator, for event types and all traces within the bound."""
    for operator, setting, context in product(("seq", "con"), _of_lists(), CONTEXTS):
        other = SETTINGS[f"snoop-{context}-points"]
        differing = (
            trace for trace in traces(2) if _meant(operator, setting, trace) != _meant(operator, other, trace)
        )
        yield Likeness(operator, setting.name, context, next(differing, None))


def withdrawals() -> Iterator[Likeness]:
    """Settings of duplicate lists by operator, with a shortest trace on which an instance is withdrawn later.

    Event types are the operands; the trace is None where all traces within the bound only add instances as they go on.
    """
    for operator, setting in product(("seq", "con"), _of_lists()):
        yield Likeness(
            operator, setting.name, "", next((t for t in traces(2) if _withdraws(operator, setting, t)), None)
        )


def _withdraws(operator: str, setting: Setting, trace: Trace) -> bool:
    """Whether the last instant of a trace takes away an instance of what was before."""
    before = tuple(event for event in trace if event[1] < trace[-1][1]) if trace else ()
    return not _meant(operator, setting, before) <= _meant(operator, setting, trace)


def _of_lists() -> list[Setting]:
    return [
        setting
        for setting in SETTINGS.values()
        if setting.family == "hinze_voisard" and setting.clock == "points" and setting.spans == "filter"
    ]


def _meant(operator: str, setting: Setting, trace: Trace) -> Instances:
    types = instances(trace)
    apply = setting.sequence if operator == "seq" else setting.conjunction
    return apply(types["a"], types["b"])


def shown_trace(trace: Sequence[tuple[str, int]]) -> str:
    """A trace in one line: `a@0 b@1`."""
    return " ".join(f"{name}@{time}" for name, time in trace)
