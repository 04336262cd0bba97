"""Explanations of rules, in words and in the algebra with an example in time, and of what each step of a plan stores.

The example has the earliest time stamps that all temporal conditions of a rule allow; a rule whose conditions
contradict each other never derives anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from detectors.bry_eckert.bodies import Body, Input, body_of
from detectors.bry_eckert.joins import Joins
from detectors.bry_eckert.nodes.engine import Nodes
from detectors.bry_eckert.nodes.joins import AbsenceNode
from detectors.bry_eckert.watch import Way, ways
from laws.standings import Standing
from remora.systems.bry_eckert.detection import LogWatch, event_data
from remora.systems.bry_eckert.programs import (
    Measured,
    compared,
    least_cost,
    measured_data,
    plan_for,
    read_choices_in,
    read_program,
)
from remora.terminal.console import emit, print_note, print_table, print_warning
from remora.terminal.drawing import print_timeline, write_picture
from remora.terminal.ending import Result
from remora.terminal.rows import noting
from remora.terminal.texts import shown as printable
from reports.bry_eckert import distance_graphs
from reports.drawing.layout import Bar, Timeline
from semantics.bry_eckert.algebra.distances import Distance, Distances, Relevance, distances
from semantics.bry_eckert.algebra.planning import Choice
from semantics.bry_eckert.algebra.plans import (
    Base,
    Definition,
    Expression,
    Join,
    Plan,
    Timer,
    Union,
    identifiers_of,
    operands,
    stamps,
)
from semantics.bry_eckert.algebra.printed_relevance import NOTHING, Edges, Weight, graph, printed_conditions
from semantics.bry_eckert.algebra.translation import RESULT, expression_of
from semantics.bry_eckert.axioms import shown
from semantics.bry_eckert.notation import definition, in_words, result_of, symbol
from semantics.bry_eckert.programs import Atom, Axiom, Program, Rule
from semantics.bry_eckert.temporal import Moment, Stamp, end, is_stamp, start
from semantics.bry_eckert.traces import events_of, read_log
from semantics.events import Event, Time, quoted
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from smt.bry_eckert.relevance import Decided, Witness, decided, is_lost, is_needed

BELIEVED_COUNTS = "engines drop what is stored as the axioms allow: their counts are of a log that breaks them"

_NUMBERS = ("stored, mean", "peak", "candidates", "evaluated", "avoided")


def explain(
    path: str,
    *,
    plan_path: Path | None,
    log: str | None,
    detector: str | None,
    reading: Reading,
    sample: int,
    as_printed: bool,
    svg: Path | None,
) -> Result:
    """Explain rules: each in words, its algebra, an example in time; the plan, and what each step stores."""
    program = read_program(path, reading.tick)
    plan, watch = plan_for(program, plan_path), LogWatch(program)
    events = [] if log is None else _read(program, log, reading, watch)
    engines = ("differencing", "nodes") if detector is None else (detector,)
    rows = _measured(program, plan_path, events, sample, engines) if events else []
    rules = [explained(rule, program, plan) for rule in program.rules]
    if svg is not None:
        _draw(svg, plan, as_printed=as_printed)
    document = {"schema": "remora/rules/1", **_explanation(program, plan, rules, rows, as_printed)}

    def show() -> None:
        if program.axioms:
            emit("Believed of the log:\n" + "".join(f"  {axiom}\n" for axiom in program.axioms) + "\n")
        for one in rules:
            _show_rule(one)
        joins = joins_of(program, plan)
        unbounded = sum(_show_step(part, program, plan, joins, as_printed) for part in plan.definitions)
        watched = list(remembered(program))
        if watched:
            emit("The watch over the axioms remembers\n" + "".join(f"  {one}\n" for one in watched) + "\n")
        emit(f"{_bounds(unbounded + sum(not one.bounded for one in watched))}\n")
        if rows:
            emit("\n")
            print_table(("engine", *_NUMBERS, "plan"), map(_cells, rows), right=_NUMBERS)

    for said in watch.breaches.summary():
        print_warning(said)
    if watch.breaches:
        print_note(BELIEVED_COUNTS)
    return Result(Standing.REFUTED if watch.breaches else None, document, show)


def _show_rule(one: RuleExplained) -> None:
    emit(f"{one.rule}\n\n  {one.words}\n  {one.algebra}\n")
    if one.example is None:
        print_warning(f"line {one.rule.line}: the temporal conditions contradict each other: nothing is ever derived")
    else:
        emit("\n")
        print_timeline(one.timeline())
    emit("\n")


def _show_step(
    part: Definition, program: Program, plan: Plan, joins: Mapping[str, Sequence[str]], as_printed: bool
) -> int:
    """Print what a materialization point stores; how many of its stores have no bound."""
    if isinstance(part.expression, Union):
        emit(f"{definition(part)}\n\n")
        return 0
    unbounded = 0
    emit(f"{printable(part.name)}\n" + "".join(f"  {line}\n" for line in tree(part)))
    for given in stored(part, program, plan, as_printed=as_printed):
        by = " and ".join(f"({', '.join(key)})" for key in given.keys)
        name = f"{given.relation} {given.identifier}".strip()
        emit(f"  {name}: {f'stored by {by}: ' if given.kept else ''}{given.why}\n")
        if given.kept:
            emit("".join(f"    {line.replace('#', '′')}\n" for line in given.lines()))
            unbounded += bool(given.advice)
    if part.name in joins:
        emit("  joins of the engine nodes:\n" + "".join(f"    {join}\n" for join in joins[part.name]))
    _show_distances("", distance_rows(part, plan))
    if as_printed:
        _show_distances("as printed, ", printed_rows(part, plan))
    emit("\n")
    return unbounded


def _show_distances(which: str, matrix: Sequence[tuple[str, ...]]) -> None:
    """A matrix of temporal distances, where it says more than how long a single event may take."""
    if len(matrix) > 3:
        heading, *rows = matrix
        emit(f"  {which}temporal distances, from the time stamp of a row to that of a column, in ticks:\n")
        print_table(heading, rows, right=heading[1:])


def _draw(path: Path, plan: Plan, *, as_printed: bool) -> None:
    matrices = {part.name: distance_rows(part, plan) for part in plan.definitions}
    if as_printed:
        matrices |= {f"{part.name}, as printed": printed_rows(part, plan) for part in plan.definitions}
    write_picture(path, distance_graphs({name: rows for name, rows in matrices.items() if rows}))


def _bounds(unbounded: int) -> str:
    if not unbounded:
        return "Every store has a bound: the program runs for ever in the memory that its conditions allow."
    stores = "1 store has" if unbounded == 1 else f"{unbounded} stores have"
    return f"{stores} no bound: what is stored there is never forgotten."


def _cells(row: Measured) -> tuple[str, ...]:
    counts = row.counts
    joins = (f"{counts.evaluated:,}", f"{counts.avoided:,}") if "nodes" in row.engine else ("", "")
    return (row.engine, f"{counts.mean:,.1f}", f"{counts.peak:,}", f"{counts.candidates:,}", *joins, row.plan)


def _read(program: Program, log: str, reading: Reading, watch: LogWatch) -> list[Event]:
    report, events = ReadReport(), list[Event]()
    with noting(report, program.read):
        for instant in read_log(log, program, reading, report=report):
            for breach in watch.see(instant):
                print_warning(breach)
            events += events_of(instant.rows, program)
    return events


def _measured(
    program: Program, plan_path: Path | None, events: list[Event], sample: int, engines: Sequence[str]
) -> list[Measured]:
    """The counts of the plan as the rules are written, of the one in a file, and of those that cost least."""
    choices = {"as written": dict[str, Choice]()}
    if plan_path is not None:
        choices[str(plan_path)] = read_choices_in(plan_path, program)
    for engine in engines:
        least = least_cost(program, [events[:sample]], engine)
        if least and least not in choices.values():
            said = "; ".join(f"{name}: {choice}" for name, choice in least.items())
            choices[f"least cost for {engine}: {said}"] = least
    return compared(program, choices, events, engines)


def _explanation(
    program: Program, plan: Plan, rules: Sequence[RuleExplained], rows: Sequence[Measured], as_printed: bool
) -> dict[str, Any]:
    return {
        "measured": list(map(measured_data, rows)),
        "program": str(program),
        "rules": [one.to_data() for one in rules],
        "plan": plan_data(program, plan, as_printed=as_printed),
        "watch": [asdict(one) for one in remembered(program)],
    }


@dataclass(frozen=True)
class RuleExplained:
    """A rule, in words and in the algebra, with an example in time.

    Attributes:
        example: by identifier an interval, so that all temporal conditions hold; None where they contradict each other.
    """

    rule: Rule
    words: str
    algebra: str
    example: dict[str, tuple[int, int]] | None

    def to_data(self) -> dict[str, Any]:
        """The same for JSON."""
        example = None if self.example is None else {name: list(at) for name, at in self.example.items()}
        texts = {"rule": str(self.rule), "line": self.rule.line, "words": self.words, "algebra": self.algebra}
        return {**texts, "example": example}

    def timeline(self) -> Timeline:
        """The example as a drawing."""
        bars = (Bar(*interval, "both", False, name=name) for name, interval in (self.example or {}).items())
        return Timeline("", (), ("", ""), (), tuple(bars), compares=False)


def explained(rule: Rule, program: Program, plan: Plan) -> RuleExplained:
    """The explanation of a rule."""
    expression = expression_of(rule, program)
    algebra = definition(Definition(quoted(rule.head.type), expression, rule.head.type))
    names = [*rule.identifiers, *(window.atom.identifier for window in rule.collections)]
    moments = (name for part in rule.temporal for name in part.identifiers if isinstance(name, Moment))
    names += dict.fromkeys(moments)
    return RuleExplained(rule, in_words(rule), algebra, example(distances(expression, plan), names))


def example(known: Distances, names: list[str]) -> dict[str, tuple[int, int]] | None:
    """The earliest time stamps from 0 on that obey some distances; None where they contradict each other."""
    columns = [stamp for name in names for stamp in (start(name), end(name))]
    if any(contradicts(known, i, j) for i in columns for j in columns):
        return None
    at: dict[Stamp, int] = {}
    for stamp in columns:
        least = [time - bound.ticks for other, time in at.items() if (bound := known[stamp, other]) is not None]
        at[stamp] = max(least, default=0)
    first = min(at.values(), default=0)
    return {name: (at[start(name)] - first, at[end(name)] - first) for name in names}


def contradicts(known: Distances, one: Stamp, other: Stamp) -> bool:
    """Whether no two time stamps can be as far apart as is known."""
    there, back = known[one, other], known[other, one]
    return there is not None and back is not None and there + back < Distance(0)


@dataclass(frozen=True)
class Remembered:
    """What the watch over the axioms remembers of the events that an atom of an axiom matches.

    Attributes:
        keys: the variables for each of whose values it remembers some.
        relevant: how long, `true` for ever.
    """

    axiom: str
    events: str
    keys: tuple[str, ...]
    relevant: str
    bounded: bool

    def __str__(self) -> str:
        by = f" for each ({', '.join(self.keys)})" if self.keys else ""
        kept = f"while {self.relevant}" if self.relevant != "true" else "for ever"
        return f"{self.events}{by}, {kept}{'' if self.bounded else ': a store without bound'}"


def remembered(program: Program) -> Iterator[Remembered]:
    """What the watch over the axioms remembers."""
    found: dict[tuple[Axiom, Atom], list[Way]] = {}
    for way in ways(program):
        found.setdefault((way.axiom, way.atom), []).append(way)
    for (axiom, atom), ones in found.items():
        ends = all(way.bounded for way in ones)
        relevant = " or ".join(dict.fromkeys(str(way.relevance) for way in ones)) if ends else "true"
        few = not ones[0].shared and all(way.few for way in ones)
        events = str(atom) if atom.identifier else atom.query
        yield Remembered(str(axiom), events, ones[0].shared, relevant, ends or few)


def tree(part: Definition) -> Iterator[str]:
    """The lines of a materialization point's expression as a tree, from the top down."""
    if not isinstance(part.expression, Union):
        yield from _tree(part.expression, result_of(part))


