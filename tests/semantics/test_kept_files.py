"""What is kept beside modules is loaded where it is whole, and made again where it is not."""

from pathlib import Path

import pytest
from lark.exceptions import GrammarError

from semantics import kept_files
from semantics.grammars import parser_of


def test_a_damaged_file_is_not_loaded(tmp_path: Path) -> None:
    place = tmp_path / "cache" / "kernel.o"
    assert kept_files.stored(place) is None
    (tmp_path / "file").touch()
    kept_files.store(
        [tmp_path / "file" / "kernel.o", place], b"machine code"
    )  # the first one cannot be written
    assert kept_files.stored(place) == b"machine code"
    whole = place.read_bytes()
    for damaged in (whole[:-1], whole[:3], b"", whole[:-1] + b"E"):
        place.write_bytes(damaged)
        assert kept_files.stored(place) is None


def test_a_parser_that_was_kept_reads_what_the_one_that_was_made_reads(tmp_path: Path) -> None:
    module, pairs = str(tmp_path / "syntax.py"), 'start: "(" start ")" start |'

    def depth(text: str) -> int:
        return parser_of(pairs, module).parse(text).pretty().count("\n")

    assert depth("(())()") == depth("(())()") == 7
    (kept,) = (tmp_path / "__pycache__").iterdir()
    kept.write_bytes(b"damaged")
    assert depth("(())()") == 7
    assert parser_of('start: "a"', module).parse("a").data == "start"  # another grammar of the module


def test_no_parser_is_asked_for_where_a_grammar_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(GrammarError):
        parser_of("start: missing", str(tmp_path / "syntax.py"))
    assert not (tmp_path / "__pycache__").exists()
