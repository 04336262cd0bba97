"""The engine of profiles on a sequence with each setting: events a second on one core.

The log is hard: it has nothing but events of the two classes, one each tick, so that every event is in a duplicate list
and within the span of others.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from random import Random

from benchmarks.timing import Row, in_turns
from detectors.hinze_voisard.engine import Engine, notifications
from semantics.events import Event
from semantics.hinze_voisard.evaluation import continuously
from semantics.hinze_voisard.syntax import parse

COMPARED = 60
"""So many events of the log are compared with the definition, which evaluates all before each again."""

SPAN = 10
"""How far apart the two events of a pair may be, in ticks."""

SELECTIONS = (*product(("first", "last", "all"), repeat=2), ("2", "2"))
CONSUMPTIONS = ("keep", "lists", "events", "reapply")

SETTINGS = tuple("-".join((*both, used)) for both, used in product(SELECTIONS, CONSUMPTIONS))
"""Selection in the earlier and in the later list, and consumption."""


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
    """The speeds of settings on one log, at whose beginning the notifications are compared with the definition."""
    given = log(events, seed)
    for setting in settings:
        file = parse(profile(setting))
        right = list(notifications(Engine(file), given[:COMPARED])) == list(continuously(file, given[:COMPARED]))

        def run() -> int:
            return sum(1 for _ in notifications(Engine(file), given))  # noqa: B023  # called in this round

        found, seconds = in_turns({"lists": run}, repetitions, time.process_time)
        row = Row({"setting": setting}, "lists", size=events, found=found["lists"], seconds=seconds["lists"])
        if not right:
            row = replace(row, status="wrong", detail="the definition says something else", seconds=())
        yield [row]