def _tree(expression: Expression, result: str, first: str = "", rest: str = "") -> Iterator[str]:
    yield first + symbol(expression, result)
    parts = operands(expression)
    for number, part in enumerate(parts, 1):
        last = number == len(parts)
        yield from _tree(part, result, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))


# --------------------------------------------------------------------------------------------------- stores


TIGHT, MINIMAL, UNSAFE = "tight", "minimal", "unsafe"


@dataclass(frozen=True)
class Example:
    """A history that shows something of a condition.

    Attributes:
        shows: `tight`: it needs a tuple at the boundary of a comparison; `minimal`: it has a tuple that a comparison
            gives up and no other one; `unsafe`: it needs a tuple that the condition gives up.
        stamp: the time stamp of the comparison; "" for the whole condition.
        now: the time at which the tuple is needed, or given up.
        history: the events.
        replayed: whether an engine loses by it what it should lose, and nothing else; None where nothing is lost.
    """

    shows: str
    stamp: str
    now: Time
    history: tuple[Event, ...]
    replayed: bool | None

    def __str__(self) -> str:
        events = ", ".join(map(shown, self.history))
        if self.shows == MINIMAL:
            return f"given up at {self.now} by {self.stamp} alone: {events}"
        how = f"when {self.stamp} is at the boundary" if self.shows == TIGHT else "when it is given up"
        return f"needed at {self.now}, {how}: {events} ({'replayed' if self.replayed else 'not replayed'})"


