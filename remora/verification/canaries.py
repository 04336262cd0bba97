"""Live canaries: what can differ on a machine is put to the test, and each checker is given something wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from benchmarks.rules import CHAIN, log
from detectors.bry_eckert.relational import evaluate_duckdb
from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR, DETECTORS
from detectors.carlson_lisper.columns.batches import BatchDetection
from detectors.carlson_lisper.columns.plan import plan_of
from detectors.carlson_lisper.columns.sql_plan import found_by_duckdb
from detectors.carlson_lisper.protocol import instants, run
from laws.carlson_lisper.checks.counterexamples import replay
from laws.carlson_lisper.checks.exhaustive import check_exhaustively
from laws.carlson_lisper.claims import EquationClaim, find
from laws.carlson_lisper.mutations import ALTERED_OPERATORS, AlteredOperator
from laws.standings import Standing
from proofs.record import TIMES
from remora.examples import EXAMPLES, Example
from remora.systems.carlson_lisper.comparing import read_log
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.bry_eckert.checking import parse
from semantics.carlson_lisper.expressions import Identifier
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse_equation
from semantics.traces.files import read_rows
from semantics.traces.scan import scan
from smt.attempts import Attempt
from smt.carlson_lisper.law_proofs import LawProof, prove
from smt.carlson_lisper.symbolic import BASE_AXIOMS
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio, Query

EVENTS = 2_000
"""The length of the log on which DuckDB is compared with the algebra."""

SMALL = 2
"""False equations of so many identifiers show on the streams that the exhaustive check tries."""


def _false(statement: str, primitive: str = "") -> EquationClaim:
    return EquationClaim(statement, parse_equation(statement), frozenset(primitive))


FALSE = (
    _false("(A ; (B ; (C ; D))) | (A + B) == (A ; (B ; (D ; C))) | (A + B)"),
    _false("A ; (B ; (C ; D)) <= A ; (C ; (B ; D))"),
    _false("A ; B ~= (A - (A + A)) ; B"),
    _false("A + (B + C) <= A ; (B + C)"),
    _false("(A | B) ; C ~= (A | B) + C"),
    _false("(A ; B)[t] == (A + B)[min(t, u)]"),
    _false("a ; (b ; c) == a ; (c ; b)", "abc"),
    _false("a ; b ~= a + b", "ab"),
    _false("(a + b)[3] ~= (a + b)[2]", "ab"),
)
"""False equations of every relation and kind, for each path that can say yes without looking for a counterexample."""


@dataclass(frozen=True)
class SelfCheck:
    """The outcome of giving a checker something wrong."""

    id: str
    what: str
    ok: bool
    detail: str


def self_checks(portfolio: Portfolio) -> dict[str, list[Callable[[], SelfCheck]]]:
    """The checks, to be called one after the other, by the name of their group."""
    return {
        "proofs that are none": [lambda: _vacuous_law(portfolio), lambda: _no_budget(portfolio)],
        "replay": [_true_law_is_not_refuted],
        "false equations": [
            lambda: _true_law_is_proved(portfolio),
            *(_false_check(claim, portfolio) for claim in FALSE),
        ],
        "altered operators": [_alteration_check(alteration, portfolio) for alteration in ALTERED_OPERATORS],
        "engines": [
            *(_files_check(path) for path in dict.fromkeys(one.path for one in EXAMPLES)),
            *map(_plan_check, EXAMPLES),
            _duckdb_check,
        ],
    }


def _vacuous_law(solver: Portfolio) -> SelfCheck:
    printed = EquationClaim("law:28 as printed", parse_equation("(A - B)[t] == (A - B)[t]"), source="Theorem 4.4")
    standing = prove(printed, solver).standing
    return SelfCheck(
        "vacuous law",
        "a law whose sides are the same text does not count as proved",
        standing is Standing.UNKNOWN,
        f"law 28 as the source prints it is {standing.value}",
    )


def _no_budget(solver: Portfolio) -> SelfCheck:
    (law,) = find(["law:6"])
    standing = prove(law, solver, ladder=(Attempt(BASE_AXIOMS, {"z3": 1, "cvc5": 1}),)).standing
    return SelfCheck(
        "no budget",
        "a solver that runs out of its budget leaves a claim unknown",
        standing is Standing.UNKNOWN,
        f"law 6 with a budget of one unit of work is {standing.value}",
    )


def _true_law_is_not_refuted() -> SelfCheck:
    (law,) = find(["law:2"])
    assert isinstance(law, EquationClaim)
    names = {name: Identifier(name.lower()) for name in law.variables}
    found = replay(law, names, {}, [Occurrence("a", 0), Occurrence("b", 1)])
    return SelfCheck(
        "replay",
        "a suspected counterexample that the executable semantics does not confirm is dropped",
        found is None,
        "law 2 on the trace a@0, b@1 " + ("is not refuted" if found is None else "is refuted"),
    )


def _true_law_is_proved(portfolio: Portfolio) -> SelfCheck:
    (law,) = find(["law:6"])
    assert isinstance(law, EquationClaim)
    said = [name for name in _saying_yes(law, portfolio, "int") if name.startswith("the solvers")]
    return SelfCheck(
        "true: law 6",
        "the solvers, as they are asked about false equations, prove what is true",
        bool(said),
        f"{said[0] if said else 'no solver'} said yes",
    )


def _false_check(claim: EquationClaim, portfolio: Portfolio) -> Callable[[], SelfCheck]:
    """No attempt, derivation or decision says yes to a false equation; nor does the exhaustive check, where it may."""

    def check() -> SelfCheck:
        said = [f"{name} over {time} time" for time in TIMES for name in _saying_yes(claim, portfolio, time)]
        if len(claim.variables) <= SMALL and check_exhaustively(claim).standing is not Standing.REFUTED:
            said.append("the exhaustive check")
        return SelfCheck(
            f"false: {claim.statement}",
            f"no way to a proof says yes to {claim.statement}, which is false",
            not said,
            f"{', '.join(said)} said yes" if said else "none said yes",
        )

    return check


def _saying_yes(claim: EquationClaim, portfolio: Portfolio, time: TimeSort) -> list[str]:
    proof = LawProof(claim)
    parts = proof.obligations(time)
    said = []
    for axioms in dict.fromkeys(attempt.axioms for attempt in proof.ladder):
        budgets = {"z3": 20_000, "cvc5": 3_000}
        queries = [Query(part.id, part.with_axioms(axioms).text, budgets) for part in parts]
        if all(verdict.provers for verdict in portfolio.check_all(queries)):
            said.append(f"the solvers under {', '.join(axioms)}")
    said += [f"the way {derived.obligation.direction}" for derived in proof.derive(portfolio, time, 0)]
    return said


def _alteration_check(alteration: AlteredOperator, solver: Portfolio) -> Callable[[], SelfCheck]:
    def check() -> SelfCheck:
        (law,) = find([alteration.law])
        operators = alteration.operators()
        proof = prove(law, solver, operators=operators).standing
        test = check_exhaustively(law, operators).standing
        return SelfCheck(
            f"altered {alteration.operator}",
            f"{alteration.what} makes {alteration.law} false, for the solver and for the exhaustive check",
            proof is Standing.REFUTED and test is Standing.REFUTED,
            f"the solver side says {proof.value}, the exhaustive check says {test.value}",
        )

    return check


def _files_check(path: Path) -> Callable[[], SelfCheck]:
    """The scan of a log, by Polars or DuckDB, has the rows that the reader of rows has; in Parquet as well."""

    def check() -> SelfCheck:
        rows = [(row.time, row.event) for row in read_rows(path)]
        found = {"CSV": scan(path).rows.select("time", "event").collect().rows()}
        with TemporaryDirectory() as folder:
            copy = Path(folder) / "log.parquet"
            scan(path).rows.select("time", "event").sink_parquet(copy)
            found["Parquet"] = scan(copy).rows.select("time", "event").collect().rows()
        wrong = [form for form, scanned in found.items() if scanned != rows]
        return SelfCheck(
            f"scan: {path.name}",
            f"a scan of {path.name} has the rows that are read one by one",
            not wrong,
            f"other rows in {' and '.join(wrong)}" if wrong else f"{len(rows)} rows in CSV and Parquet",
        )

    return check


def _plan_check(example: Example) -> Callable[[], SelfCheck]:
    """The plan of a pattern finds in Polars and in DuckDB what the detector finds that is compared with the meaning."""

    def check() -> SelfCheck:
        log, _ = read_log(example.trace, example.path, example.expression)
        detector = DETECTORS[DEFAULT_DETECTOR](log.expression)
        steps = [one.interval for one in run(detector, instants(log.scenarios[None]))]
        plan = plan_of([log.expression])
        rows = scan(example.path).rows.filter(pl.col("event").is_in(plan.events)).select("time", "event").collect()
        found = {
            "Polars": BatchDetection(plan, with_rows=False).found(rows, last=True),
            "DuckDB": found_by_duckdb(plan, [rows], with_rows=False, partitioned=False),
        }
        wrong = [name for name, frame in found.items() if frame.select("start", "end").rows() != steps]
        return SelfCheck(
            f"plan: {example.expression} on {example.trace}",
            f"{example.expression} has the same detections in {example.trace} step by step and by columns",
            not wrong,
            f"others in {' and '.join(wrong)}" if wrong else f"{len(steps)} in Polars and in DuckDB",
        )

    return check


def _duckdb_check() -> SelfCheck:
    """The plan of a program of rules means the same in DuckDB as in the algebra."""
    program, events = parse(CHAIN, "1min"), list(log(EVENTS, 0))
    plan = planned(program, {})
    expected, found = derived_events(program, plan, events), evaluate_duckdb(program, plan, events)
    return SelfCheck(
        "DuckDB",
        "rules on a log have the same answers in DuckDB as in the algebra",
        bool(expected) and found == expected,
        f"{len(found)} answers in DuckDB, {len(expected)} in the algebra",
    )
