"""The cases of profiles behind the protocol of campaigns (`campaigns.systems.CasesOfSystem`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from campaigns.choices import Weights
from campaigns.hinze_voisard.beyond import BEYOND, beyond_case
from campaigns.hinze_voisard.cases import GENERATION, LIKENESSES, Case, generate
from campaigns.hinze_voisard.judge import RELATIONS, Meaning, judge, judge_relation
from campaigns.hinze_voisard.mutants import MUTANTS
from campaigns.hinze_voisard.reductions import REDUCTIONS, measure
from campaigns.histories import CasesOfHistories
from campaigns.judging.verdicts import Verdict
from campaigns.lengths import is_beyond
from campaigns.systems import WrongDetector
from detectors.hinze_voisard.catalogue import DEFAULT_DETECTOR, ENGINES, EngineFactory
from semantics.hinze_voisard.notation import file_text


class HinzeVoisardCases(CasesOfHistories):
    """Cases of profiles and a trace (`cases.Case`)."""

    GENERATION = GENERATION
    CASE = Case
    ENGINES = ENGINES
    MUTANTS = MUTANTS
    DEFAULT_DETECTOR = DEFAULT_DETECTOR
    PROFILES: Mapping[str, int] = MappingProxyType(
        {name: one.weight for name, one in LIKENESSES.items()}
        | {name: kind.weight for name, kind in BEYOND.items()}
    )
    RELATIONS = RELATIONS
    KILLED_WITHIN = 3_000

    def described(self) -> str:
        """The sizes of profiles and traces."""
        events = max(one.events for one in LIKENESSES.values())
        return f"Random cases: one or two profiles, traces of up to {events} events"

    def telling(self) -> Mapping[str, WrongDetector]:
        """The wrong engines, without those that are wrong about a stored state."""
        return {
            name: WrongDetector(mutant.factory, mutant.unaltered)
            for name, mutant in MUTANTS.items()
            if not name.startswith("state-")
        }

    def maker(
        self, seed: int, profiles: Mapping[str, int], corpus: Any, real: int, constants: Sequence[int] = ()
    ) -> Callable[[int], Case]:
        """What makes the cases of a campaign from their numbers."""
        usual, beyond = (
            Weights.of({name: profiles[name] for name in kinds if profiles.get(name)})
            for kinds in (LIKENESSES, BEYOND)
        )

        def case(number: int) -> Case:
            if is_beyond(f"hinze_voisard:{seed}:{number}", len(usual.choices), len(beyond.choices)):
                return beyond_case(seed, number, beyond, constants)
            return generate(seed, number, usual)

        return case

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

    def reductions(self) -> Sequence[Callable[[Case], Iterator[Case]]]:
        """The ways in which a case is made smaller."""
        return REDUCTIONS

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