@dataclass(frozen=True)
class Stored:
    """What an input of a materialization point is kept for.

    Attributes:
        relation: its event type or materialization point.
        identifier: the event identifier; "" where it has several.
        kept: whether its tuples are stored.
        keys: the columns by which they are looked up, for each index.
        why: why it is stored or not, in a few words.
        relevant: the condition under which a tuple is kept, `true` for ever; "" where it is not stored.
        maximal: the condition with the comparisons that others imply.
        decision: whether the condition is safe, tight and minimal, as a solver decides it for this plan.
        examples: the histories that show it.
        advice: a condition that would give a bound, in words; "" where there is one, or nothing is needed.
        printed: the condition as 2008 prints the algorithm, with its decision; "" where it was not asked for.
        printed_example: a history that needs what the printed condition gives up; None where there is none.
    """

    relation: str
    identifier: str
    kept: bool
    keys: tuple[tuple[str, ...], ...]
    why: str
    relevant: str = ""
    maximal: str = ""
    decision: str = ""
    examples: tuple[Example, ...] = ()
    advice: str = ""
    printed: str = ""
    printed_example: Example | None = None

    def lines(self) -> Iterator[str]:
        """For how long its tuples are kept, and the histories that show it, in words."""
        if self.advice and self.relevant != "true":
            yield f"kept {self.relevant.removeprefix('true, ')}: {self.decision}; no bound: {self.advice}"
        elif self.advice:
            yield f"no bound: {self.advice}"
        else:
            yield f"kept while {self.relevant}: {self.decision}"
        yield from map(str, self.examples)
        if self.printed:
            yield f"as printed: kept while {self.printed}"
        if self.printed_example is not None:
            yield f"as printed: {self.printed_example}"


