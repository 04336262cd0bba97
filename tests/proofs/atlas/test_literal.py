"""The literal definitions of settings: they mean what runs, and each of both objects to a wrong trace by itself."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.atlas.cases import OperandsOnTrace
from laws.atlas.cells import LAWS, firmly, replayed
from proofs.atlas import record
from proofs.atlas.record import complaints, recorded
from semantics.atlas.catalogue import SETTINGS, Setting
from semantics.atlas.literal import Definitions
from semantics.hinze_voisard.pairing import Instance, Instances

intervals = st.builds(
    lambda start, length, members: Instance(start, start + length, members),
    st.integers(0, 4),
    st.integers(0, 2),
    st.integers(1, 31),
)
operands = st.frozensets(intervals, max_size=5)


@settings(max_examples=400)
@given(st.sampled_from(sorted(SETTINGS)), operands, operands, st.integers(0, 3))
def test_the_definitions_mean_what_is_computed(name: str, left: Instances, right: Instances, length: int) -> None:
    setting, definitions = SETTINGS[name], Definitions(SETTINGS[name])
    span = length if setting.spans == "native" else None
    assert definitions.sequence(left, right, span) == setting.sequence(left, right, span)
    assert definitions.conjunction(left, right, span) == setting.conjunction(left, right, span)
    assert definitions.negation(left, right) == setting.negation(left, right)
    assert definitions.restriction(left, length) == setting.restriction(left, length)


BY_TIES = OperandsOnTrace((("b", 0), ("a", 1), ("b", 1)), {"A": "a + b", "B": "b"}, {"t": 0})
"""It refutes law 26 in `hv-last-all-lists-points-native` in one order of ties."""


def test_a_trace_that_refutes_by_the_order_of_ties_alone_is_told_from_others() -> None:
    cell = recorded()["law:26", "hv-last-all-lists-points-native"]
    law, setting = next(each for each in LAWS if each.id == cell.law), SETTINGS[cell.setting]
    left, right = replayed(law, setting, BY_TIES)
    assert left != right
    assert not firmly(law, setting, BY_TIES)
    assert list(complaints(replace(cell, case=BY_TIES, by_ties=True))) == []
    (said,) = complaints(replace(cell, case=BY_TIES))
    assert said.endswith("the recorded trace does not refute it in every order of ties")
    assert not cell.by_ties
    (said,) = complaints(replace(cell, by_ties=True))
    assert said.endswith("the recorded trace does not refute it by the order of ties alone")


@pytest.mark.parametrize(
    ("broken", "left_to"), [(Setting, "by the literal definitions"), (Definitions, "by the operators")]
)
def test_where_one_evaluation_finds_a_difference_in_everything_the_other_objects(
    broken: type, left_to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = recorded()["law:6", "snoop-recent-points"]
    assert cell.case is not None
    harmless = replace(cell, remains="", case=replace(cell.case, trace=()))
    different = (frozenset[Instance](), frozenset({Instance(0, 0, 1)}))
    monkeypatch.setattr(
        record,
        "replayed",
        lambda law, system, case: different if isinstance(system, broken) else replayed(law, system, case),
    )
    monkeypatch.setattr(record, "firmly", lambda *asked: True)
    first, second = complaints(harmless)
    assert first == f"the law holds on the recorded trace {left_to}"
    assert "the literal definitions make other instances" in second


def test_what_does_not_remain_is_objected_to() -> None:
    cell = recorded()["law:6", "snoop-recent-points"]
    said = list(complaints(replace(cell, remains="intervals")))
    assert [each.partition(" by ")[0] for each in said] == ["what remains in the record does not remain"] * 2
