"""Sample logs of a pattern: shortest ones that match, that just fail, in which a bound, an operator or a tie decides.

A log is a shortest one that tells the pattern from a pattern in which an operation has become another one; automata
find it. An instance of `one - other` has no instance of the other within it: on a shortest log of that pattern the one
is detected, and the other nowhere. What shows only later, far apart, or among other events is asked by rows of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, product as choices
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from semantics.automata import product, shortest_word
from semantics.carlson_lisper import decisions, expressions
from semantics.carlson_lisper.decisions import Decider, Trace
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up, evaluate_bound, rebuilt
from semantics.carlson_lisper.intervals import Intervals
from semantics.carlson_lisper.languages import Track, require_ground
from semantics.carlson_lisper.occurrences import Instance, Occurrence, by_end_time, interpretation
from semantics.carlson_lisper.restriction import restriction
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.ties import order_matters
from semantics.errors import EnginesDisagree, LimitExceeded
from semantics.traces.rows import MAX_TIME

STEPS = decisions.MAX_STEPS // 10
"""How many transitions may be computed for one of many questions."""

Kind: TypeAlias = Literal["matches", "fails", "way", "several", "bound", "decides", "tie", "row"]


@dataclass(frozen=True)
class Reason:
    """What a log shows: that one pattern is detected and another one is not, what a tie does, or that it is a row.

    Its pair are the two patterns, or the pattern alone; `alone` if the first has a detection on the log and the second
    none, where else their detections differ; `shortest` if it is known that no shorter log shows it.
    """

    name: str
    kind: Kind
    says: str
    pair: tuple[Expression, ...]
    alone: bool = False
    shortest: bool = True


@dataclass(frozen=True)
class Sample:
    """A log, a valid restriction of the pattern on it (Def. 3.12), and all that it shows; named by the first of it."""

    trace: Trace
    detections: tuple[Instance, ...]
    reasons: tuple[Reason, ...]

    @property
    def name(self) -> str:
        """The name of the first reason, which no other sample has."""
        return self.reasons[0].name


@dataclass(frozen=True)
class Samples:
    """The samples of a pattern; by name what no log shows, a finding about the pattern, and why some is not decided."""

    pattern: Expression
    samples: tuple[Sample, ...]
    never: Mapping[str, str]
    undecided: Mapping[str, str]


class _Question(NamedTuple):
    """Two patterns that a log is to tell apart, and what it says: of the one, the other, a difference."""

    name: str
    kind: Kind
    pair: tuple[Expression, ...]
    says: tuple[str, ...]
    never: str


ASKED: Mapping[str, Mapping[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
"""What is asked of each operator, of a pattern as a whole, and by rows of logs."""


def samples(pattern: Expression, *, steps: int = STEPS, tell: Callable[[str], object] = lambda _: None) -> Samples:
    """The samples of a ground pattern, always in the same order; a log that shows several things is one sample.

    Each question may take so many steps of automata; what is given up is said to be undecided. `InputError` for a
    symbolic bound, `EnginesDisagree` where the semantics does not confirm what a log is to show: a defect of ours.
    """
    require_ground(pattern)
    pattern = rebuilt(pattern, lambda own, operands: replace(own, operands=operands, label=None))
    pattern = expressions.with_bounds(pattern, {})
    decider = Decider((pattern,), steps=steps)
    found: dict[Trace, tuple[tuple[Instance, ...], list[Reason]]] = {}
    never, undecided = dict[str, str](), dict[str, str]()
    distinct = dict[object, _Question]()
    for each in _questions(pattern):
        if each.kind == "matches" or each.pair[1:] != each.pair[:1]:
            distinct.setdefault((each.kind, each.pair, each.says), each)
    for number, question in enumerate(questions := list(distinct.values()), 1):
        tell(f"{number} of {len(questions)}: {question.name}")
        try:
            short = [trace for trace, (_, reasons) in found.items() if reasons[0].kind != "row"]
            answer = _row(question, short) if question.kind == "row" else _answered(decider, question)
            if answer is None:
                never[question.name] = question.never
            else:
                trace, reason = answer
                found.setdefault(trace, (_confirmed(pattern, trace, reason), []))[1].append(reason)
        except LimitExceeded as error:
            undecided[question.name] = error.reason
    made = tuple(Sample(trace, detections, tuple(reasons)) for trace, (detections, reasons) in found.items())
    return Samples(pattern, made, never, undecided)


def _questions(pattern: Expression) -> Iterator[_Question]:
    """What is asked of a pattern; equal operations are one, and are changed together."""
    name = Identifier(min(expressions.identifiers(pattern)))
    nothing = name - name
    yield _Question("matches", "matches", (pattern, nothing), ("a shortest log that matches",) * 3, "it never matches")
    operations = [node for node in bottom_up(pattern) if isinstance(node, Operation)]
    labels = [each.definition.title if each.bound is None else f"bound-{each.bound}" for each in operations]
    for place, (node, label) in enumerate(zip(operations, labels, strict=True)):
        number = f"-{labels[: place + 1].count(label)}" if labels.count(label) > 1 else ""
        yield from _about(pattern, node, label + number, nothing)
    for end, told in ASKED["several"].items():
        if end != "earlier-start" or expressions.fold(pattern, lambda _: (False, False), _nested)[1]:
            yield _Question(end, "several", (pattern,), (told["says"],), told["never"])
    never = "were the events of a tick one after the other, the detections would always be the same"
    yield _Question("tie-decides", "tie", (pattern,), (), never)
    never = "it would have too many event types, or too late times"
    yield from (_Question(end, "row", (pattern,), (row["says"],), never) for end, row in ASKED["rows"].items())


def _nested(operator: str, operands: Sequence[tuple[bool, bool]], _: object) -> tuple[bool, bool]:
    """Whether instances of an operation may have lengths, and may be detected at a later end with an earlier start."""
    lengths = operator in ("con", "seq") or any(long for long, _ in operands)
    telling = operands[operator == "seq" : 1 if operator == "neg" else None]  # whose detections it has, or its starts
    return lengths, lengths if operator == "dis" else any(nested for _, nested in telling)


def _about(pattern: Expression, node: Operation, name: str, nothing: Expression) -> Iterator[_Question]:
    """What is asked of an operation of a pattern."""

    def changed(other: Expression) -> Expression:
        return rebuilt(pattern, lambda own, operands: other if own == node else replace(own, operands=operands))

    def asked(end: str, kind: Kind, pair: tuple[Expression, ...], place: str, *says: str) -> _Question:
        never = "the same logs have a detection" if kind == "fails" else "the detections are always the same"
        return _Question(end, kind, pair, (*says, f"{place} the detections are others"), f"{place} {never}")

    def just(end: str, kind: Kind, other: Expression, order: int = 1) -> _Question:
        place = f"with {'nothing' if other == nothing else other} in the place of {node}"
        says = (f"just fails: {place} it would match", f"just matches: {place} it would not")
        return asked(end, kind, (changed(other), pattern)[::order], place, *says[::order])

    def changes(purpose: str) -> Iterator[tuple[str, Expression]]:
        operands = dict(zip("AB", node.operands, strict=False))
        for end, text in ASKED[node.operator].get(purpose, {}).items():
            yield f"{name}-{end}", expressions.substitute(parse(text), operands)

    for end, way in changes("ways"):
        place = f"with {way} instead of nothing in the place of {node}"
        pair = changed(way), changed(nothing)
        yield asked(end, "way", pair, place, f"{place} it matches", f"{place} it does not match")
    for end, weaker in changes("weaker"):
        yield just(end, "fails", weaker)
    if node.bound is not None:
        bound, (operand,) = evaluate_bound(node.bound), node.operands
        yield just(f"on-{name}", "bound", operand[bound - 1] if bound else nothing, -1)
        yield just(f"beside-{name}", "bound", operand[bound + 1])
    for end, other in changes("others"):
        yield asked(end, "decides", (pattern, changed(other)), f"with {other} in the place of {node}")


def _answered(decider: Decider, question: _Question) -> tuple[Trace, Reason] | None:
    """A shortest log that answers a question, if there is one; where that is undecided, `LimitExceeded`.

    Where bounds are too large for automata, the answer for smaller ones is made longer, if it shows the same then.
    """
    ask = {"tie": _tie, "several": _several}.get(question.kind, _apart)
    try:
        return ask(decider, question)
    except LimitExceeded:
        if question.kind == "tie":  # which has looked at short logs for any bounds
            raise
        small, scale = decisions.with_small_bounds(question.pair)
        found = None if tuple(small) == question.pair else ask(decider, question._replace(pair=tuple(small)))
        trace = found and decisions.made_longer(found[0], scale)
        if found is None or trace is None:
            raise
        pair = tuple(dict(zip(small, question.pair, strict=True))[each] for each in found[1].pair)
        reason = replace(found[1], pair=pair, shortest=False)
        if not _shows(trace, reason):
            raise
        return trace, reason


def _apart(decider: Decider, question: _Question) -> tuple[Trace, Reason] | None:
    """A log that tells two patterns apart, if there is one; `LimitExceeded` where that is undecided."""
    name, kind, pair, says, _ = question
    for words, (one, other) in zip(says[:-1], (pair, pair[::-1]), strict=False):
        found = decider.possibility(one - other)
        if found.trace is not None:
            if kind == "fails" and (one, other) != pair:
                name, kind = name.replace("fails", "matches"), "matches"
            begin, end = by_end_time(found.instances)[0].interval  # the whole log, if it is known to be a shortest one
            trace = tuple(each._replace(time=each.time - begin) for each in found.trace if begin <= each.time <= end)
            return trace, Reason(name, kind, words, (one, other), alone=True, shortest=found.shortest)
    # of what just fails, that the detections differ is asked of what decides
    witness = None if kind == "fails" else decider.decide(pair[0], pair[1]).witness
    return None if witness is None else (witness.trace, Reason(name, kind, says[-1], pair, shortest=witness.shortest))


def _several(decider: Decider, question: _Question) -> tuple[Trace, Reason] | None:
    """A shortest log with several instances, as the name of the question says."""
    name, kind, pair, says, _ = question
    decider.budget.allow(decider.steps)
    languages = decider.languages(marks=False)
    track, whole = languages.track, languages.language(pair[0])
    ends = languages.then(track.every, whole)
    again, later = languages.then(ends, track.every, track.framed), languages.then(track.framed, ends)
    parts = {"detected-twice": [ends, again], "latest-start": [whole, later]}
    parts["earlier-start"] = [whole, languages.then(track.framed, again), later]
    machine = product(parts[name], lambda found: all(found[:2]) and not any(found[2:]), required=2)
    word = shortest_word(machine, lambda letter: track.present[letter].bit_count(), decider.budget) or ()
    return (track.log(word), Reason(name, kind, says[0], pair)) if word else None


def _tie(decider: Decider, question: _Question) -> tuple[Trace, Reason] | None:
    """A log of the fewest events and ticks on which it matters that events are in one tick, confirmed already."""
    found = order_matters(question.pair[0], simultaneous=True, steps=decider.steps)
    if found.matter is None:
        raise LimitExceeded(found.why)
    if not found.matter:
        return None
    rows = found.logs[0].log
    order = " before ".join(map(str, rows))
    says = f"were the events of a tick one after the other, {order}, the detections would be others"
    return tuple(sorted(rows, key=Occurrence.sort_key)), Reason(question.name, "tie", says, question.pair)


def _row(question: _Question, logs: Sequence[Trace]) -> tuple[Trace, Reason] | None:
    """Logs one after the other, a tick apart, altered as the data say; nothing beyond the limits of logs."""
    name, kind, pair, says, _ = question
    row, names = ASKED["rows"][name], sorted(expressions.identifiers(pair[0]))
    parts = [_pieces(names, row["pieces"])] if "pieces" in row else [*logs]
    trace, instants = list[Occurrence](), sum(len({each.time for each in log}) for log in logs)
    for log in parts * max(1, -(-row.get("again", 0) // max(1, instants))):
        after = trace[-1].time + 1 if trace else row.get("from", 0)
        trace += [each._replace(time=after + row.get("apart", 1) * each.time) for each in log]
    trace = [each._replace(value=value) for each, value in zip(trace, cycle(row.get("values", [None])), strict=False)]
    times = {each.time + by for each in trace for by in (0, 1) if "crowded" in row}
    others = {other for name in names for other in (name.swapcase(), name * 2, f"{name}1")} - {*names}
    trace += [Occurrence(other, time) for time in times for other in others]
    made = tuple(sorted(trace, key=Occurrence.sort_key)), Reason(name, kind, says[0], pair, shortest=False)
    return made if trace and trace[-1].time <= MAX_TIME else None


def _pieces(names: Sequence[str], instants: int, longest: int = 5) -> Trace:
    """A log of at most so many instants with each log of a few as a piece: a sequence of de Bruijn, by Lyndon words."""
    length = max(few for few in range(longest + 1) if 2 ** (few * len(names)) <= instants)
    track, read = Track(names if length else (), marks=False), list[int]()
    for word in choices(range(len(track.present)), repeat=length):
        turned = [word[place:] + word[:place] for place in range(1, length + 1)]
        if word == min(turned, default=None):
            read += word[: turned.index(word) + 1]
    return track.log(read)


def _shows(trace: Trace, reason: Reason) -> bool:
    """Whether a log shows what it is to show, by the denotation; of a tie that was asked before, of a row it is not."""
    if reason.kind in ("tie", "row"):
        return True
    one, *others = (denotation(each, interpretation(trace)) for each in reason.pair)
    if not others:
        starts = {each.start for each in one if each.end == trace[-1].time}
        if reason.name == "earlier-start":
            return bool(starts) and max(starts) < max(each.start for each in one)
        return len(starts if reason.name == "latest-start" else {each.end for each in one}) > 1
    if reason.alone:
        return bool(one) and not others[0]
    return not decisions.related("detection", "equivalence", one, others[0])


def _confirmed(pattern: Expression, trace: Trace, reason: Reason) -> tuple[Instance, ...]:
    """The detections of a pattern on a log that shows what it is to show; `EnginesDisagree` if it does not.

    On a row, the definition is evaluated from the start to the end of each: nothing else matters to it.
    """
    spans = Intervals(pattern, interpretation(trace)).restricted()
    whole = [(0, trace[-1].time)] if reason.kind != "row" else spans
    parts = {tuple(each for each in trace if start <= each.time <= end) for start, end in whole}
    found = {each for part in parts for each in restriction(denotation(pattern, interpretation(part), limit=STEPS))}
    detections = tuple(by_end_time(found))
    right = {"matches": bool(detections), "fails": not detections}.get(reason.kind, True)
    if not right or not _shows(trace, reason) or [each.interval for each in detections] != spans:
        raise EnginesDisagree(f"{reason.name} of {pattern} on {', '.join(map(str, trace))}: {reason.says}")
    return detections
