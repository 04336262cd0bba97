"""Settings of event algebras: the contexts of Snoop, and pairs by duplicate lists as the source defines them."""

import re
from collections.abc import Iterator
from typing import cast

import pytest

from laws.atlas.cells import Trace, instances
from remora.docs.pages import FOLDER
from semantics.atlas.catalogue import SETTINGS
from semantics.hinze_voisard.literal import Pairing
from semantics.hinze_voisard.pairing import FOLLOWS, Consumption, Instance, Listed, Selection, occurrence


def at(*times: int) -> frozenset[Instance]:
    return frozenset(occurrence(time, time) for time in times)


def figure_4() -> Iterator[tuple[Selection, Consumption, str]]:
    """The cells of the table in docs/profiles.md: selection, consumption, and the pairs by their places."""
    page = (FOLDER / "profiles.md").read_text("utf-8")
    for consumption, *cells in re.findall(r"^\| `consume (\w+)` \| (.*) \| (.*) \| (.*) \|$", page, re.MULTILINE):
        selections: tuple[Selection, ...] = ("all", "first", "last")
        yield from ((one, cast(Consumption, consumption), cell) for one, cell in zip(selections, cells, strict=True))


@pytest.mark.parametrize(("selection", "consumption", "expected"), list(figure_4()))
def test_figure_4_is_rederived_as_its_page_shows(selection: Selection, consumption: Consumption, expected: str) -> None:
    left, right, listed = at(1, 4, 5), at(2, 3, 6, 7), Listed(selection, selection, consumption)
    for found in (listed.sequence(left, right, FOLLOWS["points"], None), Pairing(";", listed, None).pairs(left, right)):
        assert " ".join(sorted(f"{one.end}–{other.end}" for one, other in found)) == expected


A_A_B_B: Trace = (("a", 0), ("a", 1), ("b", 2), ("b", 3))


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        ("unrestricted", [(0, 2), (0, 3), (1, 2), (1, 3)]),
        ("recent", [(1, 2), (1, 3)]),
        ("chronicle", [(0, 2), (1, 3)]),
        ("continuous", [(0, 2), (1, 2)]),
        ("cumulative", [(0, 2)]),
    ],
)
def test_the_contexts_of_snoop_on_two_initiators_and_two_terminators(
    context: str, expected: list[tuple[int, int]]
) -> None:
    types = instances(A_A_B_B)
    assert sorted(one[:2] for one in SETTINGS[f"snoop-{context}-points"].sequence(types["a"], types["b"])) == expected
