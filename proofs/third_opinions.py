"""Third opinions: what a first-order prover says to obligations, beside what is known of them."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from laws.standings import Standing
from proofs.names import row_id
from smt.attempts import ClaimResult, ObligationResult
from smt.first_order.provers import Installed, Opinion, asked

PROCESSES = 2
"""How many obligations are put to the prover at the same time."""

SATISFIABLE = "satisfiable"
"""What is assumed can be true: that was shown on streams or on a run."""


@dataclass(frozen=True)
class ThirdOpinion:
    """What the prover says to one obligation.

    Attributes:
        id: the obligation's name in the record.
        false: whether it is one of a claim that is known to be false.
        disagreement: what that contradicts; "" if nothing.
    """

    id: str
    claim: str
    false: bool
    opinion: Opinion
    disagreement: str


@dataclass(frozen=True)
class ThirdOpinions:
    """What a prover says to the obligations of claims and of false equations.

    Attributes:
        prover: its name and version.
        limit: how far it went with each, in words.
    """

    prover: str
    limit: str
    opinions: tuple[ThirdOpinion, ...]

    @property
    def disagreements(self) -> list[str]:
        """What it says against what is known, each with the obligation."""
        return [f"{each.id}: {each.disagreement}" for each in self.opinions if each.disagreement]

    def counts(self) -> dict[str, Counter[str]]:
        """By the kind of claim, and `canary` for false ones, how often it said what."""
        found: dict[str, Counter[str]] = {}
        for each in self.opinions:
            kind = "canary" if each.false else each.claim.partition(":")[0]
            found.setdefault(kind, Counter())[each.opinion.outcome] += 1
        return found


def third_opinions(
    results: Sequence[ClaimResult],
    canaries: Sequence[ClaimResult],
    prover: Installed,
    progress: Callable[[str], None] = lambda _: None,
) -> ThirdOpinions:
    """Put every obligation of claims to a prover, and of false equations what is false in them; and compare.

    Raises:
        OSError: it cannot be started.
        KeyboardInterrupt: the user interrupted it; the prover is stopped.
    """
    parts = [
        (result, part, false)
        for false, several in ((False, results), (True, canaries))
        for result in several
        for part in result.obligations
        if not (false and part.standing.unbounded)
    ]
    with tempfile.TemporaryDirectory() as folder:

        def put(number: int) -> Opinion:
            obligation = parts[number][1].obligation
            said = asked(prover, obligation.text, Path(folder, f"{number}.p"))
            progress(row_id(obligation))
            return said

        with ThreadPoolExecutor(PROCESSES) as threads:
            said = list(threads.map(put, range(len(parts))))
    proved = [id(part) for (_, part, _), opinion in zip(parts, said, strict=True) if opinion.proved]
    opinions = (
        ThirdOpinion(
            row_id(part.obligation),
            result.claim.id,
            false,
            opinion,
            contradicted(part, opinion) or _refuted_as_a_whole(result, proved),
        )
        for (result, part, false), opinion in zip(parts, said, strict=True)
    )
    return ThirdOpinions(prover.name, prover.prover.limit, tuple(opinions))


def contradicted(part: ObligationResult, opinion: Opinion) -> str:
    """What an opinion contradicts of what is known of an obligation; "" if nothing.

    What neither side decided contradicts nothing. A prover that is told less of the numbers than is true of them can
    prove nothing that is false of them.
    """
    models = [each.solver for each in part.opinions if each.status == "sat"]
    if opinion.proved and part.standing is Standing.REFUTED:
        return "proved, where a counterexample was replayed"
    if opinion.proved and models:
        return f"proved, where {models[0]} has a model of the denial"
    if opinion.outcome == "contradictory" and part.hypotheses == SATISFIABLE:
        return "proved from what is assumed alone, which was shown to be possible"
    if opinion.outcome == "refuted" and part.standing.unbounded:
        return f"refuted, where {part.solver} has a proof"
    return ""


def _refuted_as_a_whole(result: ClaimResult, proved: Collection[int]) -> str:
    """Whether all parts of a claim are proved of which one, and it is not known which, is contradicted by a trace."""
    known = [part.standing for part in result.obligations]
    wholly = all(id(part) in proved for part in result.obligations)
    open_ = Standing.REFUTED not in known and not all(each.unbounded for each in known)
    return (
        "proved with all other parts, where a counterexample of the claim was replayed"
        if result.standing is Standing.REFUTED and open_ and wholly
        else ""
    )
