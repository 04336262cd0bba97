"""The evidence for the errata of Hinze and Voisard, carried out.

python -m proofs.hinze_voisard.errata      carry out all evidence and print what came out
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from laws.errata import Evidence
from proofs.errata import EvidenceResult, Examiner, check_errata, follows, printed
from semantics.errors import InputError
from semantics.events import Event, Time
from semantics.hinze_voisard.evaluation import Found, continuously, evaluated
from semantics.hinze_voisard.literal import SLIPS, conjunction, sequence, view
from semantics.hinze_voisard.syntax import parse
from smt.solvers.solver import Solver
from smt.solvers.z3_solver import Z3


def examiner(solver: Solver) -> Examiner:
    """What carries out evidence (`proofs.errata.ErrataOfSystem`)."""
    return partial(_examined, solver=solver)


def _examined(evidence: Evidence, solver: Solver) -> EvidenceResult:
    details = evidence.details
    match evidence.check:
        case "follows":
            return follows(details, solver)
        case "pairs":
            about, found = _pairs(details)
        case "lists":
            about = " ".join(details["trace"])
            found = [" ".join(map(_shown, each)) for each in view(_trace(details["trace"]))]
        case "profile":
            about, found = _profile(details)
        case other:
            raise InputError(f"there is no check {other!r}")
    expected = list(details["expect"])
    said, wanted = "; ".join(found) or "nothing", "; ".join(expected) or "nothing"
    return EvidenceResult(evidence.check, about, wanted, said, found == expected)


def _pairs(details: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The pairs of a definition, with the slips that are named."""
    slips = frozenset(details["slips"])
    if not slips <= set(SLIPS):
        raise InputError(f"{', '.join(sorted(slips))}: there is no such slip")
    define = {"sequence": sequence, "conjunction": conjunction}[details["operator"]]
    found = define(
        _trace(details["trace"]),
        details["anterior"],
        details["posterior"],
        unique=details["unique"],
        span=details["span"],
        slips=slips,
    )
    ordered = sorted(found, key=lambda pair: (pair[1][1], pair[0][1]))
    selection = f"{details['anterior']} and {details['posterior']}"
    about = f"{details['operator']}, {selection}, on {' '.join(details['trace'])}"
    about += f", with the slip: {', '.join(sorted(slips))}" if slips else ""
    return about, [f"{_shown(one)} {_shown(other)}" for one, other in ordered]


def _profile(details: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The occurrences of profiles, over the whole trace or as they are announced and withdrawn."""
    file = parse(details["profile"])
    log = [Event(name, int(time), int(time)) for name, time in (one.split() for one in details["log"])]
    about = f"{details['profile'].splitlines()[-1]} on {', '.join(details['log'])}"
    if not details.get("continuous"):
        return about, [_occurrence(one) for one in evaluated(file, log)]
    return about, [f"at {one.time} {one.kind} {_occurrence(one.found)}" for one in continuously(file, log)]


def _occurrence(found: Found) -> str:
    return f"{found.profile} [{found.start}, {found.time}]"


def _trace(events: Iterable[str]) -> list[tuple[str, Time]]:
    return [(name, int(time)) for name, time in (event.split("@") for event in events)]


def _shown(event: tuple[str, Time]) -> str:
    return f"{event[0]}@{event[1]}"


def main() -> int:
    """Carry out all evidence and print it; 1 if something does not come out as claimed."""
    return printed(check_errata("hinze_voisard", Z3()))


if __name__ == "__main__":
    sys.exit(main())
