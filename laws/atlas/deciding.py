"""What automata decide of laws for event types on all traces, and findings: what coincides, implies, or withdraws."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, product
from typing import NamedTuple, TypeAlias

from laws.atlas import cells as atlas
from laws.atlas.cells import LAWS, Cell, Level, OperandsOnTrace, Trace, assignments, instances
from laws.carlson_lisper.claims import EquationClaim
from semantics.atlas.catalogue import CONTEXTS, SETTINGS, Setting
from semantics.atlas.languages import Languages
from semantics.atlas.pairs import CountingPairs
from semantics.automata import Relation
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up, rebuilt
from semantics.hinze_voisard.pairing import Consumption, Instances, Listed

Decision: TypeAlias = tuple[str, tuple[OperandsOnTrace, ...]]
"""Why it is known (a key of `laws.atlas.cells.REASONS`), and cases on shortest traces by sides; none if it holds."""


@cache
def alike(law: EquationClaim, setting: Setting) -> Setting:
    """The first setting of the catalogue in which all is the same that a law depends on, whatever its operands are."""
    own = _matters(law, setting)
    return next((one for one in SETTINGS.values() if _matters(law, one) == own), setting)


@cache
def _matters(law: EquationClaim, setting: Setting) -> tuple[object, ...]:
    """What a law depends on of a setting: the operators that it has, and spans where one is native."""
    inside = [*bottom_up(law.equation.left), *bottom_up(law.equation.right)]
    operations = [part for part in inside if isinstance(part, Operation)]
    used = {part.operator for part in operations}
    bounded = {part.operands[0] for part in operations if part.operator == "tim"}
    native = any(part.operator in ("seq", "con") for part in operations if part in bounded)
    pairing = setting.pairing  # a sequence selects by position, which is by operand
    pairing = replace(pairing, by_operand=False) if isinstance(pairing, Listed) else pairing
    sequence = (setting.clock, pairing) if "seq" in used else ()
    return sequence, setting.conjoined if "con" in used else None, native and setting.spans, setting.restricted


def decision(law: EquationClaim, setting: Setting, level: Level) -> Decision | None:
    """A law in a setting for event types as operands, on all traces; None where automata do not reach so far."""
    why, found = "no bounds", list[OperandsOnTrace]()
    for operands in assignments(law, level):
        left, right = (of_types(side, operands) for side in (law.equation.left, law.equation.right))
        if left == right:
            continue
        try:
            known = languages(setting.core, len(set(operands.values())))
            traces = known.differences(language(known, left), language(known, right), law.equation.relation)
            why = "automata"
        except (Bounded, CountingPairs):
            return None
        found += (OperandsOnTrace(trace, operands, {}) for trace in traces)
    return why, tuple(found)


def nearby_cases(law: EquationClaim, setting: Setting, level: Level) -> Iterator[OperandsOnTrace]:
    """Trace that tells the sides apart where the same is selected, and nothing is used up event by event."""
    if isinstance(setting.pairing, Listed):
        consumptions: tuple[Consumption, ...] = ("keep", "lists")
        for consumption in consumptions:
            pairing = replace(setting.pairing, consumption=consumption, in_step=False)
            decided = decision(law, replace(setting, pairing=pairing), level)
            yield from decided[1] if decided is not None else ()


class Bounded(ValueError):
    """An expression with a bound, which automata over the order of instants do not know."""


@cache
def language(known: Languages, expression: Expression) -> Relation:
    """The instances `x` of an expression; the identifier `a` is the first event type, `b` the second one."""
    if isinstance(expression, Identifier):
        return known.of_type(atlas.TYPES.index(expression.name) + 1)
    assert isinstance(expression, Operation)
    if expression.operator == "tim":
        raise Bounded("a bound compares distances")
    left, right = (language(known, operand) for operand in expression.operands)
    operators: Mapping[str, Callable[[Relation, Relation], Relation]] = {
        "dis": known.relations.any_of,
        "neg": known.negation,
        "seq": known.sequence,
        "con": known.conjunction,
    }
    return known.whole_or_rem(operators[expression.operator](left, right))


languages = cache(Languages)  # The languages of a setting over so many event types, which are built once


def of_types(expression: Expression, operands: Mapping[str, str]) -> Expression:
    """An expression over event types; a bound on an event type, which lasts no time, is left out."""

    def operation(node: Operation, parts: tuple[Expression, ...]) -> Expression:
        instant = node.operator == "tim" and isinstance(parts[0], Identifier)
        return parts[0] if instant else Operation(node.operator, parts, node.bound)

    return rebuilt(expression, operation, lambda node: Identifier(operands[node.name]))


Cells = Mapping[tuple[str, str], Cell]


def implications(cells: Cells) -> list[tuple[str, str]]:
    """Laws of which others follow, by numbers (`26, 35`): where nothing refutes the first, nothing refutes the second.

    Laws that stand in the same systems are together; left out are those that stand everywhere, and what follows.
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
    names = [law.id.removeprefix("law:") for law in LAWS]
    said = [[", ".join(names[place] for place in places) for places in both] for both in direct]
    return [(one, other) for one, other in said]


