"""Mutation score of a room's tests: one symbol of a module is changed, and the tests of its room should notice.

    python -m tests.mutation smt --sample 40 --seed 0
    python -m tests.mutation laws --checkout ../before --tests tests/laws tests/proofs

The checkout is copied, so that nothing in it changes. For a seed and a size of the sample, the same texts give the same
changes, so that two runs on one checkout agree, and runs before and after a change can be compared.
"""

import argparse
import ast
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]

SYMBOLS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "+": "-",
    "-": "+",
    "and": "or",
    "or": "and",
    "in": "not in",
    "is": "is not",
    "not": "",
    "True": "False",
    "False": "True",
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "left": "right",
    "right": "left",
    "start": "end",
    "end": "start",
    "first": "last",
    "last": "first",
    "bisect_left": "bisect_right",
    "bisect_right": "bisect_left",
    "continue": "break",
    "break": "continue",
}
"""What a symbol is changed into; a number n becomes n + 1."""

LEFT_OUT = ("tests", ".git", "docs", "build", "dist", "__pycache__", ".venv", ".mypy_cache", ".ruff_cache")


@dataclass(frozen=True)
class Mutation:
    """One changed symbol, at a line and column of a module."""

    module: str
    line: int
    column: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}:{self.column}: {self.before!r} becomes {self.after!r}"

    def applied(self, text: str) -> str:
        """The text of the module with the change."""
        lines = text.splitlines(keepends=True)
        line = lines[self.line - 1]
        end = self.column + len(self.before)
        assert line[self.column : end] == self.before, str(self)
        lines[self.line - 1] = line[: self.column] + self.after + line[end:]
        return "".join(lines)


def mutations(module: str, text: str) -> Iterator[Mutation]:
    """All changes of one symbol within functions; none in annotations, defaults, docstrings, `raise` and `assert`."""
    spans = list(_changeable(ast.parse(text)))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (tokenize.NAME, tokenize.OP, tokenize.NUMBER):
            continue
        if not any(begin <= token.start < end for begin, end in spans):
            continue
        after = SYMBOLS.get(token.string)
        if token.type == tokenize.NUMBER and token.string.isdecimal():
            after = str(int(token.string) + 1)
        if after is not None:
            changed = Mutation(module, *token.start, token.string, after)
            try:
                ast.parse(changed.applied(text))
            except SyntaxError:  # such as the `in` of a loop
                continue
            yield changed


_Place = tuple[int, int]


def _changeable(tree: ast.Module) -> Iterator[tuple[_Place, _Place]]:
    """The expressions and simple statements of functions, where a change is one of what they do."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        pending: list[ast.AST] = list(function.body)
        if ast.get_docstring(function) is not None:
            pending.pop(0)
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Raise | ast.Assert | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            if isinstance(node, ast.AnnAssign):
                pending += [node.value] if node.value is not None else []
            elif isinstance(node, ast.expr) or (isinstance(node, ast.stmt) and not hasattr(node, "body")):
                yield (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
            else:
                pending += ast.iter_child_nodes(node)


def sample(checkout: Path, room: str, number: int, seed: int) -> list[Mutation]:
    """Some changes of the modules of a room, by a seed; as many modules as possible are met."""
    found: list[list[Mutation]] = []
    for path in sorted((checkout / room).rglob("*.py")):
        text = path.read_text("utf-8")
        if text.isascii() or all(line.isascii() for line in _code_lines(text)):
            found.append(list(mutations(path.relative_to(checkout).as_posix(), text)))
    random = Random(f"{seed}:{room}")
    every = [one for some in found for one in some]
    return random.sample(every, min(number, len(every)))


def _code_lines(text: str) -> Iterator[str]:
    """The lines that have symbols of programs: columns of the syntax count bytes, those of tokens characters."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (tokenize.STRING, tokenize.COMMENT):
            yield token.string


def score(checkout: Path, room: str, tests: Sequence[str], number: int, seed: int, seconds: float, python: str) -> str:
    """How many of some changes the tests of a room notice: run them on each, in a copy of the checkout.

    Raises:
        RuntimeError: the tests fail without a change.
    """
    killed, changes = 0, sample(checkout, room, number, seed)
    with tempfile.TemporaryDirectory(prefix="remora-mutants-") as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(checkout, copy, ignore=shutil.ignore_patterns(*LEFT_OUT[1:]))
        if _fails(copy, tests, seconds * 2, python):
            raise RuntimeError(f"the tests {' '.join(tests)} fail without a change")
        for one in changes:
            path = copy / one.module
            text = path.read_text("utf-8")
            path.write_text(one.applied(text), "utf-8")
            begin = time.monotonic()
            noticed = _fails(copy, tests, seconds, python)
            path.write_text(text, "utf-8")
            killed += noticed
            said = "killed" if noticed else "SURVIVED"
            print(f"{said} {one} ({time.monotonic() - begin:.0f} s)", flush=True)
    return f"{room}: {killed} of {len(changes)} changes of seed {seed} were noticed"


def _fails(copy: Path, tests: Sequence[str], seconds: float, python: str) -> bool:
    """Whether a test fails, or they come to no end."""
    # The plugin that is installed belongs to one checkout, and may not be there in another one.
    command = [python, "-m", "pytest", "-q", "-x", "-m", "not long and not spark", "-p", "no:cacheprovider"]
    command += ["-p", "no:remora", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return True
    return run.returncode != 0


def main() -> None:
    """Print the score of rooms."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", help="a folder of the product, such as smt or semantics/traces")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the checkout whose code and tests are taken")
    parser.add_argument("--tests", nargs="*", help="the tests that are run; by default tests/ROOM")
    parser.add_argument("--sample", type=int, default=30, help="how many changes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=600.0, help="how long the tests may take")
    parser.add_argument("--python", default=sys.executable)
    given = parser.parse_args()
    tests = given.tests or [f"tests/{given.room}"]
    print(score(given.checkout.resolve(), given.room, tests, given.sample, given.seed, given.seconds, given.python))


if __name__ == "__main__":
    main()
