"""What the tests of the proofs ask of a solver."""

from functools import cache

from proofs.carlson_lisper.proving import SCRIPTS
from proofs.carlson_lisper.steps import Subject
from smt.obligations import Obligation
from smt.python.paths import NotTranslated
from smt.smtlib import TimeSort
from tests.smt.fakes import z3

ENOUGH = 3_000_000  # The work with which every obligation about the code that runs is proved


def obligations_of(claim: str, time: TimeSort = "int", subject: Subject | None = None) -> list[Obligation]:
    return SCRIPTS[claim](time, subject or Subject())


@cache
def proved(text: str, rlimit: int = ENOUGH) -> bool:
    """Whether an obligation is proved; what was decided once is remembered."""
    return z3().check(text, rlimit=rlimit).status == "unsat"


def unproved(claim: str, time: TimeSort = "int", subject: Subject | None = None, rlimit: int = ENOUGH) -> str:
    """The first obligation of a claim that is not proved, or why there are none; "" if all are proved."""
    try:
        obligations = obligations_of(claim, time, subject)
    except NotTranslated as error:
        return f"{claim}: {error}"
    known = _of_what_runs(claim, time)
    for part in obligations:
        if part.text not in known and not proved(part.text, rlimit):
            return part.id
    return ""


@cache
def _of_what_runs(claim: str, time: TimeSort) -> frozenset[str]:
    """The obligations about the code that runs, all of which are proved by tests of their own."""
    return frozenset(part.text for part in obligations_of(claim, time))
