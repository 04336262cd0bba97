"""Random checks of claims with Hypothesis: streams of arbitrary instances, and expressions on traces.

A failure is shrunk by Hypothesis and replayed before it is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from laws.carlson_lisper.checks import counterexamples, strategies
from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim
from laws.outcomes import TestOutcome
from laws.standings import Standing
from semantics.carlson_lisper.expressions import BoundValues
from semantics.carlson_lisper.occurrences import Interpretation, Stream, Streams
from semantics.carlson_lisper.operators import OPERATORS, Operators

Found = counterexamples.Counterexample | counterexamples.RestrictionCounterexample


class _Failed(AssertionError):
    """A case that contradicts the claim; the last one raised is the smallest."""


def _search(
    strategy: st.SearchStrategy[Any], failure: Callable[[Any], object | None], examples: int, seed_number: int
) -> tuple[int, Any]:
    """Judge random cases; returns how many were judged and the smallest failing one, or None."""
    judged = 0
    smallest: Any = None

    @seed(seed_number)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    @given(strategy)
    def check(case: Any) -> None:
        nonlocal judged, smallest
        judged += 1
        if failure(case) is not None:
            smallest = case
            raise _Failed

    try:
        check()
    except _Failed:
        return judged, smallest
    return judged, None


def check_on_streams(
    claim: Claim, *, examples: int = 100, seed_number: int = 0, operators: Operators = OPERATORS
) -> TestOutcome:
    """Evaluate a claim on random streams of arbitrary instances."""
    limits = f"times up to {strategies.MAX_TIME}, bounds up to {strategies.MAX_BOUND} ticks"
    match claim:
        case EquationClaim():
            equation = claim
            strategy: st.SearchStrategy[Any] = st.tuples(
                strategies.stream_assignments(claim.variables, claim.primitive),
                st.fixed_dictionaries({name: strategies.bounds() for name in claim.parameters}),
            )

            def fails(case: tuple[Streams, BoundValues]) -> object | None:
                return True if counterexamples.contradicts(equation, *case, operators) else None

            judged, case = _search(strategy, fails, examples, seed_number)
            found: Found | None = (
                None if case is None else counterexamples.concretise(claim, case[0], case[1], operators)
            )
        case RestrictionClaim():
            restricted = claim

            def violated(case: tuple[Streams, int]) -> Found | None:
                return counterexamples.replay_restriction(restricted, *case, operators)

            judged, case = _search(_restricted_streams(claim, operators), violated, examples, seed_number)
            found = None if case is None else violated(case)
    return _outcome("streams", judged, f"random streams of up to 4 instances, {limits}", case, found)


@st.composite
def _restricted_streams(draw: st.DrawFn, claim: RestrictionClaim, operators: Operators) -> tuple[Streams, int]:
    """Streams that satisfy the assumptions of a claim: restrictions are drawn among the valid ones."""
    pool = draw(strategies.pools())
    bound = draw(strategies.bounds())
    wholes = {restricted: whole for whole, restricted in claim.restrictions}
    known: dict[str, Stream] = {}
    for name in claim.streams:
        if name in wholes:
            available = counterexamples.with_derived(claim, known, bound, operators)
            known[name] = draw(strategies.valid_restrictions(available[wholes[name]]))
        else:
            known[name] = draw(strategies.streams(pool))
    return known, bound


def check_on_expressions(claim: EquationClaim, *, examples: int = 100, seed_number: int = 0) -> TestOutcome:
    """Evaluate an equation with random expressions for its identifiers, on random traces."""
    types = f"{len(strategies.EVENTS)} event types"
    limits = f"random expressions of up to 3 leaves on traces of up to 8 occurrences of {types}"
    arbitrary = [name for name in claim.variables if name not in claim.primitive]
    events = (*strategies.EVENTS, *sorted(claim.primitive))
    strategy = st.tuples(
        st.fixed_dictionaries({name: strategies.expressions(events, max_leaves=3) for name in arbitrary}),
        st.fixed_dictionaries({name: strategies.bounds() for name in claim.parameters}),
        strategies.traces(events),
    )

    def fails(case: tuple[Any, BoundValues, Interpretation]) -> counterexamples.Counterexample | None:
        substitution, values, trace = case
        return counterexamples.replay(claim, substitution, values, trace.occurrences())

    judged, case = _search(strategy, fails, examples, seed_number)
    return _outcome("expressions", judged, limits, case, None if case is None else fails(case))


def _outcome(method: str, judged: int, bound: str, case: object, found: Found | None) -> TestOutcome:
    if case is None:
        return TestOutcome(method, Standing.TESTED, judged, bound)
    standing = Standing.ERROR if found is None else Standing.REFUTED
    return TestOutcome(method, standing, judged, bound, found)