def stored(part: Definition, program: Program, plan: Plan, *, as_printed: bool = False) -> Iterator[Stored]:
    """What the engine of finite differencing stores for a materialization point, and for how long.

    Args:
        as_printed: whether the conditions of the printed algorithm are decided as well.
    """
    if isinstance(part.expression, Union):
        return
    body = body_of(part.expression, plan)
    joins = Joins(body)
    for number, given in enumerate(joins.relations):
        keys = tuple(tuple(map(str, key)) for key in joins.keys.get(number, ()))
        found = Stored(*_named(given), bool(keys), keys, _why(body, number, stored=bool(keys)))
        if keys:
            most, least = body.relevance(number, plan)
            verdict = decided(program, plan, body, number, least)
            bounded = bool(least.bounded or least.until or not verdict.needed)
            found = replace(
                found,
                relevant=str(least),
                maximal=str(most),
                decision=str(verdict) if bounded else "no bound",
                advice="" if least.bounded or not verdict.needed else _advice(body, number, given, plan),
                examples=tuple(_examples(program, plan, part, number, least, verdict)),
            )
            if as_printed:
                condition = printed_conditions(part.expression, given.schema, plan)[1]
                verdict = decided(program, plan, body, number, condition, plan.points)
                said = f"{condition}: {verdict if condition.bounded else 'no bound'}"
                lost = verdict.refutation
                example = None
                if lost is not None:
                    replayed = is_lost(program, plan, part, number, condition, lost)
                    example = Example(UNSAFE, "", lost.now, lost.history, replayed)
                found = replace(found, printed=said, printed_example=example)
        yield found


