"""What pairs in a setting, said in logic: the definitions mean what is computed, for all operands, and as automata."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings, strategies as st

from laws.atlas.cells import Trace, instances, meaning, orders, traces
from laws.atlas.deciding import Bounded, language, languages
from remora.docs.pages import FOLDER
from semantics.atlas.catalogue import CONTEXTS, SETTINGS, Context, Setting
from semantics.atlas.languages import Languages
from semantics.atlas.literal import Definitions
from semantics.atlas.pairs import CountingPairs, Pairs
from semantics.automata import letter
from semantics.carlson_lisper.syntax import parse
from semantics.hinze_voisard import pairing
from semantics.hinze_voisard.literal import Pairing
from semantics.hinze_voisard.pairing import FOLLOWS, Clock, Consumption, Instance, Instances, Listed, Selection, pair

EXPRESSIONS = tuple(map(parse, ("a ; b", "a + a", "a ; (b ; c)", "(a | b) + b", "(a + b) - c")))


def regular() -> list[str]:
    """The settings whose pairs do not count, once each."""
    found = []
    for name, setting in SETTINGS.items():
        try:
            Languages(setting, 1)
        except CountingPairs:
            continue
        if setting.spans == "filter":
            found.append(name)
    return found


REGULAR = regular()


def marked(trace: Trace, members: int) -> list[int]:
    """A trace as a word in which the occurrences of an instance are marked."""
    word = []
    for number, (name, time) in enumerate(trace):
        if number and time != trace[number - 1][1]:
            word.append(letter(0, (False,)))
        word.append(letter(ord(name) - ord("a") + 1, (bool(members >> number & 1),)))
    return word


@pytest.mark.slow
@settings(max_examples=4)
@given(st.data())
@pytest.mark.parametrize("name", REGULAR[::12])
def test_an_automaton_accepts_the_instances_that_are_computed(name: str, data: st.DataObject) -> None:
    setting = SETTINGS[name]
    expression = data.draw(st.sampled_from(EXPRESSIONS))
    automaton = language(languages(setting.core, 3), expression).automaton
    for trace in data.draw(st.lists(st.sampled_from(traces(3)), min_size=8, max_size=8)):
        trace = data.draw(st.sampled_from([*orders(trace)]))
        accepted = {members for members in range(1 << len(trace)) if automaton.accepts(marked(trace, members))}
        assert accepted == {one.members for one in meaning(expression, setting)(instances(trace), {})}


@pytest.mark.parametrize("clock", ["points", "intervals"])
@pytest.mark.parametrize(
    "context",
    [
        Context("", "oldest"),
        Context("", "first"),
        Context("", "all", adjacent=True),
        Context("", "all", contained=False),
        *(Context("", "all", *each) for each in product((False, True), repeat=2)),
        *(Context("", "newest", *each) for each in product((False, True), repeat=2)),
    ],
    ids=str,
)
def test_a_context_means_the_same_computed_in_logic_and_literally(context: Context, clock: Clock) -> None:
    setting, random = Setting("another", "snoop", clock, context), Random(str(context))
    for expression in map(parse, ("a ; b", "a + b", "(a | b) + b", "a ; (b + a)")):
        for trace in random.sample(traces(2), 20):
            types = instances(trace)
            found = meaning(expression, setting)(types, {})
            assert meaning(expression, Definitions(setting))(types, {}) == found
            if context.opens != "oldest":
                automaton = language(languages(setting.core, 2), expression).automaton
                words = {members for members in range(1 << len(trace)) if automaton.accepts(marked(trace, members))}
                assert words == {one.members for one in found}


@dataclass(frozen=True)
class Finite:
    """A relation between finitely many instances."""

    variables: tuple[str, ...]
    holds: Callable[[Mapping[str, Instance]], bool]

    def at(self, *names: str) -> "Finite":
        own = self.variables
        return Finite(names, lambda found: self.holds({old: found[new] for old, new in zip(own, names, strict=True)}))


@dataclass(frozen=True)
class Universe:
    """Connectives and quantifiers over finitely many instances."""

    instances: Instances

    def all_of(self, *relations: Finite, but: Sequence[Finite] = ()) -> Finite:
        names = tuple(sorted({name for each in (*relations, *but) for name in each.variables}))
        return Finite(
            names,
            lambda found: all(each.holds(found) for each in relations) and not any(each.holds(found) for each in but),
        )

    def any_of(self, *relations: Finite) -> Finite:
        names = tuple(sorted({name for each in relations for name in each.variables}))
        return Finite(names, lambda found: any(each.holds(found) for each in relations))

    def exists(self, quantified: Sequence[str], relation: Finite) -> Finite:
        (name,) = quantified
        kept = tuple(each for each in relation.variables if each != name)
        return Finite(kept, lambda found: any(relation.holds({**found, name: one}) for one in self.instances))


class FinitePairs(Pairs[Finite]):
    def compared(self, name: str) -> Finite:
        compare: dict[str, Callable[[Instance, Instance], bool]] = {
            "points": FOLLOWS["points"],
            "intervals": FOLLOWS["intervals"],
            "starts not later": lambda x, y: x.start <= y.start,
            "ends earlier": lambda x, y: x.end < y.end,
            "ends not later": lambda x, y: x.end <= y.end,
            "end together": lambda x, y: x.end == y.end,
            "precedes": lambda x, y: (x.end, x.start, x.members) < (y.end, y.start, y.members),
            "apart": lambda x, y: not x.members & y.members,
            "adjacent": lambda x, y: y.members & -y.members == 1 << x.members.bit_length(),
        }
        return Finite(("x", "y"), lambda found: compare[name](found["x"], found["y"]))


def operand(chosen: Instances) -> Finite:
    return Finite(("x",), lambda found: found["x"] in chosen)


intervals = st.builds(
    lambda start, length, members: Instance(start, start + length, members),
    st.integers(0, 4),
    st.integers(0, 2),
    st.integers(1, 31),
)


def made(pairs: Finite, setting: Setting, universe: Instances) -> Instances:
    found = ((x, y) for x in universe for y in universe if pairs.holds({"x": x, "y": y}))
    return frozenset(pair(*both) for both in found)


@settings(max_examples=15)
@given(st.frozensets(intervals, max_size=5), st.frozensets(intervals, max_size=5))
@pytest.mark.parametrize("name", [name for name in REGULAR if "cumulative" not in name][::7])
def test_the_definitions_in_logic_mean_what_is_computed_for_any_operands(
    name: str, left: Instances, right: Instances
) -> None:
    setting = SETTINGS[name]
    universe = left | right
    pairs = FinitePairs(Universe(universe), setting)
    sides = (operand(left), operand(right))
    assert made(pairs.sequence_pairs(*sides), setting, universe) == setting.sequence(left, right)
    if setting.pairing != CONTEXTS["continuous"]:  # whose conjunction needs more than first-order logic
        assert made(pairs.conjunction_pairs(*sides), setting, universe) == setting.conjunction(left, right)


def test_two_expressions_are_told_apart_by_a_shortest_trace() -> None:
    known = languages(SETTINGS["snoop-recent-points"], 2)
    one, other = (language(known, parse(text)) for text in ("a ; b", "b ; a"))
    assert known.differences(one, one) == ()
    assert known.differences(one, other) == ((("a", 0), ("b", 1)), (("b", 0), ("a", 1)))
    unrestricted = languages(SETTINGS["snoop-unrestricted-points"], 2)
    either, last = (language(unrestricted, parse(text)) for text in ("b | (a ; b)", "b"))
    assert unrestricted.differences(either, last, "[=]") == ((("a", 0), ("b", 1)),)


def test_what_is_withdrawn_has_a_shortest_trace() -> None:
    latest = SETTINGS["hv-all-last-keep-points-filter"]
    known = languages(latest, 2)
    assert known.withdrawn(language(known, parse("a ; b"))) == (("a", 0), ("b", 1), ("b", 2))
    everything = languages(SETTINGS["snoop-unrestricted-points"], 2)
    assert everything.withdrawn(language(everything, parse("a ; b"))) is None


def test_what_counts_and_what_has_a_bound_is_beyond_automata() -> None:
    with pytest.raises(CountingPairs):
        Languages(SETTINGS["snoop-chronicle-points"], 2)
    with pytest.raises(Bounded):
        language(languages(SETTINGS["snoop-recent-points"], 2), parse("(a ; b)[1]"))


def figure_4() -> Iterator[tuple[Selection, Consumption, str]]:
    """The cells of the table in docs/profiles.md: selection, consumption, and the pairs by their places."""
    page = (FOLDER / "profiles.md").read_text("utf-8")
    for consumption, *cells in re.findall(r"^\| `consume (\w+)` \| (.*) \| (.*) \| (.*) \|$", page, re.MULTILINE):
        selections: tuple[Selection, ...] = ("all", "first", "last")
        yield from ((one, cast(Consumption, consumption), cell) for one, cell in zip(selections, cells, strict=True))


@pytest.mark.parametrize(("selection", "consumption", "expected"), list(figure_4()))
def test_figure_4_is_rederived_as_its_page_shows(selection: Selection, consumption: Consumption, expected: str) -> None:
    left, right = (frozenset(pairing.occurrence(time, time) for time in times) for times in ((1, 4, 5), (2, 3, 6, 7)))
    listed = Listed(selection, selection, consumption)
    for found in (listed.sequence(left, right, FOLLOWS["points"], None), Pairing(";", listed, None).pairs(left, right)):
        assert " ".join(sorted(f"{one.end}–{other.end}" for one, other in found)) == expected


A_A_B_B: Trace = (("a", 0), ("a", 1), ("b", 2), ("b", 3))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("snoop-unrestricted-points", [(0, 2), (0, 3), (1, 2), (1, 3)]),
        ("snoop-recent-points", [(1, 2), (1, 3)]),
        ("snoop-chronicle-points", [(0, 2), (1, 3)]),
        ("snoop-continuous-points", [(0, 2), (1, 2)]),
        ("snoop-cumulative-points", [(0, 2)]),
        ("hv-first-first-table-points-filter", [(0, 2), (1, 3)]),
        ("tesla-last-within", [(1, 2), (1, 3)]),
        ("tesla-first-within", [(0, 2), (0, 3)]),
        ("sase-strict-contiguity", [(1, 2)]),
        ("sase-skip-till-next", [(0, 2), (1, 2)]),
        ("carlson-lisper-rem", [(1, 2), (1, 3)]),
    ],
)
def test_systems_on_two_initiators_and_two_terminators(name: str, expected: list[tuple[int, int]]) -> None:
    found = meaning(parse("a ; b"), SETTINGS[name])(instances(A_A_B_B), {})
    assert sorted(one[:2] for one in found) == expected


def test_the_first_within_a_span_and_a_conjunction_without_containment_leave_out_pairs() -> None:
    types = instances((("a", 0), ("c", 1), ("a", 1), ("b", 2)))
    assert [one[:2] for one in SETTINGS["tesla-first-within"].sequence(types["a"], types["b"], 1)] == [(1, 2)]
    system = SETTINGS["snoop-unrestricted-intervals-overlapping"]
    assert [one[:2] for one in meaning(parse("(a ; b) + c"), system)(types, {})] == [(1, 2)]
