"""The timelines of counterexamples (sides of an equation, streams, histories of a step) and of failing cases."""

from collections.abc import Hashable, Iterable

from reports.documents import Document, value_of
from reports.drawing.layout import Bar, Side, Timeline, compared_bars, in_order, plain
from reports.systems import ReportsOfSystem
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.carlson_lisper.restriction import restriction

NO_SIDE = value_of("side", {"expression": "", "instances": []})
NOTHING = "⟨⟩"  # How a missing instance is written


class CarlsonLisperReports(ReportsOfSystem):
    """Drawings of instances, streams and histories."""

    def counterexample_timeline(self, found: Document) -> Timeline | None:
        """The timeline of a counterexample of any kind; None for a sentence."""
        if found.history:
            return _history_timeline(found)
        if found.streams:
            return _streams_timeline(found)
        return None if found.summary and not (found.trace or found.left or found.right) else _sides_timeline(found)

    def in_words(self, found: Document) -> str:
        """A counterexample in one line of text."""
        timeline = self.counterexample_timeline(found)
        if found.summary or timeline is None:
            return plain(found.summary)
        listed = [f"{bar.name} has {bar}" for bar in timeline.bars] if not timeline.compares else []
        trace = ", ".join(plain(item) for item in timeline.occurrences) or "nothing"
        said = "; ".join(listed) if listed else f"over {trace}, {timeline.differences()}"
        return "; ".join([*(text for text in timeline.captions if not text.startswith(("left", "right"))), said])

    def failure_timeline(self, case: Document) -> Timeline:
        """The intervals that a detector should report and those it reported; by a relation, of the compared case."""
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
            compared_bars(case.expected, case.detected),
        )


REPORTS = CarlsonLisperReports()


def _sides_timeline(found: Document) -> Timeline:
    """The instances of both sides of an equation over a trace.

    What differs depends on the relation: for `==` an instance of one side only; for `<=` one of the left
    only; for `[=]` an interval that only one side has (Def. 4.3); for `~=` one that only one side has once both are
    restricted (Def. 3.12).
    """
    sides, relation = [side or NO_SIDE for side in (found.left, found.right)], found.relation
    instances = [[_instance(item.instance) for item in side.instances] for side in sides]
    if relation == "~=":
        instances = [list(restriction(side)) for side in instances]

    def key(instance: Instance) -> Hashable:
        return instance.interval if relation in ("[=]", "~=") else instance

    left, right = ({key(instance): instance for instance in side} for side in instances)
    parts: tuple[tuple[Side, bool, Iterable[Instance]], ...] = (
        ("both", False, (left[key] for key in left.keys() & right.keys())),
        ("left", True, (left[key] for key in left.keys() - right.keys())),
        ("right", relation != "<=", (right[key] for key in right.keys() - left.keys())),
    )
    bars = in_order(_bar(one, "", side, differs=differs) for side, differs, some in parts for one in some)
    letters = ", ".join(f"{name} = {value}" for name, value in {**found.substitution, **found.bounds}.items())
    noun = {"[=]": "interval", "~=": "restricted instance"}.get(relation, "instance")
    captions = [
        f"{name} {plain(side.expression)}  ({_count(len(some), noun)})"
        for name, side, some in zip(("left: ", "right:"), sides, (left, right), strict=True)
    ]
    heading = plain(found.statement or found.conclusion)
    first = (plain(f"with {letters}"),) if letters else ()
    return Timeline(heading, (*first, *captions), ("left", "right"), _occurrences(found.trace), bars)


def _streams_timeline(found: Document) -> Timeline:
    """The instances of each stream by its name; none of them differs, it is together that they contradict the claim."""
    streams = {
        plain(name): sorted((_instance(item.instance) for item in items), key=lambda one: (one.end, one.start))
        for name, items in found.streams.items()
    }
    empty = ", ".join(name for name, instances in streams.items() if not instances)
    captions = (
        f"“{plain(found.conclusion)}” fails" if found.conclusion else "",
        plain(f"with τ = {found.bound}") if found.bound is not None else "",
        f"without instances: {empty}" if empty else "",
    )
    bars = [_bar(instance, name) for name, instances in streams.items() for instance in instances]
    return _beside(plain(found.statement), filter(None, captions), ("", ""), bars)


def _history_timeline(found: Document) -> Timeline:
    """What the operands output, and at the end what the step output and what is valid."""
    bars: list[Bar] = []
    unary = found.operator == "tim"
    for at in found.history:
        if at.left and (unary or at.left == at.right):
            bars.append(_bar(_instance(at.left), "operand" if unary else "both operands"))
        else:
            named = ((at.left, "left operand"), (at.right, "right operand"))
            bars += [_bar(_instance(given), name) for given, name in named if given]
    bars += [_bar(_instance(each), "valid", "left", differs=True) for each in found.expected if each]
    if found.output:
        bars.append(_bar(_instance(found.output), "output", "right", differs=True))
    made = "" if found.ticks is None else f" with τ = {found.ticks}"
    heading = plain(f"{found.operator}{made}, run at {', '.join(str(at.time) for at in found.history)}")
    return _beside(heading, [plain(_wrong_output(found))], ("valid", "output"), bars)


def _beside(heading: str, captions: Iterable[str], names: tuple[str, str], bars: list[Bar]) -> Timeline:
    """Instances that are not compared, over all their occurrences."""
    occurrences = sorted(
        {item for bar in bars for item in bar.members}, key=lambda one: (one.time, one.event, str(one))
    )
    return Timeline(heading, tuple(captions), names, tuple(occurrences), tuple(bars), compares=False)


def _wrong_output(found: Document) -> str:
    if found.kind in ("exception", "state"):
        return f"the step {'raises' if found.kind == 'exception' else 'leaves'} {found.detail}"
    if found.detail:
        return f"the step outputs {found.detail}"
    valid = " or ".join(map(_shown_instance, found.expected)) or NOTHING
    return f"the step outputs {_shown_instance(found.output)}; valid is {valid}"


def _shown_instance(data: Iterable[Document] | None) -> str:
    return "{" + ", ".join(map(str, _occurrences(data))) + "}" if data else NOTHING


def _occurrences(records: Iterable[Document]) -> tuple[Occurrence, ...]:
    found = (Occurrence(item.event, item.time, item.value) for item in records)
    return tuple(sorted(found, key=Occurrence.sort_key))


def _instance(records: Iterable[Document]) -> Instance:
    return Instance(_occurrences(records))


def _bar(instance: Instance, name: str, side: Side = "both", *, differs: bool = False) -> Bar:
    return Bar(instance.start, instance.end, side, differs, instance.sorted_occurrences(), name)


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
