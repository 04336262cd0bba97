"""The text of profiles; its syntax is described in docs/profiles.md."""

import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args

from lark import Lark, Token
from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError
from lark.visitors import Transformer, v_args

from semantics.clock import in_ticks, tick_length
from semantics.errors import ExpressionError, InputError
from semantics.events import Value, unquoted
from semantics.grammars import parser_of
from semantics.hinze_voisard import profiles
from semantics.hinze_voisard.pairing import Consumption, Listed, Selection

MAX_LENGTH = 100_000  # The longest file that is read, in characters
MAX_DEPTH = 100  # How deep parentheses may nest

_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|#[^\n]*|[()]|[0-9]{300}')
"""A string, a comment, a parenthesis, or the beginning of a number too long to be one."""


@cache
def _parser() -> Lark:
    return parser_of(Path(__file__).with_name("profiles.lark"), maybe_placeholders=True)


def parse(given: str, tick: str = "") -> profiles.ProfileFile:
    """The classes and profiles of a text, or an `InputError`; `tick` is the length of one where it states none."""
    if len(given) > MAX_LENGTH:
        raise InputError(f"the text has {len(given):,} characters; at most {MAX_LENGTH:,} are read")
    depth = 0
    for found in _TOKEN.finditer(given):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth > MAX_DEPTH:
            remedy = "Write several profiles, or a flatter one."
            raise _error(f"the profile is more than {MAX_DEPTH} operators deep", given, found.start(), remedy)
        if found[0].isdigit():
            raise _error("the number has too many digits", given, found.start(), "Write a smaller one.")
    try:
        return cast(profiles.ProfileFile, _Builder(given, tick).transform(_parser().parse(given)))
    except UnexpectedInput as error:
        at, remedy = error.pos_in_stream, "See docs/profiles.md for the syntax."
        if at is None or at < 0 or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
            raise _error("the text ends too early", given, len(given), remedy) from None
        raise _error(f"{given[at : at + 20].split()[0]!r} does not belong here", given, at, remedy) from None
    except VisitError as error:
        if isinstance(error.orig_exc, InputError):
            raise error.orig_exc from None
        raise


def _error(reason: str, given: str, at: int, remedy: str) -> ExpressionError:
    """An error with its line, whose column is marked."""
    begin, end = given.rfind("\n", 0, at) + 1, given.find("\n", at)
    error = ExpressionError(reason, given[begin : end if end >= 0 else None], at - begin + 1, remedy=remedy)
    error.place = f"line {given.count(chr(10), 0, at) + 1}, {error.place}"
    return error


