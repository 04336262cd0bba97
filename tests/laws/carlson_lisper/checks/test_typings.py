"""Event types shared by occurrences: which streams can still be written as expressions."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings

from laws.carlson_lisper.checks.counterexamples import realise
from laws.carlson_lisper.checks.strategies import stream_assignments
from laws.carlson_lisper.checks.truth_tables import ClaimTables
from laws.carlson_lisper.checks.typings import cover, patterns, ranks_of, singles, typings, writable
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Identifier
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream, interpretation, occurrences_in


def test_occurrences_at_one_time_have_different_types() -> None:
    assert typings((0, 1), 1) == ((0, 0),)
    assert typings((0, 0), 1) == ()
    assert typings((0, 0, 1), 2) == ((0, 1, 0), (0, 1, 1))
    assert [len(typings((0, 1, 2, 3), number)) for number in range(1, 5)] == [1, 7, 6, 1]


@pytest.mark.parametrize("ranks", [(0, 1, 2), (0, 0, 1), (0, 1, 1), (0, 1, 2, 3)])
def test_a_pattern_denotes_what_it_says_on_any_trace_in_that_order(ranks: tuple[int, ...]) -> None:
    for number in range(1, len(ranks) + 1):
        for typing in typings(ranks, number):
            trace = [Occurrence(str(t), 7 * rank + 2) for t, rank in zip(typing, ranks, strict=True)]
            known = patterns(ranks, typing)
            assert len({pattern.masks for pattern in known}) == len(known)
            for pattern in known:
                expected = {Instance(o for place, o in enumerate(trace) if mask >> place & 1) for mask in pattern.masks}
                assert denotation(pattern.expression, interpretation(trace)) == expected


def test_with_a_type_for_each_occurrence_every_instance_is_a_pattern() -> None:
    masks = {pattern.masks for pattern in patterns((0, 0, 1), (0, 1, 2))}
    assert {frozenset({mask}) for mask in range(1, 8)} <= masks


def test_one_of_two_occurrences_of_a_type_cannot_be_written_alone() -> None:
    known = patterns((0, 1), (0, 0))
    assert cover(frozenset({1}), known) is None
    assert cover(singles((0, 0), 0), known) is not None
    assert cover(frozenset({3}), known) is not None
    assert cover(frozenset(), known) == ()


@pytest.mark.parametrize("times", [(0, 1), (0, 0)])
def test_the_table_of_writable_streams_is_what_can_be_covered(times: tuple[int, ...]) -> None:
    tables = ClaimTables(("A", "b", "c"), times)
    ranks = ranks_of(times)
    for number in (1, 2):
        for typing in typings(ranks, number):
            rows = writable(tables.pool, tables.variables, {"b", "c"}, ranks, typing)
            types = {singles(typing, kind) for kind in typing}
            for choice in range(2**tables.bits):
                masks = [choice >> 3 * place & 7 for place in range(3)]
                belongs = [frozenset(m for m in (1, 2, 3) if row >> (m - 1) & 1) for row in masks]
                expected = (
                    cover(belongs[0], patterns(ranks, typing)) is not None
                    and all(not own or own in types for own in belongs[1:])
                    and (not belongs[1] or belongs[1] != belongs[2])
                )
                assert bool(rows >> choice & 1) is expected


@settings(deadline=None, max_examples=40)
@given(stream_assignments(["A", "B"]))
def test_streams_are_written_with_as_few_types_as_can_be(streams: dict[str, Stream]) -> None:
    substitution, trace = realise(streams)
    types = {occurrence.event for occurrence in trace}
    for first, second in combinations(sorted(trace, key=Occurrence.sort_key), 2):
        assert first.event != second.event or first.time != second.time
    found = interpretation(trace)
    for name, stream in streams.items():
        intervals = sorted(instance.interval for instance in denotation(substitution[name], found))
        assert intervals == sorted(instance.interval for instance in stream)
    if 0 < len(trace) <= 3:
        times = sorted(occurrence.time for occurrence in trace)
        original = occurrences_in(streams.values())
        bit = {occurrence: 1 << place for place, occurrence in enumerate(original)}
        wanted = [frozenset(sum(bit[o] for o in i.occurrences) for i in stream) for stream in streams.values()]
        for fewer in range(1, len(types)):
            for typing in typings(ranks_of(times), fewer):
                known = patterns(ranks_of(times), typing)
                assert any(cover(masks, known) is None for masks in wanted)


def test_a_type_is_named_after_the_identifier_whose_stream_it_is() -> None:
    one, two = Instance.primitive("x", 3), Instance.primitive("x", 5)
    substitution, trace = realise({"A": frozenset({one, two}), "B": frozenset({one.join(two)}), "C": frozenset()})
    assert {name: str(expression) for name, expression in substitution.items()} == {"A": "a", "B": "a ; a", "C": "c"}
    assert [str(occurrence) for occurrence in trace] == ["a@3", "a@5"]


def test_a_primitive_identifier_keeps_its_name_and_others_may_use_it() -> None:
    streams = {"a": frozenset({Instance.primitive("a", 0)}), "B": frozenset({Instance.primitive("a", 0)})}
    substitution, _ = realise(streams, frozenset({"a"}))
    assert substitution == {"a": Identifier("a"), "B": Identifier("a")}


def test_ranks_number_the_distinct_times() -> None:
    assert ranks_of([0, 0, 4, 9]) == (0, 0, 1, 2)
    assert all(after - before in (0, 1) for before, after in pairwise(ranks_of([1, 3, 3, 8])))
