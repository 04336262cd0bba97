"""The kernel that sorts numbers by counting them; a function for `semantics.native`."""

from __future__ import annotations

from semantics.native import Kernel, Pointer


def ordered(count: int, known: int, numbers: Pointer, begins: Pointer, order: Pointer) -> int:
    """The order of some numbers, in which equal ones keep theirs.

    Args:
        count: how many there are.
        known: they are less, and not negative.
        numbers: them.
        begins: zeros; takes where the next of each number would stand; there is room for one more than `known`.
        order: takes the places of the numbers.

    Returns:
        Nothing of interest.
    """
    for place in range(count):
        begins[numbers[place] + 1] += 1
    for number in range(known):
        begins[number + 1] += begins[number]
    for place in range(count):
        number = numbers[place]
        order[begins[number]] = place
        begins[number] += 1
    return 0


ORDERED = Kernel(__name__, "ordered", ("integer", "integer", "integers", "integers", "integers"))
