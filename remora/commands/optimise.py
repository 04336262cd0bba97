"""`remora optimise`: the cheapest pattern that says the same, with the chain of laws that leads to it."""

import re
from collections import Counter
from math import inf
from typing import Any, get_args

import click

from discovery.carlson_lisper.egraph import Step
from discovery.carlson_lisper.optimisation.costs import USUAL, By
from discovery.carlson_lisper.optimisation.optimising import Optimised, optimised, shared_parts
from laws.standings import Standing
from remora import __version__
from remora.api.patterns.patterns import as_pattern, read_patterns
from remora.terminal import options
from remora.terminal.console import JsonObject, emit
from remora.terminal.options import FORMAT, NO_SEED, Asked, Result, WholeNumber, ends, log_options, option
from remora.terminal.progress import waiting
from semantics.carlson_lisper.decisions import MAX_STEPS, Level
from semantics.carlson_lisper.syntax import to_text
from semantics.errors import InputError
from semantics.events import unquoted
from semantics.traces.files import read_rows
from semantics.traces.reading import Reading

SAME: dict[Level, str] = {"meaning": "instances", "intervals": "starts and ends", "detection": "detections"}

_FREQUENCY = re.compile(
    r"""\s*("(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+'|[^=,"'\s]+)\s*=\s*((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*"""
)


@click.command()
@click.argument("pattern", required=False)
@option("--patterns patterns_path", "A pattern a line, or name = pattern, in the place of PATTERN.", options.FILE)
@option("--up-to level", "What has to stay the same.", click.Choice(get_args(Level)), default="detection")
@option("--by", "What is to become less.", click.Choice(get_args(By)), default="time")
@option("--frequencies", f"How often types occur at an instant, such as a=0.1,b=0.01; {USUAL} is assumed.")
@option("--log", "How often they occur in this log, in the place of --frequencies.", shell_complete=options.files)
@option("--steps", "Give up after so many transitions for the decision.", WholeNumber(1), default=MAX_STEPS)
@log_options()
@ends(NO_SEED, FORMAT)
def optimise(asked: Asked) -> Result:
    """Find the cheapest pattern that says the same as PATTERN on all traces, and the chain of laws that leads to it."""
    if (asked.pattern is None) is (asked.patterns_path is None):
        raise click.UsageError("Give a PATTERN, or --patterns with a file of some.")
    tick = asked.reading.tick
    path, meant = asked.patterns_path, asked.pattern
    given = read_patterns(path, tick) if meant is None else {"": as_pattern(meant, tick)}
    known = frequencies(asked.frequencies, asked.log, asked.reading)
    found = dict[str, Optimised]()
    with waiting("optimising") as tell:
        for name, pattern in given.items():
            tell(name)
            found[name] = optimised(pattern, asked.level, asked.by, known, steps=asked.steps)
    names, shared = list(found), shared_parts([one.result for one in found.values()])
    document: JsonObject = {
        "schema": "remora/optimise/1",
        "remora": __version__,
        "level": asked.level,
        "by": asked.by,
        "frequencies": known,
        "patterns": [{"name": name or None, **optimised_data(one)} for name, one in found.items()],
        "shared": [{"part": str(part), "patterns": [names[each] for each in among]} for part, among in shared.items()],
    }

    def show() -> None:
        for name, one in found.items():
            emit((f"{name}\n" if name != str(one.pattern) and name else "") + text(one) + "\n" * (len(found) > 1))
        for part, among in shared.items():
            emit(f"shared     {part}\n  by       {', '.join(names[each] for each in among)}\n")

    undecided = any(one.undecided for one in found.values())
    return Result(Standing.UNKNOWN if undecided else None, document, show)


def frequencies(stated: str | None, log: str | None, reading: Reading) -> dict[str, float]:
    """How often event types occur at an instant, as stated or as counted in a log; `InputError` where this is no share.

    In a log an instant is a tick from its first to its last row, of a partition where it has some.
    """
    if log is None:
        found = dict[str, float]()
        for part in filter(None, re.split(r""",(?=(?:[^"']|"[^"]*"|'[^']*')*$)""", stated or "")):
            match = _FREQUENCY.fullmatch(part)
            if match is None or (share := float(match[2])) > 1:
                remedy = "Write a=0.1,b=0.01: the share of the instants at which the type occurs, from 0 to 1."
                raise InputError(f"{part!r} says no frequency", place="--frequencies", remedy=remedy)
            found[unquoted(match[1]) if match[1][0] in "\"'" else match[1]] = share
        return found
    if stated is not None:
        raise click.UsageError("Give --frequencies or --log, not both.")
    counts, partitions, times = Counter[str](), set[Any](), list[int]()
    for row in read_rows(log, reading):
        counts[row.event] += 1
        partitions.add(row.partition)
        times[:] = [min([row.time, *times]), max([row.time, *times])]
    instants = (times[1] - times[0] + 1) * len(partitions) if times else 1
    return {name: min(1.0, count / instants) for name, count in sorted(counts.items())}


def optimised_data(one: Optimised) -> JsonObject:
    """A pattern optimised, with the keys of `remora/optimise/1`."""
    return {
        "pattern": str(one.pattern),
        "result": str(one.result),
        "cheaper": one.is_cheaper,
        "check": one.check,
        "before": one.before.data(),
        "after": one.after.data(),
        "chain": [step.data() for step in one.chain],
    }


def text(one: Optimised) -> str:
    """The same for people."""
    if not one.is_cheaper:
        return f"pattern    {one.pattern}\nas it is   {one.check}\n"
    before, after = one.before, one.after
    shares = {name: after.times[name] / took if took else 1.0 for name, took in before.times.items()}
    times = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
    kept = ("unbounded" if cost.instances == inf else f"{int(cost.instances):,}" for cost in (after, before))
    said = (
        f"pattern    {one.pattern}\n"
        f"cheaper    {one.result}\n"
        f"same       {SAME[one.level]} on all traces: {one.check}\n"
        f"time       {times} of that before, as expected\n"
        f"keeps      instances {', before '.join(kept)}; starts {after.starts:,}, before {before.starts:,}\n"
        f"size       nodes {after.size:,}, before {before.size:,}\n"
    )
    return "".join([said, *(_step(number, step) for number, step in enumerate(one.chain, 1))])


def _step(number: int, step: Step) -> str:
    left, right = (to_text(side, grouped=True) for side in (step.claim.equation.left, step.claim.equation.right))
    law = f"{left} {step.claim.equation.relation} {right}"
    way = "from left to right" if step.forward else "from right to left"
    place = f", at {'.'.join(str(each + 1) for each in step.place)}" if step.place else ""
    same = "" if step.whole == step.after else f"  gives    {step.whole}\n"
    return (
        f"\n{number}. {step.claim.id}, {way}{place}: {law}\n  before   {step.before}\n  after    {step.after}\n{same}"
    )
