"""Texts of rules and plans: a rule in words, an expression in the notation of the papers."""

from __future__ import annotations

from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.translation import RESULT
from semantics.bry_eckert.programs import Atom, Rule
from semantics.bry_eckert.temporal import TIMERS, Apart, Difference, Edge, Temporal, Timing, Within, end, start
from semantics.bry_eckert.terms import Comparison, Variable
from semantics.events import quoted

# ------------------------------------------------------------------------------------------------ expressions


def in_algebra(expression: plans.Expression | plans.Union, result: str = RESULT) -> str:
    """An expression as the papers write it; `result` stands for the interval of the derived event."""
    match expression:
        case plans.Union(relations):
            return " ∪ ".join(map(_relation, relations))
        case plans.Join(left, right):
            return f"{_operand(left, result)} ⋈ {_operand(right, result)}"
        case plans.AntiSemiJoin(left, right, inside):
            return f"{_operand(left, result)} ▷[{condition(inside)}] {_operand(right, result)}"
        case plans.Base() | plans.Point():
            return symbol(expression, result)
        case _:
            return f"{symbol(expression, result)}({in_algebra(expression.operand, result)})"


def _operand(expression: plans.Expression, result: str) -> str:
    text = in_algebra(expression, result)
    return f"({text})" if isinstance(expression, plans.Join | plans.AntiSemiJoin) else text


def symbol(expression: plans.Expression, result: str = RESULT) -> str:
    """The operator of an expression with its parameters, without the operands."""
    match expression:
        case plans.Base(identifier, relation):
            return f"{_relation(relation)}[{identifier.replace('#', '′')}: {', '.join(_arguments(expression)) or '∅'}]"
        case plans.Point(name):
            return _relation(name)
        case plans.Join():
            return "⋈"
        case plans.Timer(timing):
            return f"τ[{timer(timing)}]"
        case plans.Select(given):
            return f"σ[{condition(given)}]"
        case plans.Project(columns):
            return f"π[{_columns(columns)}]"
        case plans.Merge(into, merged):
            return f"μ[{_named(into, result)} ← {' ⊔ '.join(merged)}]"
        case plans.AntiSemiJoin(_, _, inside):
            return f"▷[{condition(inside)}]"
        case plans.Group(into, merged, keys, aggregates):
            parts = (_columns(keys), ", ".join(f"{name} ← {given}" for name, given in aggregates))
            interval = f"{_named(into, result)} ← {' ⊔ '.join(merged)}"
            return f"γ[{', '.join(filter(None, (interval, *parts)))}]"


def _relation(name: str) -> str:
    """The name of an event type or a materialization point on one line."""
    return name if name.isprintable() else quoted(name)


def _named(identifier: str, result: str) -> str:
    return result if identifier == RESULT else identifier


def _arguments(base: plans.Base) -> list[str]:
    plain = (
        (name, str(term).partition("#")[0] if isinstance(term, Variable) else str(term))
        for name, term in base.arguments
    )
    return [name if name == term else f"{name} = {term}" for name, term in plain]


def _columns(columns: tuple[tuple[str, object], ...]) -> str:
    return ", ".join(name if isinstance(t, Variable) and t.name == name else f"{name} ← {t}" for name, t in columns)


def timer(timing: Timing) -> str:
    """A timer as the computation of its time stamps: `w.s ← o.s, w.e ← o.e + 6`."""
    kind = TIMERS[timing.kind]
    return f"{start(timing.into)} ← {_edge(kind.start, timing)}, {end(timing.into)} ← {_edge(kind.end, timing)}"


def _edge(edge: Edge, timing: Timing) -> str:
    stamp = edge.stamp(timing.of)
    return str(stamp) if not edge.sign else f"{stamp} {'+' if edge.sign > 0 else '-'} {timing.duration}"


