"""Findings in the atlas: what costs a law, which systems coincide, implications, settings that are contexts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

from remora.atlas.cases import Case
from remora.atlas.cells import LAWS, Cell, shrunk
from remora.atlas.deciding import language, languages
from remora.atlas.traces import Trace, instances, longer_traces, traces
from semantics.automata.relations import Relation
from semantics.carlson_lisper.expressions import Identifier, Operation
from semantics.settings.catalogue import SETTINGS, Setting, negation
from semantics.settings.contexts import CONTEXTS
from semantics.settings.instances import Instances
from semantics.settings.lists import Listed
from semantics.settings.pairs import CountingPairs

Cells = Mapping[tuple[str, str], Cell]


def holding(cells: Cells) -> dict[str, frozenset[str]]:
    """By law the systems in which nothing refutes it."""
    return {
        law.id: frozenset(name for name in SETTINGS if cells[law.id, name].standing != "refuted")
        for law in LAWS
    }


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


def _number(law: str) -> int:
    return int(law.removeprefix("law:"))


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
        operator: `seq`, `con` or `neg`.
        setting: the setting.
        context: the context; "" where the question is another one.
        trace: a shortest trace on which they differ, or the answer is no; None where there is none.
        decided: whether that is so on all traces, by automata or by `_only_adds`; else on those that were tried.
    """

    operator: str
    setting: str
    context: str
    trace: Trace | None
    decided: bool


def rosetta() -> Iterator[Likeness]:
    """Settings of duplicate lists beside contexts, by operator, for event types."""
    for operator, setting, context in product(("seq", "con"), _of_lists(), CONTEXTS):
        other = SETTINGS[f"snoop-{context}-points"]
        try:
            one, two = (_language(operator, each) for each in (setting, other))
            found = languages(setting.clock, setting.pairing, 2).differences(one, two)
            trace, decided = min(found, key=len, default=None), True
        except CountingPairs:
            trace, decided = _first(partial(_differ, operator, setting, other)), False
        yield Likeness(operator, setting.name, context, trace, decided)


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
        decided = _only_adds(setting.pairing)
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
    filtered = negation(setting.sequence(types["a"], types["c"]), types["b"])
    return setting.absence(types["a"], types["b"], types["c"]) != filtered


def _first(told: Callable[[Trace], bool]) -> Trace | None:
    """A trace of two event types of which something is told: a smallest one within the bound, or a longer one."""
    found = next(filter(told, traces(2)), None)
    if found is None and (found := next(filter(told, longer_traces(2)), None)) is not None:
        return shrunk(Case(found, {}, {}), lambda case: told(case.trace)).trace
    return found


def _differ(operator: str, setting: Setting, other: Setting, trace: Trace) -> bool:
    return _meant(operator, setting, trace) != _meant(operator, other, trace)


def _only_adds(listed: Listed) -> bool:
    """Whether a later instance takes no pair away.

    Pairs are taken in the order in which they are complete, and a later instance completes none before. Only the last
    one of a list that grows gives way to it; and so does what a further round takes of what is left, of which nothing
    matches where all are selected.
    """
    everything = listed.anterior == listed.posterior == "all"
    return listed.posterior != "last" and (listed.consumption != "reapply" or everything)


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
