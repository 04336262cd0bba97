"""The kernel that joins columns of texts and numbers, row by row."""

from __future__ import annotations

from typing import Final

from semantics.native import Kernel, Pointer

NUMBER, CHOSEN = -1, -2
"""What a column is: numbers, not negative; or for each row the number of its text."""

_ZERO: Final = ord("0")


def join(
    rows: int,
    columns: int,
    kinds: Pointer,
    cells: Pointer,
    offsets: Pointer,
    text: Pointer,
    out: Pointer,
    ends: Pointer,
) -> int:
    """Write what stands in the columns of each row, one after the other.

    Args:
        kinds: of each column `NUMBER`, `CHOSEN`, or the number of the text that every row has.
        cells: the columns one after the other.
        offsets: where each text begins in `text`, and the end of the last one.
        ends: take where each row ends there.

    Returns:
        How many bytes were written.
    """
    place = 0
    for row in range(rows):
        for column in range(columns):
            kind = kinds[column]
            if kind == NUMBER:
                rest = cells[column * rows + row]
                size, power = 1, 10
                while size < 19 and rest >= power:
                    size, power = size + 1, 10 * power
                for digit in range(size):
                    out[place + size - 1 - digit] = _ZERO + rest % 10
                    rest //= 10
                place += size
            else:
                number = cells[column * rows + row] if kind == CHOSEN else kind
                for byte in range(offsets[number], offsets[number + 1]):
                    out[place] = text[byte]
                    place += 1
        ends[row] = place
    return place


JOIN = Kernel(
    __name__, "join", ("integer", "integer", "integers", "integers", "integers", "bytes", "bytes", "integers")
)
