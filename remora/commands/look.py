"""`remora look`: what is in a log, and the options that read it."""

import re
import shlex
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from remora import __version__
from remora.api.claiming.data import picked
from remora.terminal import options
from remora.terminal.console import counted, emit, print_note, print_table
from remora.terminal.options import FORMAT, NO_SEED, Asked, Result, ends, flag, log_options, reading_words
from semantics.errors import InputError
from semantics.events import Time, quoted
from semantics.traces.beside import write_beside
from semantics.traces.files import read_rows
from semantics.traces.guessing import guessed
from semantics.traces.reading import Reading
from semantics.traces.rows import ReadReport, Undecided
from semantics.traces.times import epoch_of

LISTED = 8  # So many event types are listed
VALUES = 10_000  # So many values of a column are told apart

_KEY = re.compile(r"(^|_|\.)(id|key|case|user|session|host|customer|account|device|partition)$|[a-z]Id$", re.IGNORECASE)


@dataclass
class Look:
    """What the rows of a log have."""

    report: ReadReport
    rows: int = 0
    types: Counter[str] = field(default_factory=Counter)
    first: Time = 0
    last: Time = 0
    same_tick: int = 0  # rows at a tick that a row before has
    repeated: int = 0  # rows whose event type has occurred at their tick
    out_of_order: int = 0  # rows with an earlier time than the row before
    lag: Time = 0  # the most that a time lies before that of some row before
    intervals: int = 0
    filled: Counter[str] = field(default_factory=Counter)
    values: dict[str, set[object]] = field(default_factory=dict)

    def take(self, log: str, reading: Reading) -> None:
        """Read a log whole."""
        seen, ticks, before, latest = set[tuple[Time, str]](), set[Time](), 0, 0
        for row in read_rows(log, replace(reading, skip_bad=True, partition_by=None), report=self.report):
            time, event, start, attributes, *_ = row
            self.first, self.last = min(self.first, time) if self.rows else time, max(self.last, time)
            self.rows += 1
            self.types[event] += 1
            self.same_tick += time in ticks
            self.repeated += (time, event) in seen
            ticks.add(time)
            seen.add((time, event))
            self.out_of_order, self.lag = self.out_of_order + (time < before), max(self.lag, latest - time)
            before, latest = time, max(latest, time)
            self.intervals += start < time
            for name, value in attributes.items():
                self.filled[name] += value not in (None, "")
                values = self.values.setdefault(name, set())
                if len(values) < VALUES:
                    values.add(value)

    @property
    def keys(self) -> list[str]:
        """The columns that may tell logs apart: by their names, with values that come again."""
        return [name for name, found in self.values.items() if _KEY.search(name) and 1 < len(found) < self.rows]


def looked(log: str, given: Reading) -> tuple[Look, Reading]:
    """What is in a log, and the reading that meets all that stands against it; `InputError` where none is found."""
    reading = guessed(log, replace(given, skip_bad=True)) or given
    for rounded in (reading.round, True):
        found = Look(ReadReport())
        try:
            found.take(log, replace(reading, round=rounded))
        except Undecided:
            if rounded or reading.tick is None:
                raise
        else:
            break
    if not found.rows:
        raise InputError("there is no row", place=log, remedy="A log has a row for each event.")
    same_time = given.same_time or ("first" if found.repeated else None)
    sort, skip_bad = given.sort or bool(found.out_of_order), given.skip_bad or bool(found.report.bad)
    return found, replace(reading, round=rounded, same_time=same_time, sort=sort, skip_bad=skip_bad)


def _times(found: Look, reading: Reading) -> str:
    clock = reading.clock
    if clock is None:
        meant = epoch_of(found.first)
        return f"{found.first} to {found.last}, in ticks" + (f" that look like {meant} since 1970" if meant else "")
    how = f"{reading.epoch} since 1970" if reading.epoch not in (None, "ticks") else "as dates"
    how = "in ticks" if reading.epoch == "ticks" else reading.time_format or how
    return f"{clock.text(found.first)} to {clock.text(found.last)}, {how}, in ticks of {reading.tick}"


