"""Parsers made from grammars."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import lark

NO_WORDS: Mapping[str, Iterable[str]] = {}


def parser_of(
    source: Path, words: Mapping[str, Iterable[str]] = NO_WORDS, *, transformer: Any = None, **options: Any
) -> lark.Lark:
    """An LALR parser.

    Args:
        source: the file of a grammar, in Lark's language.
        words: by name, the alternatives that stand in it for the name between signs of per cent.
        transformer: makes of each rule what it stands for; without one there are trees.
        options: of `lark.Lark`.
    """
    grammar = source.read_text("utf-8")
    for name, known in words.items():
        grammar = grammar.replace(f"%{name}%", "|".join(sorted(known, key=len, reverse=True)))
    return lark.Lark(grammar, parser="lalr", transformer=transformer, **options)
