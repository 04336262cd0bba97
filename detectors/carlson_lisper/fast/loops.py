"""Loops over arrays for one expression, as the text of a module that Numba compiles.

`events` runs over instants with a letter each, `chunk` over the letters of a dense stretch, `sparse` over the times of
each event type. They take and leave the values of `start_variables` in an array, write starts and ends, and return how
many they found.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from detectors.carlson_lisper.fast.bit_parallel import BitParallel, bit_parallel
from detectors.carlson_lisper.fast.lookups import (
    Lookup,
    after_lookups,
    in_columns,
    in_plane,
    lookup_statements,
)
from detectors.carlson_lisper.generated.carried import with_present
from detectors.carlson_lisper.generated.demand import Demand, LookedUp, demand
from detectors.carlson_lisper.generated.instants import Question, in_letter, instant, mask, start_variables
from detectors.carlson_lisper.generated.parts import code
from detectors.generated_code import in_docstring
from semantics.carlson_lisper.expressions import Expression
from semantics.events import quoted

HELPERS = (
    "BLOCK",
    "LAST",
    "digit",
    "fill",
    "latest_in",
    "latest_point",
    "lowest",
    "moved",
    "without_lowest",
)
"""What the loops use of `detectors.carlson_lisper.fast.kernels`."""


@lru_cache(maxsize=256)
def loop_program(expression: Expression) -> str:
    """The text of the module for an expression; see `detectors.carlson_lisper.generated.generated` for its use."""
    wanted = demand(expression)
    loops = [_events(wanted), _chunk(wanted), _sparse(wanted)]
    if (words := bit_parallel(expression)) is not None:
        loops.append(_words(words, wanted.names))
    return with_present("\n\n@compiled\n".join([_header(expression), *loops]))


def _loads(wanted: Demand) -> list[str]:
    return [f"{name} = state[{index}]" for index, name in enumerate(start_variables(wanted))]


def _stores(wanted: Demand) -> list[str]:
    return [f"state[{index}] = {name}" for index, name in enumerate(start_variables(wanted))]


def _report(result: str) -> list[str]:
    return [
        f"starts[found] = {result}",
        "ends[found] = now",
        f"found += 1 if {result} >= 0 else 0",
    ]


def _events(wanted: Demand) -> str:
    """The loop over instants: all of them are walked through."""
    statements, result = instant(wanted.parts, in_letter(wanted.names), branches=False)
    return f"""\
def events(times, letters, state, starts, ends):
    \"\"\"Runs over times with letters: {_bits(wanted.names)}.\"\"\"
{_indented(_loads(wanted), 1)}
    found = 0
    for index in range(len(times)):
        now = times[index]
        letter = letters[index]
{_indented(statements, 2)}
{_indented(_report(result), 2)}
{_indented(_stores(wanted), 1)}
    return found
"""


def _chunk(wanted: Demand) -> str:
    """The loop over dense letters: bit planes say where something occurs that has to be walked through or looked up."""
    planes = []
    for row, (number, operation) in enumerate(wanted.looked_up.items(), start=1):
        planes += [
            f"plane{number} = planes[{row}]",
            f"fill(block, {mask(operation.names, wanted.names)}, plane{number})",
        ]
    after = after_lookups(wanted, start_variables(wanted), in_plane, "base + len(block)")
    statements, result = _walked(wanted, in_letter(wanted.names), in_plane)
    return f"""\
def chunk(letters, first, state, starts, ends, planes):
    \"\"\"Runs over the letters of a dense stretch that begins at a time, block by block.\"\"\"
{_indented(_loads(wanted), 1)}
    found = 0
    driving = planes[0]
    for begin in range(0, len(letters), BLOCK):
        block = letters[begin:begin + BLOCK]
        base = first + begin
        fill(block, {mask(wanted.drivers, wanted.names)}, driving)
{_indented(planes, 2)}
        for word in range((len(block) + 63) >> 6):
            bits = driving[word]
            while bits != 0:
                place = (word << 6) + lowest(bits)
                bits = without_lowest(bits)
                now = base + place
                letter = block[place]
{_indented(statements, 4)}
{_indented(_report(result), 4)}
{_indented(code(after), 2)}
{_indented(_stores(wanted), 1)}
    return found
"""


def _words(program: BitParallel, names: Sequence[str]) -> str:
    """The loop over words of 64 instants, for an expression with short instances; see `bit_parallel`."""
    fills = [
        f"fill(block, {mask(types, names)}, planes[{row}])"
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


def _sparse(wanted: Demand) -> str:
    """The loop over columns; only the drivers of `detectors.carlson_lisper.generated.demand` are walked through."""
    names = wanted.names
    columns = in_docstring(", ".join(map(quoted, names)))
    drivers = [names.index(name) for name in wanted.drivers]
    heads = [f"p{i} = positions[{i}]\nh{i} = c{i}[p{i}] if p{i} < len(c{i}) else LAST" for i in drivers]
    first = [f"earliest = h{drivers[0]}", *(f"earliest = min(earliest, h{i})" for i in drivers[1:])]
    # Without a branch for whether a type occurs now, which could only be guessed; the end of a column can be foreseen.
    advance = [
        f"p{i} += 1 if h{i} == now else 0\nh{i} = c{i}[p{i}] if p{i} < len(c{i}) else LAST" for i in drivers
    ]
    lookup = partial(in_columns, names=names)
    statements, result = _walked(wanted, partial(_at_heads, names), lookup)
    after = after_lookups(wanted, start_variables(wanted), lookup, "LAST")
    return f"""\
def sparse({"".join(f"c{i}, " for i in range(len(names)))}positions, hints, limit, state, starts, ends):
    \"\"\"Runs over at most so many instants of the columns {columns}, from some positions on.\"\"\"
{_indented(_loads(wanted), 1)}
{_indented(heads, 1)}
    found = 0
    for _ in range(limit):
{_indented(first, 2)}
        if earliest == LAST:
{_indented(code(after) or "pass", 3)}
            positions[-1] = 1
            break
        now = earliest
{_indented(statements, 2)}
{_indented(_report(result), 2)}
{_indented(advance, 2)}
{_indented(_stores(wanted), 1)}
{_indented([f"positions[{i}] = p{i}" for i in drivers], 1)}
    return found
"""


def _at_heads(names: Sequence[str], types: Sequence[str]) -> str:
    """Asks the heads of columns whether one of some event types occurs; a truth value."""
    asked = " | ".join(f"(h{names.index(name)} == now)" for name in types)
    return f"({asked})" if len(types) > 1 else asked


def _walked(wanted: Demand, occurs: Question, lookup: Callable[[LookedUp], Lookup]) -> tuple[list[str], str]:
    """The statements of the parts that are walked through, and the variable of the result."""
    lookups = {
        number: lookup_statements(operation, lookup(operation))
        for number, operation in wanted.looked_up.items()
    }
    occurs_always = len(wanted.drivers) == 1
    return instant(wanted.walked, None if occurs_always else occurs, branches=False, lookups=lookups)


def _header(expression: Expression) -> str:
    return (
        f'"""Starts and ends of {in_docstring(str(expression))}."""\n\n'
        "import numpy as np\n\n"
        "from semantics.compiled import compiled\n"
        f"from detectors.carlson_lisper.fast.kernels import {', '.join(HELPERS)}\n"
    )


def _bits(names: Sequence[str]) -> str:
    return in_docstring(", ".join(f"{quoted(name)} {1 << bit}" for bit, name in enumerate(names)))


def _indented(lines: str | list[str], depth: int) -> str:
    return textwrap.indent(lines if isinstance(lines, str) else "\n".join(lines), " " * (4 * depth))
