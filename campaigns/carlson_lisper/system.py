"""The cases of this algebra behind the protocol of campaigns (`campaigns.systems.CasesOfSystem`)."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from campaigns.carlson_lisper import mutants
from campaigns.carlson_lisper.cases import GENERATION, Case, generate, grown_case
from campaigns.carlson_lisper.corpus import Corpus, load_corpus, read_corpus, real_case, write_corpus
from campaigns.carlson_lisper.judge import Meaning, judge
from campaigns.carlson_lisper.loading import any_factory, named_detectors
from campaigns.carlson_lisper.profiles import DEFAULT_PROFILES, LONG, LONGEST, PROFILES, profile_weights
from campaigns.carlson_lisper.protocol_check import require_protocol
from campaigns.carlson_lisper.reductions import REDUCTIONS, measure
from campaigns.carlson_lisper.relations import RELATIONS, choices, law_case, law_relation
from campaigns.carlson_lisper.relations import judge_relation as judge_by
from campaigns.carlson_lisper.rewriting import equations
from campaigns.choices import Source, Weights, is_long
from campaigns.imports import harvested
from campaigns.judging.verdicts import Verdict
from campaigns.mutants import Mutant
from campaigns.systems import CasesOfSystem
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, size
from semantics.carlson_lisper.occurrences import Occurrence, Time
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError

PARTS = 12  # At most so many subexpressions are tried to find the smallest one that fails
SNAPSHOT = "snapshot"  # The way of a part of a stored case: another detector goes on here from a snapshot


_EQUATIONS = {law.id: law for law in equations()}


class CarlsonLisperCases(CasesOfSystem):
    """Cases of an expression and a trace (`cases.Case`)."""

    GENERATION = GENERATION
    DEFAULT_DETECTOR = DEFAULT_DETECTOR
    PROFILES: Mapping[str, int] = MappingProxyType(
        {name: profile.weight for name, profile in PROFILES.items()}
        | {name: kind.weight for name, kind in LONG.items()}
    )
    LONG = LONG
    RELATIONS = RELATIONS
    REDUCTIONS = REDUCTIONS
    factory = staticmethod(any_factory)
    meaning = staticmethod(Meaning)
    judge = staticmethod(judge)
    expanded = staticmethod(named_detectors)
    require_protocol = staticmethod(require_protocol)
    read_corpus = staticmethod(read_corpus)
    load_corpus = staticmethod(load_corpus)
    write_corpus = staticmethod(write_corpus)
    constants = staticmethod(harvested)
    measure = staticmethod(measure)

    def described(self) -> str:
        """The sizes of expressions and traces in the usual profiles."""
        usual = [PROFILES[name] for name in dict.fromkeys(DEFAULT_PROFILES.choices)]
        depth, types = (max(each) for each in zip(*((p.depth[1], p.types[1]) for p in usual), strict=True))
        instants = [profile.instants for profile in usual]
        return (
            f"Random cases: expressions of depth 1 to {depth} over up to {types} event types; traces of up to"
            f" {min(instants)} distinct times, in one of {len(usual)} kinds of cases up to {max(instants)};"
            f" some nested up to {LONG['nested'].usual} deep, some with traces of up to"
            f" {LONGEST:,} distinct times, some with bounds and lengths from the code under test"
        )

    def telling(self) -> Mapping[str, Mutant]:
        """The faults that somebody thought of."""
        return mutants.MUTANTS

    def laws(self) -> Mapping[str, str]:
        """The laws that are equations."""
        return {law.id: law.statement for law in _EQUATIONS.values()}

    def law_case(self, law: str, seed: int, number: int) -> Case:
        """An instance of a law."""
        found = _EQUATIONS.get(law)
        if found is None:
            raise InputError(f"there is no law {law}", remedy=f"There are {', '.join(self.laws())}.")
        return law_case(found, seed, number)

    def shown(self, case: Case) -> dict[str, Any]:
        """Expression and trace, each occurrence with its value or null."""
        rows = [{"event": each.event, "time": each.time, "value": each.value} for each in case.occurrences]
        return {"expression": str(case.expression), "trace": rows}

    def compared(self, relation: str, case: Case) -> tuple[Case, Case, str] | None:
        """By a law its two sides, by a relation the case and the one that it is related to."""
        law = _EQUATIONS.get(relation)
        known = RELATIONS.get(relation) if law is None else law_relation(law)
        found = None if known is None else known(case, Source(relation) if law else choices(case))
        return None if found is None else (case, found.case, found.said)

    def maker(
        self, seed: int, profiles: Mapping[str, int], corpus: Corpus, real: int, constants: Sequence[int] = ()
    ) -> Callable[[int], Case]:
        """The function from numbers to cases; a share of `real` percent from windows of real traces."""
        weights = profile_weights(profiles, (*PROFILES, *LONG)).choices
        usual = Weights(tuple(name for name in weights if name in PROFILES))
        long = Weights(weights[len(usual.choices) :])

        def case(number: int) -> Case:
            if real and Source(f"{seed}:{number}:real or not").chance(real):
                return real_case(seed, number, corpus)
            if is_long(f"{seed}:{number}", len(usual.choices), len(long.choices)):
                source = Source(f"{seed}:{number}:beyond")
                name = source.weighted(long)
                return grown_case(seed, number, name, LONG[name].profile(source, constants), source)
            return generate(seed, number, usual)

        return case

    def judge_relation(
        self, relation: str, case: Case, factory: AnyFactory, *, seconds: float, first: Verdict | None
    ) -> Verdict:
        """The verdict by a metamorphic relation (`relations.catalogue.judge_relation`), or by a law with an id."""
        if law := _EQUATIONS.get(relation):
            return judge_by(law_relation(law), case, factory, Source(law.id), seconds=seconds)
        reports: Any = None if first is None else {report.end: report for report in first.detected}
        return judge_by(
            RELATIONS[relation], case, factory, choices(case), seconds=seconds, reports=reports, name=relation
        )

    def suspects(self, case: Case) -> Iterator[tuple[Case, str]]:
        """The first few operations in the expression, smaller ones first, then the expression itself.

        Each is called by its operators, such as `neg(seq, event)`.
        """
        parts = {
            part: None for part in bottom_up(case.expression) if isinstance(part, Operation) and part != case.expression
        }
        for part in (*sorted(parts, key=size)[:PARTS], case.expression):
            names = [one.operator if isinstance(one, Operation) else "event" for one in (part, *_operands(part))]
            called = f"{names[0]}({', '.join(names[1:])})" if names[1:] else names[0]
            yield replace(case, expression=part), called

    def key(self, case: Case) -> Hashable:
        """Expression, trace, and where snapshots are restored."""
        return case.expression, case.occurrences, case.restored

    def pinned(self, case: Case, verdict: Verdict) -> Case:
        """The case in which snapshots were restored, with the places."""
        return verdict.fed if case.restored is None and verdict.fed is not None else case

    def case_to_json(self, case: Case) -> dict[str, Any]:
        """Expression, trace, and the snapshots where they are given."""
        return {
            "expression": str(case.expression),
            "trace": [
                {"time": each.time, "event": each.event} | ({} if each.value is None else {"value": each.value})
                for each in case.occurrences
            ],
            **(
                {}
                if case.restored is None
                else {"fed": [{"way": SNAPSHOT, "first": tick, "stop": tick} for tick in case.restored]}
            ),
        }

    def case_from_json(self, record: Mapping[str, Any], seed: int, number: int, profile: str) -> Case:
        """The case that was plain data."""
        occurrences = tuple(
            Occurrence(str(each["event"]), int(each["time"]), each.get("value")) for each in record["trace"]
        )
        restored = tuple(_restored_at(record["fed"])) if "fed" in record else None
        return Case(seed, number, profile, parse(record["expression"]), occurrences, restored)


CASES = CarlsonLisperCases()


def _restored_at(parts: Iterable[Mapping[str, Any]]) -> Iterator[Time]:
    """The ticks of snapshots; a trace is fed instant by instant, so that other ways of a stored case say nothing."""
    last = 0
    for part in parts:
        tick = int(part["first"])
        if tick < last:
            raise ValueError(f"a part begins at {tick}, before another one at {last}")
        last = tick
        if part["way"] == SNAPSHOT:
            yield tick


def _operands(expression: Expression) -> tuple[Expression, ...]:
    return expression.operands if isinstance(expression, Operation) else ()
