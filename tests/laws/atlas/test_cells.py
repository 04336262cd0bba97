"""Cases and meanings of the atlas: within their bounds, each once, and the same as the first system means."""

import re
from itertools import chain
from math import comb
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from laws.atlas import cells as atlas
from laws.atlas.cells import MOST, OperandsOnTrace, cell_data, cell_from, instances, meaning, relates, traces
from laws.carlson_lisper.checks.strategies import expressions
from laws.carlson_lisper.claims import EquationClaim
from semantics.atlas.catalogue import SETTINGS
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, size
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse, parse_equation
from semantics.hinze_voisard.pairing import Instance

TRACES = st.sampled_from(traces(3))
SETS = st.frozensets(st.builds(Instance, st.integers(0, 2), st.integers(2, 4), st.integers(1, 3)), max_size=4)


@settings(max_examples=30)
@given(expressions(), TRACES)
def test_an_expression_means_in_its_own_setting_what_the_first_system_means(
    expression: Expression, trace: atlas.Trace
) -> None:
    found = meaning(expression, SETTINGS["carlson-lisper"])(instances(trace), {})
    occurrences = [Occurrence(name, time) for name, time in trace]
    expected = denotation(expression, interpretation(occurrences))
    assert found == {
        Instance(one.start, one.end, sum(1 << occurrences.index(each) for each in one.occurrences)) for one in expected
    }


@given(SETS, SETS)
def test_a_relation_of_meanings_is_that_of_its_definition(
    left: frozenset[Instance], right: frozenset[Instance]
) -> None:
    def latest(some: frozenset[Instance]) -> set[tuple[int, int]]:
        return {(one.end, one.start) for one in some if all(z.start <= one.start for z in some if z.end == one.end)}

    for one, other in ((left, right), (left, left | right), (left | right, right), (left, left)):
        assert relates("==", one, other) is (one == other)
        assert relates("<=", one, other) is relates("included", one, other) is one.issubset(other)
        assert relates("includes", one, other) is other.issubset(one)
        assert relates("intervals", one, other) is ({x[:2] for x in one} == {x[:2] for x in other})
        assert relates("[=]", one, other) is relates("intervals", one, other)
        assert relates("instants", one, other) is ({x.end for x in one} == {x.end for x in other})
        assert relates("~=", one, other) is (latest(one) == latest(other))


@pytest.mark.parametrize("types", [1, 2, 3])
def test_the_traces_within_the_bound_are_all_of_them_each_once_the_smallest_first(types: int) -> None:
    events, ticks = MOST[types]
    found = traces(types)
    assert len(set(found)) == len(found)
    sizes = [(len(trace), trace[-1][1] if trace else -1) for trace in found]
    assert sizes == sorted(sizes) and sizes[-1] == (min(events, types * ticks), ticks - 1)
    assert all(list(trace) == sorted(trace, key=lambda each: each[::-1]) for trace in found)
    assert {trace[0][1] for trace in found if trace} == {0} and {name for name, _ in found[-1]} <= set("abc"[:types])
    among = [
        sum(comb(places, number) for number in range(events + 1)) for places in (types * ticks, types * (ticks - 1))
    ]
    assert len(found) == 1 + among[0] - among[1]  # of all places, without those where nothing is at time 0


LAW = EquationClaim("law:x", parse_equation("(A ; B)[t] - C == A"), frozenset({"C"}))


@pytest.mark.parametrize("place", [1, 2])
def test_random_operands_are_sets_of_instances_within_their_sizes_over_event_types_of_their_own(place: int) -> None:
    random, met = Random(0), set[tuple[str, int]]()
    for number in range(100):
        most, ticks = 1 + number % 3, 3 + number % 4
        names = [f"n{each}" for each in range(50)]
        case = atlas._case_of_sets(random, LAW, names, place, range(1, most + 1), ticks)
        assert [time for _, time in case.trace] == sorted(time for _, time in case.trace)
        used = [re.findall("n[0-9]+", text) for text in case.operands.values()]
        assert sorted({name for name, _ in case.trace}) == sorted(chain(*used))
        types = instances(case.trace)
        for variable, text in case.operands.items():
            made = meaning(parse(text), SETTINGS["carlson-lisper"])(types, {})
            sizes = range(1, most + (place > 1) + 1)
            if variable == "C":
                assert text.isidentifier() and len(made) in sizes and max(one.end for one in made) <= place + ticks
            else:
                assert text.count("|") + 1 in sizes
                assert all(one.start >= 0 and one.end <= 2 * (place + ticks) for one in made)
            met.add((variable, len(text.split(" | "))))
    assert {("A", size) for size in range(1, 4 + (place > 1))} <= met


@settings(max_examples=20)
@given(TRACES, expressions(("a", "b"), max_leaves=3), st.integers(0, 2))
def test_a_smaller_case_is_one_step_smaller_and_every_step_is_taken(
    trace: atlas.Trace, operand: Expression, bound: int
) -> None:
    case = OperandsOnTrace(trace, {"A": str(operand)}, {"t": bound})
    steps = list(atlas._smaller(case, simpler=True))
    shorter = [one for one in steps if len(one.trace) < len(trace)]
    assert len(shorter) == len(trace) and all(one.trace[0][1] == 0 for one in shorter if one.trace)
    names = [name for name, _ in trace]
    assert [[name for name, _ in one.trace] for one in shorter] == [
        names[:n] + names[n + 1 :] for n in range(len(names))
    ]
    earlier = [one.trace for one in steps if len(one.trace) == len(trace) and one.trace != trace]
    times, end = {time for _, time in trace}, trace[-1][1] if trace else 0
    assert len(earlier) == end + 1 - len(times) if trace else not earlier
    for one in earlier:
        assert (
            [name for name, _ in one] == names
            and one[-1][1] == end - 1
            and len({time for _, time in one}) == len(times)
        )
    assert sorted(one.bounds["t"] for one in steps if one.bounds != case.bounds) == list(range(bound))
    simpler = [parse(one.operands["A"]) for one in steps if one.operands != case.operands]
    assert all(size(one) < size(operand) for one in simpler)
    assert len(simpler) == size(operand) - 1  # one for each operand
    cell = atlas.Cell("law:x", "s", "refuted", level="types", remains="included", case=case, by_ties=True, cases=7)
    assert cell_from(cell_data(cell)) == cell
