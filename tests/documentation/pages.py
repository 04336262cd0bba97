"""A page of the documentation as blocks of text with the remarks that say how they are tested.

A remark is an HTML comment on the lines above a block; a reader of the page does not see it.

    <!-- not run: REASON -->   the block is not run
    <!-- file: NAME -->        the block is the contents of a file
    <!-- added to: NAME -->    the block is added to the end of a file

A block without a language below a line that ends with "prints" is what the Python block before it prints.
"""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import pytest
from markdown_it import MarkdownIt

from remora import __version__
from remora.cli import main
from remora.terminal.packages import ROOMS
from tests.copies import ROOT, copy_rooms

FOLDER = ROOT / "docs"

_REMARK = re.compile(r"^<!-- (not run|file|added to)(?:: (.*?))? -->$")


@dataclass(frozen=True)
class Block:
    """A fenced block: the line of the page on which it begins, its language, its text, and the remarks above it.

    The introduction is the line above it that is not empty, unless that is part of another block.
    """

    line: int
    language: str
    text: str
    remarks: dict[str, str] = field(default_factory=dict)
    introduction: str = ""

    @property
    def is_printed(self) -> bool:
        """Whether it is what the block before it prints."""
        return self.language in ("", "text") and self.introduction.endswith("prints")


def pages() -> list[Path]:
    """All pages: the front page of the repository and what lies in the folder of the documentation."""
    return [ROOT / "README.md", *sorted(FOLDER.rglob("*.md"))]


def blocks(text: str) -> list[Block]:
    """The blocks of a page, from top to bottom; ValueError where one is not closed, or a remark stands alone."""
    found: list[Block] = []
    remarks: dict[str, str] = {}
    introduction, lines = "", text.splitlines()
    for token in MarkdownIt("commonmark").parse(text):
        first, last = token.map or (0, 0)
        said = [_REMARK.match(line) for line in token.content.splitlines()] if token.type == "html_block" else []
        if token.type == "fence":
            if lines[last - 1].strip() != token.markup:
                raise ValueError(f"line {first + 2}: the block is not closed")
            found.append(Block(first + 2, token.info.strip(), token.content, remarks, introduction))
            remarks, introduction = {}, ""
        elif said and all(said):
            remarks |= {remark[1]: remark[2] or "" for remark in said if remark}
        elif token.content and remarks:
            raise ValueError(f"line {first + 1}: a remark has to stand directly above a block")
        elif token.content:
            introduction = token.content.splitlines()[-1].strip()
    return found


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


def changes_rooms(page: Sequence[Block]) -> bool:
    """Whether a page changes the project itself, and so needs a copy of it."""
    named = (block.remarks.get("file") or block.remarks.get("added to") or "" for block in page)
    return any(block.language == "diff" for block in page) or any(name.partition("/")[0] in ROOMS for name in named)


def checkout(folder: Path, *, copied: bool) -> Path:
    """The project in a folder of its own, copied or linked, with the plugin for pytest as if it were installed."""
    if copied:
        copy_rooms(folder)
    else:
        for room in ROOMS:
            (folder / room).symlink_to(ROOT / room)
    shutil.copytree(ROOT / "docs" / "examples", folder / "docs" / "examples")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    known = folder / f"{project['name']}-{__version__}.dist-info"
    known.mkdir()
    (known / "METADATA").write_text(f"Name: {project['name']}\nVersion: {__version__}\n", "utf-8")
    with (known / "entry_points.txt").open("w", encoding="utf-8") as file:
        for group, entries in project.get("entry-points", {}).items():
            file.writelines([f"[{group}]\n", *(f"{name} = {value}\n" for name, value in entries.items())])
    return folder


def _environment(folder: Path) -> dict[str, str]:
    """That of a reader in a folder: the commands of the project, 100 columns, no terminal."""
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": str(folder),
        "HOME": str(folder),
        "COLUMNS": "100",
        "PYTHONUTF8": "1",
        **{name: os.environ[name] for name in ("JAVA_HOME", "NUMBA_CACHE_DIR") if name in os.environ},
    }


def masked(text: str) -> list[str]:
    """The lines without trailing blanks, seconds, units of work and the number of regressions that are stored."""
    text = re.sub(r" +\d+\.\d{3} +[\d,]+ +", " # # ", text)
    text = re.sub(r"^(regressions +\w+ +)\d+ stored", r"\1# stored", text, flags=re.MULTILINE)
    return [line.rstrip() for line in text.splitlines()]


