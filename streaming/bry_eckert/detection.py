"""Detection by rules in a stream of Spark: a DataFrame of events goes in, one of answers comes out, live or not.

Source, sink, trigger and checkpoint are the user's. In a live stream an answer is given when time has passed it, which
is the greatest time of any row less the lateness; otherwise all times are done at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import DataType, IntegralType, StringType

from detectors.bry_eckert.adding import lacking, needs
from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import Axiom, Program
from semantics.errors import InputError
from semantics.events import Time, quoted
from semantics.traces.rows import MAX_TIME, Origin, Row
from streaming.bry_eckert.keys import shared_keys, within_key
from streaming.bry_eckert.settings import Added, Settings, program_of, whole_of
from streaming.keyed import PACKS, packs_of, require_columns

_ORIGIN = Origin("the stream", "row")


def detections(stream: DataFrame, settings: Settings) -> DataFrame:
    """What a program derives from the rows of a stream, and which rows were not taken.

    The columns of the result:

        key         of the state, as JSON
        kind        "detected"; "withdrawn" for an answer that was given and is false after all (`corrections`);
                    "late" for a row that was not taken; "broken" for one that breaks an axiom
        start       in ticks
        time        in ticks: when it ends
        event       the event type
        attributes  as JSON; of a row that breaks an axiom, the axiom and the event that it contradicts too
        line        all of this as a line of JSON

    Args:
        stream: with the columns `time` (integers in ticks), `event` (text), perhaps `start`, and the attributes that
            the program declares; rows may come as late as the settings say.
        settings: as `settings_of` gives them.

    Raises:
        InputError: a column is missing or of a wrong type, or the session does not keep state in RocksDB. A row that
            is refused ends the query with the same error; see `streaming.errors.explained`.
    """
    keys = [] if settings.partition_by is None else [settings.partition_by]
    starts = ["start"] if "start" in stream.columns else []
    kinds = {**dict.fromkeys(keys, DataType), **dict.fromkeys(("time", *starts), IntegralType)}
    require_columns(stream, {**kinds, "event": StringType})
    packs = stream.mapInArrow(partial(packs_of, detection=settings, row=partial(_row, settings)), PACKS)
    return replace(settings, live=stream.isStreaming).detected(packs)


def settings_of(
    program: Program | str,
    *,
    lateness: Time = 0,
    key: str | None = None,
    only: Iterable[str] = (),
    detector: str = DEFAULT_DETECTOR,
    choices: str = "",
    corrections: bool = False,
    keep: Time = 0,
) -> tuple[Settings, tuple[Axiom, ...]]:
    """What is detected and how.

    Args:
        program: the rules.
        lateness: a time is done when one that is greater by more than this was seen, in ticks.
        key: the column each of whose values has a log of its own; without one, events are kept apart by the variable
            that all atoms have in common, where there is one.
        only: the event types whose answers are wanted; all where none is named.
        detector: a name of `detectors.bry_eckert.catalogue.ENGINES`. That the conditions by which it forgets are safe
            for the program at hand is for the caller to decide (`remora.systems.bry_eckert.programs.safe_engine`).
        choices: the text of a plan (`semantics.bry_eckert.algebra.planning`).
        corrections: whether answers do not wait for rows that may come late, and are corrected where they come.
        keep: for how many ticks events and answers are kept for rules that are added (`with_added`).

    Returns:
        The settings, and the axioms of the program that are not believed, for the events that break one may have
        different keys, whose states are apart.

    Raises:
        InputError: the program or a name is not suitable.
    """
    checked = parse(program) if isinstance(program, str) else program
    wanted = frozenset(only or checked.derived)
    for name in wanted - set(checked.derived):
        raise InputError(f"the program derives no {name}", remedy=f"It derives {', '.join(checked.derived)}.")
    if detector not in ENGINES:
        raise InputError(f"no detector is called {detector}", remedy=f"There are {', '.join(ENGINES)}.")
    keys = None if key is not None else shared_keys(checked)
    kept = tuple(axiom for axiom in checked.axioms if keys is None or within_key(axiom, keys))
    return (
        Settings(
            str(replace(checked, axioms=kept)),
            choices,
            detector,
            wanted,
            lateness,
            key,
            None if keys is None else tuple(keys.items()),
            corrections,
            keep=keep,
        ),
        tuple(axiom for axiom in checked.axioms if axiom not in kept),
    )


def with_added(settings: Settings, added: Added) -> Settings:
    """The detection of a stream that goes on with more rules, which give each answer that happens from then on.

    Args:
        settings: of the stream as it was.
        added: the rules; what they read is declared as in the stream, or derived there. Of their axioms those are left
            out whose events may have different keys.

    Raises:
        InputError: what they need of the past is not kept, or they join events of different keys.
    """
    before, more, keys = whole_of(settings), program_of(added.program), None
    if settings.keys is not None:
        keys = shared_keys(before.united(more), dict(settings.keys))
        if keys is None:
            places = ", ".join(f"{quoted(type)}.{name}" for type, name in settings.keys)
            raise InputError(
                f"the rules that are added join events of different keys, and the state is kept by {places}",
                place="--add",
                remedy="Stream a program with the rules of both files, with --only for what is new and an --out of its"
                " own: it reads the folder from the beginning.",
            )
    # What has no key is not kept.
    there = before.signatures if settings.keys is None else dict(settings.keys)
    for relation, needed in needs(planned(more, {}), added.past).items():
        kept = settings.keep if relation in there else 0
        if needed is None or needed > kept:
            back = "without a bound" if needed is None else f"{needed} ticks back"
            raise lacking(relation, back, f"is kept for {kept}" if relation in there else "was not read")
    axioms = tuple(axiom for axiom in more.axioms if keys is None or within_key(axiom, keys))
    added = replace(added, program=str(replace(more, axioms=axioms)))
    own = None if keys is None else tuple(keys.items())
    return replace(settings, keys=own, added=(*settings.added, added))


def pending(session: SparkSession, checkpoint: str | Path, settings: Settings) -> DataFrame | None:
    """What the rows that wait and the pending timers would give if nothing more came: rows of the kind `pending`.

    Args:
        session: with no query running on the checkpoint.
        checkpoint: of a query with one detection that has stopped.
        settings: of that detection.

    Returns:
        Rows as of `detections`, or None when no micro-batch has been finished yet.
    """
    return settings.pending(session, Path(checkpoint))


def _row(settings: Settings, cells: Mapping[str, Any], number: int) -> Row:
    """A row of the stream.

    Raises:
        InputError: its time is missing or out of bounds, or it has no event type.
    """
    time, event = cells["time"], cells["event"]
    start = time if cells.get("start") is None else cells["start"]
    if time is None or not 0 <= time <= MAX_TIME or start > time or not event:
        raise _ORIGIN.error(
            0,
            f"a row has time {time}, start {start} and event {event!r}",
            "A time is an integer >= 0 in ticks, a start is not later, and each row has an event type.",
        )
    partition = None if settings.partition_by is None else cells[settings.partition_by]
    return Row(time, event, start, cells, partition, _ORIGIN, number)
