"""What a first-order prover says beside what is known: agreement, disagreement, and what is neither."""

from dataclasses import replace
from pathlib import Path

import pytest

from laws.standings import Standing
from laws.systems import every_claim
from proofs.systems import provable_of
from proofs.third_opinions import SATISFIABLE, contradicted, third_opinions
from smt.attempts import ClaimResult, ObligationResult
from smt.first_order.provers import PROVERS, Installed, Opinion, Outcome, understood
from smt.first_order.translation import Problem
from smt.solvers.portfolio import Opinion as Solved
from smt.solvers.programs import Ended
from smt.solvers.solver import Answer, Status, Strategy

CLAIM = next(claim for claim in every_claim() if claim.id == "law:2")
OBLIGATION = provable_of(CLAIM).obligations("int")[0]


def part(standing: Standing, status: Status, hypotheses: str = SATISFIABLE) -> ObligationResult:
    solved = Solved("a solver", Strategy("one"), Answer(status, "a solver", 0.0, 1))
    return ObligationResult(OBLIGATION, standing, (solved,), hypotheses)


@pytest.mark.parametrize(
    ("outcome", "known", "disagrees"),
    [
        ("proved", part(Standing.AGREED, "unsat"), False),
        ("open", part(Standing.AGREED, "unsat"), False),
        ("not asked", part(Standing.REFUTED, "sat"), False),
        ("refuted", part(Standing.REFUTED, "sat"), False),
        ("refuted", part(Standing.UNKNOWN, "unknown"), False),
        ("proved", part(Standing.UNKNOWN, "unknown"), False),
        ("contradictory", part(Standing.PROVED, "unsat", "no streams"), False),
        ("proved", part(Standing.REFUTED, "unknown"), True),
        ("proved", part(Standing.UNKNOWN, "sat"), True),
        ("refuted", part(Standing.AGREED, "unsat"), True),
        ("contradictory", part(Standing.AGREED, "unsat"), True),
    ],
)
def test_a_disagreement_is_a_proof_of_what_is_false_or_a_refutation_of_what_is_proved(
    outcome: Outcome, known: ObligationResult, disagrees: bool
) -> None:
    assert bool(contradicted(known, Opinion(outcome))) is disagrees


@pytest.mark.parametrize(
    ("printed", "exact", "outcome"),
    [
        ("# SZS status Theorem", False, "proved"),
        ("% SZS status Theorem for problem", False, "proved"),
        ("# SZS status ContradictoryAxioms", True, "contradictory"),
        ("# SZS status CounterSatisfiable", True, "refuted"),
        ("# SZS status CounterSatisfiable", False, "open"),
        ("# SZS status ResourceOut", True, "open"),
        ("# SZS status Unheard", True, "open"),
        ("it says SZS status Theorem", True, "open"),
        ("# SZS status Theorem\n# SZS status CounterSatisfiable", True, "open"),
        ("", True, "open"),
    ],
)
def test_only_what_an_answer_is_worth_is_taken_from_it(printed: str, exact: bool, outcome: Outcome) -> None:
    assert understood(Ended(printed, 0, False), Problem("", exact)).outcome == outcome
    assert understood(Ended(printed, 0, True), Problem("", exact)).outcome == "open"


def test_a_prover_of_all_parts_disagrees_with_a_trace_that_refutes_one_of_them(tmp_path: Path) -> None:
    program = tmp_path / "eprover"
    program.write_text("#!/bin/sh\necho '# SZS status Theorem'\n")
    program.chmod(0o755)
    prover = Installed(PROVERS[0], program, "E")
    parts = (part(Standing.AGREED, "unsat"), part(Standing.UNKNOWN, "unknown"))
    known = ClaimResult(CLAIM, Standing.REFUTED, parts, None, 1, 0.0)
    assert len(third_opinions([known], [], prover).disagreements) == 2
    agreed = replace(known, obligations=known.obligations[:1])  # refuted by what it rests on
    assert third_opinions([agreed], [], prover).disagreements == []
    said = third_opinions([], [known], prover)
    assert [(each.false, each.opinion.outcome) for each in said.opinions] == [(True, "proved")]
