"""The chains of the source as data."""

import pytest

from laws.carlson_lisper import derivations
from laws.carlson_lisper.claims import laws
from semantics.errors import InputError

BY_DEFINITION = {*range(1, 10), *range(11, 17), *range(23, 31)}
BY_LAWS = {10, *range(17, 23), *range(31, 37)}


def test_every_law_has_the_proof_that_the_source_gives_it() -> None:
    assert {one.number for one in derivations.computations()} == BY_DEFINITION
    chains = {int(one.id[4:]) for one in derivations.derivations() if one.id.startswith("law:")}
    assert chains == BY_LAWS
    assert len(BY_DEFINITION | BY_LAWS) == len(laws())


def test_the_steps_of_the_source_are_all_there() -> None:
    printed = {
        one.id: sum(step.as_printed is not None for step in one.steps) for one in derivations.derivations()
    }
    assert sum(n for name, n in printed.items() if name.startswith("law:")) == 23
    assert sum(n for name, n in printed.items() if name.startswith("lemma:6.1")) == 42
    assert sum(n for name, n in printed.items() if name.startswith("theorem:6.1")) == 2
    assert sum(len(one.lines) - 1 for one in derivations.computations()) == 83


def ends_match(chain: derivations.Derivation) -> bool:
    ends = [chain.steps[0].meant.equation.left, chain.steps[-1].meant.equation.right]
    sides = [chain.conclusion.left, chain.conclusion.right]
    return ends in (sides, sides[::-1])


@pytest.mark.parametrize("derivation", derivations.derivations(), ids=lambda one: one.id)
def test_a_chain_as_meant_leads_from_one_side_of_its_conclusion_to_the_other(
    derivation: derivations.Derivation,
) -> None:
    assert ends_match(derivation)


@pytest.mark.parametrize("computation", derivations.computations(), ids=lambda one: one.id)
def test_a_computation_has_the_sides_of_its_law_at_its_ends(computation: derivations.Computation) -> None:
    assert computation.law is None or computation.proves(computation.law)


def test_a_chain_that_ends_elsewhere_is_noticed() -> None:
    (chain,) = derivations.derivations_from_toml(
        """
        [[derivation]]
        id = "law:17"
        place = ""
        first = "(A - B) - B"
        [[derivation.step]]
        printed = ""
        line = "A"
        by = [1, 11]
        """
    )
    assert not ends_match(chain)


def test_a_step_by_something_unknown_is_refused() -> None:
    record = """
        [[derivation]]
        id = "law:17"
        place = ""
        first = "A"
        [[derivation.step]]
        printed = ""
        line = "B"
        by = ["b"]
        """
    with pytest.raises(InputError, match="law:17"):
        derivations.derivations_from_toml(record)
