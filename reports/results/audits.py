"""Audits of the proofs and checks of the checkers, as values."""

from __future__ import annotations

from dataclasses import dataclass

from reports.results.parts import Part, Record


@dataclass(frozen=True, slots=True)
class CommittedRecord(Part):
    """Whether the obligations are those of the committed record of proofs; None if they were not compared."""

    same: bool | None = None
    differences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A check that shows an erratum."""

    check: str = ""
    about: str = ""
    expected: str = ""
    found: str = ""
    as_claimed: bool = False


@dataclass(frozen=True, slots=True)
class Erratum:
    """A place of the source that is wrong or was in doubt, with evidence."""

    id: str = ""
    place: str = ""
    kind: str = ""
    origin: str = ""
    printed: str = ""
    problem: str = ""
    reading: str = ""
    as_claimed: bool = False
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Wording:
    """A slip of language in the source."""

    place: str = ""
    printed: str = ""
    reading: str = ""


@dataclass(frozen=True, slots=True)
class NeighbourCounts(Part):
    """How many neighbours a claim has, and what became of them."""

    id: str = ""
    statement: str = ""
    total: int = 0
    refuted: int = 0
    true: int = 0
    open: int = 0


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A neighbour of a claim that is proved."""

    id: str = ""
    statement: str = ""
    changed: str = ""


@dataclass(frozen=True, slots=True)
class Neighbours(Part):
    """Claims with exactly one thing changed; `examples` are counterexamples of some that are refuted."""

    claims: tuple[NeighbourCounts, ...] = ()
    true: tuple[Neighbour, ...] = ()
    examples: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class Alteration:
    """A definition with one comparison changed, and the claim that fails under it; empty if none does."""

    id: str = ""
    name: str = ""
    what: str = ""
    claim: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class NeededAxioms:
    """A smallest set of axioms with which a claim is still proved."""

    id: str = ""
    needs: tuple[str, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Axioms(Part):
    """What each claim needs to be assumed of instances."""

    axioms: tuple[str, ...] = ()
    rows: tuple[NeededAxioms, ...] = ()


@dataclass(frozen=True, slots=True)
class Spread:
    """What became of the variants of one obligation with one solver; costs are None where no variant was proved."""

    id: str = ""
    solver: str = ""
    success: int = 0
    median: int | None = None
    worst: int | None = None

    @property
    def ratio(self) -> float | None:
        """The worst cost by the median; None if it is not known."""
        return self.worst / self.median if self.median and self.worst is not None else None


@dataclass(frozen=True, slots=True)
class Unstable:
    """An obligation that a solver did not prove in every variant."""

    id: str = ""
    solver: str = ""


@dataclass(frozen=True, slots=True)
class Stability(Part):
    """Whether proofs survive reordering and renaming; None if that was not tried."""

    variants: int = 0
    ok: bool | None = None
    unit: str = "rlimit"
    rows: tuple[Spread, ...] = ()
    unstable: tuple[Unstable, ...] = ()


@dataclass(frozen=True, slots=True)
class SolverShare:
    """What one solver was asked and proved."""

    solver: str = ""
    proofs: int = 0
    asked: int = 0
    seconds: float = 0


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An obligation about which two solvers contradict each other."""

    id: str = ""
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.id}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Solvers(Part):
    """All solvers of a run."""

    rows: tuple[SolverShare, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """A checker that was given something wrong; `mutant:…` is a wrong detector."""

    id: str = ""
    what: str = ""
    ok: bool = False
    detail: str = ""

    @property
    def mutant(self) -> str:
        """The name of the wrong detector; empty if it is another check."""
        return self.id.removeprefix("mutant:") if self.id.startswith("mutant:") else ""
