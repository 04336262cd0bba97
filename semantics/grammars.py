"""Parsers made from grammars, and kept on disk: to load one takes a twentieth of the time of making it."""

from __future__ import annotations

import io
import pickle
import sys
import zlib
from pathlib import Path
from typing import Any

import lark

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
        file = io.BytesIO()
        lark.Lark(grammar, parser="lalr", **options).save(file)
        data = file.getvalue()
        store(places, data)
    load: Any = lark.Lark._load_from_dict  # what Lark's own parsers that stand alone are loaded by
    parser: lark.Lark = load(**pickle.loads(data), transformer=transformer)
    return parser
