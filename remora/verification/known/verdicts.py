"""Known answers about verdicts: what opinions, parts, supports and standings amount to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, cycle, product
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock, patch

from laws.carlson_lisper.claims import EquationClaim
from laws.carlson_lisper.invariants import STEP_LEMMAS
from laws.claims import Claim
from laws.standings import ExitStatus, Standing, as_expected, exit_status, weakest
from laws.systems import every_claim, find
from laws.theorems import Theorem
from proofs.carlson_lisper.runs.steps import hypotheses_hold
from proofs.carlson_lisper.subject import Subject
from proofs.proving import resting
from proofs.systems import provable_of
from remora.verification.known.answers import Checks, Row, always
from semantics.carlson_lisper.syntax import parse_equation
from smt.attempts import Attempt, ClaimResult, Hypotheses, ObligationResult, Provable, Search, prove_all
from smt.carlson_lisper.law_proofs import prove
from smt.first_order.provers import understood
from smt.first_order.translation import Problem, translated
from smt.obligations import Obligation, Theory
from smt.smtlib import TimeSort
from smt.solvers.cvc5_solver import CVC5, is_installed
from smt.solvers.portfolio import Opinion, Portfolio, Query, judge
from smt.solvers.programs import Ended
from smt.solvers.solver import Answer, SolverFailed, Status, Strategy
from smt.solvers.worker import Worker, WorkerLost
from smt.solvers.z3_solver import Z3

S = Standing

checks = Checks()


def result(standing: Standing, *opinions: Status) -> ClaimResult:
    """A claim that stands so; of its first obligation, which stands so too, solvers have opinions, if there are any."""
    said = tuple(
        Opinion(f"s{n} 1", Strategy("known"), Answer(each, "s", 0.0, 1)) for n, each in enumerate(opinions)
    )
    (law,) = find(["law:2"])
    part = provable_of(law).obligations("int")[0]
    parts = (ObligationResult(part, standing, said, ""),) if said else ()
    return ClaimResult(law, standing, parts, None, 0, 0.0)


# ------------------------------------------------------------------------------------------------------- opinions

_QUERY = Query("known", "", {})


def _opinion(said: str, number: int = 1) -> Opinion:
    name, strategy = f"solver{number} 1", Strategy("known")
    if said == "failed":
        return Opinion(name, strategy, None, "it broke down")
    statuses: dict[str, Status] = {"unsat": "unsat", "sat": "sat", "unknown": "unknown"}
    return Opinion(name, strategy, Answer(statuses[said], name, 0.0, 1, "known"))


@checks.known("opinions", "what several solvers say amounts to no more than they say")
def _opinions() -> Iterator[Row]:
    said = ("unsat", "sat", "unknown", "failed")
    for number in (1, 2, 3):
        for several in product(said, repeat=number):
            verdict = judge(_QUERY, tuple(_opinion(each, n) for n, each in enumerate(several)))
            yield " and ".join(several), verdict.outcome, _amounts(several)
            provers = tuple(f"solver{n} 1" for n, each in enumerate(several) if each == "unsat")
            yield f"who proved it: {several}", verdict.provers, provers
    for words, hung, meant in (
        ("Theorem", False, "proved"),
        ("Theorem", True, "open"),
        ("Theorem CounterSatisfiable", False, "open"),
    ):
        ended = Ended("".join(f"# SZS status {word}\n" for word in words.split()), 0, hung)
        about = f"a prover that printed {words}{', and was stopped' * hung}"
        yield about, understood(ended, Problem("", True)).outcome, meant
    for sort, formula, exact in (
        ("Real", "(< x y)", True),
        ("Int", "(< x y)", False),
        ("Real", "(< (+ x y) y)", False),
        ("Real", "(forall ((z Real)) (< z y))", False),
    ):
        declared = "".join(f"(declare-const {name} {sort})" for name in "xy")
        problem = translated(f"{declared}(assert {formula})(assert (not (< y x)))(check-sat)")
        refuted = understood(Ended("# SZS status CounterSatisfiable\n", 0, hung=False), problem).outcome
        yield f"what does not follow from {formula}, {sort}", refuted, "refuted" if exact else "open"


def _amounts(several: Sequence[str]) -> str:
    """What opinions amount to, once more."""
    if "unsat" not in several:
        return "error" if "failed" in several else "open"
    if "sat" in several:
        return "contradiction"
    return "agreed" if set(several) == {"unsat"} and len(several) > 1 else "proved"


# ------------------------------------------------------------------------------------------------------ standings

_ORDER = (S.CERTIFIED, S.AGREED, S.PROVED, S.TESTED, S.UNKNOWN, S.REFUTED, S.ERROR, S.DISAGREEMENT)
_ENDS = {
    S.UNKNOWN: ExitStatus.INCONCLUSIVE,
    S.REFUTED: ExitStatus.REFUTED,
    S.ERROR: ExitStatus.INFRASTRUCTURE,
    S.DISAGREEMENT: ExitStatus.DISAGREEMENT,
}


@checks.known("standings", "the worst standing decides, and none but a proof is a proof")
def _standings() -> Iterator[Row]:
    yield "nothing at all", weakest(()), S.UNKNOWN
    yield "the end of nothing at all", int(exit_status(())), 3
    for place, one in enumerate(_ORDER):
        yield f"{one.value} is a proof", one.unbounded, place < 3
        yield f"the end of {one.value}", exit_status([one]), _ENDS.get(one, ExitStatus.AS_CLAIMED)
        yield f"{one.value} where a proof is expected", as_expected(one, S.PROVED), place < 3
        yield f"{one.value} where a refutation is expected", as_expected(one, S.REFUTED), one is S.REFUTED
    for better, worse in combinations(_ORDER, 2):
        for pair in ((better, worse), (worse, better), (better, worse, better)):
            yield f"the weakest of {[one.value for one in pair]}", weakest(pair), worse
            yield "its end", exit_status(pair), exit_status([worse])


# ------------------------------------------------------------------------------------------------------- attempts


_STRATEGY, _NOTHING, _SATISFIABLE = Strategy("known"), Search(), Hypotheses("satisfiable")


@dataclass
class _Stub:
    """A solver that says to a text what the text says in a word, by its own name."""

    name: str
    strategy: Strategy = _STRATEGY

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """What stands behind the solver's name in the text; unknown if nothing does."""
        said = dict(word.split("=") for word in text.split() if "=" in word)
        status = said.get(self.name, "unknown")
        if status == "failed":
            raise SolverFailed(f"{self.name} broke down")
        statuses: dict[str, Status] = {"unsat": "unsat", "sat": "sat"}
        return Answer(statuses.get(status, "unknown"), self.name, 0.0, 1, "it does not know")

    def close(self) -> None:
        """Nothing to do."""


