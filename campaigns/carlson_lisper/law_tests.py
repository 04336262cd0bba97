"""Laws put to an evaluator of patterns: both sides on the same rows, in cases that a seed and a number determine.

No semantics judges: what is compared is the evaluator with itself, as the laws say that it has to answer.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias, cast

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.judge import Meaning, observe
from campaigns.carlson_lisper.loading import any_factory
from campaigns.carlson_lisper.protocol_check import require_protocol
from campaigns.carlson_lisper.relations import ATTEMPTS, LAW_PROFILES
from campaigns.carlson_lisper.rewriting import settled
from campaigns.carlson_lisper.system import EXPRESSIONS
from campaigns.choices import Source
from campaigns.imports import MUTANT, crash_text, imported, raised_in
from campaigns.judging.isolation import Failed, TimeUp, ended, time_limit
from campaigns.judging.judgements import BUDGET, smaller_numbers, without_runs
from campaigns.judging.verdicts import TIME_LIMIT, Kind, standing_of
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.protocol import Report, not_a_report
from detectors.protocol import is_program
from laws.carlson_lisper.claims import EquationClaim
from laws.claims import stated
from laws.standings import Standing
from semantics.carlson_lisper.decisions import RELATION, Level
from semantics.carlson_lisper.expressions import Expression, substitute, with_bounds
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream, Time, Value, by_end_time, occurrence_data
from semantics.carlson_lisper.restriction import within
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError, LimitExceeded
from semantics.events import Interval
from semantics.shrinking import smallest

Answer: TypeAlias = frozenset[Report]  # Instances, or starts and ends

ANSWERS = "Return (start, end) of what is found, or instances: collections of (time, event) or (time, event, value)."
CALL = "Give evaluate(pattern, rows): a text, and a list of (time, event, value) in the order of time."


class Row(NamedTuple):
    """An event: its time in ticks, its type, its value."""

    time: Time
    event: str
    value: Value


@dataclass(frozen=True)
class LawCase:
    """A law with patterns for its identifiers, ticks for its bounds, and the occurrences of a trace, by time."""

    claim: EquationClaim
    substitution: Mapping[str, Expression]
    bounds: Mapping[str, int]
    occurrences: tuple[Occurrence, ...]

    @property
    def sides(self) -> tuple[Expression, Expression]:
        """Both sides as patterns."""
        equation = self.claim.equation
        left, right = (
            substitute(with_bounds(e, self.bounds), self.substitution) for e in (equation.left, equation.right)
        )
        return left, right


@dataclass(frozen=True)
class Evaluator:
    """An evaluator of patterns; `level` is what is compared of its answers, None for what they have."""

    name: str
    answer: Callable[[Expression, Sequence[Occurrence]], Answer]  # whatever it raises
    level: Level | None


def evaluator(name: str, level: Level | None = None, search_path: Sequence[str] = ()) -> Evaluator:
    """The evaluator that a name stands for: a detector or a program, or code that `package.module:object` names.

    That is a function of a pattern and rows, an object or class with such a method `evaluate`, or a detector.
    `InputError` if there is none, it cannot be called, or what it answers is nothing that can be compared.
    """
    evaluate: Any = None
    if ":" in name and not name.startswith(MUTANT) and not is_program(name):
        found = imported(name, search_path, "Name it as package.module:object.")
        own = getattr(found() if inspect.isclass(found) and hasattr(found, "evaluate") else found, "evaluate", None)
        evaluate = own or (found if _takes_two(found) else None)
    if evaluate is None:
        factory = any_factory(name, search_path)
        require_protocol({name: factory})
        return Evaluator(name, partial(_detected, factory), level or "detection")

    def answer(pattern: Expression, trace: Sequence[Occurrence]) -> Answer:
        try:
            return _read(evaluate(str(pattern), [Row(each.time, each.event, each.value) for each in trace]))
        except NotImplementedError as error:
            raise LimitExceeded(f"{pattern} is refused: {error}") from error

    _require_answers(name, answer)
    return Evaluator(name, answer, level)


def _takes_two(found: Any) -> bool:
    """Whether something is a function of two arguments; a detector is made of one."""
    with suppress(TypeError, ValueError):
        needed = [each for each in inspect.signature(found).parameters.values() if each.default is each.empty]
        return len(needed) == 2
    return False


def _require_answers(name: str, answer: Callable[[Expression, Sequence[Occurrence]], Answer]) -> None:
    """Raise `InputError` where an evaluator fails at once, with the place in its code."""
    try:
        with time_limit(TIME_LIMIT):
            rows = (Occurrence("a", 0), Occurrence("b", 1))
            found = [answer(parse(pattern), rows) for pattern in ("a | b", "a")]
        if not any(found):  # of such an engine laws say nothing
            raise InputError(f"the engine {name} finds neither a | b nor a in {rows}", remedy=CALL)
    except LimitExceeded:  # it does not take these
        pass
    except InputError:
        raise
    except TimeUp:
        raise InputError(f"the engine {name} is not done with two rows after {TIME_LIMIT:g} s", remedy=CALL) from None
    except Failed as error:
        raise InputError(f"the engine {name} {error}", remedy=ANSWERS) from None
    except (Exception, SystemExit) as error:  # whatever it raises is a mistake
        frame = raised_in(error)
        place = f"{frame.filename}:{frame.lineno}" if frame else ""
        raise InputError(
            f"the engine {name} failed on two rows: {crash_text(error)}", place=place, remedy=CALL
        ) from None


def _read(found: Iterable[object]) -> Answer:
    """What an evaluator found as instances or intervals; `Failed` where it is neither."""
    reports = list[Report]()
    for one in found:
        try:
            report = one if isinstance(one, Report) else _report(one)
        except (TypeError, ValueError, LookupError, AttributeError):
            report = one  # type: ignore[assignment]  # it is refused
        if wrong := not_a_report(report):
            raise Failed(Kind.NOT_AN_INSTANCE, wrong)
        reports.append(report)
    return frozenset(reports)


def _report(found: Any) -> Report:
    items = list(found)
    if len(items) == 2 and all(isinstance(one, int) for one in items):
        return Interval(items[0], items[1])
    return Instance(one if isinstance(one, Occurrence) else Occurrence(one[1], one[0], *one[2:]) for one in items)


def _detected(factory: AnyFactory, pattern: Expression, trace: Sequence[Occurrence]) -> Answer:
    case, form = Case(0, 0, "law", pattern, tuple(trace)), getattr(factory, "form", None)
    if form is not None and form.matches == "all":
        return frozenset(cast(Any, factory(pattern)).reports(list(case.instants())))
    found = observe(case, factory, TIME_LIMIT, watched=False)
    if found.failure is not None:
        raise Failed(*found.failure)
    if found.refusal:
        raise LimitExceeded(found.refusal)
    return frozenset(Interval(report.start, report.end) for report in found.reports.values())


@dataclass(frozen=True)
class Failure:
    """A law that an evaluator breaks: the case with this number made small, and what it answered to both sides."""

    number: int
    case: LawCase
    said: str
    kind: Kind
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True)
class LawOutcome:
    """Test of a law: so many cases were put, so many of them refused; a failure if there is one."""

    claim: EquationClaim
    cases: int
    refused: int
    failure: Failure | None

    @property
    def standing(self) -> Standing:
        """Tested, refuted, or unknown where every case was refused or one was not finished."""
        if self.failure is not None:
            return standing_of([self.failure.kind])
        return Standing.TESTED if self.refused < self.cases else Standing.UNKNOWN

    def data(self) -> dict[str, Any]:
        """The outcome as plain data."""
        found, claim = self.failure, {"id": self.claim.id, "statement": stated(self.claim)}
        data: dict[str, Any] = {**claim, "standing": self.standing.value, "cases": self.cases, "refused": self.refused}
        if found is not None:
            data["failure"] = {
                "case": found.number,
                "detail": found.said,
                "patterns": {name: str(pattern) for name, pattern in sorted(found.case.substitution.items())},
                "bounds": dict(sorted(found.case.bounds.items())),
                "sides": [str(side) for side in found.case.sides],
                "trace": [occurrence_data(each) for each in found.case.occurrences],
                "answers": [said(answer) for answer in found.answers],
            }
        return data


def law_case(claim: EquationClaim, seed: int, number: int) -> LawCase:
    """The case of a law with a number: something is detected on a side of it if it can be had."""
    for attempt in range(number * ATTEMPTS, (number + 1) * ATTEMPTS):
        source = Source(f"{seed}:{attempt}:{claim.id}")
        case = generate(seed, source.below(2**53), LAW_PROFILES)
        *_, match = settled(claim, case.expression, source)
        made = LawCase(claim, match.parts, match.bounds, case.occurrences)
        if any(Meaning(replace(case, expression=side)).expected for side in made.sides):
            break
    return made


def law_outcome(claim: EquationClaim, engine: Evaluator, *, cases: int, seed: int) -> LawOutcome:
    """Put a law to an evaluator in so many cases; the first that fails is made small and ends it."""
    refused = 0
    for number in range(cases):
        case = law_case(claim, seed, number)
        failure = _judged(case, engine, number)
        if failure is None:
            continue
        if isinstance(failure, str):
            refused += 1
            continue
        return LawOutcome(claim, number + 1, refused, _small(failure, engine))
    return LawOutcome(claim, cases, refused, None)


def _judged(case: LawCase, engine: Evaluator, number: int) -> Failure | str | None:
    """How a case fails; the reason if the evaluator refuses it, None if it passes."""
    answers = list[Answer]()
    for pattern in case.sides:
        kind, said = ended(lambda: answers.append(engine.answer(pattern, case.occurrences)), TIME_LIMIT)  # noqa: B023
        if kind is not None:
            return Failure(number, case, f"on {pattern}: {said}", kind)
        if said:
            return said
    whole = all(isinstance(one, Instance) for answer in answers for one in answer)
    level: Level = engine.level or ("meaning" if whole else "detection")
    left, right = (cast(Stream, answer) for answer in answers)  # intervals have starts and ends as well
    relation, order = case.claim.equation.relation, list(RELATION.values())
    compared = RELATION[level] if relation == "<=" else max(relation, RELATION[level], key=order.index)
    if within(compared, left, right) and (relation == "<=" or within(compared, right, left)):
        return None
    said = f"the sides are not related by {relation}, compared up to {level}"
    return Failure(number, case, said, Kind.RELATION, tuple(answers))


def _small(failure: Failure, engine: Evaluator) -> Failure:
    """The failure of a case that nothing makes smaller, by so many judgements at most as elsewhere."""
    budget = iter(range(0 if failure.kind is Kind.TIMEOUT else BUDGET))

    def failing(bigger: Failure) -> Iterator[Failure]:
        for case, _ in zip(_smaller(bigger.case), budget, strict=False):
            found = _judged(case, engine, failure.number)
            if isinstance(found, Failure) and found.kind is failure.kind:
                yield found

    return smallest(failure, failing)


def _smaller(case: LawCase) -> Iterator[LawCase]:
    for fewer in without_runs(case.occurrences):
        yield replace(case, occurrences=fewer)
    for name, pattern in case.substitution.items():
        for simpler in EXPRESSIONS.smaller(pattern):
            yield replace(case, substitution={**case.substitution, name: simpler})
    for name, ticks in case.bounds.items():
        for fewer_ticks in smaller_numbers(ticks):
            yield replace(case, bounds={**case.bounds, name: fewer_ticks})
    if any(each.value is not None for each in case.occurrences):
        yield replace(case, occurrences=tuple(each._replace(value=None) for each in case.occurrences))
    for before, time in pairwise(sorted({-1, *(each.time for each in case.occurrences)})):
        for gap in smaller_numbers(time - before, 1):
            less = time - before - gap
            moved = (each._replace(time=each.time - less) if each.time >= time else each for each in case.occurrences)
            yield replace(case, occurrences=tuple(moved))


def said(answer: Answer) -> str:
    """An answer in one line, by end and start."""
    instances = by_end_time(one for one in answer if isinstance(one, Instance))
    spans = sorted((one for one in answer if isinstance(one, Interval)), key=lambda one: (one.end, one.start))
    return ", ".join([*map(repr, instances), *(f"[{one.start}, {one.end}]" for one in spans)]) or "nothing"
