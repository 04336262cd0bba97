"""Live canaries: what can differ on a machine is put to the test, and each checker is given something wrong."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
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
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.hinze_voisard.engine import Engine, notifications
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
from semantics.carlson_lisper.expressions import Identifier
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time, Value
from semantics.carlson_lisper.syntax import parse as parse_pattern, parse_equation
from semantics.events import Event
from semantics.hinze_voisard.evaluation import continuously
from semantics.hinze_voisard.syntax import parse as parse_profiles
from semantics.traces.files import read_rows
from semantics.traces.scan import scan
from smt.attempts import Attempt
from smt.carlson_lisper.law_proofs import LawProof, prove
from smt.carlson_lisper.obligations import BASE_AXIOMS
from smt.certificates import complaints, sha256
from smt.solvers.portfolio import Portfolio

SIZABLE_INSTANTS, SIZABLE_DETECTIONS = 300, 20  # The length of a long trace, and the fewest detections that say much
ROUNDS = 6  # So often events of each type occur in turn
LONG_CERTIFICATE = 1_200  # The steps of a long certificate; the longest of ours has fewer
LATE = 1 << 59  # A time in ticks that is beyond every size at which a number may change its kind on the way

SIZABLE = (
    "((((a ; b) | (c ; b))[40] ; ((d | e) + f))[60] - (g - (h ; h)[9])) | ((a + c) - (b ; g))[30]"
    " | (a ; (b ; (c ; (d ; (e ; (f ; (g ; h)))))))"
)
"""A pattern of eight event types."""

WIDE, PROFILE = (Path(__file__).with_name(f"wide.{kind}").read_text("utf-8") for kind in ("rules", "profile"))
"""A rule of five events that agree in four attributes, and a profile of five events."""


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
        "proofs that are none": [partial(_vacuous_law, portfolio), partial(_no_budget, portfolio)],
        "replay": [_true_law_is_not_refuted],
        "altered operators": [partial(_altered, each, portfolio) for each in ALTERED_OPERATORS],
        "engines": [
            *(partial(_files, path) for path in dict.fromkeys(one.path for one in EXAMPLES)),
            *(partial(_plan, example) for example in EXAMPLES),
            _duckdb,
        ],
        "beyond the usual sizes": [
            partial(_true_law_is_proved, portfolio),
            _exhaustive,
            _late_scan,
            *(partial(_sizable, entry) for entry in CATALOGUE.values()),
            _sizable_mistake,
            *(partial(_wide, name) for name in ("denotation", "algebra", "DuckDB", *ENGINES)),
            _profile,
            _late_step,
        ],
    }


def _vacuous_law(solver: Portfolio) -> SelfCheck:
    printed = EquationClaim("law:28 as printed", parse_equation("(A - B)[t] == (A - B)[t]"), source="Theorem 4.4")
    standing = prove(printed, solver).standing
    what = "a law whose sides are the same text, as law 28 is printed, does not count as proved"
    return SelfCheck("vacuous law", what, standing is Standing.UNKNOWN, standing.value)


def _no_budget(solver: Portfolio) -> SelfCheck:
    (law,) = find(["law:6"])
    standing = prove(law, solver, ladder=(Attempt(BASE_AXIOMS, {"z3": 1, "cvc5": 1}),)).standing
    what = "a solver that runs out of its budget, of one unit of work for law 6, leaves a claim unknown"
    return SelfCheck("no budget", what, standing is Standing.UNKNOWN, standing.value)


def _true_law_is_not_refuted() -> SelfCheck:
    (law,) = find(["law:2"])
    assert isinstance(law, EquationClaim)
    names = {name: Identifier(name.lower()) for name in law.variables}
    found = replay(law, names, {}, [Occurrence("a", 0), Occurrence("b", 1)])
    what = "a suspected counterexample that the executable semantics does not confirm is dropped"
    said = "law 2 on the trace a@0, b@1 " + ("is not refuted" if found is None else "is refuted")
    return SelfCheck("replay", what, found is None, said)


def _true_law_is_proved(portfolio: Portfolio) -> SelfCheck:
    claim = EquationClaim("four letters", parse_equation("A ; (B ; (C ; D)) == ((A ; B) ; C) ; D"), alone=True)
    said = LawProof(claim).affirmed(claim, portfolio)
    what = "the solvers, as they are asked about false equations, prove what is true"
    return SelfCheck("true: sequences of four", what, bool(said), f"affirmed by {', '.join(said) or 'none'}")


def _exhaustive() -> SelfCheck:
    claim = EquationClaim("four letters", parse_equation("(A | B) | (C | D) == (A | B) | C"))
    standing = check_exhaustively(claim).standing
    what = "the exhaustive check refutes a false equation of four identifiers"
    return SelfCheck("exhaustive: four letters", what, standing is Standing.REFUTED, standing.value)


def _altered(alteration: AlteredOperator, solver: Portfolio) -> SelfCheck:
    (law,) = find([alteration.law])
    operators = alteration.operators()
    proof = prove(law, solver, operators=operators).standing
    test = check_exhaustively(law, operators).standing
    what = f"{alteration.what} makes {alteration.law} false, for the solver and for the exhaustive check"
    said = f"the solver side says {proof.value}, the exhaustive check says {test.value}"
    return SelfCheck(f"altered {alteration.operator}", what, proof is test is Standing.REFUTED, said)


def _files(path: Path) -> SelfCheck:
    rows = [(row.time, row.event) for row in read_rows(path)]
    found = {"CSV": scan(path).rows.select("time", "event").collect().rows()}
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "log.parquet"
        scan(path).rows.select("time", "event").sink_parquet(copy)
        found["Parquet"] = scan(copy).rows.select("time", "event").collect().rows()
    wrong = [form for form, scanned in found.items() if scanned != rows]
    said = f"other rows in {' and '.join(wrong)}" if wrong else f"{len(rows)} rows in CSV and Parquet"
    what = f"a scan of {path.name} has the rows that are read one by one"
    return SelfCheck(f"scan: {path.name}", what, bool(rows) and not wrong, said)


def _plan(example: Example) -> SelfCheck:
    """The plan of a pattern finds in Polars and in DuckDB what the usual detector finds."""
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
    said = f"others in {' and '.join(wrong)}" if wrong else f"{len(steps)} in Polars and in DuckDB"
    what = f"{example.expression} has the same detections in {example.trace} step by step and by columns"
    return SelfCheck(f"plan: {example.expression} on {example.trace}", what, not wrong, said)


def _duckdb() -> SelfCheck:
    program, events = parse(CHAIN, "1min"), list(log(2_000, 0))
    plan = planned(program, {})
    expected, found = derived_events(program, plan, events), evaluate_duckdb(program, plan, events)
    what = "rules on a log have the same answers in DuckDB as in the algebra"
    said = f"{len(found)} answers in DuckDB, {len(expected)} in the algebra"
    return SelfCheck("DuckDB", what, bool(expected) and found == expected, said)


@cache
def _sizable_case() -> Case:
    """A case with eight event types, hundreds of occurrences and late times."""
    random = Random(0)
    times = accumulate(random.choices((1, 1, 2, 5), k=SIZABLE_INSTANTS), initial=LATE)
    drawn = [Occurrence(random.choice("abcdefgh"), time) for time in times]
    in_turn = [Occurrence(name, LATE - 100 + number) for number, name in enumerate("abcdefgh")]
    return Case(0, 0, "canary", parse_pattern(SIZABLE), (*in_turn, *drawn))


def _sizable(entry: Entry[AnyDetector]) -> SelfCheck:
    verdict = judge(_sizable_case(), entry)
    ok = verdict.kind is None and not verdict.refusal and len(verdict.expected) > SIZABLE_DETECTIONS
    said = verdict.refusal or verdict.detail or f"{len(verdict.expected)} detections"
    what = f"{entry.name} detects a pattern of eight event types, at times beyond 2^59"
    return SelfCheck(f"sizable: {entry.name}", what, ok, said)


class _Silent(Figure2):
    """A detector that misses the last detections of the case."""

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        found = super().step(time, occurrences)
        return None if time > _sizable_case().occurrences[-1].time - SIZABLE_INSTANTS else found


def _sizable_mistake() -> SelfCheck:
    verdict = judge(_sizable_case(), _Silent)
    what = "a detector that misses detections at times beyond 2^59 is judged wrong"
    return SelfCheck("sizable: the judge", what, verdict.kind is Kind.MISSING, verdict.detail)


def _late_scan() -> SelfCheck:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "late.csv"
        rows = [f"{LATE + number},{name}" for number, name in enumerate("abcdefgh")]
        path.write_text("\n".join(["time,event", *rows, ""]))
        return _files(path)


def _agreeing(types: str) -> list[Event]:
    """Events of some types in turn that agree in four attributes, but in one of them each second round."""
    return [
        Event(type, time, time, {"name": type, "k": 1, "l": 2, "m": 3, "n": round % 2 and place})
        for round in range(ROUNDS)
        for place, type in enumerate(types)
        for time in (LATE + 1_000 * round + 10 * place,)
    ]


def _wide(name: str) -> SelfCheck:
    program, events = parse(WIDE, "1s"), _agreeing("ABCDE")
    plan = planned(program, {})
    if name in ENGINES:
        found = list(answers(ENGINES[name](program, plan, frozenset()), events))
    elif name == "denotation":
        found = denotation(program, events)
    else:
        found = (derived_events if name == "algebra" else evaluate_duckdb)(program, plan, events)
    due = [(LATE + 1_000 * round, LATE + 1_000 * round + 40) for round in range(0, ROUNDS, 2)]
    ok, said = [(one.start, one.time) for one in found] == due, f"{len(found)} answers, {len(due)} due"
    return SelfCheck(f"wide: {name}", f"five events that agree in four attributes are joined by {name}", ok, said)


def _profile() -> SelfCheck:
    file, events = parse_profiles(PROFILE), _agreeing("abcde")
    found = list(notifications(Engine(file), events))
    ok = len(found) >= ROUNDS and found == list(continuously(file, events))
    what = "the engine of profiles announces five events in a row as the definition does"
    return SelfCheck("wide: a profile", what, ok, f"{len(found)} notifications")


def _late_step() -> SelfCheck:
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
    what = f"what is wrong with step {LONG_CERTIFICATE - 1} of a certificate is complained of"
    said = "; ".join([f"not complained of: {', '.join(passed) or 'none'}", *right])
    return SelfCheck("late step", what, not right and not passed, said)
