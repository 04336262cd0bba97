"""Known answers about evidence for errata, and about what a third prover says against what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat
from types import FunctionType
from typing import Any
from unittest.mock import Mock, patch

from detectors.carlson_lisper.source.figure2 import STEPS
from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    DisjunctionStep,
    RestrictionStep,
    SequenceStep,
)
from laws.carlson_lisper.derivations import derivations
from laws.carlson_lisper.invariants import STEP_LEMMAS
from laws.errata import Evidence
from laws.standings import Standing
from laws.systems import find
from proofs.carlson_lisper.errata import _FIGURES
from proofs.carlson_lisper.lemmas.faithfulness import sharing_objections, step_objections
from proofs.carlson_lisper.printed.source_counts import COUNTS
from proofs.carlson_lisper.proving import ScriptProof
from proofs.carlson_lisper.runs.steps import find_step_counterexample
from proofs.carlson_lisper.subject import Subject
from proofs.errata import examiner_of
from proofs.third_opinions import SATISFIABLE, contradicted, third_opinions
from remora.verification.known.answers import Checks, Row, always
from remora.verification.known.law_proofs import Partial
from remora.verification.known.verdicts import result
from semantics.carlson_lisper.expressions import Identifier, Operation
from semantics.carlson_lisper.occurrences import Instance
from smt.carlson_lisper.derivations import LinkResult, StepResult
from smt.carlson_lisper.entailment import Entailment
from smt.first_order.provers import Opinion
from smt.solvers.portfolio import Portfolio
from smt.solvers.z3_solver import Z3

checks = Checks()

_SOME, _NONE = "∃ e ∈ S e ∈ T", "¬ ∃ e ∈ S e ∈ T"
_STREAMS = {"streams": {"S": ["a@0"], "T": ["a@1"]}}

_SHOWN: Mapping[str, tuple[str, Mapping[str, Any], bool]] = {
    "what follows": ("claim", {"says": _SOME, "given": [_SOME], "expect": "holds"}, True),
    "what follows from a contradiction": (
        "claim",
        {"says": _SOME, "given": [_SOME, _NONE], "expect": "holds"},
        False,
    ),
    "what fails": ("claim", {"says": _SOME, "given": [_NONE], "expect": "fails", **_STREAMS}, True),
    "what fails where the assumption does too": (
        "claim",
        {"says": _SOME, "given": [_SOME], "expect": "fails", **_STREAMS},
        False,
    ),
    "a misprint": ("unreadable", {"expression": "a ;", "meant": "a ; b"}, True),
    "a misprint for what cannot be read": ("unreadable", {"expression": "a ;", "meant": "a ; ;"}, False),
    "all instances": (
        "evaluation",
        {"expression": "a | b", "trace": "a@0 b@1", "intervals": [[0, 0], [1, 1]]},
        True,
    ),
    "some instances": (
        "evaluation",
        {"expression": "a | b", "trace": "a@0 b@1", "intervals": [[0, 0]]},
        False,
    ),
}
"""Evidence, and whether it shows what it is said to show."""

_AND = {"stamps": ["x"], "given": ["(> x 1)"], "says": "(> x 0)", "expect": "follows"}
_OPEN: Sequence[tuple[str, str, Mapping[str, Any]]] = (
    ("carlson_lisper", "entails", {"says": "A | B == A", "laws": [1], "expect": "does not follow"}),
    ("carlson_lisper", "search", {"step": "law:17#1", "among": [2, 3], "sets": []}),
    ("carlson_lisper", "computation", {"number": 1, "proves": 1}),
    ("bry_eckert", "claim", {"claim": "rules:rewriting/join-commutes", "expect": "refuted"}),
    ("bry_eckert", "follows", _AND),
    ("hinze_voisard", "follows", {"meant": _AND}),
)
"""Evidence by system that shows nothing where the solver knows nothing."""


@checks.known(
    "what evidence shows", "evidence shows nothing by a contradiction, or by half of what comes out"
)
def _shown() -> Iterator[Row]:
    examine = examiner_of("carlson_lisper", Z3())
    for title, (check, details, right) in _SHOWN.items():
        yield title, examine(Evidence(check, details)).as_claimed, right
    with patch.dict(COUNTS, {"known": lambda: (False, "another number")}):
        yield (
            "a number that comes out otherwise",
            examine(Evidence("count", {"name": "known"})).as_claimed,
            False,
        )
    pairs = Evidence("profile", {"profile": "(e1 ; e2)", "log": "e1@0 e2@1", "meant": {"expect": ["[0, 1]"]}})
    for system, check, details in _OPEN:
        nobody = examiner_of(system, Partial("z3", "no such word"))
        yield f"{check} of which nobody knows", nobody(Evidence(check, details)).as_claimed, False
    yield from _of_chains()
    of_profiles = examiner_of("hinze_voisard", Z3())
    unlike = replace(pairs, details={**pairs.details, "printed": {"profile": "(e1 ; e2)", "expect": []}})
    yield "pairs", of_profiles(pairs).as_claimed, True
    yield "pairs that come out as printed", of_profiles(unlike).as_claimed, False
    with patch("semantics.hinze_voisard.literal.pairs", lambda *_: iter(())):
        yield "pairs that are none word for word", of_profiles(pairs).as_claimed, False


_FOLLOWS, _UNKNOWN = Entailment("follows", "known"), Entailment("unknown", "known")


def _of_chains() -> Iterator[Row]:
    """Steps that are printed with a law too many, and laws and figures of which one case is left."""
    step, printed = derivations()[0].steps[0], LinkResult("proved", _FOLLOWS, (2,))
    for meant, shown in (
        (LinkResult("proved", _FOLLOWS, ()), True),
        (LinkResult("not proved", _FOLLOWS, ()), False),
        (LinkResult("proved", _UNKNOWN, ()), False),
        (printed, False),
    ):
        asked = Evidence("step", {"step": "law:10#1", "expect": "superfluous 2"})
        with patch(f"{_ERRATA}.check_derivation", always([StepResult(step, meant, printed)])):
            found = examiner_of("carlson_lisper", Z3())(asked).as_claimed
            yield f"a law too many in a step that is meant as {meant}", found, shown
    sequence = Operation("seq", (Identifier("A"), Identifier("B")), None, 2)
    programs = {repr(make(sequence)) for make in _FIGURES.values()}
    yield "different programs for what the print of figures leaves open", len(programs), len(_FIGURES)
    figure = {"figure": "2, joined in the loop", "expression": "a", "expect": "valid on all traces"}
    for check, about, asked_one, last in (
        ("laws", {"time": "int"}, "prove_goal", Mock(status="unknown")),
        ("detection", {**figure, "instants": 2}, "rem", False),
    ):
        for title, first, shown in (("each", [], True), ("all but one", [last], False)):
            said = Mock(side_effect=chain(first, repeat(Mock(status="unsat"))))
            with patch(f"{_ERRATA}.{asked_one}", said):
                found = examiner_of("carlson_lisper", Z3())(Evidence(check, about)).as_claimed
            yield f"{check}, where {title} is as it should be", found, shown


_ERRATA = "proofs.carlson_lisper.errata"


@checks.known("third opinions", "a third prover that says what cannot be contradicts what is known")
def _third() -> Iterator[Row]:
    for standing, hypotheses, outcome, contrary in (
        (Standing.PROVED, SATISFIABLE, "contradictory", True),
        (Standing.PROVED, "no contradiction found", "contradictory", False),
        (Standing.REFUTED, "", "proved", True),
        (Standing.UNKNOWN, "", "proved", False),
        (Standing.PROVED, "", "refuted", True),
    ):
        (part,) = result(standing, "unsat" if standing is Standing.PROVED else "unknown").obligations
        said = contradicted(replace(part, hypotheses=hypotheses), Opinion(outcome))  # type: ignore[arg-type]
        yield f"{outcome}, where it is {standing.value}, {hypotheses}", bool(said), contrary
    prover: Any = Mock()
    refuted = replace(result(Standing.UNKNOWN, "unknown"), standing=Standing.REFUTED)
    with patch("proofs.third_opinions.asked", always(Opinion("proved"))):
        for title, true, false in (("claim", [refuted], []), ("false equation", [], [refuted])):
            found = len(third_opinions(true, false, prover).disagreements)
            yield f"all parts of a {title} are proved that a trace refutes", found, 1


class _Two:
    """A step of two variables."""

    __slots__ = ("one", "two")

    def __init__(self, one: object, two: object) -> None:
        self.one, self.two = one, two


def _with_candidate(_: object) -> SequenceStep:
    step = SequenceStep()
    step.queue.push(Instance.primitive("z", 40, None))
    return step


def _no_instance(step: DisjunctionStep, left: Instance, right: Instance) -> object:
    found = DisjunctionStep.step(step, left, right)
    return None if found is NON_OCCURRENCE else found


_WRONG: Mapping[str, Callable[[DisjunctionStep, Instance, Instance], object]] = {
    "that raises an exception": lambda _, left, right: left.no_such_name,  # type: ignore[attr-defined]
    "that outputs no instance": _no_instance,
    "that forgets what both operands have": lambda step, left, right: (
        NON_OCCURRENCE if left is right else DisjunctionStep.step(step, left, right)
    ),
}
"""Steps of a disjunction that are wrong."""


@checks.known("steps that are looked at", "a step is run from its beginning, with every bound, and by itself")
def _steps(portfolio: Portfolio) -> Iterator[Row]:
    shared = [[0], [0]]
    for title, make, found in (
        ("nothing", lambda: _Two([0], [0]), 0),
        ("their first variable", lambda: _Two(shared[0], [0]), 1),
        ("their second variable", lambda: _Two([0], shared[1]), 1),
    ):
        yield f"two steps that share {title}", len(sharing_objections(make)), found
    largest = FunctionType((lambda self, left, right: max(left, right)).__code__, {"max": lambda *_: None})
    own = type("_Own", (DisjunctionStep,), {"__slots__": (), "step": largest})
    yield "a step that has a max of its own", bool(step_objections(own)), True
    wrong = Subject(steps={**STEPS, "tim": lambda *_: RestrictionStep(0)})
    yield (
        "a restriction to 0 for every bound",
        find_step_counterexample(STEP_LEMMAS["lemma:5.6"], wrong) is None,
        False,
    )
    for title, step in _WRONG.items():
        made = type("_Wrong", (DisjunctionStep,), {"__slots__": (), "step": step})
        wrong = Subject(steps={**STEPS, "dis": always(made())})
        yield f"a step {title}", find_step_counterexample(STEP_LEMMAS["lemma:5.2"], wrong) is None, False
    wrong = Subject(steps={**STEPS, "seq": _with_candidate})
    inside = find_step_counterexample(STEP_LEMMAS["lemma:5.5"], wrong)
    yield "a step that keeps a candidate too many", inside is not None and inside.inside, True
    _, lemma = find(["lemma:5.5"])
    for title, factory, right in (("nothing", STEPS["seq"], True), ("a candidate", _with_candidate, False)):
        script = ScriptProof(lemma, Subject(steps={**STEPS, "seq": factory}))  # type: ignore[arg-type]
        (initial,) = (one.text for one in script.obligations("int") if one.direction == "initial")
        said = Z3().check(initial, rlimit=500_000).status
        yield f"a sequence that begins with {title}", said == "unsat", right
    (corollary,) = find(["corollary:4.4"])
    proof = ScriptProof(corollary, Subject())  # type: ignore[arg-type]
    first, second = list(proof.obligations("int"))[:2]
    proof._parts[second.direction] = replace(second, assertions=("false", *first.assertions))
    for part, vacuous in ((first, False), (second, True)):
        found = proof.hypotheses(part.direction, portfolio).vacuous
        yield f"whether what {part.direction} assumes contradicts itself", found, vacuous
