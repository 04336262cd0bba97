"""Emptiness of patterns: a trace on which one occurs, or the part that is to blame."""

from __future__ import annotations

from dataclasses import dataclass

from laws.standings import ExitStatus
from remora.api.claiming.data import occurrence_data, stream_data
from remora.terminal.console import JsonObject
from remora.terminal.console import counted as number
from reports.drawing.layout import Bar, Timeline
from semantics.carlson_lisper.decisions import Decider, Possibility, Undecided
from semantics.carlson_lisper.expressions import Expression, Operation, evaluate_bound
from semantics.carlson_lisper.occurrences import Occurrence, Stream, by_end_time
from semantics.carlson_lisper.operators import STREAM_NAMES
from semantics.errors import LimitExceeded


@dataclass(frozen=True)
class Occurring:
    """Whether an expression has an instance on any trace.

    Attributes:
        occurs: the answer; None if it was not found within the budget.
        reason: why it never occurs, or why that is not decided; "" if it occurs or no reason was found in time.
        found: a trace with its instances, if it occurs; a shortest one if it says so.
        decided_instants: where undecided, no trace of at most so many instants has an instance.
    """

    occurs: bool | None
    reason: str = ""
    found: Possibility | None = None
    decided_instants: int = 0

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        if self.occurs is None:
            return f"not decided whether it can occur: {self.reason}"
        if self.occurs:
            return "it can occur"
        return "it never occurs, on any trace" + (f": {self.reason}" if self.reason else "")

    @property
    def trace(self) -> tuple[Occurrence, ...]:
        """The trace on which it occurs; empty where there is none."""
        return () if self.found is None else self.found.trace or ()


def occurring(expression: Expression, steps: int, *, reasons: bool = True) -> Occurring:
    """Decide whether a ground expression can occur, and if not, perhaps why."""
    decider = Decider((expression,), steps=steps)
    try:
        found = decider.possibility(expression)
    except LimitExceeded as error:
        return Occurring(None, error.reason, None, error.instants if isinstance(error, Undecided) else 0)
    if found.trace is not None:
        return Occurring(True, "", found)
    try:
        return Occurring(False, _why_never(decider, expression) if reasons else "")
    except LimitExceeded:
        return Occurring(False)


def _why_never(decider: Decider, expression: Expression) -> str:
    """The smallest parts that never occur although their own parts do."""
    reasons: dict[str, None] = {}
    pending = [expression]
    while pending:
        node = pending.pop()
        assert isinstance(node, Operation)  # an event type can occur
        absent = []  # of each comprehension an operand that it ranges over and that never occurs
        for comprehension in node.definition.comprehensions:
            operands = (node.operands[STREAM_NAMES.index(stream)] for _, stream in comprehension.ranges)
            absent.append(next((one for one in operands if decider.possibility(one).trace is None), None))
        if None in absent:
            reasons[_why(decider, node)] = None
        else:
            pending.extend(each for each in reversed(absent) if each is not None)
    return "; ".join(reason for reason in reasons if reason)


def _why(decider: Decider, node: Operation) -> str:
    """Why an operation never occurs although what its instances are made of does."""
    left, right = node.operands[0], node.operands[-1]
    if node.operator == "neg":
        return f"every instance of {left} has an instance of {right} within it"
    if node.bound is None:
        return ""
    found, bound = decider.possibility(left), evaluate_bound(node.bound)
    shortest = f", the shortest takes {found.trace[-1].time}" if found.trace and found.shortest else ""
    return f"no instance of {left} takes at most {bound} tick{'' if bound == 1 else 's'}{shortest}"


def occurring_timeline(answer: Occurring, *, counted: bool = False) -> Timeline | None:
    """The trace on which it occurs, with all its instances, and perhaps their number; None without a trace."""
    found = answer.found
    if found is None:
        return None
    noun = "" if counted else "instance"
    bars = tuple(
        Bar(instance.start, instance.end, "left", True, instance.sorted_occurrences(), noun)
        for instance in by_end_time(found.instances)
    )
    heading = "a shortest trace on which it occurs"
    if not found.shortest:
        heading = "a trace on which it occurs (perhaps not a shortest one)"
    captions = (f"{found.expression}  ({number(len(bars), 'instance')})",) if counted else ()
    return Timeline(heading, captions, ("pattern", ""), answer.trace, bars, compares=counted)


def undecided_data(left: Expression, right: Expression | None, verdict: str, instants: int) -> JsonObject:
    """Message where a limit was reached, with the keys of `remora/equiv/1`."""
    return {
        "left": str(left),
        "right": None if right is None else str(right),
        "holds": None,
        "verdict": verdict,
        "decided_instants": instants,
        "exit_status": int(ExitStatus.INCONCLUSIVE),
    }


def occurring_data(answer: Occurring) -> JsonObject:
    """Whether a pattern can occur, with the keys of `remora/explain/1`."""
    found = answer.found
    return {
        "occurs": answer.occurs,
        "reason": answer.reason,
        "decided_instants": answer.decided_instants,
        "shortest": None if found is None else found.shortest,
        "trace": None if found is None else [occurrence_data(each) for each in answer.trace],
        "instances": None if found is None else stream_data(found.instances),
    }


def emptiness_data(pattern: Expression, answer: Occurring) -> JsonObject:
    """Whether a pattern can never occur, with a trace on which it does."""
    if answer.occurs is None:
        return undecided_data(pattern, None, f"undecided: {answer.reason}", answer.decided_instants)
    found, witness = answer.found, None
    if found is not None:
        trace = [occurrence_data(each) for each in answer.trace]
        witness = {"trace": trace, "shortest": found.shortest, "left": side_data(pattern, found.instances)}
    return {
        "left": str(pattern),
        "right": None,
        "relation": "emptiness",
        "holds": not answer.occurs,
        "verdict": answer.verdict,
        "witness": witness,
        "exit_status": int(ExitStatus.REFUTED if answer.occurs else ExitStatus.AS_CLAIMED),
    }


def side_data(expression: Expression, stream: Stream) -> JsonObject:
    """An expression and its instances on a trace."""
    return {"expression": str(expression), "instances": stream_data(stream)}
