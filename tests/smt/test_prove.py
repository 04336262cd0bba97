"""Proofs and refutations: what a claim's standing rests on, and what each engine's failure does to it."""

from dataclasses import replace

import pytest

from laws.carlson_lisper.checks.counterexamples import (
    Counterexample,
    RestrictionCounterexample,
    in_parts,
    replay,
    replay_restriction,
)
from laws.carlson_lisper.claims import (
    Claim,
    EquationClaim,
    RestrictionClaim,
    canaries,
    catalogue,
    find,
    scripted_theorems,
)
from laws.carlson_lisper.mutations import ALTERED_OPERATORS, AlteredOperator
from laws.standings import ExitStatus, Standing, exit_status
from smt.attempts import Attempt, Search, prove_all
from smt.carlson_lisper import law_proofs
from smt.carlson_lisper.law_proofs import LADDER, LawProof, prove
from smt.carlson_lisper.obligations import BASE_AXIOMS, UNION_AXIOMS, directions
from smt.carlson_lisper.stated import part_obligations
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Answer, Portfolio, SolverFailed
from tests.laws.carlson_lisper.conjectures import conjecture
from tests.smt.fakes import Fake, told, z3

TIMES: tuple[TimeSort, ...] = ("int", "real")
NO_BUDGET = (Attempt(BASE_AXIOMS, {"z3": 1, "cvc5": 1}),) * 3


def equation(name: str) -> EquationClaim:
    (claim,) = find([name])
    assert isinstance(claim, EquationClaim)
    return claim


# That the texts over the other time are those that were proved is for `tests/proofs/test_record.py`.
@pytest.mark.parametrize(
    ("claim", "time"),
    [
        pytest.param(claim, TIMES[place % 2], id=claim.id, marks=pytest.mark.slow if place % 6 else ())
        for place, claim in enumerate(catalogue())
    ],
)
def test_every_claim_of_the_source_is_proved_for_all_streams(claim: Claim, time: TimeSort) -> None:
    result = prove(claim, z3(), time=time)
    assert result.standing is Standing.PROVED, result.reason
    assert [part.obligation.direction for part in result.obligations] == list(directions(claim))
    assert {part.hypotheses for part in result.obligations} == {"satisfiable"}
    assert result.counterexample is None


def test_what_is_done_is_told_claim_by_claim() -> None:
    told: list[tuple[str, int]] = []
    claims = [conjecture("A + A == A"), conjecture("A + B + C + A + B + C ~= A + B + C"), equation("14")]
    results = prove_all(
        [LawProof(claim) for claim in claims], Portfolio([z3()]), progress=lambda *said: told.append(said)
    )
    assert [result.standing for result in results] == [Standing.REFUTED, Standing.PROVED, Standing.PROVED]
    asked, concluded = told[:6], told[6:]
    assert {(said, done) for said, done in asked} == {("conjecture", 0), ("conjecture", 1), ("law:14", 2)}
    assert [(said.partition(": ")[2], done) for said, done in concluded] == [
        ("looking for a counterexample", 3),
        ("looking for a counterexample", 4),
        ("looking for another way to prove it", 4),
        ("attempt 2 of 5", 4),
        ("looking at small cases, and at what is assumed", 4),
        ("looking at small cases, and at what is assumed", 5),
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "A + A ~= A", "A | (B ; A) ~= A", "A ; B <= A + B", "A - B <= A", "A[t] <= A[max(t, u)]",
        "A[min(t, u)] <= A[t]", "A - (B + C) == (A - B) | (A - C)", "A[3][5] == A[3]", "A == A",
        "A + (A + A) [=] A + A",
    ],
)  # fmt: skip
def test_a_true_conjecture_is_proved(statement: str) -> None:
    result = prove(conjecture(statement), z3())
    assert result.standing is Standing.PROVED, result.reason


@pytest.mark.parametrize("statement", ["a + a == a | (a ; a)", "(a + a)[0] == a", "a[t] == a[u]", "a - (a ; a) == a"])
def test_some_conjectures_hold_for_primitive_event_types_only(statement: str) -> None:
    assert prove(conjecture(statement, "a"), z3()).standing is Standing.PROVED
    assert prove(conjecture(statement), z3()).standing is Standing.REFUTED


