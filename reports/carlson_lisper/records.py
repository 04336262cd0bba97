"""The timelines of records: what a counterexample or a failing case, given as plain data, looks like.

A counterexample is one of four things: a trace on which the two sides of an equation differ; streams that satisfy what
a claim assumes and not what it concludes; a history of operands after which a detector's step is wrong; or a sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from reports.layout import Bar, Side, Timeline, plain
from reports.layout import Occurrence as Drawn
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.carlson_lisper.restriction import restriction

NOTHING = "⟨⟩"
"""How a missing instance is written."""


def is_drawn(record: Mapping[str, Any]) -> bool:
    """Whether there is more to a counterexample than a sentence."""
    return any(record.get(key) for key in ("trace", "left", "right", "streams", "history")) or not record.get(
        "summary"
    )


def counterexample_timeline(record: Mapping[str, Any]) -> Timeline:
    """The timeline of a counterexample of any kind; of one that is a sentence, a timeline without a trace."""
    if record.get("history"):
        return _history_timeline(record)
    if record.get("streams"):
        return _streams_timeline(record)
    if not is_drawn(record):
        return Timeline(plain(record["summary"]), (), ("", ""), (), (), compares=False)
    return _sides_timeline(record)


def detection_timeline(record: Mapping[str, Any]) -> Timeline:
    """A detection among what occurs in its interval."""
    instance = _instance(record)
    bar = Bar(instance.start, instance.end, "both", False, instance.sorted_occurrences(), "detected")
    of_partition = f", in {plain(record['key'])}" if "key" in record else ""
    heading = f"{plain(record['begins'])} to {plain(record['ends'])}{of_partition}"
    return Timeline(heading, (), ("", ""), _occurrences(record.get("trace")), (bar,), compares=False)


def in_words(record: Mapping[str, Any]) -> str:
    """A counterexample in one line of text."""
    if record.get("summary"):
        return plain(record["summary"])
    timeline = counterexample_timeline(record)
    listed = [f"{bar.name} has {bar}" for bar in timeline.bars] if not timeline.compares else []
    trace = ", ".join(plain(item) for item in timeline.occurrences) or "nothing"
    said = "; ".join(listed) if listed else f"over {trace}, {timeline.differences()}"
    return "; ".join([*(text for text in timeline.captions if not text.startswith(("left", "right"))), said])


# -------------------------------------------------------------------------------------------- sides of an equation


def _sides_timeline(record: Mapping[str, Any]) -> Timeline:
    """The instances of both sides of an equation over a trace.

    What differs depends on the relation: for `==` an instance of one side only; for `<=` one of the left
    only; for `~=` an interval that only one side has once both are restricted (Def. 3.12, 4.3).
    """
    sides = [
        _side(record.get(name), record.get(expression))
        for name, expression in (("left", "expression"), ("right", "transformed"))
    ]
    relation = record.get("relation", "==")
    instances = [[_instance(item) for item in side.get("instances") or ()] for side in sides]
    if relation == "~=":
        instances = [list(restriction(side)) for side in instances]
    left, right = ({_key(instance, relation): instance for instance in side} for side in instances)
    parts: tuple[tuple[Side, Iterable[Hashable]], ...] = (
        ("both", left.keys() & right.keys()),
        ("left", left.keys() - right.keys()),
        ("right", right.keys() - left.keys()),
    )
    bars = []
    for side, keys in parts:
        differs = side == "left" or (side == "right" and relation != "<=")
        for key in keys:
            instance = right[key] if side == "right" else left[key]
            bars.append(Bar(instance.start, instance.end, side, differs, instance.sorted_occurrences()))
    captions = []
    letters = {**(record.get("substitution") or {}), **(record.get("bounds") or {})}
    if letters:
        captions.append("with " + ", ".join(plain(f"{name} = {value}") for name, value in letters.items()))
    noun = "restricted instance" if relation == "~=" else "instance"
    for name, record_of, found in zip(("left: ", "right:"), sides, instances, strict=True):
        captions.append(f"{name} {plain(record_of.get('expression', ''))}  ({_count(len(found), noun)})")
    return Timeline(
        plain(record.get("statement") or record.get("conclusion") or ""),
        tuple(captions),
        ("left", "right"),
        _occurrences(record.get("trace")),
        _in_order(bars),
    )


def _side(data: object, expression: object) -> Mapping[str, Any]:
    """A side with its expression; of a transformation, whose sides are instances alone, it stands apart."""
    if isinstance(data, Mapping):
        return data
    return {"instances": data if isinstance(data, list | tuple) else (), "expression": expression or ""}


def _key(instance: Instance, relation: str) -> Hashable:
    return instance.interval if relation == "~=" else instance


# ---------------------------------------------------------------------------------------------------------- streams


def _streams_timeline(record: Mapping[str, Any]) -> Timeline:
    """The instances of each stream by its name; none of them differs, it is together that they contradict the claim."""
    streams = {
        plain(name): sorted(map(_instance, items or ()), key=lambda found: (found.end, found.start))
        for name, items in record["streams"].items()
    }
    captions = [f"“{plain(record['conclusion'])}” fails"] if record.get("conclusion") else []
    if record.get("bound") is not None:
        captions.append(plain(f"with τ = {record['bound']}"))
    empty = [name for name, found in streams.items() if not found]
    if empty:
        captions.append(f"without instances: {', '.join(empty)}")
    occurrences = {item for found in streams.values() for instance in found for item in instance.occurrences}
    return Timeline(
        plain(record.get("statement", "")),
        tuple(captions),
        ("", ""),
        _by_time(occurrences),
        tuple(_bar(instance, name) for name, found in streams.items() for instance in found),
        compares=False,
    )


def _bar(instance: Instance, name: str, side: Side = "both", *, differs: bool = False) -> Bar:
    return Bar(instance.start, instance.end, side, differs, instance.sorted_occurrences(), name)


# -------------------------------------------------------------------------------------------------------- histories


def _history_timeline(record: Mapping[str, Any]) -> Timeline:
    """What the operands output, and at the end what the step output and what is valid."""
    bars: list[Bar] = []
    for at in record["history"]:
        given = [_output(at.get(side)) for side in ("left", "right")]
        if given[0] is not None and (is_unary(record) or given[0] == given[1]):
            bars.append(_bar(given[0], "operand" if is_unary(record) else "both operands"))
        else:
            named = zip(given, ("left operand", "right operand"), strict=True)
            bars += [_bar(instance, name) for instance, name in named if instance is not None]
    wrong = wrong_output(record)
    for instance in map(_output, record.get("expected") or ()):
        if instance is not None:
            bars.append(_bar(instance, "valid", "left", differs=True))
    output = _output(record.get("output"))
    if output is not None:
        bars.append(_bar(output, "output", "right", differs=True))
    occurrences = {item for bar in bars for item in bar.members}
    times = [int(at["time"]) for at in record["history"] if "time" in at]
    made = "" if record.get("ticks") is None else f" with τ = {record['ticks']}"
    return Timeline(
        plain(f"{record.get('operator', 'step')}{made}, run at {', '.join(map(str, times))}"),
        (plain(wrong),) if wrong else (),
        ("valid", "output"),
        _by_time(occurrences),
        tuple(bars),
        compares=False,
    )


def is_unary(record: Mapping[str, Any]) -> bool:
    """Whether the step of a history has one operand only."""
    return record.get("operator") == "tim"


def wrong_output(record: Mapping[str, Any]) -> str:
    """What a step does after a history, and what it should do."""
    detail = record.get("detail") or ""
    match record.get("kind"):
        case "exception":
            return f"the step raises {detail}"
        case "state":
            return f"the step leaves {detail}"
        case _ if detail:
            return f"the step outputs {detail}"
        case _:
            valid = " or ".join(map(shown_instance, record.get("expected") or ())) or NOTHING
            return f"the step outputs {shown_instance(record.get('output'))}; valid is {valid}"


def shown_instance(data: object) -> str:
    """An instance as a set of occurrences, or ⟨⟩."""
    found = _output(data)
    return NOTHING if found is None else "{" + ", ".join(map(str, found.sorted_occurrences())) + "}"


def _output(data: object) -> Instance | None:
    return _instance(data) if data else None


# ------------------------------------------------------------------------------------------------------ failing cases


def failure_timeline(record: Mapping[str, Any]) -> Timeline:
    """The timeline of a failing case: the intervals that a detector should report and those it reported.

    By a relation, it is that of the case in which something is due, the record's `compared`.
    """
    compared = record.get("compared")
    shown = compared or record
    expected, detected = (
        Counter((int(start), int(end)) for start, end in record.get(key) or ())
        for key in ("expected", "detected")
    )
    parts: tuple[tuple[Side, Counter[tuple[int, int]]], ...] = (
        ("both", expected & detected),
        ("left", expected - detected),
        ("right", detected - expected),
    )
    bars = [Bar(*interval, side, side != "both") for side, found in parts for interval in found.elements()]
    names = ("due", "reported") if compared else ("expected", "detected")
    sides = f"{_count(expected.total(), 'interval')} {names[0]}, {detected.total()} {names[1]}"
    if compared:
        sides += f"; {plain(compared.get('said', ''))}, for {plain(record.get('expression', ''))}"
    return Timeline(
        plain(shown.get("expression", "")),
        (
            f"{plain(record.get('detector', 'detector'))}: {plain(record.get('kind') or 'failing case')}",
            sides,
        ),
        names,
        _occurrences(shown.get("trace")),
        _in_order(bars),
    )


def _occurrences(records: Iterable[Mapping[str, Any]] | None) -> tuple[Occurrence, ...]:
    found = (Occurrence(str(item["event"]), int(item["time"]), item.get("value")) for item in records or ())
    return tuple(sorted(found, key=Occurrence.sort_key))


def _instance(data: Any) -> Instance:
    """An instance given as its occurrences, or as a record that lists them."""
    return Instance(_occurrences(data.get("instance") if isinstance(data, Mapping) else data))


def _in_order(bars: Iterable[Bar]) -> tuple[Bar, ...]:
    return tuple(sorted(bars, key=lambda bar: (not bar.differs, bar.side, bar.end, bar.start, str(bar))))


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _by_time(occurrences: Iterable[Drawn]) -> tuple[Drawn, ...]:
    return tuple(sorted(occurrences, key=lambda item: (item.time, item.event, str(item))))
