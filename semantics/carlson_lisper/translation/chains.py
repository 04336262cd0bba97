"""Chains: steps one after the other, which languages of sequences can say, as queries in EQL and MATCH_RECOGNIZE."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, evaluate_bound, rebuilt
from semantics.errors import ExpressionError, InputError
from semantics.events import Time, quoted

Types = frozenset[str]  # Event types, of which one is enough


@dataclass(frozen=True)
class Chain:
    """One event of each step, each later than the one before; none that is absent from the first to the last.

    From the first to the last it takes at most so many ticks, if there is a bound.
    """

    steps: tuple[Types, ...]
    absent: Types = frozenset()
    bound: Time | None = None


def chain_of(pattern: Expression) -> Chain:
    """The chain that a pattern is; ExpressionError for an operation that none can say, with its column and a remedy."""
    absent, bounds, node = Types(), list[Time](), pattern
    while isinstance(node, Operation) and node.operator in ("tim", "neg"):
        if node.operator == "tim":
            bounds.append(evaluate_bound(node.bound or 0))
        else:
            found = _types(node.operands[1])
            if found is None:
                what = "what is absent is an event here, and not a pattern of several"
                raise _refusal(pattern, node, what, "Let the right side be event types: … - (x | y).")
            absent |= found
        node = node.operands[0]
    steps = [step - absent for step in _steps(pattern, node)]
    if len(steps) == 1 and absent:
        what = "that an event is without another one at its tick is said by no order of rows"
        raise _refusal(pattern, pattern, what, "Leave the negation out, or use `--to sql`.")
    if not all(steps):
        raise _refusal(pattern, pattern, "it never occurs: it has in it what is to be absent", "See `remora explain`.")
    return Chain(tuple(steps), absent, min(bounds, default=None))


def _steps(pattern: Expression, node: Expression) -> list[Types]:
    found, pending = list[Types](), [node]
    while pending:
        each = pending.pop()
        types = _types(each)
        if types is not None:
            found.append(types)
        elif isinstance(each, Operation) and each.operator == "seq":
            pending += reversed(each.operands)
        else:
            assert isinstance(each, Operation)
            raise _refusal(pattern, each, *_REASONS[each.operator])
    return found


_REASONS = {
    "dis": ("only event types can be alternatives here", "Translate either side alone, and take all answers together."),
    "con": ("it has no order", "Translate `A ; B` and `B ; A`, and take all answers together; ties are in neither."),
    "neg": ("what is absent is so from the first event to the last", "Write the negation around all: (A ; B) - C."),
    "tim": ("the bound holds from the first event to the last", "Write the bound around all: (A ; B)[60]."),
}


def _types(node: Expression) -> Types | None:
    """The event types of which a node is the disjunction; None where it is anything else."""
    found, pending = set[str](), [node]
    while pending:
        each = pending.pop()
        if isinstance(each, Identifier):
            found.add(each.name)
        elif isinstance(each, Operation) and each.operator in ("dis", "tim"):
            pending += each.operands
        else:
            return None
    return frozenset(found)


def _refusal(pattern: Expression, node: Expression, reason: str, remedy: str) -> ExpressionError:
    mark = Identifier("\0")  # no event type has this name
    marked = rebuilt(
        pattern, lambda each, parts: mark if each == node else Operation(each.operator, parts, each.bound, each.label)
    )
    title = f"the {node.definition.title} " if isinstance(node, Operation) else ""
    column = str(marked).index(quoted(mark.name)) + 1
    more = "" if "`" in remedy and "sql" in remedy else "\n`--to sql` says all five operators."
    return ExpressionError(f"{title}{node} cannot be said: {reason}", str(pattern), column, remedy=remedy + more)


def duration(ticks: Time, tick: Fraction) -> Fraction:
    """The seconds that ticks of a length take; InputError where they are no whole number of milliseconds."""
    seconds = ticks * tick
    if (seconds * 1000).denominator != 1:
        reason = f"the bound of {ticks} ticks is no whole number of milliseconds"
        raise InputError(reason, place="--tick", remedy="State a tick of whole milliseconds, such as 1ms.")
    return seconds


def eql(chain: Chain, tick: Fraction, by: str | None = None) -> str:
    """The query in EQL, where the type of an event is its field `event`."""
    where = [f"any where event {_among(step, '==', json.dumps)}" for step in chain.steps]
    if len(where) == 1:
        return where[0]
    span = "" if chain.bound is None else f" with maxspan={_span(duration(chain.bound, tick))}"
    lines = [f"sequence{f' by {_field(by)}' if by else ''}{span}", *(f"  [{each}]" for each in where)]
    if chain.absent:
        lines.append(f"until [any where event {_among(chain.absent, '==', json.dumps)}]")
    return "\n".join(lines)


def _field(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_@][\w@]*(\.[A-Za-z_@][\w@]*)*", name) else _identifier(name)


def _span(seconds: Fraction) -> str:
    return f"{seconds}s" if seconds.denominator == 1 else f"{seconds * 1000}ms"


def flink(chain: Chain, tick: Fraction, by: str | None = None) -> str:
    """The query in Flink SQL over a table `log` with `rowtime` and `event`; WITHIN leaves out its own end."""
    names = [f"S{number}" for number in range(1, len(chain.steps) + 1)]
    gaps = [f"X{number}" for number in range(1, len(names))]
    defined = []
    for number, (name, step) in enumerate(zip(names, chain.steps, strict=True)):
        later = f" AND {name}.rowtime > LAST({names[number - 1]}.rowtime)" if number else ""
        defined.append(f"{name} AS {name}.event {_among(step, '=', _literal)}{later}")
    for gap in gaps if chain.absent else ():
        defined.append(f"{gap} AS {gap}.event NOT IN ({', '.join(map(_literal, sorted(chain.absent)))})")
    pattern = names[0] + "".join(f" {gap}*? {name}" for gap, name in zip(gaps, names[1:], strict=True))
    within = ""
    if chain.bound is not None and gaps:
        seconds = duration(chain.bound + 1, tick)
        if len(str(int(seconds))) > _LEADING:
            raise InputError("the bound is longer than an interval of Flink", remedy="Write a smaller one.")
        whole = seconds.denominator == 1
        within = f" WITHIN INTERVAL '{seconds if whole else float(seconds)}' SECOND({_LEADING}{'' if whole else ', 3'})"
    lines = [
        f"PARTITION BY {_identifier(by)}" if by else "",
        "ORDER BY rowtime",
        f"MEASURES {names[0]}.rowtime AS start_time, {names[-1]}.rowtime AS end_time",
        "ONE ROW PER MATCH",
        "AFTER MATCH SKIP TO NEXT ROW",
        f"PATTERN ({pattern}){within}",
        "DEFINE\n    " + ",\n    ".join(defined),
    ]
    inner = "\n  ".join(line for line in lines if line)
    return f"SELECT *\nFROM log MATCH_RECOGNIZE (\n  {inner}\n)"


_LEADING = 10  # The most digits of seconds in an interval of Flink


def _among(types: Types, equals: str, literal: Callable[[str], str]) -> str:
    texts = [literal(name) for name in sorted(types)]
    return f"{equals} {texts[0]}" if len(texts) == 1 else f"{'IN' if equals == '=' else 'in'} ({', '.join(texts)})"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _identifier(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