@pytest.mark.parametrize("names", ["start end", "a1 b1", "let forall", "Instance Int", "bound t", "A a"])
def test_the_standing_does_not_depend_on_the_names_that_were_chosen(names: str) -> None:
    one, other = names.split()
    assert prove(conjecture(f"{one} ; {other} == {other} ; {one}"), z3()).standing is Standing.REFUTED


@pytest.mark.parametrize("alteration", ALTERED_OPERATORS, ids=lambda alteration: alteration.operator)
def test_a_law_is_refuted_once_an_operator_is_altered(alteration: AlteredOperator) -> None:
    assert prove(equation(alteration.law), z3(), operators=alteration.operators()).standing is Standing.REFUTED


@pytest.mark.parametrize("altered", ALTERED_OPERATORS, ids=lambda altered: altered.operator)
def test_what_ends_now_is_not_proved_of_an_altered_operator(altered: AlteredOperator) -> None:
    (theorem,) = (each for each in scripted_theorems() if each.id == "theorem:ends-now")
    parts = part_obligations(theorem, "int", altered.operators())
    failing = {part.direction.split()[0] for part in parts if z3().check(part.text, rlimit=100_000).status != "unsat"}
    assert failing == {altered.definition.title.split()[-1]}


@pytest.mark.parametrize(
    ("canary", "time"),
    [
        pytest.param(canary, time, id=canary.id, marks=pytest.mark.slow if time == "real" else ())
        for place, canary in enumerate(canaries())
        for time in canary.times[place % 2 and isinstance(canary, EquationClaim) and canary.alone :][:1]
    ],
)
@pytest.mark.long  # the test of the README refutes all of them
def test_every_canary_is_refuted_by_a_replayed_trace(canary: Claim, time: TimeSort) -> None:
    result = prove(canary, z3(), time=time)
    assert result.standing is Standing.REFUTED
    found = result.counterexample
    if isinstance(canary, RestrictionClaim):
        assert isinstance(found, RestrictionCounterexample)
        given = {name: found.streams[name] for name in canary.streams}
        assert replay_restriction(canary, given, found.bound) == found
    else:
        assert isinstance(found, Counterexample)
        parts = found.parts_of_tick
        replayed = replay(in_parts(canary, parts), found.substitution, found.bounds, found.trace)
        assert replayed is not None
        assert (replayed.left, replayed.right) == (found.left, found.right)
    assert result.reason == found.summary()
    assert Standing.REFUTED in {part.standing for part in result.obligations}


@pytest.mark.parametrize(("name", "reached"), [("6", 4), ("theorem:4.6.seq", 2)])
def test_running_out_of_budget_is_unknown_and_not_green(name: str, reached: int) -> None:
    result = prove(find([name])[0], z3(), ladder=NO_BUDGET)
    assert result.standing is Standing.UNKNOWN
    assert exit_status([result.standing]) is ExitStatus.INCONCLUSIVE
    assert "gave up" in result.reason
    assert f"no counterexample over {reached} occurrences or fewer" in result.reason


def test_a_law_of_the_source_that_says_the_same_on_both_sides_is_unknown() -> None:
    result = prove(replace(conjecture("(A - B)[t] == (A - B)[t]"), source="law 28 as printed"), z3())
    assert (result.standing, "vacuous" in result.reason) == (Standing.UNKNOWN, True)


def test_a_claim_whose_smaller_side_never_has_an_instance_is_unknown_if_of_the_source_and_else_says_so() -> None:
    result = prove(replace(conjecture("A - A <= B"), source="nowhere"), z3())
    assert (result.standing, "possibly vacuous" in result.reason) == (Standing.UNKNOWN, True)
    result = prove(conjecture("A - A <= B"), z3())
    assert result.standing is Standing.PROVED
    assert "no streams over a few occurrences" in result.obligations[0].hypotheses
    assert result.reason == "holds because no trace has an instance of the left side"


