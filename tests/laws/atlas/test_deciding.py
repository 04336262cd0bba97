"""Decisions for event types, and findings: which settings never withdraw, which are a context."""

from itertools import islice

import pytest

from laws.atlas.cells import MOST, Level, Trace, assignments, instances, one_by_one, traces
from laws.atlas.deciding import decision, likeness, withdrawal
from laws.carlson_lisper.claims import EquationClaim
from semantics.atlas.catalogue import SETTINGS
from semantics.carlson_lisper.syntax import parse_equation
from semantics.hinze_voisard.pairing import FOLLOWS, Instances, Listed, Selection

COUNTING = [
    setting
    for setting in SETTINGS.values()
    if isinstance(setting.pairing, Listed)
    and setting.pairing.consumption in ("events", "reapply")
    and setting.name.endswith("-points-filter")
]
"""Settings that use up event by event, where automata decide nothing."""


@pytest.mark.parametrize("operator", ["seq", "con"])
def test_no_setting_is_left_undecided_and_what_withdraws_does(operator: str) -> None:
    for setting in COUNTING:
        found = withdrawal(operator, setting)
        assert found.decided is (found.trace is None)
        if found.trace is not None:
            apply = setting.sequence if operator == "seq" else setting.conjunction
            before = tuple(event for event in found.trace if event[1] < found.trace[-1][1])
            then, now = (apply(types["a"], types["b"]) for types in map(instances, (before, found.trace)))
            assert not then <= now


def test_second_events_withdraw_what_a_further_round_made() -> None:
    found = withdrawal("seq", SETTINGS["hv-2-2-reapply-points-filter"])
    assert found.trace is not None
    assert len(found.trace) > MOST[2][0]


@pytest.mark.parametrize("posterior", ["first", "all"])
@pytest.mark.parametrize("anterior", ["first", "last"])
def test_the_argument_for_what_never_withdraws_holds_on_traces_of_nine_events(
    anterior: Selection, posterior: Selection
) -> None:
    setting = SETTINGS[f"hv-{anterior}-{posterior}-reapply-points-filter"]
    round_ = Listed(anterior, posterior, "events")
    assert withdrawal("seq", setting).decided
    found: dict[Trace, Instances] = {}
    for trace in islice(one_by_one(2), 2**10 - 1):
        a, b = (instances(trace)[name] for name in "ab")
        found[trace] = setting.sequence(a, b)
        assert found.get(trace[:-1], frozenset()) <= found[trace]
        for one, other in round_.sequence(a, b, FOLLOWS["points"], None):
            assert not any(one.end < each.end < other.end for each in b)


@pytest.mark.parametrize("consumption", ["events", "reapply"])
@pytest.mark.parametrize("operator", ["seq", "con"])
def test_what_is_a_chronicle_by_an_argument_is_one_on_traces_within_the_bound(operator: str, consumption: str) -> None:
    setting, chronicle = (SETTINGS[f"hv-all-all-{consumption}-points-filter"], SETTINGS["snoop-chronicle-points"])
    found = likeness(operator, setting, "chronicle")
    assert (found.decided, found.trace) == (True, None)
    assert not likeness(operator, setting, "recent").decided
    for trace in islice(traces(2), 2000):
        a, b = (instances(trace)[name] for name in "ab")
        if operator == "seq":
            assert setting.sequence(a, b) == chronicle.sequence(a, b)
        else:
            assert setting.conjunction(a, b) == chronicle.conjunction(a, b)


@pytest.mark.parametrize(("level", "number"), [("types", 1), ("shared", 4)])
def test_every_choice_of_event_types_is_decided(level: Level, number: int) -> None:
    law = EquationClaim("law:1", parse_equation("A == A ; (B ; C)"))
    found = decision(law, SETTINGS["carlson-lisper"], level)
    assert found is not None
    assert [case.operands for case in found[1][::2]] == list(assignments(law, level))
    assert len(found[1]) == 2 * number  # each side has instances that the other one lacks
