import pytest
from hypothesis import given, settings, strategies as st

from discovery.carlson_lisper.egraph import plain
from discovery.carlson_lisper.optimisation.costs import SLACK, USUAL, cost
from discovery.carlson_lisper.optimisation.optimising import equations, optimised, shared_parts
from discovery.carlson_lisper.optimisation.superfluous import superfluous
from laws.carlson_lisper.checks.strategies import expressions
from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper.decisions import LEVELS, Decider, Level
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.syntax import parse, parse_equation
from semantics.errors import EnginesDisagree, InputError
from tests.discovery.carlson_lisper.steps import replayed
from tests.tables import table

PATTERNS = expressions(max_leaves=6, max_bound=3)


@pytest.mark.parametrize(("text", "result"), table(__file__, "cheaper"))
def test_patterns_become_the_cheapest_that_say_the_same(text: str, result: str) -> None:
    assert str(optimised(parse(text)).result) == result


@pytest.mark.parametrize("text", table(__file__, "as it is"))
def test_a_pattern_that_nothing_makes_cheaper_stays(text: str) -> None:
    found = optimised(parse(text))
    assert (found.result, found.chain, found.is_cheaper) == (found.pattern, (), False)


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(PATTERNS, st.sampled_from(LEVELS), st.sampled_from(["time", "memory", "size"]))
def test_the_result_says_the_same_costs_no_more_and_each_step_is_a_law(
    pattern: Expression, level: Level, by: str
) -> None:
    found = optimised(pattern, level, by, {"a": 0.4}, nodes=400)  # type: ignore[arg-type]
    assert Decider((pattern, found.result)).decide(pattern, found.result, level).holds
    assert found.after.key(by) <= found.before.key(by)  # type: ignore[arg-type]
    if by == "time":
        assert all(found.after.times[name] <= found.before.times[name] * SLACK for name in found.before.times)
    assert replayed(plain(pattern), found.chain, identifiers(pattern)) == plain(found.result)
    assert {step.claim for step in found.chain} <= {*equations(level)}


def test_a_law_that_is_wrong_is_noticed_and_nothing_is_offered() -> None:
    wrong = EquationClaim("wrong", parse_equation("A ; B ~= B"))
    with pytest.raises(EnginesDisagree, match="automata tell apart"):
        optimised(parse("a ; b"), rules=[wrong])


def test_what_is_not_decided_is_said_and_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smt.carlson_lisper.law_proofs.prove_patterns", lambda *_, **__: None)
    pattern = parse("((a ; b)[400] + (b ; a)[300]) | ((a ; b)[400] + (b ; a)[300])")
    found = optimised(pattern, steps=500)
    assert (found.result, found.chain) == (pattern, ())
    assert found.undecided == parse("(a ; b)[400] + (b ; a)[300]")
    assert "not decided" in found.check


def test_where_automata_are_too_large_solvers_prove_it() -> None:
    found = optimised(parse("(a ; c)[1000000000] | (b ; c)[1000000000]"), "meaning")
    assert (str(found.result), found.undecided) == ("((a | b) ; c)[1000000000]", None)


def test_a_law_of_detections_is_not_used_for_the_same_instances() -> None:
    assert optimised(parse("a + a"), "detection").is_cheaper
    assert not optimised(parse("a + a"), "meaning").is_cheaper


def test_symbolic_bounds_are_refused() -> None:
    from semantics.carlson_lisper.syntax import parse_schema

    with pytest.raises(InputError, match="symbolic"):
        optimised(parse_schema("a[t]"))


def test_frequencies_decide_what_is_cheap() -> None:
    rare, often = (cost(parse("a ; b"), {"a": USUAL, "b": share}) for share in (0.001, 0.5))
    assert all(rare.times[name] < often.times[name] for name in rare.times)


def test_parts_in_common_are_the_largest() -> None:
    patterns = list(map(parse, ("(a ; b ; c)[5]", "(a ; b ; c) - d", "(a ; b) | e", "d")))
    found = [(str(part), among) for part, among in shared_parts(patterns).items()]
    assert found == [("a ; b ; c", (0, 1)), ("a ; b", (0, 1, 2))]


@pytest.mark.parametrize(("text", "said"), table(__file__, "superfluous"))
def test_what_never_matters_is_found(text: str, said: list[list[object]]) -> None:
    found, decided = superfluous(parse(text), 200_000)
    assert decided
    shown = [
        [str(one.part) if one.part else "", -1 if one.least is None else one.least, str(one.shorter)] for one in found
    ]
    assert shown == said


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(PATTERNS)
def test_without_what_never_matters_the_same_is_detected_and_all_else_matters(pattern: Expression) -> None:
    found, decided = superfluous(pattern, 1_000_000)
    assert decided
    for one in found:
        assert Decider((pattern, one.shorter)).decide(pattern, one.shorter).holds
    if found:
        assert superfluous(found[-1].shorter, 1_000_000) == ((), True)


def test_a_limit_on_the_questions_is_said() -> None:
    assert superfluous(parse("(a ; b ; c)[300] - (d ; e)[200]"), 1000) == ((), False)
