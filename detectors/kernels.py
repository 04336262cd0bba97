"""Compiled loops that do not depend on the expression: stretches of a trace become instants with occurrences.

An instant without occurrences changes nothing, so the loops of `detectors.programs` run over the others alone. Where
nearly every instant has one, looking for them costs more than it saves, and the letters are passed on as they are.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detectors import start_queue
from detectors.compiled import compiled
from detectors.intervals import Letters, Times

BLOCK = 1 << 14
"""How many instants go through a loop at a time: its arrays stay in the processor's cache."""

WORD = 8
"""How many bytes are looked at together for being zero."""

DENSE = 0.45
"""From this share of instants with occurrences on, the instants without are not left out."""

SPARSE = 0.7
"""Up to so many occurrences per word to expect, zero words are left out before letters are looked at."""

SAMPLE = 16
"""Every so many letters of a dense block one is looked at, to see whether it still is."""

latest_before = compiled(start_queue.latest_before)
push = compiled(start_queue.push)

LAST = np.iinfo(np.int64).max
"""Later than every time."""


@compiled
def busy(
    block: Letters,
    words: NDArray[np.uint64],
    begin: int,
    share: float,
    times: Times,
    kept: Letters,
    places: NDArray[np.int64],
) -> tuple[int, bool]:
    """The letters of a block that are not zero, with their places; how many they are, and whether it is too dense.

    Written without branches, which would be hard to predict: each place is noted, and counted if it matters.

    Args:
        block: some letters.
        words: the whole stretch to which they belong, eight bytes at a time.
        begin: where the block begins in the stretch.
        share: the share of instants with occurrences to expect, from 0 to 1. If it is great, nothing is done.
        times: for the places of the letters in the block.
        kept: for the letters.
        places: for the places of words.
    """
    if share >= DENSE:
        return len(block), True
    found = 0
    width = WORD // block.itemsize
    whole = len(block) // width
    done = 0
    if share * width < SPARSE:
        first = begin // width
        count = 0
        for place in range(whole):
            places[count] = place
            count += 1 if words[first + place] != 0 else 0
        for index in range(count):
            place = places[index] * width
            for _ in range(width):
                letter = block[place]
                times[found] = place
                kept[found] = letter
                found += 1 if letter != 0 else 0
                place += 1
        done = whole * width
    for place in range(done, len(block)):
        letter = block[place]
        times[found] = place
        kept[found] = letter
        found += 1 if letter != 0 else 0
    return found, False


@compiled
def share_of(block: Letters) -> float:
    """About which share of a block's instants have occurrences."""
    count = 0
    for place in range(0, len(block), SAMPLE):
        count += 1 if block[place] != 0 else 0
    return count * SAMPLE / len(block)


@compiled
def latest_point(column: Times, hints: NDArray[np.int64], hint: int, time: int) -> int:
    """The latest time in a column before a time, or -1, searched from where the last search ended."""
    count = len(column)
    place = hints[hint]  # how many times come before, as far as known
    stride = 1
    if place < count and column[place] < time:
        while place + stride < count and column[place + stride] < time:
            place += stride
            stride *= 2
        low, high = place + 1, min(place + stride, count)
    else:
        while place - stride >= 0 and column[place - stride] >= time:
            place -= stride
            stride *= 2
        low, high = max(place - stride + 1, 0), place
    while low < high:
        middle = (low + high) >> 1
        if column[middle] < time:
            low = middle + 1
        else:
            high = middle
    hints[hint] = low
    return column[low - 1] if low > 0 else -1


def room(kind: type[np.unsignedinteger[Any]]) -> tuple[Times, Letters, NDArray[np.int64], Times]:
    """The arrays that a block goes through."""
    return (
        np.empty(BLOCK + 1, np.int64),
        np.empty(BLOCK + 1, kind),
        np.empty(BLOCK + 1, np.int64),
        np.arange(BLOCK, dtype=np.int64),
    )


# ------------------------------------------------------------------------------------------------ generated loops


@lru_cache(maxsize=256)
def loops(text: str) -> ModuleType:
    """The generated module with this text.

    The module is a file in a folder of the user's, named after its text, so that what was compiled for it is found
    again by later processes.
    """
    digest = hashlib.sha256(text.encode()).hexdigest()[:32]
    name = f"remora_kernel_{digest}"
    path = folder() / f"{name}.py"
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=name, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).replace(path)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def folder() -> Path:
    """Where generated modules are kept: `REMORA_CACHE`, or a folder for caches in the user's home."""
    chosen = os.environ.get("REMORA_CACHE")
    base = (
        Path(chosen)
        if chosen
        else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "remora"
    )
    kernels = base / "kernels"
    kernels.mkdir(parents=True, exist_ok=True, mode=0o700)
    return kernels
