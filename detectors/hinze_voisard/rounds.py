"""The kernel that pairs single events round after round: what a round leaves over is paired again in the next one.

An event has a place in the view for each of its roles. The pairs of a round can change from its *start* on: there all
that the round before leaves over is final, and its lists are kept as they were there. At each instant every round is
gone through again from its start, and the start moves on.
"""

from __future__ import annotations

from typing import Final

from semantics.native import Kernel, Pointer

(
    PLACES,
    ROUNDS,
    CAPACITY,
    ROOM,
    SPAN,
    ORDERED,
    SETTLED,
    ROUND,
    BEFORE,
    CHANGES,
    FIRST,
    KNOWN,
    ANTERIOR,
    POSTERIOR,
) = (*range(13), 16)
"""Where it stands in `head`: how many places and rounds there are, and have room; the span, -1 for none; whether it is
a sequence; the time before which no pair changes; the round to go on with, and the time before which what comes to it
is final; how many pairs change, and the first place that closes one; how many places there were; by operands what is
selected in the earlier list, and in the later one."""

HEAD: Final = 20

TIME, SIDE, TWIN, USED, MATE, FORMER = range(6)
"""The columns of places: the end; the operands; the other place of the same event, or -1; the round that uses it up;
what opens the pair that it closes, now and before the step, or -1."""

COLUMNS: Final = 6
UNUSED: Final = 1 << 40
GONE: Final = -2
"""What has opened a pair that is settled, and is not held any more."""

START, LAST_SIDE, COUNT, POOL, CHOSEN, EVER = range(6)
"""Of a round: its start; the operands of the list that grows there, and its length; how many can open a pair, and are
selected for that in the list that grows; whether it has ever paired anything. Then which ones."""

ROUND_HEAD: Final = 6

_LEFT: Final = 1
_BOTH: Final = 3
_ALL: Final = 0
_LAST: Final = -1


def advance(head: Pointer, places: Pointer, rounds: Pointer, work: Pointer) -> int:
    """The pairs after new places were put in at the end.

    Args:
        head: what stands there is named above; `BEFORE` is after the time of the new places.
        places: the columns, each with room for all places; of new ones the end, the operands and the twin.
        rounds: for each round its head, and room for all places twice.
        work: room for all places nine times; from the third on it takes the changes: 1 or -1, what opens, what closes.

    Returns:
        0, or a round, as in `head`, for which there has to be room before it is called again.
    """
    room: int = head[CAPACITY]
    size = ROUND_HEAD + 2 * room
    number: int = head[ROUND]
    if number == 0:
        for place in range(head[KNOWN], head[PLACES]):
            places[USED * room + place] = UNUSED
            places[MATE * room + place] = places[FORMER * room + place] = -1
        head[KNOWN] = head[PLACES]
        _undo(head, places, rounds)
    while True:
        if number == head[ROUNDS]:
            if number == head[ROOM]:
                head[ROUND] = number
                return number
            for each in range(ROUND_HEAD):
                rounds[number * size + each] = 0
            head[ROUNDS] += 1
            head[FIRST] = 0
        _pair_round(head, places, rounds, work, number)
        number += 1
        if number == head[ROUNDS] and rounds[(number - 1) * size + EVER] == 0:
            break
    head[ROUND] = 0
    head[SETTLED] = head[BEFORE]
    head[CHANGES] = _changes(head, places, work)
    return 0


def forget(head: Pointer, places: Pointer, rounds: Pointer, work: Pointer) -> int:
    """Forget events whose pairs are settled; a further round may need all others.

    Returns:
        How many places are left. `work` takes which ones they were.
    """
    room, many, first = head[CAPACITY], head[PLACES], _first_start(head, rounds)
    for place in range(many):
        work[room + place] = place >= first or places[USED * room + place] == UNUSED
    for number in range(head[ROUNDS]):
        begin = number * (ROUND_HEAD + 2 * room)
        for each in range(rounds[begin + POOL]):
            work[room + rounds[begin + ROUND_HEAD + each]] = 1
        for each in range(rounds[begin + CHOSEN]):
            work[room + rounds[begin + ROUND_HEAD + room + each]] = 1
    left = 0
    for place in range(many):
        if work[room + place] != 0:
            work[left] = place
            left += 1
        work[room + place] = left - 1 if work[room + place] != 0 else GONE
    for each in range(left):
        place = work[each]
        for column in range(COLUMNS):
            value = places[column * room + place]
            if value >= 0 and (column in (MATE, FORMER)):
                value = work[room + value]
            elif value >= 0 and column == TWIN:
                value = max(-1, work[room + value])
            places[column * room + each] = value
    for place in range(left, many):
        places[TWIN * room + place] = -1
    for number in range(head[ROUNDS]):
        begin = number * (ROUND_HEAD + 2 * room)
        rounds[begin] = work[room + rounds[begin]] if rounds[begin] < many else left
        for each in range(rounds[begin + POOL]):
            rounds[begin + ROUND_HEAD + each] = work[room + rounds[begin + ROUND_HEAD + each]]
        for each in range(rounds[begin + CHOSEN]):
            rounds[begin + ROUND_HEAD + room + each] = work[room + rounds[begin + ROUND_HEAD + room + each]]
    head[PLACES] = head[KNOWN] = left
    return left


