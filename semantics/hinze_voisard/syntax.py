r"""The text of profiles.

    tick = 1min
    class jam    = event(name = "traffic-jam", area = "A")
    class truck  = event(name = "truck-location")
    class nearby = truck(location in ["A", "B*"])
    class shift  = time(10h)
    class half   = time(every 30min from 0min)
    profile P1 = (jam , nearby)[5min] { select jam: all, nearby: last; consume keep }
    profile P5 = (shift ; not(loaded)[2h])[2h] { select first, first; consume lists }
    profile P2 = cancelled^3
    profile N  = ((x: a ; y: b)[5] /\ (x: a ; z: c)[9])

Parameters, in either order: `select ANTERIOR, POSTERIOR`, `select all` for both, or by operand; each `first`, `last`,
`all` or a number; `consume keep`, `lists`, `events` or `reapply`. Without any, all are selected and kept. A comment
begins with `#`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from math import isinf
from pathlib import Path
from typing import Any, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError
from lark.visitors import Transformer, v_args

from semantics.clock import in_ticks, tick_length
from semantics.errors import ExpressionError, InputError
from semantics.events import Value, unquoted
from semantics.grammars import parser_of
from semantics.hinze_voisard.pairing import Consumption, Listed, Selection
from semantics.hinze_voisard.profiles import (
    Absent,
    Constraint,
    EventClass,
    Logical,
    OfClass,
    Paired,
    Part,
    Profile,
    ProfileFile,
    Selected,
    Sign,
    TimeClass,
)

MAX_LENGTH = 100_000
"""The longest file that is read, in characters."""

MAX_DEPTH = 100
"""How deep operators may nest in a profile."""

_WORDS = {"first", "last", "all"}


@cache
def _parser() -> Lark:
    source = Path(__file__).with_name("profiles.lark")
    return parser_of(source, propagate_positions=True, maybe_placeholders=True)


def parse(text: str, tick: str = "") -> ProfileFile:
    """The classes and profiles of a text.

    Args:
        tick: the length of a tick where the text states none, such as `1s`.

    Raises:
        InputError: it states none; says where, why and what would help.
    """
    if len(text) > MAX_LENGTH:
        raise InputError(f"the text has {len(text):,} characters; at most {MAX_LENGTH:,} are read")
    try:
        tree = _parser().parse(text)
        _require_shallow(tree, text)
        _require_pairs(tree, text)
        found = _Builder(text, tick).transform(tree)
    except UnexpectedInput as error:
        raise _unexpected(error, text) from None
    except VisitError as error:
        if isinstance(error.orig_exc, InputError):
            raise error.orig_exc from None
        raise
    return cast(ProfileFile, found)


def _require_shallow(tree: Tree[Token], text: str) -> None:
    layer, depth = [tree], 0
    while layer:
        if depth > MAX_DEPTH + 2:  # below the file and its profile
            at = layer[0].meta.start_pos
            remedy = "Write several profiles, or a flatter one."
            raise _error(f"the profile is more than {MAX_DEPTH} operators deep", text, at, remedy)
        layer = [child for one in layer for child in one.children if isinstance(child, Tree)]
        depth += 1


def _require_pairs(tree: Tree[Token], text: str) -> None:
    """Refuse chains of operators, and parameters where nothing is paired, with what could be meant."""
    for found in tree.iter_subtrees():
        if found.data not in ("joined", "loose"):
            continue
        *joined, span, parameters = found.children
        signs = [one for one in joined if isinstance(one, Token)]
        operands = [_slice(text, one.meta.start_pos, one.meta.end_pos) for one in joined if isinstance(one, Tree)]
        logical = {*signs} in ({"/\\"}, {"\\/"})
        given = span if isinstance(span, Token) else parameters
        if given is not None and (logical or "|" in signs):
            at = given.start_pos if isinstance(given, Token) else given.meta.start_pos
            kind, where = ("logical operator", "of its clauses") if logical else ("disjunction", "around it")
            remedy = f"Write  ({f' {signs[0]} '.join(operands)})  and both beside the , or ; {where}."
            raise _error(f"a {kind} pairs nothing, and has no span and no parameters", text, at or 0, remedy)
        if found.data == "joined" and (logical or len(operands) == 2):
            continue
        written = [f"({f' {signs[0]} '.join(operands)})"] if logical else _grouped(operands, signs)
        last = joined[-1].meta.end_pos if isinstance(joined[-1], Tree) else 0
        beside = _slice(text, last, found.meta.end_pos) if found.data == "loose" else ""
        several = len(operands) > 2 and not logical
        reason = "an operator has two operands" if several else f"{signs[0]} stands without parentheses"
        remedy = "\nor     ".join(f"{one}{beside}" for one in written)
        raise _error(reason, text, signs[1 if several else 0].start_pos or 0, f"Write  {remedy}")


def _grouped(operands: list[str], signs: list[Token]) -> list[str]:
    """A chain with its operands grouped to the left, and to the right where that could be meant as well."""
    left, right = operands[0], operands[-1]
    for sign, operand in zip(signs, operands[1:], strict=True):
        left = f"({left} {sign} {operand})"
    for sign, operand in zip(signs[::-1], operands[-2::-1], strict=True):
        right = f"({operand} {sign} {right})"
    return [left] if len({*signs}) == 1 else [left, right]


def _slice(text: str, begin: int, end: int) -> str:
    """A part of the text in one line, without comments."""
    return " ".join(re.sub(r"#[^\n]*", "", text[begin:end]).split())


def _unexpected(error: UnexpectedInput, text: str) -> InputError:
    given = error.pos_in_stream
    at = len(text) if given is None or given < 0 else min(given, len(text))
    ended = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    at = len(text) if ended else at
    if isinstance(error, UnexpectedToken | UnexpectedCharacters) and not ended:
        reason = f"{text[at : at + 20].split()[0] if text[at : at + 20].split() else 'the end'!r} does not belong here"
    else:
        reason = "the text ends too early"
    return _error(reason, text, at, "See docs/profiles.md for the syntax.")


def _error(reason: str, text: str, at: int, remedy: str) -> ExpressionError:
    """An error with its line, whose column is marked."""
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text.count("\n", 0, at) + 1
    error = ExpressionError(reason, text[begin : end if end >= 0 else None], at - begin + 1, remedy=remedy)
    error.place = f"line {line}, {error.place}"
    return error


@v_args(inline=True)
class _Builder(Transformer[Token, Any]):
    """Builds profiles from the tree, and refuses what has no meaning."""

    def __init__(self, text: str, tick: str) -> None:
        super().__init__(visit_tokens=False)
        self._text, self._stated = text, tick
        self._tick: Fraction | None = tick_length(tick) if tick else None
        self._classes: dict[str, EventClass | TimeClass] = {}
        self._uses: list[Token] = []

    def start(self, *parts: Any) -> ProfileFile:
        for used in self._uses:
            if str(used) not in self._classes:
                raise self._refusal(
                    f"there is no class {used}", used, f"The classes: {', '.join(self._classes) or 'none'}."
                )
        profiles = tuple(part for part in parts if isinstance(part, Profile))
        names = [one.name for one in profiles]
        repeated = next((name for name in names if names.count(name) > 1), None)
        if repeated is not None:
            raise InputError(f"two profiles are called {repeated}", remedy="Give one of them another name.")
        return ProfileFile(self._classes, profiles, self._text, self._stated)

    def tick(self, length: Token) -> None:
        try:
            self._tick, self._stated = tick_length(str(length)), str(length)
        except InputError as error:
            raise self._refusal(error.reason, length, error.remedy) from None

    def events(self, name: Token, kind: Token, *constraints: Constraint | None) -> None:
        parent = "" if str(kind) == "event" else str(kind)
        if parent and not isinstance(self._classes.get(parent), EventClass):
            raise self._refusal(f"no class of events above is called {kind}", kind, "Write event(...).")
        given = tuple(constraint for constraint in constraints if constraint is not None)
        self._define(name, EventClass(str(name), given, parent))

    def at(self, name: Token, *times: Token) -> None:
        self._define(name, TimeClass(str(name), at=tuple(map(self._ticks, times))))

    def every(self, name: Token, period: Token, since: Token | None) -> None:
        ticks = self._ticks(period)
        if ticks < 1:
            raise self._refusal("a period takes at least one tick", period, "Write for example every 30min.")
        self._define(name, TimeClass(str(name), every=ticks, since=0 if since is None else self._ticks(since)))

    def constraint(self, attribute: Token, sign: Token, value: Value) -> Constraint:
        return Constraint(str(attribute), cast(Sign, str(sign)), (value,))

    def among(self, attribute: Token, *values: Value) -> Constraint:
        return Constraint(str(attribute), "in", values)

    def value(self, token: Token) -> Value:
        text = str(token)
        match token.type:
            case "STRING":
                return self._text_of(token)
            case "NUMBER":
                return self._fraction(token)
            case "TRUTH":
                return text == "true"
            case _:
                return self._integer(token) if text.lstrip("-").isdigit() else self._ticks(token)

    def profile(self, name: Token, part: Part) -> Profile:
        return Profile(str(name), part)

    def of_class(self, name: Token) -> OfClass:
        self._uses.append(name)
        return OfClass(str(name))

    def named(self, name: Token, type: Token) -> OfClass:
        self._uses.append(type)
        return OfClass(str(type), str(name))

    def selected(self, operand: Part, place: Token) -> Selected:
        if not str(place).isdigit() or self._integer(place) < 1:
            raise self._refusal("events are counted from 1", place, "Write for example cancelled^3.")
        return Selected(operand, int(place))

    def absent(self, operand: Part, span: Token) -> Absent:
        return Absent(operand, self._ticks(span))

    def joined(self, *given: Any) -> Paired | Logical:
        *joined, span, parameters = given
        operands, operator = joined[::2], str(joined[1])
        if operator in ("/\\", "\\/"):
            return Logical(operator == "/\\", tuple(operands))
        left, right = operands
        listed = self._listed(left, right, parameters or (None, None))
        return Paired(cast(Any, operator), left, right, None if span is None else self._ticks(span), listed)

    def parameters(self, first: Any, second: Any) -> tuple[Any, Any]:
        return (second, first) if isinstance(first, str) else (first, second)

    def by_position(self, anterior: Selection, posterior: Selection | None) -> Any:
        return (None, anterior), (None, anterior if posterior is None else posterior)

    def by_operand(self, one: Token, first: Selection, other: Token, second: Selection) -> Any:
        return (one, first), (other, second)

    def choice(self, token: Token) -> Selection:
        text = str(token)
        if text in _WORDS:
            return cast(Selection, text)
        if text.isdigit() and self._integer(token) > 0:
            return int(text)
        raise self._refusal(f"{text} selects nothing", token, "Write first, last, all or a number from 1.")

    def consume(self, token: Token) -> Consumption:
        if str(token) not in ("keep", "lists", "events", "reapply"):
            raise self._refusal(f"{token} is no consumption", token, "Write keep, lists, events or reapply.")
        return cast(Consumption, str(token))

    def _listed(self, left: Part, right: Part, given: tuple[Any, Any]) -> Listed:
        select, consumption = given
        everything: tuple[None, Selection] = (None, "all")
        (one, first), (other, second) = select or (everything, everything)
        if one is None:
            return Listed(first, second, consumption or "keep")
        operands = [getattr(part, "name", "") or getattr(part, "type", "") for part in (left, right)]
        named = {str(one): first, str(other): second}
        by_position = "Write for example { select all, last }: of what comes first, and of what comes later."
        if not all(operands):
            raise self._refusal("a composite operand has no name to select by", one, by_position)
        if operands[0] == operands[1]:
            raise self._refusal(f"both operands are {operands[0]}", one, by_position)
        if {*named} != {*operands}:
            remedy = f"They are {' and '.join(operands)}."
            raise self._refusal(f"{one} and {other} are not the operands", one, remedy)
        return Listed(named[operands[0]], named[operands[1]], consumption or "keep", by_operand=True)

    def _define(self, name: Token, found: EventClass | TimeClass) -> None:
        if str(name) in self._classes:
            raise self._refusal(f"the class {name} is there twice", name, "Give one of them another name.")
        self._classes[str(name)] = found

    def _ticks(self, token: Token) -> int:
        if str(token).startswith("-"):
            remedy = f"Write 0 or more, such as {str(token)[1:].strip()}."
            raise self._refusal(f"{token} is before the beginning of time, and no length", token, remedy)
        try:
            return in_ticks(str(token), self._tick)
        except InputError as error:
            raise self._refusal(error.reason, token, "Write tick = 1s in the first line, or ticks.") from None
        except ValueError:
            raise self._too_long(token) from None

    def _integer(self, token: Token) -> int:
        try:
            return int(token)
        except ValueError:
            raise self._too_long(token) from None

    def _fraction(self, token: Token) -> float:
        if isinf(number := float(token)):
            raise self._too_long(token)
        return number

    def _too_long(self, token: Token) -> ExpressionError:
        return self._refusal(f"the number has {len(token):,} digits", token, "Write a smaller one.")

    def _text_of(self, token: Token) -> str:
        try:
            return unquoted(str(token))
        except ValueError:
            remedy = r"A backslash is written \\; escapes are those of JSON: \" \n \t \u00e9."
            raise self._refusal(f"{token} has an escape that means nothing", token, remedy) from None

    def _refusal(self, reason: str, token: Token, remedy: str) -> ExpressionError:
        return _error(reason, self._text, token.start_pos or 0, remedy)
