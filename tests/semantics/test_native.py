"""Kernels as machine code, which does what their Python does."""

import gc
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from remora.terminal.results.line_kernel import CHOSEN, JOIN, NUMBER
from semantics import native, object_code


def small() -> tuple[int, bytes]:
    """What the kernel makes of two rows of a text and a number."""
    out, ends = np.zeros(99, np.uint8), np.zeros(2, np.int64)
    kinds, cells = np.array([0, NUMBER]), np.array([0, 0, 907, 12])
    size = native.run(JOIN, 2, 2, kinds, cells, np.array([0, 1]), np.frombuffer(b"x", np.uint8), out, ends)
    return size, out[:size].tobytes()


@pytest.mark.skipif(not native.AVAILABLE, reason="there is no Numba")
def test_an_object_file_that_is_not_as_expected_is_loaded_by_llvm(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[bytes] = []

    def refusing(code: bytes, function: str) -> Any:
        given.append(code)
        raise ImportError("no memory for machine code")

    native.loaded.cache_clear()
    with monkeypatch.context() as changed:
        changed.setattr(native, "_made", {})
        changed.setattr(object_code, "placed", refusing)
        assert small() == (7, b"x907x12")
    (code,) = given
    native.loaded.cache_clear()
    if object_code.machine() is None:
        return
    assert object_code.placed(code, JOIN.name)[1]
    for wrong in (b"", b"\x7fELG" + code[4:], code[:18] + b"\xb7" + code[19:]):
        with pytest.raises(ImportError, match="no object file"):
            object_code.placed(wrong, JOIN.name)
    with pytest.raises(ImportError, match="no function other"):
        object_code.placed(code, "other")


@pytest.mark.skipif(not native.AVAILABLE, reason="there is no Numba")
def test_threads_that_ask_for_a_kernel_at_the_same_time_get_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    placed, before = object_code.placed, threading.Barrier(8)

    def slowly(code: bytes, function: str) -> Any:
        made.append(function)
        time.sleep(0.05)
        return placed(code, function)

    def ask(_: int) -> tuple[int, bytes]:
        before.wait()
        return small()

    small()
    native.loaded.cache_clear()
    monkeypatch.setattr(native, "_made", {})
    monkeypatch.setattr(object_code, "placed", slowly)
    with ThreadPoolExecutor(8) as threads:
        assert [*threads.map(ask, range(8))] == [(7, b"x907x12")] * 8
    assert made == [JOIN.name]


def test_machine_code_stays_as_long_as_it_can_be_called(monkeypatch: pytest.MonkeyPatch) -> None:
    native.loaded.cache_clear()
    with monkeypatch.context() as changed:
        changed.setattr(native, "_made", {})
        small()
    gc.collect()  # which takes away what nothing keeps
    assert small() == (7, b"x907x12")


@pytest.mark.parametrize("seed", range(5))
def test_machine_code_does_what_the_python_does(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    rng = random.Random(seed)
    rows, texts = rng.randint(1, 50), [rng.randbytes(rng.randint(0, 9)) for _ in range(5)]
    kinds = np.array([rng.choice([NUMBER, CHOSEN, 0, 4]) for _ in range(7)])
    greatest = [5 if kind == CHOSEN else 10 ** rng.randint(0, 18) for kind in kinds]
    cells = np.array([rng.randrange(each) for each in greatest for _ in range(rows)])
    offsets = np.cumsum([0, *map(len, texts)])
    text = np.frombuffer(b"".join(texts), np.uint8)

    def joined() -> tuple[int, bytes, list[int]]:
        out, ends = np.zeros(rows * 7 * 19, np.uint8), np.zeros(rows, np.int64)
        size = native.run(JOIN, rows, 7, kinds, cells, offsets, text, out, ends)
        return size, out.tobytes(), ends.tolist()

    found = joined()
    monkeypatch.setattr(native, "AVAILABLE", False)
    assert joined() == found
