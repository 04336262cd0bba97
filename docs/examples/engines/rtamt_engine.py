"""RTAMT (python -m pip install rtamt) as a detector: past-time formulas in discrete time, which tell ends alone.

Tick by tick, as a stream is monitored; `--careful` evaluates the log at once, behind a tick at which nothing happens.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import rtamt
from protocol import Event, serve

from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up, identifiers
from semantics.errors import InputError

TICKS = 500
"""A longer log is refused: the monitor looks at every tick."""


def refused(node: Expression, reason: str) -> InputError:
    """What past-time formulas do not say."""
    return InputError(f"{node}: {reason}")


@dataclass
class Formulas:
    """Formulas of patterns: true where an instance ends."""

    signals: dict[str, str]

    def among(self, names: Sequence[str]) -> str:
        """One of some event types occurs."""
        return "(" + " or ".join(f"({self.signals[name]} > 0)" for name in names) + ")"

    def ends(self, node: Expression, absent: tuple[str, ...] = (), bound: int | None = None) -> str:
        """An instance of the pattern ends, with none of what is absent in it, and within the bound."""
        if isinstance(node, Identifier):
            return self.without(self.among([node.name]), absent)
        assert isinstance(node, Operation)
        left, right = node.operands[0], node.operands[-1]
        match node.operator:
            case "dis":
                return f"({self.ends(left, absent, bound)} or {self.ends(right, absent, bound)})"
            case "tim":
                return self.ends(left, absent, node.bound if bound is None else min(node.bound, bound))
            case "neg" if (names := types(right)) is not None:
                return self.ends(left, (*absent, *names), bound)
            case "con" if not absent and (bound is None or (types(left) and types(right))):
                within = "" if bound is None else f"[0:{bound}]"
                first, second = self.ends(left), self.ends(right)
                return f"(({first} and (once{within} {second})) or ((once{within} {first}) and {second}))"
            case "seq":
                return self.after(node, left, right, absent, bound)
        raise refused(node, "no formula of the past tells where that ends")

    def after(
        self, node: Expression, left: Expression, right: Expression, absent: tuple[str, ...], bound: int | None
    ) -> str:
        """An instance of the right ends, and one of the left has ended before it started."""
        names = types(right)
        if names is None and isinstance(right, Operation) and right.operator in ("seq", "dis"):  # by laws 9 to 11
            first, second = right.operands
            whole = left.then(first).then(second) if right.operator == "seq" else left.then(first) | left.then(second)
            return self.ends(whole, absent, bound)
        if names is None or (bound is not None and (types(left) is None or not bound)):
            raise refused(node, "its start is not known where it ends")
        now, before = self.without(self.among(names), absent), self.ends(left, absent)
        free = f"(not {self.among(absent)})" if absent else ""
        if bound is None:
            return f"({now} and (prev ({f'{free} since {before}' if absent else f'once {before}'})))"
        span = f"[1:{bound}]"
        return f"({now} and ({f'{free} since{span} {before}' if absent else f'once{span} {before}'}))"

    def without(self, formula: str, absent: tuple[str, ...]) -> str:
        """A formula where nothing that is absent occurs."""
        return f"({formula} and (not {self.among(absent)}))" if absent else formula


def types(node: Expression) -> list[str] | None:
    """The event types of which a pattern is the disjunction; None where it is anything else."""
    operations = [each for each in bottom_up(node) if isinstance(each, Operation)]
    return sorted(identifiers(node)) if all(each.operator == "dis" for each in operations) else None


def answer(pattern: Expression, events: Sequence[Event]) -> list[dict]:
    """The ticks at which the formula of a pattern is true."""
    signals = {name: f"v{number}" for number, name in enumerate(sorted(identifiers(pattern)))}
    formula = Formulas(signals).ends(pattern)
    last = max((time for time, *_ in events), default=-1)
    if last >= TICKS:
        raise refused(pattern, f"the log has {last + 1} ticks, more than {TICKS}")
    specification = rtamt.StlDiscreteTimeSpecification()
    for name in signals.values():
        specification.declare_var(name, "float")
    specification.spec = formula
    specification.parse()
    careful = "--careful" in sys.argv
    occurring = {(event, time + careful) for time, event, _ in events}
    times = list(range(last + 1 + careful)) if events else []
    values = {short: [1.0 if (name, time) in occurring else -1.0 for time in times] for name, short in signals.items()}
    if careful and times:
        found = specification.evaluate({"time": times, **values})
    else:
        found = [(now, specification.update(now, [(short, values[short][now]) for short in values])) for now in times]
    ends = [time - careful for time, robustness in found if robustness > 0]
    return [{"start": time, "end": time} for time in ends]


if __name__ == "__main__":
    serve(answer)
