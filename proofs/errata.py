"""Outcomes of the evidence for errata, of any system.

python -m proofs.errata SYSTEM      carry out all evidence of a system and print what came out
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol, cast

from laws.errata import Erratum, Evidence, errata_of
from semantics.systems import system_of, systems_in
from smt.solvers.portfolio import Z3, Solver

BUDGET = 1_000_000  # The work for one question, in units of the solver


@dataclass(frozen=True)
class EvidenceResult:
    """What came out of a check."""

    check: str
    about: str
    expected: str
    found: str
    as_claimed: bool


@dataclass(frozen=True)
class ErratumResult:
    """An erratum with what came out of its evidence."""

    erratum: Erratum
    evidence: tuple[EvidenceResult, ...]

    @property
    def as_claimed(self) -> bool:
        """Whether there is evidence, and all of it comes out as claimed."""
        return bool(self.evidence) and all(result.as_claimed for result in self.evidence)

    def to_data(self) -> dict[str, Any]:
        """The result as plain data, for reports."""
        names = ("id", "place", "kind", "origin", "printed", "problem", "reading")
        said = {name: getattr(self.erratum, name) for name in names}
        return {**said, "as_claimed": self.as_claimed, "evidence": [asdict(each) for each in self.evidence]}


class ErrataOfSystem(Protocol):
    """The evidence for a system's errata; a module with this function is one."""

    def examined(self, evidence: Evidence, solver: Solver) -> EvidenceResult:
        """Carry out evidence, given who decides what follows; `InputError` where there is no such check."""


def check_errata(system: str, solver: Solver, chosen: Iterable[Erratum] | None = None) -> tuple[ErratumResult, ...]:
    """Carry out the evidence of errata of a system, of all unless some are chosen; `InputError` for an unknown one."""
    examined = cast(ErrataOfSystem, system_of(system).module("errata")).examined
    return tuple(
        ErratumResult(erratum, tuple(examined(each, solver) for each in erratum.evidence))
        for erratum in (errata_of(system) if chosen is None else chosen)
    )


def check_every_erratum(solver: Solver) -> tuple[ErratumResult, ...]:
    """The errata of all systems, in the order of the registry."""
    return tuple(result for name in systems_in("errata") for result in check_errata(name, solver))


def follows(details: Mapping[str, Any], solver: Solver) -> EvidenceResult:
    """Whether a formula about integers follows from others."""
    lines = ["(set-logic QF_LIA)", *(f"(declare-const {name} Int)" for name in details["stamps"])]
    lines += [f"(assert {one})" for one in details["given"]]
    text = "\n".join([*lines, f"(assert (not {details['says']}))", "(check-sat)"]) + "\n"
    status = solver.check(text, rlimit=BUDGET).status
    found = {"unsat": "follows", "sat": "does not follow"}.get(status, "not decided")
    about = f"{details['says']} from {' '.join(details['given']) or 'nothing'}"
    return EvidenceResult("follows", about, details["expect"], found, found == details["expect"])


def main(system: str, solver: Solver) -> int:
    """Carry out all evidence of a system and print what came out; 1 if something does not come out as claimed."""
    results = check_errata(system, solver)
    for result in results:
        mark = "shown " if result.as_claimed else "FAILED"
        print(f"{mark} {result.erratum.kind:18} {result.erratum.id}: {result.erratum.place}")
        for one in result.evidence:
            print(f"         {'' if one.as_claimed else 'NOT AS CLAIMED '}{one.check}: {one.about}")
            print(f"           {one.expected} -> {one.found}")
    return int(not all(result.as_claimed for result in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Z3()))
