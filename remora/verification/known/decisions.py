"""Known answers about patterns and equations: automata, truth tables, random cases, solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, product
from typing import Any
from unittest.mock import patch

from hypothesis import find as find_one
from hypothesis import settings
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import SearchStrategy

from detectors.carlson_lisper.protocol import instants
from laws.carlson_lisper.altered.neighbours import neighbours
from laws.carlson_lisper.checks.exhaustive import check_exhaustively
from laws.carlson_lisper.checks.random_checks import check_on_expressions, check_on_streams
from laws.carlson_lisper.checks.smallest import smallest_counterexample
from laws.carlson_lisper.checks.strategies import (
    bounds,
    expressions,
    pools,
    primitive_streams,
    streams,
    traces,
)
from laws.carlson_lisper.claims import EquationClaim, find
from laws.standings import Standing
from remora.api.claiming.named_claims import chosen_claims
from remora.verification.known.answers import Checks, Row
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.interpretations import interpretation
from semantics.carlson_lisper.languages.conditions import NotAnIntervalLanguage
from semantics.carlson_lisper.languages.decisions import (
    LEVELS,
    DecidedRelation,
    Decider,
    Level,
    Undecided,
    decide,
    matched,
    possibility,
)
from semantics.carlson_lisper.occurrences import Occurrence, Stream
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import parse, parse_equation
from semantics.formulas import And, End, Exists, ForAll, Not, Parameter, Start
from smt.carlson_lisper.equivalence import prove_patterns
from smt.solvers.portfolio import Portfolio

INSTANTS = 4
"""The length of the traces on which patterns are compared with what automata say of them."""

checks = Checks()


# ------------------------------------------------------------------------------------------------------- automata


def _patterns_listed() -> list[Expression]:
    """Small patterns of two event types, with every operator at the top and below it."""
    texts = ["a", "b"]
    pairs = [f"(a {sign} {right})" for sign in "|+-;" for right in ("a", "b")]
    texts += pairs
    texts += [f"(b ; {pair})" for pair in pairs] + [f"({pair} ; a)" for pair in pairs]
    texts += [f"({pair} - {other})" for pair in pairs[2:] for other in ("a", "(b ; a)", "(a + b)")]
    texts += [f"({pair} + b)" for pair in pairs] + [f"({pair} | (b ; b))" for pair in pairs[2:]]
    texts += [f"{pair}[{bound}]" for pair in pairs[2:] for bound in (0, 1, 2)]
    return [parse(text) for text in texts]


_Behaviour = tuple[frozenset[object], ...]


def _traces() -> list[tuple[Occurrence, ...]]:
    letters = [(), ("a",), ("b",), ("a", "b")]
    return [
        tuple(Occurrence(name, time) for time, letter in enumerate(word) for name in letter)
        for word in product(letters, repeat=INSTANTS)
    ]


LONG = (
    ("a ; (a ; (a ; (a ; a)))", "(a ; a) - a"),
    ("b | (a ; (a ; (a ; (a ; b))))", "b - b"),
    ("(a ; (b ; (a ; (b ; a))))[6]", "(a ; (b ; (a ; (b ; a))))[5]"),
)
"""Patterns that differ on longer traces; the left one has more than the right one."""


def _seen(level: Level, stream: Stream) -> frozenset[object]:
    """What is to be seen of a stream at a level."""
    if level == "meaning":
        return frozenset(stream)
    spans = {(instance.end, instance.start) for instance in stream}
    if level == "intervals":
        return frozenset(spans)
    return frozenset(dict(sorted(spans)).items())


@checks.known(
    "automata",
    "patterns that short traces tell apart are not the same to automata, and none that are the same differ",
)
def _automata() -> Iterator[Row]:
    listed = _patterns_listed()
    traces = [interpretation(trace) for trace in _traces()]
    denoted = {pattern: [denotation(pattern, trace) for trace in traces] for pattern in listed}
    decider = Decider(listed[:2])
    for level, (more, less) in product(LEVELS, LONG):
        for one, other in ((more, less), (less, more)):
            found = decider.decide(parse(one), parse(other), level)
            yield f"{one} and {other} ({level})", found.holds, False
        found = decider.decide(parse(more), parse(less), level, "inclusion")
        yield f"{more} within {less} ({level})", found.holds, False
    for level in LEVELS:
        behaviour = {
            pattern: tuple(_seen(level, stream) for stream in streams) for pattern, streams in denoted.items()
        }
        ordered = sorted(listed, key=lambda pattern: [sorted(map(str, seen)) for seen in behaviour[pattern]])
        for left, right in pairwise(ordered):
            yield from _compared(decider, level, left, right, behaviour[left], behaviour[right])


def _compared(
    decider: Decider, level: Level, left: Expression, right: Expression, one: _Behaviour, two: _Behaviour
) -> Iterator[Row]:
    asked: list[tuple[Expression, Expression, DecidedRelation, bool]] = [
        (left, right, "equivalence", one == two)
    ]
    if level != "detection":
        within = all(a <= b for a, b in zip(one, two, strict=True))
        asked.append((left, right, "inclusion", within))
    for first, second, relation, holds in asked:
        found = decider.decide(first, second, level, relation)
        about = f"{relation} of {first} and {second} ({level})"
        if not holds:
            yield about, found.holds, False
        elif not found.holds:  # longer traces may tell them apart
            instants = 0 if found.witness is None else 1 + max(each.time for each in found.witness.trace)
            yield f"{about}: a trace of more instants", instants > INSTANTS, True


NEVER = ("((a + b) ; (c + d)) - (a ; c)", "(a ; b) - a", "(a + b) - (a | b)", "(a - (a | b))[2]")
"""Patterns that occur on no trace."""


@checks.known("possibilities", "what short traces show to occur can occur, and what cannot occurs on none")
def _possible() -> Iterator[Row]:
    traces = [interpretation(trace) for trace in _traces()]
    for pattern in [*_patterns_listed(), *(parse(each) for pair in LONG[:2] for each in pair)]:
        found = possibility(pattern)
        occurs = any(denotation(pattern, trace) for trace in traces)
        instants = 0 if found.trace is None else len({each.time for each in found.trace})
        yield f"whether {pattern} occurs", found.trace is not None, occurs or instants > INSTANTS
        if found.trace is not None:
            yield f"{pattern} on that trace", bool(denotation(pattern, interpretation(found.trace))), True
    for text in NEVER:
        yield f"whether {text} occurs", possibility(parse(text)).trace, None
    long = possibility(parse(LONG[0][0]))
    yield f"whether {LONG[0][0]} occurs", len(long.trace or ()), 5


@checks.known("definitions", "a condition on all instances is decided as one on no instance is")
def _restated() -> Iterator[Row]:
    (kept,) = OPERATORS["neg"].comprehensions
    match kept.condition:
        case Not(Exists(variable, stream, body)):
            restated = replace(kept, condition=ForAll(variable, stream, Not(body)))
    operators = {**OPERATORS, "neg": replace(OPERATORS["neg"], comprehensions=(restated,))}
    around = Not(Exists("t", "T", And((Start("t") < Start("s"), End("s") < End("t")))))
    outside = {"neg": replace(OPERATORS["neg"], comprehensions=(replace(kept, condition=around),))}
    try:
        refused = possibility(parse("a - b"), operators={**OPERATORS, **outside}) is None
    except NotAnIntervalLanguage:
        refused = True
    yield "a negation that looks around the result", refused, True
    (whole,) = OPERATORS["tim"].comprehensions
    early = {
        "tim": replace(
            OPERATORS["tim"], comprehensions=(replace(whole, condition=Start("s") <= Parameter("τ")),)
        )
    }
    try:
        refused = possibility(parse("a[3]"), operators={**OPERATORS, **early}) is None
    except NotAnIntervalLanguage:
        refused = True
    yield "a restriction of absolute times", refused, True
    for text, occurs in (("a - a", False), ("a - b", True), ("(a ; a) - a", False), ("(a ; b) - c", True)):
        yield text, possibility(parse(text), operators=operators).trace is not None, occurs


_AB = (Occurrence("a", 0), Occurrence("b", 1))


@checks.known("limits", "what takes more steps than are allowed is not decided")
def _limits() -> Iterator[Row]:
    undecided = 0
    for steps, (one, other) in product((1, 5, 20), LONG):
        asked: list[tuple[str, Callable[[], object], object]] = [
            (f"{one} and {other}", lambda: decide(parse(one), parse(other), steps=steps).holds, True),  # noqa: B023
            (f"{one} at all", lambda: possibility(parse(one), steps=steps).trace, None),  # noqa: B023
        ]
        for about, ask, wrong in asked:
            try:
                said = ask()
            except Undecided:
                said = "undecided"
                undecided += 1
            yield f"{about} within {steps} steps", said is wrong, False
    yield "how much is undecided", undecided > len(LONG), True
    guessed = decide(parse("(a ; (b ; a))[5000]"), parse("(a ; (b ; a))[4999]"), steps=2000)
    shown = guessed.witness and (guessed.witness.holder, guessed.witness.shortest)
    yield "a difference that is guessed", shown, ("left", False)
    later, earlier = (denotation(parse(text), interpretation(_AB)) for text in ("b", "a ; b"))
    for level in LEVELS:
        is_matched = level == "detection"
        yield f"a match ({level})", matched(next(iter(later)), earlier, level), False
        got = matched(next(iter(earlier)), later, level)
        yield f"a match of what starts earlier ({level})", got, is_matched


@checks.known("conjectures", "identifiers stand for any expression where nothing else is said")
def _conjectures() -> Iterator[Row]:
    for statement, primitive, right in (
        ("A[5] == A", "", frozenset()),
        ("a[5] == a", "", frozenset()),
        ("a[5] == a", "a", frozenset("a")),
        ("a + b == b + a", "b", frozenset("b")),
    ):
        (claim,) = chosen_claims([statement], primitive)
        assert isinstance(claim, EquationClaim)
        yield f"event types of {statement} with {primitive or 'none'} named", claim.primitive, right
    (claim,) = chosen_claims(["A[5] == A"])
    assert isinstance(claim, EquationClaim)
    yield "a conjecture that holds of event types alone", check_exhaustively(claim).standing, Standing.REFUTED


# --------------------------------------------------------------------------------------------- solvers on patterns

_DIFFERENT: Sequence[tuple[str, str, Level, DecidedRelation]] = (
    ("a ; b", "a + b", "detection", "equivalence"),
    ("a + b", "a ; b", "intervals", "inclusion"),
    ("(a ; b)[60]", "(a ; b)[59]", "meaning", "equivalence"),
    ("(a ; b)[60]", "(a ; b)[59]", "intervals", "inclusion"),
    ("b | (a ; b)", "b", "intervals", "equivalence"),
    ("b | (a ; b)", "b", "meaning", "inclusion"),
)


@checks.known("patterns", "solvers prove no false equivalence of patterns")
def _patterns(portfolio: Portfolio) -> Iterator[Row]:
    for left, right, level, relation in _DIFFERENT:
        proof = prove_patterns(parse(left), parse(right), level, relation, portfolio)
        yield f"{relation} of {left} and {right} ({level})", proof is None, True
    same = prove_patterns(parse("b | (a ; b)"), parse("b"), "detection", "equivalence", portfolio)
    yield "the same detections", "" if same is None else same.equation.relation, "~="


# -------------------------------------------------------------------------------------------------------- streams


def _claim(statement: str, primitive: str = "") -> EquationClaim:
    return EquationClaim(statement, parse_equation(statement), frozenset(primitive))


FALSE = (
    _claim("A | B == A + B"),
    _claim("A ; B == B ; A"),
    _claim("A ; B ~= A + B"),
    _claim("A + B <= A"),
    _claim("A <= A - B"),
    _claim("A - B <= A ; B"),
    _claim("(A ; B)[t] == (A + B)[t]"),
    _claim("(A + B)[t] <= (A + B)[min(t, u)]"),
    _claim("A[t] == A[u]"),
    _claim("(A + B)[t] ~= A[t] + B[t]"),
    _claim("a + a == a ; a", "a"),
    _claim("a <= a - a", "a"),
)
"""False equations that fail on streams over two or three occurrences."""

LATE = (_claim("A ; (B ; A) <= A ; A"), _claim("(A + A) + A == A + A"), _claim("A[3] ~= A[4]"))
"""False equations that fail on streams over three occurrences, or over distant ones."""

COUNTED = (_claim("A | B == B | A"), _claim("A[t] <= A"), _claim("A[t][u] == A[min(t,u)]"))
"""True equations of which every case is counted."""


@checks.known("small streams", "false claims fail on small streams, and all of these are looked at")
def _small() -> Iterator[Row]:
    for claim in (*FALSE, *LATE[:2]):
        found = check_exhaustively(claim)
        yield f"small streams against {claim.statement}", found.standing, Standing.REFUTED
        confirmed = None if found.counterexample is None else found.counterexample.summary()
        yield f"a counterexample of {claim.statement}", bool(confirmed), True
    for name in ("theorem:4.5", "theorem:4.6.seq"):
        for neighbour in neighbours(find([name])[0])[:3]:
            found = check_exhaustively(neighbour.claim, neighbour.operators)
            yield f"{neighbour.id}, {neighbour.change}", found.standing, Standing.REFUTED
    for claim in (*FALSE, *LATE):
        searched = smallest_counterexample(claim)
        yield f"a smallest counterexample of {claim.statement}", searched.counterexample is not None, True
    alone = smallest_counterexample(_claim("a | b == a + b", "ab"))
    yield "below one that only one event type has", alone.complete_up_to, 0
    for claim, below in ((LATE[0], 2), (_claim("A[3] == A"), 1)):
        yield f"below that of {claim.statement}", smallest_counterexample(claim).complete_up_to, below
    with patch("laws.carlson_lisper.checks.smallest.confirm", lambda *_: None):
        unconfirmed = smallest_counterexample(FALSE[0], max_occurrences=2).unconfirmed
        yield "a failure of tables that is not confirmed", unconfirmed, True
    for claim in COUNTED:
        for size in (1, 2, 3):
            streams = 2 ** (len(claim.variables) * (2**size - 1))
            cases = 3 ** (size - 1) * 5 ** len(claim.parameters) * streams
            found = check_exhaustively(claim, largest=size)
            yield f"cases of {claim.statement} over {size}", found.cases, cases
            yield f"{claim.statement} over {size}", found.standing, Standing.TESTED


_POOL = [Occurrence("x", time) for time in (0, 1, 1)]
_DRAWN: Sequence[tuple[str, Callable[[], SearchStrategy[Any]], Callable[[Any], bool]]] = (
    ("occurrences that coincide", pools, lambda pool: len({one.time for one in pool}) < len(pool)),
    (
        "instances with a length",
        partial(streams, _POOL),
        lambda found: any(one.start < one.end for one in found),
    ),
    ("streams of several instances", partial(streams, _POOL), lambda found: len(found) > 1),
    ("streams of nothing", partial(streams, _POOL), lambda found: not found),
    ("several of an event type", partial(primitive_streams, "a"), lambda found: len(found) > 1),
    ("bounds above 1", bounds, lambda found: found > 1),
    ("events that coincide", traces, lambda found: any(len(names) > 1 for _, names in instants(found))),
    *(
        (
            f"expressions with {name}",
            expressions,
            lambda found, name=name: getattr(found, "operator", "") == name,
        )
        for name in OPERATORS
    ),
)
"""What random streams, traces and expressions have now and then."""


def _is_drawn(strategy: SearchStrategy[Any], is_one: Callable[[Any], bool]) -> bool:
    try:
        find_one(strategy, is_one, settings=settings(max_examples=500, derandomize=True, database=None))
    except NoSuchExample:
        return False
    return True


@checks.known("random cases", "false claims fail on random streams and expressions")
def _random() -> Iterator[Row]:
    for title, strategy, is_one in _DRAWN:
        yield title, _is_drawn(strategy(), is_one), True
    for claim in FALSE[1:2]:
        found = check_on_streams(claim, examples=400)
        yield f"random streams against {claim.statement}", found.standing, Standing.REFUTED
    for claim in FALSE[:1]:
        found = check_on_expressions(claim, examples=400)
        yield f"random expressions against {claim.statement}", found.standing, Standing.REFUTED
    neighbour = neighbours(find(["theorem:4.5"])[0])[0]
    found = check_on_streams(neighbour.claim, examples=100, operators=neighbour.operators)
    yield f"random restrictions against {neighbour.change}", found.standing, Standing.REFUTED
    true = check_on_streams(COUNTED[0], examples=30)
    yield "cases that were asked for", (true.standing, true.cases >= 30), (Standing.TESTED, True)