def condition(given: plans.Condition) -> str:
    """A condition as a comparison of time stamps or of data."""
    if isinstance(given, Comparison):
        return str(given)
    if isinstance(given, Within):
        ends, starts = (", ".join(str(of(name)) for name in given.identifiers) for of in (end, start))
        return f"max{{{ends}}} - min{{{starts}}} ≤ {given.duration}"
    alternatives = [" ∧ ".join(map(difference, parts)) for parts in given.alternatives()]
    return " ∨ ".join(alternatives).replace("#", "′")


def difference(given: Difference) -> str:
    """A difference as a comparison: `o.e < s.s`, `s.e - o.s ≤ 6`."""
    sign = "<" if given.strict else "≤"
    if given.bound == 0:
        return f"{given.later} {sign} {given.earlier}"
    if given.bound < 0:
        return f"{given.later} + {-given.bound} {sign} {given.earlier}"
    return f"{given.later} - {given.earlier} {sign} {given.bound}"


def definition(part: plans.Definition) -> str:
    """A materialization point as the papers write it."""
    return f"{_relation(part.name)} := {in_algebra(part.expression, result_of(part))}"


def result_of(part: plans.Definition) -> str:
    """Name of the interval of a derived event: like its type; `r` of an intermediate materialization point."""
    return _relation(part.derives.lower() or "r")


def plan_text(plan: plans.Plan) -> str:
    """A plan, one materialization point a line."""
    return "\n".join(map(definition, plan.definitions))


# ----------------------------------------------------------------------------------------------------- words


def in_words(rule: Rule) -> str:
    """A rule in a sentence."""
    parts = [f"{_an(atom)} happens ({atom.identifier})" for atom in rule.atoms]
    parts += [f"{timing.into} is {_timer_words(timing)}" for timing in rule.timers]
    for window in rule.absences:
        parts.append(f"no {quoted(window.atom.type)}{_having(window.atom)} happens within {window.window}")
    for window in rule.collections:
        parts.append(f"each {quoted(window.atom.type)}{_having(window.atom)} within {window.window} is collected")
    parts += [_temporal_words(given) for given in rule.temporal]
    parts += [str(comparison) for comparison in rule.comparisons]
    head = ", ".join(map(str, rule.head.terms))
    said = "; ".join(parts)
    covered = " and ".join(rule.identifiers)
    what = f"{quoted(rule.head.type)}{f' with {head}' if head else ''}"
    return f"{what} happens, over the time that covers {covered}, when: {said}."


def _an(atom: Atom) -> str:
    article = "an" if atom.type[:1].lower() in "aeiou" else "a"
    return f"{article} {quoted(atom.type)}{_having(atom)}"


def _having(atom: Atom) -> str:
    found = [
        name if isinstance(term, Variable) and term.name == name else f"{quoted(name)} = {term}"
        for name, term in atom.arguments
    ]
    return f" with {', '.join(found)}" if found else ""


_TIMER_WORDS = {
    "extend": "{of} and {n} ticks more",
    "extend_backward": "{of} and the {n} ticks before",
    "shorten": "{of} without its last {n} ticks",
    "shorten_backward": "{of} without its first {n} ticks",
    "shift": "{of}, {n} ticks later",
    "shift_backward": "{of}, {n} ticks earlier",
    "from_start": "the {n} ticks from the start of {of} on",
    "from_start_backward": "the {n} ticks before the start of {of}",
    "from_end": "the {n} ticks after the end of {of}",
    "from_end_backward": "the {n} ticks before the end of {of}",
}


def _timer_words(timing: Timing) -> str:
    return _TIMER_WORDS[timing.kind].format(of=timing.of, n=f"{timing.duration:,}")


def _temporal_words(given: Temporal) -> str:
    match given:
        case Within(identifiers, duration):
            return f"{', '.join(identifiers)} together take at most {duration:,} ticks"
        case Apart(identifiers, duration):
            return f"between any two of {', '.join(identifiers)} there are at least {duration:,} ticks"
        case _:
            return str(given)
