"""Kernels as machine code, which does what their Python does."""

import random

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
        size = native.run(JOIN, rows, 7, kinds, cells, offsets, text, out, ends)
        return size, out.tobytes(), ends.tolist()

    found = joined()
    monkeypatch.setattr(native, "AVAILABLE", False)
    assert joined() == found
