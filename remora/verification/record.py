"""The committed record of proofs at the command line: whether all stands as recorded, and what has changed in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from laws.carlson_lisper.catalogue import everything
from laws.claims import Claim
from laws.standings import ExitStatus
from proofs.record import at_revision, changes, differences, recorded
from remora.terminal.console import emit, emit_json
from semantics.errors import InputError
from smt.attempts import ClaimResult
from smt.smtlib import TimeSort


def require_recorded(claims: Iterable[Claim]) -> None:
    """Make sure that claims are ones of which there are records.

    Raises:
        InputError: one is a conjecture of the user's or a false equation.
    """
    known = {claim.id for claim in everything()}
    for claim in claims:
        if claim.id not in known:
            raise InputError(
                f"the record has nothing of {claim.id}, {claim.statement}",
                remedy="--replay proves again what the source claims; `remora laws list` names it all.",
            )


def replay(prove: Callable[[TimeSort], list[ClaimResult]], form: str, *, whole: bool) -> ExitStatus:
    """Prove again what the record holds, over integer and dense time, and say what is different.

    Args:
        prove: proves the claims over a time.
        form: `text` or `json`.
        whole: whether the claims are everything that the record holds.
    """
    recorded()
    results = [*prove("int"), *prove("real")]
    found = differences(results, whole=whole)
    if form == "json":
        emit_json({"schema": "remora/proof-replay/1", "same": not found, "differences": found})
    else:
        obligations = sum(len(result.obligations) for result in results)
        emit("".join(f"{line}\n" for line in found) or f"same: {obligations} obligations stand as recorded\n")
    return ExitStatus.REFUTED if found else ExitStatus.AS_CLAIMED


def show_changes(revision: str, form: str) -> ExitStatus:
    """What changed in the record since a revision; 1 if something broke."""
    if not revision.strip():
        raise InputError(
            "--diff names no revision", remedy="Write one as git does: --diff HEAD~3, --diff main."
        )
    found = changes(at_revision(revision), recorded())
    if form == "json":
        emit_json({"schema": "remora/record-diff/1", "since": revision, **found})
    else:
        lines = [f"{kind:9} {line}\n" for kind, names in found.items() for line in names]
        emit("".join(lines) or f"nothing changed since {revision}\n")
    return ExitStatus.REFUTED if found["broke"] else ExitStatus.AS_CLAIMED
