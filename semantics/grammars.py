"""Parsers made from grammars, and kept on disk: to load one takes a twentieth of the time of making it."""

from __future__ import annotations

import json
import sys
import zlib
from pathlib import Path
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from semantics.kept_files import digest, folders, store, stored


def parser_of(grammar: str, module: str, *, transformer: Any = None, **options: Any) -> lark.Lark:
    """An LALR parser.

    Args:
        grammar: in Lark's language.
        module: the file of the module that it belongs to.
        transformer: makes of each rule what it stands for; without one there are trees.
        options: of `lark.Lark`.
    """
    source = Path(module)
    how = f"{lark.__version__} {sys.version} {grammar} {sorted(options.items())}"
    name = f"{source.stem}.grammar-{zlib.crc32(how.encode()):08x}-{digest(Path(__file__))}"
    places = [folder / name for folder in folders(source)]
    data = next(filter(None, map(stored, places)), None)
    if data is None:
        made: Any = lark.Lark(grammar, parser="lalr", **options)
        data = json.dumps(made.memo_serialize([TerminalDef, Rule])).encode()
        store(places, data)
    tables, memo = json.loads(data, object_pairs_hook=_with_numbers)
    load: Any = lark.Lark._load_from_dict  # what Lark's own parsers that stand alone are loaded by
    parser: lark.Lark = load(tables, memo, transformer=transformer)
    return parser


def _with_numbers(members: list[tuple[str, Any]]) -> dict[str | int, Any]:
    """The members of an object, with numbers as keys again: JSON has none."""
    return {int(key) if key.isdigit() else key: value for key, value in members}
