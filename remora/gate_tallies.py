"""Outcomes of many cases counted, as the checks that a gate reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from campaigns.judge import Kind
from campaigns.judgements import BLOCKING, MEANING, Cause
from campaigns.relations.suite import LawOutcome
from campaigns.rows import Row
from campaigns.settings import Settings
from laws.standings import Standing
from remora.gate_results import Check

TOO_SHORT = "not one case within the budget"


def standing_of(kinds: Iterable[Kind | None]) -> Standing:
    """How a detector stands after cases that failed in these ways."""
    found = set(kinds)
    if Kind.DISAGREEMENT in found:
        return Standing.DISAGREEMENT
    return Standing.REFUTED if found else Standing.TESTED


class SuiteTally:
    """The outcomes of the law suite, or of another stage whose cases have names."""

    def __init__(self, stage: str, examined: int) -> None:
        """For a stage; so many failures of each detector are to be examined."""
        self._stage = stage
        self._examined = examined
        self._tried = Counter[tuple[str, str]]()
        self._refused = Counter[tuple[str, str]]()
        self._vacuous = Counter[tuple[str, str]]()
        self._failed = dict[tuple[str, str], list[LawOutcome]]()
        self._asked = Counter[str]()
        self.cases = 0
        self.blocked = False

    def add(self, rows: Sequence[tuple[LawOutcome, ...]]) -> Iterator[LawOutcome]:
        """Count what came of some cases; gives the failures that are worth a closer look."""
        self.cases += len(rows)
        for outcome in (outcome for row in rows for outcome in row):
            key = outcome.law, outcome.detector
            self._tried[key] += not outcome.refused
            self._refused[key] += outcome.refused
            self._vacuous[key] += outcome.vacuous
            if outcome.kind is None:
                continue
            self.blocked |= outcome.kind in BLOCKING
            self._failed.setdefault(key, []).append(outcome)
            if len(self._failed[key]) == 1 and self._asked[outcome.detector] < self._examined:
                self._asked[outcome.detector] += 1
                yield outcome

    def check(self, law: str, detector: str) -> Check:
        """What became of a law."""
        key = law, detector
        tried, failed = self._tried[key], self._failed.get(key, [])
        if failed:
            said = f"{len(failed)} of {tried} cases failed: {failed[0].detail}"
            return Check(self._stage, law, detector, standing_of(each.kind for each in failed), tried, said)
        if not tried and self._refused[key]:
            said = f"the detector took none of {self._refused[key]} cases"
            return Check(self._stage, law, detector, None, 0, said)
        if not tried:
            # After a failure the answer is known; before one, a law without a case is a gap.
            return Check(self._stage, law, detector, None if self._failed else Standing.UNKNOWN, 0, TOO_SHORT)
        said = f"in {self._vacuous[key]} of them nothing was to be detected" if self._vacuous[key] else ""
        return Check(self._stage, law, detector, Standing.TESTED, tried, said)


class CampaignTally:
    """The rows of a campaign."""

    def __init__(self, settings: Settings, examined: int) -> None:
        """So many causes of failures are to be examined for each detector."""
        self._settings = settings
        self._examined = examined
        self._refused = Counter[str]()
        self._failed = Counter[tuple[str, str]]()
        self._relations = Counter[str]()
        self._causes = dict[Cause, int]()
        self._asked = Counter[str]()
        self.cases = 0
        self.blocked = False

    def add(self, rows: Sequence[Row]) -> Iterator[tuple[int, Cause, str]]:
        """Count some rows; gives the first case of each cause, with its detail."""
        self.cases += len(rows)
        for row in rows:
            self._relations[row.relation] += 1
            for refusal in row.refusals:
                self._refused[refusal["detector"]] += 1
            for each in row.failures:
                kind = Kind(each["kind"])
                cause = Cause(each["detector"], each["relation"], each["path"], kind)
                self._failed[cause.detector, cause.relation] += 1
                self.blocked |= kind in BLOCKING
                self._causes.setdefault(cause, row.case)
                if self._causes[cause] == row.case and self._asked[cause.detector] < self._examined:
                    self._asked[cause.detector] += 1
                    yield row.case, cause, each["detail"]

    def checks(self) -> list[Check]:
        """What became of each detector, by the semantics and by each relation."""
        return [check for name in self._settings.detectors for check in self._of(name)]

    def _of(self, detector: str) -> Iterator[Check]:
        refused = self._refused[detector]
        taken = self.cases - refused
        said = f"{refused} more were beyond its limits" if refused else ""
        if not self.cases:
            yield Check("campaign", "random cases", detector, Standing.UNKNOWN, 0, TOO_SHORT)
        elif not taken:
            said = f"the detector took none of {refused} cases"
            yield Check("campaign", "random cases", detector, Standing.UNKNOWN, 0, said)
        else:
            yield self._check("random cases", detector, MEANING, taken, said)
        for relation in self._settings.relations:
            tried = self._relations[relation]
            if tried and taken:
                yield self._check(f"relation:{relation}", detector, relation, tried, "")
            else:
                yield Check("campaign", f"relation:{relation}", detector, None, 0, TOO_SHORT)

    def _check(self, name: str, detector: str, relation: str, tried: int, said: str) -> Check:
        kinds = [c.kind for c in self._causes if (c.detector, c.relation) == (detector, relation)]
        failed = self._failed[detector, relation]
        parts = [f"{failed:,} of {tried:,} cases failed" if failed else "", said]
        detail = "; ".join(part for part in parts if part)
        return Check("campaign", name, detector, standing_of(kinds), tried, detail)
