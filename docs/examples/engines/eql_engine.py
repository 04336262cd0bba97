"""The `eql` package of Endgame (python -m pip install eql) as a detector; `--fork` keeps what a match has used."""

import sys
from collections.abc import Sequence
from fractions import Fraction

from eql.engine import PythonEngine
from eql.events import Event as EqlEvent
from eql.parser import elasticsearch_syntax, parse_query
from protocol import Event, serve

from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.translation.chains import chain_of, eql

SECOND = 10_000_000
"""A tick is one second, and the package counts times in 100 ns."""


def answer(pattern: Expression, events: Sequence[Event]) -> list[dict]:
    """What the package finds in a log."""
    query = eql(chain_of(pattern), Fraction(1))
    if "--fork" in sys.argv:  # behind each step but the first
        first, *later = query.split("\n  [")
        query = "\n  [".join([first, *later[:1], *(step.replace("]", "] fork=true", 1) for step in later[1:])])
    with elasticsearch_syntax:
        parsed = parse_query(query)
    outputs: list = []
    engine = PythonEngine()
    engine.add_query(parsed)
    engine.add_output_hook(outputs.append)
    for number, (time, event, value) in enumerate(events):
        row = {"event": event, "value": value, "tick": time, "serial_event_id": number}
        engine.stream_event(EqlEvent("generic", time * SECOND, row))
    engine.finalize()
    return [found([row.data for row in output.events]) for output in outputs]


def found(rows: list[dict]) -> dict:
    """A match, by its events."""
    instance = [[row["tick"], row["event"], row["value"]] for row in rows]
    return {"start": instance[0][0], "end": instance[-1][0], "instance": instance}


if __name__ == "__main__":
    serve(answer)