@v_args(inline=True)
class _Builder(Transformer[Token, Any]):
    """Builds profiles from the tree, and refuses what has no meaning."""

    def __init__(self, given: str, tick: str) -> None:
        super().__init__(visit_tokens=False)
        self._text, self._stated = given, tick
        self._tick: Fraction | None = tick_length(tick) if tick else None
        self._classes: dict[str, profiles.EventClass | profiles.TimeClass] = {}
        self._uses: list[Token] = []

    def start(self, *parts: Any) -> profiles.ProfileFile:
        for used in self._uses:
            if str(used) not in self._classes:
                remedy = f"The classes: {', '.join(self._classes) or 'none'}."
                raise self._refusal(f"there is no class {used}", used, remedy)
        stated = tuple(part for part in parts if isinstance(part, profiles.Profile))
        names = [one.name for one in stated]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"two profiles are called {name}", remedy="Give one of them another name.")
        return profiles.ProfileFile(self._classes, stated, self._text, self._stated)

    def tick(self, length: Token) -> None:
        try:
            self._tick, self._stated = tick_length(str(length)), str(length)
        except InputError as error:
            raise self._refusal(error.reason, length, error.remedy) from None

    def events(self, name: Token, kind: Token, *constraints: profiles.Constraint | None) -> None:
        parent = "" if str(kind) == "event" else str(kind)
        if parent and not isinstance(self._classes.get(parent), profiles.EventClass):
            raise self._refusal(f"no class of events above is called {kind}", kind, "Write event(...).")
        given = tuple(constraint for constraint in constraints if constraint is not None)
        self._define(name, profiles.EventClass(str(name), given, parent))

    def at(self, name: Token, *times: Token) -> None:
        self._define(name, profiles.TimeClass(str(name), at=tuple(map(self._ticks, times))))

    def every(self, name: Token, period: Token, since: Token | None) -> None:
        ticks = self._ticks(period)
        if ticks < 1:
            raise self._refusal("a period takes at least one tick", period, "Write for example every 30min.")
        self._define(name, profiles.TimeClass(str(name), every=ticks, since=0 if since is None else self._ticks(since)))

    def constraint(self, attribute: Token, sign: Token, value: Value) -> profiles.Constraint:
        return profiles.Constraint(str(attribute), cast(profiles.Sign, str(sign)), (value,))

    def among(self, attribute: Token, *values: Value) -> profiles.Constraint:
        return profiles.Constraint(str(attribute), "in", values)

    def value(self, token: Token) -> Value:
        match token.type:
            case "STRING":
                try:
                    return unquoted(str(token))
                except ValueError:
                    remedy = r"A backslash is written \\; escapes are those of JSON: \" \n \t \u00e9."
                    raise self._refusal(f"{token} has an escape that means nothing", token, remedy) from None
            case "NUMBER":
                return float(token)
            case "TRUTH":
                return str(token) == "true"
            case _:
                return int(token) if token.lstrip("-").isdigit() else self._ticks(token)

    def profile(self, name: Token, part: profiles.Part) -> profiles.Profile:
        return profiles.Profile(str(name), part)

    def of_class(self, name: Token) -> profiles.OfClass:
        self._uses.append(name)
        return profiles.OfClass(str(name))

    def named(self, name: Token, type: Token) -> profiles.OfClass:
        self._uses.append(type)
        return profiles.OfClass(str(type), str(name))

    def selected(self, operand: profiles.Part, place: Token) -> profiles.Selected:
        if not place.isdigit() or int(place) < 1:
            raise self._refusal("events are counted from 1", place, "Write for example cancelled^3.")
        return profiles.Selected(operand, int(place))

    def absent(self, operand: profiles.Part, span: Token) -> profiles.Absent:
        return profiles.Absent(operand, self._ticks(span))

    def loose(self, *given: Any) -> None:
        remedy = "Write for example (a ; b)[5]: span and parameters stand behind the parentheses."
        raise self._refusal(f"{given[1]} stands without parentheses", given[1], remedy)

    def joined(self, *given: Any) -> profiles.Paired | profiles.Logical:
        *joined, span, parameters = given
        parts, signs = joined[::2], joined[1::2]
        sign, logical = str(signs[0]), {*signs} in ({"/\\"}, {"\\/"})
        if len(parts) > 2 and not logical:
            raise self._refusal("an operator has two operands", signs[1], "Write for example ((a ; b) , c).")
        select, consumption = parameters or (None, None)
        if (logical and parameters) or ((logical or sign == "|") and (span or consumption)):
            remedy = "Write both beside the , or ; around it or of its clauses."
            nothing = "no parameters" if logical else "uses nothing up"
            raise self._refusal(f"{sign} pairs nothing, has no span and {nothing}", signs[0], remedy)
        if logical:
            return profiles.Logical(sign == "/\\", tuple(parts))
        if sign == "|" and select and select[0] != select[1]:
            remedy = "Write for example (a | b) { select last }."
            raise self._refusal("| selects the same in every list", signs[0], remedy)
        listed, (left, right) = self._listed(parts, select, consumption), parts
        return profiles.Paired(cast(Any, sign), left, right, None if span is None else self._ticks(span), listed)

    def parameters(self, first: Any, second: Any) -> tuple[Any, Any]:
        return (second, first) if isinstance(first, str) else (first, second)

    def by_position(self, anterior: Selection, posterior: Selection | None) -> Any:
        return (None, anterior), (None, anterior if posterior is None else posterior)

    def by_operand(self, one: Token, first: Selection, other: Token, second: Selection) -> Any:
        return (one, first), (other, second)

    def choice(self, token: Token) -> Selection:
        if str(token) in ("first", "last", "all"):
            return cast(Selection, str(token))
        if token.isdigit() and int(token) > 0:
            return int(token)
        raise self._refusal(f"{token} selects nothing", token, "Write first, last, all or a number from 1.")

    def consume(self, token: Token) -> Consumption:
        if str(token) not in get_args(Consumption):
            remedy = f"Write one of {', '.join(get_args(Consumption))}."
            raise self._refusal(f"{token} is no consumption", token, remedy)
        return cast(Consumption, str(token))

    def _listed(self, operands: list[profiles.Part], select: Any, consumption: Consumption | None) -> Listed:
        chosen: Any = select or ((None, "all"), (None, "all"))
        (one, first), (other, second) = chosen
        if one is None:
            return Listed(first, second, consumption or "keep")
        names, given = list(map(profiles.called, operands)), {str(one): first, str(other): second}
        if len({*names}) < 2 or {*given} != {*names}:
            remedy = "Write for example { select all, last }: of what comes first, and of what comes later."
            raise self._refusal(f"{one} and {other} are not the names of the two operands", one, remedy)
        return Listed(given[names[0]], given[names[1]], consumption or "keep", by_operand=True)

    def _define(self, name: Token, found: profiles.EventClass | profiles.TimeClass) -> None:
        if str(name) in self._classes:
            raise self._refusal(f"the class {name} is there twice", name, "Give one of them another name.")
        self._classes[str(name)] = found

    def _ticks(self, token: Token) -> int:
        if token.startswith("-"):
            remedy = f"Write 0 or more, such as {token[1:].strip()}."
            raise self._refusal(f"{token} is before the beginning of time, and no length", token, remedy)
        try:
            return in_ticks(str(token), self._tick)
        except InputError as error:
            raise self._refusal(error.reason, token, "Write tick = 1s in the first line, or ticks.") from None

    def _refusal(self, reason: str, token: Token, remedy: str) -> ExpressionError:
        return _error(reason, self._text, token.start_pos or 0, remedy)
