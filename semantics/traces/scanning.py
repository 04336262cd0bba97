"""The kernel that reads rows of CSV and JSON Lines from bytes in one pass: no object is made for a cell.

It takes what is beyond doubt, and stops at what is not, so that a row is read here exactly as `files.read_rows` reads
it, or there. Event types and partitions become numbers, in the order in which they first occur.

These are functions for `semantics.native`: numbers and pointers, whose items nobody checks. What a pointer is to has
at least a byte more than is read, as a block ends with a line feed.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from semantics.native import Kernel, Pointer
from semantics.traces.rows import MAX_CELL, MAX_EXACT, MAX_TIME, MAX_TIME_DIGITS

NEVER: Final = 2**63 - 1
"""Instead of an offset of a local time where clocks are changed, so that it occurs twice or never, or where none is
known."""

END, UNUSUAL, FULL = 0, 1, 2
"""Why the kernel stops: nothing is left; a row is not for it; a table has no room."""

TICKS, ISO = 0, 1
"""How times are written: whole numbers; or ISO 8601, within the years 1970 to 2261."""

NOTHING, TEXT, JSON, QUOTED = 0, 1, 2, 3
"""What a cell is: missing, text, a scalar written in JSON; or text in which each quote stands twice."""

TIME, EVENT, PARTITION, VALUE, OTHER = 0, 1, 2, 3, -1
"""What a cell is for."""

KINDS: Final = 8
"""In `bounds`, what a cell is comes after where the cells begin and end, at this place and what it is for."""

LITERALS: Final = b"truefalsenull"
"""What `keys` begins with."""

LONGEST: Final = MAX_CELL
"""A cell has at most so many bytes."""

LONGEST_NUMBER: Final = 4_000
"""A number in JSON has at most so many bytes."""

USUAL: Final = 24
"""So many bytes before a value of JSON at most are compared at once."""

USUAL_ITEMS: Final = 1 + USUAL // 4
"""What stands before a value in the first row: its length, and its words of eight bytes, each with a mask."""

DEEPEST: Final = 60
"""So deep at most a value of JSON is nested, if nobody asks for it."""

PLAIN, ESCAPED, ODD = 0, 1, 2
"""Whether a text in JSON is written as it is, or with escapes; or has a NUL, or half a surrogate pair."""

_COMMA, _QUOTE, _NEWLINE, _RETURN, _SPACE, _BACKSLASH = (ord(c) for c in ',"\n\r \\')
_ZERO, _NINE, _MINUS, _PLUS, _DOT, _COLON = (ord(c) for c in "09-+.:")
_T, _T_SMALL, _Z, _Z_SMALL = (ord(c) for c in "TtZz")
_OPEN, _CLOSE, _TAB, _SLASH, _BRACKET, _CLOSE_BRACKET = (ord(c) for c in "{}\t/[]")
_U, _C, _SMALL_A, _SMALL_U = (ord(c) for c in "UCau")
_SMALL_B, _SMALL_E, _LARGE_E, _SMALL_F, _SMALL_N, _SMALL_R, _SMALL_T = (ord(c) for c in "beEfnrt")
_LAST_YEAR: Final = 2261
_SECOND: Final = 1_000_000_000
_MIXER: Final = 0x1E3779B97F4A7C15
_WORD: Final = 7


class State(NamedTuple):
    """What is known; `FIRST` and so on are the places of these items.

    Attributes:
        place: where the next row begins.
        found: how many rows were found.
        events: how many event types are known.
        parts: how many partitions.
        size: how many bytes of values there are.
        first: the time of the first row of all; -1 before it.
        last: the time of the last one.
        rounded: how many times were rounded.
        missing: how many rows have no partition.
        disorder: how many rows have a time before that of the row before.
    """

    place: int
    found: int
    events: int
    parts: int
    size: int
    first: int
    last: int
    rounded: int
    missing: int
    disorder: int


PLACE, FOUND, EVENTS, PARTS, SIZE, FIRST, LAST, ROUNDED, MISSING, DISORDER = range(10)


class Settings(NamedTuple):
    """How rows are read.

    Attributes:
        in_json: whether rows are objects of JSON.
        width: how many cells they have.
        delimiter: what is between the cells of CSV.
        asked: rows of the event types with smaller numbers are asked for.
        kind: `TICKS` or `ISO`.
        factor: a number counts so many ticks, divided by `divisor`; of ISO 8601, nanoseconds are counted.
        divisor: see above.
        zone: how many offsets times of day without zone have; none where these are not read.
        sorts: whether rows may be out of order.
        rounds: whether what lies between two ticks is taken for the one before.
        rows: for so many rows that are asked for there is room.
        event_mask: how many slots the table of event types has, less one.
        event_room: for so many bytes of them there is room.
        part_mask: likewise of partitions.
        part_room: likewise.
    """

    in_json: int
    width: int
    delimiter: int
    asked: int
    kind: int
    factor: int
    divisor: int
    zone: int
    sorts: int
    rounds: int
    rows: int = 0
    event_mask: int = 0
    event_room: int = 0
    part_mask: int = 0
    part_room: int = 0


def digits_at(block: Pointer, begin: int, end: int) -> int:
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


def whole_at(block: Pointer, begin: int, end: int) -> int:
    """The whole number that is written at a place, perhaps with zeros after a point; -1 where there is none."""
    last = end
    while last > begin and block[last - 1] == _ZERO:
        last -= 1
    if last > begin and block[last - 1] == _DOT:
        value = digits_at(block, begin, last - 1)
        return value if value < MAX_EXACT else -1
    return digits_at(block, begin, end)


def moment_at(block: Pointer, begin: int, end: int, begins: Pointer, ahead: Pointer, zone: int) -> int:
    """The nanoseconds from 1970 to a time of day in UTC; -1 where it is not written plainly.

    The text is `2017-03-09T07:30:23`, perhaps without seconds, with a fraction, and with Z, an offset, or neither.
    """
    if end - begin < 16 or block[begin + 4] != _MINUS or block[begin + 7] != _MINUS:
        return -1
    middle = block[begin + 10]
    if (middle != _T and middle != _T_SMALL and middle != _SPACE) or block[begin + 13] != _COLON:
        return -1
    year, month = digits_at(block, begin, begin + 4), digits_at(block, begin + 5, begin + 7)
    day, hour = digits_at(block, begin + 8, begin + 10), digits_at(block, begin + 11, begin + 13)
    minute, second, place = digits_at(block, begin + 14, begin + 16), 0, begin + 16
    in_seconds = place < end and block[place] == _COLON
    if in_seconds:
        if end - begin < 19:
            return -1
        second, place = digits_at(block, begin + 17, begin + 19), begin + 19
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
    if in_seconds and place < end and (block[place] == _DOT or block[place] == _COMMA):
        place += 1
        first, unit = place, _SECOND
        while place < end and block[place] >= _ZERO and block[place] <= _NINE and place - first < 9:
            unit //= 10
            nanoseconds += unit * (int(block[place]) - _ZERO)
            place += 1
        if place == first:
            return -1
    if place == end:
        if not zone:
            return -1
        value = value * _SECOND + nanoseconds
        first, after = 0, zone
        while after - first > 1:
            middle = (first + after) // 2
            if begins[middle] <= value:
                first = middle
            else:
                after = middle
        return int(value - ahead[first] if ahead[first] != NEVER else -1)
    if block[place] == _SPACE and place + 1 < end:
        place += 1
    sign = block[place]
    if sign in (_Z, _Z_SMALL):
        return value * _SECOND + nanoseconds if place + 1 == end else -1
    if sign == _U:
        is_utc = end - place == 3 and block[place + 1] == _T and block[place + 2] == _C
        return value * _SECOND + nanoseconds if is_utc else -1
    if (sign != _PLUS and sign != _MINUS) or end - place < 3:
        return -1
    hours, minutes = digits_at(block, place + 1, place + 3), 0
    if end - place > 3:
        place += 3 + (block[place + 3] == _COLON)
        minutes = digits_at(block, place, end) if end - place == 2 else -1
    if hours < 0 or minutes < 0:
        return -1
    offset = 60 * (60 * hours + minutes)
    value -= offset if sign == _PLUS else -offset
    return value * _SECOND + nanoseconds


def mixed(block: Pointer, begin: int, end: int) -> tuple[int, int]:
    """A number made of the bytes of a text; and one of those of its last word, and of its length below 127."""
    digest, place = (end - begin) * _MIXER, begin
    while end - place > _WORD:
        word = 0
        for _ in range(_WORD):
            word = (word << 8) | block[place]
            place += 1
        digest = (digest ^ word) * _MIXER
        digest ^= digest >> 29
    word = 0
    while place < end:
        word = (word << 8) | block[place]
        place += 1
    digest = (digest ^ word) * _MIXER
    return digest ^ (digest >> 32), word | (min(end - begin, 127) << (8 * _WORD))


def find(
    block: Pointer,
    begin: int,
    end: int,
    slots: Pointer,
    mask: int,
    offsets: Pointer,
    words: Pointer,
    text: Pointer,
) -> int:
    """The number of a text in a table; where it is new, a negative number that says which slot is free for it."""
    digest, word = mixed(block, begin, end)
    slot, length = digest & mask, end - begin
    while True:
        number = slots[slot]
        if number < 0:
            return -1 - slot
        if words[number] == word:
            if length <= _WORD:
                return int(number)
            first, same = offsets[number], 0
            unsure = (length - 1) // _WORD * _WORD  # what is before the last word
            if offsets[number + 1] - first == length:
                while same < unsure and text[first + same] == block[begin + same]:
                    same += 1
                if same == unsure:
                    return int(number)
        slot = (slot + 1) & mask


def add(
    block: Pointer,
    begin: int,
    end: int,
    slot: int,
    slots: Pointer,
    mask: int,
    room: int,
    offsets: Pointer,
    words: Pointer,
    text: Pointer,
    known: int,
) -> bool:
    """Add a text to a table of `known` ones, at a free slot; whether there was room."""
    first, length = offsets[known], end - begin
    if 2 * known + 2 > mask or first + length > room:
        return False
    for place in range(length):
        text[first + place] = block[begin + place]
    words[known] = mixed(block, begin, end)[1]
    offsets[known + 1] = first + length
    slots[slot] = known
    return True


def unquoted(block: Pointer, begin: int, end: int, out: Pointer, place: int) -> int:
    """Write a text in which each quote stands twice with each once, from a place of `out` on; the place after it."""
    while begin < end:
        out[place] = block[begin]
        begin += 2 if block[begin] == _QUOTE else 1
        place += 1
    return place


def csv_row(
    block: Pointer, place: int, size: int, roles: Pointer, width: int, delimiter: int, bounds: Pointer
) -> int:
    """Find the cells of a row of CSV; the place after it, or -1 if it is not for this."""
    top, cell = max(delimiter, _QUOTE), 0
    while True:
        kind = TEXT
        if block[place] == _QUOTE:
            first = place + 1
            last = first
            while True:
                while last < size and block[last] != _QUOTE:
                    if block[last] == _RETURN:
                        return -1
                    last += 1
                if last + 1 >= size:
                    return -1
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
                        return -1
                place += 1
            last = place
        if last - first > LONGEST or cell >= width:
            return -1
        role = roles[cell]
        if role >= 0:
            bounds[2 * role], bounds[2 * role + 1] = first, last
            bounds[KINDS + role] = kind if first < last else NOTHING
        cell += 1
        if block[place] == _RETURN and place + 1 < size:
            place += 1
            if block[place] != _NEWLINE:
                return -1
        place += 1
        if block[place - 1] == _NEWLINE:
            return place if cell == width else -1
        if block[place - 1] != delimiter:
            return -1


def code_at(block: Pointer, place: int, size: int) -> int:
    """The number that four hexadecimal digits at a place write; -1 where there is something else."""
    if place + 4 > size:
        return -1
    code = 0
    for each in range(place, place + 4):
        digit = int(block[each]) - _ZERO
        if digit < 0 or digit > 9:
            digit = (int(block[each]) | _SPACE) - _SMALL_A + 10
            if digit < 10 or digit > 15:
                return -1
        code = 16 * code + digit
    return code


def string_end(block: Pointer, place: int, size: int) -> tuple[int, int]:
    """The place of the quote that closes a JSON string, and how it is written; -1 where it is not for this."""
    how = PLAIN
    while place < size and block[place] != _QUOTE:
        if block[place] < _SPACE:
            return -1, how
        if block[place] == _BACKSLASH:
            how = max(how, ESCAPED)
            place += 1
            if place < size and block[place] == _SMALL_U:
                code = code_at(block, place + 1, size)
                if code < 0:
                    return -1, how
                place += 4
                if code == 0 or (code >= 0xDC00 and code < 0xE000):
                    how = ODD
                elif code >= 0xD800 and code < 0xDC00:
                    low = -1
                    if place + 2 < size and block[place + 1] == _BACKSLASH and block[place + 2] == _SMALL_U:
                        low = code_at(block, place + 3, size)
                    if low >= 0xDC00 and low < 0xE000:
                        place += 6
                    else:
                        how = ODD
            elif place >= size or not (
                block[place] == _QUOTE
                or block[place] == _BACKSLASH
                or block[place] == _SLASH
                or block[place] == _SMALL_B
                or block[place] == _SMALL_F
                or block[place] == _SMALL_N
                or block[place] == _SMALL_R
                or block[place] == _SMALL_T
            ):
                return -1, how
        place += 1
    return (place if place < size else -1), how


def number_end(block: Pointer, place: int, size: int) -> tuple[int, bool]:
    """The place after a JSON number, and whether it is digits alone; -1 where there is none."""
    plain = True
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
    if place < size and (block[place] == _SMALL_E or block[place] == _LARGE_E):
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


def reads(block: Pointer, place: int, size: int, keys: Pointer, begin: int, end: int) -> bool:
    """Whether a piece of `keys` stands at a place of a block."""
    if place + end - begin > size:
        return False
    same = begin
    while same < end and block[place + same - begin] == keys[same]:
        same += 1
    return same == end


def literal_end(block: Pointer, place: int, size: int, keys: Pointer) -> int:
    """The place after `true`, `false` or `null`; -1 where none of them stands."""
    if reads(block, place, size, keys, 0, 4):
        return place + 4
    if reads(block, place, size, keys, 4, 9):
        return place + 5
    return place + 4 if reads(block, place, size, keys, 9, 13) else -1


def after_space(block: Pointer, place: int) -> int:
    """The place after spaces and tabs."""
    while block[place] == _SPACE or block[place] == _TAB:
        place += 1
    return place


def scalar_end(block: Pointer, place: int, size: int, keys: Pointer) -> tuple[int, int]:
    """The place after a scalar of JSON, and how it is written; digits alone are plain. -1 where none is for this."""
    if block[place] == _QUOTE:
        last, how = string_end(block, place + 1, size)
        return (last + 1 if last >= 0 and last - place <= LONGEST else -1), how
    if block[place] == _MINUS or (block[place] >= _ZERO and block[place] <= _NINE):
        last, plain = number_end(block, place, size)
        return (last if last - place <= LONGEST_NUMBER else -1), (PLAIN if plain else ESCAPED)
    return literal_end(block, place, size, keys), ESCAPED


def key_end(block: Pointer, place: int, size: int) -> int:
    """The place after a key of JSON and its colon; -1 where there is none."""
    if block[place] != _QUOTE:
        return -1
    place, _ = string_end(block, place + 1, size)
    if place < 0:
        return -1
    place = after_space(block, place + 1)
    return place + 1 if block[place] == _COLON else -1


def nested_end(block: Pointer, place: int, size: int, keys: Pointer) -> int:
    """The place after an array or object of JSON; -1 where it is not for this."""
    depth, objects, starts = 0, 0, True  # a bit of `objects` for each level; whether a value starts here
    while True:
        place = after_space(block, place)
        byte = block[place]
        if starts and byte in (_OPEN, _BRACKET):
            if depth == DEEPEST:
                return -1
            depth, objects = depth + 1, 2 * objects + (byte == _OPEN)
            place = after_space(block, place + 1)
            if block[place] == (_CLOSE if objects & 1 else _CLOSE_BRACKET):
                starts = False
            elif objects & 1:
                place = key_end(block, place, size)
        elif starts:
            place, _ = scalar_end(block, place, size, keys)
            starts = False
        elif byte == (_CLOSE if objects & 1 else _CLOSE_BRACKET):
            depth, objects, place = depth - 1, objects >> 1, place + 1
            if depth == 0:
                return place
        elif byte == _COMMA:
            place, starts = place + 1, True
            if objects & 1:
                place = key_end(block, after_space(block, place), size)
        else:
            return -1
        if place < 0:
            return -1


def word_at(block: Pointer, place: int) -> int:
    """Eight bytes as a number, the first one last; compilers make one instruction of it."""
    low = (
        int(block[place])
        | (int(block[place + 1]) << 8)
        | (int(block[place + 2]) << 16)
        | (int(block[place + 3]) << 24)
    )
    high = (
        int(block[place + 4])
        | (int(block[place + 5]) << 8)
        | (int(block[place + 6]) << 16)
        | (int(block[place + 7]) << 24)
    )
    return low | (high << 32)


def usual_end(block: Pointer, place: int, size: int, usual: Pointer, begin: int) -> int:
    """The place after what stands before a value in the first row (`USUAL_ITEMS`); -1 where something else stands."""
    length = usual[begin]
    if length == 0 or place + USUAL > size:
        return -1
    for word in range((length + 7) >> 3):
        if word_at(block, place + 8 * word) & usual[begin + 2 + 2 * word] != usual[begin + 1 + 2 * word]:
            return -1
    return int(place + length)


def member_begin(block: Pointer, place: int, size: int, keys: Pointer, offsets: Pointer, member: int) -> int:
    """The place of the value of a member of a row of JSON, from the end of what is before it; -1 where none is."""
    place = after_space(block, place) if member else place
    if block[place] != (_COMMA if member else _OPEN):
        return -1
    place = after_space(block, place + 1)
    if block[place] != _QUOTE or not reads(
        block, place + 1, size, keys, offsets[member], offsets[member + 1]
    ):
        return -1
    place += offsets[member + 1] - offsets[member] + 1
    if block[place] != _QUOTE:
        return -1
    place = after_space(block, place + 1)
    return after_space(block, place + 1) if block[place] == _COLON else -1


def json_row(
    block: Pointer,
    place: int,
    size: int,
    roles: Pointer,
    width: int,
    keys: Pointer,
    offsets: Pointer,
    dated: bool,
    bounds: Pointer,
) -> int:
    """Find the members of a row of JSON, an object with given keys in their order; as `csv_row`.

    A partition is found as it is written in JSON. Arrays and objects are passed over where nobody asks for them.
    """
    for member in range(width):
        after = usual_end(block, place, size, offsets, width + 1 + member * USUAL_ITEMS)
        if after < 0:
            after = member_begin(block, place, size, keys, offsets, member)
        if after < 0:
            return -1
        place = after
        role, first, is_text = roles[member], place, block[place] == _QUOTE
        if role < 0 and block[place] in (_OPEN, _BRACKET):
            place = nested_end(block, place, size, keys)
        else:
            place, how = scalar_end(block, place, size, keys)
        if place < 0:
            return -1
        if role < 0:
            continue
        last = place
        bounds[KINDS + role] = TEXT if is_text and how == PLAIN else JSON
        if role == PARTITION and block[first] == _SMALL_N:
            first = last
        elif role == EVENT and (how != PLAIN or not is_text):
            return -1
        if (role == TIME and is_text != dated) or (is_text and how == ODD):
            return -1
        if is_text and how == PLAIN and role != PARTITION:
            first, last = first + 1, last - 1
        bounds[2 * role], bounds[2 * role + 1] = first, last
    place = after_space(block, place)
    if block[place] != _CLOSE:
        return -1
    place = after_space(block, place + 1)
    if block[place] == _RETURN:
        place += 1
    return place + 1 if place < size and block[place] == _NEWLINE else -1


def scan(
    block: Pointer,
    size: int,
    roles: Pointer,
    keys: Pointer,
    offsets: Pointer,
    begins: Pointer,
    ahead: Pointer,
    settings: Pointer,
    slots: Pointer,
    event_offsets: Pointer,
    words: Pointer,
    text: Pointer,
    counts: Pointer,
    part_slots: Pointer,
    part_offsets: Pointer,
    part_words: Pointer,
    part_text: Pointer,
    times: Pointer,
    types: Pointer,
    partitions: Pointer,
    values: Pointer,
    ends: Pointer,
    kinds: Pointer,
    spare: Pointer,
    bounds: Pointer,
    state: Pointer,
) -> int:
    """Read rows, and take those that are asked for.

    Args:
        block: text that ends with a line.
        size: its bytes.
        roles: what each cell is.
        keys: `LITERALS`, then the keys of JSON one after the other.
        offsets: where each begins there, and the end of the last one; then of each what `USUAL_ITEMS` says.
        begins: of the offsets of times of day without zone, see `zones.Offsets`.
        ahead: these.
        settings: see `Settings`.
        slots: of the table of event types, an open hash table of their numbers; -1 where it is free.
        event_offsets: where each of them begins in `text`, and the end of the last one.
        words: of each the second number that `mixed` makes.
        text: them, one after the other.
        counts: how many rows had each.
        part_slots: of the table of partitions, likewise.
        part_offsets: likewise.
        part_words: likewise.
        part_text: likewise.
        times: of the rows that are asked for: the times in ticks.
        types: the numbers of event types.
        partitions: the numbers of partitions.
        values: the bytes of their values, one after the other; there is room for as many as the block has.
        ends: where each value ends.
        kinds: of each value `NOTHING`, `TEXT` or `JSON`.
        spare: room for a cell.
        bounds: where the cells of a row begin and end, by what they are for, both -1 where there is none; then, from
            `KINDS` on, what each is.
        state: see `State`; kept up to date.

    Returns:
        Why it stops.
    """
    in_json, width, delimiter, asked = settings[0], settings[1], settings[2], settings[3]
    kind, factor, divisor, zone = settings[4], settings[5], settings[6], settings[7]
    sorts, rounds, rows = settings[8], settings[9], settings[10]
    mask, room, part_mask, part_room = settings[11], settings[12], settings[13], settings[14]
    place, found, known, known_parts = state[PLACE], state[FOUND], state[EVENTS], state[PARTS]
    last, filled, scaled, why = state[LAST], state[SIZE], factor != divisor, END
    while place < size:
        if block[place] == _NEWLINE:
            place += 1
            continue
        if not in_json and block[place] == _RETURN and block[place + 1] == _NEWLINE and place + 1 < size:
            place += 2
            continue
        if in_json:
            after = json_row(block, place, size, roles, width, keys, offsets, kind == ISO, bounds)
        else:
            after = csv_row(block, place, size, roles, width, delimiter, bounds)
        if after < 0:
            why = UNUSUAL
            break
        begin, end = bounds[0], bounds[1]
        if kind == ISO:
            time = moment_at(block, begin, end, begins, ahead, zone)
        else:
            time = whole_at(block, begin, end)
        rest = 0
        if scaled and time >= 0:
            if kind != ISO and time > MAX_TIME // factor:
                time = -1
            else:
                time *= factor
                rest = time % divisor
                time //= divisor
        begin, end = bounds[2], bounds[3]
        if (time < last and not sorts) or begin == end or time < 0 or (rest and not rounds):
            why = UNUSUAL
            break
        source = block
        if bounds[KINDS + EVENT] == QUOTED:
            source, begin, end = spare, 0, unquoted(block, begin, end, spare, 0)
        event = find(source, begin, end, slots, mask, event_offsets, words, text)
        if event < 0:
            if not add(source, begin, end, -1 - event, slots, mask, room, event_offsets, words, text, known):
                why = FULL
                break
            event = known
            known += 1
        begin, end = bounds[4], bounds[5]
        missing = begin == end and begin >= 0
        if event < asked:
            part, source = 0, block
            if bounds[KINDS + PARTITION] == QUOTED:
                source, begin, end = spare, 0, unquoted(block, begin, end, spare, 0)
            if begin >= 0:
                part = find(source, begin, end, part_slots, part_mask, part_offsets, part_words, part_text)
            if part < 0:
                if not add(
                    *(source, begin, end, -1 - part, part_slots, part_mask, part_room),
                    *(part_offsets, part_words, part_text, known_parts),
                ):
                    why = FULL
                    break
                part = known_parts
                known_parts += 1
            if found >= rows:
                why = FULL
                break
            begin, end, form = bounds[6], bounds[7], bounds[KINDS + VALUE]
            times[found], types[found], partitions[found] = time, event, part
            if form == QUOTED:
                filled, form = unquoted(block, begin, end, values, filled), TEXT
            else:
                while begin < end:
                    values[filled] = block[begin]
                    filled, begin = filled + 1, begin + 1
            ends[found], kinds[found] = filled, form
            found += 1
        counts[event] += 1
        state[DISORDER] += time < last
        last = time
        if state[FIRST] < 0:
            state[FIRST] = time
        state[ROUNDED] += rest != 0
        state[MISSING] += missing
        place = after
    state[PLACE], state[FOUND], state[EVENTS], state[PARTS] = place, found, known, known_parts
    state[LAST], state[SIZE] = last, filled
    return why


def number(
    block: Pointer,
    bounds: Pointer,
    places: Pointer,
    count: int,
    mask: int,
    room: int,
    slots: Pointer,
    offsets: Pointer,
    words: Pointer,
    text: Pointer,
    known: Pointer,
    numbers: Pointer,
) -> int:
    """Number some texts by a table, to which new ones are added, until it is full.

    Args:
        block: texts, one after the other.
        bounds: where each begins, and the end of the last one.
        places: which of them are meant.
        count: how many these are.
        mask: of the table; see `scan`.
        room: likewise.
        slots: likewise.
        offsets: likewise.
        words: likewise.
        text: likewise.
        known: how many texts are in the table.
        numbers: take the numbers.

    Returns:
        How many were numbered.
    """
    for each in range(count):
        begin, end = bounds[places[each]], bounds[places[each] + 1]
        found = find(block, begin, end, slots, mask, offsets, words, text)
        if found < 0:
            if not add(block, begin, end, -1 - found, slots, mask, room, offsets, words, text, known[0]):
                return each
            found = known[0]
            known[0] += 1
        numbers[each] = found
    return count


NUMBER = Kernel(
    __name__,
    "number",
    (
        *("bytes", "integers", "integers", "integer", "integer", "integer"),
        *("integers", "integers", "integers", "bytes", "integers", "integers"),
    ),
)

SCAN = Kernel(
    __name__,
    "scan",
    (
        *("bytes", "integer", "integers", "bytes", "integers", "integers", "integers", "integers"),
        *("integers", "integers", "integers", "bytes", "integers"),
        *("integers", "integers", "integers", "bytes"),
        *("integers", "integers", "integers", "bytes", "integers", "bytes", "bytes"),
        *("integers", "integers"),
    ),
)
