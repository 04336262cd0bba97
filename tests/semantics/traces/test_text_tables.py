"""Tables of texts: a number for each text, whatever its length."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semantics.native import AVAILABLE
from semantics.traces.text_tables import Keys, TextTable

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="there is no machine code without Numba")


def numbers_in(table: TextTable, texts: list[bytes]) -> list[int]:
    bounds = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    data = np.frombuffer(b"".join(texts), np.uint8)
    found: list[int] = table.numbers(data, bounds, np.arange(len(texts))).tolist()
    return found


@pytest.mark.parametrize("length", range(1, 34))
def test_texts_that_differ_in_one_byte_have_different_numbers(length: int) -> None:
    rng = np.random.default_rng(length)
    texts = list(
        dict.fromkeys(
            b"u" * place + bytes([byte]) + b"u" * (length - place - 1)
            for place in range(length)
            for byte in range(97, 117)
        )
    )
    rng.shuffle(texts)
    table = TextTable()
    for _ in range(2):
        assert numbers_in(table, texts) == list(range(len(texts)))


@pytest.mark.parametrize("name", ["user-{:05}", "{:05}-customer", "a{:06}z" * 3, "{:010}"])
def test_many_names_that_look_alike_have_different_numbers(name: str) -> None:
    texts = [name.format(*[number] * 3).encode() for number in range(20_000)]
    table = TextTable()
    assert numbers_in(table, texts) == list(range(20_000))
    assert numbers_in(table, texts[::-1]) == list(range(20_000))[::-1]


@given(st.lists(st.text(st.characters(exclude_characters="\0", codec="utf-8")) | st.integers() | st.none()))
def test_partitions_keep_their_numbers_when_one_is_no_text(cells: list[str | int | None]) -> None:
    keys, expected = Keys(), dict[object, int]()
    for cell in cells:
        number = expected.setdefault(cell, len(expected))
        assert keys.of_cells([cell]).tolist() == [number]
    assert [keys[number] for number in range(len(keys))] == list(expected)
    assert (keys.texts is not None) == all(isinstance(cell, str) for cell in cells)
