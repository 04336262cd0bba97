"""Every change of a definition by a symbol: it is one symbol, and what is meant is what is written."""

import re
from difflib import SequenceMatcher

import pytest
from hypothesis import given

from laws.carlson_lisper.checks.strategies import stream_assignments
from laws.carlson_lisper.mutations import Change, changes
from semantics.carlson_lisper.denotation import apply_operator
from semantics.carlson_lisper.notation import operator_text
from semantics.carlson_lisper.occurrences import Streams
from semantics.carlson_lisper.operators import OPERATORS

ALL = {change.text: change for name in OPERATORS for change in changes(name)}


def symbols(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text)


@pytest.mark.parametrize("change", ALL.values(), ids=ALL)
def test_a_change_is_one_symbol_or_leaves_out_one_part(change: Change) -> None:
    before, after = symbols(operator_text(OPERATORS[change.definition.name])), symbols(change.text)
    ((kind, first, last, begin, end),) = [
        each for each in SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if each[0] != "equal"
    ]
    if kind == "replace":
        assert (last - first, end - begin) == (1, 1)
    elif kind == "insert":
        assert after[begin:end] == ["¬"]
    else:
        assert before[first:last] == ["¬"] or {"∧", "∪"} & set(before[first:last])


@pytest.mark.parametrize(
    "change", [each for each in ALL.values() if not set("≥>≠") & set(each.text)], ids=lambda change: change.text
)
def test_what_is_written_is_what_is_meant(change: Change) -> None:
    written = re.sub(r"(\w) ∪ \1", r"\1", change.text)
    plain = str.maketrans("", "", "() ")
    assert operator_text(change.definition).translate(plain) == written.translate(plain)


@given(streams=stream_assignments(("S", "T")))
def test_opposite_comparisons_part_what_the_operator_without_any_yields(streams: Streams) -> None:
    def yields(text: str) -> frozenset[object]:
        return apply_operator(ALL[text].definition, [streams["S"], streams["T"]])

    parts = "seq(S, T) = {{ {} | s ∈ S ∧ t ∈ T ∧ end(s) {} start(t) }}"
    whole = yields("seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T }")
    before = apply_operator(OPERATORS["seq"], [streams["S"], streams["T"]])
    for first, second in (("≥", None), ("≤", ">"), ("=", "≠")):
        one = yields(parts.format("s ∪ t", first))
        assert one | (yields(parts.format("s ∪ t", second)) if second else before) == whole


def test_the_changes_of_the_operators_are_so_many() -> None:
    counted = {name: sum(change.definition.name == name for change in ALL.values()) for name in OPERATORS}
    assert counted == {"dis": 4, "con": 6, "neg": 30, "seq": 17, "tim": 9}
