"""The cases of profiles behind the protocol of campaigns (`campaigns.systems.CasesOfSystem`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from campaigns.choices import Source
from campaigns.hinze_voisard.beyond import BEYOND
from campaigns.hinze_voisard.cases import GENERATION, LIKENESSES, Case, made_case
from campaigns.hinze_voisard.judge import RELATIONS, Meaning, judge, judge_relation
from campaigns.hinze_voisard.mutants import MUTANTS
from campaigns.hinze_voisard.reductions import REDUCTIONS, measure
from campaigns.histories import CasesOfHistories, weights
from campaigns.judging.verdicts import Verdict
from detectors.hinze_voisard.catalogue import DEFAULT_DETECTOR, ENGINES, EngineFactory
from semantics.hinze_voisard.notation import file_text


class HinzeVoisardCases(CasesOfHistories):
    """Cases of profiles and a trace (`cases.Case`)."""

    GENERATION = GENERATION
    CASE = Case
    ENGINES = ENGINES
    MUTANTS = MUTANTS
    DEFAULT_DETECTOR = DEFAULT_DETECTOR
    USUAL = LIKENESSES
    BEYOND = BEYOND
    PROFILES = weights(USUAL, BEYOND)
    RELATIONS = RELATIONS
    REDUCTIONS = REDUCTIONS

    def name(self) -> str:
        """The name of the system."""
        return "hinze_voisard"

    def made(self, source: Source, seed: int, number: int, profile: str, like: Any) -> Case:
        """A case like what a profile says."""
        return made_case(source, seed, number, profile, like)

    def described(self) -> str:
        """The sizes of profiles and traces."""
        events = max(one.events for one in LIKENESSES.values())
        return f"Random cases: one or two profiles, traces of up to {events} events"

    def meaning(self, case: Case) -> Meaning:
        """What is said, by definition."""
        return Meaning(case)

    def judge(self, case: Case, factory: EngineFactory, *, seconds: float, meaning: Meaning) -> Verdict:
        """The verdict by the definition."""
        return judge(case, factory, meaning, seconds=seconds)

    def judge_relation(
        self, relation: str, case: Case, factory: EngineFactory, *, seconds: float, first: Verdict | None
    ) -> Verdict:
        """The verdict by a relation."""
        return judge_relation(relation, case, factory, seconds=seconds)

    def measure(self, case: Case) -> tuple[int, ...]:
        """The size of a case."""
        return measure(case)

    def suspects(self, case: Case) -> Iterator[tuple[Case, str]]:
        """Each profile alone, then the case; called by its constructs."""
        profiles = case.file.profiles if len(case.file.profiles) > 1 else ()
        for one in profiles:
            alone = replace(case, text=file_text(replace(case.file, profiles=(one,))))
            yield alone, ", ".join(sorted(alone.constructs))
        yield case, ", ".join(sorted(case.constructs))


CASES = HinzeVoisardCases()
