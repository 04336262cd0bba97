"""Checks of a page that is not carried out: links, command lines, imports, data, what is left untested."""

import ast
import importlib
import importlib.util
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click

from tests.copies import ROOT
from tests.documentation.pages import Block, blocks

COMMANDS = ("remora", "make", "python", "pip", "pytest", "spark-submit", "git", "z3", "cvc5", "tail", "cat")
"""The words with which a line begins that a reader may type."""

_TESTED = ("console", "bash", "python", "diff", "toml", "yaml", "json", "text", "", "{eval-rst}", "{toctree}")


def _prose(text: str) -> list[str]:
    """The lines of a page, empty in the place of its blocks."""
    lines = text.splitlines()
    for block in blocks(text):
        first, count = block.line - 2, len(block.text.splitlines()) + 2
        lines[first : first + count] = [""] * count
    return lines


@cache
def anchors(text: str) -> set[str]:
    """The anchors that the headings of a page have in the repository's viewer and on the site."""
    headings = (line.lstrip("#").replace("`", "").replace("*", "") for line in _prose(text) if line.startswith("#"))
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def broken_links(page: Path) -> Iterator[str]:
    """The links of a page that lead nowhere; addresses on the network are not tried."""
    for number, line in enumerate(_prose(page.read_text("utf-8")), start=1):
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            name, _, fragment = target.partition("#")
            file = (page.parent / name) if name else page
            if target.startswith("https://"):
                continue
            if not file.exists():
                yield f"line {number}: {target} does not exist"
            elif fragment and (file.suffix != ".md" or fragment not in anchors(file.read_text("utf-8"))):
                yield f"line {number}: {target} has no such heading"


def typed(block: Block) -> Iterator[tuple[int, str]]:
    """The command lines of a block with their line numbers; a backslash joins a line with the next one."""
    text = re.sub(r"\\\n\s*", lambda found: "\0", block.text)
    number = block.line
    for line in text.splitlines():
        shown = line.removeprefix("$ ") if block.language == "console" else line
        if (block.language != "console" or line.startswith("$ ")) and shown.split(" ")[0] in COMMANDS:
            yield number, shown.replace("\0", " ")
        number += 1 + line.count("\0")


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


def wrong_command(words: list[str]) -> str:
    """Why `remora` would not take these arguments, or ""; whether files exist is not asked."""
    from remora.commands import remora

    command: click.Command = remora
    context = click.Context(remora, info_name="remora", **remora.context_settings)
    while isinstance(command, click.Group):
        if not words or words[0].startswith("-"):
            return "" if not words or words[0] in ("--help", "-h", "--version") else f"no option {words[0]}"
        name, *words = words
        inner = command.get_command(context, name)
        if inner is None:
            return f"there is no command {name}"
        command, context = inner, click.Context(inner, info_name=name, parent=context)
    try:
        if not {"--help", "-h"} & set(words):
            command.make_parser(context).parse_args(words)
    except click.UsageError as error:
        return error.format_message()
    return ""


def wrong_commands(block: Block, makefile: str) -> Iterator[str]:
    """The commands of a block that the project does not have: options of `remora`, modules, targets of make."""
    for number, line in typed(block) if block.language in ("", "bash", "console") else ():
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
        return f"nothing is known of blocks of {block.language}"
    if "not run" in block.remarks:
        reason = block.remarks["not run"]
        missing = [name for name in re.findall(r"tests/[\w/]+(?:\.py)?", reason) if not (ROOT / name).exists()]
        if missing:
            return f"there is no {missing[0]}"
        return "" if len(reason.split()) >= 2 else "no reason is given"
    if block.language in ("", "text") and not block.is_printed and any(typed(block)):
        return "commands stand in a block that is not run, without a reason"
    if block.language == "console" and not block.text.startswith("$ "):
        return "a console block begins with a command"
    return ""


def missing_names(block: Block) -> Iterator[str]:
    """The imports of a Python block that cannot be had; for blocks that are not run."""
    for node in ast.walk(ast.parse(block.text)) if block.language == "python" else ():
        if isinstance(node, ast.ImportFrom) and node.module and importlib.util.find_spec(node.module.split(".")[0]):
            module = importlib.import_module(node.module)
            yield from (f"{node.module} has no {one.name}" for one in node.names if not hasattr(module, one.name))


def objections(page: Path, makefile: str) -> list[str]:
    """Everything that is wrong with a page as far as it can be seen without carrying it out."""
    found = list(broken_links(page))
    for block in blocks(page.read_text("utf-8")):
        said = [untested(block), *(missing_names(block) if "not run" in block.remarks else ())]
        try:
            {"toml": tomllib.loads, "json": json.loads}.get(block.language, str)(block.text)
        except ValueError as error:
            said.append(str(error))
        found += [f"line {block.line}: {one}" for one in said if one]
        found += wrong_commands(block, makefile)
    return found
