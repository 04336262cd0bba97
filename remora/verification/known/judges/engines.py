"""Known answers about the judges of engines of rules and of profiles: wrong ones that are given to them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock, patch

from campaigns.bry_eckert import judge as of_rules
from campaigns.bry_eckert.cases import Case as RulesCase
from campaigns.bry_eckert.relations import RELATIONS, turned_plan
from campaigns.bry_eckert.relations import judge_relation as related_rules
from campaigns.hinze_voisard import judge as of_profiles
from campaigns.hinze_voisard.cases import Case as ProfilesCase
from campaigns.judging.limits import TimeUp
from campaigns.judging.verdicts import Kind
from campaigns.mutants.power import power
from campaigns.systems import cases_of
from detectors.bry_eckert.catalogue import ENGINES as OF_RULES
from detectors.hinze_voisard.catalogue import EngineFactory
from detectors.hinze_voisard.engine import Engine
from laws.standings import Standing
from remora.judging.engines import judged_engines, problem
from remora.verification.known.answers import Checks, Row
from semantics.bry_eckert.algebra.plans import Base, Expression, Union, operands
from semantics.bry_eckert.algebra.translation import plan_of
from semantics.bry_eckert.checking import parse
from semantics.errors import LimitExceeded
from semantics.events import Event, Time
from semantics.hinze_voisard.syntax import parse as profiles

SECONDS = 5.0
SOON = 0.05
"""An engine that does not end is stopped after so many seconds."""

checks = Checks()

Change = Callable[[Any, Time, list[Any]], list[Any]]
"""What is said in place of what would be right, by an engine that may keep something, at a time."""


class _Changed:
    """An engine of which something else is made."""

    def __init__(self, make: Callable[..., Any], change: Change, *given: Any) -> None:
        self._right, self._change, self.given = make(*given), change, given
        self.restored = False
        self.events: Sequence[Event] = ()

    def due(self) -> Time | None:
        due: Time | None = self._right.due()
        return due

    def step(self, time: Time, events: Sequence[Event]) -> list[Any]:
        self.events = events
        return self._change(self, time, list(self._right.step(time, events)))

    def snapshot(self) -> Any:
        return self._right.snapshot()

    def restore(self, state: Any) -> None:
        """Take up a state, and remember that it was one."""
        self._right.restore(state)
        self.restored = True


class _Keeping(_Changed):
    """One that keeps its state to itself."""

    def snapshot(self) -> Any:
        """Nothing."""
        return {}

    def restore(self, state: Any) -> None:
        """Nothing."""


class _Handing(_Changed):
    """One that hands its state on as it is, which is no data."""

    def snapshot(self) -> Any:
        """The engine itself."""
        return self._right

    def restore(self, state: Any) -> None:
        """Go on with it."""
        self._right = state


def _when(when: Callable[[Any, Time], bool], change: Callable[[list[Any]], list[Any]]) -> Change:
    return lambda engine, time, said: change(said) if when(engine, time) else said


def _unchanged(_: Any, __: Time, said: list[Any]) -> list[Any]:
    return said


def _others(said: list[Any]) -> list[Any]:
    """Answers with another value."""
    return [one._replace(attributes={**one.attributes, "y": 6}) for one in said]


def _at_3(change: Callable[[list[Any]], list[Any]]) -> Change:
    return lambda _, time, said: change(said) if time == 3 else said


# -------------------------------------------------------------------------------------------------------- profiles

_AB = ProfilesCase(0, 0, "", 'class a = event(name = "a")\nclass b = event(name = "b")\n'
    "profile P0 = (a , b) { select all, all; consume keep }\n", (
    Event("a", 0, 0, {}), Event("a", 1, 1, {}), Event("b", 3, 3, {}), Event("c", 4, 4, {}),
))  # fmt: skip


def _profiles_engine(change: Change) -> EngineFactory:
    return cast(EngineFactory, partial(_Changed, Engine, change))


def _verdict(change: Change) -> Kind | None:
    return of_profiles.judge(_AB, _profiles_engine(change), of_profiles.Meaning(_AB), seconds=SECONDS).kind


@checks.known("notifications", "what engines of profiles say wrongly is seen by their judge")
def _notifications() -> Iterator[Row]:
    def moved(said: list[Any]) -> list[Any]:
        return [one._replace(found=one.found._replace(events=one.found.events[:1])) for one in said]

    changes: list[tuple[str, Callable[[list[Any]], list[Any]], Kind | None]] = [
        ("as it is", lambda said: said, None),
        ("nothing", lambda said: [], Kind.MISSING),
        ("one of them", lambda said: said[:1], Kind.MISSING),
        ("twice", lambda said: said + said, Kind.SPURIOUS),
        ("in another order", lambda said: said[::-1], Kind.PROTOCOL),
        ("withdrawn", lambda said: [one._replace(kind="withdrawn") for one in said], Kind.MISSING),
        ("of other events", moved, Kind.MISSING),
        ("later", lambda said: [one._replace(time=4) for one in said], Kind.MISSING),
    ]
    yield "how much is to be said", len(of_profiles.Meaning(_AB).said), 2
    for constraint, occurs in (("x != 1", 0), ("x = 1", 0), ("k != 1", 1), ("k = 1", 1)):
        text = f'class a = event(name = "a", {constraint})\nprofile P0 = a\n'
        case = replace(_AB, text=text, events=tuple(Event("a", time, time, {"k": time}) for time in (1, 2)))
        yield f"events with {constraint}", len(of_profiles.Meaning(case).said), occurs
    for one, other, apart in (
        ("1", "1", False),
        ("1", "2", True),
        ('"a*"', '"ab"', False),
        ('"ab"', '"ac"', True),
    ):
        file = profiles(f"class a = event(x = {one})\nclass b = event(x = {other})\nprofile P = (a ; b)\n")
        yield f"classes of events with {one} and {other}", file.are_apart("a", "b"), apart
    for title, change, right in changes:
        yield f"said {title}", _verdict(_at_3(change)), right


@checks.known("relations of profiles", "engines of profiles that fail a relation are seen")
def _profiles() -> Iterator[Row]:
    whenever: dict[str, Callable[[Any, Time], bool]] = {
        "restored": lambda engine, _: engine.restored,
        "shifted": lambda _, time: time >= of_profiles.SHIFT,
        "renamed": lambda engine, _: "a" not in engine.given[0].classes,
    }
    for relation in of_profiles.RELATIONS:
        for title, change, right in (
            ("right", lambda said: said, None),
            ("silent", lambda said: [], Kind.RELATION),
            ("saying all twice", lambda said: said + said, Kind.RELATION),
        ):
            made = _profiles_engine(_when(whenever[relation], change))
            found = of_profiles.judge_relation(relation, _AB, made, seconds=SECONDS)
            yield f"an engine that is {title} once {relation}", found.kind, right


# ----------------------------------------------------------------------------------------------------------- rules


def _read(expression: Expression) -> list[str]:
    """The relations that an expression reads, from the left to the right."""
    if isinstance(expression, Base):
        return [expression.relation]
    return [name for operand in operands(expression) for name in _read(operand)]


_RULE = "event A(x: int)\nevent B(x: int)\nF(x, y) <- a: A(x), b: B(y), {a, b} within 4, x < 3\n"
_TIMED = "event A(x: int)\nF(x) <- a: A(x), b: extend(a, 4)\n"
_CLOCKED = "event A(x: time within 2)\nF(x) <- a: A(x)\n"
_READ = (Event("A", 0, 0, {"x": 1}),)
_HISTORY = (Event("A", 0, 0, {"x": 1}), Event("A", 3, 3, {"x": 2}), Event("B", 3, 3, {"x": 5}))


@checks.known("relations of rules", "engines of rules that fail a relation are seen")
def _rules() -> Iterator[Row]:
    case = RulesCase(0, 0, "", _RULE, _HISTORY)
    whenever: dict[str, Callable[[Any, Time], bool]] = {
        "printed-plan": lambda engine, _: engine.given[1] == plan_of(case.program),
        "turned-plan": lambda engine, _: engine.given[1] == turned_plan(case.program),
        "renamed": lambda engine, _: (
            engine.given[0].rules[0].identifiers != case.program.rules[0].identifiers
        ),
        "order": lambda engine, _: [one.type for one in engine.events] == ["B", "A"],
        "restored": lambda engine, _: engine.restored,
        "shifted": lambda _, time: time >= of_profiles.SHIFT,
    }
    made = OF_RULES["differencing"]
    for relation in RELATIONS:
        when = whenever[relation]
        for title, change in (
            ("silent", lambda said: []),
            ("inventing", lambda said: [*said, *_others(said)]),
        ):
            wrong = partial(_Changed, made, _when(when, change))
            found = related_rules(relation, case, wrong, seconds=SECONDS)
            yield f"an engine that is {title} by the relation {relation}", found.kind, Kind.RELATION
    stored: Sequence[tuple[str, type[_Changed], Kind]] = (
        ("keeps its state", _Keeping, Kind.RELATION),
        ("stores no data", _Handing, Kind.CRASH),
    )
    for title, kept, kind in stored:
        found = related_rules("restored", case, partial(kept, made, _unchanged), seconds=SECONDS)
        yield f"an engine of rules that {title}", found.kind, kind
        of_profile = cast(EngineFactory, partial(kept, Engine, _unchanged))
        found = of_profiles.judge_relation("restored", _AB, of_profile, seconds=SECONDS)
        yield f"an engine of profiles that {title}", found.kind, kind
    found = related_rules("shifted", replace(case, text=_CLOCKED, events=_READ), made, seconds=SECONDS)
    yield "times among the data, shifted", (found.kind, found.refusal, len(found.expected)), (None, "", 1)
    program = parse("event A(x: int)\nevent B(x: int)\nevent D(x: int)\nF(x) <- a: A(x), b: B(x), d: D(x)")
    for title, plan, order in (
        ("as they are written", plan_of(program), ["A", "B", "D"]),
        ("that are exchanged", turned_plan(program), ["D", "B", "A"]),
    ):
        expression = plan.definitions[0].expression
        yield f"operands {title}", None if isinstance(expression, Union) else _read(expression), order
    usual = of_rules.Meaning(case)
    yield "answers that are expected", len(usual.said), 2
    other = _at_3(_others)
    found = of_rules.judge(case, partial(_Changed, made, other), usual, seconds=SECONDS)
    yield "an answer with another value", found.kind is None, False
    timed = replace(case, text=_TIMED, events=_HISTORY[:2])
    found = of_rules.judge(timed, made, of_rules.Meaning(timed), seconds=SECONDS)
    yield "answers after the last event", found.kind, None


@checks.known("judged engines", "failures and refusals among random cases are counted")
def _judged() -> Iterator[Row]:
    passed, failed, refused = (
        SimpleNamespace(case=number, failures=failures, refusals=refusals, judgements=2, expected=1)
        for number, (failures, refusals) in enumerate((([], []), ([{"kind": "missing"}], []), ([], ["x"])))
    )
    for rows, right in (
        ([passed, passed], None),
        ([failed, passed], Standing.REFUTED),
        ([passed, failed], Standing.REFUTED),
        ([passed, refused], Standing.UNKNOWN),
        ([], Standing.UNKNOWN),
    ):
        with patch("remora.judging.engines.run_locally", lambda *_, rows=rows: iter(rows)):
            found = judged_engines("bry_eckert", ("differencing",), max(1, len(rows)), 0, lambda *_: None)
        wrong = problem(found)
        yield f"{len(rows)} cases, {found['refused']} refused", wrong and wrong[0], right
        yield "how many failed", len(found["failures"]), rows.count(failed)


# ------------------------------------------------------------------------------------------------------ broken ones


def _raising(error: BaseException) -> Change:
    def change(_: Any, __: Time, ___: list[Any]) -> list[Any]:
        raise error

    return change


def _endless(_: Any, __: Time, ___: list[Any]) -> list[Any]:
    begin = time.monotonic()
    while time.monotonic() - begin < 100 * SOON:
        pass
    return []


@checks.known("engines that break", "an engine that raises an exception or does not end has failed")
def _broken() -> Iterator[Row]:
    case = RulesCase(0, 0, "", _RULE, _HISTORY)
    changes: list[tuple[str, Change, Kind | None]] = [
        ("raises an exception", _raising(ValueError("strange")), Kind.CRASH),
        ("ends the program", _raising(SystemExit(0)), Kind.CRASH),
        ("has no memory", _raising(MemoryError()), Kind.MEMORY),
        ("does not end", _endless, Kind.TIMEOUT),
        ("refuses", _raising(LimitExceeded("too large")), None),
    ]
    for title, change, right in changes:
        seconds = SOON if right is Kind.TIMEOUT else SECONDS
        profiles = of_profiles.judge(_AB, _profiles_engine(change), of_profiles.Meaning(_AB), seconds=seconds)
        rules = of_rules.judge(
            case, partial(_Changed, OF_RULES["differencing"], change), of_rules.Meaning(case), seconds=seconds
        )
        for system, verdict in (("profiles", profiles), ("rules", rules)):
            yield f"an engine of {system} that {title}", verdict.kind, right
            yield f"whether one of {system} that {title} passed", verdict.ok, False
    silent = partial(_Changed, OF_RULES["differencing"], lambda *_: [])
    for error in (LimitExceeded("too large"), TimeUp(), MemoryError()):
        with patch.object(of_rules, "denotation", Mock(side_effect=error)):
            found = of_rules.judge(case, silent, of_rules.Meaning(case), seconds=SECONDS)
        yield f"silence, where the definition ends with {type(error).__name__}", found.ok, False


WRONG_ENGINES = (
    "differencing-stores-the-first-of-a-key-is-lost",
    "nodes-absence-presence",
    "nodes-timer-one-of-those-that-are-due-is-taken",
)
"""Wrong engines of rules that the first few cases find."""

ENGINES_WITHIN = 60
"""So many cases they are put to at most."""


@checks.known("wrong engines of rules", "wrong engines of rules are found by cases")
def _engines() -> Iterator[Row]:
    system = cases_of("bry_eckert")
    telling = system.telling()
    chosen = {name: telling[name] for name in WRONG_ENGINES}
    make = system.maker(0, system.PROFILES, None, 0)
    found = power(chosen, system, make, 0, range(ENGINES_WITHIN))
    for name in chosen:
        yield f"the wrong engine {name}", name in found.deaths, True
    right = judged_engines("bry_eckert", ("differencing",), ENGINES_WITHIN, 0, lambda *_: None)
    yield "cases that are refused, or fail", (right["refused"], right["failures"]), (0, [])