def _first_start(head: Pointer, rounds: Pointer) -> int:
    """The first place at which a round starts."""
    found: int = head[PLACES]
    for number in range(head[ROUNDS]):
        found = min(found, rounds[number * (ROUND_HEAD + 2 * head[CAPACITY])])
    return found


def _undo(head: Pointer, places: Pointer, rounds: Pointer) -> None:
    """Take back all pairs that can change."""
    room = head[CAPACITY]
    head[FIRST] = _first_start(head, rounds)
    for place in range(head[FIRST], head[PLACES]):
        mate = places[MATE * room + place]
        places[FORMER * room + place] = mate
        if mate >= 0 and place >= rounds[places[USED * room + place] * (ROUND_HEAD + 2 * room)]:
            places[MATE * room + place] = -1
            _use(places, room, mate, UNUSED)
            _use(places, room, place, UNUSED)


def _use(places: Pointer, room: int, place: int, number: int) -> None:
    """An event is used up in a round."""
    places[USED * room + place] = number
    twin = places[TWIN * room + place]
    if twin >= 0:
        places[USED * room + twin] = number


def _pair_round(head: Pointer, places: Pointer, rounds: Pointer, work: Pointer, number: int) -> None:
    """Go through a round from its start, which moves on; `BEFORE` becomes that of the next round."""
    room = head[CAPACITY]
    begin = number * (ROUND_HEAD + 2 * room)
    before = head[BEFORE]
    final = before
    side, count = rounds[begin + LAST_SIDE], rounds[begin + COUNT]
    pool, chosen, run = rounds[begin + POOL], rounds[begin + CHOSEN], 0
    first = rounds[begin]
    for each in range(pool):
        work[each] = rounds[begin + ROUND_HEAD + each]
    for each in range(chosen):
        work[room + each] = rounds[begin + ROUND_HEAD + room + each]
    is_kept, ever = False, rounds[begin + EVER] != 0
    for place in range(first, head[PLACES] + 1):
        is_end = place == head[PLACES]
        if not is_kept and (is_end or places[place] >= before):
            final, can_change = _open_since(head, places, work, pool, chosen)
            if run == 0 or not can_change:
                left = _pair_with_last(head, places, work, number, pool, run)
                ever, pool, run = ever | (left < pool), left, 0
                _keep(head, places, rounds, work, begin, place, side, count, pool, chosen)
            is_kept = True
        if is_end:
            break
        if places[USED * room + place] < number:
            continue
        belongs = places[SIDE * room + place]
        closes = belongs != _LEFT or head[ORDERED] == 0
        if belongs != side or belongs == _BOTH:
            left = _pair_with_last(head, places, work, number, pool, run)
            ever, pool, run = ever | (left < pool), left, 0
            for each in range(chosen):
                if places[USED * room + work[room + each]] != number:
                    work[pool] = work[room + each]
                    pool += 1
            side, count, chosen = belongs, 0, 0
            if closes and head[POSTERIOR + belongs] == _LAST and not is_kept:
                _keep(head, places, rounds, work, begin, place, 0, 0, pool, 0)
        count += 1
        selected = head[POSTERIOR + belongs]
        if closes and selected == _LAST:
            work[2 * room + run] = place
            run += 1
        elif closes and (selected in (_ALL, count)):
            pool = _pair(head, places, work, number, pool, place)
            ever |= places[MATE * room + place] != -1
        selected = head[ANTERIOR + belongs]
        if belongs == _LEFT or head[ORDERED] == 0:
            if selected in (_LAST, count):
                chosen = 0
            if selected in (_LAST, count, _ALL):
                work[room + chosen] = place
                chosen += 1
    left = _pair_with_last(head, places, work, number, pool, run)
    rounds[begin + EVER] = ever | (left < pool)
    head[BEFORE] = final


