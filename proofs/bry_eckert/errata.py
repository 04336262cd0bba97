"""The evidence for the errata of both papers, carried out: what is printed fails as said, and the reading holds."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MethodType
from typing import Any

from detectors.bry_eckert.bodies import Body, body_of
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.node_engine import Nodes
from detectors.bry_eckert.nodes import JoinNode, Step, TimerNode
from laws.claims import find
from laws.errata import Evidence
from proofs.errata import BUDGET, EvidenceResult, follows
from proofs.proving import provable_of
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.distances import Relevance, distances, maximal
from semantics.bry_eckert.algebra.planning import plan_of, planned, pushed, read_choices
from semantics.bry_eckert.algebra.relations import Evaluation, Tuple
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.temporal import ALLEN, Apart, Related, Stamp, TimeStamp, Within, end, is_stamp, start
from semantics.errors import InputError
from semantics.events import Event, Time
from smt.bry_eckert.relevance import decided
from smt.smtlib import SExpression, parse_all
from smt.solvers.portfolio import Solver

Details = Mapping[str, Any]


def examined(evidence: Evidence, solver: Solver) -> EvidenceResult:
    """Carry out evidence (`proofs.errata.ErrataOfSystem`)."""
    details = evidence.details
    if evidence.check == "follows":
        return follows(details, solver)
    checks: Mapping[str, Callable[[Details], tuple[str, str | list[str]]]] = {
        "engine": _engine,
        "condition": _condition,
        "safe": _safe,
        "claim": partial(_claim, solver=solver),
        "distance": _distance,
        "path": _path,
        "tuples": _tuples,
    }
    if evidence.check not in checks:
        raise InputError(f"there is no check {evidence.check!r}")
    about, found = checks[evidence.check](details)
    expected = details["expect"] if isinstance(found, list) else str(details["expect"])
    wanted, said = ("; ".join(one) or "nothing" if isinstance(one, list) else one for one in (expected, found))
    return EvidenceResult(evidence.check, about, wanted, said, found == expected)


def _suppressed(join: JoinNode, now: Time, new_left: Sequence[Tuple]) -> bool:
    return _SUPPRESSED(join, now, ())


def _joined_or_nothing(join: JoinNode, step: Step) -> Sequence[Tuple]:
    avoided = step.counts.avoided
    found = _EVALUATE(join, step)
    return found if step.counts.avoided == avoided else ()


_SUPPRESSED, _EVALUATE = JoinNode._suppressed, JoinNode.evaluate

ALTERED: Mapping[str, tuple[type, str, Callable[..., Any]]] = {
    "bounds of timers": (TimerNode, "bound", TimerNode._coming),
    "bounds without what has just come": (JoinNode, "_suppressed", _suppressed),
    "nothing where the right is not evaluated": (JoinNode, "evaluate", _joined_or_nothing),
}
"""Methods of nodes as the pseudo-code of 2007 prints them."""


def _engine(details: Details) -> tuple[str, list[str]]:
    """The answers of an engine with their times, with methods `altered`, timers `untimed`, events `singly` or again."""
    program = parse(details["program"])
    log = [_event(text, program) for text in details["log"]]
    again, delay, altered = details.get("buffered", ()), details.get("delay", 0), details.get("altered", ())
    found: list[str] = []
    times = sorted({event.time for event in log})
    engine = ENGINES[details["engine"]](program, pushed(plan_of(program)), frozenset())
    for kind, method, printed in map(ALTERED.__getitem__, altered):
        assert isinstance(engine, Nodes)
        for node in engine.nodes:
            if isinstance(node, kind):
                setattr(node, method, MethodType(printed, node))
    while times or (engine.due() is not None and "untimed" not in details):
        due = None if "untimed" in details else engine.due()
        now = times[0] if due is None or (times and times[0] <= due) else due
        times = times[1:] if times and times[0] == now else times
        given = [
            event for event in log if event.time == now or (event.type in again and now - delay <= event.time < now)
        ]
        steps = [[event] for event in given] if "singly" in details else [given]
        for one in (one for together in steps for one in engine.step(now, together)):
            counts = (f" {name}={value}" for name, value in one.attributes.items() if name.startswith("count"))
            found.append(f"at {now}: {one.type} [{one.start}, {one.time}]{''.join(counts)}")
    if isinstance(engine, Nodes):
        found += [f"{name} {vars(engine.counts)[name]}" for name in details.get("counts", ())]
    how = "".join(f", {one} as printed" for one in altered)
    return f"{details['engine']}{how} on {', '.join(details['log'])}: {_last_line(details)}", found


def _last_line(details: Details) -> str:
    return str(details["program"].splitlines()[-1] if "program" in details else details["algebra"][-1])


def _event(text: str, program: Program | None = None) -> Event:
    """`order 7 id=2`, or `order 5-7 id=2` for one that takes time."""
    type, interval, *values = text.split()
    begin, _, finish = interval.partition("-")
    types = {} if program is None else program.declared[type].types
    pairs = (value.split("=") for value in values)
    data = {name: int(value) if types[name] == "int" else value for name, value in pairs}
    return Event(type, int(begin), int(finish or begin), data)


def _claim(details: Details, solver: Solver) -> tuple[str, str]:
    (claim,) = find([details["claim"]])
    (obligation,) = provable_of(claim).obligations("int")
    status = solver.check(obligation.text, rlimit=BUDGET).status
    return f"{claim.id}: {claim.statement}", {"unsat": "proved", "sat": "refuted"}.get(status, "not decided")


def _point(details: Details) -> tuple[plans.Expression, plans.Plan]:
    if "algebra" in details:
        plan = plan_of_texts(details["algebra"])
    else:
        program = parse(details["program"])
        plan = planned(program, read_choices(details["plan"], program) if "plan" in details else {})
    (expression,) = (part.expression for part in plan.definitions if plans.named(part.name) == details["point"])
    assert not isinstance(expression, plans.Union)
    return expression, plan


def _input(details: Details) -> tuple[plans.Plan, Body, int]:
    expression, plan = _point(details)
    body, names = body_of(expression, plan), tuple(details["relation"].split())
    (number,) = (n for n, one in enumerate(body.inputs) if plans.identifiers_of(one.schema) == names)
    return plan, body, number


def _condition(details: Details) -> tuple[str, str]:
    plan, body, number = _input(details)
    found = body.relevance(number, plan)[1]
    if details.get("stamps") == "all":
        given = body.inputs[number]
        stamps = [stamp for one in body.inputs for stamp in one.schema if is_stamp(stamp)]
        found = maximal(body.distances, given.schema, stamps).minimal(distances(given, plan))
    return f"{details['relation']} in {_last_line(details)}", str(found)


def _safe(details: Details) -> tuple[str, str]:
    """Whether a relevance condition of an input, written as `a.s >= now - 2 and a.e > now` or `true`, is safe."""
    plan, body, number = _input(details)
    parts = re.findall(r"(\S+) (>=?) now(?: ([-+] \d+))?", details["condition"])
    condition = Relevance({_stamp(s): -int((t or "0").replace(" ", "")) - (sign == ">") for s, sign, t in parts})
    found = decided(parse(details["program"]), plan, body, number, condition, tightness=False)
    return f"{condition} for {details['relation']} in {_last_line(details)}", str(found)


def _distance(details: Details) -> tuple[str, str]:
    expression, plan = _point(details)
    one, other = _stamp(details["from"]), _stamp(details["to"])
    distance = distances(expression, plan)[one, other]
    return f"from {one} to {other} in {_last_line(details)}", "none" if distance is None else str(distance)


def _path(details: Details) -> tuple[str, str]:
    """The least weight of a path of edges such as `c.s ! 4 d.s`, by the addition and the order of Figure 6 of 2008."""
    found = {details["from"]: (0, "!")}  # as text, ! is less than ?
    for one, mark, length, other in [edge.split() for edge in details["edges"]] * len(details["edges"]):
        if one in found:
            there = (found[one][0] + int(length), max(found[one][1], mark))
            found[other] = min(found.get(other, there), there)
    said = "{1} {0}".format(*found[details["to"]]) if details["to"] in found else "none"
    return f"from {details['from']} to {details['to']} by {', '.join(details['edges'])}", said


def _stamp(text: str) -> Stamp:
    """`a.s`, the start of an event, or `a.e`; or the name of data that is a time."""
    identifier, point, side = text.partition(".")
    return TimeStamp(identifier, "start" if side == "s" else "end") if point else text


def _tuples(details: Details) -> tuple[str, list[str]]:
    """The tuples of an expression of the algebra over a log, each by its intervals: `a [0, 1] b [1, 1]`."""
    expression, plan = _point(details)
    found_rows = Evaluation(plan, map(_event, details["log"])).relation(expression)
    rows = (dict(zip(expression.schema, row, strict=True)) for row in found_rows)
    names = plans.identifiers_of(expression.schema)
    found = (" ".join(f"{name} [{row[start(name)]}, {row[end(name)]}]" for name in names) for row in rows)
    return f"{_last_line(details)} over {', '.join(details['log'])}", sorted(found)


def plan_of_texts(definitions: Iterable[str]) -> plans.Plan:
    """The plan of some definitions, each after those that it reads; raises `InputError` where there is no operator."""
    plan = plans.Plan(())
    for text in definitions:
        name, _, expression = text.partition(" = ")
        (parsed,) = parse_all(expression)
        plan = plans.Plan((*plan.definitions, plans.Definition(name, _expression(parsed, plan))))
    return plan


def _expression(given: SExpression, plan: plans.Plan) -> plans.Expression:
    match given:
        case str():
            relation, _, identifier = given.partition(":")
            return plans.Base(identifier, relation, ()) if identifier else plans.Point(given, plan.schema_of(given))
        case ("join", left, right):
            return plans.Join(_expression(left, plan), _expression(right, plan))
        case ("select", ("within", duration, *names), operand):
            return plans.Select(Within(tuple(map(str, names)), int(str(duration))), _expression(operand, plan))
        case ("select", ("apart", duration, *names), operand):
            return plans.Select(Apart(tuple(map(str, names)), int(str(duration))), _expression(operand, plan))
        case ("select", (str(relation), str(left), str(right)), operand) if relation in ALLEN:
            return plans.Select(Related(left, relation, right), _expression(operand, plan))
        case ("merge", str(into), merged, operand):
            return plans.Merge(into, tuple(map(str, merged)), _expression(operand, plan))
    raise InputError(f"{given!r} is no expression")