def _why(body: Body, number: int, *, stored: bool) -> str:
    """Why a relation is stored or not, in a few words."""
    if number >= len(body.inputs):
        if stored:
            return "looked up in the window in which it must be absent"
        return "not stored: nothing can lie in the window in which it must be absent"
    given = body.inputs[number]
    if given in body.late and stored:
        why = "looked up when the timer is due: it always ends before"
    elif not body.triggers:
        why = "not stored: the temporal conditions contradict each other"
    elif not stored:
        why = "not stored: it is always the last to end" if len(body.inputs) > 1 else "not stored: nothing joins it"
    elif given in body.triggers:
        why = "joined when it arrives, and looked up by what arrives later"
    else:
        why = "looked up by what arrives later: it is never the last to end"
    return f"{why}; its joined tuples wait for the timer" if body.timers and given in body.core else why


def _examples(
    program: Program, plan: Plan, part: Definition, number: int, kept: Relevance, verdict: Decided
) -> Iterator[Example]:
    def example(shows: str, stamp: Stamp, witness: Witness, replayed: bool | None) -> Example:
        return Example(shows, str(stamp), witness.now, witness.history, replayed)

    for stamp, witness in (verdict.tight or {}).items():
        if witness is not None:
            replayed = is_needed(program, plan, part, number, kept, stamp, witness)
            yield example(TIGHT, stamp, witness, replayed)
    for stamp, witness in verdict.alone.items():
        if witness is not None and len(verdict.alone) > 1:  # a single comparison is the whole condition
            yield example(MINIMAL, stamp, witness, None)


def _advice(body: Body, number: int, given: Input, plan: Plan) -> str:
    """A condition that would bound how long a relation is stored: how far apart two events may be."""
    known = body.distances if number < len(body.inputs) else body.absences[number - len(body.inputs)].distances
    own = identifiers_of(given.schema)
    far = [
        stamp.identifier
        for stamp in body.lookups(number)
        if is_stamp(stamp) and all(known[end(name), stamp] is None for name in own)
    ]
    names = [name for name in (*own[:1], *far[:1]) if "#" not in name]
    if len(names) == 2:
        return f"{{{', '.join(names)}}} within a duration would give one"
    unknown = [
        one.relation
        for one in body.inputs
        if isinstance(one, Base) and one.relation not in plan.by_name and one.relation not in plan.longest
    ]
    if unknown:
        return f"that {' and '.join(dict.fromkeys(unknown))} take at most a duration, if declared, would give one"
    return "a condition on how long the window may last would give one"


def _named(given: Input) -> tuple[str, str]:
    if isinstance(given, Base):
        return given.relation, given.identifier.partition("#")[0]
    return given.name, ""


# ------------------------------------------------------------------------------------------ temporal distances


def distance_rows(part: Definition, plan: Plan) -> list[tuple[str, ...]]:
    """The temporal distances of a rule as a matrix (2008, Figure 4): a heading, then a row for each time stamp.

    The cell of i and j bounds `j - i` for all joined tuples, in whole ticks, with the marks of Section 4.4: `! 5` where
    all tuples of the inputs obey it, `? 5` where a condition selects those that do; it is empty without a bound.
    """
    if isinstance(part.expression, Union):
        return []
    body = body_of(part.expression, plan)
    unselected: Expression = body.inputs[0]
    for given in body.inputs[1:]:
        unselected = Join(unselected, given)
    for timing in body.timers:
        unselected = Timer(timing, unselected)
    guaranteed = distances(unselected, plan)

    def weight(i: Stamp, j: Stamp) -> Weight | None:
        found, before = body.distances[i, j], guaranteed[i, j]
        return None if found is None else Weight(found.ticks, tested=before is None or found < before)

    names = [name for given in body.inputs for name in identifiers_of(given.schema)]
    columns = stamps([*names, *(timing.into for timing in body.timers)])
    columns += tuple(node for node in body.distances.nodes if not is_stamp(node))
    return _matrix(columns, {(i, j): w for i in columns for j in columns if (w := weight(i, j)) is not None})


