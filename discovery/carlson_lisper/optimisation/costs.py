"""What detecting patterns costs: expected time at an instant, memory, size; a model of the detectors (`costs.toml`).

An event type occurs at an instant with a probability of its own, independently. From these follow, for each part of a
pattern, how often an instance of it is detected and how long that is: roughly, but for all patterns in one way. The
nanoseconds were fitted to what the detectors took on random patterns at the densities of `benchmarks.throughput`; the
model is within a quarter of nine in ten measured times, and only its proportions matter.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from detectors.carlson_lisper.generated import Generated, parts
from detectors.carlson_lisper.source.bounds import resources_of
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import Bound, Expression, Operation, fold, identifiers, size

By: TypeAlias = Literal["time", "memory", "size"]
Frequencies: TypeAlias = Mapping[str, float]  # For each event type the probability that it occurs at an instant
USUAL = 0.1  # The probability where none is stated
MARGIN = 0.97  # What is cheaper takes at most so much of the expected time, since a model is no measurement
SLACK = 1.02  # And no detector takes more than so much of it


class Work(NamedTuple):
    """The nanoseconds that a detector takes for an operator."""

    instant: float  # at each instant at which an event type of the pattern occurs
    found: float = 0  # for each instance of an operand that ends


LEAF, BASE, CARRIED = "", "base", "carried"  # An event type; a whole instant; a match that a start carries along

_MEASURED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

DETECTORS: Mapping[str, Mapping[str, Work]] = {
    name: {operator: Work(*took) for operator, took in table.items()} for name, table in _MEASURED.items()
}
"""By detector and operator."""


class Expected(NamedTuple):
    """The probability that an instance is detected at an instant, and how many ticks it takes in the mean."""

    rate: float
    ticks: float


def expected(operator: str, operands: Sequence[Expected], bound: Bound | None) -> Expected:
    """What is expected of an operation whose operands are independent."""
    (left, before), (right, after) = operands[0], operands[-1]
    either = left + right - left * right
    match operator:
        case "dis":
            return Expected(either, (left * before + right * after) / max(left + right, 1e-12))
        case "con":
            waits = max(after + (1 / left if left else 0), before + (1 / right if right else 0))
            found = Expected(either if left and right else 0, waits / 2)
        case "seq":
            found = Expected(right if left else 0, after + before + (1 / left if left else 0))
        case "neg":
            return Expected(left * (1 - min(right, 1)) ** (1 + max(0, before - after)), before)
        case _:
            found = operands[0]
    if not isinstance(bound, int):
        return found
    return Expected(found.rate * -math.expm1(-(bound + 1) / max(found.ticks, 1e-9)), min(found.ticks, bound))


def own_times(operator: str, operands: Sequence[Expected], rate: float, busy: float) -> dict[str, float]:
    """The nanoseconds an instant that each detector takes for an operator itself; `rate` is that of an event type.

    At a share of `busy` of the instants an event type of the pattern occurs.
    """
    found = sum(each.rate for each in operands) if operands else rate
    return {name: busy * (work := table[operator]).instant + found * work.found for name, table in DETECTORS.items()}


def busy_share(names: Iterable[str], frequencies: Frequencies) -> float:
    """The probability that one of some event types occurs at an instant."""
    return 1 - math.prod(1 - frequencies.get(name, USUAL) for name in names)


@dataclass(frozen=True)
class Cost:
    """What detecting a pattern costs."""

    times: Mapping[str, float]  # by detector, the expected nanoseconds at an instant
    instances: float  # at most so many are kept by figure4; ∞ where there is no bound
    starts: int  # at most so many are kept by generated code
    size: int  # its nodes as written

    def key(self, by: By) -> tuple[float, ...]:
        """What is compared, the less the better; what else it costs decides where that is the same."""
        time, memory = math.prod(self.times.values()), (self.instances, self.starts)
        if by == "memory":
            return (*memory, time, self.size)
        return (self.size, time, *memory) if by == "size" else (time, self.size, *memory)

    def replaces(self, other: Cost, by: By) -> bool:
        """Whether it is less than another; by time no detector is expected to take longer, and they less in the mean.

        What is as fast and shorter is less, too.
        """
        if by != "time":
            told = 1 if by == "size" else 2
            return self.key(by)[:told] < other.key(by)[:told]
        ratios = [self.times[name] / max(other.times[name], 1e-9) for name in self.times]
        is_faster = math.prod(ratios) <= MARGIN ** len(ratios)
        return max(ratios) <= (SLACK if is_faster else 1 + 1e-9) and (is_faster or self.size < other.size)

    def data(self) -> dict[str, Any]:
        """The same with names, for a document; None where there is no bound."""
        instances = None if self.instances == math.inf else int(self.instances)
        times = {name: round(each, 3) for name, each in self.times.items()}
        return {"nanoseconds": times, "instances": instances, "starts": self.starts, "size": self.size}


def cost(expression: Expression, frequencies: Frequencies) -> Cost:
    """What detecting a ground expression costs, equal parts once, in the form that each detector gives it."""
    from detectors.carlson_lisper.columns.plan import plan_of  # which brings Polars

    busy = busy_share(identifiers(expression), frequencies)
    transformed, plan = transform(expression), plan_of([expression])
    times = {name: busy * table[BASE].instant for name, table in DETECTORS.items()}
    for name, whole in (("figure4", transformed.expression), ("columns", plan.results[0])):
        known: dict[Expression, Expected] = {}
        fold(whole, lambda event: Expected(frequencies.get(event, USUAL), 0), expected, known)
        for node in known:
            operator = node.operator if isinstance(node, Operation) else LEAF
            operands = [known[one] for one in node.operands] if isinstance(node, Operation) else []
            times[name] += own_times(operator, operands, known[node].rate, busy)[name]
    for part in parts(expression):
        if part.carried:
            operator = LEAF if part.events or not isinstance(part.expression, Operation) else part.expression.operator
            more = (len(part.carried) - 1) * DETECTORS["generated"][CARRIED].instant
            times["generated"] += busy * (DETECTORS["generated"][operator].instant + more)
    instances = resources_of(transformed.expression).instances
    return Cost(times, instances, Generated(expression).bound, size(expression))
