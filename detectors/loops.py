"""Loops over arrays for one expression, as the text of a module that Numba compiles.

`events` runs over instants with a letter each, `chunk` over the letters of a dense stretch, `sparse` over the times of
each event type. They take and leave the values of `start_variables` in an array and the queues in one array each, write
starts and ends, and return how many they found.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from functools import lru_cache

from detectors.bit_parallel import BitParallel, bit_parallel
from detectors.demand import Demand, Lookup, demand, in_columns, in_plane, lookup_statements
from detectors.programs import (
    START_STEPS,
    Part,
    code,
    comment,
    loop_body,
    parts,
    start_variables,
    straightened,
)
from detectors.protocol import event_types
from detectors.specialisation import register_names, registers
from detectors.start_queue import places
from semantics.expressions import Expression

HELPERS = (
    "BLOCK",
    "LAST",
    "digit",
    "fill",
    "latest_before",
    "latest_in",
    "latest_point",
    "lowest",
    "moved",
    "push",
    "push_points",
    "without_lowest",
)
"""What the loops use of `detectors.kernels`."""


@lru_cache(maxsize=256)
def loop_program(expression: Expression) -> str:
    """The text of the module for an expression; see `detectors.generated` for its use."""
    found = parts(expression, START_STEPS)
    names = event_types(expression)
    state = start_variables(found)
    result = f"a{len(found)}"
    loads, stores = _moves(found, found)
    body = loop_body(found, [f"letter & {1 << bit}" for bit in range(len(names))], names)
    report = f"starts[found] = {result}\nends[found] = now\nfound += 1 if {result} >= 0 else 0"
    queues = "".join(f"{name}, " for name in state.queues)

    events = f"""\
def events(times, letters, count, base, state, {queues}starts, ends):
    \"\"\"Runs over so many times relative to a base, with letters: {_bits(names)}.\"\"\"
{_indented(loads, 1)}
    found = 0
    for index in range(count):
        now = base + times[index]
        letter = letters[index]
{_indented(body, 2)}
{_indented(report, 2)}
{_indented(stores, 1)}
    return found
"""
    loops = [events, _chunk(found, names), _sparse(found, names)]
    if (words := bit_parallel(expression)) is not None:
        loops.append(_words(words, names))
    return "\n\n@compiled\n".join([_header(expression), *loops])


def _chunk(found: tuple[Part, ...], names: Sequence[str]) -> str:
    """The loop over dense letters: bit planes say where something occurs that has to be walked through or looked up."""
    wanted = demand(found, names)
    loads, stores = _moves(found, [part for part in wanted.walked if part.number not in wanted.looked_up])
    planes = []
    ends = []
    for row, (number, operation) in enumerate(wanted.looked_up.items(), start=1):
        place = operation.part.place
        assert place is not None
        planes += [
            f"plane{number} = planes[{row}]",
            f"fill(block, {_mask(operation.names, names)}, plane{number})",
        ]
        if operation.sequence and operation.part.label != 0:
            queue, count = place.variable("q"), place.variable("n")
            ends.append(
                f"{count} = push_points(plane{number}, len(block), base, {queue}, {count}, {operation.part.label} + 1)"
            )
        latest = place.variable("t")
        ends.append(f"{latest} = max({latest}, latest_in(plane{number}, base + len(block), base))")
    state = start_variables(found)
    queues = "".join(f"{name}, " for name in state.queues)
    body = _walked_body(
        wanted,
        [f"letter & {1 << bit}" for bit in range(len(names))],
        names,
        {number: in_plane(operation) for number, operation in wanted.looked_up.items()},
    )
    result = f"a{len(found)}"
    return f"""\
def chunk(letters, first, state, {queues}starts, ends, planes):
    \"\"\"Runs over the letters of a dense stretch that begins at a time, block by block.\"\"\"
{_indented(loads, 1)}
    found = 0
    driving = planes[0]
    for begin in range(0, len(letters), BLOCK):
        block = letters[begin:begin + BLOCK]
        base = first + begin
        fill(block, {_mask(wanted.drivers, names)}, driving)
{_indented(planes, 2)}
        for word in range((len(block) + 63) >> 6):
            bits = driving[word]
            while bits != 0:
                place = (word << 6) + lowest(bits)
                bits = without_lowest(bits)
                now = base + place
                letter = block[place]
{_indented(body, 4)}
                starts[found] = {result}
                ends[found] = now
                found += 1 if {result} >= 0 else 0
{_indented(ends, 2)}
{_indented(stores, 1)}
    return found
"""


def _words(program: BitParallel, names: Sequence[str]) -> str:
    """The loop over words of 64 instants, for an expression with short instances; see `detectors.bit_parallel`."""
    fills = [
        f"fill(block, {_mask(types, names)}, planes[{row}])"
        for row, types in enumerate(program.filled.values())
    ]
    words = [f"{plane} = planes[{row}][word]" for row, plane in enumerate(program.filled)]
    age = " + ".join(
        f"(digit({plane}, place) << {number})" for number, plane in enumerate(program.digits) if plane
    )
    return f"""\
