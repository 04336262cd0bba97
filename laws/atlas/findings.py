"""Findings in the atlas: which systems coincide, implications between laws, settings that are contexts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, product
from typing import NamedTuple

from laws.atlas.cases import Trace, instances, one_by_one, traces
from laws.atlas.cells import LAWS, Cell
from laws.atlas.deciding import language, languages
from semantics.atlas.catalogue import CONTEXTS, SETTINGS, Setting
from semantics.atlas.pairs import CountingPairs
from semantics.automata import Relation
from semantics.carlson_lisper.expressions import Identifier, Operation
from semantics.hinze_voisard.pairing import Instances, Listed

Cells = Mapping[tuple[str, str], Cell]


def implications(cells: Cells) -> list[tuple[str, str]]:
    """Laws of which others follow, by numbers (`26, 35`): where nothing refutes the first, nothing refutes the second.

    Laws that stand in the same systems are together. Laws that stand everywhere are left out, and what follows from two
    other implications.
    """
    together: dict[frozenset[str], list[int]] = {}
    for place, law in enumerate(LAWS):
        holds = frozenset(name for name in SETTINGS if cells[law.id, name].standing != "refuted")
        if len(holds) < len(SETTINGS):
            together.setdefault(holds, []).append(place)
    strict = {(one, other) for one, other in product(together, together) if one < other}
    direct = sorted(
        (together[one], together[other])
        for one, other in strict
        if not any((one, middle) in strict and (middle, other) in strict for middle in together)
    )
    return [(_numbers(one), _numbers(other)) for one, other in direct]


def _numbers(places: Sequence[int]) -> str:
    return ", ".join(LAWS[place].id.removeprefix("law:") for place in places)


def classes(cells: Cells) -> list[list[str]]:
    """The systems in which the same laws are refuted; the greatest classes first."""
    found: dict[tuple[bool, ...], list[str]] = {}
    for name in SETTINGS:
        key = tuple(cells[law.id, name].standing == "refuted" for law in LAWS)
        found.setdefault(key, []).append(name)
    return sorted(found.values(), key=lambda names: (-len(names), names))


class Likeness(NamedTuple):
    """An operator of a setting beside that of a context, or after more events.

    Attributes:
        trace: a shortest trace on which they differ, or an instance is withdrawn; None where there is none.
        decided: whether it is so on all traces, by automata, `_in_turn` or `_only_adds`; else on those that were tried.
    """

    trace: Trace | None
    decided: bool


OF_LISTS = [
    setting
    for setting in SETTINGS.values()
    if setting.family == "hinze_voisard" and setting.clock == "points" and setting.spans == "filter"
]
"""Settings of duplicate lists over points: for event types, a clock and the reading of spans make no difference."""


def likeness(operator: str, setting: Setting, context: str) -> Likeness:
    """A setting of duplicate lists beside a context on event types, with a trace that tells them apart if any does."""
    other = SETTINGS[f"snoop-{context}-points"]
    try:
        one, two = (_language(operator, each) for each in (setting, other))
        found = languages(setting.clock, setting.pairing, 2).differences(one, two)
        return Likeness(min(found, key=len, default=None), True)
    except CountingPairs:
        decided = CONTEXTS[context].opens == "oldest" and _in_turn(setting.pairing)

    def differ(trace: Trace) -> bool:
        return _meant(operator, setting, trace) != _meant(operator, other, trace)

    return Likeness(None if decided else _first(differ), decided)


def withdrawal(operator: str, setting: Setting) -> Likeness:
    """A setting of duplicate lists with a trace of event types that withdraws an instance, if there is one."""
    assert isinstance(setting.pairing, Listed)
    try:
        known = languages(setting.clock, setting.pairing, 2)
        return Likeness(known.withdrawn(_language(operator, setting)), True)
    except CountingPairs:
        decided = _only_adds(operator, setting.pairing)

    def withdraws(trace: Trace) -> bool:
        before = tuple(event for event in trace if event[1] < trace[-1][1])
        return not _meant(operator, setting, before) <= _meant(operator, setting, trace)

    return Likeness(None if decided else _first(withdraws), decided)


def _first(told: Callable[[Trace], bool]) -> Trace | None:
    """The first trace of two event types of which something is told, within the bound or with an event an instant."""
    return next(filter(told, chain(traces(2), one_by_one(2))), None)


def _in_turn(pairing: object) -> bool:
    """Whether each event takes the oldest that is left of the other type, as in the chronicle context.

    Where all are selected, every event matches each later one of the other type; in a sequence, what opens each later
    one that closes. Pairs are taken by the later event and then by the earlier one: first in, first out. Nothing that
    is left matches, so that a further round finds nothing.
    """
    return pairing in (Listed("all", "all", "events"), Listed("all", "all", "reapply"))


def _only_adds(operator: str, listed: Listed) -> bool:
    """Whether a later event takes no pair away.

    A round takes pairs in the order in which they are complete, and a later event completes none before it. Only the
    last one of a list that grows gives way to it; so a round only adds, where the last one is not selected.

    Further rounds only add too, if nothing is left that matches (`_in_turn`), or if no event that closes lies between
    the two of a pair: then what a later event takes from what was left is an event with nothing after it that closes,
    and of such events no further round made anything. By induction on the rounds what is left is otherwise the same. In
    a sequence it is so where lists pair in turn (`Listed.in_turn`).
    """
    if listed.posterior == "last":
        return False
    return listed.consumption != "reapply" or _in_turn(listed) or (operator == "seq" and listed.in_turn)


def _language(operator: str, setting: Setting) -> Relation:
    known = languages(setting.clock, setting.pairing, 2)
    return language(known, Operation(operator, (Identifier("a"), Identifier("b"))))


def _meant(operator: str, setting: Setting, trace: Trace) -> Instances:
    types = instances(trace)
    apply = setting.sequence if operator == "seq" else setting.conjunction
    return apply(types["a"], types["b"])


def shown_trace(trace: Sequence[tuple[str, int]]) -> str:
    """A trace in one line: `a@0 b@1`."""
    return " ".join(f"{name}@{time}" for name, time in trace)
