"""Known answers about evidence for errata, and about what a third prover says against what is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any
from unittest.mock import patch

from detectors.carlson_lisper.source.figure2 import STEPS
from detectors.carlson_lisper.source.steps import DisjunctionStep, RestrictionStep, SequenceStep
from laws.carlson_lisper.invariants import STEP_LEMMAS
from laws.errata import Evidence
from laws.standings import Standing
from laws.systems import find
from proofs.carlson_lisper.lemmas.faithfulness import sharing_objections, step_objections
from proofs.carlson_lisper.printed.source_counts import COUNTS
from proofs.carlson_lisper.proving import ScriptProof
from proofs.carlson_lisper.runs.steps import find_step_counterexample
from proofs.carlson_lisper.subject import Subject
from proofs.errata import examiner_of
from proofs.third_opinions import SATISFIABLE, contradicted
from remora.verification.known.answers import Checks, Row
from remora.verification.known.verdicts import result
from semantics.carlson_lisper.occurrences import Instance
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
    of_profiles = examiner_of("hinze_voisard", Z3())
    pairs = Evidence("profile", {"profile": "(e1 ; e2)", "log": "e1@0 e2@1", "meant": {"expect": ["[0, 1]"]}})
    yield "pairs", of_profiles(pairs).as_claimed, True
    with patch("semantics.hinze_voisard.literal.pairs", lambda *_: iter(())):
        yield "pairs that are none word for word", of_profiles(pairs).as_claimed, False


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


class _Two:
    """A step of two variables."""

    __slots__ = ("one", "two")

    def __init__(self, one: object, two: object) -> None:
        self.one, self.two = one, two


def _with_candidate(_: object) -> SequenceStep:
    step = SequenceStep()
    step.queue.push(Instance.primitive("z", 40, None))
    return step


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
