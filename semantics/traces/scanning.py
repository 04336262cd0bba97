"""Kernels that read rows of CSV and JSON Lines from bytes, each in one pass: no object is made for a cell.

They take what is beyond doubt, and stop at what is not, so that a row is read here exactly as `files.read_rows` reads
it, or there. Event types and partitions become numbers, in the order in which they first occur.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from semantics.compiled import callable_from_compiled, compiled
from semantics.traces.rows import MAX_TIME, MAX_TIME_DIGITS

Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]

END, UNUSUAL, FULL = 0, 1, 2
"""Why a kernel stops: nothing is left but perhaps a part of a row; a row is not for it; a table has no room."""

TICKS, ISO = 0, 1
"""How times are written: digits that count; or ISO 8601 with seconds, within the years 1970 to 2261."""

NOTHING, TEXT, JSON, QUOTED = 0, 1, 2, 3
"""What a value is: missing, text, a scalar written in JSON; or text in which each quote stands twice."""

LONGEST: Final = 131_072
"""A cell has at most so many bytes."""

LONGEST_NUMBER: Final = 4_000
"""A number in JSON has at most so many bytes."""

_COMMA, _QUOTE, _NEWLINE, _RETURN, _SPACE, _BACKSLASH = (ord(c) for c in ',"\n\r \\')
_ZERO, _NINE, _MINUS, _PLUS, _DOT, _COLON = (ord(c) for c in "09-+.:")
_T, _T_SMALL, _Z, _Z_SMALL = (ord(c) for c in "TtZz")
_OPEN, _CLOSE, _TAB = ord("{"), ord("}"), ord("\t")
_TRUE, _FALSE, _NULL = b"true", b"false", b"null"
_LAST_YEAR: Final = 2261
_SECOND: Final = 1_000_000_000


class Clocked(NamedTuple):
    """How times are counted.

    Attributes:
        kind: `TICKS` or `ISO`.
        factor: a number counts so many ticks, divided by `divisor`; of ISO 8601, nanoseconds are counted.
        divisor: see above.
        shift: what is taken from a time of day without zone, in nanoseconds.
        has_zone: whether times of day without zone are read.
        rounds: whether what lies between two ticks is taken for the one before.
    """

    kind: int
    factor: int
    divisor: int
    shift: int
    has_zone: bool
    rounds: bool


@callable_from_compiled
def digits_at(block: Bytes, begin: int, end: int) -> int:
    """The number that some digits write; -1 where there is something else, or nothing."""
    if begin >= end or end - begin > MAX_TIME_DIGITS:
        return -1
    value = 0
    for place in range(begin, end):
        digit = int(block[place]) - _ZERO
        if digit < 0 or digit > 9:
            return -1
        value = 10 * value + digit
    return value


@callable_from_compiled
def moment_at(block: Bytes, begin: int, end: int, clock: Clocked) -> int:
    """The nanoseconds from 1970 to a time of day in UTC; -1 where it is not written plainly.

    The text is `2017-03-09T07:30:23`, perhaps with a fraction, and with Z, an offset, or neither.
    """
    if end - begin < 19 or block[begin + 4] != _MINUS or block[begin + 7] != _MINUS:
        return -1
    middle = block[begin + 10]
    if (middle != _T and middle != _T_SMALL and middle != _SPACE) or block[begin + 13] != _COLON:
        return -1
    if block[begin + 16] != _COLON:
        return -1
    year, month = digits_at(block, begin, begin + 4), digits_at(block, begin + 5, begin + 7)
    day, hour = digits_at(block, begin + 8, begin + 10), digits_at(block, begin + 11, begin + 13)
    minute, second = digits_at(block, begin + 14, begin + 16), digits_at(block, begin + 17, begin + 19)
    if year < 1970 or year > _LAST_YEAR or month < 1 or month > 12 or day < 1 or hour < 0 or hour > 23:
        return -1
    if minute < 0 or minute > 59 or second < 0 or second > 59:
        return -1
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    length = 30 + (month + month // 8) % 2 if month != 2 else 28 + leap
    if day > length:
        return -1
    # The days from 1970 by counting years that begin in March (H. Hinnant, days_from_civil).
    shifted = year - (month <= 2)
    era = shifted // 400
    of_era = shifted - 400 * era
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    days = 146097 * era + 365 * of_era + of_era // 4 - of_era // 100 + of_year - 719468
    value = ((24 * days + hour) * 60 + minute) * 60 + second
    nanoseconds = 0
    place = begin + 19
    if place < end and block[place] == _DOT:
        place += 1
        first, unit = place, _SECOND
        while place < end and block[place] >= _ZERO and block[place] <= _NINE and place - first < 9:
            unit //= 10
            nanoseconds += unit * (int(block[place]) - _ZERO)
            place += 1
        if place == first:
            return -1
    if place == end:
        return value * _SECOND + nanoseconds - clock.shift if clock.has_zone else -1
    sign = block[place]
    if sign in (_Z, _Z_SMALL):
        return value * _SECOND + nanoseconds if place + 1 == end else -1
    if (sign != _PLUS and sign != _MINUS) or end - place != 6 or block[place + 3] != _COLON:
        return -1
    hours, minutes = digits_at(block, place + 1, place + 3), digits_at(block, place + 4, place + 6)
    if hours < 0 or minutes < 0:
        return -1
    ahead = 60 * (60 * hours + minutes)
    value -= ahead if sign == _PLUS else -ahead
    return value * _SECOND + nanoseconds


@callable_from_compiled
def find(block: Bytes, begin: int, end: int, slots: Integers, offsets: Integers, text: Bytes) -> int:
    """The number of a text in a table; where it is new, a negative number that says which slot is free for it."""
    digest = np.uint64(14695981039346656037)
    for place in range(begin, end):
        digest = (digest ^ np.uint64(block[place])) * np.uint64(1099511628211)
    digest ^= digest >> np.uint64(29)
    mask = len(slots) - 1
    slot = np.int64(digest & np.uint64(mask))
    length = end - begin
    while True:
        number = slots[slot]
        if number < 0:
            return int(-1 - slot)
        first = offsets[number]
        if offsets[number + 1] - first == length:
            same = 0
            while same < length and text[first + same] == block[begin + same]:
                same += 1
            if same == length:
                return int(number)
        slot = (slot + 1) & mask


@callable_from_compiled
def add(
    block: Bytes, begin: int, end: int, slot: int, slots: Integers, offsets: Integers, text: Bytes, known: int
) -> bool:
    """Add a text to a table of `known` ones, at a free slot; whether there was room."""
    first, length = offsets[known], end - begin
    if 2 * known + 2 > len(slots) or known + 2 > len(offsets) or first + length > len(text):
        return False
    for place in range(length):
        text[first + place] = block[begin + place]
    offsets[known + 1] = first + length
    slots[slot] = known
    return True


@compiled
def refill(
    text: Bytes, offsets: Integers, known: int, slots: Integers, larger: Integers, room: Bytes
) -> None:
    """Copy a table of texts into a larger one.

    Args:
        text: the texts of the old table.
        offsets: its offsets.
        known: how many texts it has.
        slots: of the new table, all free.
        larger: the offsets of the new table.
        room: for its texts.
    """
    for number in range(known):
        begin, end = offsets[number], offsets[number + 1]
        add(text, begin, end, -1 - find(text, begin, end, slots, larger, room), slots, larger, room, number)


@compiled
def take(
    block: Bytes,
    bounds: Integers,
    rows: int,
    asked: int,
    clock: Clocked,
    slots: Integers,
    offsets: Integers,
    text: Bytes,
    counts: Integers,
    part_slots: Integers,
    part_offsets: Integers,
    part_text: Bytes,
    times: Integers,
    types: Integers,
    partitions: Integers,
    values: Bytes,
    ends: Integers,
    kinds: Bytes,
    meta: Integers,
) -> tuple[int, int]:
    """Take rows whose cells have been found.

    Args:
        block: the text.
        bounds: of each row where its cells begin and end, and what its value is; see `scan_csv`.
        rows: how many there are.
        asked: rows of the event types with smaller numbers are asked for.
        clock: how times are counted.
        slots: of the table of event types, an open hash table of their numbers; -1 where it is free.
        offsets: where each of them begins in `text`, and the end of the last one.
        text: them, one after the other.
        counts: how many rows had each.
        part_slots: of the table of partitions, likewise.
        part_offsets: likewise.
        part_text: likewise.
        times: of the rows that are asked for: the times in ticks.
        types: the numbers of event types.
        partitions: the numbers of partitions.
        values: the bytes of their values, one after the other.
        ends: where each value ends.
        kinds: of each value `NOTHING`, `TEXT` or `JSON`.
        meta: how many rows were found, how many event types, how many partitions, how many bytes of values, the time
            of the last row of all, how many times were rounded, how many rows had no partition; kept up to date.

    Returns:
        Why it stops, and how many rows were taken.
    """
    found, known, known_parts, size = meta[0], meta[1], meta[2], meta[3]
    last, rounded, missing = meta[4], meta[5], meta[6]
    scaled, why, row = clock.factor != clock.divisor, END, 0
    while row < rows:
        begin, end = bounds[row, 0], bounds[row, 1]
        value = moment_at(block, begin, end, clock) if clock.kind == ISO else digits_at(block, begin, end)
        rest = 0
        if scaled and value >= 0:
            if clock.kind != ISO and value > MAX_TIME // clock.factor:
                value = -1
            else:
                value *= clock.factor
                rest = value % clock.divisor
                value //= clock.divisor
        begin, end = bounds[row, 2], bounds[row, 3]
        if value < last or begin == end or value < 0 or (rest and not clock.rounds):
            why = UNUSUAL
            break
        event = find(block, begin, end, slots, offsets, text)
        if event < 0:
            if not add(block, begin, end, -1 - event, slots, offsets, text, known):
                why = FULL
                break
            event = known
            known += 1
            counts[event] = 0
        begin, end = bounds[row, 4], bounds[row, 5]
        part = 0
        if begin == end and begin >= 0:
            missing += 1
        if event < asked and begin >= 0:
            part = find(block, begin, end, part_slots, part_offsets, part_text)
            if part < 0:
                if not add(block, begin, end, -1 - part, part_slots, part_offsets, part_text, known_parts):
                    why = FULL
                    break
                part = known_parts
                known_parts += 1
        if event < asked:
            begin, end, kind = bounds[row, 6], bounds[row, 7], bounds[row, 8]
            if found >= len(times) or size + end - begin > len(values):
                why = FULL
                break
            times[found], types[found], partitions[found] = value, event, part
            while begin < end:
                values[size] = block[begin]
                size += 1
                begin += 2 if kind == QUOTED and block[begin] == _QUOTE else 1
            ends[found], kinds[found] = size, TEXT if kind == QUOTED else kind
            found += 1
        counts[event] += 1
        last = value
        rounded += rest != 0
        row += 1
    meta[0], meta[1], meta[2], meta[3] = found, known, known_parts, size
    meta[4], meta[5], meta[6] = last, rounded, missing
    return why, row


@compiled
def scan_csv(
    block: Bytes, place: int, places: Integers, delimiter: int, bounds: Integers
) -> tuple[int, int, int]:
    """Find the cells of whole lines of CSV.

    Args:
        block: text that ends with a line.
        place: where a line begins.
        places: how many cells a line has, and which are the time, the event type, the partition and the value; -1 for
            one that is not there or not asked for.
        delimiter: what is between cells.
        bounds: of each row where these begin and end, two columns each, and what the value is; shape `(n, 9)`. It is
            full of -1 where there is no such cell.

    Returns:
        Why it stops, how many rows were found, and where the line begins that comes next.
    """
    size, width, top, row = len(block), places[0], max(delimiter, _QUOTE), 0
    at_time, at_event, at_part, at_value = places[1], places[2], places[3], places[4]
    while place < size and row < len(bounds):
        line = place
        if block[place] == _RETURN and place + 1 < size:
            place += 1
        if block[place] == _NEWLINE:
            place += 1
            continue
        place, cell, ended = line, 0, False
        while not ended:
            kind = TEXT
            if block[place] == _QUOTE:
                first = place + 1
                last = first
                while True:
                    while last < size and block[last] != _QUOTE:
                        if block[last] == _RETURN:
                            return UNUSUAL, row, line
                        last += 1
                    if last + 1 >= size:
                        return END, row, line
                    if block[last + 1] != _QUOTE:
                        break
                    kind = QUOTED
                    last += 2
                place = last + 1
            else:
                first = place
                while True:
                    byte = block[place]
                    if byte <= top:
                        if byte in (delimiter, _NEWLINE, _RETURN):
                            break
                        if byte == _QUOTE:
                            return UNUSUAL, row, line
                    place += 1
                last = place
            if last - first > LONGEST:
                return UNUSUAL, row, line
            if block[place] == _RETURN and place + 1 < size:
                place += 1
                if block[place] != _NEWLINE:
                    return UNUSUAL, row, line
            if block[place] == _NEWLINE:
                ended = True
            elif block[place] != delimiter:
                return UNUSUAL, row, line
            place += 1
            if cell == at_value:
                bounds[row, 6], bounds[row, 7] = first, last
                bounds[row, 8] = kind if first < last else NOTHING
            elif cell in (at_time, at_event, at_part):
                if kind == QUOTED:
                    return UNUSUAL, row, line
                role = 0 if cell == at_time else 2 if cell == at_event else 4
                bounds[row, role], bounds[row, role + 1] = first, last
            cell += 1
            if not ended and place >= size:
                return END, row, line
        if cell != width:
            return UNUSUAL, row, line
        row += 1
    return END, row, place


@callable_from_compiled
def string_end(block: Bytes, place: int) -> tuple[int, bool]:
    """The place of the quote that closes a JSON string, and whether there are escapes; -1 where it is not for this."""
    size, escaped = len(block), False
    while place < size and block[place] != _QUOTE:
        if block[place] < _SPACE:
            return -1, escaped
        if block[place] == _BACKSLASH:
            escaped = True
            place += 1
            if place >= size or not (
                block[place] == _QUOTE
                or block[place] == _BACKSLASH
                or block[place] == ord("/")
                or block[place] == ord("b")
                or block[place] == ord("f")
                or block[place] == ord("n")
                or block[place] == ord("r")
                or block[place] == ord("t")
            ):
                return -1, escaped
        place += 1
    return (place if place < size else -1), escaped


@callable_from_compiled
def number_end(block: Bytes, place: int) -> tuple[int, bool]:
    """The place after a JSON number, and whether it is digits alone; -1 where there is none."""
    size, plain = len(block), True
    if place < size and block[place] == _MINUS:
        place, plain = place + 1, False
    first = place
    while place < size and block[place] >= _ZERO and block[place] <= _NINE:
        place += 1
    if place == first or (block[first] == _ZERO and place > first + 1):
        return -1, False
    if place < size and block[place] == _DOT:
        plain, first = False, place + 1
        place += 1
        while place < size and block[place] >= _ZERO and block[place] <= _NINE:
            place += 1
        if place == first:
            return -1, False
    if place < size and (block[place] == ord("e") or block[place] == ord("E")):
        plain = False
        place += 1
        if place < size and (block[place] == _PLUS or block[place] == _MINUS):
            place += 1
        first = place
        while place < size and block[place] >= _ZERO and block[place] <= _NINE:
            place += 1
        if place == first:
            return -1, False
    return place, plain


@callable_from_compiled
def literal_end(block: Bytes, place: int) -> int:
    """The place after `true`, `false` or `null`; -1 where none of them stands."""
    for word in (_TRUE, _FALSE, _NULL):
        if place + len(word) <= len(block):
            same = True
            for offset in range(len(word)):
                if block[place + offset] != word[offset]:
                    same = False
            if same:
                return place + len(word)
    return -1


@callable_from_compiled
def after_space(block: Bytes, place: int) -> int:
    """The place after spaces and tabs."""
    while place < len(block) and (block[place] == _SPACE or block[place] == _TAB):
        place += 1
    return place


@compiled
def scan_json(
    block: Bytes, place: int, keys: Bytes, offsets: Integers, roles: Integers, dated: bool, bounds: Integers
) -> tuple[int, int, int]:
    """Find the members of whole lines of JSON: objects of scalars that have the same keys in the same order.

    Args:
        block: text that ends with a line.
        place: where a line begins.
        keys: the keys one after the other.
        offsets: where each begins, and the end of the last one.
        roles: of each key: 0 for the time, 1 for the event type, 2 for the partition, 3 for the value, -1 for others.
        dated: whether times are text.
        bounds: as of `scan_csv`; a partition is found as it is written in JSON.

    Returns:
        Why it stops, how many rows were found, and where the line begins that comes next.
    """
    size, row = len(block), 0
    while place < size and row < len(bounds):
        line = place
        if block[place] == _NEWLINE:
            place += 1
            continue
        if block[place] != _OPEN:
            return UNUSUAL, row, line
        place += 1
        for member in range(len(roles)):
            length = offsets[member + 1] - offsets[member]
            place = after_space(block, place)
            if member:
                if place >= size or block[place] != _COMMA:
                    return UNUSUAL, row, line
                place = after_space(block, place + 1)
            if place + length + 3 >= size or block[place] != _QUOTE or block[place + 1 + length] != _QUOTE:
                return UNUSUAL, row, line
            for offset in range(length):
                if block[place + 1 + offset] != keys[offsets[member] + offset]:
                    return UNUSUAL, row, line
            place = after_space(block, place + length + 2)
            if place >= size or block[place] != _COLON:
                return UNUSUAL, row, line
            place = after_space(block, place + 1)
            if place >= size:
                return UNUSUAL, row, line
            role, first, is_text, plain = roles[member], place, block[place] == _QUOTE, True
            if is_text:
                last, escaped = string_end(block, place + 1)
                plain = not escaped
                last += last >= 0
            elif block[place] == _MINUS or (block[place] >= _ZERO and block[place] <= _NINE):
                last, plain = number_end(block, place)
            else:
                last = literal_end(block, place)
                plain = False
            if last < 0 or last - first > (LONGEST if is_text else LONGEST_NUMBER):
                return UNUSUAL, row, line
            place = last
            if role < 0:
                continue
            if role == 3:
                bounds[row, 8] = TEXT if is_text and plain else JSON
            elif role == 2 and block[first] == _NULL[0]:
                first = last
            elif not plain and (role < 2 or is_text):
                return UNUSUAL, row, line
            if (role == 0 and is_text != dated) or (role == 1 and not is_text):
                return UNUSUAL, row, line
            if is_text and plain and role != 2:
                first, last = first + 1, last - 1
            bounds[row, 2 * role], bounds[row, 2 * role + 1] = first, last
        place = after_space(block, place)
        if place >= size or block[place] != _CLOSE:
            return UNUSUAL, row, line
        place = after_space(block, place + 1)
        if place < size and block[place] == _RETURN:
            place += 1
        if place >= size or block[place] != _NEWLINE:
            return UNUSUAL, row, line
        place += 1
        row += 1
    return END, row, place
