"""The judge of engines: at each time exactly what the definition says, in its order; relations between cases."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import TypeAlias

from campaigns.hinze_voisard.cases import Case
from campaigns.histories import Defined, broken, by_relation, event_text, shifted
from campaigns.judging.verdicts import Kind, Verdict
from detectors.hinze_voisard.catalogue import EngineFactory
from semantics.events import Interval
from semantics.hinze_voisard.evaluation import Notification, continuously
from semantics.hinze_voisard.notation import file_text
from semantics.hinze_voisard.profiles import EventClass, TimeClass

SHIFT = 1000
"""By so many ticks time is shifted."""


@dataclass(frozen=True)
class Meaning(Defined[Notification]):
    """Meaning of a case: the announcements and withdrawals, by definition."""

    case: Case
    literal: bool = True

    def says(self) -> Iterator[Notification]:
        """The announcements and withdrawals."""
        return continuously(self.case.file, self.case.events)

    @property
    def expected(self) -> tuple[Interval, ...]:
        """The intervals of what is announced."""
        return _announced(self.said)


def _announced(said: Sequence[Notification]) -> tuple[Interval, ...]:
    return tuple(Interval(one.found.start, one.found.time) for one in said if one.kind == "announced")


Undone: TypeAlias = Callable[[Notification], Notification]
"""From a notification in a changed case to that in the case itself."""

Change: TypeAlias = Callable[[Case], tuple[Case, Undone]]


def judge(
    case: Case,
    factory: EngineFactory,
    meaning: Meaning,
    *,
    seconds: float,
    change: Change | None = None,
    restored: bool = False,
) -> Verdict:
    """The verdict on an engine by the definition; perhaps on a changed case, or with a state restored in the middle."""
    if meaning.refusal:
        return Verdict(None, "", (), refusal=meaning.refusal)
    expected = meaning.expected
    fed, undone = (case, None) if change is None else change(case)
    said: list[Notification] = []
    failed = broken(lambda: _run(fed, factory, said, restored=restored), seconds, expected)
    if failed is not None:
        return failed
    given = said if undone is None else list(map(undone, said))
    wrong = _wrong(meaning.said, given, ordered=undone is None)
    kind, detail = wrong or (None, "")
    return Verdict(kind, detail, expected, _announced(given), literal=True)


def _run(case: Case, factory: EngineFactory, said: list[Notification], *, restored: bool) -> None:
    engine = factory(case.file)
    instants = [(time, list(given)) for time, given in groupby(case.events, key=attrgetter("time"))]
    for number, (time, given) in enumerate(instants):
        if restored and number == len(instants) // 2:
            state = json.loads(json.dumps(engine.snapshot()))
            engine = factory(case.file)
            engine.restore(state)
        said += engine.step(time, given)


def _wrong(
    expected: Sequence[Notification], given: Sequence[Notification], *, ordered: bool
) -> tuple[Kind, str] | None:
    """The first way in which what is said is wrong: missing, spurious, or in another order."""
    texts = [Counter(map(_text, each)) for each in (expected, given)]
    missing, spurious = texts[0] - texts[1], texts[1] - texts[0]
    for one in sorted((*expected, *given), key=attrgetter("time")):
        if missing[_text(one)]:
            return Kind.MISSING, f"{_text(one)} is not said"
        if spurious[_text(one)]:
            return Kind.SPURIOUS, f"{_text(one)} is said and is not so"
    if ordered and [*map(_text, expected)] != [*map(_text, given)]:
        return Kind.PROTOCOL, "what is said is right, but in another order"
    return None


def _text(said: Notification) -> str:
    events = ", ".join(map(event_text, said.found.events))
    return f"at {said.time}: {said.kind} {said.found.profile} [{said.found.start}, {said.found.time}]: {events}"


# ------------------------------------------------------------------------------------------------------ relations


def _shifted(case: Case) -> tuple[Case, Undone]:
    file = case.file
    classes = {name: _later(one) for name, one in file.classes.items()}

    def undone(said: Notification) -> Notification:
        found = said.found
        events = shifted(found.events, -SHIFT)
        found = found._replace(start=found.start - SHIFT, time=found.time - SHIFT, events=events)
        return said._replace(time=said.time - SHIFT, found=found)

    text = file_text(replace(file, classes=classes))
    return replace(case, text=text, events=tuple(shifted(case.events, SHIFT))), undone


def _later(found: EventClass | TimeClass) -> EventClass | TimeClass:
    if isinstance(found, EventClass):
        return found
    return replace(found, at=tuple(time + SHIFT for time in found.at), since=found.since + SHIFT)


CHANGES: Mapping[str, Change] = MappingProxyType({"shifted": _shifted})
"""Changes of a case that change what is said in the same way."""

RELATIONS = ("restored", *CHANGES)


def judge_relation(relation: str, case: Case, factory: EngineFactory, *, seconds: float) -> Verdict:
    """The verdict by a relation; a failure says which one it was."""
    change, restored = CHANGES.get(relation), relation == "restored"
    verdict = judge(case, factory, Meaning(case), seconds=seconds, change=change, restored=restored)
    return by_relation(relation, verdict)
