"""Occurrences, instances, and what is admissible as an interpretation (Def. 3.1-3.9)."""

import copy
import pickle
from functools import reduce
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from laws.carlson_lisper.checks.strategies import traces
from semantics.carlson_lisper import occurrences
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, Value, interpretation
from semantics.errors import InputError

VALUES: st.SearchStrategy[Value] = st.one_of(
    st.none(), st.text(max_size=3), st.integers(-2, 2), st.booleans(), st.floats(allow_nan=False)
)
OCCURRENCES = st.builds(Occurrence, st.sampled_from("abc"), st.integers(0, 9), VALUES)
SETS = st.frozensets(OCCURRENCES, min_size=1, max_size=6)
INSTANCES = SETS.map(Instance)
quick = settings(deadline=None, max_examples=25)


def test_the_instance_of_example_3_2_spans_from_2_to_5() -> None:
    instance = Instance([Occurrence("T", 2, 12), Occurrence("P", 4, "low"), Occurrence("T", 5, 8)])
    assert instance.interval == (2, 5)
    assert repr(instance) == "{T(12)@2, P(low)@4, T(8)@5}"


def test_an_instance_without_occurrences_does_not_exist() -> None:
    with pytest.raises(ValueError, match=r"at least one occurrence \(Def\. 3\.7\)"):
        Instance([])


@quick
@given(SETS, SETS)
def test_a_join_is_the_union_of_the_occurrences_which_alone_tell_instances_apart(
    left: frozenset[Occurrence], right: frozenset[Occurrence]
) -> None:
    joined = Instance(left).join(Instance(right))
    for again in (joined, pickle.loads(pickle.dumps(joined)), copy.deepcopy(joined)):
        assert (again.interval, again.occurrences) == (Instance(left | right).interval, left | right)
        assert (again, hash(again)) == (joined, hash(joined))
    assert (Instance(left) == Instance(right)) is (left == right)


def test_a_join_of_many_instances_does_not_recurse() -> None:
    parts = [Instance.primitive("a", time) for time in range(10_000)]
    for deep in (reduce(Instance.join, parts), reduce(lambda joined, part: part.join(joined), parts)):
        assert (deep.interval, len(deep.occurrences)) == ((0, 9_999), 10_000)


@quick
@given(st.frozensets(INSTANCES, max_size=6), st.randoms(use_true_random=False))
def test_a_stream_is_printed_by_end_then_start_however_built(stream: frozenset[Instance], random: Random) -> None:
    printed = occurrences.by_end_time(random.sample(list(stream), len(stream)))
    assert printed == occurrences.by_end_time(stream)
    assert printed == sorted(printed, key=lambda instance: (instance.end, instance.start))


def test_a_type_that_never_occurs_has_the_empty_stream_and_is_not_listed() -> None:
    scenario = interpretation([Occurrence("a", 1)])
    assert scenario["b"] == frozenset()
    assert list(scenario) == ["a"]


def test_one_type_does_not_occur_twice_at_one_time_nor_at_what_is_no_natural_number() -> None:
    with pytest.raises(InputError, match=r"a occurs twice at time 3.*Def\. 3\.4"):
        interpretation([Occurrence("a", 3, "x"), Occurrence("a", 3, "y")])
    with pytest.raises(InputError, match=r"natural number of ticks \(Def\. 3\.1\)"):
        interpretation([Occurrence("a", -1)])


@quick
@given(traces())
def test_an_interpretation_is_rebuilt_from_its_occurrences(scenario: Interpretation) -> None:
    listed = scenario.occurrences()
    assert listed == sorted(listed, key=Occurrence.sort_key)
    assert interpretation(reversed(listed)) == scenario
