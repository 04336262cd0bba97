"""Third opinions at the command line: which prover is asked, and what is to be said of its answers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from proofs.third_opinions import ThirdOpinions
from remora.terminal.console import message_console, print_error, print_table
from remora.verification.certificates import startable
from semantics.errors import InputError
from smt.first_order.provers import PROVERS, Installed, family, introduced

REMEDY = (
    "Name the program of a prover with --also: eprover (Debian's package of that name has it) or vampire."
)


def first_order_prover(program: Path) -> Installed:
    """The prover that a user names, by its path or by a name that is looked up as a shell does.

    Raises:
        InputError: there is none, it cannot be started, or nobody knows how it is asked.
    """
    prover = family(program)
    if prover is None:
        known = " or ".join(each.family for each in PROVERS)
        raise InputError(f"its name does not begin with {known}", place=str(program), remedy=REMEDY)
    return introduced(prover, startable(program, REMEDY))


def print_third_opinions(found: ThirdOpinions) -> None:
    """Print how much a prover proves, by kind of claim, and what it says against what is known."""
    counts = found.counts()
    columns = ("proved", "contradictory", "refuted", "open", "not asked")
    print_table(
        ("claims", "obligations", *columns),
        [
            (kind, f"{each.total():,}", *(f"{each[column]:,}" for column in columns))
            for kind, each in counts.items()
        ],
        right=("obligations", *columns),
    )
    false = counts.pop("canary", Counter())
    of = sum(counts.values(), Counter[str]())
    told = f"{_proved(of):,} of {of.total():,} obligations"
    canaries = f"; {_proved(false):,} of {false.total():,} that are false" if false else ""
    message_console().print(f"{found.prover} proves {told} within {found.limit}{canaries}")
    for line in found.disagreements:
        print_error(f"{found.prover} disagrees on {line}")


def _proved(counts: Counter[str]) -> int:
    return counts["proved"] + counts["contradictory"]
