"""Programs and plans as a user names them, and plans compared by exact counts on a log."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, islice
from math import inf
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType

from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES
from detectors.bry_eckert.differencing import Differencing, for_ever, maximal
from detectors.bry_eckert.nodes import Nodes
from detectors.bry_eckert.protocol import answers, timers
from remora.systems.protocol import parsed
from remora.terminal.console import counted, print_note
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


def read_program(path: str | Path, tick: str | None = None, known: Mapping[str, EventType] = NO_TYPES) -> Program:
    """The program in a file; an `InputError` names file, line and column."""
    return parsed(path, lambda text: parse(text, (tick or "").replace(" ", ""), known), "program")


def read_choices_in(path: Path, program: Program) -> dict[str, Choice]:
    """The choices of a plan in a file; raises `InputError` where they name no rule or identifier of the program."""
    return parsed(path, lambda text: read_choices(text, program), "plan")


def plan_for(program: Program, path: Path | None = None) -> Plan:
    """The plan in a file; without one, atoms are joined in their order. Raises as `read_choices_in`."""
    return planned(program, {} if path is None else read_choices_in(path, program))


def wanted_types(program: Program, only: Sequence[str], reserved: str = "") -> frozenset[str]:
    """The derived event types that are asked for, or all; `InputError` where there is none, or one has an attribute."""
    for name in only:
        if name not in program.derived:
            remedy = f"It derives {', '.join(map(quoted, program.derived))}."
            raise InputError(f"the program derives no {quoted(name)}", place="--only", remedy=remedy)
    for name in only or program.derived:
        if reserved in program.signatures[name].types:
            reason = f"{name} has an attribute {reserved}, and what is printed has a column of this name"
            raise InputError(reason, remedy="Give the attribute another name in the head of the rule.")
    return frozenset(only or program.derived)


def engine_named(name: str | None) -> str:
    """The engine that is asked for; raises `InputError` where there is none of this name."""
    if (name or DEFAULT_DETECTOR) not in ENGINES:
        remedy = f"The engines: {', '.join(ENGINES)}."
        raise InputError(f"there is no engine {name!r}", place="--detector", remedy=remedy)
    return name or DEFAULT_DETECTOR


def safe_plan(program: Program, plan: Plan) -> tuple[Plan, list[str]]:
    """The plan by which engines keep for ever what a solver does not find safe to forget; what that is, in words."""
    from smt.bry_eckert.relevance import doubtful

    found = list(doubtful(program, plan))
    said = [f"{one}; nothing is dropped there" for one in found]
    return replace(plan, doubtful=frozenset((one.point, one.number) for one in found)), said


def sampled_plan(
    program: Program,
    plan_path: Path | None,
    log: str,
    reading: Reading,
    sample: int | None,
    engine: str = DEFAULT_DETECTOR,
) -> Plan:
    """The plan in a file, or the one that costs least on the first events of a log, which is said.

    Raises:
        InputError: the log is no file, which is read twice, or the plan is chosen in two ways.
    """
    if sample is None:
        return plan_for(program, plan_path)
    if plan_path is not None:
        raise InputError("--plan and --sample both choose a plan", remedy="Leave one of them out.")
    if not is_at_rest(log):
        reason = "the events that decide on the plan are read twice, and standard input or a pipe only once"
        raise InputError(reason, place="--sample", remedy="Name a file, or a plan with --plan.")
    apart: dict[Partition, list[Event]] = {}
    rows = (row for instant in read_log(log, program, reading) for row in instant.rows)
    events = ((row.partition, event) for row in rows for event in events_of((row,), program))
    for partition, event in islice(events, sample):
        apart.setdefault(partition, []).append(event)
    choices = least_cost(program, list(apart.values()), engine)
    joined = "; ".join(f"{name}: {choice}" for name, choice in choices.items()) or "as the rules are written"
    print_note(f"the plan that costs least on the first {counted(sum(map(len, apart.values())), 'event')}: {joined}")
    return planned(program, choices)


MOST_CANDIDATES = 5_000_000
"""Limit of the stored tuples that a sample looks at; beyond it nothing more is counted."""

MEASURED: Mapping[str, Callable[[Program, Plan, frozenset[str]], Differencing | Nodes]] = MappingProxyType(
    {
        "differencing, storing": partial(Differencing, counting=True, relevance=for_ever),
        "differencing, maximal": partial(Differencing, counting=True, relevance=maximal),
        "differencing": partial(Differencing, counting=True),
        "nodes, storing": partial(Nodes, streaming=False, suppressing=False, collecting=False),
        "nodes, streaming": partial(Nodes, suppressing=False, collecting=False),
        "nodes, suppressing": partial(Nodes, streaming=False, collecting=False),
        "nodes, both joins": partial(Nodes, collecting=False),
        "nodes, collecting": partial(Nodes, streaming=False, suppressing=False),
        "nodes": Nodes,
    }
)
"""The engines, without and with what they leave out: tuples are kept for ever, by the maximal relevance conditions, or
by the minimal ones; of node objects each kind of join and the dropping of tuples alone, and all together."""


def cost(
    program: Program, plan: Plan, logs: Iterable[Sequence[Event]], limit: float = inf, engine: str = DEFAULT_DETECTOR
) -> float:
    """The cost of a plan: stored tuples that joins look at, right sides evaluated, and the mean number stored.

    Counting ends where a limit, or `MOST_CANDIDATES`, is reached: then the cost is infinite.
    """
    total, limit = 0.0, min(limit, MOST_CANDIDATES)
    for events in logs:
        running = MEASURED[engine](program, plan, frozenset())
        for time, given in groupby(events, attrgetter("time")):
            list(answers(running, given, time))
            if total + running.counts.candidates >= limit:
                return inf
        list(timers(running, None))
        total += running.counts.candidates + running.counts.evaluated + running.counts.mean
    return total


def least_cost(program: Program, logs: Sequence[Sequence[Event]], engine: str = DEFAULT_DETECTOR) -> dict[str, Choice]:
    """The choices that cost an engine least on a sample of the events of each partition."""
    return chosen(program, lambda plan, limit: cost(program, plan, logs, limit, engine))
