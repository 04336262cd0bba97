"""Explanations of rules in words and in the algebra, with an example in time, and what each step of a plan stores."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import reduce
from itertools import islice, product
from operator import attrgetter
from pathlib import Path
from typing import Any

from detectors.bry_eckert.bodies import Body, Joins, body_of
from detectors.bry_eckert.node_engine import Nodes
from detectors.bry_eckert.nodes import AbsenceNode
from detectors.bry_eckert.protocol import answers
from detectors.bry_eckert.watch import Way, ways
from laws.standings import Standing
from remora.systems.bry_eckert import detection
from remora.terminal import console
from remora.terminal.console import counted, emit, noting, print_note, print_table, print_timeline, print_warning
from remora.terminal.options import Asked, Result
from reports.bry_eckert import distance_graphs
from reports.drawing.layout import Bar, Timeline
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.distances import distances
from semantics.bry_eckert.algebra.planning import Choice, expression_of, planned, rule_names
from semantics.bry_eckert.algebra.plans import Base, Definition, Name, Plan, identifiers_of, named, stamps
from semantics.bry_eckert.denotation import shown
from semantics.bry_eckert.programs import Atom, Axiom, Program, Rule
from semantics.bry_eckert.temporal import PRIME, Moment, Stamp, Within, end, is_stamp, start
from semantics.bry_eckert.traces import read_log
from semantics.events import Event, quoted
from semantics.traces.rows import Partition, ReadReport
from smt.bry_eckert.relevance import decided, is_needed

NEVER = "not stored: nothing is ever derived"
UNNEEDED = "nothing is ever needed, but no temporal condition says so; leave it out of the rule, or the rule"


def explain(path: str, **given: Any) -> Result:
    """Explain rules: each in words, its algebra, an example in time; the plan, and what each step stores."""
    asked = Asked(**given)
    program = detection.read_program(path, asked.reading.tick)
    plan, report = detection.plan_for(program, asked.plan_path), ReadReport()
    apart, breaches = dict[Partition, list[Event]](), detection.Breaches()
    if asked.log is not None:
        with noting(report, program.read):
            apart, breaches = detection.watched(program, read_log(asked.log, program, asked.reading, report=report))
    events = sorted((event for found in apart.values() for event in found), key=attrgetter("time"))
    engines = (asked.detector,) if asked.detector else ("differencing", "nodes")
    document: dict[str, Any] = {
        "schema": "remora/rules/1",
        "measured": list(_measured(program, asked.plan_path, events, asked.sample, engines)) if events else [],
        "program": str(program),
        "rules": [rule_data(rule, program, plan) for rule in program.rules],
        "plan": plan_data(program, plan),
        "watch": list(remembered(program)),
    }
    if asked.svg is not None:
        graphs = {part["name"]: part["distances"] for part in document["plan"] if part["distances"]}
        console.write_output(asked.svg, distance_graphs(graphs))
    for said in breaches.summary():
        print_warning(said)
    if breaches:
        print_note("engines drop what is stored as the axioms allow: their counts are of a log that breaks them")
    return Result(Standing.REFUTED if breaches else None, document, lambda: _show(program, document))


def _measured(
    program: Program, plan_path: Path | None, events: list[Event], sample: int, engines: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """The counts of engines with the plan as the rules are written, the one in a file, and those that cost least."""
    choices = {"as written": dict[Name, Choice]()}
    if plan_path is not None:
        choices[str(plan_path)] = detection.read_choices_in(plan_path, program)
    for engine in engines:
        least = detection.least_cost(program, [events[:sample]], engine)
        if least not in choices.values():
            said = "; ".join(f"{named(name)}: {choice}" for name, choice in least.items())
            choices[f"least cost for {engine}: {said}"] = least
    points = frozenset(program.declared) if all(event.start == event.time for event in events) else frozenset[str]()
    for name, choice in choices.items():
        for engine, made in detection.MEASURED.items():
            if engine.partition(",")[0] in engines:
                running = made(program, planned(program, choice), points)
                number, counts = sum(1 for _ in answers(running, events)), running.counts
                yield {"plan": name, "engine": engine, "answers": number, **asdict(counts), "mean": counts.mean}


def _show(program: Program, document: Mapping[str, Any]) -> None:
    if program.axioms:
        emit("Believed of the log:\n" + "".join(f"  {axiom}\n" for axiom in program.axioms) + "\n")
    for rule in document["rules"]:
        emit(f"{rule['rule']}\n\n  {rule['words']}\n  {rule['algebra']}\n\n")
        if rule["example"] is None:
            said = "its conditions, or those of what it reads, contradict each other: nothing is ever derived"
            print_warning(f"line {rule['line']}: {said}")
        else:
            bars = (Bar(begin, end, "both", False, name=name) for name, (begin, end) in rule["example"].items())
            print_timeline(Timeline("", (), ("", ""), (), tuple(bars), compares=False))
            emit("\n")
    for part in document["plan"]:
        _show_part(part)
    if document["watch"]:
        emit("The watch over the axioms remembers\n")
        for one in document["watch"]:
            by = f" for each ({', '.join(one['keys'])})" if one["keys"] else ""
            kept = f"while {one['relevant']}" if one["relevant"] != "true" else "for ever"
            emit(f"  {one['events']}{by}, {kept}{'' if one['bounded'] else ': a store without bound'}\n")
        emit("\n")
    unbounded = sum(bool(store["advice"]) for part in document["plan"] for store in part["stores"])
    unbounded += sum(not one["bounded"] for one in document["watch"])
    said = "Every store has a bound: the program runs for ever in the memory that its conditions allow."
    if unbounded:
        said = f"{counted(unbounded, 'store')} without a bound: what is stored there is never forgotten."
    emit(f"{said}\n")
    if document["measured"]:
        names = ("peak", "candidates", "evaluated", "avoided")
        rows = []
        for row in document["measured"]:  # an engine that evaluates no right sides avoids none
            counts = [
                f"{row[name]:,}" if row["evaluated"] + row["avoided"] or name in names[:2] else "" for name in names
            ]
            rows.append((row["engine"], f"{row['mean']:,.1f}", *counts, row["plan"]))
        emit("\n")
        print_table(("engine", "stored, mean", *names, "plan"), rows, right=("stored, mean", *names))


def _show_part(part: Mapping[str, Any]) -> None:
    """Print what a materialization point stores; of a union, its definition."""
    if not part["tree"]:
        emit(f"{part['algebra']}\n\n")
        return
    emit(f"{console.shown(part['name'])}\n" + "".join(f"  {line}\n" for line in part["tree"]))
    for store in part["stores"]:
        by = " and ".join(f"({', '.join(key)})" for key in store["keys"])
        name, advice = f"{store['relation']} {store['identifier']}".strip(), store["advice"]
        emit(f"  {name}: {f'stored by {by}: ' if store['kept'] else ''}{store['why']}\n")
        if store["kept"]:
            kept = f"kept while {store['relevant']}: {store['decision']}".replace("while true, ", "")
            bound = [f"no bound: {advice}"] if advice else []
            told = "; ".join(bound if bound and store["relevant"] == "true" else [kept, *bound])
            said = [told, *(example["text"] for example in store["examples"])]
            emit("".join(f"    {line}\n" for line in said))
    if part["joins"]:
        emit("  joins of the engine nodes:\n" + "".join(f"    {join}\n" for join in part["joins"]))
    if len(part["distances"]) > 3:  # it says more than how long a single event may take
        heading, *rows = part["distances"]
        emit("  temporal distances, from the time stamp of a row to that of a column, in ticks:\n")
        print_table(heading, rows, right=heading[1:])
    emit("\n")


def rule_data(rule: Rule, program: Program, plan: Plan) -> dict[str, Any]:
    """A rule in words and in the algebra, with the earliest intervals by identifier, or null where there are none."""
    expression = expression_of(rule, program)
    names_of = {str(one): name for name, one in rule_names(program).items()}
    moments = (name for part in rule.temporal for name in part.identifiers if isinstance(name, Moment))
    names = [*rule.identifiers, *(window.atom.identifier for window in rule.collections), *dict.fromkeys(moments)]
    known, at = distances(expression, plan), dict[Stamp, int]()
    for stamp in stamps(names):
        least = [time - bound for other, time in at.items() if (bound := known[stamp, other]) is not None]
        at[stamp] = max(least, default=0)
    first = min(at.values(), default=0)
    example = {name: [at[start(name)] - first, at[end(name)] - first] for name in names}
    return {
        "rule": str(rule),
        "line": rule.place[0],
        "words": " ".join([rule.in_words(), *shared_instants(rule, program)]),
        "algebra": plans.definition(Definition(rule.head.type, expression, rule.head.type)),
        "example": None if plan.by_name[names_of[str(rule)]].empty else example,
    }


def shared_instants(rule: Rule, program: Program) -> Iterator[str]:
    """Where an event at an edge of a window is not within it, and a rule has a `within` of that length: as words."""
    types = {atom.identifier: atom.type for atom in rule.atoms}
    for window, timer, other in product(rule.absences, rule.timers, program.rules):
        edges, of = timer.interval(0, 0) or (), {atom.identifier: atom.type for atom in other.atoms}
        for one in other.temporal if timer.into == window.window and edges else ():
            alike = isinstance(one, Within) and one.duration == timer.duration
            if alike and sorted(of.get(n, "") for n in one.identifiers) == sorted((types[timer.of], window.atom.type)):
                events = f"{quoted(types[timer.of])} is at 0, {quoted(window.atom.type)} at {max(edges, key=abs)}"
                said = f"Where {events} is at the edge of {timer.into} and not within it"
                yield f"{said}, but {one} (line {other.place[0]}) includes it: both rules may answer."


def remembered(program: Program) -> Iterator[dict[str, Any]]:
    """Memory of the watch over the axioms for the events that an atom of an axiom matches, and how long."""
    found: dict[tuple[Axiom, Atom], list[Way]] = defaultdict(list)
    for way in ways(program):
        found[way.axiom, way.atom].append(way)
    for (axiom, atom), ones in found.items():
        ends = all(way.relevance.bounded for way in ones)
        yield {
            "axiom": str(axiom),
            "events": str(atom) if atom.identifier else atom.query,
            "keys": ones[0].shared,
            "relevant": " or ".join(dict.fromkeys(str(way.relevance) for way in ones)) if ends else "true",
            "bounded": ends or (not ones[0].shared and all(way.few for way in ones)),
        }


def plan_data(program: Program, plan: Plan) -> list[dict[str, Any]]:
    """The materialization points of a plan with their stores and temporal distances, as plain data."""
    joins = joins_of(program, plan)
    return [
        {
            "name": named(part.name),
            "algebra": plans.definition(part),
            "tree": []
            if isinstance(part.expression, plans.Union)
            else list(_tree(part.expression, plans.result_of(part))),
            "stores": list(_stored(part, program, plan)),
            "joins": [] if part.empty else joins.get(part.name, []),
            "distances": [list(row) for row in distance_rows(part, plan)],
        }
        for part in plan.definitions
    ]


def _tree(expression: plans.Expression, result: str, first: str = "", rest: str = "") -> Iterator[str]:
    yield first + plans.symbol(expression, result)
    parts = plans.operands(expression)
    for number, part in enumerate(parts, 1):
        last = number == len(parts)
        yield from _tree(part, result, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))


def _stored(part: Definition, program: Program, plan: Plan) -> Iterator[dict[str, Any]]:
    """Stores of the engine of finite differencing, and how long it keeps what; the fields are in `docs/formats.md`."""
    if isinstance(part.expression, plans.Union):
        return
    body = body_of(part.expression, plan)
    joins = Joins(body)
    for number, given in enumerate(joins.relations):
        keys = [] if part.empty else [list(map(str, key)) for key in joins.keys.get(number, ())]
        found: dict[str, Any] = {
            "relation": named(given.relation if isinstance(given, Base) else given.name),
            "identifier": given.identifier.partition(PRIME)[0] if isinstance(given, Base) else "",
            "kept": bool(keys),
            "keys": keys,
            "why": NEVER if part.empty else _why(body, number, stored=bool(keys)),
        }
        found |= {"relevant": "", "maximal": "", "decision": "", "advice": "", "examples": []}
        if keys:
            most, least = body.relevance(number, plan)
            verdict = decided(program, plan, body, number, least)
            bounded = least.bounded or least.until or not verdict.needed
            found |= {"relevant": str(least), "maximal": str(most), "decision": str(verdict) if bounded else "no bound"}
            if not least.bounded:
                found["advice"] = _advice(body, number) if verdict.needed else UNNEEDED
            for stamp, witness in (verdict.tight or {}).items():
                if witness is not None:
                    replayed = is_needed(program, plan, part, number, least, stamp, witness)
                    history = ", ".join(map(shown, witness.history))
                    said = f"needed at {witness.now}, when {stamp} is at the boundary: {history}"
                    example = {
                        "shows": "tight",
                        "stamp": str(stamp),
                        "now": witness.now,
                        "history": list(map(detection.event_data, witness.history)),
                        "replayed": replayed,
                        "text": f"{said} ({'' if replayed else 'not '}replayed)",
                    }
                    found["examples"].append(example)
        yield found


def _why(body: Body, number: int, *, stored: bool) -> str:
    """Why a relation is stored or not, in a few words."""
    if number >= len(body.inputs):
        absent = "the window in which it must be absent"
        return f"looked up in {absent}" if stored else f"not stored: nothing can lie in {absent}"
    why = "looked up by what arrives later: it is never the last to end"
    if number in body.late and stored:
        why = "looked up when the timer is due: it always ends before"
    elif not stored:
        why = "not stored: it is always the last to end" if body.triggers else NEVER
    elif number in body.triggers:
        why = "joined when it arrives, and looked up by what arrives later"
    return f"{why}; its joined tuples wait for the timer" if body.timers and number in body.core else why


def _advice(body: Body, number: int) -> str:
    """A condition that would bound how long a relation is stored: how far apart two events may be."""
    absence = None if number < len(body.inputs) else body.absences[number - len(body.inputs)]
    known = body.distances if absence is None else absence.distances
    own = identifiers_of((body.inputs[number] if absence is None else absence.input).schema)
    far = (one for one in body.lookups(number) if is_stamp(one) and all(known[end(name), one] is None for name in own))
    names = [name for name in (*own[:1], *(stamp.identifier for stamp in islice(far, 1))) if PRIME not in name]
    if len(names) == 2:
        return f"{{{', '.join(names)}}} within a duration would give one"
    return "a condition on how long the window may last, or a declaration of how long events take, would give one"


def distance_rows(part: Definition, plan: Plan) -> list[tuple[str, ...]]:
    """The temporal distances of a rule as a matrix (2008, Figure 4): a heading, then a row for each time stamp.

    The cell of i and j bounds `j - i` for all joined tuples, in whole ticks, with the marks of Section 4.4: `! 5` where
    all tuples of the inputs obey it, `? 5` where a condition selects those that do; it is empty without a bound.
    """
    if isinstance(part.expression, plans.Union):
        return []
    body = body_of(part.expression, plan)
    unselected: plans.Expression = body.inputs[0]
    unselected = reduce(plans.Join, body.inputs[1:], unselected)
    for timing in body.timers:
        unselected = plans.Timer(timing, unselected)
    guaranteed = distances(unselected, plan)

    def cell(i: Stamp, j: Stamp) -> str:
        found, before = body.distances[i, j], guaranteed[i, j]
        return "" if found is None else f"{'?' if before is None or found < before else '!'} {found}"

    names = [name for given in body.inputs for name in identifiers_of(given.schema)]
    columns = [*stamps([*names, *(timing.into for timing in body.timers)])]
    columns += [node for node in body.distances.nodes if not is_stamp(node)]
    heading = list(map(str, columns))
    return [("", *heading), *((name, *(cell(i, j) for j in columns)) for name, i in zip(heading, columns, strict=True))]


def joins_of(program: Program, plan: Plan) -> Mapping[Name, list[str]]:
    """By materialization point, what the joins of the engine `nodes` leave out (2007, Section 5), the innermost first.

    A side that streams is not stored. `lb` is a lower bound of the time stamps of the left that are stored or to come:
    while such a condition holds, the right is not evaluated.
    """
    found: dict[Name, list[str]] = defaultdict(list)
    for name, join in Nodes(program, plan).joins():
        operator = " ▷ " if isinstance(join, AbsenceNode) else " ⋈ "
        sides = operator.join(", ".join(identifiers_of(child.schema)) for child in join.children)
        kept = [f"{side} {'stored' if n in join.storing else 'streaming'}" for n, side in enumerate(("left", "right"))]
        late = []
        for stamp, _, ticks in join.suppressing:  # a lower bound and so many ticks are after now
            after = f"> now {'-' if ticks > 0 else '+'} {abs(ticks)}" if ticks else "> now"
            late.append(f"lb({stamp}) {'>= now' if ticks == 1 else after}")
        evaluated = f"suppressed while {' or '.join(late)}" if late else "always evaluated"
        found[name].append(f"{sides}: {', '.join(kept)}; right {evaluated}")
    return found
