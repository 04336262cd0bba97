"""The kernels that find cells in pages of Parquet: numbers packed by runs and bits, and texts one after the other.

These are functions for `semantics.native`; places in a page are compared with its size, as a file may be damaged.
"""

from __future__ import annotations

from typing import Final

from semantics.native import Kernel, Pointer

LONGEST: Final = 5
"""The length of a run is written in at most so many bytes."""


PAGE: Final = 4
"""What is told of a page: where its cells begin and end, how many bits each has, and how many cells there are."""


def run_at(block: Pointer, place: int, size: int) -> tuple[int, int]:
    """What a run begins with, and the place after it; -1 where there is none."""
    value, shift = 0, 0
    for each in range(place, min(size, place + LONGEST)):
        value |= (int(block[each]) & 127) << shift
        shift += 7
        if block[each] < 128:
            return value, each + 1
    return -1, place


def repeated_at(block: Pointer, place: int, size: int, width: int) -> int:
    """The number of so many bits that a run repeats; -1 where there is none."""
    value = 0
    if place + ((width + 7) >> 3) > size:
        return -1
    for each in range((width + 7) >> 3):
        value |= int(block[place + each]) << (8 * each)
    return value


def choose(
    block: Pointer,
    pages: Pointer,
    number_of_pages: int,
    asked: Pointer,
    counts: Pointer,
    rows: Pointer,
    types: Pointer,
) -> int:
    """Find the rows whose number is one of those that are asked for.

    Args:
        block: the bytes of pages.
        pages: of each the items of `PAGE`; numbers have at most 16 bits, in the hybrid encoding of Parquet.
        number_of_pages: how many there are.
        asked: of each number of so many bits the event type; -1 where it is not asked for.
        counts: of each of them, how many rows have it; goes on.
        rows: take the rows that are found; there is room for all.
        types: take their event types.

    Returns:
        How many were found; -1 if a page is damaged.
    """
    found = first = 0
    for page in range(number_of_pages):
        place, size, width = pages[PAGE * page], pages[PAGE * page + 1], pages[PAGE * page + 2]
        done, last_of_page = first, first + pages[PAGE * page + 3]
        mask, half = (1 << width) - 1, width >> 1
        while done < last_of_page:
            run, place = run_at(block, place, size)
            if run < 2:
                return -1
            if run & 1:
                end, last = place + (run >> 1) * width, min(last_of_page, done + 8 * (run >> 1))
                if end > size:
                    return -1
                while done < last:  # eight numbers at a time, in two words
                    word = after = 0
                    for each in range(half):
                        word |= int(block[place + each]) << (8 * each)
                    for each in range(half, width):
                        after |= int(block[place + each]) << (8 * (each - half))
                    if width & 1:
                        word |= (after & 15) << (8 * half)
                        after >>= 4
                    place += width
                    for each in range(min(8, last - done)):
                        if each == 4:
                            word = after
                        number = word & mask
                        word >>= width
                        counts[number] += 1
                        kind = asked[number]
                        rows[found], types[found] = done + each, kind
                        found += kind >= 0
                    done += 8
                done, place = last, end
            else:
                number = repeated_at(block, place, size, width)
                if number < 0 or number > mask:
                    return -1
                place += (width + 7) >> 3
                last = min(last_of_page, done + (run >> 1))
                counts[number] += last - done
                kind = asked[number]
                while kind >= 0 and done < last:
                    rows[found], types[found] = done, kind
                    found += 1
                    done += 1
                done = last
        first = last_of_page
    return found


def numbers_at(
    block: Pointer,
    pages: Pointer,
    number_of_pages: int,
    first: int,
    rows: Pointer,
    count: int,
    known: int,
    out: Pointer,
) -> int:
    """Find the numbers of some rows.

    Args:
        block: as for `choose`.
        pages: likewise; numbers have at most 32 bits.
        number_of_pages: likewise.
        first: the row of the first number.
        rows: increasing.
        count: how many these are.
        known: numbers are less.
        out: take the numbers.

    Returns:
        How many were found; fewer if a page is damaged.
    """
    found = 0
    for page in range(number_of_pages):
        place, size, width = pages[PAGE * page], pages[PAGE * page + 1], pages[PAGE * page + 2]
        done, mask = first, (1 << width) - 1
        first += pages[PAGE * page + 3]
        while found < count and rows[found] < first:
            run, place = run_at(block, place, size)
            if run < 2:
                return found
            if run & 1:
                end, last = place + (run >> 1) * width, min(first, done + 8 * (run >> 1))
                if end > size:
                    return found
                while found < count and rows[found] < last:
                    bit = (rows[found] - done) * width
                    byte, after = place + (bit >> 3), place + ((bit + width + 7) >> 3)
                    word, shift = 0, 0
                    while byte < after:
                        word |= int(block[byte]) << shift
                        byte, shift = byte + 1, shift + 8
                    number = (word >> (bit & 7)) & mask
                    if number >= known:
                        return found
                    out[found] = number
                    found += 1
                place, done = end, last
            else:
                number, done = repeated_at(block, place, size, width), min(first, done + (run >> 1))
                if number < 0 or number >= known:
                    return found
                place += (width + 7) >> 3
                while found < count and rows[found] < done:
                    out[found] = number
                    found += 1
    return found


def texts_at(
    block: Pointer,
    pages: Pointer,
    number_of_pages: int,
    first: int,
    rows: Pointer,
    count: int,
    bounds: Pointer,
) -> int:
    """Find the texts of some rows, where each is written after its length.

    Args:
        block: as for `choose`.
        pages: likewise.
        number_of_pages: likewise.
        first: the row of the first text.
        rows: increasing.
        count: how many these are.
        bounds: take where each begins and ends.

    Returns:
        How many were found; fewer if a page is damaged.
    """
    found = 0
    for page in range(number_of_pages):
        place, size, row = pages[PAGE * page], pages[PAGE * page + 1], first
        first += pages[PAGE * page + 3]
        while row < first and found < count:
            if place + 4 > size:
                return found
            length = repeated_at(block, place, size, 32)
            place += 4
            if length > size - place:
                return found
            if rows[found] == row:
                bounds[2 * found], bounds[2 * found + 1] = place, place + length
                found += 1
            place, row = place + length, row + 1
    return found


CHOOSE = Kernel(
    __name__,
    "choose",
    ("bytes", "integers", "integer", "integers", "integers", "integers", "integers"),
)

NUMBERS = Kernel(
    __name__,
    "numbers_at",
    ("bytes", "integers", "integer", "integer", "integers", "integer", "integer", "integers"),
)

TEXTS = Kernel(
    __name__,
    "texts_at",
    ("bytes", "integers", "integer", "integer", "integers", "integer", "integers"),
)

KERNELS = (CHOOSE, NUMBERS, TEXTS)