@dataclass(frozen=True)
class _Trace:
    def summary(self) -> str:
        return "a trace"


_BOTH, _FIRST, _NONE = "z3=unsat cvc5=unsat", "z3=unsat", "z3=unknown"
_CLAIM = EquationClaim("known", parse_equation("A | B == B | A"))
_ONE = Obligation(
    "known/1",
    "known",
    "1",
    ("known",),
    Theory((), {"lie": f" {_FIRST} "}),
    (),
    "int",
    "ALL",
    (),
    (),
    whole="x",
)


@dataclass
class _Stated(Provable):
    """A claim whose parts are texts for `_Stub`, with what else is known of it."""

    parts: Mapping[str, str]
    search: Search = _NOTHING
    crossed: Search = _NOTHING
    is_vacuous: bool = False
    assumed: Hypotheses = _SATISFIABLE
    asserted: tuple[str, ...] = ()
    derived: bool = False
    ladder: tuple[Attempt, ...] = (Attempt((), {"z3": 1}), Attempt((), {"z3": 2}))

    @property
    def claim(self) -> Claim:
        return _CLAIM

    def obligations(self, time: TimeSort) -> Sequence[Obligation]:
        if self.asserted:
            return [replace(_ONE, assertions=self.asserted, whole="")]
        return [replace(_ONE, id=f"known/{name}", direction=name, whole=t) for name, t in self.parts.items()]

    def derive(self, portfolio: Portfolio, time: TimeSort, seed: int) -> tuple[ObligationResult, ...]:
        """Another way to the whole claim, where there is one."""
        return (ObligationResult(_ONE, S.PROVED, (), ""),) if self.derived else ()

    def refute(self, effort: int, portfolio: Portfolio) -> Search:
        return self.search

    def cross_check(self) -> Search:
        return self.crossed

    def hypotheses(self, direction: str, portfolio: Portfolio) -> Hypotheses:
        return self.assumed


