"""A toy algebra over points in all rooms: `a`, `(x or y)`, `(x then y)` denote the times at which they occur."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, product
from typing import Any

from campaigns.choices import Source
from campaigns.judging.verdicts import Kind, Verdict
from campaigns.systems import CasesOfSystem, Factory, Features
from laws.outcomes import TestOutcome
from laws.standings import Standing
from reports.page import Section, Table
from reports.systems import ReportsOfSystem
from semantics.errors import InputError
from semantics.events import Event, Interval, TraceForm
from semantics.systems import System
from smt.attempts import Attempt, Hypotheses, Provable, Search
from smt.obligations import Obligation, Theory
from smt.smtlib import LOGIC, TimeSort
from smt.solvers.portfolio import Portfolio

ROOMS = ("laws", "proofs", "campaigns", "reports")
TOY = System("toy", "a toy", "", "toys", "", dict.fromkeys(ROOMS, __name__))

FORM = TraceForm(intervals=False, attributes=())
OPERATORS = ("or", "then")


@dataclass(frozen=True)
class Expression:
    """An event type, or two operands with an operator."""

    name: str
    operands: tuple["Expression", ...] = ()

    def __str__(self) -> str:
        return f" {self.name} ".join(map(str, self.operands)).join("()") if self.operands else self.name


def parse(text: str) -> Expression:
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    found = _read(words)
    if words:
        raise InputError(f"{words[0]!r} is too much", place=text, remedy="Write (x or y) or (x then y).")
    return found


def _read(words: list[str]) -> Expression:
    word = words.pop(0) if words else ""
    if word == "(":
        left, operator, right = _read(words), words.pop(0) if words else "", _read(words)
        if operator in OPERATORS and words[:1] == [")"]:
            return Expression(operator, (left, right)) if words.pop(0) else left
    elif word.isidentifier() and word not in OPERATORS:
        return Expression(word)
    raise InputError(f"{word!r} begins no expression", remedy="Write a, (x or y) or (x then y).")


def times(expression: Expression, trace: Sequence[Event]) -> frozenset[int]:
    if not expression.operands:
        return frozenset(event.time for event in trace if event.type == expression.name)
    left, right = (times(operand, trace) for operand in expression.operands)
    return left | right if expression.name == "or" else frozenset(t for t in right if left and min(left) < t)


@dataclass(frozen=True)
class Law:
    """Two expressions that occur at the same times."""

    id: str
    left: str
    right: str
    expected: Standing = Standing.PROVED
    system: str = "toy"
    condition: str = ""
    source: str = ""
    reading: str = "Both sides occur at the same times."
    note: str = ""
    times: tuple[str, ...] = ("int", "real")

    @property
    def statement(self) -> str:
        return f"{self.left} == {self.right}"


LAWS = (Law("toy:1", "((x or y) then z)", "((x then z) or (y then z))"), Law("toy:2", "(x or y)", "(y or x)"))
FALSE = (Law("toy:false", "(x then y)", "(y then x)", Standing.REFUTED),)
everything, canaries, errata, kernel = lambda: LAWS, lambda: FALSE, tuple, dict


@dataclass(frozen=True)
class Difference:
    """A trace on which the sides occur at other times."""

    trace: tuple[Event, ...]

    def summary(self) -> str:
        return f"they differ on {', '.join(f'{event.type}@{event.time}' for event in self.trace)}"


def difference(law: Law) -> Difference | None:
    points = [Event(name, time, time) for time, name in product(range(3), "xyz")]
    for chosen in sorted(range(1 << len(points)), key=int.bit_count):
        trace = tuple(point for bit, point in enumerate(points) if chosen >> bit & 1)
        if times(parse(law.left), trace) != times(parse(law.right), trace):
            return Difference(trace)
    return None


def check(claim: Law, *, examples: int, seed_number: int) -> Iterator[TestOutcome]:
    found = difference(claim)
    standing = Standing.REFUTED if found else Standing.TESTED
    yield TestOutcome("exhaustive", standing, 512, "all traces of three ticks over x, y, z", found)


def occurs(expression: Expression, time: str, fresh: Iterator[int]) -> str:
    """That an expression occurs at a time, as a formula over predicates on times."""
    if not expression.operands:
        return f"({expression.name} {time})"
    begun = time if expression.name == "or" else f"t{next(fresh)}"
    left, right = occurs(expression.operands[0], begun, fresh), occurs(expression.operands[1], time, fresh)
    if expression.name == "or":
        return f"(or {left} {right})"
    return f"(and (exists (({begun} Int)) (and (< {begun} {time}) {left})) {right})"


class Proof(Provable):
    """A law as one obligation."""

    ladder = (Attempt((), {"z3": 100_000, "cvc5": 20_000}),)

    def __init__(self, claim: Law) -> None:
        self.claim: Law = claim

    def obligations(self, time: TimeSort) -> list[Obligation]:
        law, fresh = self.claim, count()
        declared = (*(f"(declare-fun {name} (Int) Bool)" for name in "xyz"), "(declare-const now Int)")
        denial = f"(not (= {' '.join(occurs(parse(side), 'now', fresh) for side in (law.left, law.right))}))"
        text = (law.statement,), Theory((), {}), (), time, LOGIC[time], declared, (denial,)
        return [Obligation(f"{law.id}/=", law.id, "=", *text)]

    def refute(self, effort: int, portfolio: Portfolio) -> Search:
        return Search(difference(self.claim), frozenset("="))

    def hypotheses(self, direction: str, portfolio: Portfolio) -> Hypotheses:
        return Hypotheses("satisfiable")  # there are none


provable = Proof


class Steps:
    """Notes of each `then` whether its left side has occurred."""

    strict = True

    def __init__(self, expression: Expression) -> None:
        self.expression, self.begun = expression, set[Expression]()

    def step(self, time: int, given: Collection[str], /) -> bool:
        return self._occurs(self.expression, given)

    def _occurs(self, part: Expression, given: Collection[str]) -> bool:
        if not part.operands:
            return part.name in given
        left, right = (self._occurs(operand, given) for operand in part.operands)
        found = left or right if part.name == "or" else right and (part in self.begun or left > self.strict)
        self.begun |= {part} if left else set()
        return found


class Lax(Steps):
    """A wrong one: what occurs together is one after the other."""

    strict = False


DETECTORS, DEFAULT_DETECTOR = {"steps": Steps}, "steps"


@dataclass(frozen=True)
class Case:
    """An expression and a trace."""

    seed: int
    number: int
    text: str
    trace: tuple[Event, ...]
    profile: str = "plain"
    system: str = "toy"
    fed_text: str = ""

    @property
    def trace_text(self) -> str:
        return " ".join(f"{event.type}@{event.time}" for event in self.trace)

    @property
    def features(self) -> Features:
        return Features((), len({event.time for event in self.trace}), len(self.trace))


@dataclass(frozen=True)
class Meaning:
    """The times that are due, as intervals."""

    expected: tuple[Interval, ...]
    literal: bool = True


def fewer_events(case: Case) -> Iterator[Case]:
    for place in range(len(case.trace)):
        yield replace(case, trace=case.trace[:place] + case.trace[place + 1 :])


def parts(case: Case) -> Iterator[Case]:
    return (replace(case, text=str(part)) for part in parse(case.text).operands)


class ToyCases(CasesOfSystem):
    """Random expressions of up to three operands; no relations, no laws, no real traces."""

    GENERATION, DEFAULT_DETECTOR = 1, "steps"
    PROFILES: Mapping[str, int] = {"plain": 1}
    REDUCTIONS = (parts, fewer_events)

    def maker(
        self, seed: int, profiles: Mapping[str, int], corpus: Any, real: int, constants: Sequence[int] = ()
    ) -> Callable[[int], Case]:
        def case(number: int) -> Case:
            source = Source(f"toy:{seed}:{number}")
            text = "abc"[source.below(3)]
            for _ in range(source.between(1, 2)):
                text = f"({text} {OPERATORS[source.below(2)]} {'abc'[source.below(3)]})"
            trace = (Event(name, time, time) for time in range(6) for name in "abc" if source.chance(30))
            return Case(seed, number, text, tuple(trace))

        return case

    def factory(self, name: str, search_path: Sequence[str]) -> Factory:
        return Lax if name == "mutant:lax" else DETECTORS[name]

    def meaning(self, case: Case) -> Meaning:
        return Meaning(tuple(Interval(time, time) for time in sorted(times(parse(case.text), case.trace))))

    def judge(self, case: Case, factory: Factory, *, seconds: float, meaning: Meaning) -> Verdict:
        detector, instants = factory(parse(case.text)), dict[int, set[str]]()
        for event in case.trace:
            instants.setdefault(event.time, set()).add(event.type)
        found = tuple(Interval(time, time) for time, given in instants.items() if detector.step(time, given))
        kind = None if found == meaning.expected else Kind.SPURIOUS
        return Verdict(kind, "other times are due" if kind else "", meaning.expected, found, True)

    def measure(self, case: Case) -> tuple[int, ...]:
        return (len(case.text), len(case.trace))

    def case_to_json(self, case: Case) -> dict[str, Any]:
        return {"expression": case.text, "trace": [[event.type, event.time] for event in case.trace]}

    def case_from_json(self, record: Mapping[str, Any], seed: int, number: int, profile: str) -> Case:
        trace = tuple(Event(name, time, time) for name, time in record["trace"])
        return Case(seed, number, record["expression"], trace, profile)


class ToyReports(ReportsOfSystem):
    """A table of laws."""

    def sections(self, report: Mapping[str, Any]) -> Sequence[Section]:
        rows = tuple((row["statement"], row["standing"]) for row in report.get("toy", ()))
        table = Table(("Law", "Standing"), rows, code=("Law",))
        return (Section(title="The toy <algebra>", blocks=(table,)),) if rows else ()


CASES, REPORTS = ToyCases(), ToyReports()
