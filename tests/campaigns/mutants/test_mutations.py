"""Changes of programs: each one alone, each with a name of its own."""

import ast

import pytest

from campaigns.mutants.mutations import Mutation, mutations, plain_module

TEXT = '''
class Step:
    """A step."""

    def step(self, left, right):
        """Of a kind."""
        if left.start < right.start:
            self.latest = left
        if not left:
            raise ValueError("no left")
        return right

    def stored(self):
        return 1 + 1


def halved(low, high):
    return (low + high) // 2 if low >= high else max(low, 7)
'''

MODULE = plain_module(TEXT)


def found(*places: str) -> dict[str, Mutation]:
    return {mutation.name: mutation for mutation in mutations(MODULE, places)}


def test_a_comparison_is_flipped_and_shifted_by_one_in_both_directions() -> None:
    texts = {name: one.after for name, one in found("Step.step").items() if ":lt-" in name}
    assert texts == {
        "Step.step:1:lt-le": "becomes `left.start <= right.start`",
        "Step.step:1:lt-gt": "becomes `left.start > right.start`",
        "Step.step:1:lt-shifted": "becomes `left.start < right.start - 1`",
    }


def test_updates_are_left_out_and_results_lost() -> None:
    changed = found("Step.step")
    assert "self.latest" not in ast.unparse(changed["Step.step:2:drop"].altered(MODULE))
    assert "return NON_OCCURRENCE" in ast.unparse(changed["Step.step:5:lost"].altered(MODULE))


def test_numbers_operands_signs_and_branches_are_changed() -> None:
    assert {name.rpartition(":")[2] for name in found("halved")} >= {
        "7-less", "7-more", "low-high", "plus-minus", "branches", "max-min", "ge-gt", "arguments",
    }  # fmt: skip


def test_what_refuses_bad_input_stays_as_it_is() -> None:
    for mutation in found("Step.step").values():
        assert 'raise ValueError("no left")' in ast.unparse(mutation.altered(MODULE)).replace("'", '"')


def test_what_is_only_shown_stays_as_it_is_unless_it_is_named() -> None:
    assert not any("stored" in name for name in found("Step"))
    assert found("Step.stored")


def test_each_mutation_changes_the_program_and_no_two_alike_share_a_name() -> None:
    everything = list(mutations(MODULE, ("Step", "halved")))
    assert len({mutation.name for mutation in everything}) == len(everything) > 20
    before = ast.unparse(MODULE)
    for mutation in everything:
        assert ast.unparse(mutation.altered(MODULE)) != before
    assert ast.unparse(MODULE) == before


def test_statements_are_exchanged_only_where_their_order_matters() -> None:
    module = plain_module("def f(a):\n    x = a\n    y = a\n    z = y\n    return x, z\n")
    assert [m.before for m in mutations(module, ("f",)) if m.change == "later"] == ["y = a"]


def test_a_thorough_search_makes_every_change_and_those_that_often_are_harmless_as_well() -> None:
    text = (
        "class Step:\n    bound = 1\n    def __init__(self, low):\n        self.low = 1 if low < 1 else low\n"
    )
    module = plain_module(text)

    def changed(*, thorough: bool) -> set[str]:
        return {ast.unparse(m.altered(module)) for m in mutations(module, ("Step",), thorough=thorough)}

    assert changed(thorough=False) < changed(thorough=True)
    further = "".join(changed(thorough=True) - changed(thorough=False))
    for text in ("bound = 0", "low != 1", "low == 1", "low >= 1", "self.high = ", "pass"):
        assert text in further


def test_a_definition_that_is_not_there_is_an_error() -> None:
    with pytest.raises(LookupError, match="nothing"):
        found("Step.nothing")
