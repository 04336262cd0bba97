"""Live canaries: what can differ on a machine is put to the test, and each checker is given something wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import polars as pl

from benchmarks.rules import CHAIN, log
from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import judge
from campaigns.judging.verdicts import Kind
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.protocol import answers
from detectors.bry_eckert.relational import evaluate_duckdb
from detectors.carlson_lisper.adapters import AnyDetector
from detectors.carlson_lisper.catalogue import CATALOGUE, DEFAULT_DETECTOR, DETECTORS, Entry
from detectors.carlson_lisper.columns.batches import BatchDetection
from detectors.carlson_lisper.columns.plan import plan_of
from detectors.carlson_lisper.columns.sql_plan import found_by_duckdb
from detectors.carlson_lisper.protocol import instants, run
from detectors.hinze_voisard.engine import Engine, notifications
from detectors.protocol import NodeState
from laws.carlson_lisper.checks.counterexamples import replay
from laws.carlson_lisper.checks.exhaustive import check_exhaustively
from laws.carlson_lisper.claims import EquationClaim, find
from laws.carlson_lisper.mutations import ALTERED_OPERATORS, AlteredOperator
from laws.standings import Standing
from remora.examples import EXAMPLES, Example
from remora.systems.carlson_lisper.comparing import read_log
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Identifier
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time, Value
from semantics.carlson_lisper.syntax import parse as parse_pattern
from semantics.carlson_lisper.syntax import parse_equation
from semantics.events import Event
from semantics.hinze_voisard.evaluation import continuously
from semantics.hinze_voisard.syntax import parse as parse_profiles
from semantics.traces.files import read_rows
from semantics.traces.scan import scan
from smt.attempts import Attempt
from smt.carlson_lisper.law_proofs import LawProof, prove
from smt.carlson_lisper.symbolic import BASE_AXIOMS
from smt.certificates import complaints, sha256
from smt.solvers.portfolio import Portfolio

SIZABLE_INSTANTS, SIZABLE_DETECTIONS = 300, 20
"""The length of a long trace, and the fewest detections that say something about it."""

ROUNDS = 6
"""So often events of each type occur in turn."""

LONG_CERTIFICATE = 1_200
"""The steps of a long certificate; the longest of ours has fewer."""

EVENTS = 2_000
"""The length of the log on which DuckDB is compared with the algebra."""

LATE = 1 << 59
"""A time in ticks that is beyond every size at which a number may change its kind on the way."""

SIZABLE = (
    "((((a ; b) | (c ; b))[40] ; ((d | e) + f))[60] - (g - (h ; h)[9])) | ((a + c) - (b ; g))[30]"
    " | (a ; (b ; (c ; (d ; (e ; (f ; (g ; h)))))))"
)
"""A pattern of eight event types."""

WIDE = """\
event A(k: int, l: int, m: int, n: int)
event B(k: int, l: int, m: int, n: int)
event C(k: int, l: int, m: int, n: int)
event D(k: int, l: int, m: int, n: int)
event E(k: int, l: int, m: int, n: int)
F(k, l, m, n) <- a: A(k, l, m, n), b: B(k, l, m, n), c: C(k, l, m, n), d: D(k, l, m, n), e: E(k, l, m, n),
    a before b, b before c, c before d, d before e, {a, e} within 400
"""
"""A rule of five events that agree in four attributes."""

PROFILE = "".join(f'class {name} = event(name = "{name}")\n' for name in "abcde") + (
    "profile P = ((((a ; b) ; c) ; d) ; e)[400]\n"
)
"""A profile of five events."""


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
        "altered operators": [_alteration_check(alteration, portfolio) for alteration in ALTERED_OPERATORS],
        "engines": [
            *(_files_check(path) for path in dict.fromkeys(one.path for one in EXAMPLES)),
            *map(_plan_check, EXAMPLES),
            _duckdb_check,
        ],
        "beyond the usual sizes": [
            lambda: _true_law_is_proved(portfolio),
            _exhaustive_check,
            _late_scan_check,
            *map(_sizable_check, CATALOGUE.values()),
            _sizable_mistake_check,
            *map(_wide_check, WIDE_ENGINES),
            _profile_check,
            _late_step_check,
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
    """Check that the budget of false equations suffices for true ones."""
    claim = EquationClaim("four letters", parse_equation("A ; (B ; (C ; D)) == ((A ; B) ; C) ; D"), alone=True)
    said = LawProof(claim).affirmed(claim, portfolio)
    return SelfCheck(
        "true: sequences of four",
        "the solvers, as they are asked about false equations, prove what is true",
        bool(said),
        f"affirmed by {', '.join(said) or 'none'}",
    )


def _exhaustive_check() -> SelfCheck:
    claim = EquationClaim("four letters", parse_equation("(A | B) | (C | D) == (A | B) | C"))
    standing = check_exhaustively(claim).standing
    return SelfCheck(
        "exhaustive: four letters",
        "the exhaustive check refutes a false equation of four identifiers",
        standing is Standing.REFUTED,
        standing.value,
    )


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
            bool(rows) and not wrong,
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


# ------------------------------------------------------------------------------------------------------------- sizes


def _sizable_case() -> Case:
    """A case with eight event types, hundreds of occurrences and late times."""
    random = Random(0)
    times = accumulate(random.choices((1, 1, 2, 5), k=SIZABLE_INSTANTS), initial=LATE)
    drawn = [Occurrence(random.choice("abcdefgh"), time) for time in times]
    in_turn = [Occurrence(name, LATE - 100 + number) for number, name in enumerate("abcdefgh")]
    return Case(0, 0, "canary", parse_pattern(SIZABLE), (*in_turn, *drawn))


def _sizable_check(entry: Entry[AnyDetector]) -> Callable[[], SelfCheck]:
    """A detector finds of a pattern of eight event types what it means, at late times."""

    def check() -> SelfCheck:
        verdict = judge(_sizable_case(), entry)
        ok = verdict.kind is None and not verdict.refusal and len(verdict.expected) > SIZABLE_DETECTIONS
        said = verdict.refusal or verdict.detail or f"{len(verdict.expected)} detections"
        what = f"{entry.name} detects a pattern of eight event types, at times beyond 2^59"
        return SelfCheck(f"sizable: {entry.name}", what, ok, said)

    return check


class _Silent:
    """A detector that misses the last detection of the case."""

    def __init__(self, expression: Expression) -> None:
        self._right = DETECTORS[DEFAULT_DETECTOR](expression)
        self._last = _sizable_case().occurrences[-1].time

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        found = self._right.step(time, occurrences)
        return None if time > self._last - SIZABLE_INSTANTS else found

    def state(self) -> tuple[NodeState, ...]:
        """What is kept."""
        return self._right.state()


def _sizable_mistake_check() -> SelfCheck:
    """The judge of detectors sees what goes wrong late."""
    verdict = judge(_sizable_case(), _Silent)
    return SelfCheck(
        "sizable: the judge",
        "a detector that misses detections at times beyond 2^59 is judged wrong",
        verdict.kind is Kind.MISSING,
        verdict.detail,
    )


def _late_scan_check() -> SelfCheck:
    """Late times are read alike by the reader of rows and by the scan."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "late.csv"
        rows = [f"{LATE + number},{name}" for number, name in enumerate("abcdefgh")]
        path.write_text("\n".join(["time,event", *rows, ""]))
        return _files_check(path)()


