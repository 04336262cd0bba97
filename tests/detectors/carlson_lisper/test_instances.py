"""Every detector of instances: valid restrictions of the meaning, within the stated memory, whatever else occurs."""

import pytest
from hypothesis import assume, given, settings, strategies as st

from detectors.carlson_lisper.catalogue import DETECTORS
from detectors.carlson_lisper.protocol import instants, run
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.intervals import Intervals
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, interpretation
from semantics.carlson_lisper.restriction import rem, valid

quick = settings(deadline=None, max_examples=40)

every_detector = pytest.mark.parametrize("name", DETECTORS)


def detected(name: str, expression: Expression, trace: Interpretation) -> list[Instance]:
    return list(run(DETECTORS[name](expression), instants(trace)))


def spans(found: list[Instance]) -> list[tuple[int, int]]:
    return [instance.interval for instance in found]


def sequences_with_short_right_sides() -> st.SearchStrategy[Expression]:
    """Sequences that Figure 4 detects with bounded memory and whose right sides have lengths."""
    right = st.builds(lambda e, bound: e[bound], expressions(max_leaves=3), st.integers(0, 5))
    return st.builds(lambda a, b: a.then(b), expressions(max_leaves=3), right)


@every_detector
@quick
@given(expression=expressions(), trace=traces())
def test_the_output_at_every_instant_is_valid_and_together_they_are_a_restriction_of_the_meaning(
    name: str, expression: Expression, trace: Interpretation
) -> None:
    # Theorem 5.1; Lemmas 5.2-5.6, conclusion i
    meaning, detector, at = denotation(expression, trace), DETECTORS[name](expression), dict(instants(trace))
    found = [detector.step(time, at.get(time, {})) for time in range(14)]
    assert all(valid(output, meaning, time) for time, output in enumerate(found))
    assert rem(meaning, frozenset(output for output in found if output is not None))


@every_detector
@quick
@given(
    expression=expressions(max_leaves=8) | sequences_with_short_right_sides(), trace=traces(max_time=60, max_size=40)
)
def test_on_longer_traces_the_intervals_are_those_of_the_interval_semantics_within_the_stated_memory(
    name: str, expression: Expression, trace: Interpretation
) -> None:
    detector, found = DETECTORS[name](expression), []
    for time, occurring in instants(trace):
        found.append(detector.step(time, occurring))
        assert all(0 <= node.stored <= node.bound for node in detector.state())
    instances = [instance for instance in found if instance is not None]
    assert spans(instances) == Intervals(expression, trace).restricted()
    assume(len(instances) <= 12)
    members = Intervals(expression, trace)
    assert all(instance in members for instance in instances)


@every_detector
@quick
@given(expression=expressions(), trace=traces(), busy=st.sets(st.integers(0, 13)), noisy=st.booleans())
def test_instants_with_nothing_or_with_irrelevant_occurrences_change_nothing(
    name: str, expression: Expression, trace: Interpretation, busy: set[int], noisy: bool
) -> None:
    noise = {"noise": 1} if noisy else {}
    detector, at = DETECTORS[name](expression), dict(instants(trace))
    found = [detector.step(time, {**at.get(time, {}), **noise}) for time in sorted(busy | set(at))]
    assert [instance for instance in found if instance is not None] == detected(name, expression, trace)


@every_detector
@quick
@given(expression=expressions(max_bound=5), trace=traces(), gap=st.integers(10**6, 10**12))
def test_a_huge_gap_changes_nothing_but_what_spans_it(
    name: str, expression: Expression, trace: Interpretation, gap: int
) -> None:
    later = interpretation(Occurrence(o.event, o.time + gap) for o in trace.occurrences())
    both = interpretation([*trace.occurrences(), *later.occurrences()])
    found = spans(detected(name, expression[20], trace))
    shifted = [(start + gap, end + gap) for start, end in found]
    assert spans(detected(name, expression[20], both)) == found + shifted
    assert spans(detected(name, expression, both)) == Intervals(expression, both).restricted()
