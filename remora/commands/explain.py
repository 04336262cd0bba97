"""`remora explain`: the transformed form of a pattern, its labels and resource bounds, and whether it can occur."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from detectors.carlson_lisper.source.bounds import PartBounds
from laws.standings import ExitStatus
from remora import __version__
from remora.api.detecting.running import choice_lines
from remora.api.patterns.explanations import (
    CODE,
    INFINITE,
    STEPS,
    TOTALS,
    Explanation,
    cells,
    explanation,
    facts,
    fault_text,
)
from remora.api.patterns.pattern_data import explanation_data
from remora.api.patterns.possibilities import occurring_timeline
from remora.terminal.console import emit_json, output_console, print_error, print_table
from remora.terminal.options import WholeNumber, format_option, seed_option, tick_option
from remora.terminal.progress import waiting
from remora.terminal.results.drawing import print_timeline, svg_option, write_drawing
from remora.terminal.results.trees import DEEPEST, branches, depth, node_text
from semantics.carlson_lisper.expressions import UNBOUNDED, BoundExtremum, BoundParameter
from semantics.carlson_lisper.languages.decisions import EnginesDisagree
from semantics.carlson_lisper.syntax import MAX_BOUND, parse_schema
from semantics.errors import InputError

SCHEMA = "remora/explain/1"

_VALUE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=([0-9]+)")


@click.command(
    epilog="\b\nExamples:\n"
    "  remora explain '(B ; B)[2] - (P ; (P + T))'\n"
    "  remora explain 'a ; (b + c)' --svg trace.svg\n"
    "  remora explain '(a ; b)[t] ; (c + d)[u]'\n"
    "  remora explain '(a ; b)[t] ; (c + d)[u]' --bound t=60 --bound u=5\n"
    "  remora explain '(fail ; fail)[60] - ok' --formula --format json\n"
    "  remora explain '(fail ; fail)[60] - ok' --code\n\n"
    "\b\nlength       no instance takes more ticks from its start to its end\n"
    "instances    at most so many are kept between two instants\n"
    "occurrences  the kept instances have at most so many together\n"
    "steps        at most so many at one instant. A step is a look whether an event\n"
    "             type occurs, a comparison of two times, or an operation on the\n"
    "             queue of a sequence; its binary search is comparisons\n\n"
    "\b\nThe table is about the detector figure4, which finds whole instances row by row.\n"
    "inf: there is no bound.\n\n"
    "\b\nExit status: 0, 2 bad input, 3 not decided whether the pattern can occur."
)
@click.argument("expression", metavar="EXPR")
@click.option(
    "--bound",
    "given",
    metavar="NAME=TICKS",
    multiple=True,
    help="The value of a symbolic bound, in ticks. Repeatable.",
)
@tick_option
@click.option("--formula", is_flag=True, help="Also show the totals as formulas in the bounds.")
@click.option(
    "--code",
    type=click.Choice(CODE),
    is_flag=False,
    flag_value=CODE[0],
    help="Also show the code that is generated for the pattern, which works with starts alone.",
)
@click.option(
    "--steps",
    type=WholeNumber(1),
    default=STEPS,
    show_default=True,
    help="Give up deciding whether it can occur after so many transitions.",
)
@svg_option
@seed_option
@format_option
def explain(
    expression: str,
    given: tuple[str, ...],
    tick: str | None,
    formula: bool,
    code: str | None,
    steps: int,
    svg: Path | None,
    seed: int,
    form: str,
) -> None:
    """Explain a pattern: its transformed form, what detecting it takes at most, whether it can occur at all.

    The transformed form means the same, and labels each sequence with the greatest length of its right side,
    on which depends how much it has to keep. Bounds may be symbolic, as in A[t] or A[min(t, u)].
    """
    pattern = parse_schema(expression, tick)
    values = _values(given)
    try:
        with waiting("explaining") as wait:
            found = explanation(pattern, values, formula, code, steps=steps, seed=seed, tell=wait.tell)
    except EnginesDisagree as error:
        print_error(str(error))
        raise SystemExit(int(ExitStatus.DISAGREEMENT)) from None
    write_drawing(svg, None if found.answer is None else occurring_timeline(found.answer))
    if form == "json":
        emit_json({"schema": SCHEMA, "remora": __version__, "seed": seed, **explanation_data(found)})
    else:
        _print(found)
    raise SystemExit(int(found.exit_status))


def _values(texts: Sequence[str]) -> dict[str, int]:
    """The values that are given to symbolic bounds.

    Raises:
        InputError: a text gives none, or a bound is given two.
    """
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


# ---------------------------------------------------------------------------------------------------------- text


def _print(found: Explanation) -> None:
    console = output_console()
    for label, text in facts(found):
        console.print(f"{label:13}{text}".rstrip())
    for fault in found.faults:
        console.print(f"\n{fault_text(fault, found.text)}")
    if found.remedies:
        console.print("\nA restriction would bound it; longer instances are then not detected:")
        for remedy in found.remedies:
            console.print(f"  {remedy}")
    console.print()
    columns = ("#", "length", *TOTALS, "subexpression")
    print_table(columns, _rows(found), right=columns[:5] if found.bounds else ("#",))
    if found.answer is not None:
        console.print(f"\n{found.answer.verdict}")
        timeline = occurring_timeline(found.answer)
        if timeline is not None:
            console.print()
            print_timeline(timeline)
    if found.running is not None:
        console.print("\nwhich detector runs")
        print_table((), [(f"  {label}", text) for label, text in choice_lines(found.running)])
    if found.code is not None:
        console.print(f"\n{found.code[1]}", end="")


def _rows(found: Explanation) -> list[list[str]]:
    """The table by subexpression: as a tree, or bottom-up where that would be too deep."""
    stated = found.stated
    if depth(stated.expression) > DEEPEST:
        return [[*_cells(part), found.text(part.expression)] for part in stated.parts]
    parts = {part.expression: part for part in stated.parts}
    rows = []
    for branch in branches(stated.expression):
        number, *quantities = _cells(parts[branch.node])
        text = branch.lines + node_text(branch.node, _quantity)
        again = [*[""] * len(quantities), f"{text}  (as above)"]
        rows.append([number, *(again if branch.again else [*quantities, text])])
    return rows


def _cells(part: PartBounds) -> list[str]:
    number, _, *quantities = cells(part)
    return [number, *quantities]


def _quantity(quantity: object) -> str:
    """A number of any size, or a formula, as in the text of an expression."""
    if isinstance(quantity, int | float | BoundParameter | BoundExtremum):
        return INFINITE if quantity == UNBOUNDED else str(quantity)
    from detectors.carlson_lisper.source.cost import formula_text

    return formula_text(quantity)
