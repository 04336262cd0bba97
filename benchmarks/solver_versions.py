"""Comparison of solver versions on the committed obligations, as a table.

    python benchmarks/solver_versions.py z3-solver==4.13.4.0 z3-solver==5.4.0.0 cvc5==1.3.4 cvc5==1.4.2

Each version is installed from the package index into a virtual environment of its own, which is removed afterwards
(with `--keep FOLDER` it stays and is used again), and decides every obligation there. Counts of work of different
solvers cannot be compared, and those of different versions only roughly.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smt.solvers.portfolio import Participant

ROOT = Path(__file__).parent.parent
OBLIGATIONS = ROOT / "proofs" / "obligations"
BUDGETS = {"z3-solver": 3_000_000, "cvc5": 200_000}
"""The work that each obligation may take, in the solver's own units."""


@dataclass(frozen=True)
class Row:
    """What one version made of one obligation with one strategy."""

    strategy: str
    obligation: str
    status: str
    units: int
    seconds: float
    reason: str


def decide(package: str, folder: Path, rlimit: int) -> Iterator[Row]:
    """Decide every obligation with the solver that this Python has."""
    from smt.solvers.solver import SolverFailed

    for solver in _solvers(package):
        for path in sorted(folder.glob("*.smt2")):
            try:
                said = solver.check(path.read_text("utf-8"), rlimit=rlimit)
                row = Row(
                    solver.strategy.name, path.stem, said.status, said.rlimit, said.seconds, said.reason
                )
            except SolverFailed as error:
                row = Row(solver.strategy.name, path.stem, "failed", 0, 0.0, str(error))
            yield row


def _solvers(package: str) -> Iterator[Participant]:
    """The back ends of a package, as Remora uses them; Z3 with its own defaults as well."""
    if package == "cvc5":
        from smt.solvers.cvc5_solver import CVC5, ENUMERATE, SATURATE

        yield from (CVC5(strategy=strategy) for strategy in (SATURATE, ENUMERATE))
    else:
        from smt.solvers.z3_solver import DEFAULT, EAGER, Z3

        yield from (Z3(strategy=strategy) for strategy in (EAGER, DEFAULT))


def environment(requirement: str, folder: Path) -> Path:
    """The Python of a virtual environment with one package."""
    python = folder / requirement / "bin" / "python"
    if not python.exists():
        venv.create(folder / requirement, with_pip=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "-qq", "install"]
        # Packages of older versions expect setuptools beside them, as it was when they were made.
        subprocess.run([*pip, requirement, "setuptools<81"], check=True)
    return python


def run(requirement: str, folder: Path, obligations: Path, rlimit: int) -> list[Row]:
    """What a version makes of all obligations."""
    package = requirement.partition("==")[0]
    command = [str(environment(requirement, folder)), __file__, "--decide", package]
    command += ["--obligations", str(obligations), "--rlimit", str(rlimit)]
    printed = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    return [Row(**json.loads(line)) for line in printed.splitlines()]


HEADINGS = (
    "version",
    "strategy",
    "proved",
    "unknown",
    "sat",
    "failed",
    "units",
    "most units",
    "of",
    "seconds",
)


def table(results: Iterable[tuple[str, Sequence[Row]]]) -> str:
    """One line per version and strategy, in Markdown."""
    lines: list[tuple[str, ...]] = [HEADINGS, tuple("---" for _ in HEADINGS)]
    for requirement, rows in results:
        for strategy in dict.fromkeys(row.strategy for row in rows):
            mine = [row for row in rows if row.strategy == strategy]
            count = Counter(row.status for row in mine)
            proved = [row for row in mine if row.status == "unsat"]
            dearest = max(proved, key=lambda row: row.units, default=None)
            lines.append(
                (
                    requirement,
                    strategy,
                    *(str(count[status]) for status in ("unsat", "unknown", "sat", "failed")),
                    f"{sum(row.units for row in proved):,}",
                    f"{dearest.units:,}" if dearest else "",
                    dearest.obligation if dearest else "",
                    f"{sum(row.seconds for row in mine):.2f}",
                )
            )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def open_rows(results: Iterable[tuple[str, Sequence[Row]]]) -> Iterator[str]:
    """What was not proved, in words."""
    for requirement, rows in results:
        for row in rows:
            if row.status != "unsat":
                yield f"- {requirement}, {row.strategy}: {row.obligation} is {row.status} ({row.reason})"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("versions", nargs="*", metavar="PACKAGE==VERSION")
    parser.add_argument("--obligations", type=Path, default=OBLIGATIONS, help="a folder of .smt2 files")
    parser.add_argument("--rlimit", type=int, help="units of work for each obligation")
    parser.add_argument("--keep", type=Path, help="where the virtual environments stay")
    parser.add_argument("--decide", choices=BUDGETS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.decide:
        for row in decide(arguments.decide, arguments.obligations, arguments.rlimit):
            print(json.dumps(asdict(row)), flush=True)
        return 0
    unknown = [name for name in arguments.versions if name.partition("==")[0] not in BUDGETS]
    if unknown or not arguments.versions:
        parser.error(f"versions are those of {' or '.join(BUDGETS)}, such as cvc5==1.4.2")
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or Path(scratch)
        results = []
        for name in arguments.versions:
            rlimit = arguments.rlimit or BUDGETS[name.partition("==")[0]]
            results.append((name, run(name, folder.resolve(), arguments.obligations.resolve(), rlimit)))
    print(table(results))
    print("\n" + "\n".join(open_rows(results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
