"""One case put to several detectors: each by the semantics, and by a relation that its results have to satisfy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from campaigns.carlson_lisper.cases import Case, Source
from campaigns.carlson_lisper.judge import Kind, Verdict, judge
from campaigns.carlson_lisper.meaning import Meaning
from campaigns.carlson_lisper.relations.catalogue import RELATIONS, judge_relation
from campaigns.judging.isolation import Lost, isolated
from detectors.carlson_lisper.adapters import AnyFactory
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, size

MEANING = "meaning"
"""In the place of a relation: the detector was judged by the semantics."""

PARTS = 12
"""At most so many subexpressions are tried to find the one at fault."""

BLOCKING = frozenset({Kind.TIMEOUT, Kind.WORKER_LOST, Kind.MEMORY})
"""Failures after which nothing more is tried on the case: it costs too much."""


@dataclass(frozen=True)
class Fault:
    """One judgement that a detector failed.

    Attributes:
        detector: its name.
        relation: the relation that it violates, or `MEANING`.
        kind: how it failed.
        detail: the failure in one sentence.
        path: the operators at fault: those of the smallest subexpression that fails in the same way on the same
            trace, such as `neg(seq, event)`.
    """

    detector: str
    relation: str
    kind: Kind
    detail: str
    path: str

    @property
    def cause(self) -> Cause:
        """What failures have in common that probably have one reason."""
        return Cause(self.detector, self.relation, self.path, self.kind)


@dataclass(frozen=True, order=True)
class Cause:
    """What failures have in common that probably have one reason; see `Fault`."""

    detector: str
    relation: str
    path: str
    kind: Kind

    def __str__(self) -> str:
        """In one line."""
        by = "" if self.relation == MEANING else f" by the relation {self.relation}"
        return f"{self.detector}: {self.kind} at {self.path}{by}"


@dataclass(frozen=True)
class Judged:
    """A case and what came of it.

    Attributes:
        case: the case.
        meaning: what the semantics says of it.
        relation: the relation that was tried besides; "" if none applies or none is wanted.
        judgements: how many judgements there were, refusals not counted.
        faults: those that were failed.
        refusals: the detectors that do not take the case, with their reasons.
    """

    case: Case
    meaning: Meaning
    relation: str
    judgements: int
    faults: tuple[Fault, ...]
    refusals: tuple[tuple[str, str], ...]


def judge_case(
    case: Case,
    detectors: Mapping[str, AnyFactory],
    *,
    relation: str = "",
    seconds: float,
    apart: bool = False,
    alive: Callable[[], None] = lambda: None,
) -> Judged:
    """Put a case to detectors.

    Args:
        case: the case.
        detectors: their factories by name.
        relation: the relation that is tried besides; "" for none.
        seconds: how long a detector may take for one trace.
        apart: whether each detector runs in a process of its own.
        alive: called now and then, at least before each detector.
    """
    meaning = Meaning(case)
    judgements, faults, refusals = 0, list[Fault](), list[tuple[str, str]]()
    for name, factory in detectors.items():
        alive()
        first: Verdict | None = None
        for by in (MEANING, relation) if relation else (MEANING,):
            ask = partial(judged_by, by, factory=factory, seconds=seconds, apart=apart)
            verdict = ask(case, meaning=meaning, first=first)
            if verdict.refused:
                if by == MEANING:
                    refusals.append((name, verdict.refusal))
                break
            judgements += 1
            if verdict.kind is not None:
                path = operator_path(case, verdict.kind, ask)
                faults.append(Fault(name, by, verdict.kind, verdict.detail, path))
                break  # what is wrong in itself need not be related rightly
            first = verdict
    return Judged(case, meaning, relation, judgements, tuple(faults), tuple(refusals))


def judged_by(
    relation: str,
    case: Case,
    factory: AnyFactory,
    *,
    seconds: float,
    meaning: Meaning | None = None,
    first: Verdict | None = None,
    apart: bool = False,
) -> Verdict:
    """The judgement of a case by the semantics, or by a relation; a relation that does not apply is a refusal.

    Args:
        relation: the name of the relation, or `MEANING`.
        case: the case.
        factory: makes the detector.
        seconds: how long the detector may take for one trace.
        meaning: what the semantics says of the case, where that is known.
        first: the detector's verdict by the semantics, where that is known and it passed.
        apart: whether the detector runs in a process of its own, whose loss is a verdict as well.
    """
    if relation == MEANING:
        meaning = meaning or Meaning(case)
        work = partial(judge, case, factory, seconds=seconds, meaning=meaning)
    else:
        reports = None if first is None else {report.end: report for report in first.detected}
        work = partial(
            judge_relation,
            RELATIONS[relation],
            case,
            factory,
            choices(case),
            seconds=seconds,
            reports=reports,
        )
    if not apart:
        return work()
    verdict = isolated(work, seconds=3 * seconds)
    if isinstance(verdict, Lost) and verdict.kind is Kind.WORKER_LOST:  # it may have been killed from outside
        verdict = isolated(work, seconds=3 * seconds)
    if isinstance(verdict, Lost):
        return Verdict(verdict.kind, verdict.detail, meaning.expected if meaning else ())
    return verdict


def choices(case: Case) -> Source:
    """The choices that a relation makes for a case."""
    return Source(f"{case.seed}:{case.number}:relation")


def operator_path(case: Case, kind: Kind, verdict: Callable[[Case], Verdict]) -> str:
    """The operators at fault; see `Fault.path`.

    Args:
        case: a case that fails.
        kind: how.
        verdict: judges another case in the same way.
    """
    if kind not in BLOCKING:
        for part in _parts(case.expression):
            if verdict(replace(case, expression=part)).kind == kind:
                return _shape(part)
    return _shape(case.expression)


def _parts(expression: Expression) -> Iterator[Expression]:
    """The first few operations in an expression, smaller ones first, without itself."""
    parts = {
        part: None for part in bottom_up(expression) if isinstance(part, Operation) and part != expression
    }
    yield from sorted(parts, key=size)[:PARTS]


def _shape(expression: Expression) -> str:
    if not isinstance(expression, Operation):
        return "event"
    return f"{expression.operator}({', '.join(_name(operand) for operand in expression.operands)})"


def _name(expression: Expression) -> str:
    return expression.operator if isinstance(expression, Operation) else "event"
