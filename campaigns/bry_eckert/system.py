"""The cases of rules behind the protocol of campaigns (`campaigns.systems.CasesOfSystem`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from campaigns.bry_eckert.beyond import BEYOND, beyond_case
from campaigns.bry_eckert.cases import GENERATION, PROFILES, Case, constructs, generate
from campaigns.bry_eckert.judge import Meaning, judge
from campaigns.bry_eckert.mutants import MUTANTS
from campaigns.bry_eckert.reductions import REDUCTIONS, measure
from campaigns.bry_eckert.relations import RELATIONS, judge_relation
from campaigns.choices import Weights
from campaigns.histories import CasesOfHistories
from campaigns.judging.verdicts import Verdict
from campaigns.lengths import is_beyond
from campaigns.systems import WrongDetector
from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES, EngineFactory
from semantics.bry_eckert.programs import Program


class BryEckertCases(CasesOfHistories):
    """Cases of a program and a history (`cases.Case`)."""

    GENERATION = GENERATION
    CASE = Case
    ENGINES = ENGINES
    MUTANTS = MUTANTS
    DEFAULT_DETECTOR = DEFAULT_DETECTOR
    PROFILES: Mapping[str, int] = MappingProxyType(
        {name: profile.weight for name, profile in PROFILES.items()}
        | {name: kind.weight for name, kind in BEYOND.items()}
    )
    RELATIONS = RELATIONS
    KILLED_WITHIN = 3_000

    def described(self) -> str:
        """The sizes of programs and histories."""
        rules, events = (
            max(each) for each in zip(*((p.rules, p.events) for p in PROFILES.values()), strict=True)
        )
        return f"Random cases: programs of 1 to {rules} rules, histories of up to {events} events"

    def telling(self) -> Mapping[str, WrongDetector]:
        """The wrong engines, without those that are wrong about a stored state."""
        return {
            name: WrongDetector(mutant.factory, mutant.unaltered)
            for name, mutant in MUTANTS.items()
            if "-state-" not in name
        }

    def maker(
        self, seed: int, profiles: Mapping[str, int], corpus: Any, real: int, constants: Sequence[int] = ()
    ) -> Callable[[int], Case]:
        """What makes the cases of a campaign from their numbers."""
        usual, beyond = (
            Weights.of({name: profiles[name] for name in kinds if profiles.get(name)})
            for kinds in (PROFILES, BEYOND)
        )

        def case(number: int) -> Case:
            if is_beyond(f"bry_eckert:{seed}:{number}", len(usual.choices), len(beyond.choices)):
                return beyond_case(seed, number, beyond, constants)
            return generate(seed, number, usual)

        return case

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

    def reductions(self) -> Sequence[Callable[[Case], Iterator[Case]]]:
        """The ways in which a case is made smaller."""
        return REDUCTIONS

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
