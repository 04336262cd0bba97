"""The engine of profiles on a sequence with each setting: events a second on one core.

The log is hard: one event of the two classes each tick, so that all are in duplicate lists and within spans of others.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from random import Random

from benchmarks.timing import Row, in_turns
from detectors.hinze_voisard.engine import Engine, notifications
from semantics.events import Event
from semantics.hinze_voisard.evaluation import continuously
from semantics.hinze_voisard.profiles import ProfileFile
from semantics.hinze_voisard.syntax import parse

COMPARED = 60  # So many events of the log are compared with the definition, which evaluates all before each again

SELECTIONS = (*product(("first", "last", "all"), repeat=2), ("2", "2"))
SETTINGS = tuple("-".join((*both, used)) for both, used in product(SELECTIONS, ("keep", "lists", "events", "reapply")))
"""Selection in the earlier and in the later list, and consumption."""


def measured(settings: Sequence[str], events: int, repetitions: int, seed: int) -> Iterator[list[Row]]:
    """The speeds of settings on one log, at whose beginning the notifications are compared with the definition."""
    random = Random(seed).random
    log = [Event("ab"[random() < 0.5], number, number) for number in range(events)]
    for setting in settings:
        anterior, posterior, consumption = setting.split("-")
        file = parse(
            'class a = event(name = "a")\nclass b = event(name = "b")\n'
            f"profile P = (a ; b)[10] {{ select {anterior}, {posterior}; consume {consumption} }}"
        )
        found, seconds = in_turns({"lists": partial(_run, file, log)}, repetitions, time.process_time)
        row = Row({"setting": setting}, "lists", size=events, found=found["lists"], seconds=seconds["lists"])
        if [*notifications(Engine(file), log[:COMPARED])] != [*continuously(file, log[:COMPARED])]:
            row = replace(row, status="wrong", detail="the definition says something else", seconds=())
        yield [row]


def _run(file: ProfileFile, log: Sequence[Event]) -> int:
    return sum(1 for _ in notifications(Engine(file), log))