def _agreeing(types: str) -> list[Event]:
    """Events of some types in turn that agree in four attributes, but in one of them each second round."""
    return [
        Event(type, time, time, {"name": type, "k": 1, "l": 2, "m": 3, "n": round % 2 and place})
        for round in range(ROUNDS)
        for place, type in enumerate(types)
        for time in (LATE + 1_000 * round + 10 * place,)
    ]


WIDE_ENGINES = ("denotation", "algebra", "DuckDB", *ENGINES)


def _wide_check(name: str) -> Callable[[], SelfCheck]:
    """A way to evaluate rules joins five events by four attributes, at late times."""

    def check() -> SelfCheck:
        program, events = parse(WIDE, "1s"), _agreeing("ABCDE")
        plan = planned(program, {})
        if name == "denotation":
            found = denotation(program, events)
        elif name == "algebra":
            found = derived_events(program, plan, events)
        elif name == "DuckDB":
            found = evaluate_duckdb(program, plan, events)
        else:
            found = list(answers(ENGINES[name](program, plan, frozenset()), events))
        due = [(LATE + 1_000 * round, LATE + 1_000 * round + 40) for round in range(0, ROUNDS, 2)]
        return SelfCheck(
            f"wide: {name}",
            f"five events that agree in four attributes are joined by {name}",
            [(one.start, one.time) for one in found] == due,
            f"{len(found)} answers, {len(due)} are due",
        )

    return check


def _profile_check() -> SelfCheck:
    """The engine of profiles finds five events in a row, at late times."""
    file, events = parse_profiles(PROFILE), _agreeing("abcde")
    found = list(notifications(Engine(file), events))
    return SelfCheck(
        "wide: a profile",
        "the engine of profiles announces five events in a row as the definition does",
        len(found) >= ROUNDS and found == list(continuously(file, events)),
        f"{len(found)} notifications",
    )


def _late_step_check() -> SelfCheck:
    """A certificate is looked through to its end."""
    problem = "(set-logic QF_UF)\n(declare-const p Bool)\n(assert p)\n(assert (not p))\n(check-sat)\n"
    named = f'; refutation of the problem with sha256 {sha256(problem)}\n(reference "p.smt2")\n'
    steps = [f"(step @p{number} :rule refl :args (p))" for number in range(2, LONG_CERTIFICATE)]
    last = f"(step @p{LONG_CERTIFICATE} false :rule contra :premises (@p0 @p1))"
    head = f"{named}(assume @p0 p)\n(assume @p1 (not p))\n"
    wrong = {
        "trust": [*steps[:-1], f"(step @p{LONG_CERTIFICATE - 1} :rule trust :args (p))", last],
        "unfounded": [*steps, f"(step @p{LONG_CERTIFICATE} false :rule contra :premises (@p0 @p9999))"],
        "assumption": [*steps[:-1], f"(assume @p{LONG_CERTIFICATE - 1} false)", last],
        "false": steps,
    }
    right = complaints(f"{head}{chr(10).join([*steps, last])}\n", problem, "p.smt2")
    passed = [name for name, some in wrong.items() if not complaints(head + "\n".join(some) + "\n", problem, "p.smt2")]
    return SelfCheck(
        "late step",
        f"what is wrong with step {LONG_CERTIFICATE - 1} of a certificate is complained of",
        not right and not passed,
        f"not complained of: {', '.join(passed) or 'none'}{'; ' if right else ''}{'; '.join(right)}",
    )