def _open_since(head: Pointer, places: Pointer, work: Pointer, pool: int, chosen: int) -> tuple[int, bool]:
    """The end of the first event that may still open a pair, up to `BEFORE`; and whether one of the pool does."""
    room, span, before = head[CAPACITY], head[SPAN], head[BEFORE]
    found, can_change = before, False
    for each in range(pool):
        time = places[work[each]]
        if span < 0 or before - time <= span:
            found, can_change = min(found, time), True
            break
    for each in range(chosen):
        time = places[work[room + each]]
        if span < 0 or before - time <= span:
            found = min(found, time)
            break
    return found, can_change


def _keep(
    head: Pointer,
    places: Pointer,
    rounds: Pointer,
    work: Pointer,
    begin: int,
    place: int,
    side: int,
    count: int,
    pool: int,
    chosen: int,
) -> None:
    """Start a round at a place from now on, with its lists as they are; what reaches nothing later is left out."""
    room, span = head[CAPACITY], head[SPAN]
    end = min(places[place], head[BEFORE]) if place < head[PLACES] else head[BEFORE]
    rounds[begin], rounds[begin + LAST_SIDE], rounds[begin + COUNT] = place, side, count
    held = 0
    for each in range(pool):
        if span < 0 or end - places[work[each]] <= span:
            rounds[begin + ROUND_HEAD + held] = work[each]
            held += 1
    rounds[begin + POOL] = held
    held = 0
    for each in range(chosen):
        if span < 0 or end - places[work[room + each]] <= span:
            rounds[begin + ROUND_HEAD + room + held] = work[room + each]
            held += 1
    rounds[begin + CHOSEN] = held


def _is_match(head: Pointer, places: Pointer, one: int, other: int) -> bool:
    """Whether of two events in different lists one can be of the left operand, and the other one of the right."""
    if head[ORDERED] != 0:
        return True
    room = head[CAPACITY]
    sides: int
    others: int
    sides, others = places[SIDE * room + one], places[SIDE * room + other]
    return (sides & 1 != 0 and others & 2 != 0) or (sides & 2 != 0 and others & 1 != 0)


def _pair(head: Pointer, places: Pointer, work: Pointer, number: int, pool: int, place: int) -> int:
    """Pair an event with the first one that can open a pair with it; how many are left of these."""
    span, left, is_paired = head[SPAN], 0, False
    for each in range(pool):
        one = work[each]
        if span >= 0 and places[place] - places[one] > span:
            continue
        if not is_paired and _is_match(head, places, one, place):
            is_paired = True
            _use(places, head[CAPACITY], one, number)
            _use(places, head[CAPACITY], place, number)
            places[MATE * head[CAPACITY] + place] = one
        else:
            work[left] = one
            left += 1
    return left


def _pair_with_last(head: Pointer, places: Pointer, work: Pointer, number: int, pool: int, run: int) -> int:
    """Pair each that can open a pair with the last event of a list within its span; how many are left."""
    if run == 0:
        return pool
    room, span, left, last, taken = head[CAPACITY], head[SPAN], 0, -1, -1
    for each in range(pool):
        one = work[each]
        while last + 1 < run and (span < 0 or places[work[2 * room + last + 1]] - places[one] <= span):
            last += 1
        place = work[2 * room + last] if last >= 0 else -1
        if last >= 0 and place != taken and _is_match(head, places, one, place):
            taken = place
            _use(places, room, one, number)
            _use(places, room, place, number)
            places[MATE * room + place] = one
        else:
            work[left] = one
            left += 1
    return left


def _changes(head: Pointer, places: Pointer, work: Pointer) -> int:
    """Write down the pairs that have changed; how many."""
    room, many = head[CAPACITY], 0
    for place in range(head[FIRST], head[PLACES]):
        former, mate = places[FORMER * room + place], places[MATE * room + place]
        if former != mate:
            if former >= 0:
                work[3 * room + 3 * many], work[3 * room + 3 * many + 1] = -1, former
                work[3 * room + 3 * many + 2] = place
                many += 1
            if mate >= 0:
                work[3 * room + 3 * many], work[3 * room + 3 * many + 1] = 1, mate
                work[3 * room + 3 * many + 2] = place
                many += 1
            places[FORMER * room + place] = mate
    return many


ADVANCE: Final = Kernel(__name__, "advance", ("integers",) * 4)
FORGET: Final = Kernel(__name__, "forget", ("integers",) * 4)
