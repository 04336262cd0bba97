"""The cases of profiles behind the protocol of campaigns (`campaigns.systems.CasesOfSystem`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from campaigns.hinze_voisard.beyond import BEYOND
from campaigns.hinze_voisard.cases import GENERATION, LIKENESSES, Case, made_case
from campaigns.hinze_voisard.judge import RELATIONS, Meaning, judge, judge_relation
from campaigns.hinze_voisard.mutants import MUTANTS
from campaigns.hinze_voisard.reductions import REDUCTIONS, measure
from campaigns.histories import CasesOfHistories, weights
from detectors.hinze_voisard.catalogue import DEFAULT_DETECTOR, ENGINES
from semantics.hinze_voisard.notation import file_text


class HinzeVoisardCases(CasesOfHistories):
    """Cases of profiles and a trace (`cases.Case`)."""

    NAME = "hinze_voisard"
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
    made = staticmethod(made_case)
    meaning = staticmethod(Meaning)
    judge = staticmethod(judge)
    measure = staticmethod(measure)
    related = staticmethod(judge_relation)

    def described(self) -> str:
        """The sizes of profiles and traces."""
        events = max(one.events for one in LIKENESSES.values())
        return f"Random cases: one or two profiles, traces of up to {events} events"

    def suspects(self, case: Case) -> Iterator[tuple[Case, str]]:
        """Each profile alone, then the case; called by its constructs."""
        profiles = case.file.profiles if len(case.file.profiles) > 1 else ()
        for one in profiles:
            alone = replace(case, text=file_text(replace(case.file, profiles=(one,))))
            yield alone, ", ".join(sorted(alone.constructs))
        yield case, ", ".join(sorted(case.constructs))


CASES = HinzeVoisardCases()
