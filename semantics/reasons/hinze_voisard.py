"""Derivations of occurrences of profiles, and what span, selection and consumption took of what matches (Section 4.3).

At a time T the interval up to it is evaluated, as continuous evaluation does. Of two operands all pairs are looked at
that end at T, in any order for `,`; each that is no instance is *taken* by the first of these: its span; the selection
in its duplicate lists; `consume lists`, where its lists are not neighbours; a pair that was complete before and used
up one of it. With `reapply`, which selects again in what is left, being used up comes before selection.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from semantics.events import Event, Time
from semantics.hinze_voisard.evaluation import Evaluation
from semantics.hinze_voisard.pairing import FOLLOWS, Instance, Pair, by_time, pair
from semantics.hinze_voisard.profiles import Absent, Logical, OfClass, Paired, Part, ProfileFile, Selected, text
from semantics.reasons.claims import Reason, Reasons, Shown, spanned
from semantics.traces.rows import shortened

LISTED = 20
"""So many pairs that were taken are shown, those that end and then start last."""


class Derivations:
    """What profiles find in a trace at a time, and why."""

    def __init__(self, file: ProfileFile, trace: Sequence[Event], time: Time, shown: Shown, last: Time = 0) -> None:
        last = max([time, last, *(event.time for event in trace[-1:])])
        self._file, self._time, self._shown, self._whole = file, time, shown, Evaluation(file, trace, until=last)
        self._trace = [event for event in trace if event.time <= time]
        self._evaluation = Evaluation(file, self._trace, until=time)
        self._instances = cache(self._evaluation.instances)

    def reasons(self) -> Reasons:
        """The derivation of each occurrence at the time; what was taken of each profile, or is missing."""
        answers, missed, said = list[Reason](), list[Reason](), list[str]()
        for profile in self._file.profiles:
            found, final = self._here(profile.expression), self._whole.found(profile)
            for one in found:
                grounds = (self._derived(profile.expression, one),)
                answers.append(self._claim(f"{profile.name} {self._span(one)}", one, grounds, event=profile.name))
                if self._evaluation.told(profile, one)[0] not in final:
                    said.append(f"{profile.name} {self._span(one)} is withdrawn when later rows come")
            if not found or isinstance(profile.expression, Paired):
                miss = self._miss(profile.expression)
                if miss.parts or not found:
                    missed.append(Reason(profile.name, {"claim": "profile"}, (miss,), met=False))
        return Reasons(answers, missed, said)

    def _until(self, part: Part) -> list[Instance]:
        """The instances of a part in the order of time."""
        return sorted(self._instances(part), key=by_time)

    def _here(self, part: Part) -> list[Instance]:
        """The instances of a part that end at the time."""
        return [one for one in self._until(part) if one.end == self._time]

    def _kept(self, part: Paired) -> list[Pair]:
        """The pairs that make the instances of a part, in the order in which they are complete."""
        return sorted(self._evaluation.pairs(part), key=lambda two: [*map(by_time, reversed(two))])

    def _derived(self, part: Part, one: Instance) -> Reason:
        """The derivation of an instance of a part."""
        said, grounds = f"{self._label(part)}  {self._span(one)}", list[Reason]()
        match part:
            case OfClass():
                said = f"{self._text(one)} is of the class {part.type}"
            case Paired("|", left, right):
                grounds = [self._derived(each, one) for each in (left, right) if one in self._instances(each)][:1]
            case Paired(_, left, right):
                first, second = next(two for two in self._kept(part) if pair(*two) == one)
                if first not in self._instances(left) or second not in self._instances(right):
                    left, right = right, left
                grounds = [self._derived(left, first), self._derived(right, second)]
            case Absent(operand, span):
                said += f": none of {self._label(operand)} in the {span} ticks up to then"
            case Selected(operand, place):
                said += f": number {place}"
                grounds = [self._derived(operand, one)]
            case Logical(conjunction, clauses):
                said += f": {self._text(one)} {'make all clauses' if conjunction else 'make a clause'} true"
                grounds = [self._derived(each, one) for each in clauses if one in self._instances(each)][:1]
        return self._claim(said, one, grounds)

    def _miss(self, part: Part) -> Reason:
        """What was taken of a part at the time; where no instance of it ends then, what else is missing."""
        here, grounds, now = self._here(part), list[Reason](), self._shown(self._time)
        said = f"{self._label(part)}: {len(here) or 'none'} at {now}"
        match part:
            case OfClass():
                known = self._until(part)
                said += f" (the last: {self._text(known[-1])})" if known else " (there is none before)"
            case Paired():
                taken = self._taken(part)
                grounds = taken[-LISTED:]
                said += f"; {len(taken)} more would match" if taken else ""
                if not here and not taken:
                    grounds = self._operands(part)
            case Absent(operand, span):
                inside = [one for one in self._until(operand) if one.end >= self._time - span]
                begin = [self._shown(event.time) for event in self._trace[:1]]
                early = f"the log begins at {begin[0]}, less than {span} ticks before" if begin else "the log is empty"
                said += f": {self._text(inside[-1])} lies within {span} ticks before" if inside else f": {early}"
                grounds = [replace(self._derived(operand, one), met=False) for one in inside[-1:]]
            case Selected(operand, place):
                known = self._until(operand)
                said += f": there are {len(known)} up to then, number {place} is"
                said += f" {self._text(known[place - 1])}" if len(known) >= place else " not among them"
                grounds = [] if self._here(operand) else [self._miss(operand)]
            case Logical(conjunction, clauses):
                said += ": no events make all clauses true" if conjunction else ": no clause is true"
                here_of = ((each, self._here(each)) for each in clauses)
                grounds = [self._derived(each, found[-1]) if found else self._miss(each) for each, found in here_of]
        return Reason(said, {"claim": "none", "time": self._time}, tuple(grounds), met=False)

    def _operands(self, part: Paired) -> list[Reason]:
        """What there is of each operand of a part of which nothing matches."""
        grounds = list[Reason]()
        for each, beside in ((part.left, part.right), (part.right, part.left)):
            known = self._here(each) or (self._until(each) if part.operator == "," and self._here(beside) else [])
            if part.operator == ";" and each is part.left:
                known = [one for one in self._until(each) if one.end < self._time]
            grounds.append(self._derived(each, known[-1]) if known else self._miss(each))
        return grounds

    def _taken(self, part: Paired) -> list[Reason]:
        """The pairs that match at the time (of `|` what is of an operand) and are none of its, with what took each."""
        left, right, found = self._until(part.left), self._until(part.right), self._instances(part)
        if part.operator == "|":
            of = part.listed
            lists = of.lists(self._instances(part.left), self._instances(part.right), None)
            lost = [(one, each) for each in lists for one in each if one.end == self._time and one not in found]
            return [self._gone([one], self._selection(each, of.chosen(each, found, None))) for one, each in lost]
        last, kept = self._here(part.right), self._kept(part)
        both = ((one, other) for one in left for other in (right if one.end == self._time else last))
        ordered = (two if part.operator == ";" or by_time(two[0]) <= by_time(two[1]) else two[::-1] for two in both)
        ending = {two for two in ordered if two[1].end == self._time and not two[0].members & two[1].members}
        matching = {two for two in ending if part.operator == "," or two[0].end < two[1].end}
        gone = sorted(matching.difference(kept), key=lambda two: [*map(by_time, reversed(two))])
        return [self._gone(two, self._reason(part, *two, kept)) for two in gone]

    def _reason(self, part: Paired, one: Instance, other: Instance, kept: Sequence[Pair]) -> str:
        """What took a pair."""
        listed, span = part.listed, part.span
        if span is not None and other.end - one.end > span:
            return f"they are {other.end - one.end} apart, at most {span}"
        used = self._used(part, one, other, kept)
        if used and listed.consumption == "reapply":
            return used
        follows = FOLLOWS["points"] if part.operator == ";" else None
        left = self._instances(part.left)
        lists = listed.lists(left, self._instances(part.right), follows)
        step = 1 if follows is None else 2
        first = next(n for n in range(0, len(lists), step) if one in lists[n])
        second = next(n for n in range(step - 1, len(lists), step) if other in lists[n])
        for each, place, given in ((one, first, ()), (other, second, (one, span))):
            if each not in (chosen := listed.chosen(lists[place], left, follows, *given)):
                return self._selection(lists[place], chosen)
        if listed.consumption == "lists" and second != first + 1:
            return f"consume lists: {self._texts(lists[first])} pair with {self._texts(lists[first + 1])} alone"
        return used

    def _used(self, part: Paired, one: Instance, other: Instance, kept: Sequence[Pair]) -> str:
        """By which pair that was complete before an instance of a pair, or a primitive event, was used up."""
        if part.listed.consumption in ("keep", "lists"):
            return ""
        for both in kept:
            members = both[0].members | both[1].members if part.listed.consumption == "primitives" else 0
            if shared := [each for each in (one, other) if each in both or each.members & members]:
                how = f"{self._texts(both)}, complete at {self._shown(both[1].end)}"
                return f"consume {part.listed.consumption}: {self._texts(shared[:1])} is used up by {how}"
        return ""

    def _selection(self, listed: Sequence[Instance], chosen: Sequence[Instance]) -> str:
        return f"select takes {self._texts(chosen) or 'none'} of {self._texts(listed)}"

    def _gone(self, parts: Sequence[Instance], reason: str) -> Reason:
        data = {"claim": "taken", "of": [{"start": one.start, "end": one.end} for one in parts]}
        return Reason(f"{self._texts(parts)}: {reason}", data, met=False)

    def _claim(self, said: str, one: Instance, grounds: Iterable[Reason], **more: Any) -> Reason:
        events = [{"event": each.type, "time": each.time} for *_, each in self._evaluation.primitives(one)]
        data = {"claim": "instance", **more, "start": one.start, "end": one.end, "events": events}
        return Reason(said, data, tuple(grounds))

    def _label(self, part: Part) -> str:
        return shortened(re.sub(r" \{[^{}]*\}", "", text(part)), 48)

    def _span(self, one: Instance) -> str:
        return spanned(one.start, one.end, self._shown)

    def _text(self, one: Instance) -> str:
        """An instance as its primitive events."""
        events = [f"{each.type}@{self._shown(each.time)}" for *_, each in self._evaluation.primitives(one)]
        return f"{{{' '.join(events)}}}" if len(events) > 1 else events[0]

    def _texts(self, several: Iterable[Instance]) -> str:
        return ", ".join(map(self._text, several))
