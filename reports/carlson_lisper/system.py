"""The timelines of records: what a counterexample or a failing case, given as plain data, looks like.

A counterexample is one of four things: a trace on which the two sides of an equation differ; streams that satisfy what
a claim assumes and not what it concludes; a history of operands after which a detector's step is wrong; or a sentence.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from reports.documents import Document, value_of
from reports.drawing.layout import Bar, Side, Timeline, compared_bars, plain
from reports.drawing.layout import Occurrence as Drawn
from reports.systems import ReportsOfSystem
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.carlson_lisper.restriction import restriction

NO_SIDE = value_of("side", {"expression": "", "instances": []})

UNARY = "tim"
"""The operator whose step has one operand only."""

NOTHING = "⟨⟩"
"""How a missing instance is written."""


class CarlsonLisperReports(ReportsOfSystem):
    """Drawings of instances, streams and histories."""

    def is_drawn(self, found: Document) -> bool:
        """Whether there is more to a counterexample than a sentence."""
        return bool(found.trace or found.left or found.right or found.streams or found.history) or (not found.summary)

    def counterexample_timeline(self, found: Document) -> Timeline:
        """The timeline of a counterexample of any kind; of one that is a sentence, a timeline without a trace."""
        if found.history:
            return _history_timeline(found)
        if found.streams:
            return _streams_timeline(found)
        if not self.is_drawn(found):
            return Timeline(plain(found.summary), (), ("", ""), (), (), compares=False)
        return _sides_timeline(found)

    def in_words(self, found: Document) -> str:
        """A counterexample in one line of text."""
        if found.summary:
            return plain(found.summary)
        timeline = self.counterexample_timeline(found)
        listed = [f"{bar.name} has {bar}" for bar in timeline.bars] if not timeline.compares else []
        trace = ", ".join(plain(item) for item in timeline.occurrences) or "nothing"
        said = "; ".join(listed) if listed else f"over {trace}, {timeline.differences()}"
        return "; ".join([*(text for text in timeline.captions if not text.startswith(("left", "right"))), said])

    def failure_timeline(self, case: Document) -> Timeline:
        """The intervals that a detector should report and those it reported.

        By a relation, it is that of the case in which something is due, which is compared.
        """
        compared = case.compared
        names = ("due", "reported") if compared else ("expected", "detected")
        sides = f"{_count(len(case.expected), 'interval')} {names[0]}, {len(case.detected)} {names[1]}"
        if compared:
            sides += f"; {plain(compared.said)}, for {plain(case.expression)}"
        shown = compared or case
        return Timeline(
            plain(shown.expression),
            (f"{plain(case.detector or 'detector')}: {plain(case.kind or 'failing case')}", sides),
            names,
            _occurrences(value_of("occurrence", row) for row in shown.trace),
            _in_order(compared_bars(case.expected, case.detected)),
        )

    def detection_timeline(self, found: Document) -> Timeline:
        """A detection among what occurs in its interval."""
        instance = _instance(found.instance)
        bar = Bar(instance.start, instance.end, "both", False, instance.sorted_occurrences(), "detected")
        of_partition = f", in {plain(found.key)}" if found.key else ""
        heading = f"{plain(found.begins)} to {plain(found.ends)}{of_partition}"
        return Timeline(heading, (), ("", ""), _occurrences(found.trace), (bar,), compares=False)


# -------------------------------------------------------------------------------------------- sides of an equation


def _sides_timeline(found: Document) -> Timeline:
    """The instances of both sides of an equation over a trace.

    What differs depends on the relation: for `==` an instance of one side only; for `<=` one of the left
    only; for `~=` an interval that only one side has once both are restricted (Def. 3.12, 4.3).
    """
    sides, relation = [side or NO_SIDE for side in (found.left, found.right)], found.relation
    instances = [[_instance(item.instance) for item in side.instances] for side in sides]
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
    letters = {**found.substitution, **found.bounds}
    if letters:
        captions.append("with " + ", ".join(plain(f"{name} = {value}") for name, value in letters.items()))
    noun = "restricted instance" if relation == "~=" else "instance"
    for name, side_of in zip(("left: ", "right:"), zip(sides, instances, strict=True), strict=True):
        captions.append(f"{name} {plain(side_of[0].expression)}  ({_count(len(side_of[1]), noun)})")
    return Timeline(
        plain(found.statement or found.conclusion),
        tuple(captions),
        ("left", "right"),
        _occurrences(found.trace),
        _in_order(bars),
    )


def _key(instance: Instance, relation: str) -> Hashable:
    return instance.interval if relation == "~=" else instance


# ---------------------------------------------------------------------------------------------------------- streams


def _streams_timeline(found: Document) -> Timeline:
    """The instances of each stream by its name; none of them differs, it is together that they contradict the claim."""
    streams = {
        plain(name): sorted((_instance(item.instance) for item in items), key=lambda one: (one.end, one.start))
        for name, items in found.streams.items()
    }
    captions = [f"“{plain(found.conclusion)}” fails"] if found.conclusion else []
    if found.bound is not None:
        captions.append(plain(f"with τ = {found.bound}"))
    empty = [name for name, instances in streams.items() if not instances]
    if empty:
        captions.append(f"without instances: {', '.join(empty)}")
    occurrences = {item for instances in streams.values() for instance in instances for item in instance.occurrences}
    return Timeline(
        plain(found.statement),
        tuple(captions),
        ("", ""),
        _by_time(occurrences),
        tuple(_bar(instance, name) for name, instances in streams.items() for instance in instances),
        compares=False,
    )


def _bar(instance: Instance, name: str, side: Side = "both", *, differs: bool = False) -> Bar:
    return Bar(instance.start, instance.end, side, differs, instance.sorted_occurrences(), name)


# -------------------------------------------------------------------------------------------------------- histories


def _history_timeline(found: Document) -> Timeline:
    """What the operands output, and at the end what the step output and what is valid."""
    bars: list[Bar] = []
    unary = found.operator == UNARY
    for at in found.history:
        given = _output(at.left), _output(at.right)
        if given[0] is not None and (unary or given[0] == given[1]):
            bars.append(_bar(given[0], "operand" if unary else "both operands"))
        else:
            named = zip(given, ("left operand", "right operand"), strict=True)
            bars += [_bar(instance, name) for instance, name in named if instance is not None]
    for instance in map(_output, found.expected):
        if instance is not None:
            bars.append(_bar(instance, "valid", "left", differs=True))
    output = _output(found.output)
    if output is not None:
        bars.append(_bar(output, "output", "right", differs=True))
    occurrences = {item for bar in bars for item in bar.members}
    made = "" if found.ticks is None else f" with τ = {found.ticks}"
    return Timeline(
        plain(f"{found.operator}{made}, run at {', '.join(str(at.time) for at in found.history)}"),
        (plain(_wrong_output(found)),),
        ("valid", "output"),
        _by_time(occurrences),
        tuple(bars),
        compares=False,
    )


def _wrong_output(found: Document) -> str:
    detail = found.detail
    match found.kind:
        case "exception":
            return f"the step raises {detail}"
        case "state":
            return f"the step leaves {detail}"
        case _ if detail:
            return f"the step outputs {detail}"
        case _:
            valid = " or ".join(map(_shown_instance, found.expected)) or NOTHING
            return f"the step outputs {_shown_instance(found.output)}; valid is {valid}"


def _shown_instance(data: Iterable[Document] | None) -> str:
    """An instance as a set of occurrences, or ⟨⟩."""
    found = _output(data)
    return NOTHING if found is None else "{" + ", ".join(map(str, found.sorted_occurrences())) + "}"


def _output(data: Iterable[Document] | None) -> Instance | None:
    return _instance(data) if data else None


def _occurrences(records: Iterable[Document]) -> tuple[Occurrence, ...]:
    found = (Occurrence(item.event, item.time, item.value) for item in records)
    return tuple(sorted(found, key=Occurrence.sort_key))


def _instance(occurrences: Iterable[Document]) -> Instance:
    return Instance(_occurrences(occurrences))


def _in_order(bars: Iterable[Bar]) -> tuple[Bar, ...]:
    return tuple(sorted(bars, key=lambda bar: (not bar.differs, bar.side, bar.end, bar.start, str(bar))))


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _by_time(occurrences: Iterable[Drawn]) -> tuple[Drawn, ...]:
    return tuple(sorted(occurrences, key=lambda item: (item.time, item.event, str(item))))


REPORTS = CarlsonLisperReports()
