"""Standing of a claim: what is known about it, and how a run as a whole ends."""

from collections.abc import Iterable
from enum import Enum


class Standing(Enum):
    """Standing of a claim, from the best to the worst; those before `tested` are results for all event streams."""

    KERNEL_CHECKED = "kernel-checked"
    CERTIFIED = "certified"
    AGREED = "agreed"
    PROVED = "proved"
    COMPUTED = "computed"
    TESTED = "tested"
    UNKNOWN = "unknown"
    REFUTED = "refuted"
    ERROR = "error"
    DISAGREEMENT = "disagreement"

    @property
    def unbounded(self) -> bool:
        """Whether the standing is a proof, rather than the outcome of finitely many cases."""
        return list(Standing).index(self) < list(Standing).index(Standing.TESTED)


def as_expected(standing: Standing, expected: Standing) -> bool:
    """Whether a claim stands as it should: where a proof is expected, any kind of proof will do."""
    return standing.unbounded if expected.unbounded else standing is expected


def weakest(standings: Iterable[Standing]) -> Standing:
    """The standing of a claim all of whose parts must hold: that of its weakest part; unknown if there is none.

    What was computed takes nothing from what the other parts stand for.
    """
    found = list(standings)
    asked = [each for each in found if each is not Standing.COMPUTED] or found
    return max(asked, key=list(Standing).index, default=Standing.UNKNOWN)


class ExitStatus(int, Enum):
    """How a command ends."""

    AS_CLAIMED = 0
    REFUTED = 1
    BAD_INPUT = 2
    INCONCLUSIVE = 3
    DISAGREEMENT = 4
    INFRASTRUCTURE = 5


_STATUS = {
    Standing.REFUTED: ExitStatus.REFUTED,
    Standing.UNKNOWN: ExitStatus.INCONCLUSIVE,
    Standing.DISAGREEMENT: ExitStatus.DISAGREEMENT,
    Standing.ERROR: ExitStatus.INFRASTRUCTURE,
}


def exit_status(standings: Iterable[Standing]) -> ExitStatus:
    """The exit status of a run that ended with these standings, that of the worst; of nothing it is inconclusive."""
    return _STATUS.get(weakest(standings), ExitStatus.AS_CLAIMED)