def _commands(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a console block with the output that is shown; a line with `> ` goes on with a command."""
    for said in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command = re.match(r".*\n(> .*\n)*", said)
        assert command
        yield command[0].replace("\n> ", "\n"), said[command.end() :]


@contextmanager
def _interpreter(folder: Path) -> Iterator[Callable[[Block], tuple[str, str]]]:
    """One Python in a folder for all Python blocks of a page: what one prints, and its traceback if it raises."""
    command = [sys.executable, "-c", _INTERPRETER]
    process = subprocess.Popen(
        command, cwd=folder, env=_environment(folder), stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )

    def run(block: Block) -> tuple[str, str]:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps([block.text, block.line]) + "\n")
        process.stdin.flush()
        printed, error = json.loads(process.stdout.readline())
        return printed, error

    try:
        yield run
    finally:
        process.communicate()


def carried_out(page: Sequence[Block], folder: Path) -> Iterator[str]:
    """What is wrong with a page that is carried out, with the line for each.

    Commands of the project run in this process, where what they import is there already, unless a shell has to read
    more than words, or the page changes the project.
    """
    copied = changes_rooms(page)
    checkout(folder, copied=copied)
    with _interpreter(folder) as interpreter:
        for block, following in zip(page, [*page[1:], None], strict=True):
            remarks, name = block.remarks, block.remarks.get("file") or block.remarks.get("added to")
            if "not run" in remarks:
                continue
            if name:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                with (folder / name).open("a" if "added to" in remarks else "w", encoding="utf-8") as file:
                    file.write("\n" * ("added to" in remarks) + block.text)
            elif block.language == "console":
                for command, shown in _commands(block):
                    printed = _shown(command, folder, here=not copied)
                    if masked(printed) != masked(shown):
                        yield f"line {block.line}: `{command}` prints\n{printed}\nand the page shows\n{shown}"
            elif block.language == "python":
                printed, error = interpreter(block)
                shown = following.text if following and following.is_printed else "\n".join(_announced(block))
                if error or printed.splitlines() != shown.splitlines():
                    yield f"line {block.line}: {error} it prints\n{printed}\nand the page shows\n{shown}"
            elif block.language in ("bash", "diff"):
                given = block.text if block.language == "diff" else None
                run = _bash("git apply -" if given else f"set -euo pipefail\n{block.text}", folder, given)
                if run.returncode:
                    yield f"line {block.line}: exit status {run.returncode}\n{run.stdout}{run.stderr}"


def _here(command: str) -> tuple[list[str], str]:
    """The arguments of a command of the project that needs no shell, and the filters or the file that take its output.

    There are no arguments where a shell has to read more than words.
    """
    for cut in (*(place.start() for place in re.finditer(r" [|>] ", command)), len(command)):
        words = shlex.shlex(command[:cut].replace("\\\n", ""), posix=True, punctuation_chars=True)
        words.whitespace_split = True
        with suppress(ValueError):  # the place lies within a pattern
            name, *arguments = words
            if any(set(one) <= set("();<>|&") for one in arguments) or set(command[:cut]) & set("$`#*"):
                break
            if name == "remora" and not re.search(r"[;&$]|2>", command[cut:]):
                return arguments, command[cut:]
    return [], ""


def _shown(command: str, folder: Path, *, here: bool) -> str:
    """What a command writes to standard output, and then what it writes to standard error."""
    known = re.sub(r"\$\(cat (\w+)\)", lambda said: (folder / said[1]).read_text("utf-8").strip(), command)
    arguments, rest = _here(known) if here else ([], "")
    if not arguments:
        with TemporaryFile("w+", encoding="utf-8") as file:  # a pipe would not be told all
            errors = _bash(command, folder, printed=file).stderr
            file.seek(0)
            return file.read() + errors
    printed, said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    ends = os.pipe()
    with pytest.MonkeyPatch.context() as patch, chdir(folder), redirect_stdout(printed), redirect_stderr(said):
        for variable, value in _environment(folder).items():
            patch.setenv(variable, value)
        patch.syspath_prepend(folder)
        if rest.startswith(" |"):  # a filter may take some results alone, and their number is not said
            patch.setattr(printed, "fileno", lambda: ends[1])
        with suppress(SystemExit):
            main(arguments)
    list(map(os.close, ends))
    printed.seek(0)
    shown = printed.read()
    if rest.strip():
        shown = _bash(f"cat {rest}", folder, shown).stdout
    return shown + said.getvalue()


def _announced(block: Block) -> list[str]:
    """What the comments of a Python block say that its calls of `print` show."""
    return re.findall(r"^\s*print\(.*\)  # (.*)$", block.text, re.MULTILINE)


def _bash(
    text: str, folder: Path, given: str | None = None, printed: IO[str] | int = subprocess.PIPE
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["bash", "-c", text],
        cwd=folder,
        env=_environment(folder),
        input=given,
        stdout=printed,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
