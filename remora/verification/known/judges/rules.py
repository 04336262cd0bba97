"""Known answers about rules: a relevance condition is as long as it has to be, and the planner does what is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast
from unittest.mock import patch

from campaigns.bry_eckert.cases import Case
from campaigns.bry_eckert.judge import Meaning, judge
from campaigns.judging.verdicts import Kind
from detectors.bry_eckert.bodies import Body, body_of
from detectors.bry_eckert.catalogue import COLLECTING, ENGINES, EngineFactory
from detectors.bry_eckert.differencing import as_joined, as_relevant
from detectors.bry_eckert.joins import Joins
from detectors.bry_eckert.watch import Watch
from laws.bry_eckert.catalogue import everything
from laws.standings import Standing
from proofs.bry_eckert.planner import claims_of, objections
from proofs.bry_eckert.proving import TupleProof
from remora.bry_eckert.storing import stored
from remora.judging.conditions import decided as of_engines
from remora.verification.known.answers import Checks, Row
from semantics.bry_eckert.algebra.distances import Distance, Distances
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.algebra.plans import (
    AntiSemiJoin,
    Base,
    Expression,
    Join,
    Merge,
    Plan,
    Select,
    Union,
)
from semantics.bry_eckert.algebra.relevance import Relevance, minimal
from semantics.bry_eckert.algebra.rewriting import RULES
from semantics.bry_eckert.algebra.translation import RESULT
from semantics.bry_eckert.axioms import Violation
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.temporal import Difference, Inside, end, start
from semantics.bry_eckert.terms import Comparison, Constant, Variable
from semantics.bry_eckert.timers import Timing
from semantics.errors import InputError
from semantics.events import Event, Time
from smt.bry_eckert.definitions import Definitions
from smt.bry_eckert.histories import History, Kinds
from smt.bry_eckert.relevance import OfPlan, decided, decisions, doubtful
from smt.bry_eckert.replaying import is_needed
from smt.solvers.portfolio import Portfolio
from smt.solvers.solver import Answer
from smt.solvers.z3_solver import Z3

_AB = "event A(x: int)\nevent B(x: int)\n"
_ABD = _AB + "event D(x: int)\n"
_POINT = "event A(x: int) within 0\n"
CONDITIONS: Mapping[str, Mapping[str, int]] = {
    _AB + "F(x) <- a: A(x), b: B(x), a before b, {a, b} within 4": {"a.s": 4},
    _AB + "F(x) <- a: A(x), b: B(x), {a, b} within 2": {"a.s": 2, "b.s": 2},
    _ABD
    + "C(x) <- a: A(x), b: B(x), {a, b} within 2\n"
    + "F(x) <- c: C(x), d: D(x), c before d, {c, d} within 5": {"a.s": 2, "b.s": 2, "c.s": 5},
    _ABD + "F(x) <- a: A(x), b: B(x), d: D(x), {a, b} within 2, {a, d} within 7": {
        "a.s": 7,
        "b.s": 9,
        "d.s": 9,
    },
    _ABD
    + "C(x) <- a: A(x), b: B(x), {a, b} within 2\nC(x) <- a: A(x), b: B(x), {a, b} within 3\n"
    + "F(x) <- c: C(x), d: D(x), d during c": {"a.s": 3, "b.s": 3, "d.s": 2},
    "event A(x: int) within 3\nevent B(x: int)\nF(x) <- a: A(x), b: B(x), b during a": {"b.s": 2},
    _POINT + "event B(x: int) within 0\nF(x) <- a: A(x), w: extend(a, 6), b: B(x), b during w": {"b.s": 5},
    _POINT + "event B(x: int) within 3\nF(x) <- a: A(x), w: extend(a, 6), while w: not B(x)": {"w#1.s": 5},
    "event A(x: int) within 1\nevent B(x: int) within 1\nF(x) <- a: A(x), w: extend(a, 6), b: B(x), b during w": {
        "b.s": 6
    },
    "event A(x: int) within 3\nevent B(x: int)\nF(x) <- a: A(x), w: extend(a, 6), b: B(x), b during w": {
        "b.s": 8
    },
    _POINT + "event B(x: int) within 3\nF(x) <- a: A(x), w: extend_backward(a, 6), b: B(x), b during w": {
        "b.s": 5
    },
    _POINT
    + "event B(x: int) within 0\nF(x) <- a: A(x), w: shift(a, 6), b: B(x), w before b, {w, b} within 3": {
        "a.s": 9
    },
    _AB + "axiom b: B(x = x), a: A(x = x) => a before b, {b, a} within 9\nF(x) <- a: A(x), b: B(x)": {
        "a.s": 9
    },
}
"""The relevance times in ticks of some programs."""

checks = Checks()


@checks.known("planner", "a rule of the planner does what a claim says")
def _planner() -> Iterator[Row]:
    """What speaks against the rules of the planner, with a claim gone, and with a rule that is another one."""
    claims = everything()
    yield "the rules", list(objections(RULES, claims)), []
    for rule in RULES:
        gone = [claim for claim in claims if claim not in claims_of(rule, claims)]
        yield f"{rule}, its claim gone", list(objections(RULES, gone)), [f"{rule} has no claim"]
        idle = {**RULES, rule: lambda _: None}
        said = [f"{rule} does not do what {claim.id} says" for claim in claims_of(rule, claims)]
        yield f"{rule}, doing nothing", list(objections(idle, claims)), said
    name = "select_below_join_left"
    said = [f"{name} does something where rules:rewriting/select-below-join-left does not apply"]
    yield f"{name} for any condition", list(objections({name: _without_looking}, claims)), said
    left, right, other = (_base(each) for each in ("L", "R", "S"))
    for name, expression in (
        ("select_below_merge", Select(_LASTS, Merge(RESULT, ("L", "R"), Join(left, right)))),
        ("absence_below_join", AntiSemiJoin(Join(left, right), other, Inside("S", "R"))),
        ("absence_below_join", AntiSemiJoin(Join(left, _base("R", "S")), other, Inside("S", "L"))),
    ):
        yield f"{name} of {expression}", RULES[name](expression), None
    for value in (2, 1.0, True):
        yield f"1 and {value!r}, compared", Constant(1) == Constant(value), False


def _base(name: str, *others: str) -> Base:
    """A relation with a column of its own for each name."""
    return Base(name, name, tuple((f"x{each}", Variable(f"x{each}")) for each in (name, *others)))


_LASTS = Comparison(Variable(start(RESULT)), "<", Variable(end(RESULT)))


def _without_looking(expression: Expression) -> Expression | None:
    """A selection put to the left side of a join, whatever it is about."""
    match expression:
        case Select(condition, Join(left, right)):
            return Join(Select(condition, left), right)
    return None


class _Liar(Z3):
    """A solver that has a model of everything, in which nothing is in a relation and all times are 0."""

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        return Answer("sat", self.name, 0.0, 0)


_TWO_TUPLES: Mapping[str, bool] = {
    "(E t)": True,
    "(forall ((u Tuple)) (E u))": False,
    "(exists ((u Tuple)) (not (E u)))": True,
    "(forall ((u Tuple)) (=> (E u) (< (m u) now)))": True,
    "(exists ((u Tuple)) (and (E u) (>= (m u) now)))": False,
    "(exists ((u Tuple)) (> (m u) (+ (m t) 1)))": True,
    "(or (= t (f t)) (= (- now 2) (m t)))": False,
    "(ite (E (f t)) true (<= (- now) (m t)))": True,
}
"""Formulas with what they are of two tuples: the first is in E and t, m is 0 and 2, f swaps them, now is 1."""


@checks.known("histories", "a history refutes a claim only if the claim is false of it")
def _histories() -> Iterator[Row]:
    """What formulas are of two tuples, and what becomes of claims when a solver says that there is a history."""
    of_tuple = ("Tuple",)
    vocabulary = {
        "E": ("Tuple", "Bool"),
        "m": ("Tuple", "Time"),
        "f": ("Tuple", "Tuple"),
        "t": of_tuple,
        "now": ("Time",),
    }
    values: dict[str, dict[tuple[int, ...], Any]] = {
        "E": {(0,): True, (1,): False}, "m": {(0,): 0, (1,): 2}, "f": {(0,): 1, (1,): 0}, "t": {(): 0}, "now": {(): 1},
    }  # fmt: skip
    formulas = {text: Definitions(()).expanded(text) for text in _TWO_TUPLES}
    known = Kinds(vocabulary, formulas.values())
    history = History((range(2),), known, vocabulary, values)
    for text, formula in formulas.items():
        yield text, history.holds(formula), _TWO_TUPLES[text]
    (claim,) = (one for one in everything() if one.id == "rules:theorem/preservation")
    lies, z3 = Portfolio([_Liar()]), Portfolio([Z3()])
    yield "a true claim", TupleProof(claim).refute(0, lies).counterexample, None
    impossible = TupleProof(replace(claim, given=("(< now now)",)))
    for name, portfolio in (("nobody", z3), ("a liar", lies)):
        said = impossible.hypotheses("=", portfolio).words
        yield f"what is impossible, and {name} has a history of it", said, "not known to be satisfiable"


_CASE = Case(0, 0, "", _AB + "F(x) <- a: A(x), b: B(x), a before b, {a, b} within 4", (
    Event("A", 0, 0, {"x": 1}), Event("A", 1, 1, {"x": 2}), Event("B", 3, 3, {"x": 1}), Event("B", 4, 4, {"x": 2}),
))  # fmt: skip


class _Changed:
    """The engine of reference, of whose answers at a time something else is made."""

    def __init__(self, change: Callable[[Time, list[Event]], Iterable[Event]], *given: Any) -> None:
        self._right, self._change = ENGINES["differencing"](*given), change

    def due(self) -> Time | None:
        return self._right.due()

    def step(self, time: Time, events: Sequence[Event]) -> list[Event]:
        return list(self._change(time, list(self._right.step(time, events))))


_MEANT: Mapping[str, tuple[tuple[str, int, int, int], ...]] = {
    "F(x) <- a: A(x), w: extend(a, 4), while w: not B(x)": (("F", 1, 5, 2),),
    "F(x) <- a: A(x), b: B(x), b during a": (),
    "F(x) <- a: A(x), b: B(y), a before b, {a, b} within 3": (("F", 0, 3, 1), ("F", 1, 3, 2)),
    "F(x) <- a: A(x), b: B(x), x > 1": (("F", 1, 9, 2),),
    "F(x) <- a: A(x), b: B(1)": (("F", 0, 3, 1), ("F", 1, 3, 2)),
    "F(x, count(y)) <- a: A(x), w: extend(a, 9), while w: collect B(y)": (("F", 0, 9, 1), ("F", 1, 10, 2)),
    "F(x, sum(y)) <- a: A(x), w: extend(a, 9), while w: collect B(y)": (("F", 0, 9, 1), ("F", 1, 10, 3)),
    "F(x) <- a: A(x), w: extend(a, 4), b: B(y), {w, b} 2 apart": (("F", 0, 9, 1), ("F", 1, 9, 2)),
    "event P(p: bool)\nF(x) <- a: A(x), p: P(q), q = true": (),
    "F(x) <- a: A(x), b: B(y), a meets b": (),
    "F(x) <- a: A(x), b: B(y), a equals b": (),
    "F(x) <- a: A(x), b: A(y), a equals b": (("F", 0, 0, 1), ("F", 1, 1, 2)),
    "F(x) <- w: A(x), a: extend(w, 2), v: B(y), b: extend(v, 1), a starts b": (),
    "F(x) <- w: A(x), a: extend(w, 2), v: B(y), b: extend_backward(v, 3), a finishes b": (("F", 0, 3, 2),),
}
"""Rules, and what they derive of A(1)@0, A(2)@1, B(1)@3, B(2)@9: start, time and the last value."""


_TIMERS: Mapping[str, tuple[int, int]] = {
    "extend": (4, 11), "extend_backward": (2, 9), "shorten": (4, 7), "shorten_backward": (6, 9),
    "shift": (6, 11), "shift_backward": (2, 7), "from_start": (4, 6), "from_start_backward": (2, 4),
    "from_end": (9, 11), "from_end_backward": (7, 9),
}  # fmt: skip
"""The interval of each timer of 2 ticks, of an event from 4 to 9."""


def _unchanged(_: Time, found: list[Event]) -> list[Event]:
    return found


class _Mute:
    """An engine of which the answers are not given."""

    def __init__(self, make: EngineFactory, *given: Any) -> None:
        self._engine: Any = make(*given)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def step(self, time: Time, events: Sequence[Event]) -> list[Event]:
        self._engine.step(time, events)
        return []


class _Silent(_Changed):
    """One that could say how events break axioms."""

    broken: Sequence[object] = []


class _Inventing(_Changed):
    """One that says of all events that they break an axiom."""

    @property
    def broken(self) -> list[Violation]:
        """That of the events of `_ONCE`, again and again."""
        return [Violation(parse(_ONCE).axioms[0], _B, _A)]


class _Waiting(_Changed):
    """One with a timer that is due for ever."""

    def due(self) -> Time | None:
        """The same time, whatever was fed."""
        return 2


@checks.known("answers of rules", "answers that are missing, invented, late or given twice are wrong")
def _answers() -> Iterator[Row]:
    strange = Event("F", 2, 3, {"x": 7})
    changes: list[tuple[str, Callable[[Time, list[Event]], Iterable[Event]], Kind | None]] = [
        ("right", lambda time, found: found, None),
        ("none", lambda time, found: [], Kind.MISSING),
        ("some", lambda time, found: found if time < 4 else [], Kind.MISSING),
        ("twice", lambda time, found: [*found, *found], Kind.PROTOCOL),
        ("late", lambda time, found: [one._replace(time=one.time - 1) for one in found], Kind.PROTOCOL),
        ("invented", lambda time, found: [*found, strange] if time == 3 else found, Kind.SPURIOUS),
    ]
    for title, change, right in changes:
        verdict = judge(_CASE, cast(EngineFactory, partial(_Changed, change)), Meaning(_CASE), seconds=5.0)
        yield f"answers that are {title}", verdict.kind, right
    yield "how many are expected", len(Meaning(_CASE).expected), 2
    for text, meant in _MEANT.items():
        last = _CASE.events[3]._replace(start=9, time=9)
        meaning = Meaning(replace(_CASE, text=_AB + text, events=(*_CASE.events[:3], last)))
        said = tuple((one.type, one.start, one.time, [*one.attributes.values()][-1]) for one in meaning.said)
        yield f"what {text} derives", said, meant
    for timer, spans in _TIMERS.items():
        yield f"{timer} of [4, 9]", Timing("w", timer, "a", 2).interval(4, 9), spans
    for declared in ("", " within 0", " within 2"):
        try:
            parse(f"{_AB}event F(x: int){declared}\nF(x) <- a: A(x), b: B(x)")
            taken = True
        except InputError:
            taken = False
        yield f"a derived event that is declared{declared}", taken, not declared
    for longest, refused in ((1, True), (2, False)):
        text = _AB.replace("(x: int)\n", f"(x: int) within {longest}\n") + "F(x) <- a: A(x)"
        case = replace(_CASE, text=text, events=(Event("A", 0, 2, {"x": 1}),))
        found = judge(case, ENGINES["differencing"], Meaning(case), seconds=5.0)
        yield f"an event of 2 ticks, of {longest} at most", (found.kind, found.refused), (None, refused)
    broken, kept = (replace(_CASE, text=_ONCE, events=(_A, _B, *late)) for late in ((_LATE,), ()))
    engines: Sequence[tuple[str, object, Case, Kind | None]] = (
        ("that looks after axioms", ENGINES["differencing"], broken, None),
        ("that says nothing of them", partial(_Silent, _unchanged), broken, Kind.MISSING),
        ("that answers nothing", partial(_Mute, ENGINES["differencing"]), broken, Kind.MISSING),
        ("that invents what breaks them", partial(_Inventing, _unchanged), kept, Kind.SPURIOUS),
        ("whose timer is due again", partial(_Waiting, _unchanged), _CASE, Kind.PROTOCOL),
    )
    for title, make, case, kind in engines:
        found = judge(case, cast(EngineFactory, make), Meaning(case), seconds=5.0)
        yield f"an engine {title}", found.kind, kind


@checks.known("conditions", "a condition that gives up what is needed is not safe")
def _conditions() -> Iterator[Row]:
    yield from _implied()
    yield from _of_one_value()
    for text, times in CONDITIONS.items():
        program = parse(text)
        plan = planned(program, {})
        found: dict[str, int] = {}
        for part in plan.definitions:
            if isinstance(part.expression, Union):
                continue
            body = body_of(part.expression, plan)
            for number in Joins(body).keys:
                kept = body.relevance(number, plan, plan.points)[1]
                about = f"{kept} in {text.splitlines()[-1]}"
                found |= {stamp: time.ticks for stamp, time in kept.times.items()}
                if not number:
                    implied = {**kept.times, end(next(iter(kept.times))[:-2]): Distance(99)}
                    more = Relevance(implied)
                    verdict = decided(program, plan, body, number, more, plan.points, tightness=False)
                    got = OfPlan("", 0, more, verdict).besides
                    yield f"{about}, and what that implies", got, "not minimal"
                for change, right in (
                    (0, "safe, tight and minimal"),
                    (-1, "not safe"),
                    (1, "safe and minimal, not tight"),
                ):
                    moved = Relevance({s: Distance(t.ticks + change) for s, t in kept.times.items()})
                    said_of = decided(program, plan, body, number, moved, plan.points)
                    said = str(said_of)
                    yield f"{about}, {change} ticks longer", said[: len(right)], right
                    examples = said_of.tight or {} if not change else {}
                    for stamp, witness in examples.items():
                        if witness is not None:
                            shorter = Relevance({s: Distance(t.ticks - 1) for s, t in kept.times.items()})
                            for condition in (kept, shorter):
                                asked = (program, plan, part, number, condition, stamp, witness)
                                yield (
                                    f"{stamp} of {condition} is needed",
                                    is_needed(*asked),
                                    condition is kept,
                                )
                    brief = decided(program, plan, body, number, moved, plan.points, tightness=False)
                    safe = "safe" if change >= 0 else "not safe"
                    yield f"{about}, {change} ticks longer, in short", str(brief), safe
        yield f"relevance times in {text.splitlines()[-1]}", found, dict(times)
        told = [one.decision for part in plan.definitions for one in stored(part, program, plan)]
        yield f"what is said of the stores of {text.splitlines()[-1]}", set(told) - {""}, {_RIGHT}
        with patch.object(Body, "relevance", _too_short):
            told = [one.decision for part in plan.definitions for one in stored(part, program, plan)]
        yield "and where they are too short", set(told) - {""}, {"not safe"}
        yield "nothing doubtful", [str(one) for one in doubtful(program, plan, as_relevant)], []
        yield "what is too short", bool(list(doubtful(program, plan, _short))), True


def _of_one_value() -> Iterator[Row]:
    """A condition that follows from an axiom, for events with any value and with one."""
    for value, right in (("x", True), ("1", False)):
        axiom = f"axiom b: B(x = {value}), a: A(x = {value}) => a before b, {{b, a}} within 9"
        text = f"{_AB}{axiom}\nF(x) <- a: A(x), b: B(x)"
        program = parse(text)
        plan = planned(program, {})
        (part,) = plan.definitions
        body = body_of(part.expression, plan)  # type: ignore[arg-type]  # no union
        kept = Relevance({"a.s": Distance(9)})
        verdict = decided(program, plan, body, 0, kept, plan.points, tightness=False)
        yield f"{kept} of what an axiom says of {value}", verdict.safe, right


def _implied() -> Iterator[Row]:
    """What bounds of differences imply: other bounds, and comparisons of a condition."""
    known = Distances().with_([Difference("a.e", "a.s", 3), Difference("a.s", "a.e")])
    for ticks in (2, 3, 4):
        found = known.implies(Difference("a.e", "a.s", ticks))
        yield f"at most 3 ticks imply at most {ticks}", found, ticks >= 3
    for ticks, kept in ((6, {"a.s"}), (7, {"a.s"}), (8, {"a.s", "a.e"}), (9, {"a.s", "a.e"}), (10, {"a.e"})):
        given = Relevance({"a.s": Distance(ticks), "a.e": Distance(7)})
        yield f"a start for {ticks} ticks, an end for 7", set(minimal(given, known).times), kept


_JOINING = """
event A(x: int) within 0
event B(x: int) within 0
event D(x: int, y: int) within 0
event E(x: int) within 0
C(x) <- a: A(x), b: B(x), {a, b} within 2, a before b
F(x) <- c: C(x), d: D(x, y), e: E(x), {c, d} within 4, d before e, {c, e} within 9
"""
"""A tuple of C is dropped that has no companion of D in time."""

_JOINED = tuple(
    Event(name, time, time, {"x": 1, "y": 5} if name == "D" else {"x": 1})
    for time, name in enumerate(("A", "B", "D", "E"))
)


@checks.known("companions", "a tuple waits for its companion as long as that can come")
def _companions() -> Iterator[Row]:
    program = parse(_JOINING)
    plan = planned(program, {})
    waited = 0
    for part in plan.definitions:
        if isinstance(part.expression, Union):
            continue
        body = body_of(part.expression, plan)
        for number in Joins(body).keys:
            kept = as_joined(body, number, plan, plan.points)
            if kept.companion is None:
                continue
            waited += 1
            for change, more in ((0, {}), (-1, {}), (-1, {"c.e": Distance(99)})):
                times = {s: Distance(t.ticks + change) for s, t in kept.companion.times.items()}
                moved = replace(kept, companion=replace(kept.companion, times={**times, **more}))
                verdict = decided(program, plan, body, number, moved, plan.points, tightness=False)
                yield f"{moved}", verdict.safe, change == 0
    yield "how many wait", waited > 0, True
    case = replace(_CASE, text=_JOINING, events=_JOINED)
    judged = judge(case, ENGINES["differencing:joining"], Meaning(case), seconds=5.0)
    yield "with a companion in time", (judged.kind, len(judged.expected)), (None, 2)


@checks.known("forgetting", "an engine that forgets too early by one of its conditions is refuted")
def _forgotten() -> Iterator[Row]:
    for text in CONDITIONS:
        for kept, right in ((as_relevant, Standing.PROVED), (_short, Standing.REFUTED)):
            with patch("smt.bry_eckert.relevance.COLLECTING", {"known": (kept, "")}):
                (check,) = of_engines("conditions", "bry_eckert", {"known": None}, [text], lambda _: True)
            found = check.standing, check.tried >= len(CONDITIONS[text]), " minimal" in check.detail
            yield f"conditions of {text.splitlines()[-1]}", found, (right, True, True)


_ONCE = """
event S(t: int)
event D(t: int)
axiom D(t) unique
axiom s: S(t = t), d: D(t = t) => s before d, {s, d} within 9
F(t) <- s: S(t), d: D(t)
"""
"""A tuple is needed until its partner has come, if there is but one."""


@checks.known("partners", "a condition until a partner has come is safe if there is but one")
def _partners() -> Iterator[Row]:
    program = parse(_ONCE)
    plan = planned(program, {})
    (body,) = (
        body_of(part.expression, plan) for part in plan.definitions if not isinstance(part.expression, Union)
    )
    kept = body.relevance(0, plan, plan.points)[1]
    yield "what is kept until its partner has come", str(kept), "s.s >= now - 9, until its d has come"
    for title, axioms, right in (("one partner", plan.axioms, True), ("several", plan.axioms[1:], False)):
        bare = replace(plan, axioms=axioms)
        verdict = decided(program, bare, body, 0, kept, plan.points, tightness=False)
        yield f"safe, where there may be {title}", verdict.safe, right
    for engine in ("differencing", "naive"):
        conditions = [str(one.condition) for one in decisions(_ONCE, engine)]
        yield f"by what {engine} forgets", str(kept) in conditions, engine in COLLECTING


_A, _B, _LATE = Event("S", 0, 0, {"t": 1}), Event("D", 3, 3, {"t": 1}), Event("D", 30, 30, {"t": 1})
_FIRST = "event S(t: int)\nevent D(t: int)\naxiom s: S(t = 1), d: D(t = u) => s before d\nF(t) <- s: S(t), d: D(t)\n"


@checks.known("axioms", "a log that breaks an axiom is noticed, and no other")
def _axioms() -> Iterator[Row]:
    early, later = _B._replace(start=0, time=0), _A._replace(start=2, time=2)
    for title, text, log, broken in (
        ("as it should be", _ONCE, (_A, _B), 0),
        ("with two partners", _ONCE, (_A, _B, _B._replace(start=4, time=4)), 1),
        ("with a late partner", _ONCE, (_A, _LATE), 1),
        ("with a partner that is too early", _ONCE, (early, later), 1),
        ("in the wrong order", _FIRST, (early, later), 1),
        ("of which no axiom speaks", _FIRST, (early, later._replace(attributes={"t": 2})), 0),
    ):
        watch = Watch(parse(text))
        yield f"a log {title}", sum(len(list(watch.see(event))) for event in log), broken


_RIGHT, _RELEVANCE = "safe, tight and minimal", Body.relevance


def _too_short(body: Body, number: int, plan: Plan, *points: frozenset[str]) -> tuple[Relevance, Relevance]:
    most, least = _RELEVANCE(body, number, plan, *points)
    return most, Relevance({stamp: Distance(time.ticks - 1) for stamp, time in least.times.items()})


def _short(body: Body, number: int, plan: Plan, points: frozenset[str]) -> Relevance:
    kept = as_relevant(body, number, plan, points)
    return Relevance({stamp: Distance(time.ticks - 1) for stamp, time in kept.times.items()})
