"""The search of a cell in shards: the cell is the same however it is divided and in whatever order shards are done."""

import json
from collections.abc import Sequence
from random import Random

import pytest

from laws.atlas.cells import Cell
from proofs.atlas import searching
from proofs.atlas.record import recorded
from proofs.atlas.searching import (
    Search,
    Task,
    found_data,
    found_from,
    gone_on,
    in_waves,
    search_of,
    task_data,
    task_from,
)

CELLS = (
    ("law:10", "hv-all-all-events-points-filter"),
    ("law:1", "snoop-recent-points"),
    ("detection:5", "snoop-cumulative-points"),
    ("law:6", "snoop-recent-points"),
)


def searches(cells: Sequence[tuple[str, str]]) -> list[Search]:
    """The searches of cells, before they begin."""
    return [search_of(*key) for key in cells]


def through(task: Task) -> Cell | Search:
    """What comes of a task that is sent as text, and told as text."""
    sent = task_from(json.loads(json.dumps(task_data(task))))
    return found_from(json.loads(json.dumps(found_data(gone_on(sent)))))


@pytest.mark.parametrize(("cells", "shard", "most"), [(CELLS[:1], 200, 1), (CELLS, 1000, 3)])
def test_cells_are_the_same_in_any_shards_that_are_done_in_any_order_elsewhere(
    cells: Sequence[tuple[str, str]], shard: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "SHARD", shard)
    divided = 0

    def run(tasks: Sequence[Task]) -> list[Cell | Search]:
        nonlocal divided
        divided += sum(places is not None for _, places in tasks)
        order = Random(0).sample(range(len(tasks)), len(tasks))
        done = {place: through(tasks[place]) for place in order}
        return [done[place] for place in range(len(tasks))]

    found = {(each.law, each.setting): each for each in in_waves(searches(cells), run, most)}
    assert found == {key: recorded()[key] for key in cells}
    assert divided > 1


@pytest.mark.parametrize("wrong", ["lost", "turned round"])
def test_shards_that_are_lost_or_turned_round_make_another_cell(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "SHARD", 100)
    search, other = searches(CELLS[:1] * 2)
    other.go_on(searching.SHARD), search.go_on(searching.SHARD)
    parts = [search.shard(places) for places in [*search.shards()][:12]]
    other.add(parts[1:] if wrong == "lost" else reversed(parts))
    search.add(parts)
    assert (search.cases, search.refutes) != (other.cases, other.refutes)
    assert search.refutes is not None
    assert search.refutes.case == recorded()[CELLS[0]].case
