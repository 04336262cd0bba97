"""Known answers about the audits of the proofs, and about what a verification makes of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any
from unittest.mock import Mock, patch

from campaigns.carlson_lisper.meaning import Meaning
from campaigns.judging.verdicts import Kind
from campaigns.mutants.power import power
from campaigns.systems import WrongDetector, cases_of
from detectors.carlson_lisper.source.figure2 import STEPS, Figure2
from detectors.carlson_lisper.source.steps import CandidateQueue, DisjunctionStep
from detectors.carlson_lisper.source.transformation import RULES, Transformed, Work, restricted, transform
from laws.carlson_lisper.altered.alterations import ALTERATIONS
from laws.carlson_lisper.altered.definitions import SOURCE, altered_definitions
from laws.carlson_lisper.altered.neighbours import Neighbour
from laws.carlson_lisper.catalogue import scripted_theorems
from laws.carlson_lisper.claims import find as find_claims
from laws.standings import Standing
from laws.systems import find
from proofs.carlson_lisper.alterations import noticed_by_lemma
from proofs.carlson_lisper.lemmas.faithfulness import (
    queue_objections,
    rule_objections,
    step_objections,
    store_objections,
)
from proofs.carlson_lisper.proving import LADDER as SCRIPT_LADDER
from proofs.carlson_lisper.proving import _consistency, provable
from proofs.carlson_lisper.runs.queues import find_queue_counterexample
from proofs.carlson_lisper.runs.search import _keeps_contracts
from proofs.carlson_lisper.runs.transformation import find_transformation_counterexample
from proofs.carlson_lisper.subject import Subject
from proofs.record import recorded
from remora.terminal.progress import Progress
from remora.verification.known.answers import Checks, Row, always
from remora.verification.known.judges.judging import WRONG, case_of
from remora.verification.known.law_proofs import Partial, claim, denied
from remora.verification.known.verdicts import result
from remora.verification.trust import stable
from semantics.carlson_lisper.expressions import UNBOUNDED, Label, Operation
from semantics.carlson_lisper.occurrences import Instance
from semantics.events import Interval
from smt.attempts import Search, prove_all
from smt.audit.needed_axioms import Way, needed_axioms
from smt.audit.stability import Stability, stability
from smt.audit.variants import renamed, variants
from smt.carlson_lisper.alterations import decide_alteration
from smt.carlson_lisper.law_proofs import LADDER
from smt.carlson_lisper.neighbours import Decision, decide, decide_all, neighbour_table
from smt.carlson_lisper.symbolic import INSTANCES
from smt.execution import Execution, ExecutionFailed, SymbolicInstance, SymbolicTime, explore
from smt.obligations import Theory
from smt.s_expressions import parse_all
from smt.solvers.cvc5_solver import CVC5
from smt.solvers.portfolio import Portfolio, installed
from smt.solvers.questions import Outcome, ask_once, known_work
from smt.solvers.solver import Answer, Question
from smt.solvers.z3_solver import Z3

S = Standing

checks = Checks()


# --------------------------------------------------------------------------------------------------------- proofs


def _broken(_: object) -> Any:
    raise RuntimeError("broken")


def _unlabelled(operation: Operation, limit: Label) -> Work:
    """The rule of sequences, but for their labels."""
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    return Transformed(Operation("seq", (left.expression, restricted(right.expression, limit))), UNBOUNDED)


class _Twice(CandidateQueue):
    __slots__ = ()

    def push(self, instance: Instance) -> None:
        """Add an instance twice."""
        self._instances.append(instance)
        self._instances.append(instance)
        self._ends.append(instance.end)
        self._ends.append(instance.end)


@checks.known("unwritten", "obligations that cannot be written are not proved")
def _unwritten(portfolio: Portfolio) -> Iterator[Row]:
    (lemma,) = find(["lemma:5.2"])
    (result,) = prove_all([provable(lemma, Subject(steps={**STEPS, "dis": _broken}))], portfolio)
    yield "a step that cannot be made", result.standing, S.REFUTED
    (right,) = prove_all([provable(lemma)], portfolio)
    yield "a step that can", right.standing.unbounded, True
    with patch("proofs.carlson_lisper.proving.hypotheses_hold", always(None)):
        (open_,) = prove_all([provable(lemma)], portfolio)
    yield "a step whose hypotheses hold in no run", open_.standing, S.UNKNOWN
    (theorem,) = find(["theorem:6.1"])
    for title, rule in (("with", RULES["seq"]), ("without", _unlabelled)):
        parts = provable(theorem, Subject(rules={**RULES, "seq": rule})).obligations("int")
        said = {Z3().check(one.text, rlimit=500_000).status for one in parts if "labels seq" in one.direction}
        yield f"a rule that makes sequences {title} labels", said == {"unsat"}, rule is not _unlabelled
    (queue,) = find(["lemma:5.5.queue"])
    for kind, times in ((CandidateQueue, "once"), (_Twice, "twice")):
        parts = provable(queue, Subject(queue=kind)).obligations("int")
        (text,) = (one.text for one in parts if one.direction == "push sorted")
        yield (
            f"a queue in which each is {times}",
            Z3().check(text, rlimit=500_000).status == "unsat",
            kind is not _Twice,
        )
    longer = type("_Longer", (CandidateQueue,), {"__slots__": (), "__len__": lambda _: 7})
    yield "a queue with another length on short runs", find_queue_counterexample(longer) is None, False
    for title, found in (
        ("no label", find_transformation_counterexample({**RULES, "seq": _unlabelled})),
        (
            "too small a bound",
            find_transformation_counterexample(transform=lambda *of: transform(*of)._replace(bound=0)),
        ),
    ):
        yield f"a transformation that makes {title} on short traces", found is None, False
    with patch("proofs.carlson_lisper.runs.search.find_queue_counterexample", always(True)):
        for name, kept in (("lemma:5.5", False), ("lemma:5.2", True)):
            (rests,) = (one for one in scripted_theorems() if one.id == name)
            yield f"what {name} rests on beside a wrong queue", _keeps_contracts(rests, Subject()), kept


@checks.known("symbolic values", "symbolic values compute and compare as values do")
def _values() -> Iterator[Row]:
    run = Execution((False,) * 9)
    x, y = SymbolicTime("x", run, "i"), SymbolicTime("y", run, "j")
    both, finite = "(and i j)", "(and (not i) (not j) (= x y))"
    yield "equal times", (x == y).formula, f"(or {both} {finite})"
    yield "times that are not", (x != y).formula, f"(not (or {both} {finite}))"
    yield "an earlier time", (x < y).formula, "(and (not i) (or j (< x y)))"
    yield "a time that is not later", (x <= y).formula, "(not (and (not j) (or i (< y x))))"
    yield "a sum", (x + y).term, "(+ x y)"
    yield "differences", ((x - y).term, (5 - x).term, (x - 5).term), ("(- x y)", "(- 5 x)", "(- x 5)")
    s, t = SymbolicInstance("s", run), SymbolicInstance("t", run)
    yield "equal instances", ((s == t).formula, (s == s).formula), ("(= s t)", "true")
    yield "an instance and nothing", (s == None).formula, "false"  # noqa: E711
    ways = explore(lambda execution: SymbolicTime("x", execution, "i") + 1)[0]
    yield "a sum that may be infinite", sorted(way.result is None for way in ways), [False, True]


@checks.known("paths", "every way through the code is taken, and what it presupposes is noted")
def _paths() -> Iterator[Row]:
    def less(execution: Execution, left: str, right: str) -> bool:
        return bool(SymbolicTime(left, execution) < SymbolicTime(right, execution))

    def raising(execution: Execution) -> str:
        if less(execution, "x", "y"):
            raise ValueError("wrong")
        return "not"

    ways = explore(lambda e: (less(e, "x", "y"), less(e, "u", "v"), less(e, "x", "y")))[0]
    found = sorted((way.conditions, way.result) for way in ways)
    right = [
        ((one, other), (first, second, first))
        for one, first in (("(< x y)", True), ("(not (< x y))", False))
        for other, second in (("(< u v)", True), ("(not (< u v))", False))
    ]
    yield "the ways through two questions", found, right
    duties = {way.result: [formula for _, formula in way.duties] for way in explore(raising)[0]}
    yield "a way that ends in an exception", duties, {None: ["(not (< x y))"], "not": []}
    joined = explore(lambda e: SymbolicInstance("s", e).join(None).term)[0]
    yield "a union with nothing", [formula for way in joined for _, formula in way.duties], ["false"]
    got = explore(lambda e: SymbolicInstance("s", e).join(SymbolicInstance("t", e)).term)[0][0].result
    yield "a union", got, "(join s t)"
    for name, limit in (("MAX_PATHS", 2), ("MAX_ANSWERS", 1)):
        with patch(f"smt.execution.{name}", limit):
            try:
                tried = explore(lambda e: (less(e, "x", "y"), less(e, "u", "v")))[0]
                refused = any(way.result is None for way in tried)
            except ExecutionFailed:
                refused = True
        yield f"more than {name}", refused, True
    yield from _objections()
    (lemma,) = find(["lemma:5.2"])
    part = provable(lemma).obligations("int")[0]
    with installed() as portfolio:
        denied = _consistency(replace(part, assertions=("false",)), portfolio)
        yield "a script that assumes a contradiction", denied.vacuous, True


class _Remembering(DisjunctionStep):
    """A step that asks what no symbolic value can refuse."""

    __slots__ = ()

    def kept(self, before: list[Instance] = []) -> list[Instance]:  # noqa: B006  # what it remembers
        """What it was given before."""
        return before

    def step(self, left: Instance, right: Instance) -> Instance:
        """The left operand, if it is the right one."""
        return left if left is right else right


def _objections() -> Iterator[Row]:
    yield "what is said against a step", step_objections(DisjunctionStep), []
    for title, found in (
        ("a step", step_objections(_Remembering)),
        ("a queue", queue_objections(_Remembering)),
        ("a static queue", store_objections(_Remembering)),
        ("a rule", rule_objections(_Remembering.step)),
    ):
        yield f"{title} that compares identities", any("compares identities" in each for each in found), True
    said = any("default arguments" in each for each in step_objections(_Remembering))
    yield "a step that remembers in its default arguments", said, True


@checks.known("assumed", "nothing is assumed of instances but what the record of proofs has in full")
def _assumed() -> Iterator[Row]:
    on_record = {name for row in recorded().values() for name in row["axioms"]}
    yield "axioms", set(INSTANCES.axioms), on_record
    for title, ladder in (("equations", LADDER), ("scripts", SCRIPT_LADDER)):
        for attempt in ladder:
            yield f"an attempt at {title}", set(attempt.axioms) <= on_record, True


# --------------------------------------------------------------------------------------------------------- audits


class _Liar(Partial):
    """Proves every goal; that hypotheses contradict each other it does not say."""

    def __init__(self) -> None:
        super().__init__("z3", "")
        self._asked: list[str] = []

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """A proof, unless the text is the beginning of one that was asked before."""
        beginning = text.replace("(check-sat)\n", "")
        known = any(other.startswith(beginning) and other != text for other in self._asked)
        self._asked.append(text)
        return Answer("unknown" if known else "unsat", self.name, 0.0, 1, "it does not know")


@checks.known("neighbours", "a false neighbour that is proved, or left open, is noticed")
def _neighbours() -> Iterator[Row]:
    def neighbour(statement: str) -> Neighbour:
        return Neighbour("known~1", "known", "operator", "something", claim(statement))

    four = neighbour("((A + A) + A) + A == (A + A) + A")
    with Portfolio([_Liar()]) as liar:
        yield "what a liar proves", decide(four, liar).standing, S.DISAGREEMENT
    unconfirmed = "smt.carlson_lisper.neighbours.smallest_counterexample"
    with patch(unconfirmed, lambda *_, **__: Search(unconfirmed=True)), Portfolio([Z3()]) as solver:
        decided = decide(neighbour("A | B == B | A"), solver)
        yield "a failure of tables that is not confirmed", decided.standing, S.DISAGREEMENT
    (theorem,) = find_claims(["theorem:4.6.seq"])
    both = neighbour("A | B == B | A")
    one_type = replace(both, claim=claim("a[t] == a", "a"))
    (altered,) = (one.definition for one in ALTERATIONS if one.operator == "seq")
    for title, true, false in (
        (
            "which bound is where",
            neighbour("A[t] | B[t] == (A | B)[t]"),
            neighbour("A[t] | B[u] == (A | B)[t]"),
        ),
        ("which side is included", neighbour("A - B <= A"), neighbour("A <= A - B")),
        ("what is an event type", one_type, neighbour("a[t] == a")),
        ("their definitions", replace(both, claim=theorem), replace(both, claim=theorem, altered=(altered,))),
    ):
        decided_all = decide_all(replace(one, id=f"known~{n}") for n, one in enumerate((true, false)))
        found = [one.standing.unbounded for one in decided_all]
        yield f"neighbours that differ in {title}", found, [True, False]
    for alteration in ALTERATIONS:
        (law,) = find_claims([alteration.law])
        changed = (alteration.operators()[alteration.operator],)
        one = Neighbour("known~1", law.id, "definition", alteration.what, law, changed)
        yield f"{law.id} with {alteration.what}", decide(one, Z3()).standing, S.REFUTED
    for standings, right in (
        ((S.REFUTED, S.PROVED), S.REFUTED),
        ((S.PROVED,), S.UNKNOWN),
        ((S.REFUTED, S.UNKNOWN), S.UNKNOWN),
        ((S.REFUTED, S.TESTED), S.UNKNOWN),
        ((S.REFUTED, S.DISAGREEMENT), S.DISAGREEMENT),
        ((S.REFUTED, S.ERROR), S.ERROR),
    ):
        (row,) = neighbour_table([Decision(neighbour("A == B"), standing) for standing in standings])
        yield f"neighbours that are {[one.value for one in standings]}", row.standing, right
        counted = sum(one is not S.REFUTED and not one.unbounded for one in standings)
        yield "how many are open", row.open, counted


@checks.known("altered definitions", "what a solver does not know is neither proved nor noticed")
def _altered() -> Iterator[Row]:
    definitions = {one.id: one for one in altered_definitions()}
    (about,) = find_claims(["relation:valid"])
    with Portfolio([Partial("z3", "no such word")]) as nobody:
        found = decide_alteration(definitions["valid.1~1"], [about], nobody, ())
        yield "a claim under it that nobody proves", (found.proved, found.open), ((), (about.id,))
    found = decide_alteration(definitions["primitive.1~2"], find_claims(["law:23"]), Z3(), ())
    yield "a law about event types that are defined in other words", found.proved, ("law:23",)
    source = replace(definitions["valid.1~1"], name="rem", definitions=SOURCE)
    yield "a definition as it is", noticed_by_lemma(source, Z3()), None


@checks.known("audit", "a proof is stable when its variants are proved")
def _audit() -> Iterator[Row]:
    proved, lost, model = Outcome("unsat", 100), Outcome("unknown", 100), Outcome("sat", 100)
    broken, dear = Outcome("error", 0), Outcome("unsat", 1_000_000_000)
    for title, original, several, right in (
        ("all proved", proved, (proved, proved), "stable"),
        ("none proved", proved, (lost, lost), "unstable"),
        ("half of them", proved, (proved, lost), "unstable"),
        ("much more work", proved, (dear, dear), "unstable"),
        ("most of them with much more work", proved, (proved, dear, dear), "unstable"),
        ("a tenth of them lost", proved, (*[proved] * 9, lost), "unstable"),
        ("no variant", proved, (), "unstable"),
        ("a model", proved, (proved, model), "contradiction"),
        ("a breakdown", proved, (proved, broken), "error"),
        ("no proof to begin with", lost, (), "unproved"),
        ("no proof but of variants", lost, (proved,), "unproved"),
    ):
        yield title, Stability("known", "z3 1", original, several).finding, right
    makers = [Z3, CVC5] if find_spec("cvc5") else [Z3]
    steady, shaky = (Stability("known", "z3 1", proved, (one,)) for one in (proved, lost))
    for title, rows, fine in (
        ("none", (), False),
        ("one", (steady,), True),
        ("a second", (steady, shaky), False),
    ):
        with patch("remora.verification.trust.stability", Mock(return_value=rows)) as varied:
            found = stable(Progress(quiet=True), [], 1, 0, lambda *_: None)
        yield f"proofs of which {title} is varied", found.ok, fine
        yield "whose they are", [maker for call in varied.mock_calls for maker in call.args[1]], makers


class _Modelling(Partial):
    """Has a model of every text that it does not prove."""

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """A proof or a model."""
        found = super().check(text, rlimit=rlimit, seed=seed)
        return found if found.status == "unsat" else replace(found, status="sat")


_AXIOMS = {"one": "first", "two": "second", "three": "third"}


@checks.known("variants", "a variant says the same in another way, and is asked for as much as is promised")
def _variants() -> Iterator[Row]:
    text = provable(find(["lemma:5.2"])[0]).obligations("int")[0].text
    for one in variants(text, "known", 3):
        back = {new: old for old, new in one.names.items()}
        same = [renamed(command, back) for command in parse_all(one.text)]
        yield f"variant {one.number}", sorted(map(str, same)), sorted(map(str, parse_all(text)))
        moved = one.text.splitlines() != text.splitlines(), any(old != new for new, old in back.items())
        yield f"variant {one.number} is written in another way", moved, (True, True)
    yield "names of variants", len({str(one.names) for one in variants(text, "known", 2)}), 2
    part = result(S.PROVED, "unsat", "sat", "unknown").obligations[0]
    yield "whose work is known", [solver for _, solver in known_work([part])], ["s0 1"]
    yield "a breakdown", ask_once(Partial("z3", "x", failing=True), Question("", 1)).status, "error"
    for word, finding in (("", "stable"), ("no such word", "unproved")):
        rows = stability([part.obligation], [lambda word=word: Partial("z3", word)], variants=2)  # type: ignore[misc]
        yield f"variants that are {finding}", [row.finding for row in rows], [finding]


@checks.known("needs", "an axiom is needed if there is no proof without it")
def _needs() -> Iterator[Row]:
    theory = Theory((), _AXIOMS)
    whole = replace(denied("goal"), theory=theory, axioms=tuple(_AXIOMS))
    for title, prover, right in (
        ("what needs the second", Partial("z3", "second"), ["spare", "unproved", "spare"]),
        ("what needs nothing", Partial("z3", ""), ["spare"] * 3),
        ("what has a model without it", _Modelling("z3", "second"), ["spare", "independent", "spare"]),
        ("what is not proved", Partial("z3", "fourth"), ["unused"] * 3),
    ):
        ways = [Way(lambda prover=prover: prover, 1, 1, 1)]  # type: ignore[misc]
        (row,) = needed_axioms([whole], ways, workers=1).rows
        yield title, [row.need(name) for name in _AXIOMS], right
    ways = [Way(lambda: Partial("z3", "second"), 1, 1, 1)]
    several = needed_axioms([whole, replace(whole, id="known/2", axioms=())], ways, workers=1)
    yield "what one of two parts needs", several.matrix["known"]["two"], "unproved"


@checks.known("levels", "two levels of the meaning that differ contradict each other")
def _levels() -> Iterator[Row]:
    for wrong in ((), (Interval(0, 4),), (Interval(1, 3),), (Interval(1, 3), Interval(0, 4))):
        meaning = Meaning(case_of("a ; b", "a@0 a@1 b@3 b@4"))
        vars(meaning)["expected"] = wrong
        yield f"{wrong} in the place of what is due", bool(meaning.contradiction), True


@checks.known("survivors", "a detector that no case finds wrong survives")
def _survivors() -> Iterator[Row]:
    system = cases_of("carlson_lisper")
    right = WrongDetector(lambda: Figure2, Figure2)
    make = system.maker(0, system.PROFILES, None, 0)
    found = power({"right": right}, system, make, 0, range(20))
    yield "a right detector", (found.survivors, dict(found.deaths)), (("right",), {})
    never = WRONG[Kind.MISSING][0]
    both = {"both": WrongDetector(lambda: never, never), "one": WrongDetector(lambda: never, Figure2)}
    found = power(both, system, make, 0, range(20))
    got = (found.survivors, [*found.deaths])
    yield "what fails cases that the right one fails too", got, (("both",), ["one"])
