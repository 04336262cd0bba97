"""Traces as words of bits, many at once: bit i of a word says whether an event type occurs at tick i.

Every word follows from a key, the stream, the number of the draw, the type and the lane alone: these numbers are put
through the generator SplitMix64 as through a hash. So a lane is the same alone and among others, on every machine,
whatever the version of NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]
"""Bit sets of ticks: bit i is tick i."""

_ONE = np.uint64(1)
_ALL = ~np.uint64(0)
_NONE = np.uint64(0)


class Draws:
    """Words of random bits for some lanes, one draw after the other."""

    def __init__(self, key: int, stream: int, types: int, lanes: NDArray[np.int64]) -> None:
        """Begin with the first draw of a stream.

        Args:
            key: determines all words, together with the rest.
            stream: draws of different streams have nothing to do with each other.
            types: how many words a lane takes for one draw.
            lanes: the numbers of the lanes.
        """
        rows = np.arange(types + 1, dtype=np.uint64)[:, None]
        self._places = rows << np.uint64(20) | lanes.astype(np.uint64)
        self._key = np.uint64(key)
        self._next = stream << 40

    def words(self) -> Words:
        """A word for each type and lane, shape (types, lanes)."""
        return self._drawn(self._places[:-1])

    def shared(self) -> Words:
        """A word for each lane, shape (lanes,)."""
        return self._drawn(self._places[-1])

    def number(self, limit: int) -> Words:
        """A number below the limit for each lane, shape (lanes,)."""
        return self.shared() % np.uint64(limit)

    def _drawn(self, places: Words) -> Words:
        counters = np.uint64(self._next) | places
        self._next += 1 << 32
        return splitmix64(counters * _GAMMA + self._key)


_GAMMA = np.uint64(0x9E3779B97F4A7C15)


def splitmix64(state: Words) -> Words:
    """The output function of the generator SplitMix64 on some of its states: random bits from distinct numbers."""
    mixed = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ mixed >> np.uint64(31))


def _sometimes(draws: Draws) -> Words:
    """All bits in half of the lanes, none in the others."""
    return draws.number(2) * _ALL


def _dense(draws: Draws, _model: Words, _span: int) -> Words:
    """Each type occurs at every second tick, or at every fourth."""
    return draws.words() & (draws.words() | _sometimes(draws))


def _sparse(draws: Draws, _model: Words, _span: int) -> Words:
    """Each type occurs at every eighth tick, or at every sixteenth."""
    eighth = draws.words() & draws.words() & draws.words()
    return eighth & (draws.words() | _sometimes(draws))


def _bursty(draws: Draws, _model: Words, _span: int) -> Words:
    """Much within a few ticks, and nothing in between."""
    burst = draws.shared() & draws.shared() & draws.shared() & draws.shared()
    burst |= burst << _ONE
    burst |= burst << np.uint64(2)
    return burst & (draws.words() | _sometimes(draws))


def _ties(draws: Draws, _model: Words, _span: int) -> Words:
    """Few instants, with most types at each of them, and a little beside."""
    common = draws.shared() & draws.shared() & (draws.shared() | _sometimes(draws))
    rare = draws.words() & draws.words() & draws.words() & draws.words()
    most = draws.words() | draws.words()
    return np.asarray(common & most | rare)


def _full(draws: Draws, model: Words, _span: int) -> Words:
    """One type at nearly every tick, for sequences to remember, and the others seldom."""
    types = np.arange(len(model), dtype=np.uint64)[:, None]
    chosen = types == draws.number(len(model))
    nearly = draws.words() | draws.words() | draws.words() | _sometimes(draws)
    seldom = draws.words() & draws.words() & draws.words()
    return np.asarray(np.where(chosen, nearly, seldom))


def _repeated(draws: Draws, model: Words, span: int) -> Words:
    """The model twice, the second time with some occurrences left out or a tick late; noise in half of the lanes."""
    late = draws.words() & draws.words() & draws.words()
    kept = draws.words() | draws.words() | draws.words()
    again = (model & ~late | (model & late) << _ONE) & kept
    begin = draws.number(8)
    echo = _shifted(again, begin + draws.number(min(span, 24) + 4))
    noise = draws.words() & draws.words() & draws.words() & draws.words() & _sometimes(draws)
    return model << begin | echo | noise


def _stretched(draws: Draws, model: Words, span: int) -> Words:
    """The model with a part moved by a tick: all that is from a random tick on, or all occurrences of some types."""
    before = (_ONE << draws.number(span)) - _ONE
    early, late = model & before, model & ~before
    whole = draws.number(2)
    types = draws.words() & _ONE
    moved = np.where(whole == 1, early | late << _ONE, early | late >> _ONE)
    begin = draws.number(4) + _ONE
    apart = np.where(types == 1, model << (begin + _ONE), model << (begin - whole))
    return np.where(draws.number(3) > 0, moved << begin, apart)


def _shifted(words: Words, ticks: Words) -> Words:
    """The words so many ticks later; a shift of 64 and more leaves nothing, which machines do not agree on."""
    return np.where(ticks < np.uint64(64), words << np.minimum(ticks, np.uint64(63)), _NONE)


TRACES: tuple[Callable[[Draws, Words, int], Words], ...] = (
    _repeated,
    _stretched,
    _dense,
    _repeated,
    _sparse,
    _stretched,
    _bursty,
    _ties,
    _full,
)
"""The kinds of traces, in turn over the lanes: from draws, the model as one word per type, and its ticks."""
