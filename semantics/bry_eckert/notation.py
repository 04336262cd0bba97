"""Texts of rules and plans: a rule in words, an expression in the notation of the papers."""

from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.translation import RESULT
from semantics.bry_eckert.programs import Atom, Rule
from semantics.bry_eckert.temporal import Apart, Difference, Temporal, Timing, Within, end, start
from semantics.bry_eckert.terms import Comparison, Variable
from semantics.events import quoted


def in_algebra(expression: plans.Expression | plans.Union, result: str) -> str:
    """An expression as the papers write it; `result` stands for the interval of the derived event."""
    match expression:
        case plans.Union(relations):
            return " ∪ ".join(map(_relation, relations))
        case plans.Join(left, right) | plans.AntiSemiJoin(left, right, _):
            sides = (
                f"({in_algebra(one, result)})"
                if isinstance(one, plans.Join | plans.AntiSemiJoin)
                else in_algebra(one, result)
                for one in (left, right)
            )
            return f" {symbol(expression, result)} ".join(sides)
        case plans.Base() | plans.Point():
            return symbol(expression, result)
        case _:
            return f"{symbol(expression, result)}({in_algebra(expression.operand, result)})"


def symbol(expression: plans.Expression, result: str) -> str:
    """The operator of an expression with its parameters, without the operands."""
    match expression:
        case plans.Base(identifier, relation, arguments):
            parts = []
            for name, term in arguments:
                text = str(term).partition("#")[0] if isinstance(term, Variable) else str(term)
                parts.append(name if name == text else f"{name} = {text}")
            return f"{_relation(relation)}[{identifier.replace('#', '′')}: {', '.join(parts) or '∅'}]"
        case plans.Point(name):
            return _relation(name)
        case plans.Join():
            return "⋈"
        case plans.Timer(timing):
            return f"τ[{_timer(timing)}]"
        case plans.Select(given):
            return f"σ[{_condition(given)}]"
        case plans.Project(columns):
            return f"π[{_columns(columns)}]"
        case plans.Merge(into, merged):
            return f"μ[{result if into == RESULT else into} ← {' ⊔ '.join(merged)}]"
        case plans.AntiSemiJoin(_, _, inside):
            return f"▷[{_condition(inside)}]"
        case plans.Group(into, merged, keys, aggregates):
            interval = f"{result if into == RESULT else into} ← {' ⊔ '.join(merged)}"
            texts = (interval, _columns(keys), ", ".join(f"{name} ← {given}" for name, given in aggregates))
            return f"γ[{', '.join(filter(None, texts))}]"


def _relation(name: str) -> str:
    """The name of an event type or a materialization point on one line."""
    return name if name.isprintable() else quoted(name)


def _columns(columns: tuple[tuple[str, object], ...]) -> str:
    return ", ".join(name if isinstance(t, Variable) and t.name == name else f"{name} ← {t}" for name, t in columns)


def _timer(timing: Timing) -> str:
    """A timer as the computation of its time stamps: `w.s ← o.s, w.e ← o.e + 6`."""
    texts = []
    for stamp, origin, ticks in timing.edges:
        moved = f" {'-' if ticks < 0 else '+'} {abs(ticks)}" if ticks else ""
        texts.append(f"{stamp} ← {origin}{moved}")
    return ", ".join(texts)


def _condition(given: plans.Condition) -> str:
    """A condition as a comparison of time stamps or of data."""
    if isinstance(given, Comparison):
        return str(given)
    if isinstance(given, Within):
        ends, starts = (", ".join(str(of(name)) for name in given.identifiers) for of in (end, start))
        return f"max{{{ends}}} - min{{{starts}}} ≤ {given.duration}"
    return " ∨ ".join(" ∧ ".join(map(_difference, parts)) for parts in given.alternatives()).replace("#", "′")


def _difference(given: Difference) -> str:
    """A difference as a comparison: `o.e < s.s`, `s.e - o.s ≤ 6`."""
    sign = "<" if given.strict else "≤"
    if given.bound > 0:
        return f"{given.later} - {given.earlier} {sign} {given.bound}"
    return f"{given.later}{f' + {-given.bound}' if given.bound else ''} {sign} {given.earlier}"


def definition(part: plans.Definition) -> str:
    """A materialization point as the papers write it."""
    return f"{_relation(part.name)} := {in_algebra(part.expression, result_of(part))}"


def result_of(part: plans.Definition) -> str:
    """Name of the interval of a derived event: like its type; `r` of an intermediate materialization point."""
    return _relation(part.derives.lower() or "r")


def plan_text(plan: plans.Plan) -> str:
    """A plan, one materialization point a line."""
    return "\n".join(map(definition, plan.definitions))


def in_words(rule: Rule) -> str:
    """A rule in a sentence."""
    parts = []
    for atom in rule.atoms:
        article = "an" if atom.type[:1].lower() in "aeiou" else "a"
        parts.append(f"{article} {_query(atom)} happens ({atom.identifier})")
    parts += [
        f"{timing.into} is {_TIMER_WORDS[timing.kind].format(of=timing.of, n=f'{timing.duration:,}')}"
        for timing in rule.timers
    ]
    parts += [f"no {_query(window.atom)} happens within {window.window}" for window in rule.absences]
    parts += [f"each {_query(window.atom)} within {window.window} is collected" for window in rule.collections]
    parts += [*map(_temporal_words, rule.temporal), *map(str, rule.comparisons)]
    head = ", ".join(map(str, rule.head.terms))
    what = f"{quoted(rule.head.type)}{f' with {head}' if head else ''}"
    return f"{what} happens, over the time that covers {' and '.join(rule.identifiers)}, when: {'; '.join(parts)}."


def _query(atom: Atom) -> str:
    found = ", ".join(
        name if isinstance(term, Variable) and term.name == name else f"{quoted(name)} = {term}"
        for name, term in atom.arguments
    )
    return f"{quoted(atom.type)}{f' with {found}' if found else ''}"


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


def _temporal_words(given: Temporal) -> str:
    match given:
        case Within(identifiers, duration):
            return f"{', '.join(identifiers)} together take at most {duration:,} ticks"
        case Apart(identifiers, duration):
            return f"between any two of {', '.join(identifiers)} there are at least {duration:,} ticks"
        case _:
            return str(given)
