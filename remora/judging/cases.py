"""The kinds of cases that are put to detectors: given, stored, near stored ones, of laws, of relations, random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.carlson_lisper.cases import generate
from campaigns.choices import Source
from campaigns.engine.rows import maker_of, relation_of
from campaigns.engine.settings import Settings
from campaigns.judging.afresh import judged_again
from campaigns.judging.judgements import judge_case
from campaigns.judging.regressions import Regression
from campaigns.judging.verdicts import MEANING
from campaigns.systems import AnyCase, Factory, cases_of
from remora.judging.results import Outcome
from semantics.systems import DEFAULT_SYSTEM

NEARBY = "cases near stored regressions"
OF_LOGS = "windows of logs"
RANDOM = "random cases"
RELATION = "relation:"
"""Stands before the name of a relation in the name of its cases."""


@dataclass(frozen=True)
class Cases:
    """Numbered cases of one kind, judged in one way.

    Attributes:
        remark: how a failure of the case with a number was noticed, in words.
        by: the relation or law by which they are judged, or `campaigns.judging.judgements.MEANING`.
        relation: names the relation that is tried besides on the case with a number, and makes a search for the
            smallest part that fails worth while; None for none.
        small: whether they are as small as they get.
    """

    name: str
    make: Callable[[int], AnyCase]
    remark: Callable[[int], str]
    by: str = MEANING
    relation: Callable[[int], str] | None = None
    small: bool = False

    def outcomes(
        self, number: int, detectors: Mapping[str, Factory], *, seconds: float, apart: bool
    ) -> Iterator[Outcome]:
        """Put a case to each detector."""
        case = self.make(number)
        if self.relation is not None:
            yield from self._related(number, case, self.relation(number), detectors, seconds, apart)
            return
        meaning = cases_of(case.system).meaning(case) if self.by == MEANING else None
        for name, factory in detectors.items():
            verdict = judged_again(self.by, case, factory, seconds=seconds, meaning=meaning, apart=apart)
            yield Outcome(
                self.name,
                number,
                name,
                self.by,
                verdict.kind,
                verdict.detail or verdict.refusal,
                verdict.refused,
                verdict.ok and verdict.vacuous,
                verdict=None if verdict.kind is None else verdict,
            )

    def _related(
        self,
        number: int,
        case: AnyCase,
        relation: str,
        detectors: Mapping[str, Factory],
        seconds: float,
        apart: bool,
    ) -> Iterator[Outcome]:
        """By the semantics, and by a relation, as a campaign does; what is refused is refused by both."""
        judged = judge_case(case, detectors, relation=relation, seconds=seconds, apart=apart)
        faults = {(fault.detector, fault.relation): fault for fault in judged.faults}
        refused = dict(judged.refusals)
        for detector in detectors:
            for name, by in ((self.name, MEANING), (f"{RELATION}{relation}", relation)):
                fault = faults.get((detector, by))
                if fault is not None:
                    yield Outcome(name, number, detector, by, fault.kind, fault.detail, path=fault.path)
                elif by:
                    said = refused.get(detector, "")
                    yield Outcome(name, number, detector, by, None, said, bool(said))


def given_cases(cases: Sequence[tuple[AnyCase, str]], name: str = "given cases") -> Cases:
    """Cases that somebody gives, each with a few words on where it is from."""
    return Cases(name, lambda number: cases[number][0], lambda number: cases[number][1])


def stored_cases(known: Iterable[Regression], *, small: bool = True) -> list[Cases]:
    """Everything that ever failed, one kind for each, which has one case.

    Args:
        small: whether they are shown as they are, and not made smaller for the detector at hand.
    """
    return [_stored(one, small) for one in known]


def _stored(one: Regression, small: bool) -> Cases:
    said = f"regression {one.name}, first failed by {one.detector}"
    return Cases(f"regression:{one.name}", lambda _: one.case, lambda _: said, one.relation, small=small)


def nearby_cases(known: Sequence[Regression], seed: int) -> Cases | None:
    """Cases near those that ever failed, which are gone through in turn; None where the system makes none.

    Args:
        known: stored regressions of one system, at least one.
    """
    system = cases_of(known[0].case.system)

    def make(number: int) -> AnyCase:
        return system.nearby(known[number % len(known)].case, Source(f"{seed}:{number}:nearby"))

    if make(0) is None:
        return None
    return Cases(NEARBY, make, lambda number: f"a case near regression {known[number % len(known)].name}")


def law_cases(law: str, seed: int, system: str = DEFAULT_SYSTEM) -> Cases:
    """Instances of a law by its name, both sides of which have the same detections."""
    of_system = cases_of(system)
    said = f"{law}, {of_system.laws()[law]}"
    return Cases(law, lambda number: of_system.law_case(law, seed, number), lambda _: said, law)


def random_cases(seed: int, relation: str = "") -> Cases:
    """Random cases, judged by the semantics, or by a relation."""
    name, by = (f"{RELATION}{relation}", relation) if relation else (RANDOM, MEANING)
    return Cases(
        name, lambda number: generate(seed, number), lambda number: f"case {number} of seed {seed}", by
    )


def campaign_cases(settings: Settings) -> Cases:
    """The cases of a campaign, judged by the semantics and by a relation for each."""
    make: Any = maker_of(settings)
    return Cases(
        RANDOM, make, lambda number: f"case {number}", relation=lambda number: relation_of(settings, number)
    )
