"""Metamorphic relations: right detectors satisfy each, and for each there is a wrong one that violates it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from campaigns.carlson_lisper import relations, rewriting
from campaigns.carlson_lisper.cases import EVENTS, Case, generate
from campaigns.carlson_lisper.judge import Meaning
from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.carlson_lisper.relations import RELATIONS, Image, Related, choices, judge_relation, law_case
from campaigns.choices import Source
from campaigns.engine.settings import Settings
from campaigns.judging.judgements import maker_of, relation_of
from campaigns.judging.verdicts import Kind, Verdict
from detectors.carlson_lisper.adapters import AnyFactory, Instant
from detectors.carlson_lisper.catalogue import INTERVAL_DETECTORS
from detectors.carlson_lisper.source.figure2 import BOUNDED_STEPS, Figure2
from detectors.carlson_lisper.source.transformation import transform
from detectors.protocol import Snapshot
from laws.carlson_lisper.checks.strategies import expressions, traces
from laws.carlson_lisper.claims import EquationClaim, canaries, find
from semantics.carlson_lisper import expressions as formulas
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, identifiers
from semantics.carlson_lisper.intervals import Intervals
from semantics.carlson_lisper.occurrences import Instance, Time, Value
from semantics.carlson_lisper.syntax import parse, parse_equation
from semantics.events import Interval
from tests.campaigns import broken_detectors
from tests.campaigns.broken_detectors import AtOnce, doing, raise_late, telling, without_place
from tests.campaigns.written import SEQUENCE, case


def asked(by: str, case: Case, factory: AnyFactory, text: str = "", **known: Any) -> Verdict:
    return judge_relation(RELATIONS[by], case, factory, Source(text), **known)


def violates(factory: AnyFactory, name: str, cases: Iterable[Case]) -> bool:
    return any(judge_relation(RELATIONS[name], case, factory, choices(case)).kind for case in cases)


FEW = 20

CASES = [  # with few instants and letters for events, so that what fails is due to a relation alone
    case
    for case in (generate(22, number) for number in range(260))
    if len(list(case.instants())) <= FEW and {o.event for o in case.occurrences} <= set(EVENTS)
][:150]


@pytest.mark.slow
@pytest.mark.parametrize("name", RELATIONS)
def test_figure_2_satisfies_every_relation_on_some_hundred_cases_of_which_most_say_something(name: str) -> None:
    verdicts = [judge_relation(RELATIONS[name], case, Figure2, choices(case)) for case in CASES]
    assert [verdict.detail for verdict in verdicts if verdict.kind is not None] == []
    assert sum(verdict.ok and not verdict.vacuous for verdict in verdicts) > 0.4 * len(CASES)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(expressions(), traces(), st.sampled_from(list(RELATIONS)), st.text(max_size=3))
def test_what_a_relation_says_is_due_is_what_the_semantics_says_as_well(
    expression: Expression, trace: Any, name: str, text: str
) -> None:
    case = Case(0, 0, "drawn", expression, tuple(trace.occurrences()))
    found, verdict = RELATIONS[name](case, Source(text)), asked(name, case, Figure2, text)
    assert verdict.kind is None, verdict.detail
    if found is None:
        assert verdict.refused
        return
    keys = [(each.time, each.event) for each in found.case.occurrences]
    assert keys == sorted(set(keys)) and min(keys, default=(0, ""))[0] >= 0
    if found.reaching_back is None and all(time < 2**62 for time, _ in keys):
        assert verdict.expected == Meaning(found.case).expected


def labelled(self: Figure2, now: Time, at: Mapping[str, Value], found: Instance | None) -> Instance | None:
    """Reports nothing where a part of the expression has a label."""
    parts = formulas.bottom_up(self.expression)
    return None if any(isinstance(part, Operation) and part.label is not None for part in parts) else found


SleepsVeryLate = telling(lambda self, now, at, found: found if now < 10**25 else None)


class Tires(Figure2):
    """Notices nothing after some instants at which something happens that it knows."""

    noticed: Any = 0

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        self.noticed += any(name in occurrences for name in identifiers(self.expression))
        found = super().step(time, occurrences)
        return found if self.noticed <= FEW else None

    def snapshot(self) -> Snapshot:
        return {**super().snapshot(), "noticed": self.noticed}

    def restore(self, snapshot: Snapshot) -> None:
        self.noticed = snapshot["noticed"]
        super().restore({name: value for name, value in snapshot.items() if name != "noticed"})


def sorting(self: Figure2, now: Time, at: Mapping[str, Value], found: Instance | None) -> Instance | None:
    """Of equally late started instances, reports another one according to the name of the first event type."""
    if found and len(found.occurrences) > 1 and min(identifiers(self.expression)) > "d":
        return Instance(o for o in found.occurrences if o.time in found.interval)
    return found


IsDistracted = telling(lambda self, now, at, found: None if at.keys() & {"A", "_", "m", "zz"} else found)


class Forgets(Figure2):
    def restore(self, snapshot: Snapshot) -> None:
        return


class LosesTheOldest(Figure2):
    """Loses the oldest instance of a queue of more than three."""

    def __init__(self, expression: Expression) -> None:
        super().__init__(transform(expression).expression, BOUNDED_STEPS)

    def restore(self, snapshot: Snapshot) -> None:
        super().restore(snapshot)
        for queue in (step.queue for _, step in self._steps if hasattr(step, "queue")):
            if len(queue) > 3:
                queue.evict_before(1 + queue.contents()[0].end)


class IsHurtBySnapshots(Figure2):
    """Notices nothing any more when it has been stored; its successors do."""

    is_stored = False

    def snapshot(self) -> Snapshot:
        self.is_stored = True
        return super().snapshot()

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        found = super().step(time, occurrences)
        return None if self.is_stored else found


class LooksAhead(AtOnce):
    """Leaves out what ends just before an instant at which two things occur."""

    def detect_trace(self, trace: Sequence[Instant]) -> list[Interval]:
        before = {time for (time, _), (_, occurrences) in pairwise(trace) if len(occurrences) > 1}
        return [span for span in super().detect_trace(trace) if span.end not in before]


WRONG: tuple[tuple[AnyFactory, set[str], set[str]], ...] = (
    (MUTANTS["neg-touching"], {"law"}, set()),
    (telling(labelled), {"transformed"}, set()),
    (SleepsVeryLate, {"shifted"}, set()),
    (Tires, {"gap"}, set()),
    (telling(sorting), {"renamed"}, set()),
    (IsDistracted, {"irrelevant"}, {"renamed"}),
    (Forgets, {"snapshot"}, set()),
    (IsHurtBySnapshots, {"snapshot"}, set()),
    (LooksAhead, {"prefix"}, {"gap", "irrelevant"}),
)
"""Wrong detectors, the relations that find them, and those that may find them as well."""


@pytest.mark.parametrize(("factory", "must", "may"), WRONG)
def test_a_fault_violates_the_relation_that_looks_for_it(factory: AnyFactory, must: set[str], may: set[str]) -> None:
    found = {name for name in RELATIONS if violates(factory, name, CASES if name in must else CASES[:30])}
    assert must <= found <= must | may


assert set[str]().union(*(must for _, must, _ in WRONG)) == set(RELATIONS), "every relation finds a wrong detector"


TIE = case("(a | b) ; c", ("a", 0), ("b", 0), ("c", 3))
TURNED = Related(replace(TIE, expression=parse("(b | a) ; c")), "turned", instances=True)
MORE = Related(replace(SEQUENCE, expression=parse("a ; (b + (b | c))")), "more", instances=True)
CUT = Related(replace(SEQUENCE, occurrences=SEQUENCE.occurrences[:-1]), "cut off")
LATE = Related(replace(SEQUENCE, occurrences=SEQUENCE.occurrences[1:]), "late", (Image(until=5),))
AT_6 = "more: at 6: {a@3, b@5, c@6} from 3 to 6 reported, nothing due"


@pytest.mark.parametrize(
    ("case", "related", "detail"),
    [
        (SEQUENCE, Related(SEQUENCE, "as it is"), None),
        (SEQUENCE, CUT, "cut off: at 17: nothing reported, one from 3 to 17 due"),
        (SEQUENCE, LATE, "late: at 17: {a@3, b@17} from 3 to 17 reported, nothing due"),
        (SEQUENCE, MORE, AT_6),
        (SEQUENCE, replace(MORE, instances=False, reaching_back=5), None),
        (SEQUENCE, replace(MORE, instances=False, reaching_back=2), AT_6),
        (TIE, TURNED, "turned: at 3: {a@0, c@3} from 0 to 3 reported, {b@0, c@3} from 0 to 3 due"),
        (TIE, replace(TURNED, instances=False), None),
    ],
)
def test_the_first_difference_is_told_with_its_instant(case: Case, related: Related, detail: str | None) -> None:
    verdict = judge_relation(lambda *_: related, case, Figure2, Source(""))
    assert (verdict.kind and verdict.detail) == detail


def test_a_detector_that_breaks_down_is_judged_as_without_relations() -> None:
    broken = asked("shifted", SEQUENCE, broken_detectors.Raising)
    assert without_place(broken.detail) == "on the case itself, ZeroDivisionError: division by zero"
    assert asked("shifted", SEQUENCE, broken_detectors.Hoarder).ok


def test_where_a_relation_does_not_apply_or_a_detector_does_not_take_a_case_there_is_no_verdict() -> None:
    for name in ("shifted", "gap", "snapshot", "prefix", "transformed"):
        verdict = asked(name, case("a | b"), Figure2, name=name)
        assert (verdict.kind, verdict.ok, verdict.refusal) == (None, False, f"{name} does not apply")
    whole = asked("snapshot", SEQUENCE, INTERVAL_DETECTORS["columns"])
    assert whole.refusal == "it does not store its state between two instants"


def test_the_places_of_snapshots_can_be_given_and_are_told_with_a_failure() -> None:
    for number in range(4):
        chosen = asked("snapshot", SEQUENCE, IsHurtBySnapshots, str(number))
        assert chosen.fed.restored is not None
        again = asked("snapshot", chosen.fed, IsHurtBySnapshots, "another one")
        assert (again.kind, again.fed) == (chosen.kind, chosen.fed)
    assert asked("snapshot", replace(SEQUENCE, restored=(4,)), IsHurtBySnapshots).detail == (
        "a snapshot restored after 2 of 5 instants: at 5: nothing reported by the one that was stored,"
        " {a@3, b@5} by the one that goes on from there"
    )
    for nowhere in ((), (18,)):
        assert asked("snapshot", replace(SEQUENCE, restored=nowhere), Figure2).refused


def test_what_is_lost_of_a_long_queue_is_found_in_the_first_few_hundred_cases() -> None:
    some = Settings()
    made = maker_of(some)
    cases = (made(number) for number in range(300) if relation_of(some, number) == "snapshot")
    assert violates(LosesTheOldest, "snapshot", cases)


def test_the_copy_after_a_gap_is_mostly_just_too_late_for_what_has_a_greatest_length() -> None:
    bounded = case("(a ; b)[4]", ("a", 1), ("b", 5))
    found = [RELATIONS["gap"](bounded, Source(str(number))) for number in range(40)]
    gaps = [r.case.occurrences[2].time - 5 for r in found if r is not None]
    assert gaps.count(5) > 20 and len(set(gaps)) > 4
    assert all((r.reaching_back is None) == (gap > 4) for r, gap in zip(found, gaps, strict=True) if r)


@settings(max_examples=40, deadline=None)
@given(expression=expressions(), trace=traces(), source=st.integers(0, 10**6).map(lambda number: Source(str(number))))
def test_what_a_law_rewrites_has_the_same_detections(expression: Expression, trace: Any, source: Source) -> None:
    found = rewriting.rewritten(expression, source)
    if found is None:
        return
    assert found.left != found.right
    left, right = (Intervals(side, trace).restricted() for side in (found.left, found.right))
    assert tuple(left) == tuple(right), found
    (claim,) = find([found.law])
    assert claim in rewriting.equations()


@pytest.mark.parametrize("claim", rewriting.equations(), ids=lambda claim: claim.id)
def test_every_law_is_used_in_both_directions_and_for_parts(claim: Any) -> None:
    names = {name: Identifier(name.lower() + "_") for name in claim.variables}
    match = {name: 3 + 4 * number for number, name in enumerate(claim.parameters)}
    for side in (claim.equation.left, claim.equation.right):
        around = Identifier("z").then(formulas.substitute(formulas.with_bounds(side, match), names))
        used = (rewriting.rewritten(around, Source(f"{claim.id}{number}")) for number in range(400))
        assert any(found and found.law == claim.id for found in used)


def test_an_expression_of_great_depth_is_rewritten() -> None:
    deep = parse("a")
    for _ in range(2000):
        deep = deep + Identifier("b")
    found = [rewriting.rewritten(deep, Source(str(number))) for number in range(100)]
    assert all(one is not None and hash(one.right) != hash(deep) for one in found)


LAWS = {law.id: law for law in rewriting.equations()}
FALSE = [
    claim
    for claim in canaries()
    if isinstance(claim, EquationClaim)
    and claim.equation.relation == "=="
    and claim.statement != "A + A == A"  # has the same detections all the same: detection:1
    and claim.id != "canary:64"  # its bounds are longer than the trace of any case
]


def by_law(claim: EquationClaim, case: Case) -> Verdict:
    return judge_relation(relations.law_relation(claim), case, Figure2, Source(claim.id))


@given(st.sampled_from(list(LAWS.values())), st.integers(0, 2**32))
def test_both_sides_of_a_case_of_a_law_have_the_same_detections(law: EquationClaim, seed: int) -> None:
    case = law_case(law, seed, 0)
    both = rewriting.other_side(law, case.expression)
    assert both is not None and both.left == case.expression != both.right
    restricted = [list(Intervals(side, case.trace).restricted()) for side in both[1:]]
    assert restricted[0] == restricted[1]
    assert by_law(law, case).ok


def test_one_side_of_every_law_tells_the_other() -> None:
    for law in LAWS.values():
        side = rewriting.telling_side(law)
        assert identifiers(side) == set(law.variables) and formulas.bound_parameters(side) == set(law.parameters)
    with pytest.raises(ValueError, match="neither side"):
        rewriting.telling_side(EquationClaim("mine", parse_equation("A | B == A | C")))


NONE = {"law:23": "(a ; b)[3]", "primitive:1": "((a | b) + (a | b)) - c", "law:3": "a ; b", "law:12": "a - (b - c)"}


@pytest.mark.parametrize(("law", "expression"), NONE.items())
def test_what_is_no_instance_of_a_law_has_no_other_side(law: str, expression: str) -> None:
    assert rewriting.other_side(LAWS[law], parse(expression)) is None


@pytest.mark.parametrize("claim", FALSE, ids=[claim.statement for claim in FALSE])
def test_what_is_no_law_is_found_out_by_a_right_detector(claim: EquationClaim) -> None:
    cases = (law_case(claim, 0, number) for number in range(100))
    assert any(by_law(claim, case).kind is not None for case in cases)


def test_the_cases_of_a_law_follow_from_seed_and_number_and_most_have_something_to_detect() -> None:
    cases, again = ([law_case(law, 0, number) for law in LAWS.values() for number in range(2)] for _ in range(2))
    assert cases == again
    assert sum(bool(Meaning(case).expected) for case in cases) > 0.8 * len(cases)


def test_a_detector_that_breaks_down_in_the_related_case_only_is_told() -> None:
    narrow = doing(raise_late(OverflowError("too late"), after=2**40))
    verdicts = [asked("shifted", SEQUENCE, narrow, str(n)) for n in range(20)]
    assert {verdict.kind for verdict in verdicts} == {None, Kind.CRASH}
    told = {without_place(verdict.detail) for verdict in verdicts}
    assert "all times +18,446,744,073,709,551,616: OverflowError: too late" in told


def test_reports_that_are_known_are_not_asked_for_again() -> None:
    assert asked("prefix", SEQUENCE, Figure2, reports={2: Interval(2, 2)}).kind is Kind.RELATION
