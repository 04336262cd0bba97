"""`remora explain`: the transformed form of a pattern, its labels and resource bounds, and whether it can occur.

The JSON document has these keys; a number that is infinite or not known is null:

    schema           "remora/explain/1"
    remora           the version
    seed             of the traces that are tried where the question is too large to be decided
    expression       as it was read
    bounds           the values given to symbolic bounds, by name
    transformed      by Figure 5, with the label of each sequence; null without values for all symbolic bounds
    detector         whose resources are stated: "figure4"
    running          null, or the same totals for what runs where instances are asked for: {"detector": "figure3",
                     "instances", "occurrences", "steps"}
    starts           null, or how many starts are kept at most where starts and ends are enough: by "generated"
    registers        null, or what the register machine takes: {"states", "registers", "exact", "reason"}; where it
                     is not built, `reason` says why, and the others are null. Not exact: more states, and at most
                     so many registers
    choices          [{"wanted", "feed", "instants", "detector", "reason", "bounded"}, …]: which detector
                     `detectors.carlson_lisper.choice` takes; instants are null for an input that may go on for ever
    code             null, or with --code {"kind": "instances" or "starts", "text"}
    bounded          whether all bounds are finite
    length           no instance takes more ticks from its start to its end
    total            {"instances", "occurrences", "steps"}: kept between two instants at most; per instant at most
    subexpressions   bottom-up, the last one is the whole; each {"number", "expression", "operator", "label", "length",
                     "instance_occurrences", "instances", "occurrences", "steps"}; operator and label may be null
    faults           the sequences without a bound, each {"number", "expression", "right", "causes": [text, …]}
    remedies         patterns with a symbolic bound t that have finite bounds, and detect less
    formulas         null, or {"expression", "transformed", "bounds", "length", "instances", "occurrences", "steps"}:
                     texts in the names of the symbolic bounds, and the values of these, where known
    possibility      null without values for all symbolic bounds, or {"occurs", "reason", "decided_instants",
                     "shortest", "trace", "instances"}; `occurs` is null where it is not decided
    exit_status      0, or 3 where it is not decided whether the pattern can occur
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from detectors.carlson_lisper.source.bounds import PartBounds, Quantity
from detectors.carlson_lisper.source.unbounded import Fault, faults
from laws.standings import ExitStatus
from remora import __version__
from remora.api.data import JsonObject
from remora.api.explanations import INFINITE, STEPS, TOTALS, Explanation, explanation, facts, operator
from remora.api.possibilities import occurring_data, occurring_timeline
from remora.api.running import (
    choice_lines,
    choices_data,
    registers_data,
    running_data,
)
from remora.terminal.console import emit_json, output_console, print_error, print_table
from remora.terminal.drawing import print_timeline, svg_option, write_drawing
from remora.terminal.options import WholeNumber, format_option, seed_option
from remora.terminal.progress import waiting
from remora.terminal.trees import DEEPEST, branches, depth, node_text
from semantics.carlson_lisper.expressions import (
    UNBOUNDED,
    BoundExtremum,
    BoundParameter,
    Expression,
    Operation,
    bound_parameters,
    with_bounds,
)
from semantics.carlson_lisper.languages.decisions import EnginesDisagree
from semantics.carlson_lisper.syntax import MAX_BOUND, parse_schema
from semantics.errors import InputError

if TYPE_CHECKING:  # SymPy is imported only where a formula is asked for
    from detectors.carlson_lisper.source.cost import Cost

SCHEMA = "remora/explain/1"

DETECTOR = "figure4"

CODE = ("instances", "starts")
"""The programs that can be shown."""


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
    "\b\nThe table is about the detector figure4. What runs, figure3, keeps one\n"
    "instance less for each bounded sequence, and recent the same.\n"
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
@click.option("--formula", is_flag=True, help="Also show the totals as formulas in the bounds.")
@click.option(
    "--code",
    type=click.Choice(CODE),
    is_flag=False,
    flag_value=CODE[0],
    help="Also show the code that is generated for the pattern: with instances (Figure 3) or with starts alone."
    " Default without a word: instances.",
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
    pattern = parse_schema(expression)
    values = _values(pattern, given)
    try:
        with waiting("explaining") as wait:
            found = explanation(pattern, values, formula, steps=steps, seed=seed, tell=wait.tell)
        if code is not None:
            found = replace(found, code=_code(pattern, values, code))
    except EnginesDisagree as error:
        print_error(str(error))
        raise SystemExit(int(ExitStatus.DISAGREEMENT)) from None
    write_drawing(svg, None if found.answer is None else occurring_timeline(found.answer))
    if form == "json":
        emit_json({"schema": SCHEMA, "remora": __version__, "seed": seed, **_data(found)})
    else:
        _print(found)
    raise SystemExit(int(found.exit_status))


def _code(pattern: Expression, values: Mapping[str, int] | None, kind: str) -> tuple[str, str]:
    """The kind and the text of the generated code.

    Raises:
        InputError: a symbolic bound has no value.
    """
    if values is None:
        names = ", ".join(sorted(bound_parameters(pattern)))
        raise InputError(
            f"code is generated for a pattern whose bounds are numbers, and {names} has no value",
            place="--code",
            remedy="Give each of them a value with --bound NAME=TICKS.",
        )
    from detectors.carlson_lisper.generated.programs import instance_program
    from detectors.carlson_lisper.generated.start_programs import start_program

    program = instance_program if kind == CODE[0] else start_program
    return kind, program(with_bounds(pattern, values))


def _values(pattern: Expression, texts: Sequence[str]) -> dict[str, int] | None:
    """The values of all symbolic bounds; None if there are some and none was given a value.

    Raises:
        InputError: a value is for no bound of the pattern or for one that has a value, or a bound has none.
    """
    parameters = bound_parameters(pattern)
    given: dict[str, int] = {}
    for text in texts:
        match = _VALUE.fullmatch(text)
        if match is None or len(match[2]) > len(str(MAX_BOUND)) or int(match[2]) > MAX_BOUND:
            remedy = f"Write t=60 for 60 ticks; at most {MAX_BOUND} ticks."
            raise InputError(f"{text!r} is no value of a bound", place="--bound", remedy=remedy)
        name = match[1]
        if name not in parameters:
            known = f"Its symbolic bounds: {', '.join(sorted(parameters))}." if parameters else ""
            raise InputError(f"{pattern} has no symbolic bound {name}", place="--bound", remedy=known)
        if name in given:
            raise InputError(f"the bound {name} is given two values", place="--bound")
        given[name] = int(match[2])
    missing = sorted(parameters - given.keys())
    if missing and given:
        remedy = (
            f"Add {' '.join(f'--bound {name}=TICKS' for name in missing)}, or give no values to see formulas."
        )
        raise InputError(f"{', '.join(missing)} has no value", place="--bound", remedy=remedy)
    return None if missing else given


# -------------------------------------------------------------------------------------------------- what is said


# ---------------------------------------------------------------------------------------------------------- text


def _print(found: Explanation) -> None:
    console = output_console()
    for label, text in facts(found):
        console.print(f"{label:13}{text}".rstrip())
    for fault in faults(found.stated):
        causes = " and ".join(found.text(cause.expression) for cause in fault.causes)
        console.print(
            f"\n{found.text(fault.sequence.expression)} is at fault: it keeps one instance of its left side for every"
            f" time at which its right side may have started, and {causes} may take arbitrarily long"
        )
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
        for label, text in choice_lines(found.running):
            console.print(f"  {label:33}{text}")
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
        cells, text = _cells(parts[branch.node]), branch.lines + node_text(branch.node, _quantity)
        rows.append(
            [cells[0], *[""] * (len(cells) - 1), f"{text}  (as above)"] if branch.again else [*cells, text]
        )
    return rows


def _cells(part: PartBounds) -> list[str]:
    quantities = (part.length, part.instances, part.occurrences, part.steps)
    return [str(part.number), *map(_cell, quantities)]


def _cell(quantity: Quantity) -> str:
    return f"{quantity:,}" if isinstance(quantity, int) else _quantity(quantity)


def _quantity(quantity: object) -> str:
    """A number of any size, or a formula, as in the text of an expression."""
    if isinstance(quantity, int | float | BoundParameter | BoundExtremum):
        return INFINITE if quantity == UNBOUNDED else str(quantity)
    from detectors.carlson_lisper.source.cost import formula_text

    return formula_text(quantity)


# ---------------------------------------------------------------------------------------------------------- data


def _data(found: Explanation) -> JsonObject:
    bounds = found.bounds
    return {
        "expression": str(found.pattern),
        "bounds": dict(found.values or {}),
        "transformed": None if bounds is None else str(bounds.expression),
        "detector": DETECTOR,
        "running": None if found.running is None else running_data(found.running),
        "starts": None if found.running is None else found.running.starts,
        "registers": None if found.running is None else registers_data(found.running),
        "choices": [] if found.running is None else choices_data(found.running),
        "code": None if found.code is None else {"kind": found.code[0], "text": found.code[1]},
        "bounded": not faults(found.stated),
        "length": None if bounds is None else _finite(bounds.length),
        "total": None if bounds is None else {name: _finite(getattr(bounds, name)) for name in TOTALS},
        "subexpressions": [] if bounds is None else [_part_data(part) for part in bounds.parts],
        "faults": [_fault_data(fault, found.text) for fault in faults(found.stated)],
        "remedies": list(found.remedies),
        "formulas": None if found.cost is None else _formulas_data(found.cost, found.named),
        "possibility": None if found.answer is None else occurring_data(found.answer),
        "exit_status": int(found.exit_status),
    }


def _part_data(part: PartBounds) -> JsonObject:
    label = part.expression.label if isinstance(part.expression, Operation) else None
    return {
        "number": part.number,
        "expression": str(part.expression),
        "operator": operator(part),
        "label": None if label is None else _finite(label),
        "length": _finite(part.length),
        "instance_occurrences": part.width,
        **{name: _finite(getattr(part, name)) for name in TOTALS},
    }


def _fault_data(fault: Fault, text: Callable[[Expression], str]) -> JsonObject:
    return {
        "number": fault.sequence.number,
        "expression": text(fault.sequence.expression),
        "right": text(fault.right.expression),
        "causes": [text(cause.expression) for cause in fault.causes],
    }


def _formulas_data(cost: Cost, named: tuple[Expression, Mapping[str, int]]) -> JsonObject:
    from detectors.carlson_lisper.source.cost import formula_text

    return {
        "expression": str(named[0]),
        "transformed": cost.transformed,
        "bounds": dict(named[1]),
        **{name: formula_text(getattr(cost.bounds, name)) for name in ("length", *TOTALS)},
    }


def _finite(quantity: Quantity) -> int | None:
    return None if quantity == UNBOUNDED else int(quantity)
