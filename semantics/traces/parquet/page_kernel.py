"""The kernels that find pages of Parquet and cells in them: numbers packed by runs and bits, times, and texts.

These are functions for `semantics.native`; places in a page are compared with its size, as a file may be damaged.
"""

from __future__ import annotations

from typing import Final

from semantics.native import Kernel, Pointer

LONGEST: Final = 5
"""A number of 32 bits, as the length of a run, is written in at most so many bytes."""

WIDEST: Final = 32
"""A number in a dictionary has at most so many bits."""

DATA: Final = 0
DICTIONARY: Final = 2
"""Types of pages; those of the second version of the format are not read here."""

DATA_FIELD: Final = 5
DICTIONARY_FIELD: Final = 7
"""The fields of a header that have a struct with more of each type of page."""

PLAIN: Final = 0
PLAIN_DICTIONARY: Final = 2
RLE: Final = 3
RLE_DICTIONARY: Final = 8
"""Encodings."""

HEADER: Final = 8
"""What is told of the header of a page, -1 for what it lacks: the type of the page; how many bytes the page has
unpacked and packed; how many cells, which encoding, and which encoding of levels; the field that says these three; and
where the page begins."""

PAGE: Final = 4
"""What is told of a page: where its cells begin and end, how many bits each has, and how many cells there are."""


def run_at(block: Pointer, place: int, size: int) -> tuple[int, int]:
    """What a run begins with, or another number, and the place after it; -1 where there is none."""
    value, shift = 0, 0
    for each in range(place, min(size, place + LONGEST)):
        value |= (int(block[each]) & 127) << shift
        shift += 7
        if block[each] < 128:
            return value, each + 1
    return -1, place


def header_at(block: Pointer, place: int, size: int, header: Pointer, told: int) -> int:
    """The place after the header of a page, a struct in the compact protocol of Thrift; -1 if it is none.

    Args:
        block: the bytes of a column chunk.
        place: where the header begins.
        size: how many bytes there are.
        header: takes its items.
        told: from which place on.
    """
    for each in range(HEADER):
        header[told + each] = -1
    depth = outer = inner = 0  # the fields of the struct, and of one in it; further in they do not matter
    while place < size:
        first = int(block[place])
        kind, field, place = first & 15, first >> 4, place + 1
        if first == 0:
            if depth == 0:
                return place
            depth -= 1
            continue
        if field:
            field += outer if depth == 0 else inner
        else:
            field, place = run_at(block, place, size)
            if field < 0:
                return -1
            field >>= 1
        if depth == 0:
            outer, inner = field, 0
        elif depth == 1:
            inner = field
        if kind == 12:  # a struct
            depth += 1
        elif kind in (3, 7):  # a byte, or eight
            place += 1 if kind == 3 else 8
        elif kind == 6:  # a number of 64 bits
            while place < size and block[place] > 127:
                place += 1
            place += 1
        elif kind in (4, 5, 8):  # a number, or the length of bytes
            value, place = run_at(block, place, size)
            if value < 0:
                return -1
            if kind == 8:
                place += value
            elif depth == 0 and 1 <= field <= 3:
                header[told + field - 1] = (value >> 1) ^ -(value & 1)
            elif depth == 1 and 1 <= field <= 3 and outer in (DATA_FIELD, DICTIONARY_FIELD):
                header[told + field + 2], header[told + 6] = (value >> 1) ^ -(value & 1), outer
        elif kind not in (1, 2):  # true and false
            return -1
    return -1


def headers_at(block: Pointer, size: int, rows: int, most: int, headers: Pointer) -> int:
    """Find the pages of a column chunk.

    Args:
        block: its bytes.
        size: how many there are.
        rows: a page has at most so many cells.
        most: how many pages there is room for.
        headers: take the items of `HEADER` of each.

    Returns:
        How many were found; -1 if these are more, or it is damaged.
    """
    found = place = 0
    while place < size:
        if found == most:
            return -1
        told = HEADER * found
        place = header_at(block, place, size, headers, told)
        kind, packed, cells = headers[told], headers[told + 2], headers[told + 3]
        if place < 0 or packed < 0 or packed > size - place or headers[told + 1] < 0:
            return -1
        if kind not in (DATA, DICTIONARY) or not 0 <= cells <= rows:
            return -1
        if headers[told + 6] != (DATA_FIELD if kind == DATA else DICTIONARY_FIELD):
            return -1
        headers[told + 7] = place
        found, place = found + 1, place + packed
    return found


def are_ones(block: Pointer, place: int, size: int, count: int) -> bool:
    """Whether so many numbers of one bit, in the hybrid encoding of Parquet, are ones."""
    done = 0
    while done < count:
        run, place = run_at(block, place, size)
        if run < 2:
            return False
        for _ in range(run >> 1 if run & 1 else 1):
            ones = (1 << min(8, count - done)) - 1 if run & 1 else 1
            if place >= size or int(block[place]) & (ones if run & 1 else 255) != ones:
                return False
            done, place = done + (8 if run & 1 else run >> 1), place + 1
            if done >= count:
                return True
    return True


