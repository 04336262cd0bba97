"""Checks of a page that is not carried out: links, command lines, imports, data, what is left untested."""

import ast
import importlib
import importlib.util
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click

from tests.documentation.pages import ROOT, Block, blocks, without_blocks

COMMANDS = ("remora", "make", "python", "pip", "pytest", "spark-submit", "git", "z3", "cvc5", "tail", "cat")
"""The words with which a line begins that a reader may type."""

_TESTED = ("console", "bash", "python", "diff", "toml", "yaml", "json", "text", "", "{eval-rst}", "{toctree}")


def anchor(heading: str) -> str:
    """The anchor that a heading has in the repository's viewer and on the site."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def anchors(text: str) -> set[str]:
    """The anchors of a page."""
    return {anchor(found) for found in re.findall(r"^#+ (.*)$", without_blocks(text), re.MULTILINE)}


def broken_links(page: Path) -> Iterator[str]:
    """The links of a page that lead nowhere; addresses on the network are not tried."""
    text = without_blocks(page.read_text("utf-8"))
    for number, line in enumerate(text.splitlines(), start=1):
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            if target.startswith("https://"):
                continue
            name, _, fragment = target.partition("#")
            file = (page.parent / name) if name else page
            if not file.exists():
                yield f"line {number}: {target} does not exist"
            elif fragment and (file.suffix != ".md" or fragment not in anchors(file.read_text("utf-8"))):
                yield f"line {number}: {target} has no such heading"


def typed(block: Block) -> list[tuple[int, str]]:
    """The command lines of a block with their line numbers; a backslash joins a line with the next one."""
    found: list[tuple[int, str]] = []
    joined = False
    for number, line in enumerate(block.text.splitlines(), start=block.line):
        text = line[2:] if block.language == "console" and line.startswith("$ ") else line
        if joined:
            found[-1] = (found[-1][0], found[-1][1] + " " + text.strip().removesuffix("\\").strip())
        elif (block.language != "console" or line.startswith("$ ")) and text.split(" ")[0] in COMMANDS:
            found.append((number, text.removesuffix("\\").strip()))
        else:
            continue
        joined = line.endswith("\\")
    return found


def _parts(line: str) -> list[list[str]]:
    """The commands of a pipe, each as words, without comments and redirections."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    parts: list[list[str]] = [[]]
    for word in lexer:
        if word and set(word) <= set("|&;"):
            parts.append([])
        else:
            parts[-1].append(word)
    return [part[: next((n for n, word in enumerate(part) if word in "<>"), len(part))] for part in parts]


def wrong_command(arguments: list[str]) -> str:
    """Why `remora` would not take these arguments, or ""; whether files exist is not asked."""
    from remora.commands import remora

    command: click.Command = remora
    context = click.Context(remora, info_name="remora", **remora.context_settings)
    words = list(arguments)
    while isinstance(command, click.Group):
        if not words or words[0].startswith("-"):
            return "" if not words or words[0] in ("--help", "-h", "--version") else f"no option {words[0]}"
        name = words.pop(0)
        if not words and name in ("list", "show") and command.name == "laws":
            return ""
        inner = command.get_command(context, name)
        if inner is None:
            return "" if command.name == "laws" else f"there is no command {name}"
        command, context = inner, click.Context(inner, info_name=name, parent=context)
        if isinstance(command, click.Group) and not words and command.invoke_without_command:
            return ""
    if {"--help", "-h"} & set(words):
        return ""
    try:
        command.make_parser(context).parse_args(words)
    except click.UsageError as error:
        return error.format_message()
    return ""


def wrong_commands(block: Block, makefile: str) -> Iterator[str]:
    """The commands of a block that the project does not have: options of `remora`, modules, targets of make."""
    if block.language not in ("", "bash", "console"):
        return
    for number, line in typed(block):
        for words in _parts(line):
            objection = ""
            if words[:1] == ["remora"]:
                objection = wrong_command(words[1:])
            elif words[:2] == ["python", "-m"] and importlib.util.find_spec(words[2]) is None:
                objection = f"there is no module {words[2]}"
            elif words[:1] == ["make"]:
                targets = [word for word in words[1:] if "=" not in word]
                missing = [one for one in targets if not re.search(rf"^{one}:", makefile, re.MULTILINE)]
                objection = f"there is no target {missing[0]}" if missing else ""
            if objection:
                yield f"line {number}: `{line}`: {objection}"


def untested(block: Block) -> str:
    """Why nothing looks at a block, or "" if something does."""
    if block.language not in _TESTED:
        return f"line {block.line}: nothing is known of blocks of {block.language}"
    if "not run" in block.remarks:
        reason = block.remarks["not run"]
        missing = [name for name in re.findall(r"tests/[\w/]+(?:\.py)?", reason) if not (ROOT / name).exists()]
        if missing:
            return f"line {block.line}: there is no {missing[0]}"
        return "" if len(reason.split()) >= 2 else f"line {block.line}: no reason is given"
    if block.language in ("", "text") and not block.is_printed and typed(block):
        return f"line {block.line}: commands stand in a block that is not run, without a reason"
    if block.language == "console" and not block.text.startswith("$ "):
        return f"line {block.line}: a console block begins with a command"
    return ""


def missing_names(block: Block) -> Iterator[str]:
    """The imports of a Python block that cannot be had; for blocks that are not run."""
    if block.language != "python":
        return
    for node in ast.walk(ast.parse(block.text)):
        if isinstance(node, ast.ImportFrom) and node.module and importlib.util.find_spec(node.module.split(".")[0]):
            module = importlib.import_module(node.module)
            for alias in node.names:
                if not hasattr(module, alias.name):
                    yield f"line {block.line + node.lineno - 1}: {node.module} has no {alias.name}"


def unreadable_data(block: Block) -> str:
    """Why a block of data is none, or ""."""
    try:
        {"toml": tomllib.loads, "json": json.loads}.get(block.language, str)(block.text)
    except ValueError as error:
        return f"line {block.line}: {error}"
    return ""


def objections(page: Path, makefile: str) -> list[str]:
    """Everything that is wrong with a page as far as it can be seen without carrying it out."""
    found = list(broken_links(page))
    for block in blocks(page.read_text("utf-8")):
        found += [one for one in (untested(block), unreadable_data(block)) if one]
        found += wrong_commands(block, makefile)
        if "not run" in block.remarks:
            found += missing_names(block)
    return found
