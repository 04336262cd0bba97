"""`remora equiv`: whether two patterns are equivalent on all traces, or the shortest trace that tells them apart."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from laws.standings import ExitStatus
from remora import __version__
from remora.api.cards import counted
from remora.api.comparisons import Comparison, as_ground, compare
from remora.api.data import JsonObject, instance_data, occurrence_data
from remora.terminal.console import emit_json, output_console, print_error
from remora.terminal.drawing import print_timeline, svg_option, write_drawing
from remora.terminal.options import WholeNumber, format_option, seed_option
from remora.terminal.progress import waiting
from remora.terminal.waits import Tell, steps_left
from reports.layout import Bar, Timeline
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.languages.decisions import (
    MAX_STEPS,
    DecidedRelation,
    Decider,
    Decision,
    EnginesDisagree,
    Level,
    Possibility,
    Undecided,
    Witness,
)
from semantics.carlson_lisper.occurrences import Stream, by_end_time
from semantics.errors import LimitExceeded

SCHEMA = "remora/equiv/1"


@click.command(
    epilog="\b\nExamples:\n"
    "  remora equiv 'b | (a ; b)' b\n"
    "  remora equiv 'a + a' a --up-to intervals --svg apart.svg\n"
    "  remora equiv '(a ; b) - c' 'a ; b' --inclusion --up-to meaning\n"
    "  remora equiv '((A + B);(C + D)) - (A ; C)' --empty\n\n"
    "\b\nLevels: meaning (the same instances, Def. 4.1), intervals (the same starts and\n"
    "ends, Def. 4.3), detection (the same starts and ends after restriction).\n\n"
    "\b\nExit status: 0 equivalent, 1 not, 2 bad input, 3 a limit was reached.",
)
@click.argument("left", metavar="EXPR")
@click.argument("right", metavar="EXPR", required=False)
@click.option(
    "--up-to",
    "level",
    type=click.Choice(get_args(Level)),
    default="detection",
    show_default=True,
    help="What is compared.",
)
@click.option("--inclusion", is_flag=True, help="Ask only whether the left is included in the right.")
@click.option("--empty", is_flag=True, help="Ask whether one pattern can never occur.")
@click.option(
    "--steps",
    type=WholeNumber(1),
    default=MAX_STEPS,
    show_default=True,
    help="Give up after so many transitions per question.",
)
@svg_option
@seed_option
@format_option
def equiv(
    left: str,
    right: str | None,
    level: Level,
    inclusion: bool,
    empty: bool,
    steps: int,
    svg: Path | None,
    seed: int,
    form: str,
) -> None:
    """Decide whether two patterns are equivalent on ALL traces, or draw a shortest trace on which they differ.

    Identifiers are event types. The answer is not bounded by a length of traces or a number of events,
    and nothing is chosen at random: it is the same for every seed.
    """
    if empty is (right is not None) or (empty and inclusion):
        raise click.UsageError("Give two patterns to compare, or one with --empty.")
    one, other = as_ground(left), None if right is None else as_ground(right)
    try:
        with waiting("deciding") as wait:
            relation: DecidedRelation = "inclusion" if inclusion else "equivalence"
            document = _answer(one, other, level, relation, steps, seed, wait.tell)
    except EnginesDisagree as error:
        print_error(str(error))
        raise SystemExit(int(ExitStatus.DISAGREEMENT)) from None
    timeline = document.pop("timeline", None)
    write_drawing(svg, timeline)
    if form == "json":
        emit_json({"schema": SCHEMA, "remora": __version__, "seed": seed, **document})
    else:
        console = output_console()
        console.print(document["verdict"])
        if timeline is not None:
            console.print()
            print_timeline(timeline)
    raise SystemExit(document["exit_status"])


# --------------------------------------------------------------------------------------------------- comparison


def _answer(
    one: Expression,
    other: Expression | None,
    level: Level,
    relation: DecidedRelation,
    steps: int,
    seed: int,
    tell: Tell,
) -> JsonObject:
    """The document that says what was found."""
    if other is not None:
        return _comparison_data(compare(one, other, level, relation, steps=steps, seed=seed, tell=tell))
    try:
        return _possibility(one, steps, tell)
    except LimitExceeded as error:
        return _undecided_data(
            one, None, f"undecided: {error.reason}", error.instants if isinstance(error, Undecided) else 0
        )


def _undecided_data(left: Expression, right: Expression | None, verdict: str, instants: int) -> JsonObject:
    return {
        "left": str(left),
        "right": None if right is None else str(right),
        "holds": None,
        "verdict": verdict,
        "decided_instants": instants,
        "exit_status": int(ExitStatus.INCONCLUSIVE),
    }


def _comparison_data(found: Comparison) -> JsonObject:
    """What the automata decided, what solvers proved in their place, or that neither helps."""
    if found.holds is None:
        return _undecided_data(found.left, found.right, found.verdict, found.decided_instants)
    said: JsonObject = {
        "left": str(found.left),
        "right": str(found.right),
        "level": found.level,
        "relation": found.relation,
        "holds": found.holds,
        "verdict": found.verdict,
    }
    if found.decision is None:
        assert found.standing is not None  # solvers proved it
        said |= {"standing": found.standing.value, "obligations": list(found.obligations)}
    else:
        witness = found.witness
        said |= {
            "levels": dict(found.levels),
            **found.converse,
            "states": list(found.decision.states),
            "steps": found.decision.steps,
            "witness": None if witness is None else _witness_data(found.decision, witness),
            "timeline": found.timeline,
        }
    return {**said, "exit_status": int(found.exit_status)}


def _side_data(expression: Expression, stream: Stream) -> JsonObject:
    return {
        "expression": str(expression),
        "instances": [instance_data(instance) for instance in by_end_time(stream)],
    }


def _witness_data(decision: Decision, witness: Witness) -> JsonObject:
    return {
        "trace": [occurrence_data(occurrence) for occurrence in witness.trace],
        "holder": witness.holder,
        "shortest": witness.shortest,
        "left": _side_data(decision.left, witness.left),
        "right": _side_data(decision.right, witness.right),
    }


# --------------------------------------------------------------------------------------------------- emptiness


def _possibility(expression: Expression, steps: int, tell: Tell) -> JsonObject:
    decider = Decider((expression,), steps=steps)
    tell(steps_left(decider.budget))
    found = decider.possibility(expression)
    verdict = "it can occur" if found.trace is not None else "it never occurs, on any trace"
    return {
        "left": str(expression),
        "right": None,
        "relation": "emptiness",
        "holds": found.trace is None,
        "verdict": verdict,
        "witness": None
        if found.trace is None
        else {
            "trace": [occurrence_data(occurrence) for occurrence in found.trace],
            "shortest": found.shortest,
            "left": _side_data(expression, found.instances),
        },
        "timeline": _occurring(found),
        "exit_status": int(ExitStatus.AS_CLAIMED if found.trace is None else ExitStatus.REFUTED),
    }


def _occurring(found: Possibility) -> Timeline | None:
    if found.trace is None:
        return None
    bars = tuple(
        Bar(instance.start, instance.end, "left", True, instance.sorted_occurrences())
        for instance in by_end_time(found.instances)
    )
    caption = f"{found.expression}  ({counted(len(bars), 'instance')})"
    heading = f"a {'shortest ' if found.shortest else ''}trace on which it occurs"
    return Timeline(heading, (caption,), ("pattern", ""), found.trace, bars)