def pages_at(block: Pointer, headers: Pointer, number_of_pages: int, nullable: int, pages: Pointer) -> int:
    """Find where cells are in pages: those of the dictionary, those that are numbers in it, and those that are not.

    Args:
        block: the bytes of the pages, unpacked, one page after the other.
        headers: their items of `HEADER`.
        number_of_pages: how many there are.
        nullable: whether it is written before the cells of a page which ones are null.
        pages: take the items of `PAGE` of each; the bits of what is no number in the dictionary are 0.

    Returns:
        How many pages have numbers in the dictionary; they come after it, and before the others. -1 if they do not, or
        a page is damaged, or a cell is null.
    """
    coded = end = 0
    for page in range(number_of_pages):
        kind, size = headers[HEADER * page], headers[HEADER * page + 1]
        cells, encoding = headers[HEADER * page + 3], headers[HEADER * page + 4]
        place, end, width = end, end + size, 0
        if kind == DICTIONARY:
            if page or encoding not in (PLAIN, PLAIN_DICTIONARY):
                return -1
        else:
            if nullable:
                if place + 4 > end or headers[HEADER * page + 5] != RLE:
                    return -1
                after = place + 4 + repeated_at(block, place, end, WIDEST)
                if after > end or not are_ones(block, place + 4, after, cells):
                    return -1
                place = after
            if encoding in (PLAIN_DICTIONARY, RLE_DICTIONARY):
                if place >= end or headers[0] != DICTIONARY or coded < page - 1:
                    return -1
                width, place, coded = int(block[place]), place + 1, coded + 1
                if width < 1 or width > WIDEST:
                    return -1
            elif encoding != PLAIN:
                return -1
        told = PAGE * page
        pages[told], pages[told + 1], pages[told + 2], pages[told + 3] = place, end, width, cells
    return coded


def repeated_at(block: Pointer, place: int, size: int, width: int) -> int:
    """The number of so many bits that a run repeats; -1 where there is none."""
    value = 0
    if place + ((width + 7) >> 3) > size:
        return -1
    for each in range((width + 7) >> 3):
        value |= int(block[place + each]) << (8 * each)
    return value


def word_at(block: Pointer, place: int, size: int) -> int:
    """The number that eight bytes are, or as many as there are."""
    word = 0
    if place + 8 <= size:  # which is one instruction
        for each in range(8):
            word |= int(block[place + each]) << (8 * each)
    else:
        for each in range(size - place):
            word |= int(block[place + each]) << (8 * each)
    return word


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
                    word = word_at(block, place, size)
                    after = word_at(block, place + half, size) >> (4 * (width & 1))
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
                    number = (word_at(block, place + (bit >> 3), size) >> (bit & 7)) & mask
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


def times_at(
    block: Pointer,
    pages: Pointer,
    number_of_pages: int,
    first: int,
    rows: Pointer,
    count: int,
    out: Pointer,
    order: Pointer,
) -> int:
    """Find the times of some rows, and in which order those of all rows are.

    Args:
        block: as for `choose`.
        pages: likewise, but cells are numbers of 64 bits.
        number_of_pages: likewise.
        first: the row of the first cell.
        rows: increasing.
        count: how many these are.
        out: take the times.
        order: how many were found; of all times so far the first one, how many are less than the one before, the last
            one, the least and the greatest. It goes on.

    Returns:
        How many were found so far; -1 if a page is damaged.
    """
    found, disorder, last, least, greatest = order[0], order[2], order[3], order[4], order[5]
    for page in range(number_of_pages):
        begin, size, cells = pages[PAGE * page], pages[PAGE * page + 1], pages[PAGE * page + 3]
        if 8 * cells > size - begin:
            return -1
        if first == 0 and cells:
            last = least = greatest = order[1] = word_at(block, begin, size)
        for each in range(cells):
            time = word_at(block, begin + 8 * each, size)
            if time < last:  # only here can a time be the least, and the one before it the greatest
                disorder, least, greatest = disorder + 1, min(least, time), max(greatest, last)
            last = time
        greatest = max(greatest, last)
        while found < count and rows[found] < first + cells:
            out[found] = word_at(block, begin + 8 * (rows[found] - first), size)
            found += 1
        first += cells
    order[0], order[2], order[3], order[4], order[5] = found, disorder, last, least, greatest
    return int(found)


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


HEADERS = Kernel(__name__, "headers_at", ("bytes", "integer", "integer", "integer", "integers"))

PAGES = Kernel(__name__, "pages_at", ("bytes", "integers", "integer", "integer", "integers"))

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

TIMES = Kernel(
    __name__,
    "times_at",
    ("bytes", "integers", "integer", "integer", "integers", "integer", "integers", "integers"),
)

TEXTS = Kernel(
    __name__,
    "texts_at",
    ("bytes", "integers", "integer", "integer", "integers", "integer", "integers"),
)

KERNELS = (HEADERS, PAGES, CHOOSE, NUMBERS, TIMES, TEXTS)