def words(letters, first, starts, ends, planes):
    \"\"\"Runs over the letters of a dense stretch as if nothing came before it, a word of planes at a time.\"\"\"
    found = 0
    some_before = np.uint64(0)
{_indented([f"before_{plane} = np.uint64(0)" for plane in program.carried], 1)}
    for begin in range(0, len(letters), BLOCK):
        block = letters[begin:begin + BLOCK]
{_indented(fills, 2)}
        for word in range((len(block) + 63) >> 6):
{_indented(words, 3)}
            some = {" | ".join(program.filled)}
            if some | some_before == 0:
                continue  # nothing reaches over a word without occurrences
            some_before = some
{_indented(list(program.statements), 3)}
{_indented([f"before_{plane} = {plane}" for plane in program.carried], 3)}
            bits = {program.detected}
            base = first + begin + (word << 6)
            while bits != 0:
                place = lowest(bits)
                bits = without_lowest(bits)
                starts[found] = base + place - ({age or "0"})
                ends[found] = base + place
                found += 1
    return found
"""


def _mask(types: Sequence[str], names: Sequence[str]) -> int:
    return sum(1 << names.index(name) for name in types)


def _sparse(found: tuple[Part, ...], names: Sequence[str]) -> str:
    """The loop over columns; only the drivers of `detectors.demand` are walked through."""
    wanted = demand(found, names)
    state = start_variables(found)
    result = f"a{len(found)}"
    loads, stores = _moves(found, [part for part in wanted.walked if part.number not in wanted.looked_up])
    drivers = [names.index(name) for name in wanted.drivers]
    heads = [f"p{i} = positions[{i}]\nh{i} = c{i}[p{i}] if p{i} < len(c{i}) else LAST" for i in drivers]
    first = [f"earliest = h{drivers[0]}", *(f"earliest = min(earliest, h{i})" for i in drivers[1:])]
    advance = [
        f"if h{i} == now:\n    p{i} += 1\n    h{i} = c{i}[p{i}] if p{i} < len(c{i}) else LAST"
        for i in drivers
    ]
    queues = "".join(f"{name}, " for name in state.queues)
    body = _walked_body(
        wanted,
        [f"h{bit} == now" for bit in range(len(names))],
        names,
        {number: in_columns(operation, names) for number, operation in wanted.looked_up.items()},
    )
    return f"""\
def sparse({"".join(f"c{i}, " for i in range(len(names)))}positions, hints, limit, state, {queues}starts, ends):
    \"\"\"Runs over at most so many instants of the columns {", ".join(names)}, from some positions on.\"\"\"
{_indented(loads, 1)}
{_indented(heads, 1)}
    found = 0
    for _ in range(limit):
{_indented(first, 2)}
        if earliest == LAST:
            break
        now = earliest
{_indented(body, 2)}
        starts[found] = {result}
        ends[found] = now
        found += 1 if {result} >= 0 else 0
{_indented(advance, 2)}
{_indented(stores, 1)}
{_indented([f"positions[{i}] = p{i}" for i in drivers], 1)}
    return found
"""


def _walked_body(
    wanted: Demand, occurs: Sequence[str], names: Sequence[str], lookups: Mapping[int, Lookup]
) -> list[str]:
    """The statements of the parts that are walked through, with lookups by number."""
    lines: list[str] = []
    for part in wanted.walked:
        operation = wanted.looked_up.get(part.number)
        if operation is None:
            lines += loop_body((part,), occurs, names)
        else:
            statements = lookup_statements(operation, lookups[part.number])
            lines += [comment(part), code(straightened(part, statements))]
    return lines


def _header(expression: Expression) -> str:
    return (
        f'"""Starts and ends of {expression}."""\n\n'
        "import numpy as np\n\n"
        "from detectors.compiled import compiled\n"
        f"from detectors.kernels import {', '.join(HELPERS)}\n"
    )


def _moves(found: Sequence[Part], here: Sequence[Part]) -> tuple[list[str], list[str]]:
    """Statements that take the state out of its arrays, and that put it back; queues only of some parts."""
    state = start_variables(tuple(found))
    taken, put_back = _register_moves(here)
    loads = [f"{name} = state[{index}]" for index, name in enumerate(state.times)]
    stores = [f"state[{index}] = {name}" for index, name in enumerate(state.times)]
    return [*loads, *taken], [*stores, *put_back]


def _register_moves(found: Sequence[Part]) -> tuple[list[str], list[str]]:
    """Statements that take the short queues out of their arrays, and that put them back."""
    loads, stores = [], []
    for part in found:
        if part.place is None or part.label is None or not registers(part.label):
            continue
        queue, count = part.place.variable("q"), part.place.variable("n")
        for index, names in enumerate(register_names(part.place, part.label), start=1):
            for offset, name in enumerate(names):
                place = f"{queue}[2 * (({count} - {index}) & {int(places(part.label)) - 1}) + {offset}]"
                loads.append(f"{name} = {place}")
                stores.append(f"{place} = {name}")
    return loads, stores


def _bits(names: Sequence[str]) -> str:
    return ", ".join(f"{name} {1 << bit}" for bit, name in enumerate(names))


def _indented(lines: str | list[str], depth: int) -> str:
    return textwrap.indent(lines if isinstance(lines, str) else "\n".join(lines), " " * (4 * depth))
