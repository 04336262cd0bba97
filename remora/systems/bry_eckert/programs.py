"""Programs and plans as a user names them, and plans compared by exact counts on a log."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby, islice
from math import inf
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES, FORGETTING
from detectors.bry_eckert.differencing import Differencing, KeptFor, as_maximal, as_relevant, for_ever
from detectors.bry_eckert.nodes.engine import OPTIMIZED, STORING, STREAMING, SUPPRESSING, Nodes, Variant
from detectors.bry_eckert.protocol import Counts, answers, timers
from remora.terminal.console import print_note
from remora.terminal.texts import counted
from semantics.bry_eckert.algebra.planning import Choice, chosen, planned, read_choices
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.checking import NO_TYPES, parse
from semantics.bry_eckert.programs import EventType, Program
from semantics.bry_eckert.traces import events_of, read_log
from semantics.errors import InputError
from semantics.events import Event, quoted
from semantics.traces.files import is_at_rest
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition

SUFFIX = ".rules"


def read_program(path: str | Path, tick: str | None = None, known: Mapping[str, EventType] = NO_TYPES) -> Program:
    """The program in a file.

    Args:
        tick: the length of a tick where the program states none, such as `1s`.
        known: event types that need no declaration (`semantics.bry_eckert.checking.parse`).

    Raises:
        InputError: there is no such file, or it is no program; names file, line and column.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"the program cannot be read: {error.strerror}",
            place=str(path),
            remedy=f"Name a file of rules that ends in {SUFFIX}.",
        ) from None
    except UnicodeDecodeError:
        raise InputError("the program is not text in UTF-8", place=str(path)) from None
    try:
        return parse(text, "" if tick is None else tick.replace(" ", ""), known)
    except InputError as error:
        error.place = f"{path}, {error.place}" if error.place else str(path)
        raise


def plan_for(program: Program, path: Path | None = None) -> Plan:
    """The plan in a file (`semantics.bry_eckert.algebra.planning`); without one, atoms are joined in their order.

    Raises:
        InputError: the file cannot be read, or names no rule or identifier of the program.
    """
    return planned(program, {} if path is None else read_choices_in(path, program))


def read_choices_in(path: Path, program: Program) -> dict[str, Choice]:
    """The choices in a file.

    Raises:
        InputError: as `plan_for`.
    """
    try:
        return read_choices(path.read_text(encoding="utf-8"), program)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the plan cannot be read: {error}", place=str(path)) from None
    except InputError as error:
        error.place = f"{path}, {error.place}"
        raise


def wanted_types(program: Program, only: Sequence[str]) -> frozenset[str]:
    """The derived event types that are asked for; all where none is named.

    Raises:
        InputError: the program derives no such type.
    """
    for name in only:
        if name not in program.derived:
            raise InputError(
                f"the program derives no {quoted(name)}",
                place="--only",
                remedy=f"It derives {', '.join(map(quoted, program.derived))}.",
            )
    return frozenset(only or program.derived)


def printed_engine(named: str | None, as_printed: bool) -> str:
    """The engine that is asked for, as its paper prints it where that is asked for.

    Raises:
        InputError: there is none of this name, or it is a variant that no paper prints.
    """
    engine = named or DEFAULT_DETECTOR
    if engine not in ENGINES:
        raise InputError(
            f"there is no engine {engine!r}", place="--detector", remedy=f"The engines: {', '.join(ENGINES)}."
        )
    if not as_printed or engine.endswith(PRINTED):
        return engine
    if f"{engine}{PRINTED}" not in ENGINES:
        raise InputError(
            f"no paper prints the engine {engine}", place="--as-printed", remedy="One is printed: --detector nodes."
        )
    return f"{engine}{PRINTED}"


PRINTED = ":as-printed"
"""The end of the names of engines as their papers print them."""


def safe_engine(engine: str, program: Program, plan: Plan) -> tuple[str, Plan, list[str]]:
    """The engine that is asked for, with a plan that keeps for ever what a solver does not find safe to forget.

    Returns:
        The name of the engine, its plan, and what is wrong with the conditions, in sentences.
    """
    if engine not in FORGETTING:
        return engine, plan, []
    from smt.bry_eckert.relevance import doubtful

    found = list(doubtful(program, plan))
    said = [f"{one}; nothing is dropped there" for one in found]
    return engine, replace(plan, doubtful=frozenset((one.point, one.number) for one in found)), said


