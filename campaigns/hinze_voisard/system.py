"""The cases of profiles behind the protocol of campaigns (`campaigns.systems.CasesOfSystem`), and wrong engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from campaigns.choices import Lengths, Long, Weights
from campaigns.hinze_voisard.cases import GENERATION, LIKENESSES, Case, Likeness, made_case
from campaigns.hinze_voisard.judge import RELATIONS, Meaning, judge, judge_relation
from campaigns.hinze_voisard.reductions import REDUCTIONS, measure
from campaigns.histories import CasesOfHistories, weights
from campaigns.mutants import mutants_in
from detectors.hinze_voisard.catalogue import DEFAULT_DETECTOR, ENGINES
from semantics.hinze_voisard.notation import file_text

MUTANTS = mutants_in(
    Path(__file__).with_name("mutants.toml"),
    "detectors.hinze_voisard.catalogue",
    "ENGINES",
    "semantics.hinze_voisard.syntax",
)
"""The wrong engines by name; what they use of the altered module reads the profiles anew."""

# ------------------------------------------------------------------------------------- beyond the usual sizes


def _lasting(length: int) -> Likeness:
    return replace(LIKENESSES["plain"], unit=length, timed=0)


def _crowded(length: int) -> Likeness:
    return replace(LIKENESSES["long"], events=length + length // 3, least=length, most=length)


KINDS: Mapping[str, Long[Likeness]] = MappingProxyType(
    {
        "lasting": Long(2, Lengths(14, 300, 10**15, Weights((-1, 0, 0, 0, 1))), _lasting),
        "crowded": Long(1, Lengths(16, 60, 160, Weights((0, 1, 10))), _crowded),
    }
)
"""The kinds by name: all durations about one length; about so many events, and selections that count so far."""


# ------------------------------------------------------------------------------------------------------- cases


class HinzeVoisardCases(CasesOfHistories):
    """Cases of profiles and a trace (`cases.Case`)."""

    NAME = "hinze_voisard"
    GENERATION = GENERATION
    CASE = Case
    ENGINES = ENGINES
    MUTANTS = MUTANTS
    DEFAULT_DETECTOR = DEFAULT_DETECTOR
    USUAL = LIKENESSES
    LONG = KINDS
    PROFILES = weights(USUAL, KINDS)
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
