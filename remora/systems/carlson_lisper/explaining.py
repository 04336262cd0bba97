"""Explanations of patterns, printed."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from laws.standings import ExitStatus, Standing
from remora import __version__
from remora.api.patterns import explanations
from remora.api.patterns.explanations import TAKEN, TOTALS, Explanation, quantities, quantity_text
from remora.api.patterns.patterns import branches, node_text
from remora.terminal.console import output_console, print_table, print_timeline, write_drawing
from remora.terminal.options import Result
from remora.terminal.progress import waiting
from semantics.carlson_lisper.syntax import MAX_BOUND, parse_schema
from semantics.errors import InputError
from semantics.traces.reading import Reading

_VALUE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=([0-9]+)")


def explain(text: str, *, given: Sequence[str], reading: Reading, svg: Path | None, seed: int, **how: Any) -> Result:
    """Explain a pattern: its transformed form, what detecting it takes at most, whether it can occur at all."""
    pattern, values = parse_schema(text, reading.tick), _values(given)
    with waiting("explaining") as tell:
        found = explanations.explanation(pattern, values, tell=tell, **how)
    write_drawing(svg, None if found.answer is None else found.answer.timeline)
    standing = Standing.UNKNOWN if found.exit_status is ExitStatus.INCONCLUSIVE else None
    document = {"schema": "remora/explain/1", "remora": __version__, "seed": seed}
    return Result(standing, {**document, **explanations.explanation_data(found)}, lambda: _print(found))


def _values(texts: Sequence[str]) -> dict[str, int]:
    given: dict[str, int] = {}
    for text in texts:
        match = _VALUE.fullmatch(text)
        if match is None or len(match[2]) > len(str(MAX_BOUND)) or int(match[2]) > MAX_BOUND:
            remedy = f"Write t=60 for 60 ticks; at most {MAX_BOUND} ticks."
            raise InputError(f"{text!r} is no value of a bound", place="--bound", remedy=remedy)
        if match[1] in given:
            raise InputError(f"the bound {match[1]} is given two values", place="--bound")
        given[match[1]] = int(match[2])
    return given


def _print(found: Explanation) -> None:
    console = output_console()
    for label, text in explanations.facts(found):
        console.print(f"{label:13}{text}".rstrip())
    for text in found.fault_texts:
        console.print(f"\n{text}")
    if found.remedies:
        console.print("\nA restriction would bound it; longer instances are then not detected:")
        for remedy in found.remedies:
            console.print(f"  {remedy}")
    console.print()
    columns = ("#", "length", *TOTALS, "subexpression")
    print_table(columns, _rows(found), right=columns[:5] if found.bounds else ("#",))
    if found.answer is not None:
        console.print(f"\n{found.answer.verdict}")
        if found.answer.timeline is not None:
            console.print()
            print_timeline(found.answer.timeline)
    if found.choices:
        console.print("\nwhich detector runs")
        chosen = zip(TAKEN, found.choices, strict=True)
        print_table((), [(f"  {words}", f"{one['detector']}: {one['reason']}") for (*_, words), one in chosen])
    if found.code is not None:
        console.print(f"\n{found.code[1]}", end="")


def _rows(found: Explanation) -> list[list[str]]:
    """The table by subexpression: as a tree, or bottom-up where that would be too deep."""
    parts = {part.expression: part for part in found.stated.parts}
    cells = {node: [str(part.number), *quantities(part)] for node, part in parts.items()}
    drawn = branches(found.stated.expression)
    if not drawn:
        return [[*cells[node], found.text(node)] for node in parts]
    rows = []
    for branch in drawn:
        text = branch.lines + node_text(branch.node, quantity_text)
        number, *others = cells[branch.node]
        rows.append([number, *(len(others) * [""]), f"{text}  (as above)"] if branch.again else [number, *others, text])
    return rows
