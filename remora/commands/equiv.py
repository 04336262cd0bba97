"""`remora equiv`: whether two patterns are equivalent on all traces, or the shortest trace that tells them apart."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import get_args

import click

from laws.standings import ExitStatus, Standing
from remora import __version__
from remora.console import emit_json, output_console, print_error
from remora.data import JsonObject, instance_data, occurrence_data
from remora.drawing import print_timeline, svg_option, write_drawing
from remora.options import WholeNumber, format_option, seed_option
from remora.progress import waiting
from reports.layout import Bar, Side, Timeline
from semantics.decisions import (
    LEVELS,
    MAX_STEPS,
    DecidedRelation,
    Decider,
    Decision,
    EnginesDisagree,
    Level,
    Possibility,
    Undecided,
    Witness,
    matched,
)
from semantics.errors import InputError, LimitExceeded
from semantics.expressions import Expression
from semantics.languages import require_ground
from semantics.occurrences import Instance, Stream, by_end_time
from semantics.restriction import restriction
from semantics.syntax import parse_schema

SCHEMA = "remora/equiv/1"

_RELATION = re.compile("==|<=|~=|[≡⊆≅]")

_SAME: Mapping[Level, str] = {
    "meaning": "the same meaning",
    "intervals": "the same intervals",
    "detection": "the same detections",
}

_INCLUDED: Mapping[Level, str] = {
    "meaning": "every instance of the left is one of the right",
    "intervals": "every interval of the left is one of the right",
    "detection": "whenever the left is detected, so is the right, starting no earlier",
}

_CONVERSE: Mapping[Level, str] = {
    "meaning": "every instance of the right is one of the left",
    "intervals": "every interval of the right is one of the left",
    "detection": "whenever the right is detected, so is the left, starting no earlier",
}


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
    one, other = _read(left), None if right is None else _read(right)
    try:
        with waiting("deciding"):
            document = _answer(one, other, level, "inclusion" if inclusion else "equivalence", steps, seed)
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


def _answer(
    one: Expression, other: Expression | None, level: Level, relation: DecidedRelation, steps: int, seed: int
) -> JsonObject:
    """Decide, and where that takes too much have the solvers prove; at worst say that neither helps."""
    try:
        if other is None:
            return _possibility(one, steps)
        return _comparison(one, other, level, relation, steps)
    except LimitExceeded as error:
        proof = None if other is None else _proved(one, other, level, relation, seed)
        return proof or {
            "left": str(one),
            "right": None if other is None else str(other),
            "holds": None,
            "verdict": f"undecided: {error.reason}",
            "decided_instants": error.instants if isinstance(error, Undecided) else 0,
            "exit_status": int(ExitStatus.INCONCLUSIVE),
        }


def _read(text: str) -> Expression:
    """Read a ground expression; an equation or a symbolic bound gets told where it can be asked about."""
    if _RELATION.search(text):
        raise InputError(
            f"{text!r} is an equation; here two expressions are compared",
            remedy="Give its two sides as two arguments, or ask `remora prove` about it.",
        )
    expression = parse_schema(text)
    require_ground(expression)
    return expression


# --------------------------------------------------------------------------------------------------- comparison


def _comparison(
    left: Expression, right: Expression, level: Level, relation: DecidedRelation, steps: int
) -> JsonObject:
    decider = Decider((left, right), steps=steps)
    decision = decider.decide(left, right, level, relation)
    levels = _levels(decider, decision)
    converse = None
    if relation == "equivalence" and not decision.holds:
        within, contains = _asked(decider, left, right, level), _asked(decider, right, left, level)
        converse = {"left_within_right": within, "right_within_left": contains}
    witness = decision.witness
    return {
        "left": str(left),
        "right": str(right),
        "level": level,
        "relation": relation,
        "holds": decision.holds,
        "verdict": _verdict(decision, levels, converse),
        "levels": levels,
        **({} if converse is None else converse),
        "states": list(decision.states),
        "steps": decision.steps,
        "witness": None if witness is None else _witness_data(decision, witness),
        "timeline": None if witness is None else _timeline(decision, witness),
        "exit_status": int(ExitStatus.AS_CLAIMED if decision.holds else ExitStatus.REFUTED),
    }


def _proved(
    left: Expression, right: Expression, level: Level, relation: DecidedRelation, seed: int
) -> JsonObject | None:
    """What the solvers prove where automata give up: a bound of any size is one number to them."""
    from smt.equivalence import prove_patterns
    from smt.portfolio import installed

    with installed() as portfolio:
        proof = prove_patterns(left, right, level, relation, portfolio, seed=seed)
    if proof is None:
        return None
    name = "equivalent" if relation == "equivalence" else "included"
    who = "both solvers" if proof.standing is Standing.AGREED else "one solver"
    return {
        "left": str(left),
        "right": str(right),
        "level": level,
        "relation": relation,
        "holds": True,
        "verdict": f"{name} for all traces: {proof.equation} was proved by {who}; too large for automata",
        "standing": proof.standing.value,
        "obligations": [part.sha256 for part in proof.obligations],
        "exit_status": int(ExitStatus.AS_CLAIMED),
    }


def _asked(decider: Decider, left: Expression, right: Expression, level: Level) -> bool | None:
    """Whether the left is included in the right; None if that is undecided."""
    try:
        return decider.decide(left, right, level, "inclusion").holds
    except LimitExceeded:
        return None


def _levels(decider: Decider, decision: Decision) -> dict[Level, bool | None]:
    """The answer at every level: what holds at a level holds at all coarser ones."""
    answers: dict[Level, bool | None] = {}
    asked = LEVELS.index(decision.level)
    for number, level in enumerate(LEVELS):
        if True in answers.values() or (decision.holds and number >= asked):
            answers[level] = True
        elif not decision.holds and number <= asked:
            answers[level] = False
        else:
            try:
                answers[level] = decider.decide(decision.left, decision.right, level, decision.relation).holds
            except LimitExceeded:
                answers[level] = None
    return answers


def _verdict(
    decision: Decision, levels: Mapping[Level, bool | None], converse: Mapping[str, bool | None] | None
) -> str:
    words = _SAME if decision.relation == "equivalence" else _INCLUDED
    finest = next((level for level in LEVELS if levels[level]), None)
    refused = [level for level in LEVELS if levels[level] is False]
    name = "equivalent" if decision.relation == "equivalence" else "included"
    if decision.holds and finest is not None:
        text = f"{name} for all traces: {words[finest]}"
        if refused:
            text += (
                f"; not up to {refused[-1]}"
                if decision.relation == "inclusion"
                else f", but not {_SAME[refused[-1]]}"
            )
        return text
    text = f"not {name} up to {decision.level}"
    if finest is not None:
        return f"{text}; up to {finest} yes: {words[finest]}"
    for key, said in (("left_within_right", _INCLUDED), ("right_within_left", _CONVERSE)):
        if converse is not None and converse[key]:
            text += f"; {said[decision.level]}"
    return text


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


def _timeline(decision: Decision, witness: Witness) -> Timeline:
    """Both sides over the trace: instances, one instance per interval, or valid restrictions, as they are compared."""
    left, right = (_compared(decision.level, stream) for stream in (witness.left, witness.right))
    bars = []
    for key in {**left, **right}:
        side: Side = "both" if key in left and key in right else "left" if key in left else "right"
        instance = right[key] if side == "right" else left[key]
        others = right.values() if side == "left" else left.values()
        differs = side != "both"
        if decision.relation == "inclusion":
            differs = side == "left" and not matched(instance, others, decision.level)
        members = instance.sorted_occurrences()
        bars.append(Bar(instance.start, instance.end, side, differs, members))
    noun = "restricted instance" if decision.level == "detection" else "instance"
    captions = [
        f"{name} {expression}  ({_count(len(found), noun)})"
        for name, expression, found in (
            ("left: ", decision.left, left),
            ("right:", decision.right, right),
        )
    ]
    bars.sort(key=lambda bar: (not bar.differs, bar.side, bar.end, bar.start, str(bar)))
    return Timeline(
        "a shortest trace that tells them apart"
        if witness.shortest
        else "a trace that tells them apart (perhaps not a shortest one)",
        tuple(captions),
        ("left", "right"),
        witness.trace,
        tuple(bars),
    )


def _compared(level: Level, stream: Stream) -> dict[Hashable, Instance]:
    if level == "meaning":
        return {instance: instance for instance in by_end_time(stream)}
    kept = by_end_time(restriction(stream) if level == "detection" else stream)
    return {instance.interval: instance for instance in reversed(kept)}


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


# --------------------------------------------------------------------------------------------------- emptiness


def _possibility(expression: Expression, steps: int) -> JsonObject:
    found = Decider((expression,), steps=steps).possibility(expression)
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
    caption = f"{found.expression}  ({_count(len(bars), 'instance')})"
    heading = f"a {'shortest ' if found.shortest else ''}trace on which it occurs"
    return Timeline(heading, (caption,), ("pattern", ""), found.trace, bars)
