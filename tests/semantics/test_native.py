"""Kernels as machine code, which does what their Python does, and is made again where it is damaged."""

import random
from pathlib import Path

import numpy as np
import pytest

from remora.terminal.results.line_kernel import CHOSEN, JOIN, NUMBER
from semantics import native


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
        size = native.run(JOIN, rows, 7, kinds, cells, offsets, text, out, ends, large=True)
        return size, out.tobytes(), ends.tolist()

    found = joined()
    monkeypatch.setattr(native, "AVAILABLE", False)
    assert joined() == found


def test_damaged_machine_code_is_not_loaded(tmp_path: Path) -> None:
    place = tmp_path / "cache" / "kernel.o"
    assert native.stored(place) is None
    (tmp_path / "file").touch()
    native.store([tmp_path / "file" / "kernel.o", place], b"machine code")  # the first one cannot be written
    assert native.stored(place) == b"machine code"
    whole = place.read_bytes()
    for damaged in (whole[:-1], whole[:3], b"", whole[:-1] + b"E"):
        place.write_bytes(damaged)
        assert native.stored(place) is None