def printed_rows(part: Definition, plan: Plan) -> list[tuple[str, ...]]:
    """The same matrix as 2008 prints the algorithm (Section 5.1), with all marks: `? < 5` for one that is strict."""
    if isinstance(part.expression, Union):
        return []
    paths = graph(part.expression, plan).shortest_paths()
    columns = stamps(dict.fromkeys(stamp.identifier for pair in paths for stamp in pair if is_stamp(stamp)))
    merged = {stamp: str(stamp).replace(RESULT, part.name) for stamp in stamps([RESULT])}
    return _matrix(columns, {**paths, **{(i, i): NOTHING for i in columns}}, merged)


def _matrix(
    columns: Sequence[Stamp], known: Edges, names: Mapping[Stamp, str] = MappingProxyType({})
) -> list[tuple[str, ...]]:
    shown = [names.get(column, str(column)).replace("#", "′") for column in columns]
    cells = [[str(known[i, j]) if (i, j) in known else "" for j in columns] for i in columns]
    return [("", *shown), *((name, *row) for name, row in zip(shown, cells, strict=True))]


def plan_data(program: Program, plan: Plan, *, as_printed: bool = False) -> list[dict[str, Any]]:
    """The materialization points of a plan with their stores and temporal distances, as plain data."""
    joins = joins_of(program, plan)
    return [
        {
            "name": part.name,
            "algebra": definition(part),
            "tree": list(tree(part)),
            "stores": [_store_data(given) for given in stored(part, program, plan, as_printed=as_printed)],
            "joins": list(joins.get(part.name, ())),
            "distances": [list(row) for row in distance_rows(part, plan)],
            "printed_distances": [list(row) for row in printed_rows(part, plan)] if as_printed else [],
        }
        for part in plan.definitions
    ]


def _store_data(given: Stored) -> dict[str, Any]:
    return {
        **asdict(given),
        "keys": [list(key) for key in given.keys],
        "examples": [_example_data(one) for one in given.examples],
        "printed_example": None if given.printed_example is None else _example_data(given.printed_example),
    }


def _example_data(example: Example) -> dict[str, Any]:
    return {**asdict(example), "history": list(map(event_data, example.history)), "text": str(example)}


# -------------------------------------------------------------------------------------- joins of node objects


def joins_of(program: Program, plan: Plan) -> Mapping[str, Sequence[str]]:
    """By materialization point, what the joins of the engine `nodes` leave out (2007, Section 5), the innermost first.

    A side that streams is not stored. `lb` is a lower bound of the time stamps of the left that are stored or to come:
    while such a condition holds, the right is not evaluated.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for name, join in Nodes(program, plan).joins():
        operator = " ▷ " if isinstance(join, AbsenceNode) else " ⋈ "
        sides = operator.join(", ".join(identifiers_of(child.schema)) for child in join.children)
        kept = ", ".join(
            f"{side} {'stored' if number in join.storing else 'streaming'}"
            for number, side in enumerate(("left", "right"))
        )
        suppressing = " or ".join(
            f"lb({stamp}) {_late(ticks)}"
            for stamp, ticks in join.kind.suppressing
            if join.children[0].bound(stamp) is not None
        )
        evaluated = f"suppressed while {suppressing}" if suppressing else "always evaluated"
        found[name].append(f"{sides}: {kept}; right {evaluated}".replace("#", "′"))
    return found


def _late(ticks: int) -> str:
    """That a lower bound and so many ticks are after now."""
    if ticks == 1:
        return ">= now"
    return f"> now {'-' if ticks > 0 else '+'} {abs(ticks)}" if ticks else "> now"
