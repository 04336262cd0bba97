"""Findings in the atlas: which systems coincide, implications between laws, settings that are contexts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, product

from laws.atlas.cases import Trace, instances, one_by_one, traces
from laws.atlas.cells import LAWS, Cell
from laws.atlas.deciding import language, languages
from semantics.atlas.catalogue import SETTINGS, Setting
from semantics.atlas.contexts import CONTEXTS
from semantics.atlas.pairs import CountingPairs
from semantics.automata import Relation
from semantics.carlson_lisper.expressions import Identifier, Operation
from semantics.hinze_voisard.pairing import Instances, Listed

Cells = Mapping[tuple[str, str], Cell]


def holding(cells: Cells) -> dict[str, frozenset[str]]:
    """By law the systems in which nothing refutes it."""
    return {law.id: frozenset(name for name in SETTINGS if cells[law.id, name].standing != "refuted") for law in LAWS}


def implications(cells: Cells) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Laws of which others follow: in every system in which nothing refutes the first, nothing refutes the second.

    Laws that stand in the same systems are together. Laws that stand everywhere are left out, and what follows from two
    other implications.
    """
    together: dict[frozenset[str], list[str]] = {}
    for law, found in holding(cells).items():
        if len(found) < len(SETTINGS):
            together.setdefault(found, []).append(law)
    strict = {(one, other) for one, other in product(together, together) if one < other}
    direct = [
        (one, other)
        for one, other in strict
        if not any((one, middle) in strict and (middle, other) in strict for middle in together)
    ]
    pairs = [(tuple(together[one]), tuple(together[other])) for one, other in direct]
    return sorted(pairs, key=lambda pair: [[*map(_number, laws)] for laws in pair])


def in_numbers(laws: Sequence[str]) -> str:
    """Laws by their numbers: `26, 35`."""
    return ", ".join(law.removeprefix("law:") for law in laws)


_number = [law.id for law in LAWS].index
"""The place of a law among the rows."""


def classes(cells: Cells) -> list[list[str]]:
    """The systems in which the same laws are refuted; the greatest classes first."""
    found: dict[tuple[bool, ...], list[str]] = {}
    for name in SETTINGS:
        key = tuple(cells[law.id, name].standing == "refuted" for law in LAWS)
        found.setdefault(key, []).append(name)
    return sorted(found.values(), key=lambda names: (-len(names), names))


@dataclass(frozen=True)
class Likeness:
    """An operator of a setting beside that of a context of Snoop.

    Attributes:
        operator: `seq`, `con` or `neg`.
        context: the context; "" where the question is another one.
        trace: a shortest trace on which they differ, or the answer is no; None where there is none.
        decided: whether it is so on all traces, by automata, `_in_turn` or `_only_adds`; else on those that were tried.
    """

    operator: str
    setting: str
    context: str
    trace: Trace | None
    decided: bool


def rosetta() -> Iterator[Likeness]:
    """Settings of duplicate lists beside contexts, by operator, for event types."""
    return (likeness(*each) for each in product(("seq", "con"), _of_lists(), CONTEXTS))


def likeness(operator: str, setting: Setting, context: str) -> Likeness:
    """A setting of duplicate lists beside a context on event types, with a trace that tells them apart if any does."""
    other = SETTINGS[f"snoop-{context}-points"]
    try:
        one, two = (_language(operator, each) for each in (setting, other))
        found = languages(setting.clock, setting.pairing, 2).differences(one, two)
        trace, decided = min(found, key=len, default=None), True
    except CountingPairs:
        decided = CONTEXTS[context].opens == "oldest" and _in_turn(setting.pairing)
        trace = None if decided else _first(partial(_differ, operator, setting, other))
    return Likeness(operator, setting.name, context, trace, decided)


def withdrawals() -> Iterator[Likeness]:
    """Settings of duplicate lists by operator, for event types, with a trace that withdraws an instance."""
    return (withdrawal(operator, setting) for operator, setting in product(("seq", "con"), _of_lists()))


def withdrawal(operator: str, setting: Setting) -> Likeness:
    """A setting of duplicate lists with a trace of event types that withdraws an instance, if there is one."""
    assert isinstance(setting.pairing, Listed)
    try:
        known = languages(setting.clock, setting.pairing, 2)
        trace, decided = known.withdrawn(_language(operator, setting)), True
    except CountingPairs:
        decided = _only_adds(operator, setting.pairing)
        trace = None if decided else _first(partial(_withdraws, operator, setting))
    return Likeness(operator, setting.name, "", trace, decided)


def absences() -> Iterator[Likeness]:
    """Snoop's own NOT beside `(a ; c) - b`, by context over points."""
    for context in CONTEXTS:
        setting = SETTINGS[f"snoop-{context}-points"]
        try:
            known = languages(setting.clock, setting.pairing, 3)
            a, b, c = (known.of_type(number) for number in (1, 2, 3))
            found = known.differences(known.sequence(a, c, b), known.negation(known.sequence(a, c), b))
            yield Likeness("neg", setting.name, "", min(found, key=len, default=None), True)
        except CountingPairs:
            yield Likeness(
                "neg", setting.name, "", next(filter(partial(_pairs_first, setting), traces(3)), None), False
            )


def _pairs_first(setting: Setting, trace: Trace) -> bool:
    """Whether `(a ; c) - b` is something else than NOT(b)[a, c]."""
    types = instances(trace)
    filtered = setting.negation(setting.sequence(types["a"], types["c"]), types["b"])
    return setting.absence(types["a"], types["b"], types["c"]) != filtered


def _first(told: Callable[[Trace], bool]) -> Trace | None:
    """The first trace of two event types of which something is told, within the bound or with an event an instant."""
    return next(filter(told, chain(traces(2), one_by_one(2))), None)


def _differ(operator: str, setting: Setting, other: Setting, trace: Trace) -> bool:
    return _meant(operator, setting, trace) != _meant(operator, other, trace)


def _in_turn(pairing: str | Listed) -> bool:
    """Whether each event takes the oldest that is left of the other type, as in the chronicle context.

    Where all are selected, every event matches each later one of the other type; in a sequence, what opens each later
    one that closes. Pairs are taken by the later event and then by the earlier one: first in, first out. Nothing that
    is left matches, so that a further round finds nothing.
    """
    return (
        isinstance(pairing, Listed)
        and pairing.anterior == pairing.posterior == "all"
        and pairing.consumption in ("events", "reapply")
    )


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
