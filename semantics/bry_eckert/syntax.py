"""The text of programs: reading rules and declarations, as close to the papers as ASCII allows.

    tick = 1s
    event order(id: int, p: str, q: int)
    event received(id: int, sent: time within 2s)
    comp(id, p) <- o: order(id, p, q), s: shipped(id, t), o before s, {o, s} within 6h
    overdue(id) <- o: order(id, p, q), w: extend(o, 6h), while w: not shipped(id, t), q < 10
    rep(count(sid)) <- o: overdue(oid), w: extend_backward(o, 24h), while w: collect shipped(sid, t)
    axiom order(id) unique
    axiom o: order(id = i), s: shipped(id = i) => o before s, {o, s} within 30d

A comment begins with `#`. A name that is no identifier is written in quotes, double or single ones. What parts of a
program print (`semantics.bry_eckert.programs`) is read as the same part.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError
from lark.tree import Meta
from lark.visitors import Transformer, v_args

from semantics.bry_eckert import programs
from semantics.bry_eckert.temporal import ALLEN, TIMERS, Apart, Related, Temporal, Timing, Within
from semantics.bry_eckert.terms import (
    AGGREGATES,
    NOWHERE,
    Arithmetic,
    Comparison,
    Constant,
    Place,
    Term,
    Type,
    Variable,
)
from semantics.clock import UNITS, tick_length
from semantics.errors import ExpressionError, InputError
from semantics.events import unquoted
from semantics.grammars import parser_of

MAX_LENGTH = 100_000
"""The longest program that is read, in characters."""

MAX_DURATION = 10**18
"""The longest duration, in ticks."""

DEFAULT_TICK = "1s"
"""The length of a tick where a program uses units and states none."""

TYPES: tuple[Type, ...] = ("int", "float", "str", "bool")

_COMPARISONS = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="}


@cache
def _parser() -> Lark:
    words = {"AGGREGATES": AGGREGATES, "TIMERS": TIMERS, "ALLEN": ALLEN}
    source = Path(__file__).with_name("rules.lark")
    return parser_of(source, words, start="program", maybe_placeholders=True, propagate_positions=True)


class _Problem(Exception):
    """An error found while building, with the token at which it was."""

    def __init__(self, reason: str, token: Token, remedy: str = "") -> None:
        super().__init__(reason)
        self.reason, self.token, self.remedy = reason, token, remedy


_Arguments: TypeAlias = tuple[tuple[tuple[str, Variable | Constant], ...], bool]
"""The arguments of an atom, those by position without a name, and whether they are given by position."""


@v_args(inline=True)
class _Builder(Transformer[Token, Any]):
    """Builds the parts of a program from its parse tree."""

    def __init__(self, tick: Fraction) -> None:
        super().__init__(visit_tokens=False)
        self.tick_length = tick

    # -------------------------------------------------------------------------------------------- declarations

    def tick(self, length: Token) -> Token:
        return length

    def attribute(self, name: Token, type: Token, within: int | None) -> programs.Attribute:
        if type == programs.TIME:
            return programs.Attribute(_plain(name), "int", _at(name), is_time=True, within=within)
        for known in TYPES:
            if type == known and within is None:
                return programs.Attribute(_plain(name), known, _at(name))
        if type in TYPES:
            remedy = f"Declare it as a time: {name}: {programs.TIME} within …"
            raise _Problem(f"{name} is of type {type}, and only a time is near its event", type, remedy)
        raise _Problem(f"there is no type {type}", type, f"The types are {', '.join((*TYPES, programs.TIME))}.")

    def declaration(self, name: Token, *parts: programs.Attribute | int | None) -> tuple[Token, programs.EventType]:
        attributes = tuple(part for part in parts if isinstance(part, programs.Attribute))
        within = parts[-1]
        found = within if isinstance(within, int) else None
        return name, programs.EventType(_plain(name), attributes, found, _at(name))

    def unique(self, axiom: Token, type: Token, *names: Token | None) -> tuple[Token, programs.Unique]:
        found = tuple(_plain(name) for name in names if name is not None)
        return axiom, programs.Unique(_plain(type), found, int(axiom.line or 0))

    def always(
        self, axiom: Token, first: programs.Atom, second: programs.Atom, _implies: Token, *conditions: Temporal
    ) -> tuple[Token, programs.Always]:
        return axiom, programs.Always(first, second, conditions, int(axiom.line or 0))

    # --------------------------------------------------------------------------------------------------- rules

    def rule(
        self, head: tuple[Token, programs.Head], _arrow: Token, *body: programs.BodyPart
    ) -> tuple[Token, programs.Rule]:
        number = count(1)
        named = (
            replace(part, atom=replace(part.atom, identifier=f"{part.window}#{next(number)}"))
            if isinstance(part, programs.Window)
            else part
            for part in body
        )
        return head[0], programs.Rule(head[1], tuple(named), _at(head[0]))

    def head(self, name: Token, *terms: tuple[Token | None, programs.HeadTerm] | None) -> tuple[Token, programs.Head]:
        found = [term for term in terms if term]
        names = tuple(None if label is None else _plain(label) for label, _ in found)
        return name, programs.Head(_plain(name), tuple(term for _, term in found), names)

    def headterm(self, label: Token | None, term: programs.HeadTerm) -> tuple[Token | None, programs.HeadTerm]:
        return label, term

    def aggregate(self, function: Token, variable: Token) -> programs.Aggregate:
        return programs.Aggregate(str(function), str(variable))

    def timer(self, into: Token, kind: Token, of: Token, duration: int) -> Timing:
        return Timing(str(into), str(kind), str(of), duration, _at(into))

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
            raise _Problem("arguments are given both by position and by name", labels[0], remedy)
        for label in labels:
            if labels.count(label) > 1:
                raise _Problem(f"the attribute {label} is named twice", label, "Name each attribute once.")
        return tuple(("" if label is None else _plain(label), term) for label, term in found), not labels

    def argument(self, label: Token | None, term: Token | Constant) -> tuple[Token | None, Variable | Constant]:
        return label, term if isinstance(term, Constant) else Variable(str(term))

    def label(self, name: Token, _equal: Token) -> Token:
        return name

    def name(self, name: Token) -> Token:
        return name

    # ---------------------------------------------------------------------------------------------- conditions

    def related(self, left: Token, relation: Token, right: Token) -> Related:
        return Related(str(left), str(relation), str(right), _at(left))

    def within(self, *given: Token | int) -> Within:
        return Within(*_group(given), _at(given[0]))

    def apart(self, *given: Token | int) -> Apart:
        return Apart(*_group(given), _at(given[0]))

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

    def constant(self, first: Token | None, number: Token | None = None) -> Constant:
        token = number or first
        assert token is not None
        if token.type == "STRING":
            return Constant(_plain(token))
        if token.type == "TRUTH":
            return Constant(token == "true")
        value = float(token) if set(token) & set(".eE") else int(token)
        if value == math.inf:
            raise _Problem(f"{token} is no 64-bit float", token, "Write a smaller number.")
        return Constant(-value if first is not None else value)

    def literal(self, token: Token) -> Constant:
        return self.constant(None, token)

    def duration(self, length: Token) -> int:
        number, seconds = _length(length)
        ticks = number if seconds is None else number * seconds / self.tick_length
        if ticks.denominator != 1:
            remedy = "Durations are whole numbers of ticks; a finer tick is stated in the first line: tick = 1ms"
            raise _Problem(f"{length} is no whole number of ticks", length, remedy)
        if ticks > MAX_DURATION:
            raise _Problem(f"{length} is more than {MAX_DURATION:,} ticks", length, "Write a shorter duration.")
        return int(ticks)


def _at(token: Token | int) -> Place:
    return (token.line or 0, token.column or 0) if isinstance(token, Token) else NOWHERE


def _group(given: Iterable[Token | int]) -> tuple[tuple[str, ...], int]:
    """The identifiers and the duration of a condition on a set of events."""
    found = list(given)
    duration = next(part for part in found if isinstance(part, int))
    return tuple(dict.fromkeys(str(part) for part in found if not isinstance(part, int))), duration


def _length(token: Token) -> tuple[Fraction, Fraction | None]:
    """The number of a duration, and its unit in seconds; None where it has none."""
    digits = token.rstrip("nusmidh")
    return Fraction(digits), UNITS[token[len(digits) :]] if len(digits) < len(token) else None


def _plain(name: Token) -> str:
    """A name, or what stands in quotes."""
    if name.type != "STRING":
        return str(name)
    try:
        return unquoted(name)
    except ValueError as error:
        raise _Problem(f"{name} is no text: {error}", name, "A text is written as in JSON.") from None


# ------------------------------------------------------------------------------------------------------ reading

_WORDS = {
    "NAME": "a name",
    "STRING": "a text in quotes",
    "NUMBER": "a number",
    "DURATION": "a duration such as 6h",
    "ARROW": "<-",
    "IMPLIES": "=>",
    "UNIQUE": "unique",
    "LPAR": "(",
    "RPAR": ")",
    "LBRACE": "{",
    "RBRACE": "}",
    "COMMA": ",",
    "COLON": ":",
    "EQUAL": "=",
    "COMPARISON": "< <= > >= !=",
    "PLUS": "+ -",
    "PRODUCT": "* /",
    "ALLEN": "before during …",
    "MODE": "not collect",
    "WITHIN": "within",
    "APART": "apart",
    "EVENT": "event",
    "AXIOM": "axiom",
    "WHILE": "while",
    "$END": "the end",
}


def parse_unchecked(text: str, tick: str = "") -> programs.Program:
    """The program that a text states, as it is written: arguments by position have no names.

    Raises:
        ExpressionError: with line and column, the reason and a remedy.
        InputError: the length of a tick that is given is none, or the text is too long.
    """
    if len(text) > MAX_LENGTH:
        raise InputError(
            f"the program has {len(text):,} characters, more than the limit of {MAX_LENGTH:,}",
            remedy="Split it: one program can read what another one derives.",
        )
    if tick:
        tick_length(tick)  # refuses what has none
    try:
        tree = _parser().parse(text)
        ticks = [token for found in tree.find_data("tick") for token in found.scan_values(lambda _: True)]
        number, seconds = _length(ticks[0] if ticks else Token("DURATION", tick or DEFAULT_TICK))
        if len(ticks) > 1:
            raise _Problem("the tick is stated twice", ticks[1], "A program has one tick.")
        if not number:
            raise _Problem("a tick takes time", ticks[0], "Write for example tick = 1ms.")
        statements = _Builder(number * (seconds or 1)).transform(tree).children
        return _program(statements, str(ticks[0]) if ticks else tick)
    except VisitError as error:
        if isinstance(error.orig_exc, _Problem):
            raise _error(error.orig_exc, text) from None
        raise
    except _Problem as problem:
        raise _error(problem, text) from None
    except UnexpectedInput as unexpected:
        raise _translated(unexpected, text) from None


def _program(statements: Iterable[Any], tick: str) -> programs.Program:
    declared: dict[str, programs.EventType] = {}
    rules: list[programs.Rule] = []
    axioms: list[programs.Axiom] = []
    for statement in statements:
        if isinstance(statement, Token):
            continue
        name, part = statement
        if isinstance(part, programs.Rule):
            rules.append(part)
        elif isinstance(part, programs.Unique | programs.Always):
            axioms.append(part)
        elif part.name in declared:
            raise _Problem(f"{name} is declared twice", name, "Declare an event type once.")
        elif part.name in TIMERS:
            raise _Problem(f"{name} is the name of a timer", name, "Give the event type another name.")
        else:
            declared[part.name] = part
    return programs.Program(declared, tuple(rules), tick, axioms=tuple(axioms))


def _error(problem: _Problem, text: str) -> ExpressionError:
    return at(problem.reason, text, problem.token.line or 1, problem.token.column or 1, problem.remedy)


def at(reason: str, text: str, line: int, column: int, remedy: str) -> ExpressionError:
    """The error at a place of a program, both counted from 1; it shows the line."""
    lines = text.splitlines() or [""]
    line = min(line, len(lines))
    error = ExpressionError(reason, lines[line - 1], column, remedy=remedy)
    error.place = f"line {line}, column {column}"
    return error


_UNIT_APART = re.compile(r"(?:within|,|\})\s*[0-9.]+[ \t]+([A-Za-z_]\w*)\s*$")
"""A number where a duration may be, and a name in the same line, at the end of a text."""


def _unit_apart(error: UnexpectedToken, text: str) -> re.Match[str] | None:
    """The name behind a number and a space at which, or after which, reading failed."""
    token = error.token
    ends = [len(text)] if token.type == "$END" else [token.start_pos or 0, token.end_pos or 0]
    found = (_UNIT_APART.search(text[:end]) for end in ends)
    return next((unit for unit in found if unit and unit[1] not in ALLEN), None)


def _translated(error: UnexpectedInput, text: str) -> ExpressionError:
    """The error of the parser in the words of this language, with what would help."""
    lines, position = text.splitlines(), int(error.pos_in_stream or 0)
    line, column = max(1, error.line), max(1, error.column)
    letter = text[position] if isinstance(error, UnexpectedCharacters) else ""
    token = error.token if isinstance(error, UnexpectedToken) else None
    if isinstance(error, UnexpectedCharacters):
        reason, expected = f"unexpected character {letter!r}", set(error.allowed or ())
    elif isinstance(error, UnexpectedToken) and error.token.type != "$END":
        reason, expected = f"unexpected {str(error.token)!r}", set(error.accepts or error.expected)
        line, column = error.token.line or line, error.token.column or column
    else:
        reason, expected = "the program ends too early", set(getattr(error, "expected", ()))
        line, column = len(lines), len(lines[-1]) + 1 if lines else 1
    before = lines[line - 1][: column - 1].split() if lines else []
    words = [word for name, word in _WORDS.items() if name in expected]
    remedy = f"Expected: {'  '.join(words)}" if words else ""
    unit = re.match(r"[0-9.]+([A-Za-z_]+)", text[position:]) if letter else None
    if letter and letter in "\"'":
        reason, remedy = "a text in quotes does not end", f"Write {letter} at its end, in the same line."
    elif isinstance(error, UnexpectedToken) and (apart := _unit_apart(error, text)):
        until = text[: apart.start(1)]
        line, column = until.count("\n") + 1, len(until) - until.rfind("\n")
        reason = f"there is no unit {apart[1]}"
        remedy = f"The units are {', '.join(UNITS)}, directly behind the number."
    elif unit:
        reason, remedy = f"there is no unit {unit[1]}", f"The units are {', '.join(UNITS)}."
    elif before and before[-1] in ("not", "collect"):
        reason = f"{before[-1]} stands outside a window"
        remedy = f"Name the window: while w: {before[-1]} …, where w is an event or a timer."
    elif token is not None and token.type == "COLON" and expected == {"LPAR"}:
        remedy = "The parts of a body are separated by commas: is one missing before?"
    return at(reason, text, line, column, remedy)
