"""Whole logs, put to a detector once; where it is wrong, the shortest beginning that shows it, and the end of that."""

from collections.abc import Iterator
from dataclasses import replace

from campaigns.judging.verdicts import BLOCKING, Verdict
from campaigns.systems import AnyCase, CasesOfSystem, Factory

SECONDS_PER_INSTANT = 1e-3  # The time limit for an instant of a long log
WINDOWS = (60, 250, 1000, 2500)  # So many events before a difference are put to the detector again


def time_for(case: AnyCase, seconds: float) -> float:
    """How long a detector may take for a log, in seconds."""
    instants: int = case.features.instants
    return max(seconds, SECONDS_PER_INSTANT * instants)


def whole(system: CasesOfSystem, case: AnyCase, factory: Factory, seconds: float) -> Verdict:
    """The verdict on a fresh detector over a whole log, without its reports, which may be unable to leave a process."""
    return replace(system.beside(case, factory, seconds), detected=(), fed=None)


def shortest(system: CasesOfSystem, case: AnyCase, factory: Factory, seconds: float, *, defined: bool) -> AnyCase:
    """The shortest beginning of a log at which a detector fails, if it fails at all longer ones."""

    def fails(length: int) -> bool:
        kind = system.beside(system.part(case, 0, length), factory, seconds, defined=defined).kind
        return kind is not None and kind not in BLOCKING

    passed, failed = 0, min(WINDOWS[0], case.features.events)
    while failed < case.features.events and not fails(failed):
        passed, failed = failed, min(2 * failed, case.features.events)
    while failed - passed > 1:
        middle = (passed + failed) // 2
        passed, failed = (passed, middle) if fails(middle) else (middle, failed)
    return system.part(case, 0, failed)


def ends(system: CasesOfSystem, case: AnyCase) -> Iterator[AnyCase]:
    """The ends of a beginning that shows a failure, which are short enough for the definition, the shortest first."""
    size = case.features.events
    for length in WINDOWS:
        yield system.part(case, max(0, size - length), size)
        if length >= size:
            return
