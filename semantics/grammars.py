"""Parsers made from grammars."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import lark


def parser_of(source: Path, words: Mapping[str, Iterable[str]] = MappingProxyType({}), **options: Any) -> lark.Lark:
    """An LALR parser of the grammar in a file; `words` are alternatives that stand in it for a name, as `%name%`."""
    grammar = source.read_text("utf-8")
    for name, known in words.items():
        grammar = grammar.replace(f"%{name}%", "|".join(sorted(known, key=len, reverse=True)))
    return lark.Lark(grammar, parser="lalr", **options)
