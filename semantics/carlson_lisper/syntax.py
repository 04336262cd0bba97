"""The text of expressions and of equations between them: reading and printing.

    fail   "pay.ok"   'add-to-cart'   an identifier; in quotes it may be any text
    A | B   A + B   A - B   A ; B    disjunction, conjunction, negation, sequence
    (A ; B)[60]   A[60]          temporal restriction to at most 60 ticks; binds tightest
    (A ; B)[30s]                 the same in a unit (ns us ms s min h d), where the length of a tick is stated
    A ;[2] B                     a sequence with the label of Section 6; `inf` is the label ∞

A chain of one operator associates to the left; two different operators side by side need parentheses. `to_text`
prints what `parse` reads back as the same expression.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.visitors import Transformer, v_args

from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import Bound, BoundExtremum, Expression, Identifier, Label, Operation
from semantics.carlson_lisper.operators import OPERATORS
from semantics.errors import ExpressionError, InputError
from semantics.events import quoted, unquoted
from semantics.grammars import parser_of

MAX_LENGTH = 100_000  # of a text, in characters
MAX_DEPTH = 200  # of an expression; parentheses alone do not count
MAX_EXTREMA = 8  # of `min` and `max` within each other, in a symbolic bound
MAX_BOUND = 10**18  # in ticks

Relation = Literal["==", "<=", "[=]", "~="]
"""Relation of an equation: the same meaning (Def. 4.1), inclusion, the same intervals (Def. 4.3), or the same
detections (Def. 4.3 under rem). The same meaning implies the same intervals, and these the same detections."""

_RELATIONS: dict[str, Relation] = {"≡": "==", "⊆": "<=", "≅": "~=", **{name: name for name in get_args(Relation)}}

_SYMBOL_OF = {name: definition.symbol for name, definition in OPERATORS.items()}
_NAME_OF = {symbol: name for name, symbol in _SYMBOL_OF.items() if symbol} | {"∨": "dis"}
_SIGNS = [symbol for symbol, name in _NAME_OF.items() if name != "seq"]
"""Symbols of the operators that stand between their operands without a label."""


@dataclass(frozen=True)
class Equation:
    """Two expressions and the relation claimed between them."""

    left: Expression
    right: Expression
    relation: Relation = "=="

    def __str__(self) -> str:
        return f"{to_text(self.left, grouped=True)} {self.relation} {to_text(self.right, grouped=True)}"


@dataclass(frozen=True)
class _Part:
    """A piece that was read: its expression, its depth, and where it stands in the text."""

    expression: Expression
    depth: int
    begin: int
    end: int


@v_args(inline=True)
class _Builder(Transformer[Token, Any]):
    """Builds expressions while the text is read; nothing here recurses."""

    text = ""
    symbolic = False
    tick: str | None = None

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)

    def identifier(self, name: Token) -> _Part:
        return _Part(Identifier(str(name)), 0, _position(name), _position(name) + len(name))

    def named(self, text: Token) -> _Part:
        try:
            name = unquoted(text)
        except ValueError as error:
            raise self._error(f"{text} is no text: {error}", text, "A text is written as in JSON.") from None
        if not name:
            raise self._error("the name of an event type is empty", text)
        return _Part(Identifier(name), 0, _position(text), _position(text) + len(text))

    def group(self, opening: Token, inner: _Part, closing: Token) -> _Part:
        return _Part(inner.expression, inner.depth, _position(opening), _position(closing) + 1)

    def restriction(self, operand: _Part, bound: Bound, closing: Token) -> _Part:
        expression = Operation("tim", (operand.expression,), bound)
        return self._part(expression, operand.depth + 1, operand.begin, _position(closing) + 1)

    def number(self, digits: Token) -> int:
        if len(digits.lstrip("0")) > len(str(MAX_BOUND)) or int(digits) > MAX_BOUND:
            remedy = "No trace is that long: leave the bound out, or write a smaller one."
            raise self._error(f"the bound is greater than {MAX_BOUND:,} ticks", digits, remedy)
        return int(digits)

    def lasting(self, length: Token) -> int:
        from semantics.clock import in_ticks, tick_length

        try:
            ticks = in_ticks(length, tick_length(self.tick) if self.tick else None)
        except InputError as error:
            remedy = "Write the number of ticks." if self.tick is None else error.remedy
            raise self._error(error.reason, length, remedy) from None
        return self.number(length.update(value=str(ticks)))

    def parameter(self, name: Token) -> expressions.BoundParameter:
        if not self.symbolic:
            raise self._error(f"the bound {name} is not a number", name, "A bound is an integer >= 0, in ticks.")
        return expressions.BoundParameter(str(name))

    def extremum(self, function: Token, _open: Token, left: Bound, right: Bound, _close: Token) -> BoundExtremum:
        if not self.symbolic:
            raise self._error(f"{function} is not allowed here", function, "A bound is an integer >= 0.")
        if 1 + max(_nesting(left), _nesting(right)) > MAX_EXTREMA:
            raise self._error(f"min and max nest more than {MAX_EXTREMA} deep", function)
        return BoundExtremum("min" if function == "min" else "max", left, right)

    def label(self, token: Token, _close: Token) -> Label:
        return expressions.UNBOUNDED if token.type == "INFINITY" else self.number(token)

    def operator(self, symbol: Token, label: Label | None = None) -> tuple[Token, Label | None]:
        return symbol, label

    def chain(self, first: _Part, *rest: Any) -> _Part:
        operators: list[tuple[Token, Label | None]] = list(rest[0::2])
        operands: list[_Part] = [first, *rest[1::2]]
        result = first
        for place, ((symbol, label), operand) in enumerate(zip(operators, operands[1:], strict=True)):
            if _NAME_OF[symbol] != _NAME_OF[operators[0][0]]:
                raise self._ambiguous(operators[place - 1][0], symbol, operands[: place + 2])
            expression = Operation(_NAME_OF[symbol], (result.expression, operand.expression), None, label)
            result = self._part(expression, max(result.depth, operand.depth) + 1, first.begin, operand.end)
        return result

    def expression(self, chain: _Part) -> Expression:
        return chain.expression

    def equation(self, left: _Part, relation: Token, right: _Part) -> Equation:
        return Equation(left.expression, right.expression, _RELATIONS[str(relation)])

    def _error(self, reason: str, at: Token | int, remedy: str = "") -> ExpressionError:
        position = _position(at) if isinstance(at, Token) else at
        return ExpressionError(reason, self.text, position + 1, remedy=remedy)

    def _part(self, expression: Expression, depth: int, begin: int, end: int) -> _Part:
        if depth > MAX_DEPTH:
            remedy = "A long chain nests to the left; write parts of it in parentheses, as in (a | b) | (c | d)."
            raise self._error(f"the expression is more than {MAX_DEPTH} operators deep", begin, remedy)
        return _Part(expression, depth, begin, end)

    def _ambiguous(self, before: Token, after: Token, operands: Sequence[_Part]) -> ExpressionError:
        """Two operators side by side; the operands are those up to the one after the second of them."""
        spans = ((operands[0].begin, operands[-3].end), *((part.begin, part.end) for part in operands[-2:]))
        left, middle, right = (" ".join(self.text[begin:end].split()) for begin, end in spans)
        left, middle, right = (
            part if len(part) <= 40 else f"{part[:20]} … {part[-20:]}" for part in (left, middle, right)
        )
        return self._error(
            f"{before} and {after} stand side by side without parentheses; the two readings differ",
            after,
            f"Write  ({left} {before} {middle}) {after} {right}\nor     {left} {before} ({middle} {after} {right})",
        )


def _position(token: Token) -> int:
    return int(token.start_pos or 0)


def _nesting(bound: Bound) -> int:
    return 1 + max(_nesting(bound.left), _nesting(bound.right)) if isinstance(bound, BoundExtremum) else 0


@cache
def _parser() -> tuple[Lark, _Builder]:
    builder = _Builder()
    source, signs = Path(__file__).with_name("expressions.lark"), [f'"{sign}"' for sign in _SIGNS]
    options = {"start": ["expression", "equation"], "maybe_placeholders": False, "transformer": builder}
    return parser_of(source, {"SIGNS": signs}, **options), builder


_WORDS = {
    "NAME": "an identifier",
    "STRING": "a name in quotes",
    "OPEN": "(",
    "CLOSE": ")",
    "LSQB": "[",
    "END": "]",
    "INTEGER": "an integer >= 0",
    "DURATION": "a duration such as 30s",
    "INFINITY": "inf",
    "COMMA": ",",
    "SYMBOL": " ".join(sign for sign in _SIGNS if sign.isascii()),
    "SEQUENCE": ";",
    "RELATION": " ".join(get_args(Relation)),
    "EXTREMUM": "min( max(",
    "$END": "the end",
}


def _read(text: str, start: str, *, symbolic: bool, tick: str | None = None) -> Any:
    if not isinstance(text, str):
        raise InputError(f"{text!r} is no text", remedy='Write an expression in quotes, such as "(a ; b)[60]".')
    if len(text) > MAX_LENGTH:
        reason = f"the text has {len(text):,} characters, more than the limit of {MAX_LENGTH:,}"
        raise ExpressionError(reason, text, MAX_LENGTH + 1)
    if not text.strip():
        raise ExpressionError("there is nothing to read", text, 1, remedy="Write an expression such as (a ; b)[60].")
    parser, builder = _parser()
    builder.text, builder.symbolic, builder.tick = text, symbolic, tick
    try:
        return parser.parse(text, start=start)
    except UnexpectedInput as error:
        raise _translated(error, text, start) from None


def _translated(error: UnexpectedInput, text: str, start: str) -> ExpressionError:
    if isinstance(error, UnexpectedCharacters):
        position, expected = int(error.pos_in_stream or 0), set(error.allowed or ())
        reason = f"unexpected character {text[position]!r}"
    elif isinstance(error, UnexpectedToken) and error.token.type != "$END":
        reason = f"unexpected {str(error.token)!r}"
        position, expected = _position(error.token), set(error.accepts or error.expected)
    else:
        reason, position = "the text ends too early", len(text.rstrip())
        expected = set(getattr(error, "accepts", ()) or getattr(error, "expected", ()))
    before = text[:position]
    if start == "expression" and before.rfind("[") > before.rfind("]"):
        remedy = "A bound is an integer >= 0, in ticks: [60]; or with a unit, ns us ms s min h d: [30s]."
    else:
        words = [w for token, w in _WORDS.items() if token in expected - {"RELATION" if start == "expression" else ""}]
        remedy = _quotes(text, position, expected) or (f"Expected: {'  '.join(words)}" if words else "")
    return ExpressionError(reason, text, position + 1, remedy=remedy)


_BEFORE = re.compile(r"[^\s;|+()\[\]\"']*$")
_AFTER = re.compile(r"[^\s;|+()\[\]\"']*")


def _quotes(text: str, position: int, expected: Collection[str]) -> str:
    """The advice to write in quotes what stands at a position, where it looks like the name of an event type."""
    here = text[position : position + 1]
    if here and here in "“”„‘’«»":
        return "Names are in straight quotes: \"pay.ok\" or 'pay.ok'."
    if here in ('"', "'"):
        return "A quote opens and is not closed."
    begin = _BEFORE.search(text[:position])
    before = "" if begin is None else begin[0]
    if here.isalpha() and not before and "NAME" not in expected:
        return "Between two names stands an operator: | + - or ;"
    is_name = here.isalnum() and (not here.isdigit() or "NAME" in expected)
    if not is_name and not (before and here and here in ".:/@#$%&*\\"):
        return ""
    after = _AFTER.match(text, position)
    name = before + (after[0] if after else "")
    return f"A name that is no identifier is written in quotes: {quoted(name)}"


def parse(text: str, tick: str | None = None) -> Expression:
    """Read a ground expression: identifiers are event types, bounds are numbers of ticks or durations.

    Args:
        text: the expression.
        tick: the length of a tick, such as `1s`; without it, bounds have no units.

    Raises:
        ExpressionError: with the column, the reason and, for an ambiguity, both readings.
    """
    result: Expression = _read(text, "expression", symbolic=False, tick=tick or "")
    return result


def parse_schema(text: str, tick: str | None = None) -> Expression:
    """Read an expression whose bounds may be symbolic, as in laws; otherwise as `parse`."""
    result: Expression = _read(text, "expression", symbolic=True, tick=tick or "")
    return result


def parse_equation(text: str) -> Equation:
    """Read an equation (`==`), an inclusion (`<=`), or a claim of the same intervals (`[=]`) or detections (`~=`).

    Bounds may be symbolic.
    """
    result: Equation = _read(text, "equation", symbolic=True)
    return result


def bound_to_text(bound: Bound) -> str:
    """The text of a bound."""
    if isinstance(bound, BoundExtremum):
        return f"{bound.function}({bound_to_text(bound.left)}, {bound_to_text(bound.right)})"
    return bound.name if isinstance(bound, expressions.BoundParameter) else str(bound)


def to_text(expression: Expression, *, grouped: bool = False) -> str:
    """The text of an expression, with as few parentheses as the syntax allows; chains may be grouped, as in laws."""
    texts: dict[Expression, str] = {}
    for node in expressions.bottom_up(expression):
        if isinstance(node, Identifier):
            texts[node] = quoted(node.name)
        elif isinstance(node, Operation) and node.operator == "tim":
            (operand,) = node.operands
            inner = f"({texts[operand]})" if _is_binary(operand) else texts[operand]
            texts[node] = f"{inner}[{bound_to_text(node.bound if node.bound is not None else 0)}]"
        elif isinstance(node, Operation):
            left, right = node.operands
            chained = not grouped and isinstance(left, Operation) and left.operator == node.operator
            before = f"({texts[left]})" if _is_binary(left) and not chained else texts[left]
            after = f"({texts[right]})" if _is_binary(right) else texts[right]
            label = "" if node.label is None else f"[{node.label}]"  # the label ∞ is `inf`
            texts[node] = f"{before} {_SYMBOL_OF[node.operator]}{label} {after}"
    return texts[expression]


def _is_binary(expression: Expression) -> bool:
    return isinstance(expression, Operation) and expression.operator != "tim"
