"""Metamorphic relations: what the detections on two related cases have to do with each other, by the algebra alone.

A judge that does not depend on the interval semantics: it compares a detector with itself on another case, so it also
works for traces that are too long for any oracle. What it cannot see is a detector that is wrong on both in the same
way.

The relations `shifted`, `renamed`, `snapshot` and `twin` ask for more than Def. 3.12: which of several instances with
the same start and end is reported must not depend on the time, on names, on whether the detector was stored in between,
or on what another one is fed; and `past`, that what is restored is not behind its time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import Observation, observe
from campaigns.carlson_lisper.relations import related
from campaigns.carlson_lisper.relations.related import Related
from campaigns.choices import Source
from campaigns.judging.verdicts import TIME_LIMIT, Kind, Verdict
from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory, TraceDetector
from detectors.carlson_lisper.protocol import Report
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Time
from semantics.events import Interval


@dataclass(frozen=True)
class Relation:
    """A metamorphic relation.

    Attributes:
        source: where it follows from.
        relate: the related case, with what is due in it; None where the relation does not apply.
    """

    name: str
    about: str
    source: str
    relate: Callable[[Case, Source], Related | None]


_CATALOGUE = (
    Relation(
        "law",
        "A part of the expression rewritten by a law changes neither starts nor ends.",
        "Theorems 4.1-4.4, Corollary 4.4; Theorem 4.6 for our own equations of detections",
        related.by_law,
    ),
    Relation(
        "instance",
        "Both sides of a law have the same starts and ends, whatever its identifiers stand for.",
        "Theorems 4.2-4.4, Corollary 4.4; Theorem 4.6 for our own equations of detections",
        related.by_instance,
    ),
    Relation(
        "transformed",
        "The transformed expression has the same starts and ends.",
        "Theorem 6.1, Corollary 4.4",
        related.transformed,
    ),
    Relation(
        "shifted",
        "The trace at another time gives the same instances at the other time.",
        "Def. 3.10: times are only compared and subtracted",
        related.shifted,
    ),
    Relation(
        "gap",
        "In a copy of the trace after a gap, the same is detected again, and nothing else that starts there.",
        "Def. 3.11: instances depend on what occurs between their start and end only; Lemma 6.1 for their length",
        related.gap,
    ),
    Relation(
        "renamed",
        "Other names for the event types give the same instances under the other names.",
        "Def. 3.5, 3.11: names only tell event types apart",
        related.renamed,
    ),
    Relation(
        "irrelevant",
        "Occurrences of event types that the expression does not mention change neither starts nor ends.",
        "Def. 3.11",
        related.irrelevant,
    ),
    Relation(
        "snapshot",
        "A detector that was stored, and one that goes on from the stored state, both give the same instances.",
        "Section 5: the output follows from the state and the current instant",
        related.resumed,
    ),
    Relation(
        "twin",
        "A detector gives the same instances while another one of the expression is fed another trace in turn.",
        "Section 5: the output follows from the state and the current instant",
        related.beside,
    ),
    Relation(
        "past",
        "A detector that refuses a step at a time that is not later does so after a restored snapshot as well.",
        "Section 5: the steps go on with time; `detectors.carlson_lisper.protocol.Detector`",
        related.turned_back,
    ),
    Relation(
        "prefix",
        "What is detected up to an instant does not depend on what comes later.",
        "Def. 3.12: instances are only compared with those that have the same end",
        related.prefix,
    ),
)

RELATIONS: Mapping[str, Relation] = MappingProxyType({relation.name: relation for relation in _CATALOGUE})
"""The relations by name."""


def choices(case: Case) -> Source:
    """The choices that a relation makes for a case."""
    return Source(f"{case.seed}:{case.number}:relation")


def judge_relation(
    relation: Relation,
    case: Case,
    factory: AnyFactory,
    source: Source,
    *,
    seconds: float = TIME_LIMIT,
    reports: Mapping[Time, Report] | None = None,
) -> Verdict:
    """Run a fresh detector on a case and another one on the related case, and compare.

    The verdict's `expected` is what is due in the related case and `detected` what was reported there; it is a refusal
    where the relation does not apply or the detector does not take one of the cases.

    Args:
        reports: what the detector reports on the case by instant, where that is known.
    """
    found = relation.relate(case, source)
    if found is None:
        return Verdict(None, "", (), refusal=f"{relation.name} does not apply")
    if reports is None or found.before is not None:
        first = _observed(found.before or case, factory, seconds)
        if first.failure is not None:
            kind, detail = first.failure
            return Verdict(kind, f"on the case itself, {detail}", ())
        if first.refusal:
            return Verdict(None, "", (), refusal=first.refusal)
        reports = first.reports
    due = _due(found, reports)
    expected = tuple(Interval(report.start, report.end) for _, report in sorted(due.items()))
    second = _observed(found.case, found.altered(factory), seconds)
    if second.refusal:
        return Verdict(None, "", expected, refusal=second.refusal)
    detected = tuple(second.reports.values())
    differs = _difference(found, due, second.reports)
    failure = second.failure or (differs and (Kind.RELATION, differs))
    if not failure:
        return Verdict(None, "", expected, detected)
    kind, detail = failure
    return Verdict(kind, f"{found.said}: {detail}", expected, detected, fed=found.restored)


# ----------------------------------------------------------------------------------------------- the detector


class _Unwatched:
    """A detector whose state nobody looks at: that takes longer than its steps."""

    def __init__(self, detector: AnyDetector) -> None:
        assert not isinstance(detector, TraceDetector)
        self.step: Any = detector.step

    def state(self) -> tuple[NodeState, ...]:
        return ()


def _observed(case: Case, factory: AnyFactory, seconds: float) -> Observation:
    def unwatched(expression: Expression) -> AnyDetector:
        detector = factory(expression)
        return detector if isinstance(detector, TraceDetector) else _Unwatched(detector)

    return observe(case, unwatched, seconds)


# --------------------------------------------------------------------------------------------- the comparison


def _due(found: Related, reports: Mapping[Time, Report]) -> dict[Time, Report]:
    """The reports that are due in the related case, by instant."""
    due: dict[Time, Report] = {}
    for image in found.images:
        for now, report in reports.items():
            if image.until is None or now <= image.until:
                if found.instances and isinstance(report, Instance):
                    due[now + image.shift] = image.of(report)
                else:
                    due[now + image.shift] = Interval(report.start + image.shift, report.end + image.shift)
    return due


def _difference(found: Related, due: Mapping[Time, Report], reports: Mapping[Time, Report]) -> str:
    """The first instant at which something else than what is due is reported, in one sentence; "" if there is none."""
    for now in sorted(due.keys() | reports.keys()):
        wanted, report = due.get(now), reports.get(now)
        if report is None:
            assert wanted is not None
            return f"at {now}: nothing reported, {_shown(wanted)} due"
        if wanted is None:
            if found.reaching_back is not None and report.start <= found.reaching_back < report.end == now:
                continue
            return f"at {now}: {_shown(report)} reported, nothing due"
        same = (report.start, report.end) == (wanted.start, wanted.end)
        if not same or (found.instances and report != wanted and isinstance(wanted, Instance)):
            return f"at {now}: {_shown(report)} reported, {_shown(wanted)} due"
    return ""


def _shown(report: Report) -> str:
    span = f"one from {report.start} to {report.end}"
    return f"{report} {span[4:]}" if isinstance(report, Instance) else span
