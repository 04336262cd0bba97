"""Changes of a text: what the old and the new one answer on random histories that are made for both."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple, TypeAlias, cast, get_args

from campaigns.choices import Source
from campaigns.histories import Answer, CasesOfHistories, HistoryCase, earlier_events, fewer_events, plainer_events
from campaigns.judging.judgements import minimise
from campaigns.judging.verdicts import Kind, Verdict
from campaigns.systems import cases_of
from laws.standings import Standing

Direction: TypeAlias = Literal["lost", "gained"]
"""Whether the old text has an answer that the new one has not, or the other way round."""

MOST = 20  # So many cases may have no answer in time; with more, nothing is known
WRONG = Verdict(Kind.MISSING, "", ())


class Changed(NamedTuple):
    """A changed answer: as it was and as it is; one that moved has the same end and another start."""

    kind: Literal["vanished", "appeared", "moved"]
    old: Answer | None
    new: Answer | None


def compared(old: Iterable[Answer], new: Iterable[Answer]) -> tuple[list[Changed], int]:
    """The changed answers of two texts, and how many are the same."""
    was, now, come = Counter(old), Counter(new), defaultdict[object, list[Answer]](list)
    for answer in (now - was).elements():
        come[answer.place].append(answer)
    found = list[Changed]()
    for answer in (was - now).elements():
        other = next((one for one in come[answer.place] if one.start != answer.start), None)
        if other is not None:
            come[answer.place].remove(other)
        found.append(Changed("vanished" if other is None else "moved", answer, other))
    found += [Changed("appeared", None, one) for some in come.values() for one in some]
    return found, (was & now).total()


@dataclass(frozen=True)
class Difference:
    """A small history on which two texts differ, with the answers of each; not complete if a budget was used up."""

    case: HistoryCase
    old: Sequence[Answer]
    new: Sequence[Answer]
    complete: bool


@dataclass(frozen=True)
class Tried:
    """The outcome of a campaign of two texts: how many cases there were, and what they differ in, by direction.

    `refused` counts the cases about which the definition says nothing in time, and `silent` are the names of answers
    that may have changed and that no case has. Of texts that are the same there is no case.
    """

    cases: int
    refused: int
    refusal: str
    silent: Collection[str]
    found: Mapping[Direction, Difference]

    @property
    def standing(self) -> Standing:
        """Computed where the texts are the same, tested where the cases say something about all that may not be."""
        if self.found or not self.cases + self.refused:
            return Standing.REFUTED if self.found else Standing.COMPUTED
        return Standing.UNKNOWN if self.refused > MOST or not self.cases or self.silent else Standing.TESTED


def tried(system: str, old: str, new: str, cases: int, seed: int, told: Callable[[int], object]) -> Tried:
    """Put random histories to two texts of a system, as programs print, by the definition."""
    made = cast(CasesOfHistories, cases_of(system))
    silent, texts = made.changed((old, new))
    found, refused, refusal, number = dict[Direction, Difference](), 0, "", 0

    def answers(case: HistoryCase) -> list[list[Answer]]:
        """What each text says; nothing where the definition of one says nothing."""
        nonlocal refusal
        both = [made.meaning(replace(case, text=text)) for text in texts]
        refused = next((meaning.refusal for meaning in both if meaning.refusal), "")
        refusal = refusal or refused
        return [] if refused else [list(map(made.answer, meaning.said)) for meaning in both]

    def judge(direction: Direction, case: HistoryCase) -> Verdict:
        said = answers(case) if made.admits(texts, case.events) else []
        return WRONG if _differ(direction, said) else Verdict(None, "", ())

    for number in range(1, cases + 1 if silent else 1):
        told(number)
        events = made.made_for(Source(f"{system}:change:{seed}:{number}"), texts if number % 2 else texts[::-1])
        case = made.CASE(seed, number, "change", texts[0], events)
        said = answers(case)
        if not said:
            refused += 1
            if refused > MOST:
                break
            continue
        silent -= {answer.name for some in said for answer in some}
        for direction in get_args(Direction):
            if direction not in found and _differ(direction, said) and made.admits(texts, events):
                reductions = (fewer_events, plainer_events, earlier_events)
                small = minimise(case, WRONG, partial(judge, direction), reductions=reductions)
                one, other = answers(small.case) or ([], [])
                found[direction] = Difference(small.case, one, other, small.complete)
        if len(found) == len(get_args(Direction)):
            break
    return Tried(number - refused, refused, refusal, sorted(silent), found)


def _differ(direction: Direction, said: Sequence[Sequence[Answer]]) -> bool:
    """Whether one text has an answer that the other one has not."""
    one, other = map(Counter, (said if direction == "lost" else said[::-1]) or ([], []))
    return bool(one - other)