def test_what_holds_in_discrete_time_only_is_not_proved_in_dense_time() -> None:
    steps = conjecture("(A ; B ; C)[1] <= A - A")
    assert prove(steps, z3()).standing is Standing.PROVED
    dense = prove(steps, z3(), time="real")
    assert dense.standing is Standing.REFUTED
    assert isinstance(dense.counterexample, Counterexample)
    assert dense.counterexample.parts_of_tick == 2
    assert "with times and bounds in 1/2 of a tick" in dense.reason
    assert "all times and bounds below in 1/2 of a tick" in dense.counterexample.statement


@pytest.mark.slow
def test_dense_time_refutes_with_more_occurrences_than_the_search_ranges_over() -> None:
    claim = conjecture("((A;B;C;D;E)-F)[2] <= A - A")
    result = prove(claim, z3(), time="real")
    found = result.counterexample
    assert isinstance(found, Counterexample)
    assert len(found.trace) == 5
    assert result.searched == 4
    assert prove(claim, z3(), ladder=LADDER[:2]).standing is not Standing.REFUTED


LETTERS = "ABCDEFGHIJKL"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "standing"),
    [
        (f"{' ; '.join(LETTERS[:8])} == {' ; '.join('ABCDEFHG')}", Standing.REFUTED),
        (f"{' | '.join(LETTERS)} == {' | '.join(LETTERS[:-1])}", Standing.REFUTED),
        (f"{' | '.join(LETTERS)} == {' | '.join(reversed(LETTERS))}", Standing.PROVED),
        ("(A ; B ; C ; D)[10] <= ((A ; B)[5] ; C ; D)[10] | (A ; B ; (C ; D)[5])[10]", Standing.PROVED),
    ],
)
def test_many_identifiers_are_no_obstacle(statement: str, standing: Standing) -> None:
    result = prove(conjecture(statement), z3(), ladder=LADDER[:3])
    assert result.standing is standing, result.reason


class Broken(Fake):
    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        raise SolverFailed("out of order")


UNSAT = Answer("unsat", "fake", 0.0, 0)


@pytest.mark.parametrize("statement", ["A ; B == B ; A", "A[t] == A", "A | B ~= A", "A + A [=] A"])
def test_a_solver_that_proves_what_a_trace_contradicts_is_a_disagreement(statement: str) -> None:
    result = prove(conjecture(statement), Fake(obligations=UNSAT))
    assert result.standing is Standing.DISAGREEMENT
    assert exit_status([result.standing]) is ExitStatus.DISAGREEMENT
    assert isinstance(result.counterexample, Counterexample)
    assert result.reason == "the solvers proved what a replayed trace contradicts"


@pytest.mark.parametrize("source", ["", "nowhere"])
def test_a_solver_that_answers_unsat_to_everything_proves_nothing(source: str) -> None:
    assert not prove(replace(conjecture("A ; B == B ; A"), source=source), told(UNSAT)).standing.unbounded


def test_another_way_to_a_proof_that_small_cases_contradict_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs = prove(conjecture("A | B == B | A"), z3()).obligations
    monkeypatch.setattr(law_proofs, "find_counterexample", lambda *_, **__: Search())
    monkeypatch.setattr(law_proofs, "by_induction", lambda *_: proofs)
    assert prove(conjecture("A ; B == B ; A"), z3()).standing is Standing.DISAGREEMENT


def test_a_model_of_a_denial_alone_refutes_nothing() -> None:
    result = prove(equation("law:3"), Fake(obligations=Answer("sat", "fake", 0.0, 0)))
    assert result.standing is Standing.UNKNOWN
    assert "has a model of the denial" in result.reason


@pytest.mark.parametrize("name", ["3", "theorem:4.5"])
def test_a_solver_that_does_not_work_is_an_error_of_the_infrastructure(name: str) -> None:
    result = prove(find([name])[0], Broken())
    assert result.standing is Standing.ERROR
    assert exit_status([result.standing]) is ExitStatus.INFRASTRUCTURE
    assert result.reason == "out of order"


def test_obligations_are_tried_without_the_laws_of_union_first() -> None:
    for law, joined in (("law:2", False), ("law:5", False), ("law:3", True)):
        used = prove(equation(law), Fake()).obligations[0].obligation.axioms
        assert (set(UNION_AXIOMS) <= set(used), "join-commutative" in used) == (joined, joined)
