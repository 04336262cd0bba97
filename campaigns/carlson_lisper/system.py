"""Reductions and kinds of cases of an expression and a trace (`campaigns.systems.CasesOfSystem`)."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from campaigns.carlson_lisper import corpus, logs, mutants
from campaigns.carlson_lisper.cases import GENERATION, Case, grown_case
from campaigns.carlson_lisper.judge import Meaning, judge
from campaigns.carlson_lisper.loading import any_factory, named_detectors
from campaigns.carlson_lisper.profiles import LONG, LONGEST, PROFILES, SHAPES, TAILS
from campaigns.carlson_lisper.protocol_check import require_protocol
from campaigns.carlson_lisper.relations import RELATIONS, choices, judge_relation as judge_by, law_case, law_relation
from campaigns.carlson_lisper.rewriting import equations
from campaigns.choices import Source, mixed, weights
from campaigns.imports import harvested
from campaigns.judging.judgements import Shape, smaller_by, smaller_numbers, without_runs
from campaigns.judging.verdicts import Verdict
from campaigns.mutants import Mutant
from campaigns.systems import CasesOfSystem
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, evaluate_bound, identifiers, size
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError

PARTS = 12  # At most so many subexpressions are tried to find the smallest one that fails
SNAPSHOT = "snapshot"  # The way of a part of a stored case: another detector goes on here from a snapshot
_EQUATIONS = {law.id: law for law in equations()}


RELATED_FORMS = (("one", "intervals"), ("one", "instances"))
"""Matches for each end, and what is compared of them, of programs whose answers are related to each other."""

FEW = 4  # So many event types are tried in the place of an operation…
MANY = 40  # …or one, in an expression of more nodes: what cannot be tried everywhere is tried where it is cheap


def measure(case: Case) -> tuple[int, ...]:
    """The size: nodes, occurrences, types, values, bounds and span in ticks, spelling, and restored snapshots."""
    restored, pending, bounds = case.restored or (), [case.expression], 0
    while pending:
        part = pending.pop()
        if isinstance(part, Operation):
            bounds += evaluate_bound(part.bound or 0)
            pending += part.operands
    return (
        size(case.expression),
        len(case.occurrences),
        len(case.types),
        sum(o.value is not None for o in case.occurrences),
        bounds,
        case.occurrences[-1].time if case.occurrences else 0,
        sum(ord(character) for name in case.types for character in name),
        len(restored),
        sum(restored),
    )


def _operands(expression: Expression) -> Sequence[Expression]:
    return expression.operands if isinstance(expression, Operation) else ()


def _with_operands(expression: Expression, operands: Sequence[Expression]) -> Expression | None:
    if not isinstance(expression, Operation) or len(operands) != len(expression.operands):
        return None
    return replace(expression, operands=tuple(operands))


def _simpler(expression: Expression) -> Iterator[Expression]:
    if isinstance(expression, Operation):
        yield from expression.operands
        names = sorted(identifiers(expression))
        yield from map(expressions.Identifier, names[: FEW if size(expression) <= MANY else 1])
        if expression.bound is not None:
            for bound in smaller_numbers(evaluate_bound(expression.bound)):
                yield replace(expression, bound=bound)


EXPRESSIONS = Shape(_operands, _with_operands, _simpler)


def _what_matters(case: Case) -> Iterator[Case]:
    types = identifiers(case.expression)
    yield replace(case, occurrences=tuple(each for each in case.occurrences if each.event in types))


def _letter(number: int) -> str:
    turn, place = divmod(number, 26)
    return chr(ord("a") + place) + (str(turn) if turn else "")


def _common_names(case: Case) -> Iterator[Case]:
    """One event type for all, or a few for many; or letters for names."""
    used = sorted(case.types)
    for types in (1, 2, 4, 8, 16):
        if types < len(used):
            yield case.renamed({name: _letter(n * types // len(used)) for n, name in enumerate(used)})
    letters = sorted(map(_letter, range(len(used))))  # the order of the names may matter
    yield case.renamed(dict(zip(used, letters, strict=True)))


def _fewer_names(case: Case) -> Iterator[Case]:
    """One event type renamed to an earlier letter, in use or not."""
    used = sorted(case.types)
    for old in reversed(used):
        earlier = [new for new in sorted({*used, *map(_letter, range(len(used)))}) if new < old]
        for new in earlier if len(used) <= 2 * FEW else earlier[:1]:
            yield case.renamed({old: new})


def _fewer_snapshots(case: Case) -> Iterator[Case]:
    restored = case.restored or ()
    for fewer in without_runs(restored):
        yield replace(case, restored=fewer)
    for place, tick in enumerate(restored):
        for smaller in smaller_numbers(tick, restored[place - 1] if place else 0):
            yield replace(case, restored=(*restored[:place], smaller, *restored[place + 1 :]))


def _parts(expression: Expression) -> Sequence[Expression]:
    return sorted(bottom_up(expression), key=size)[:-1]


def _put(expression: Expression, old: Operation, new: Operation) -> Expression:
    def put(node: Operation, operands: tuple[Expression, ...]) -> Expression:
        return new if node == old else replace(node, operands=operands)

    return expressions.rebuilt(expression, put, lambda node: node)


def _fewer_values(case: Case) -> Iterator[Case]:
    bare = [o._replace(value=None) for o in case.occurrences]
    yield replace(case, occurrences=tuple(bare))
    for place, occurrence in enumerate(case.occurrences):
        if occurrence.value is not None:
            kept = case.occurrences
            yield replace(case, occurrences=(*kept[:place], bare[place], *kept[place + 1 :]))


def _shorter_gaps(case: Case) -> Iterator[Case]:
    """A shorter gap between two instants, or before the first; alone, or with bounds as much shorter."""
    times = sorted({o.time for o in case.occurrences})
    for time, before in zip(times, [-1, *times], strict=False):
        for gap in smaller_numbers(time - before, 1):
            less, restored = time - before - gap, case.restored
            earlier = tuple(o._replace(time=o.time - less) if o.time >= time else o for o in case.occurrences)
            if restored is not None:
                restored = tuple(t if t <= time - less else max(t, time) - less for t in restored)
            moved = replace(case, occurrences=earlier, restored=restored)
            yield moved
            for part in bottom_up(case.expression):
                if isinstance(part, Operation) and part.bound and (bound := evaluate_bound(part.bound) - less) >= 0:
                    yield replace(moved, expression=_put(case.expression, part, replace(part, bound=bound)))


class CarlsonLisperCases(CasesOfSystem):
    """Cases of an expression and a trace (`cases.Case`)."""

    GENERATION = GENERATION
    DEFAULT_DETECTOR = DEFAULT_DETECTOR
    AUTHORITY = "the proved detector"
    PROFILES = weights(PROFILES, LONG, TAILS, SHAPES)
    LONG = LONG
    RELATIONS = RELATIONS
    REDUCTIONS = (
        _what_matters,
        _common_names,
        _fewer_snapshots,
        smaller_by("expression", _parts),
        smaller_by("occurrences", without_runs),
        smaller_by("expression", EXPRESSIONS.smaller),
        _fewer_names,
        _fewer_values,
        _shorter_gaps,
    )
    factory = staticmethod(any_factory)
    meaning = staticmethod(Meaning)
    judge = staticmethod(judge)
    of_log = staticmethod(logs.of_log)
    beside = staticmethod(logs.beside)
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
            f" {LONGEST:,} distinct times, some with bounds and lengths from the code under test;"
            " in some ten and more events at a time, thousands of events, or values and names that are alike"
        )

    def part(self, case: Case, first: int, last: int) -> Case:
        return replace(case, occurrences=case.occurrences[first:last])

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
        chosen = mixed(str(seed), profiles, (PROFILES, LONG, TAILS, SHAPES))

        def case(number: int) -> Case:
            if real and Source(f"{seed}:{number}:real or not").chance(real):
                return corpus.real_case(seed, number, real_traces)
            source, name, profile = chosen(number, constants)
            return grown_case(seed, number, name, profile, source)

        return case

    def judge_relation(
        self, relation: str, case: Case, factory: AnyFactory, *, seconds: float, first: Verdict | None
    ) -> Verdict:
        form = getattr(factory, "form", None)
        if form is not None and (form.matches, form.compared) not in RELATED_FORMS:
            return Verdict(None, "", (), refusal="only one whole match for each end is related to others")
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
