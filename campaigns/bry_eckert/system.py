"""The cases of rules behind the protocol of campaigns (`campaigns.systems.CasesOfSystem`), and wrong engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from campaigns.bry_eckert.cases import GENERATION, PROFILES, Case, Profile, constructs, made_case
from campaigns.bry_eckert.judge import Meaning, judge
from campaigns.bry_eckert.reductions import REDUCTIONS, measure
from campaigns.bry_eckert.relations import RELATIONS, judge_relation
from campaigns.choices import Lengths, Long, Weights
from campaigns.histories import CasesOfHistories, weights
from campaigns.mutants import mutants_in
from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES
from semantics.bry_eckert.programs import Program

MUTANTS = mutants_in(Path(__file__).with_name("mutants.toml"), "detectors.bry_eckert.catalogue", "ENGINES")
"""The wrong engines by name."""

# ------------------------------------------------------------------------------------- beyond the usual sizes


def _lasting(length: int) -> Profile:
    return replace(PROFILES["plain"], events=14, unit=length)


def _crowded(length: int) -> Profile:
    return replace(PROFILES["windows"], rules=1, third=0, events=length + 20, span=2 * length)


KINDS: Mapping[str, Long[Profile]] = MappingProxyType(
    {
        "lasting": Long(2, Lengths(14, 300, 10**15, Weights((-1, 0, 0, 0, 1))), _lasting),
        "crowded": Long(1, Lengths(16, 60, 160, Weights((0, 1, 10))), _crowded),
    }
)
"""The kinds by name: all durations about one length, and about so many events."""


# ------------------------------------------------------------------------------------------------------- cases


class BryEckertCases(CasesOfHistories):
    """Cases of a program and a history (`cases.Case`)."""

    NAME = "bry_eckert"
    GENERATION = GENERATION
    CASE = Case
    ENGINES = ENGINES
    MUTANTS = MUTANTS
    DEFAULT_DETECTOR = DEFAULT_DETECTOR
    USUAL = PROFILES
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
        """The sizes of programs and histories."""
        rules, events = (max(each) for each in zip(*((p.rules, p.events) for p in PROFILES.values()), strict=True))
        return f"Random cases: programs of 1 to {rules} rules, histories of up to {events} events"

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