def classes(cells: Cells) -> list[list[str]]:
    """The systems in which the same laws are refuted; the greatest classes first."""
    found: dict[tuple[bool, ...], list[str]] = {}
    for name in SETTINGS:
        key = tuple(cells[law.id, name].standing == "refuted" for law in LAWS)
        found.setdefault(key, []).append(name)
    return sorted(found.values(), key=lambda names: (-len(names), names))


class Likeness(NamedTuple):
    """A shortest trace on which an operator differs from that of a context, or withdraws; None where there is none.

    It is decided for all traces, by automata, `_in_turn` or `_only_adds`, or for those that were tried.
    """

    trace: Trace | None
    decided: bool


OF_LISTS = [
    setting
    for setting in SETTINGS.values()
    if setting.name.startswith("hv-") and setting.name.endswith("-points-filter")
]
"""Settings of duplicate lists over points: for event types, a clock and the reading of spans make no difference."""


def likeness(operator: str, setting: Setting, context: str) -> Likeness:
    """A setting of duplicate lists beside a context on event types, with a trace that tells them apart if any does."""
    other = SETTINGS[f"snoop-{context}-points"]
    try:
        one, two = (_language(operator, each) for each in (setting, other))
        found = languages(setting.core, 2).differences(one, two)
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
        known = languages(setting.core, 2)
        return Likeness(known.withdrawn(_language(operator, setting)), True)
    except CountingPairs:
        decided = _only_adds(operator, setting.pairing)

    def withdraws(trace: Trace) -> bool:
        before = tuple(event for event in trace if event[1] < trace[-1][1])
        return not _meant(operator, setting, before) <= _meant(operator, setting, trace)

    return Likeness(None if decided else _first(withdraws), decided)


def _first(told: Callable[[Trace], bool]) -> Trace | None:
    """The first trace of two event types of which something is told, within the bound or with an event an instant."""
    return next(filter(told, chain(atlas.traces(2), atlas.one_by_one(2))), None)


def _in_turn(pairing: object) -> bool:
    """Whether each event takes the oldest that is left of the other type, as in the chronicle context.

    Where all are selected, pairs are taken by the later event and then by the earlier one: first in, first out. Nothing
    that is left matches, so that a further round finds nothing.
    """
    return pairing in (Listed("all", "all", "events"), Listed("all", "all", "reapply"))


def _only_adds(operator: str, listed: Listed) -> bool:
    """Whether a later event takes no pair away.

    A round takes pairs as they are complete: it only adds, where the last one of a list that grows is not selected. So
    do further rounds, if nothing is left that matches (`_in_turn`), or if no event that closes lies between the two of
    a pair, as in a sequence where lists pair in turn (`Listed.in_turn`): then what a later event takes from what was
    left is an event with nothing after it that closes, and of such no further round made anything. By induction on the
    rounds what is left is otherwise the same.
    """
    if listed.posterior == "last":
        return False
    return listed.consumption != "reapply" or _in_turn(listed) or (operator == "seq" and listed.in_turn)


def _language(operator: str, setting: Setting) -> Relation:
    known = languages(setting.core, 2)
    return language(known, Operation(operator, (Identifier("a"), Identifier("b"))))


def _meant(operator: str, setting: Setting, trace: Trace) -> Instances:
    types = instances(trace)
    apply = setting.sequence if operator == "seq" else setting.conjunction
    return apply(types["a"], types["b"])


def shown_trace(trace: Sequence[tuple[str, int]]) -> str:
    """A trace in one line: `a@0 b@1`."""
    return " ".join(f"{name}@{time}" for name, time in trace)
