"""Loops over arrays for one expression, as the text of a module that Numba compiles.

`events` runs over instants with a letter each, `chunk` over the letters of a dense stretch, `sparse` over the times of
each event type. They take and leave the values of `start_variables` in an array and the queues in one array each, write
starts and ends, and return how many they found.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from detectors.demand import Demand, demand, lookup_statements
from detectors.programs import (
    START_STEPS,
    Part,
    code,
    comment,
    parts,
    start_body,
    start_variables,
    straightened,
)
from detectors.protocol import event_types
from detectors.specialisation import register_names, registers
from detectors.start_queue import places
from semantics.expressions import Expression


def loop_program(expression: Expression) -> str:
    """The text of a module with loops over arrays, to be compiled; see `detectors.generated` for their use.

    `events` runs over instants with a letter each, `chunk` over the letters of a dense stretch, `sparse` over the
    times of each event type. They take and leave the values of `start_variables` in an array and the queues in one
    array each, write starts and ends, and return how many they found.
    """
    found = parts(expression, START_STEPS)
    names = event_types(expression)
    state = start_variables(found)
    result = f"a{len(found)}"
    taken, put_back = _register_moves(found)
    loads = [*(f"{name} = state[{index}]" for index, name in enumerate(state.times)), *taken]
    stores = [*(f"state[{index}] = {name}" for index, name in enumerate(state.times)), *put_back]
    body = start_body(found, [f"letter & {1 << bit}" for bit in range(len(names))], names, compiled=True)
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
    chunk = f"""\
def chunk(letters, words, first, state, {queues}starts, ends, room):
    \"\"\"Runs over the letters of a dense stretch that begins at a time, block by block.\"\"\"
    times, kept, places, every = room
    found = 0
    share = 0.0
    for begin in range(0, len(letters), BLOCK):
        block = letters[begin:begin + BLOCK]
        count, dense = busy(block, words, begin, share, times, kept, places)
        if dense:
            found += events(every, block, count, first + begin, state, {queues}starts[found:], ends[found:])
        else:
            found += events(times, kept, count, first + begin, state, {queues}starts[found:], ends[found:])
        share = count / len(block) if not dense else share_of(block)
    return found
"""
    return "\n\n@compiled\n".join([_header(expression), events, chunk, _sparse(found, names)])


def _sparse(found: tuple[Part, ...], names: Sequence[str]) -> str:
    """The loop over columns; only the drivers of `detectors.demand` are walked through."""
    wanted = demand(found, names)
    state = start_variables(found)
    result = f"a{len(found)}"
    taken, put_back = _register_moves([part for part in wanted.walked if part.number not in wanted.looked_up])
    loads = [*(f"{name} = state[{index}]" for index, name in enumerate(state.times)), *taken]
    stores = [*(f"state[{index}] = {name}" for index, name in enumerate(state.times)), *put_back]
    drivers = [names.index(name) for name in wanted.drivers]
    heads = [f"p{i} = positions[{i}]\nh{i} = c{i}[p{i}] if p{i} < len(c{i}) else LAST" for i in drivers]
    first = f"h{drivers[0]}"
    for i in drivers[1:]:
        first = f"min({first}, h{i})"
    advance = [
        f"if h{i} == now:\n    p{i} += 1\n    h{i} = c{i}[p{i}] if p{i} < len(c{i}) else LAST"
        for i in drivers
    ]
    queues = "".join(f"{name}, " for name in state.queues)
    return f"""\
def sparse({"".join(f"c{i}, " for i in range(len(names)))}positions, hints, limit, state, {queues}starts, ends):
    \"\"\"Runs over at most so many instants of the columns {", ".join(names)}, from some positions on.\"\"\"
{_indented(loads, 1)}
{_indented(heads, 1)}
    found = 0
    for _ in range(limit):
        earliest = {first}
        if earliest == LAST:
            break
        now = earliest
{_indented(_sparse_body(wanted, names), 2)}
        starts[found] = {result}
        ends[found] = now
        found += 1 if {result} >= 0 else 0
{_indented(advance, 2)}
{_indented(stores, 1)}
{_indented([f"positions[{i}] = p{i}" for i in drivers], 1)}
    return found
"""


def _sparse_body(wanted: Demand, names: Sequence[str]) -> list[str]:
    occurs = [f"h{bit} == now" for bit in range(len(names))]
    lines: list[str] = []
    for part in wanted.walked:
        operation = wanted.looked_up.get(part.number)
        if operation is None:
            lines += start_body((part,), occurs, names, compiled=True)
        else:
            lines += [comment(part), code(straightened(part, lookup_statements(operation, names)))]
    return lines


def _header(expression: Expression) -> str:
    return (
        f'"""Starts and ends of {expression}."""\n\n'
        "from detectors.compiled import compiled\n"
        "from detectors.kernels import BLOCK, LAST, busy, latest_before, latest_point, push, share_of\n"
    )


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
