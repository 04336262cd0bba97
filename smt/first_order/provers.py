"""First-order provers: programs that read TPTP problems and print their answer as an SZS status."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from smt.first_order.translation import NotTranslated, Problem, translated
from smt.solvers.programs import Ended, ran

Outcome = Literal["proved", "contradictory", "refuted", "open", "not asked"]
"""What a prover says to an obligation.

`proved`: it follows. `contradictory`: it follows from what is assumed alone, which contradicts itself. `refuted`: there
is a counterexample. `open`: none of these. `not asked`: there is no translation.
"""

STOPPED_AFTER = 2.0
"""A prover is stopped by force after so many times the seconds that it is given for itself."""

_STATUS = re.compile(r"^[#%] SZS status (\w+)", re.MULTILINE)

_OUTCOMES: dict[str, Outcome] = {
    "Theorem": "proved",
    "ContradictoryAxioms": "contradictory",
    "CounterSatisfiable": "refuted",
}


@dataclass(frozen=True)
class Prover:
    """A family of provers, as data.

    Attributes:
        family: what the names of its programs begin with.
        options: with them, a program decides the problem in a file that is named last.
        limit: how far it goes, in words.
        seconds: the time that it may take.
    """

    family: str
    options: tuple[str, ...]
    limit: str
    seconds: int


PROVERS = (
    Prover(
        "eprover",
        ("--auto", "--silent", "--processed-clauses-limit=5000", "--memory-limit=2048", "--cpu-limit=60"),
        "5,000 processed clauses",
        60,
    ),
    Prover("vampire", ("--mode", "casc", "--time_limit", "10"), "10 seconds", 10),
)
"""E and Vampire. E counts its work itself, so that a slow machine changes nothing unless its time runs out."""


@dataclass(frozen=True)
class Installed:
    """A prover that is on this machine.

    Attributes:
        name: what it calls itself, with its version.
    """

    prover: Prover
    program: Path
    name: str


@dataclass(frozen=True)
class Opinion:
    """What a prover says to one obligation, and why it says no more than that."""

    outcome: Outcome
    reason: str = ""

    @property
    def proved(self) -> bool:
        """Whether the prover has a proof."""
        return self.outcome in ("proved", "contradictory")


def family(program: Path) -> Prover | None:
    """The family of provers that a program belongs to by its name."""
    return next((each for each in PROVERS if program.name.startswith(each.family)), None)


def introduced(prover: Prover, program: Path) -> Installed:
    """A prover with the name by which it introduces itself.

    Raises:
        OSError: it cannot be started.
    """
    printed = ran([program.resolve(), "--version"], seconds=10).printed.splitlines()
    return Installed(prover, program, printed[0].partition(" (")[0] if printed else program.name)


def asked(installed: Installed, obligation: str, scratch: Path) -> Opinion:
    """What a prover says to an obligation.

    Raises:
        OSError: the prover cannot be started, or the file not be written.
        KeyboardInterrupt: the user interrupted it; the prover is stopped.
    """
    try:
        problem = translated(obligation)
    except NotTranslated as error:
        return Opinion("not asked", str(error))
    scratch.write_text(problem.text, encoding="utf-8")
    prover = installed.prover
    command: list[str | Path] = [installed.program.resolve(), *prover.options, scratch]
    return understood(ran(command, seconds=STOPPED_AFTER * prover.seconds), problem)


def understood(ended: Ended, problem: Problem) -> Opinion:
    """What the end of a program says of a problem.

    That something does not follow from what the problem was told of the numbers does not refute it.
    """
    if ended.hung:
        return Opinion("open", "it did not come to an end")
    statuses = set(_STATUS.findall(ended.printed))
    if len(statuses) != 1:
        return Opinion("open", f"it ended with {ended.status} and {len(statuses)} answers")
    status = statuses.pop()
    outcome = _OUTCOMES.get(status, "open")
    if outcome == "refuted" and not problem.exact:
        return Opinion("open", "it does not follow from what is said of the numbers here")
    return Opinion(outcome, "" if status in _OUTCOMES else status)
