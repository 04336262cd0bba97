"""The cases of this algebra behind the protocol of campaigns (`campaigns.systems.CasesOfSystem`)."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from campaigns.carlson_lisper import corpus, mutants
from campaigns.carlson_lisper.cases import GENERATION, Case, grown_case
from campaigns.carlson_lisper.judge import Meaning, judge
from campaigns.carlson_lisper.loading import any_factory, named_detectors
from campaigns.carlson_lisper.profiles import LONG, LONGEST, PROFILES
from campaigns.carlson_lisper.protocol_check import require_protocol
from campaigns.carlson_lisper.reductions import REDUCTIONS, measure
from campaigns.carlson_lisper.relations import RELATIONS, choices, law_case, law_relation
from campaigns.carlson_lisper.relations import judge_relation as judge_by
from campaigns.carlson_lisper.rewriting import equations
from campaigns.choices import Source, mixed, weights
from campaigns.imports import harvested
from campaigns.judging.verdicts import Verdict
from campaigns.mutants import Mutant
from campaigns.systems import CasesOfSystem
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR
from semantics.carlson_lisper.expressions import Operation, bottom_up, size
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError

PARTS = 12  # At most so many subexpressions are tried to find the smallest one that fails
SNAPSHOT = "snapshot"  # The way of a part of a stored case: another detector goes on here from a snapshot
_EQUATIONS = {law.id: law for law in equations()}


class CarlsonLisperCases(CasesOfSystem):
    """Cases of an expression and a trace (`cases.Case`)."""

    GENERATION = GENERATION
    DEFAULT_DETECTOR = DEFAULT_DETECTOR
    PROFILES = weights(PROFILES, LONG)
    LONG = LONG
    RELATIONS = RELATIONS
    REDUCTIONS = REDUCTIONS
    factory = staticmethod(any_factory)
    meaning = staticmethod(Meaning)
    judge = staticmethod(judge)
    expanded = staticmethod(named_detectors)
    require_protocol = staticmethod(require_protocol)
    read_corpus = staticmethod(corpus.read_corpus)
    load_corpus = staticmethod(corpus.load_corpus)
    write_corpus = staticmethod(corpus.write_corpus)
    constants = staticmethod(harvested)
    measure = staticmethod(measure)

    def described(self) -> str:
        depth, types = (max(each) for each in zip(*((p.depth[1], p.types[1]) for p in PROFILES.values()), strict=True))
        instants = [profile.instants for profile in PROFILES.values()]
        return (
            f"Random cases: expressions of depth 1 to {depth} over up to {types} event types; traces of up to"
            f" {min(instants)} distinct times, in one of {len(instants)} kinds of cases up to {max(instants)};"
            f" some nested up to {LONG['nested'].usual} deep, some with traces of up to"
            f" {LONGEST:,} distinct times, some with bounds and lengths from the code under test"
        )

    def telling(self) -> Mapping[str, Mutant]:
        return mutants.MUTANTS

    def laws(self) -> Mapping[str, str]:
        return {law.id: law.statement for law in _EQUATIONS.values()}

    def law_case(self, law: str, seed: int, number: int) -> Case:
        found = _EQUATIONS.get(law)
        if found is None:
            raise InputError(f"there is no law {law}", remedy=f"There are {', '.join(self.laws())}.")
        return law_case(found, seed, number)

    def shown(self, case: Case) -> dict[str, Any]:
        rows = [{"event": each.event, "time": each.time, "value": each.value} for each in case.occurrences]
        return {"expression": case.text, "trace": rows}

    def compared(self, relation: str, case: Case) -> tuple[Case, Case, str] | None:
        law = _EQUATIONS.get(relation)
        known = RELATIONS.get(relation) if law is None else law_relation(law)
        found = None if known is None else known(case, Source(relation) if law else choices(case))
        return None if found is None else (case, found.case, found.said)

    def maker(
        self, seed: int, profiles: Mapping[str, int], real_traces: Any, real: int, constants: Sequence[int] = ()
    ) -> Callable[[int], Case]:
        chosen = mixed(str(seed), profiles, (PROFILES, LONG))

        def case(number: int) -> Case:
            if real and Source(f"{seed}:{number}:real or not").chance(real):
                return corpus.real_case(seed, number, real_traces)
            source, name, profile = chosen(number, constants)
            return grown_case(seed, number, name, profile, source)

        return case

    def judge_relation(
        self, relation: str, case: Case, factory: AnyFactory, *, seconds: float, first: Verdict | None
    ) -> Verdict:
        if law := _EQUATIONS.get(relation):
            return judge_by(law_relation(law), case, factory, Source(law.id), seconds=seconds)
        reports: Any = None if first is None else {report.end: report for report in first.detected}
        relate, source = RELATIONS[relation], choices(case)
        return judge_by(relate, case, factory, source, seconds=seconds, reports=reports, name=relation)

    def suspects(self, case: Case) -> Iterator[tuple[Case, str]]:
        operations = (part for part in bottom_up(case.expression) if isinstance(part, Operation))
        parts = [part for part in dict.fromkeys(operations) if part != case.expression]
        for part in (*sorted(parts, key=size)[:PARTS], case.expression):
            operands = part.operands if isinstance(part, Operation) else ()
            first, *others = [one.operator if isinstance(one, Operation) else "event" for one in (part, *operands)]
            yield replace(case, expression=part), f"{first}({', '.join(others)})" if others else first

    def key(self, case: Case) -> Hashable:
        return case.expression, case.occurrences, case.restored

    def pinned(self, case: Case, verdict: Verdict) -> Case:
        return verdict.fed if case.restored is None and verdict.fed is not None else case

    def case_to_json(self, case: Case) -> dict[str, Any]:
        trace = [
            {"time": each.time, "event": each.event} | ({} if each.value is None else {"value": each.value})
            for each in case.occurrences
        ]
        fed = [{"way": SNAPSHOT, "first": tick, "stop": tick} for tick in case.restored or ()]
        return {"expression": case.text, "trace": trace} | ({} if case.restored is None else {"fed": fed})

    def case_from_json(self, record: Mapping[str, Any], seed: int, number: int, profile: str) -> Case:
        rows = (Occurrence(str(each["event"]), int(each["time"]), each.get("value")) for each in record["trace"])
        restored = None
        if "fed" in record:  # a trace is fed instant by instant, so that other ways of a stored case say nothing
            parts = [(int(part["first"]), part["way"]) for part in record["fed"]]
            if any(later < tick for (tick, _), (later, _) in pairwise(parts)):
                raise ValueError("a part begins before another one that stands before it")
            restored = tuple(tick for tick, way in parts if way == SNAPSHOT)
        return Case(seed, number, profile, parse(record["expression"]), tuple(rows), restored)


CASES = CarlsonLisperCases()
