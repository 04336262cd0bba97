"""The cases of rules behind the protocol of campaigns (`campaigns.systems.CasesOfSystem`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from campaigns.bry_eckert.beyond import BEYOND
from campaigns.bry_eckert.cases import GENERATION, PROFILES, Case, constructs, made_case
from campaigns.bry_eckert.judge import Meaning, judge
from campaigns.bry_eckert.mutants import MUTANTS
from campaigns.bry_eckert.reductions import REDUCTIONS, measure
from campaigns.bry_eckert.relations import RELATIONS, judge_relation
from campaigns.choices import Source
from campaigns.histories import CasesOfHistories, weights
from campaigns.judging.verdicts import Verdict
from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES, EngineFactory
from semantics.bry_eckert.programs import Program


class BryEckertCases(CasesOfHistories):
    """Cases of a program and a history (`cases.Case`)."""

    GENERATION = GENERATION
    CASE = Case
    ENGINES = ENGINES
    MUTANTS = MUTANTS
    DEFAULT_DETECTOR = DEFAULT_DETECTOR
    USUAL = PROFILES
    BEYOND = BEYOND
    PROFILES = weights(USUAL, BEYOND)
    RELATIONS = RELATIONS
    REDUCTIONS = REDUCTIONS

    def name(self) -> str:
        """The name of the system."""
        return "bry_eckert"

    def made(self, source: Source, seed: int, number: int, profile: str, like: Any) -> Case:
        """A case like what a profile says."""
        return made_case(source, seed, number, profile, like)

    def described(self) -> str:
        """The sizes of programs and histories."""
        rules, events = (
            max(each) for each in zip(*((p.rules, p.events) for p in PROFILES.values()), strict=True)
        )
        return f"Random cases: programs of 1 to {rules} rules, histories of up to {events} events"

    def meaning(self, case: Case) -> Meaning:
        """What is derived, by definition."""
        return Meaning(case)

    def judge(self, case: Case, factory: EngineFactory, *, seconds: float, meaning: Meaning) -> Verdict:
        """The verdict by the denotation."""
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
        """Each rule that reads no derived events alone, then the case; called by its constructs, as `join, not`."""
        rules = case.program.rules if len(case.program.rules) > 1 else ()
        for rule in rules:
            alone = replace(case.program, rules=(rule,))
            if all(atom.type in alone.declared for atom in rule.read()):
                yield replace(case, text=str(alone)), _called(alone)
        yield case, _called(case.program)


def _called(program: Program) -> str:
    return ", ".join(sorted(constructs(program))) or "event"


CASES = BryEckertCases()