def sampled_plan(
    program: Program,
    plan_path: Path | None,
    log: str,
    reading: Reading,
    sample: int | None,
    engine: str = DEFAULT_DETECTOR,
) -> Plan:
    """The plan in a file, or the one that costs least on the first events of a log, which is said.

    Args:
        plan_path: the file; None for the plan as the rules are written.
        sample: how many events decide; None for none.

    Raises:
        InputError: the log is no file, which is read twice, or the plan is chosen in two ways.
    """
    if sample is None:
        return plan_for(program, plan_path)
    if plan_path is not None:
        raise InputError("--plan and --sample both choose a plan", remedy="Leave one of them out.")
    if not is_at_rest(log):
        raise InputError(
            "the events that decide on the plan are read twice, and standard input or a pipe only once",
            place="--sample",
            remedy="Name a file, or a plan with --plan.",
        )
    apart: dict[Partition, list[Event]] = {}
    rows = (row for instant in read_log(log, program, reading) for row in instant.rows)
    events = ((row.partition, event) for row in rows for event in events_of((row,), program))
    for partition, event in islice(events, sample):
        apart.setdefault(partition, []).append(event)
    choices = least_cost(program, list(apart.values()), engine)
    joined = "; ".join(f"{name}: {choice}" for name, choice in choices.items()) or "as the rules are written"
    print_note(f"the plan that costs least on the first {counted(sum(map(len, apart.values())), 'event')}: {joined}")
    return planned(program, choices)


# -------------------------------------------------------------------------------------------- plans compared


MOST_CANDIDATES = 5_000_000
"""Of a plan that looks at so many stored tuples in a sample, no more is counted: it takes seconds."""

DIFFERENCING: Mapping[str, KeptFor] = MappingProxyType(
    {", storing": for_ever, ", maximal": as_maximal, "": as_relevant}
)
"""How long finite differencing keeps tuples: for ever, by the maximal relevance conditions, by the minimal ones."""

NODES: Mapping[str, tuple[Variant, bool]] = MappingProxyType(
    {
        ", storing": (STORING, False),
        ", streaming": (STREAMING, False),
        ", suppressing": (SUPPRESSING, False),
        ", both joins": (OPTIMIZED, False),
        ", collecting": (STORING, True),
        "": (OPTIMIZED, True),
    }
)
"""What joins of node objects leave out, and whether what is irrelevant is dropped: each alone, and all together."""


@dataclass(frozen=True)
class Measured:
    """What an engine did with a plan on a log."""

    plan: str
    engine: str
    answers: int
    counts: Counts


def measured_data(row: Measured) -> dict[str, Any]:
    """A row as plain data."""
    counts = {**asdict(row.counts), "mean": row.counts.mean}
    return {"plan": row.plan, "engine": row.engine, "answers": row.answers, **counts}


def cost(
    program: Program,
    plan: Plan,
    logs: Iterable[Sequence[Event]],
    limit: float = inf,
    engine_name: str = DEFAULT_DETECTOR,
) -> float:
    """The cost of a plan: the stored tuples that joins look at, and the mean number of those that are stored.

    Where joins are of several kinds, how often a right side is evaluated as well.

    Args:
        limit: counting ends where this many are reached, or `MOST_CANDIDATES`: then the cost is infinite.
        engine_name: the engine whose joins are counted: of node objects, or of finite differencing.
    """
    total, limit = 0.0, min(limit, MOST_CANDIDATES)
    for events in logs:
        engine: Differencing | Nodes = (
            Nodes(program, plan) if engine_name.startswith("nodes") else Differencing(program, plan, counting=True)
        )
        for time, given in groupby(events, attrgetter("time")):
            for _ in timers(engine, time - 1):
                pass
            engine.step(time, list(given))
            if total + engine.counts.candidates >= limit:
                return inf
        for _ in timers(engine, None):
            pass
        total += engine.counts.candidates + engine.counts.evaluated + engine.counts.mean
    return total


def least_cost(program: Program, logs: Sequence[Sequence[Event]], engine: str = DEFAULT_DETECTOR) -> dict[str, Choice]:
    """The choices that cost an engine least on a sample of the events of each partition."""
    return chosen(program, lambda plan, limit: cost(program, plan, logs, limit, engine))


MEASURED = ("differencing", "nodes")
"""The engines whose counts are compared, each without and with what it leaves out."""


def compared(
    program: Program, choices: dict[str, dict[str, Choice]], events: Sequence[Event], wanted: Collection[str] = MEASURED
) -> list[Measured]:
    """What the engines that are wanted do with each of some choices, by name, on a log."""
    points = frozenset(program.declared) if all(event.start == event.time for event in events) else frozenset[str]()
    found = []
    for name, choice in choices.items():
        plan = planned(program, choice)
        engines: dict[str, Differencing | Nodes] = {
            f"differencing{named}": Differencing(program, plan, points, counting=True, relevance=kept)
            for named, kept in DIFFERENCING.items()
        } | {
            f"nodes{named}": Nodes(program, plan, points=points, variant=variant, collecting=collecting)
            for named, (variant, collecting) in NODES.items()
        }
        for engine, made in engines.items():
            if engine.partition(",")[0] not in wanted:
                continue
            number = sum(1 for _ in answers(made, events))
            found.append(Measured(name, engine, number, made.counts))
    return found
