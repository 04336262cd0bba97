"""The judgement of a group: many traces of one expression, against detectors, in a few operations on arrays.

A detector that has a way to take all lanes (`campaigns.vectorised.ways`) is put to all of them; any other one to a few,
as to any other case.

Of a lane that fails, the ordinary judge says how. It also judges what the arrays say of the semantics, on the few
lanes. A group is always judged whole: what comes of a case does not depend on which other cases were asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from campaigns.carlson_lisper.cases import Case, Source
from campaigns.carlson_lisper.judge import TIME_LIMIT, Kind, Verdict, judge
from campaigns.judging.judgements import MEANING, Fault, judge_case, operator_path
from campaigns.judging.limits import TimeUp, time_limit
from campaigns.vectorised.cases import LANES, Group, make_group
from campaigns.vectorised.oracle import Starts, greatest, lane_denotation
from campaigns.vectorised.ways import NOTHING, Reported, Way, way_of
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.feeding_plans import Instant
from semantics.carlson_lisper.finite import Interval
from semantics.errors import LimitExceeded

FEW = 4
"""So many lanes of each group are judged as any other case."""

PATIENCE = 12
"""All lanes together may take so many times as long as one case."""

BESIDE = "; only with other traces beside or before it"
"""What is said of a failure that the case does not show alone."""


@dataclass(frozen=True, eq=False)
class GroupOutcome:
    """A group and what came of it. Lanes are counted by their places in the group.

    Attributes:
        group: the cases.
        starts: what the semantics requires, shape (ticks, lanes).
        detected: how many detections the detectors reported that were put to all lanes, by name; shape (lanes,).
        judgements: how many judgements each lane had, refusals not counted; shape (lanes,).
        literal: which lanes were also judged by the list of all instances; shape (lanes,).
        faults: those that were failed, by lane.
        refused: the detectors that do not take the expression, with their reasons.
        refusals: the detectors that do not take a case among the few, with their reasons, by lane.
    """

    group: Group
    starts: Starts
    detected: Mapping[str, NDArray[np.int64]]
    judgements: NDArray[np.int64]
    literal: NDArray[np.bool_]
    faults: Mapping[int, tuple[Fault, ...]]
    refused: tuple[tuple[str, str], ...]
    refusals: Mapping[int, tuple[tuple[str, str], ...]]

    @property
    def expected(self) -> NDArray[np.int64]:
        """How many detections the semantics requires, shape (lanes,)."""
        return np.asarray(np.count_nonzero(self.starts >= 0, axis=0))

    @property
    def vacuous(self) -> NDArray[np.bool_]:
        """Whether there was nothing to detect, shape (lanes,)."""
        return np.asarray(self.expected == 0)

    def failing(self, detector: str) -> list[int]:
        """The lanes that a detector failed."""
        return sorted(
            lane
            for lane, faults in self.faults.items()
            if any(fault.detector == detector for fault in faults)
        )


def judge_group(
    seed: int, number: int, detectors: Mapping[str, AnyFactory], *, seconds: float = TIME_LIMIT
) -> GroupOutcome:
    """Generate a group and put it to detectors.

    Args:
        seed: the campaign's seed.
        number: the group's number, from 0.
        detectors: their factories by name.
        seconds: how long a detector may take for one trace; see also `PATIENCE`.
    """
    group = make_group(seed, number)
    planes = dict(zip(group.names, group.planes, strict=True))
    starts = greatest(lane_denotation(group.expression, planes, group.ticks))
    judging = _Judging(group, starts, seconds)
    few: dict[str, AnyFactory] = {}
    for name, factory in detectors.items():
        way = way_of(factory)
        if way is None:
            few[name] = factory
        else:
            judging.all_lanes(name, factory, way)
    judging.few_lanes(few)
    return judging.outcome()


@dataclass(frozen=True)
class _Broken:
    """How a detector broke down on a group."""

    kind: Kind
    detail: str


class _Replay:
    """Reports again what was reported of a lane."""

    def __init__(self, reports: Sequence[Interval]) -> None:
        self._reports = reports

    def detect_trace(self, trace: Sequence[Instant]) -> Iterable[Interval]:
        return self._reports


class _Judging:
    """The judgement of one group while it goes on."""

    def __init__(self, group: Group, starts: Starts, seconds: float) -> None:
        self.group = group
        self.starts = starts
        self.seconds = seconds
        self.detected: dict[str, NDArray[np.int64]] = {}
        self.judgements = np.zeros(len(group.lanes), np.int64)
        self.literal = np.zeros(len(group.lanes), np.bool_)
        self.faults: dict[int, list[Fault]] = {}
        self.refused: list[tuple[str, str]] = []
        self.refusals: dict[int, tuple[tuple[str, str], ...]] = {}
        self.known: dict[tuple[str, Kind], tuple[str, bool]] = {}

    def outcome(self) -> GroupOutcome:
        """What came of it."""
        return GroupOutcome(
            self.group,
            self.starts,
            self.detected,
            self.judgements,
            self.literal,
            {lane: tuple(faults) for lane, faults in sorted(self.faults.items())},
            tuple(self.refused),
            self.refusals,
        )

    def all_lanes(self, name: str, factory: AnyFactory, way: Way) -> None:
        """Put all lanes to a detector at once."""
        reported = self.attempt(factory, way, self.group)
        if isinstance(reported, str):
            self.refused.append((name, reported))
            return
        if isinstance(reported, _Broken):
            lane = self.breaking(factory, way, reported)
            self.judgements[lane] += 1
            self.fault(lane, self.explained(self.group.case(lane), name, factory, reported))
            return
        self.judgements += 1
        self.detected[name] = np.count_nonzero(reported != NOTHING, axis=0)
        for lane in np.flatnonzero(np.any(reported != self.starts, axis=0)).tolist():
            self.fault(lane, self.failed(lane, name, factory, reported[:, lane]))

    def attempt(self, factory: AnyFactory, way: Way, group: Group) -> Reported | _Broken | str:
        """What a detector reports of a group, how it breaks down, or why it does not take it."""
        try:
            with time_limit(PATIENCE * self.seconds):
                return way(factory, group)
        except LimitExceeded as error:
            return error.reason
        except TimeUp:
            return _Broken(Kind.TIMEOUT, f"not finished after {PATIENCE * self.seconds:g} seconds")
        except MemoryError:
            return _Broken(Kind.MEMORY, "it asked for more memory than it may have")
        except (Exception, SystemExit) as error:  # whatever a detector raises is a result of the campaign
            text = " ".join(str(error).split())
            return _Broken(Kind.CRASH, f"{type(error).__name__}: {text}" if text else type(error).__name__)

    def breaking(self, factory: AnyFactory, way: Way, broken: _Broken) -> int:
        """A lane at which a detector breaks down, as far as halving the group tells; the first one otherwise."""
        first, stop = 0, len(self.group.lanes)
        while broken.kind is Kind.CRASH and stop - first > 1:
            middle = (first + stop) // 2
            for half in (slice(first, middle), slice(middle, stop)):
                part = replace(
                    self.group,
                    lanes=self.group.lanes[half],
                    planes=np.ascontiguousarray(self.group.planes[:, half]),
                )
                if isinstance(self.attempt(factory, way, part), _Broken):
                    first, stop = half.start, half.stop
                    break
            else:
                break
        return first

    def failed(self, lane: int, name: str, factory: AnyFactory, reported: NDArray[np.int32]) -> Fault:
        """How a detector fails a lane.

        The first one that fails in a way is judged alone as well. The others have the same expression, and what was
        found there is not looked for again: whether a case fails alone, and the operators at fault.
        """
        case = self.group.case(lane)
        column = enumerate(reported.tolist())
        reports = [Interval(start, end) for end, start in column if start != NOTHING]
        verdict = judge(case, lambda _: _Replay(reports), seconds=self.seconds)
        if verdict.kind is None:
            return _disagreement(case, name)
        known = self.known.get((name, verdict.kind))
        if known is None:
            fault = self.explained(case, name, factory, _Broken(verdict.kind, verdict.detail))
            known = self.known[name, verdict.kind] = fault.path, fault.detail.endswith(BESIDE)
            return fault
        path, beside = known
        return Fault(name, MEANING, verdict.kind, verdict.detail + BESIDE * beside, path)

    def explained(self, case: Case, name: str, factory: AnyFactory, broken: _Broken) -> Fault:
        """How a detector fails a case: alone if it does, otherwise as it did with the others."""
        alone = judge_case(case, {name: factory}, seconds=self.seconds).faults
        if alone:
            return alone[0]
        path = operator_path(case, broken.kind, lambda part: judge(part, factory, seconds=self.seconds))
        return Fault(name, MEANING, broken.kind, broken.detail + BESIDE, path)

    def few_lanes(self, detectors: Mapping[str, AnyFactory]) -> None:
        """Put a few lanes to detectors, as any other case, and to the ordinary semantics in any case."""
        source = Source(f"few:{self.group.seed}:{self.group.number}")
        for lane in sorted({source.below(LANES) for _ in range(FEW)}):
            case = self.group.case(lane)
            judged = judge_case(case, detectors, seconds=self.seconds)
            self.judgements[lane] += judged.judgements
            self.literal[lane] = bool(detectors) and judged.meaning.instances is not None
            for fault in judged.faults:
                self.fault(lane, fault)
            if judged.refusals:
                self.refusals[lane] = judged.refusals
            column = enumerate(self.starts[:, lane].tolist())
            if judged.meaning.expected != tuple(Interval(start, end) for end, start in column if start >= 0):
                self.fault(lane, _disagreement(case, "semantics"))

    def fault(self, lane: int, fault: Fault) -> None:
        """Note a fault."""
        self.faults.setdefault(lane, []).append(fault)


def _disagreement(case: Case, name: str) -> Fault:
    detail = "the semantics over arrays requires other detections than the one over matrices"
    passed = Verdict(None, "", ())
    path = operator_path(case, Kind.DISAGREEMENT, lambda _: passed)
    return Fault(name, MEANING, Kind.DISAGREEMENT, detail, path)
