"""Deciding the neighbours of claims: each is refuted by a replayed trace, or proved as a law of its own, or open.

Truth tables over up to three occurrences come first and refute most. What survives is given to the solver, and what it
proves is evaluated once more by tables, over traces of four occurrences of one event type: the two engines must not
contradict each other. Neighbours that say the same up to names are decided once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context

from laws.carlson_lisper.altered.neighbours import Neighbour, canonical
from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample
from laws.carlson_lisper.checks.smallest import smallest_counterexample, smallest_of_one_type
from laws.carlson_lisper.checks.truth_tables import MAX_TABLE_BITS
from laws.carlson_lisper.claims import EquationClaim
from laws.standings import Standing, weakest
from smt.carlson_lisper.law_proofs import prove
from smt.solvers.portfolio import Participant, Portfolio
from smt.solvers.z3_solver import Z3

CROSS_CHECK = 4
"""How many occurrences the tables for one event type range over once a solver has proved something."""

RESTRICTION_BITS = 18
"""The logarithm of the longest truth table for a claim about restrictions; proofs take less time than longer ones."""

CHUNK = 40
"""How many neighbours a process is given at once."""

MAX_EXAMPLES = 2
"""How many refuted neighbours of a claim are listed with their counterexamples."""


@dataclass(frozen=True)
class Decision:
    """What became of a neighbour.

    Attributes:
        standing: refuted, or proved for all event streams; anything else leaves it open.
        same_as: the id of the neighbour that says the same and was decided; empty for one that was decided itself.
    """

    neighbour: Neighbour
    standing: Standing
    counterexample: Counterexample | RestrictionCounterexample | None = None
    same_as: str = ""
    reason: str = ""

    @property
    def open(self) -> bool:
        """Whether it is neither refuted nor proved."""
        return self.standing is not Standing.REFUTED and not self.standing.unbounded


def decide(neighbour: Neighbour, solver: Participant | Portfolio) -> Decision:
    """Refute or prove one neighbour."""
    claim, operators = neighbour.claim, neighbour.operators
    bits = MAX_TABLE_BITS if isinstance(claim, EquationClaim) else RESTRICTION_BITS
    tables = smallest_counterexample(claim, operators, max_bits=bits)
    if tables.unconfirmed:
        reason = "the truth tables found a failure that the executable semantics does not confirm"
        return Decision(neighbour, Standing.DISAGREEMENT, reason=reason)
    if tables.counterexample is not None:
        found = tables.counterexample
        return Decision(neighbour, Standing.REFUTED, found, reason=found.summary())
    result = prove(claim, solver, operators=operators)
    if result.standing is Standing.REFUTED:
        refuting = result.counterexample
        assert isinstance(refuting, Counterexample | RestrictionCounterexample)
        return Decision(neighbour, Standing.REFUTED, refuting, reason=result.reason)
    if result.standing.unbounded and isinstance(claim, EquationClaim):
        contradicting = smallest_of_one_type(claim, CROSS_CHECK, CROSS_CHECK - 1, operators)
        if contradicting is not None:
            reason = f"the solver proved what a replayed trace contradicts: {contradicting.summary()}"
            return Decision(neighbour, Standing.DISAGREEMENT, contradicting, reason=reason)
    return Decision(neighbour, result.standing, reason=result.reason)


def decide_all(
    neighbours: Iterable[Neighbour],
    *,
    jobs: int = 1,
    solver: Callable[[], Participant | Portfolio] = Z3,
    progress: Callable[[int], None] = lambda decided: None,
) -> tuple[Decision, ...]:
    """Decide neighbours, each distinct statement once.

    Args:
        jobs: the number of processes; with 1, or where there is little to do, everything happens in this one.
        solver: makes the solver, in each process anew.
        progress: called with the number of statements decided so far.

    Returns:
        The decisions in the order of the neighbours.
    """
    listed = list(neighbours)
    keys = [canonical(neighbour) for neighbour in listed]
    first: dict[object, Neighbour] = {}
    for key, neighbour in zip(keys, listed, strict=True):
        first.setdefault(key, neighbour)
    distinct = list(first.values())
    chunks = [distinct[place : place + CHUNK] for place in range(0, len(distinct), CHUNK)]
    made: dict[str, Decision] = {}

    def collect(decisions: Iterable[Decision]) -> None:
        made.update((decision.neighbour.id, decision) for decision in decisions)
        progress(len(made))

    if jobs == 1 or len(chunks) == 1:
        for chunk in chunks:
            collect(decide_chunk(chunk, solver))
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            for decisions in pool.map(decide_chunk, chunks, [solver] * len(chunks)):
                collect(decisions)
    decided = {key: made[neighbour.id] for key, neighbour in first.items()}
    return tuple(_for(neighbour, decided[key]) for key, neighbour in zip(keys, listed, strict=True))


def decide_chunk(
    neighbours: Sequence[Neighbour], solver: Callable[[], Participant | Portfolio]
) -> list[Decision]:
    """Decide some neighbours one after the other; what goes in and comes out can be sent to another process."""
    engine = solver()
    return [decide(neighbour, engine) for neighbour in neighbours]


def _for(neighbour: Neighbour, decision: Decision) -> Decision:
    if decision.neighbour.id == neighbour.id:
        return decision
    return replace(decision, neighbour=neighbour, same_as=decision.neighbour.id)


# ------------------------------------------------------------------------------------------------------ the table


@dataclass(frozen=True)
class NeighbourRow:
    """The neighbours of one claim.

    Attributes:
        proved: how many were proved for all event streams: true laws of their own.
        standing: refuted if all are decided and some are refuted; else the worst of what is open, or unknown if
            none was refuted, since then nothing false was noticed.
        examples: some refuted ones with counterexamples of their own, those with the most occurrences first.
    """

    claim: str
    neighbours: int
    refuted: int
    proved: int
    open: int
    standing: Standing
    examples: tuple[Decision, ...]


def neighbour_table(decisions: Iterable[Decision]) -> tuple[NeighbourRow, ...]:
    """The decisions as one row per claim, in their order."""
    by_claim: dict[str, list[Decision]] = {}
    for decision in decisions:
        by_claim.setdefault(decision.neighbour.of, []).append(decision)
    return tuple(_row(claim, own) for claim, own in by_claim.items())


def _row(claim: str, decisions: Sequence[Decision]) -> NeighbourRow:
    refuted = [decision for decision in decisions if decision.standing is Standing.REFUTED]
    proved = [decision for decision in decisions if decision.standing.unbounded]
    open_ones = [decision for decision in decisions if decision.open]
    own = [decision for decision in refuted if not decision.same_as]
    return NeighbourRow(
        claim=claim,
        neighbours=len(decisions),
        refuted=len(refuted),
        proved=len(proved),
        open=len(open_ones),
        standing=_standing(refuted, open_ones),
        examples=tuple(sorted(own, key=_occurrences, reverse=True)[:MAX_EXAMPLES]),
    )


def _standing(refuted: Sequence[Decision], open_ones: Sequence[Decision]) -> Standing:
    if open_ones:
        return weakest(
            Standing.UNKNOWN if decision.standing is Standing.TESTED else decision.standing
            for decision in open_ones
        )
    return Standing.REFUTED if refuted else Standing.UNKNOWN


def _occurrences(decision: Decision) -> int:
    found = decision.counterexample
    match found:
        case Counterexample():
            return len(found.trace)
        case RestrictionCounterexample():
            return len({o for stream in found.streams.values() for i in stream for o in i.occurrences})
        case None:
            return 0