def _rows(log: str, found: Look, reading: Reading) -> list[tuple[str, str]]:
    value = [f"{reading.value} (value)"] if "value" in found.filled else []
    others = [name + (" (key?)" if name in found.keys else "") for name in found.filled if name != "value"]
    start = [f"{reading.start} (start)"] if found.intervals else []
    types = ", ".join(f"{quoted(name)} {count:,}" for name, count in found.types.most_common(LISTED))
    more = f", and {len(found.types) - LISTED:,} more" if len(found.types) > LISTED else ""
    missing = {reading.value if name == "value" else name: found.rows - had for name, had in found.filled.items()}
    empty = ", ".join(f"{name} in {counted(count, 'row')}" for name, count in missing.items() if count)
    rows = [
        ("log", f"{log}: {counted(found.rows + found.report.bad, 'row')}"),
        ("columns", ", ".join([f"{reading.time} (time)", f"{reading.event} (event)", *value, *start, *others])),
        ("events", f"{counted(len(found.types), 'type')}: {types}{more}"),
        ("times", _times(found, reading)),
    ]
    again = f", {found.repeated:,} of them of a type that occurred then" if found.repeated else ""
    taken = f"take time, as rules read them; patterns take them at their ends: --start {reading.time}"
    remarks = {
        "intervals": (found.intervals, taken),
        "same tick": (found.same_tick, f"at the tick of one before{again}"),
        "disorder": (found.out_of_order, f"earlier than the row before, by {counted(found.lag, 'tick')} at most"),
        "bad rows": (found.report.bad, f"cannot be read, the first at {found.report.first_bad}"),
        "rounded": (found.report.rounded, f"between two ticks of {reading.tick}"),
    }
    rows += [(heading, f"{counted(count, 'row')} {said}") for heading, (count, said) in remarks.items() if count]
    return rows + ([("empty", empty)] if empty else [])


@click.command()
@click.argument("log", shell_complete=options.files)
@flag("--write", "Store the options in remora.toml beside the log, where every command finds them.")
@log_options("sql", "partition_by")
@ends(NO_SEED, FORMAT)
def look(asked: Asked) -> Result:
    """Read LOG whole, and print what is in it and all options that it takes to read it."""
    log, given = asked.log, asked.reading
    if not Path(log).is_file():
        raise InputError("this is no file", place=log, remedy="Name one file: a log is looked at as a whole.")
    found, reading = looked(log, given)
    words = reading_words(reading)
    often = [quoted(name) for name, _ in found.types.most_common(2)]
    at_ends = ["--start", reading.time] if found.intervals else []  # events of patterns are points
    pattern = " ; ".join(often * (2 if len(often) == 1 else 1))
    command = shlex.join(["remora", "detect", pattern, log, *words, *at_ends])
    rows = _rows(log, found, reading)
    document: dict[str, Any] = {
        "schema": "remora/look/1",
        "remora": __version__,
        "rows": found.rows,
        "events": dict(found.types.most_common()),
        **picked(found, "first", "last", "same_tick", "repeated", "out_of_order", "lag"),
        **picked(found.report, "bad", "first_bad"),
        "empty": {name: found.rows - had for name, had in found.filled.items() if had < found.rows},
        "keys": found.keys,
        "options": reading.stated(),
        "command": command,
    }

    def show() -> None:
        print_table((), rows)
        emit("\n" + "".join(f"apart by {key}: --partition-by {key}\n" for key in found.keys))
        if found.same_tick and not given.same_time:
            one = "--same-time first keeps the first row of a type in a tick"
            kept = one if found.repeated else "rows of one tick are simultaneous"
            emit(f"{kept}; with --ties order, for patterns, all come one after the other\n")
        emit(f"{command}\n" if words or at_ends else f"It is read as it is: {command}\n")

    if asked.write:
        print_note(f"stored in {write_beside(log, reading.stated())}")
    return Result(None, document, show)
