"""Execution of a page: every command, script and file of it, from top to bottom, as a reader would."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TypeAlias

from remora import __version__
from tests.copies import ROOT, copy_rooms
from tests.documentation.pages import Block

_INTERPRETER = r"""
import contextlib, io, json, sys, traceback

namespace = {"__name__": "__main__"}
for request in sys.stdin:
    text, line = json.loads(request)
    printed, error = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + text, "the page", "exec"), namespace)
    except BaseException:
        error = traceback.format_exc()
    print(json.dumps([printed.getvalue(), error]), flush=True)
"""
"""Executes blocks in one namespace: what a page defines is there further down."""


def checkout(folder: Path) -> Path:
    """A copy of the project in which a page may change what it likes."""
    copy_rooms(folder)
    (folder / "docs").mkdir()
    shutil.copytree(ROOT / "docs" / "examples", folder / "docs" / "examples")
    _announce(folder)
    return folder


def _announce(folder: Path) -> None:
    """Let Python know of the plugin for pytest, as an installation does."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    known = folder / f"{project['name']}-{__version__}.dist-info"
    known.mkdir()
    (known / "METADATA").write_text(f"Name: {project['name']}\nVersion: {__version__}\n", "utf-8")
    lines = [
        line
        for group, entries in project.get("entry-points", {}).items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in entries.items()))
    ]
    (known / "entry_points.txt").write_text("\n".join([*lines, ""]), "utf-8")


def environment(folder: Path) -> dict[str, str]:
    """That of a reader in a folder: the commands of the project, 100 columns, no terminal."""
    binary = Path(sys.executable).parent
    return {
        "PATH": f"{binary}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": str(folder),
        "HOME": str(folder),
        "COLUMNS": "100",
        "PYTHONUTF8": "1",
        **{name: os.environ[name] for name in ("JAVA_HOME", "NUMBA_CACHE_DIR") if name in os.environ},
    }


def masked(text: str) -> list[str]:
    """The lines without trailing blanks; everything but the following must be exact.

    Seconds and units of work are masked, and how many regressions are stored, of which there are more with each fault
    that was ever found.
    """
    text = re.sub(r" +\d+\.\d{3} +[\d,]+ +", " # # ", text)
    text = re.sub(r"^(regressions +\w+ +)\d+ stored", r"\1# stored", text, flags=re.MULTILINE)
    return [line.rstrip() for line in text.splitlines()]


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a console block with the output that is shown; a line with `> ` goes on with a command."""
    found: list[tuple[str, str]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", "")
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]}{line}\n")
    return found


def announced(block: Block) -> list[str]:
    """What the comments of a Python block say that its calls of `print` show."""
    return re.findall(r"^\s*print\(.*\)  # (.*)$", block.text, re.MULTILINE)


Interpreter: TypeAlias = Callable[[Block], tuple[str, str]]
"""What a block prints, and its traceback if it raises."""


@contextmanager
def interpreter_in(folder: Path) -> Iterator[Interpreter]:
    """One Python in a folder for all Python blocks of a page."""
    process = subprocess.Popen(
        [sys.executable, "-c", _INTERPRETER],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )

    def run(block: Block) -> tuple[str, str]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps([block.text, block.line]) + "\n")
        process.stdin.flush()
        printed, error = json.loads(process.stdout.readline())
        return printed, error

    try:
        yield run
    finally:
        process.communicate()


def carried_out(page: Sequence[Block], folder: Path, *, slow: bool) -> Iterator[str]:
    """What is wrong with a page, with the line for each; `slow` carries out the blocks that take long too."""
    with interpreter_in(folder) as interpreter:
        for position, block in enumerate(page):
            if "not run" in block.remarks or ("slow" in block.remarks and not slow):
                continue
            if block.language == "console" and not _is_file(block):
                yield from _compared(block, folder)
                continue
            printed, error = ran(block, folder, interpreter)
            if error:
                yield f"line {block.line}: {error}"
            elif block.language == "python" and not _is_file(block):
                yield from _printed(block, page[position + 1 : position + 2], printed)


def ran(block: Block, folder: Path, interpreter: Interpreter) -> tuple[str, str]:
    """What a block other than a console prints, and what went wrong; a file is written."""
    if name := block.remarks.get("file"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(block.text, encoding="utf-8")
    elif name := block.remarks.get("added to"):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write("\n" + block.text)
    elif block.language == "python":
        return interpreter(block)
    elif block.language in ("bash", "diff"):
        given = block.text if block.language == "diff" else None
        text = "git apply -" if block.language == "diff" else "set -euo pipefail\n" + block.text
        run = _bash(text, folder, given)
        failed = f"exit status {run.returncode}\n{run.stdout}{run.stderr}" if run.returncode else ""
        return run.stdout, failed
    return "", ""


def _is_file(block: Block) -> bool:
    return "file" in block.remarks or "added to" in block.remarks


def _bash(
    text: str, folder: Path, given: str | None = None, printed: IO[str] | int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", text],
        cwd=folder,
        env=environment(folder),
        input=given,
        stdout=printed,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )


def _output(command: str, folder: Path) -> str:
    """What a command prints, into a file: a terminal would show the same, but for styles."""
    with TemporaryFile("w+", encoding="utf-8") as file:
        run = _bash(command, folder, printed=file)
        file.seek(0)
        return file.read() + run.stderr


def _compared(block: Block, folder: Path) -> Iterator[str]:
    for command, expected in commands(block):
        output = _output(command, folder)
        if masked(output) != masked(expected):
            yield f"line {block.line}: `{command}` prints\n{output}\nand the page shows\n{expected}"


def _printed(block: Block, following: Sequence[Block], printed: str) -> Iterator[str]:
    if following and following[0].is_printed:
        expected = following[0].text.splitlines()
    else:
        expected = announced(block)
    if printed.splitlines() != expected:
        yield f"line {block.line}: it prints\n{printed}\nand the page shows\n" + "\n".join(expected)
