"""Random checks of claims with Hypothesis: streams of arbitrary instances, and expressions on traces.

A failure is shrunk by Hypothesis and replayed before it is reported.
"""

from collections.abc import Callable
from random import Random
from typing import TypeVar

from hypothesis import Phase, find, settings, strategies as st
from hypothesis.errors import NoSuchExample

from laws.carlson_lisper.checks import counterexamples, strategies
from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim
from laws.outcomes import TestOutcome
from laws.standings import Standing
from semantics.carlson_lisper.expressions import BoundValues, Expression
from semantics.carlson_lisper.occurrences import Interpretation, Stream, Streams
from semantics.carlson_lisper.operators import OPERATORS, Operators

CaseT = TypeVar("CaseT")
Found = counterexamples.Counterexample | counterexamples.RestrictionCounterexample


def _checked(
    method: str,
    bound: str,
    strategy: st.SearchStrategy[CaseT],
    replayed: Callable[[CaseT], Found | None],
    examples: int,
    seed_number: int,
    fails: Callable[[CaseT], bool] | None = None,
) -> TestOutcome:
    """Judge random cases; the smallest that fails, which replaying says unless something else does, is replayed."""
    judged = 0

    def counted(case: CaseT) -> bool:
        nonlocal judged
        judged += 1
        return replayed(case) is not None if fails is None else fails(case)

    wanted = settings(
        max_examples=examples, database=None, deadline=None, phases=(Phase.generate, Phase.shrink), derandomize=False
    )
    try:
        found = replayed(find(strategy, counted, settings=wanted, random=Random(seed_number)))
    except NoSuchExample:
        return TestOutcome(method, Standing.TESTED, judged, bound)
    standing = Standing.ERROR if found is None else Standing.REFUTED
    return TestOutcome(method, standing, judged, bound, found)


def check_on_streams(
    claim: Claim, *, examples: int = 100, seed_number: int = 0, operators: Operators = OPERATORS
) -> TestOutcome:
    """Evaluate a claim on random streams of arbitrary instances."""
    limits = f"times up to {strategies.MAX_TIME}, bounds up to {strategies.MAX_BOUND} ticks"
    bound = f"random streams of up to 4 instances, {limits}"
    if isinstance(claim, RestrictionClaim):

        def violated(case: tuple[Streams, int]) -> Found | None:
            return counterexamples.replay_restriction(claim, *case, operators)

        return _checked("streams", bound, _restricted_streams(claim, operators), violated, examples, seed_number)

    def fails(case: tuple[Streams, BoundValues]) -> bool:
        return counterexamples.contradicts(claim, *case, operators)

    def replayed(case: tuple[Streams, BoundValues]) -> Found | None:
        return counterexamples.concretise(claim, *case, operators)

    assigned = strategies.stream_assignments(claim.variables, claim.primitive)
    strategy = st.tuples(assigned, st.fixed_dictionaries({name: strategies.bounds() for name in claim.parameters}))
    return _checked("streams", bound, strategy, replayed, examples, seed_number, fails)


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
    bound = f"random expressions of up to 3 leaves on traces of up to 8 occurrences of {types}"
    arbitrary = [name for name in claim.variables if name not in claim.primitive]
    events = (*strategies.EVENTS, *sorted(claim.primitive))
    strategy = st.tuples(
        st.fixed_dictionaries({name: strategies.expressions(events, max_leaves=3) for name in arbitrary}),
        st.fixed_dictionaries({name: strategies.bounds() for name in claim.parameters}),
        strategies.traces(events),
    )

    def replayed(case: tuple[dict[str, Expression], BoundValues, Interpretation]) -> Found | None:
        substitution, values, trace = case
        return counterexamples.replay(claim, substitution, values, trace.occurrences())

    return _checked("expressions", bound, strategy, replayed, examples, seed_number)
