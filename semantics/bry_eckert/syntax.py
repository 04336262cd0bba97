"""The text of programs: reading rules and declarations, as close to the papers as ASCII allows.

event order(id: int, p: str, q: int)
overdue(id) <- o: order(id, p, q), w: extend(o, 6h), while w: not shipped(id, t), q < 10
axiom o: order(id = i), s: shipped(id = i) => o before s, {o, s} within 30d
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError
from lark.tree import Meta
from lark.visitors import Transformer, v_args

from semantics.bry_eckert import programs, terms
from semantics.bry_eckert.temporal import ALLEN, PRIME, TIMERS, Apart, Related, Temporal, Timing, Within
from semantics.bry_eckert.terms import NOWHERE, Arithmetic, Comparison, Constant, Place, Term, Variable
from semantics.clock import duration, tick_length
from semantics.errors import ExpressionError, InputError, require_few_digits
from semantics.events import unquoted
from semantics.grammars import parser_of

MAX_LENGTH = 100_000  # the longest program that is read, in characters

MAX_DEPTH = 100  # of operators in a term

MAX_NAMES = 16  # in the braces of a condition

MAX_DURATION = 10**18  # the longest duration, in ticks

DEFAULT_TICK = "1s"  # the length of a tick where a program uses units and states none

_COMPARISONS = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="}


class Problem(InputError):
    """What is wrong with a part of a program, what would help, and where the part begins."""

    def __init__(self, reason: str, remedy: str, at: Place = NOWHERE) -> None:
        super().__init__(reason, remedy=remedy)
        self.at = at


@cache
def _parser() -> Lark:
    words = {"AGGREGATES": terms.AGGREGATES, "TIMERS": TIMERS, "ALLEN": ALLEN}
    source = Path(__file__).with_name("rules.lark")
    return parser_of(source, words, start="program", maybe_placeholders=True, propagate_positions=True)


# The arguments of an atom, those by position without a name, and whether they are given by position.
_Arguments: TypeAlias = tuple[tuple[tuple[str, Variable | Constant], ...], bool]


@v_args(inline=True)
class _Builder(Transformer[Token, Any]):
    """Builds the parts of a program from its parse tree; a problem is one of the part that it is raised for."""

    def __init__(self, tick: Fraction) -> None:
        super().__init__(visit_tokens=False)
        self.tick_length = tick

    def tick(self, length: Token) -> None:
        return None

    def attribute(self, name: Token, type: Token, within: int | None) -> programs.Attribute:
        known: dict[str, terms.Type] = {**{one: one for one in terms.TYPES.values()}, programs.TIME: "int"}
        if type not in known:
            raise InputError(f"there is no type {type}", remedy=f"The types are {', '.join(known)}.")
        is_time = type == programs.TIME
        if within is not None and not is_time:
            remedy = f"Declare it as a time: {name}: {programs.TIME} within …"
            raise InputError(f"{name} is of type {type}, and only a time is near its event", remedy=remedy)
        return programs.Attribute(_plain(name), known[type], _at(name), is_time=is_time, within=within)

    def declaration(self, name: Token, *parts: Any) -> programs.EventType:
        attributes = tuple(part for part in parts[:-1] if part is not None)
        return programs.EventType(_plain(name), attributes, parts[-1], _at(name))

    @v_args(inline=True, meta=True)
    def unique(self, meta: Meta, type: Token, *names: Token | None) -> programs.Unique:
        return programs.Unique(_plain(type), tuple(_plain(name) for name in names if name is not None), meta.line)

    @v_args(inline=True, meta=True)
    def always(self, meta: Meta, first: programs.Atom, second: programs.Atom, *given: Temporal) -> programs.Always:
        return programs.Always(first, second, given, meta.line)

    @v_args(inline=True, meta=True)
    def rule(self, meta: Meta, head: programs.Head, *body: programs.BodyPart) -> programs.Rule:
        number = count(1)
        numbered = (
            replace(part, atom=replace(part.atom, identifier=f"{part.window}{PRIME}{next(number)}"))
            if isinstance(part, programs.Window)
            else part
            for part in body
        )
        return programs.Rule(head, tuple(numbered), (meta.line, meta.column))

    def head(self, name: Token, *given: tuple[Token | None, programs.HeadTerm] | None) -> programs.Head:
        found = [term for term in given if term]
        names = tuple(None if label is None else _plain(label) for label, _ in found)
        return programs.Head(_plain(name), tuple(term for _, term in found), names)

    def headterm(self, label: Token | None, term: programs.HeadTerm) -> tuple[Token | None, programs.HeadTerm]:
        return label, term

    def aggregate(self, function: Token, variable: Token) -> programs.Aggregate:
        return programs.Aggregate(str(function), str(variable))

    def timer(self, into: Token, kind: Token, of: Token, ticks: int) -> Timing:
        return Timing(str(into), str(kind), str(of), ticks, _at(into))

    def atom(self, identifier: Token, type: Token, arguments: _Arguments) -> programs.Atom:
        return programs.Atom(str(identifier), _plain(type), *arguments, _at(identifier))

    def window(self, window: Token, mode: Token, type: Token, arguments: _Arguments) -> programs.Window:
        inner = programs.Atom("", _plain(type), *arguments, _at(window))
        return programs.Window(str(window), "not" if mode == "not" else "collect", inner)

    def arguments(self, *given: tuple[Token | None, Variable | Constant] | None) -> _Arguments:
        found = [argument for argument in given if argument]
        labels = [label for label, _ in found if label is not None]
        if labels and len(labels) < len(found):
            remedy = "Name all of them, or write them all in the order of the declaration."
            raise InputError("arguments are given both by position and by name", remedy=remedy)
        for label in labels:
            if labels.count(label) > 1:
                raise InputError(f"the attribute {label} is named twice", remedy="Name each attribute once.")
        return tuple(("" if label is None else _plain(label), term) for label, term in found), not labels

    def argument(self, label: Token | None, term: Token | Constant) -> tuple[Token | None, Variable | Constant]:
        return label, term if isinstance(term, Constant) else Variable(str(term))

    def related(self, left: Token, relation: Token, right: Token) -> Related:
        return Related(str(left), str(relation), str(right), _at(left))

    def within(self, *given: Any) -> Within:
        return Within(_together(given), given[-1], _at(given[0]))

    def apart(self, *given: Any) -> Apart:
        if len(set(given[:-1])) < max(2, len(given) - 1):
            remedy = "Name two events or more, each once: {a, b} 5 apart"
            raise Problem("an event is not apart from itself", remedy, _at(given[0]))
        return Apart(_together(given), given[-1], _at(given[0]))

    @v_args(inline=True, meta=True)
    def comparison(self, meta: Meta, left: Term, sign: Token, right: Term) -> Comparison:
        return Comparison(left, _COMPARISONS.get(str(sign), str(sign)), right, (meta.line, meta.column))

    def arithmetic(self, left: Term, sign: Token, right: Term) -> Arithmetic:
        return Arithmetic(str(sign), left, right)

    def negative(self, _minus: Token, term: Term) -> Term:
        if isinstance(term, Constant) and isinstance(term.value, int | float) and term.value is not True:
            return Constant(-term.value)
        return Arithmetic("-", Constant(0), term)

    def variable(self, name: Token) -> Variable:
        return Variable(str(name))

    def constant(self, *tokens: Token | None) -> Constant:
        token = tokens[-1]
        assert token is not None
        if token.type == "STRING":
            return Constant(_plain(token))
        if token.type == "TRUTH":
            return Constant(token == "true")
        require_few_digits(token)
        value = float(token) if set(token) & set(".eE") else int(token)
        if value == math.inf:
            raise InputError(f"{token} is no 64-bit float", remedy="Write a smaller number.")
        return Constant(value if tokens[0] in (None, token) else -value)

    literal = constant

    def duration(self, length: Token) -> int:
        number, seconds = duration(length)
        ticks = number if seconds is None else number * seconds / self.tick_length
        if ticks.denominator != 1:
            remedy = "Durations are whole numbers of ticks; a finer tick is stated in the first line: tick = 1ms"
            raise InputError(f"{length} is no whole number of ticks", remedy=remedy)
        if ticks > MAX_DURATION:
            raise InputError(f"{length} is more than {MAX_DURATION:,} ticks", remedy="Write a shorter duration.")
        return int(ticks)


def _together(given: Sequence[Any]) -> tuple[str, ...]:
    """The names before the duration of a condition, each once."""
    names = tuple(dict.fromkeys(map(str, given[:-1])))
    if len(names) > MAX_NAMES:
        raise Problem(f"the condition is about more than {MAX_NAMES} events", "Write several.", _at(given[0]))
    return names


def _check_depth(tree: Tree[Token]) -> None:
    """Refuse terms that are nested too deeply; parentheses alone do not count."""
    depths: dict[int, int] = {}
    for part in tree.iter_subtrees():  # those below first
        below = max((depths[id(one)] for one in part.children if isinstance(one, Tree)), default=0)
        depths[id(part)] = below + (part.data in ("arithmetic", "negative"))
        if depths[id(part)] > MAX_DEPTH:
            remedy = "A long chain nests to the left; write parts of it in parentheses, as in (a + b) + (c + d)."
            place = (part.meta.line, part.meta.column)
            raise Problem(f"the term is more than {MAX_DEPTH} operators deep", remedy, place)


def _at(token: Token) -> Place:
    return (token.line or 0, token.column or 0)


def _plain(name: Token) -> str:
    try:
        return unquoted(name) if name.type == "STRING" else str(name)
    except ValueError as error:
        raise InputError(f"{name} is no text: {error}", remedy="A text is written as in JSON.") from None


def parse_unchecked(text: str, tick: str = "") -> programs.Program:
    """The program as it is written; `ExpressionError` with line and column, `InputError` for a bad tick or length."""
    if len(text) > MAX_LENGTH:
        reason = f"the program has {len(text):,} characters, more than the limit of {MAX_LENGTH:,}"
        raise InputError(reason, remedy="Split it: one program can read what another one derives.")
    if tick:
        tick_length(tick)  # refuses what has none
    try:
        tree = _parser().parse(text)
        _check_depth(tree)
        ticks = [token for found in tree.find_data("tick") for token in found.scan_values(lambda _: True)]
        number, seconds = duration(ticks[0] if ticks else tick or DEFAULT_TICK)
        if len(ticks) > 1:
            raise Problem("the tick is stated twice", "A program has one tick.", _at(ticks[1]))
        if not number:
            raise Problem("a tick takes time", "Write for example tick = 1ms.", _at(ticks[0]))
        return _program(_Builder(number * (seconds or 1)).transform(tree).children, str(ticks[0]) if ticks else tick)
    except VisitError as error:
        if isinstance(error.orig_exc, InputError):
            part: Any = error.obj
            raise at(error.orig_exc, text, (part.meta.line, part.meta.column)) from None
        raise
    except Problem as problem:
        raise at(problem, text, problem.at) from None
    except UnexpectedInput as unexpected:
        raise _translated(unexpected, text) from None


def _program(statements: Iterable[Any], tick: str) -> programs.Program:
    rules, axioms, declared = list[programs.Rule](), list[programs.Axiom](), dict[str, programs.EventType]()
    for part in statements:
        if isinstance(part, programs.Rule):
            rules.append(part)
        elif isinstance(part, programs.Axiom):
            axioms.append(part)
        elif part is not None:
            if part.name in declared:
                raise Problem(f"{part.name} is declared twice", "Declare an event type once.", part.place)
            if part.name in TIMERS:
                raise Problem(f"{part.name} is the name of a timer", "Give the event type another name.", part.place)
            declared[part.name] = part
    return programs.Program(declared, tuple(rules), tick, axioms=tuple(axioms))


def at(problem: InputError, text: str, place: Place) -> ExpressionError:
    """A problem as the error at a place of a program; it shows the line."""
    lines = text.splitlines() or [""]
    line, column = min(max(1, place[0]), len(lines)), max(1, place[1])
    error = ExpressionError(problem.reason, lines[line - 1], column, remedy=problem.remedy)
    error.place = f"line {line}, column {column}"
    return error


def _translated(error: UnexpectedInput, text: str) -> ExpressionError:
    texts = {one.name: one.pattern.value for one in _parser().terminals if one.pattern.type == "str"}
    texts |= {"ALLEN": "before during …", "MODE": "not collect", "_ARROW": "<-", "_IMPLIES": "=>"}
    place, reason = (error.line, error.column), "the program ends too early"
    names: Any = getattr(error, "accepts", None) or getattr(error, "allowed", None) or getattr(error, "expected", ())
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        lines = text.splitlines() or [""]
        place = (len(lines), len(lines[-1]) + 1)
    else:
        reason = f"unexpected {text[error.pos_in_stream :].split(maxsplit=1)[0][:20]!r}"
    words = sorted(texts.get(name, name.lower()) for name in names)
    return at(InputError(reason, remedy=f"Expected: {'  '.join(words)}"), text, place)