@checks.known("attempts", "a claim stands no better than its parts, its search and its hypotheses")
def _attempts() -> Iterator[Row]:
    with Portfolio([_Stub("z3"), _Stub("cvc5")]) as portfolio:

        def standing(parts: Mapping[str, str], **known: Any) -> Standing:
            (result,) = prove_all([_Stated(parts, **known)], portfolio)
            return result.standing

        found = Search(_Trace(), frozenset("1"))
        other = Search(_Trace(), frozenset("2"))
        one_of = Search(_Trace(), frozenset("12"), one_of=True)
        yield "both parts by both", standing({"1": _BOTH, "2": _BOTH}), S.AGREED
        yield "one part by one solver", standing({"1": _BOTH, "2": _FIRST}), S.PROVED
        yield "one part by none", standing({"1": _BOTH, "2": _NONE}), S.UNKNOWN
        yield "no part", standing({}), S.UNKNOWN
        yield "a model of one part", standing({"1": _BOTH, "2": "z3=sat cvc5=sat"}), S.UNKNOWN
        yield "a model of what is proved", standing({"1": "z3=unsat cvc5=sat"}), S.DISAGREEMENT
        yield "solvers that break down", standing({"1": "z3=failed cvc5=failed"}), S.ERROR
        yield "a proof and a breakdown", standing({"1": "z3=unsat cvc5=failed"}), S.PROVED
        yield "the same text on both sides", standing({"1": _BOTH}, is_vacuous=True), S.UNKNOWN
        contrary = Hypotheses("contrary", vacuous=True)
        ladder = (Attempt((), {"z3": 1}), Attempt(("lie",), {"z3": 1}))
        got = standing({}, asserted=("(given)", "(goal)"), ladder=ladder)
        yield "a contradiction in the axioms of a later attempt", got, S.UNKNOWN
        yield "contradictory hypotheses", standing({"1": _BOTH}, assumed=contrary), S.UNKNOWN
        yield "a contradiction in the text", standing({}, asserted=(_BOTH, "(goal)")), S.UNKNOWN
        yield "a trace against an open part", standing({"1": _NONE, "2": _BOTH}, search=found), S.REFUTED
        got = standing({"1": _NONE, "2": _BOTH}, search=other)
        yield "a trace against a proved part", got, S.DISAGREEMENT
        both = Search(_Trace(), frozenset("12"))
        yield "a trace against both parts", standing({"1": _NONE, "2": _BOTH}, search=both), S.DISAGREEMENT
        yield "a trace against one of two parts", standing({"1": _NONE, "2": _BOTH}, search=one_of), S.REFUTED
        yield "a trace against a proved claim", standing({"1": _BOTH}, crossed=found), S.DISAGREEMENT
        yield "a derived claim", standing({"1": _NONE}, derived=True), S.PROVED
        yield "a trace against it", standing({"1": _NONE}, derived=True, crossed=both), S.DISAGREEMENT
        unconfirmed = Search(unconfirmed=True)
        yield "a search that is not confirmed", standing({"1": _NONE}, search=unconfirmed), S.DISAGREEMENT
        yield "a doubtful check of a proof", standing({"1": _BOTH}, crossed=unconfirmed), S.DISAGREEMENT
        yield "a search that breaks down", standing({"1": _NONE}, search=Search(failure="x")), S.ERROR


# ------------------------------------------------------------------------------------------------------- supports


@checks.known("supports", "a theorem stands no better than each claim that it rests on")
def _supports() -> Iterator[Row]:
    claims = every_claim()
    agreed = [ClaimResult(claim, S.AGREED, (), None, 0, 0.0) for claim in claims]
    whole = {result.claim.id: result.standing for result in resting(agreed)}
    yield "all agreed", set(whole.values()), {S.AGREED}
    for claim in claims:
        if not isinstance(claim, Theorem):
            continue
        for name in claim.rests_on:
            support = next(one for one in claims if one.id == name or one.id.startswith(f"{name}."))
            for worse, right in ((S.UNKNOWN, S.UNKNOWN), (S.REFUTED, S.UNKNOWN), (S.PROVED, S.PROVED)):
                results = [replace(one, standing=worse) if one.claim is support else one for one in agreed]
                stands = {one.claim.id: one.standing for one in resting(results)}[claim.id]
                yield f"{claim.id}, {support.id} being {worse.value}", stands, right
            rest = [one for one in agreed if one.claim is claim or not one.claim.id.startswith(name)]
            stands = {one.claim.id: one.standing for one in resting(rest)}[claim.id]
            yield f"{claim.id} without {name}", stands, S.UNKNOWN
    run = Mock(summary=always("a run"))
    for below, right in ((S.AGREED, S.DISAGREEMENT), (S.UNKNOWN, S.REFUTED), (S.REFUTED, S.REFUTED)):
        changed: Mapping[str, Mapping[str, Any]] = {
            "lemma:5.5.queue": {"standing": below},
            "lemma:5.5": {"standing": S.DISAGREEMENT, "counterexample": run},
        }
        results = [replace(one, **changed.get(one.claim.id, {})) for one in agreed]
        stands = {one.claim.id: one.standing for one in resting(results)}["lemma:5.5"]
        yield f"a proof that a run contradicts, resting on what is {below.value}", stands, right


