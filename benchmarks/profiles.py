"""The engine of profiles on a sequence with each setting: events a second on one core, beside Polars where it can.

The log is hard: it has nothing but events of the two classes, one each tick, so that every event is in a duplicate list
and within the span of others. Polars has the whole log at once and finds what stands at its end; the engine says at
each event what is announced and withdrawn. Both have to come to the same pairs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import product
from random import Random
from typing import Any

from benchmarks.timing import Row, in_turns
from detectors.hinze_voisard.engine import Engine, notifications
from semantics.events import Event, Time
from semantics.hinze_voisard.evaluation import Notification
from semantics.hinze_voisard.syntax import parse

SPAN = 10
"""How far apart the two events of a pair may be, in ticks."""

SELECTIONS = (*product(("first", "last", "all"), repeat=2), ("2", "2"))
CONSUMPTIONS = ("keep", "lists", "events", "reapply")

SETTINGS = tuple("-".join((*both, used)) for both, used in product(SELECTIONS, CONSUMPTIONS))
"""What is selected in the earlier and in the later list, and what is used up."""

Pairs = list[tuple[Time, Time]]
"""The times of the events of pairs, in their order."""


def log(events: int, seed: int) -> list[Event]:
    """Events of two classes at random, one each tick."""
    random = Random(seed).random
    return [Event("ab"[random() < 0.5], number, number) for number in range(events)]


def profile(setting: str) -> str:
    """The file with the sequence of a setting."""
    anterior, posterior, consumption = setting.split("-")
    return (
        'class a = event(name = "a")\nclass b = event(name = "b")\n'
        f"profile P = (a ; b)[{SPAN}] {{ select {anterior}, {posterior}; consume {consumption} }}"
    )


def measured(settings: Sequence[str], events: int, repetitions: int, seed: int) -> Iterator[list[Row]]:
    """The speeds of settings on one log."""
    given = log(events, seed)
    for setting in settings:
        file = parse(profile(setting))
        said: list[Notification] = []

        def run() -> Pairs:
            said[:] = notifications(Engine(file), given)  # noqa: B023  # called in this round
            return standing(said)  # noqa: B023

        runs = {"lists": run} | ({} if (query := _query(setting, given)) is None else {"query": query})
        found, seconds = in_turns(runs, repetitions, time.process_time)
        case = {"setting": setting}
        rows = [Row(case, "lists", size=events, found=len(found["lists"]), seconds=seconds["lists"])]
        if query is not None:
            rows.append(Row(case, "query", "Polars", size=events, found=len(found["query"]), seconds=seconds["query"]))
            if found["query"] != found["lists"]:
                rows[0] = Row(case, "lists", status="wrong", detail="Polars finds other pairs", size=events)
        yield rows


def standing(said: Sequence[Notification]) -> Pairs:
    """The pairs that were announced and not withdrawn."""
    net = dict[tuple[Time, Time], None]()
    for one in said:
        pair = one.found.start, one.found.time
        if one.kind == "announced":
            net[pair] = None
        else:
            del net[pair]
    return sorted(net)


def _query(setting: str, events: Sequence[Event]) -> Callable[[], Pairs] | None:
    """The query in Polars; None where it is not installed, or events are used up one by one, which is no join."""
    anterior, posterior, consumption = setting.split("-")
    if consumption not in ("keep", "lists") or find_spec("polars") is None:
        return None
    import polars as pl

    log = pl.DataFrame({"time": [one.time for one in events], "a": [one.type == "a" for one in events]})
    return lambda: pairs_in(pl, log, anterior, posterior, lists=consumption == "lists")


def pairs_in(pl: Any, log: Any, anterior: str, posterior: str, *, lists: bool) -> Pairs:
    """The pairs of a sequence: runs of one class are numbered, selected from, and joined.

    Args:
        lists: whether a list pairs with the next one alone.
    """
    place, length = pl.int_range(pl.len()).over("run"), pl.len().over("run")
    chosen = {"first": place == 0, "last": place == length - 1, "2": place == 1, "all": pl.lit(value=True)}
    runs = log.lazy().with_columns(run=pl.col("a").rle_id())
    opens = runs.filter(pl.col("a")).filter(chosen[anterior]).select(start="time", run="run")
    closes = runs.filter(~pl.col("a"))
    if posterior != "last":
        closes = closes.filter(chosen[posterior])
    closes = closes.select(end="time", later="run")
    within = pl.col("end") <= pl.col("start") + SPAN
    if lists:
        both = opens.with_columns(later=pl.col("run") + 1).join(closes, on="later").filter(within)
    else:
        both = opens.join_where(closes, pl.col("end") > pl.col("start"), within)
    if posterior == "last":  # the last one within the span, of each later list
        both = both.group_by("start", "later").agg(pl.col("end").max())
    found: Pairs = both.select("start", "end").sort("start", "end").collect().rows()
    return found
