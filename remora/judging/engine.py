"""The engine of judging: cases put to detectors within a budget, counted as checks, with failures made small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf

from campaigns.judging.rounds import rounds
from campaigns.judging.verdicts import BLOCKING, Kind
from laws.standings import Standing
from remora.judging.cases import RANDOM, RELATION, Cases
from remora.judging.findings import Examiner
from remora.judging.results import Check, Outcome

AFTER_FAILURE = 5.0
"""How long a stage goes on after its first failure where there is a budget, in seconds: the answer is known, other
causes may be."""

EXAMINED = 5
"""So many failures of a detector are made small in each stage, one of each cause."""

TOO_SHORT = "not one case within the budget"
AFTER_A_FAILURE = "not one case: the stage ended soon after a failure"
AFTER_A_LOSS = "not one case: the stage ended where a detector blocked, overfilled or ended its process"


class Engine(Examiner):
    """Detectors to which cases are put, and everything that was found wrong with them."""

    def put(
        self,
        stage: str,
        kinds: Sequence[Cases],
        places: Iterable[int],
        *,
        names: Sequence[str] = (),
        until: float = inf,
        stop_after: int | None = None,
        progress: Callable[[int], None] = lambda cases: None,
    ) -> list[Check]:
        """Put cases to all detectors: the places in the sequence that takes one case of each kind in turn.

        Args:
            kinds: the kinds of cases; place p is case p // n of kind p % n, where n is their number.
            names: what the checks are about; by default the names of the kinds.
            until: when to stop, on the clock of `time.monotonic`.
            stop_after: after so many failures the rest is left out, and each of them is made small; None to go on for
                `AFTER_FAILURE` where there is a budget, and to make one of each cause small.

        Returns:
            A check for each name and detector.
        """
        tally = Tally(stage, every=stop_after is not None)

        def work(some: Sequence[int], apart: bool) -> Iterator[tuple[Outcome, ...]]:
            for place in some:
                number, kind = divmod(place, len(kinds))
                found = kinds[kind].outcomes(number, self.detectors, seconds=self.seconds, apart=apart)
                # A verdict may hold what cannot leave its process; it is judged again anyway.
                yield tuple(one._replace(verdict=None) if self.apart else one for one in found)

        patience = self.seconds * len(self.detectors)
        done: Iterable[Sequence[tuple[Outcome, ...]]] = (
            rounds(work, places, until=until, seconds=patience)
            if self.apart
            else (list(work([place], False)) for place in places)
        )
        of_name = {each.name: each for each in kinds}
        for rows in done:
            for outcome in tally.add(rows):
                cases = of_name.get(outcome.name, kinds[0])
                self.examine(stage, cases, outcome)
                if self.clock.seconds is not None:
                    until = min(until, self.clock.now() + AFTER_FAILURE)
            progress(tally.cases)
            if tally.failures >= (stop_after or inf) or tally.blocked or self.clock.now() > until:
                break
        return [tally.check(name, detector) for name in names or of_name for detector in self.detectors]


def standing_of(kinds: Iterable[Kind | None]) -> Standing:
    """How a detector stands after cases that failed in these ways."""
    found = set(kinds)
    if Kind.DISAGREEMENT in found:
        return Standing.DISAGREEMENT
    return Standing.REFUTED if found else Standing.TESTED


def none_taken(refused: int, reason: str) -> str:
    """What to say where every case was refused."""
    return f"the detector took none of {refused:,} cases{': ' if reason else ''}{reason}"


class Tally:
    """The outcomes of a stage, counted."""

    def __init__(self, stage: str, *, every: bool = False) -> None:
        """With none; `every` failure is worth a closer look, or `EXAMINED` of each detector, one of each cause."""
        self._stage = stage
        self._every = every
        self._outcomes = dict[tuple[str, str], Counter[str]]()
        self._refusals = dict[tuple[str, str], Counter[str]]()
        self._failed = dict[tuple[str, str], list[Outcome]]()
        self._causes = set[tuple[object, ...]]()
        self._asked = Counter[str]()
        self.cases = 0
        self.blocked = False

    @property
    def failures(self) -> int:
        """How many outcomes are failures."""
        return sum(map(len, self._failed.values()))

    def add(self, rows: Sequence[Sequence[Outcome]]) -> Iterator[Outcome]:
        """Count what came of some cases; gives the failures that are worth a closer look."""
        self.cases += len(rows)
        for outcome in (outcome for row in rows for outcome in row):
            key = outcome.name, outcome.detector
            counts = self._outcomes.setdefault(key, Counter())
            counts["refused" if outcome.refused else "tried"] += 1
            counts["vacuous"] += outcome.vacuous
            if outcome.refused:
                self._refusals.setdefault(key, Counter())[outcome.detail] += 1
            if outcome.kind is None:
                continue
            self.blocked |= outcome.kind in BLOCKING
            self._failed.setdefault(key, []).append(outcome)
            cause = (*key, outcome.path, outcome.kind) if outcome.path else key
            if self._every or (cause not in self._causes and self._asked[outcome.detector] < EXAMINED):
                self._asked[outcome.detector] += 1
                yield outcome
            self._causes.add(cause)

    def check(self, name: str, detector: str) -> Check:
        """What became of the cases of a name."""
        counts = self._outcomes.get((name, detector), Counter())
        failed = self._failed.get((name, detector), [])
        tried, refused = counts["tried"], counts["refused"]
        reasons = self._refusals.get((name, detector), Counter())
        reason = next((reason for reason, _ in reasons.most_common() if reason), "")
        standing: Standing | None = standing_of(outcome.kind for outcome in failed)
        said = f"in {counts['vacuous']} of them nothing was to be detected" if counts["vacuous"] else ""
        if failed:
            said = f"{len(failed):,} of {tried:,} cases failed: {failed[0].detail}"
        elif not tried and refused:
            standing, said = (Standing.UNKNOWN if name == RANDOM else None), none_taken(refused, reason)
        elif not tried and name.startswith(RELATION):
            standing, said = None, f"not one of {self.cases:,} cases has it"
        elif not tried:
            # After a failure the answer is known; before one, a law without a case is a gap.
            standing = None if self._failed else Standing.UNKNOWN
            said = AFTER_A_LOSS if self.blocked else AFTER_A_FAILURE if self._failed else TOO_SHORT
        return Check(self._stage, name, detector, standing, tried, said, refused, reason, len(failed))
