"""Keyed events in micro-batches, and what is to be detected in them, from the definitions alone."""

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from detectors.carlson_lisper.protocol import event_types, instants, run
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Occurrence, interpretation


class Event(NamedTuple):
    key: str
    time: int
    event: str


Batches = Sequence[Sequence[Event]]

Answer = list[tuple[str, str, int, int]]
"""Key, kind, start and end of each row, sorted."""


def expected(pattern: Expression, batches: Batches, lateness: int) -> Answer:
    """What a stream detects in all, at its end, and which events are late.

    An event is late when, before its micro-batch, one of its key was later by more than the lateness; the others of a
    key are a trace, of which the source's own detector says what there is.
    """
    names = event_types(pattern)
    rows: Answer = []
    for key in {event.key for batch in batches for event in batch}:
        greatest, kept = -1, set()
        for batch in batches:
            mine = [event for event in batch if event.key == key]
            for event in mine:
                if event.event in names:
                    if greatest > event.time + lateness:
                        rows.append((key, "late", event.time, event.time))
                    else:
                        kept.add(event)
            greatest = max([greatest, *(event.time for event in mine)])
        trace = interpretation(Occurrence(event.event, event.time) for event in kept)
        found = run(Figure2(pattern), instants(trace))
        rows += [(key, "detected", one.start, one.end) for one in found]
    return sorted(rows)


def events(*, keys: Sequence[str] = ("u", "v"), max_time: int = 25) -> st.SearchStrategy[list[Event]]:
    """Events of several keys in any order, none of them twice; `x` is in no pattern."""
    one = st.builds(Event, st.sampled_from(keys), st.integers(0, max_time), st.sampled_from("abcx"))
    return st.lists(one, max_size=25, unique=True)


@st.composite
def cut(draw: st.DrawFn, arrivals: list[Event]) -> Batches:
    """The events in micro-batches, in the order given."""
    cuts = sorted(draw(st.lists(st.integers(0, len(arrivals)), max_size=5)))
    return [arrivals[lo:hi] for lo, hi in zip([0, *cuts], [*cuts, len(arrivals)], strict=True)]


@st.composite
def disordered(draw: st.DrawFn, lateness: int) -> list[Event]:
    """Events in an order in which none comes after one that is later by more than the lateness."""
    delays = st.integers(0, lateness)
    delayed = [(event.time + draw(delays), number, event) for number, event in enumerate(draw(events()))]
    return [event for _, _, event in sorted(delayed)]
