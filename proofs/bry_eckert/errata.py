"""The evidence for the errata of both papers, carried out: what is printed fails as said, and the reading holds.

python -m proofs.bry_eckert.errata      carry out all evidence and print what came out
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from detectors.bry_eckert.bodies import Body, body_of
from detectors.bry_eckert.catalogue import ENGINES
from laws.errata import Evidence
from laws.systems import find
from proofs.errata import BUDGET, EvidenceResult, Examiner, check_errata, follows, printed
from proofs.systems import provable_of
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.distances import distances
from semantics.bry_eckert.planning import planned, read_choices
from semantics.bry_eckert.plans import Plan, Union, identifiers_of
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.relevance import maximal, minimal
from semantics.bry_eckert.rewriting import pushed
from semantics.bry_eckert.temporal import is_stamp
from semantics.bry_eckert.translation import plan_of
from semantics.errors import InputError
from semantics.events import Event
from smt.bry_eckert.relevance import decided
from smt.solvers.solver import Solver
from smt.solvers.z3_solver import Z3


def examiner(solver: Solver) -> Examiner:
    """What carries out evidence (`proofs.errata.ErrataOfSystem`)."""
    return partial(_examined, solver=solver)


def _examined(evidence: Evidence, solver: Solver) -> EvidenceResult:
    checks: Mapping[str, Callable[[Mapping[str, Any]], EvidenceResult]] = {
        "follows": lambda details: follows(details, solver),
        "engine": _engine,
        "condition": _condition,
        "printed": _as_printed,
        "claim": lambda details: _claim(details, solver),
        "distance": _distance,
    }
    if evidence.check not in checks:
        raise InputError(f"there is no check {evidence.check!r}")
    return checks[evidence.check](evidence.details)


def _engine(details: Mapping[str, Any]) -> EvidenceResult:
    """The answers of an engine, each with the time of the step that gives it."""
    program, name = parse(details["program"]), details["engine"]
    engine = ENGINES[name](program, pushed(plan_of(program)), frozenset())
    log = [_event(text, program) for text in details["log"]]
    found: list[str] = []
    times = sorted({event.time for event in log})
    while times or engine.due() is not None:
        due = engine.due()
        now = times[0] if due is None or (times and times[0] <= due) else due
        times = times[1:] if times and times[0] == now else times
        given = [event for event in log if event.time == now]
        found += [f"at {now}: {_shown(one)}" for one in engine.step(now, given)]
    about = f"{name} on {', '.join(details['log'])}: {details['program'].splitlines()[-1]}"
    said = "; ".join(found) or "nothing"
    return EvidenceResult(
        "engine", about, "; ".join(details["expect"]) or "nothing", said, found == details["expect"]
    )


def _shown(event: Event) -> str:
    """`rep [3, 9] count_sid=2`, with what is counted."""
    counts = [f" {name}={value}" for name, value in event.attributes.items() if name.startswith("count")]
    return f"{event.type} [{event.start}, {event.time}]{''.join(counts)}"


def _event(text: str, program: Program) -> Event:
    """`order 7 id=2`, or `order 5-7 id=2` for one that takes time."""
    type, interval, *values = text.split()
    begin, _, finish = interval.partition("-")
    types = program.declared[type].types
    pairs = (value.split("=") for value in values)
    data = {name: int(value) if types[name] == "int" else value for name, value in pairs}
    return Event(type, int(begin), int(finish or begin), data)


def _claim(details: Mapping[str, Any], solver: Solver) -> EvidenceResult:
    """Whether a claim is proved or refuted, over integer time."""
    (claim,) = find([details["claim"]])
    (obligation,) = provable_of(claim).obligations("int")
    status = solver.check(obligation.text, rlimit=BUDGET).status
    found = {"unsat": "proved", "sat": "refuted"}.get(status, "not decided")
    about = f"{claim.id}: {claim.statement}"
    return EvidenceResult("claim", about, details["expect"], found, found == details["expect"])


def _body(details: Mapping[str, Any]) -> tuple[Program, Plan, Body]:
    program = parse(details["program"])
    plan = planned(program, read_choices(details["plan"], program) if "plan" in details else {})
    expression = plan.by_name[details["point"]].expression
    assert not isinstance(expression, Union)
    return program, plan, body_of(expression, plan)


def _number(body: Body, details: Mapping[str, Any]) -> int:
    """The number of an input, by its event identifiers."""
    names = tuple(details["relation"].split())
    (number,) = (n for n, one in enumerate(body.inputs) if identifiers_of(one.schema) == names)
    return number


def _condition(details: Mapping[str, Any]) -> EvidenceResult:
    """The minimal relevance condition of an input."""
    _, plan, body = _body(details)
    number = _number(body, details)
    found = body.relevance(number, plan, plan.points)[1]
    if details.get("stamps") == "all":
        given = body.inputs[number]
        stamps = [stamp for one in body.inputs for stamp in one.schema if is_stamp(stamp)]
        found = minimal(maximal(body.distances, given.schema, stamps), distances(given, plan))
    about = f"{details['relation']} in {details['program'].splitlines()[-1]}"
    return EvidenceResult("condition", about, details["expect"], str(found), str(found) == details["expect"])


def _as_printed(details: Mapping[str, Any]) -> EvidenceResult:
    """The minimal condition of an input as 2008 prints the algorithm, and whether it is safe for the plan."""
    program, plan, body = _body(details)
    number = _number(body, details)
    condition = body.printed_relevance(number, plan)[1]
    verdict = decided(program, plan, body, number, condition, plan.points, tightness=False)
    found = f"{condition}: {verdict}"
    about = f"{details['relation']} in {details['program'].splitlines()[-1]}"
    return EvidenceResult("printed", about, details["expect"], found, found == details["expect"])


def _distance(details: Mapping[str, Any]) -> EvidenceResult:
    """The temporal distance from one time stamp to another, in ticks."""
    *_, body = _body(details)
    distance = body.distances[details["from"], details["to"]]
    found = "none" if distance is None else str(distance.ticks)
    about = f"from {details['from']} to {details['to']} in {details['program'].splitlines()[-1]}"
    return EvidenceResult("distance", about, str(details["expect"]), found, found == str(details["expect"]))


def main() -> int:
    """Carry out all evidence and print it; 1 if something does not come out as claimed."""
    return printed(check_errata("bry_eckert", Z3()))


if __name__ == "__main__":
    sys.exit(main())