# -------------------------------------------------------------------------------------------------------- solvers

_TEXT = "(set-logic UFLIA)\n(declare-const x Int)\n(declare-fun f (Int) Int)\n{}(check-sat)\n"
_TEXTS: Mapping[str, tuple[str, str]] = {
    "unsat": ("(assert (< x 0))\n(assert (> x 1))\n", "unsat"),
    "sat": ("(assert (< x 0))\n", "not unsat"),
    "hard": ("(assert (forall ((y Int)) (> (f (+ y (f y))) (f y))))\n", "not unsat"),
}


_LATE = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    time.sleep(asked["after"])
    print(line, flush=True)
"""
"""A program that answers with what it is asked, after some seconds."""


@checks.known("solvers", "a solver says unsat to what is unsatisfiable alone", varies=True)
def _solvers(portfolio: Portfolio) -> Iterator[Row]:
    for solver in portfolio.solvers:
        for name, (asserted, right) in _TEXTS.items():
            said = solver.check(_TEXT.format(asserted), rlimit=20_000).status
            yield f"{solver.name} on what is {name}", said if said == "unsat" else "not unsat", right
        said = solver.check(_TEXT.format(_TEXTS["hard"][0]), rlimit=1).status
        yield f"{solver.name} without a budget", said, "unknown"
        try:
            outcome: str = solver.check(_TEXT.format("(assert y)"), rlimit=20_000).status
        except SolverFailed:
            outcome = "refused"
        yield f"{solver.name} on what it cannot read", outcome, "refused"

    (law,) = find(["law:7"])
    text = provable_of(law).obligations("int")[0].text
    works = {Z3().check(text, rlimit=20_000, seed=seed).rlimit for seed in range(6)}
    yield "whether Z3 works in another way with another seed", len(works) > 1, True
    stopped = CVC5()
    stopped._worker.close()
    stopped._worker = SimpleNamespace(ask=lambda *_: {"stopped_after": 1.0}, close=lambda: None)  # type: ignore[assignment]
    with TemporaryDirectory() as folder:
        program = Path(folder) / "late.py"
        program.write_text(_LATE, encoding="utf-8")
        worker = Worker(program)
        try:
            worker.ask({"said": "late", "after": 1.0}, 0.3)
        except WorkerLost:
            yield (
                "what is asked after a late answer",
                worker.ask({"said": "soon", "after": 0}, 10.0)["said"],
                "soon",
            )
        worker.close()
    if is_installed():
        yield "cvc5 that was stopped", stopped.check("", rlimit=1).status, "unknown"


@checks.known("hypotheses", "a claim that nothing can satisfy is not proved")
def _hypotheses(portfolio: Portfolio) -> Iterator[Row]:
    empty = EquationClaim("known", parse_equation("A - A <= B"), source="nowhere")
    yield "an empty left side", prove(empty, portfolio).standing, S.UNKNOWN
    long = EquationClaim("known", parse_equation("a - a[0] <= b"), frozenset("ab"), source="nowhere")
    yield "event types with a length", prove(long, portfolio).standing, S.UNKNOWN
    for holds in (True, False):
        with patch("proofs.carlson_lisper.runs.steps._assumed", Mock(side_effect=cycle([True, holds]))):
            found = hypotheses_hold(STEP_LEMMAS["lemma:5.2"], Subject())
        yield f"a run in which hypotheses that hold at first hold later: {holds}", found is not None, holds
    same = EquationClaim("known", parse_equation("A ; B == A ; B"), source="nowhere")
    yield "the same text twice", prove(same, portfolio).standing, S.UNKNOWN
