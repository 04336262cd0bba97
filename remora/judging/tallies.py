"""Outcomes of many cases counted, as the checks that a gate reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from campaigns.carlson_lisper.relations.suite import LawOutcome
from campaigns.engine.rows import Row
from campaigns.engine.settings import Settings
from campaigns.judging.verdicts import BLOCKING, MEANING, Cause, Kind
from laws.standings import Standing
from remora.judging.results import Check

TOO_SHORT = "not one case within the budget"
AFTER_A_FAILURE = "not one case: the stage ended soon after a failure"
AFTER_A_LOSS = "not one case: the stage ended where a detector blocked, overfilled or ended its process"


class Refusals:
    """How often cases were refused by a key, and why."""

    def __init__(self) -> None:
        """With none."""
        self._reasons = dict[tuple[str, ...], Counter[str]]()

    def add(self, reason: str, *key: str) -> None:
        """One more."""
        self._reasons.setdefault(key, Counter())[reason] += 1

    def of(self, *key: str) -> int:
        """How many there are."""
        return self._reasons.get(key, Counter()).total()

    def reason(self, *key: str) -> str:
        """The most frequent reason that is known; "" for none."""
        known = [(reason, n) for reason, n in self._reasons.get(key, Counter()).most_common() if reason]
        return known[0][0] if known else ""

    def none_taken(self, *key: str) -> str:
        """What to say where nothing else was tried."""
        reason = self.reason(*key)
        return f"the detector took none of {self.of(*key):,} cases{': ' if reason else ''}{reason}"


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
        self._refused = Refusals()
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
            if outcome.refused:
                self._refused.add(outcome.detail, *key)
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
        refused, reason = self._refused.of(*key), self._refused.reason(*key)
        standing: Standing | None = Standing.TESTED
        said = f"in {self._vacuous[key]} of them nothing was to be detected" if self._vacuous[key] else ""
        if failed:
            standing = standing_of(each.kind for each in failed)
            said = f"{len(failed)} of {tried} cases failed: {failed[0].detail}"
        elif not tried and refused:
            standing, said = None, self._refused.none_taken(*key)
        elif not tried:
            # After a failure the answer is known; before one, a law without a case is a gap.
            standing = None if self._failed else Standing.UNKNOWN
            said = AFTER_A_LOSS if self.blocked else AFTER_A_FAILURE if self._failed else TOO_SHORT
        return Check(self._stage, law, detector, standing, tried, said, refused, reason)


class CampaignTally:
    """The rows of a campaign."""

    def __init__(self, settings: Settings, examined: int) -> None:
        """So many causes of failures are to be examined for each detector."""
        self._settings = settings
        self._examined = examined
        self._refused = Refusals()
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
                self._refused.add(refusal["reason"], refusal["detector"])
                self._refused.add(refusal["reason"], refusal["detector"], row.relation)
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
        refused, reason = self._refused.of(detector), self._refused.reason(detector)
        taken = self.cases - refused
        if taken:
            yield self._check("random cases", detector, MEANING, taken, refused, reason)
        else:
            said = self._refused.none_taken(detector) if refused else TOO_SHORT
            yield Check("campaign", "random cases", detector, Standing.UNKNOWN, 0, said, refused, reason)
        for relation in self._settings.relations:
            met, key = self._relations[relation], (detector, relation)
            refused = self._refused.of(*key)
            name, reason = f"relation:{relation}", self._refused.reason(*key)
            if met - refused:
                yield self._check(name, detector, relation, met - refused, refused, reason)
            else:
                said = (
                    self._refused.none_taken(*key) if refused else f"not one of {self.cases:,} cases has it"
                )
                yield Check("campaign", name, detector, None, 0, said, refused, reason)

    def _check(self, name: str, detector: str, relation: str, tried: int, refused: int, reason: str) -> Check:
        kinds = [c.kind for c in self._causes if (c.detector, c.relation) == (detector, relation)]
        failed = self._failed[detector, relation]
        detail = f"{failed:,} of {tried:,} cases failed" if failed else ""
        return Check("campaign", name, detector, standing_of(kinds), tried, detail, refused, reason)
