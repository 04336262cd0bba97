"""Claims with their obligations and tests, as values."""

from __future__ import annotations

from dataclasses import dataclass, field

from reports.results.parts import Part, Record


@dataclass(frozen=True, slots=True)
class Answer:
    """What one solver said to an obligation; counts of work (`rlimit`) of different solvers cannot be compared."""

    solver: str = ""
    strategy: str = ""
    status: str = ""
    seconds: float = 0
    rlimit: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Certificate(Part):
    """A certificate of an obligation, and whether an independent checker accepted it; None if it was not checked."""

    sha256: str = ""
    checked: bool | None = None
    detail: str = ""

    @property
    def state(self) -> str:
        """`accepted`, `rejected` or `not checked`."""
        return {True: "accepted", False: "rejected"}.get(self.checked, "not checked")  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Obligation:
    """A question whose proof is a part of the proof of a claim."""

    id: str = ""
    claim: str = ""
    direction: str = ""
    standing: str = "unknown"
    solver: str = ""
    seconds: float = 0
    rlimit: int = 0
    reason: str = ""
    hypotheses: str = ""
    axioms: tuple[str, ...] = ()
    time: str = ""
    sha256: str = ""
    size: int = 0
    answers: tuple[Answer, ...] = ()
    accepted_before: tuple[str, ...] = ()
    certificate: Certificate = Certificate()


@dataclass(frozen=True, slots=True)
class Test:
    """A claim tested on finitely many cases."""

    method: str = ""
    standing: str = "unknown"
    cases: int = 0
    bound: str = ""
    seconds: float = 0
    counterexample: Record = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim, or a false one, and what became of it."""

    id: str = ""
    kind: str = ""
    statement: str = ""
    condition: str = ""
    source: str = ""
    reading: str = ""
    note: str = ""
    expected: str = ""
    scheme: str = ""
    rests_on: tuple[str, ...] = ()
    trusts: tuple[str, ...] = ()
    not_in_dense_time: str = ""
    standing: str = "unknown"
    reason: str = ""
    seconds: float = 0
    searched_occurrences: int = 0
    obligations: tuple[Obligation, ...] = ()
    counterexample: Record = field(default_factory=dict)
    tests: tuple[Test, ...] = ()
    dense_time: str = ""
    ok: bool = False
    smtlib: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Definition:
    """The definition of an operator."""

    name: str = ""
    symbol: str = ""
    title: str = ""
    text: str = ""
    source: str = ""
