import json
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.coverage.behaviours import (
    BEHAVIOURS,
    GROUPS,
    SAMPLED,
    STRIDE,
    CoverageTable,
    covered,
    is_sampled,
)
from campaigns.carlson_lisper.coverage.meetings import PAIRS
from campaigns.carlson_lisper.coverage.queues import watched
from campaigns.carlson_lisper.coverage.steps import (
    BRANCHES,
    FAMILIES,
    CannotInstrument,
    Family,
    called_methods,
    instrumented,
)
from campaigns.carlson_lisper.mutants.telling import MUTANTS
from campaigns.carlson_lisper.profiles import profile_weights
from detectors.carlson_lisper.source.figure2 import STEPS, Figure2, StepFactory
from detectors.carlson_lisper.source.steps import CandidateQueue, NegationStep, SequenceStep, Step
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import UNBOUNDED, Bound, Expression, Identifier, Operation, fold
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import parse
from tests.campaigns.carlson_lisper.smallest_cases import first_case, smallest
from tests.campaigns.carlson_lisper.wrong import step_of

STORED: Mapping[str, tuple[str, str]] = json.loads(
    Path(__file__).with_name("covering_cases.json").read_text(encoding="utf-8")
)
"""For each behaviour the expression and the trace of a smallest case that meets it."""

SHORT = profile_weights(
    {"small": 2, "mixed": 3, "full": 3, "boundary": 2, "inversions": 2, "ties": 2, "sparse": 2, "dense": 1}
)

cases = st.builds(lambda number: generate(5, number, SHORT), st.integers(0, 100_000))


def case_of(expression: str, trace: str) -> Case:
    found = []
    for text in trace.split():
        match = re.fullmatch(r"(\w+)(?:\((.*)\))?@(\d+)", text)
        assert match is not None
        found.append(Occurrence(match[1], int(match[3]), match[2]))
    return Case(0, 0, "small", parse(expression), tuple(found))


def in_all_groups(expression: str, trace: str) -> frozenset[str]:
    return covered(case_of(expression, trace), all_groups=True)


# ------------------------------------------------------------------------------------------ instrumented steps


def steps_of(family: Family, kind: Callable[..., Step]) -> Mapping[str, StepFactory]:
    """The steps of Figure 2 for a transformed expression, where those of one operator are of a class."""

    def step(operation: Operation) -> Step:
        if family.name == "tim":
            return kind(operation.bound)
        if "-" not in family.name:
            return kind()
        places = operation.label
        assert places is not None
        if places == UNBOUNDED:
            return SequenceStep()
        return kind(places)

    return {**STEPS, family.name.partition("-")[0]: step}


def first_difference(
    case: Case, one: Mapping[str, StepFactory], other: Mapping[str, StepFactory]
) -> int | None:
    """The first instant after which two detectors with these steps say or remember something else."""
    expression = transform(case.expression).expression
    first, second = Figure2(expression, one), Figure2(expression, other)
    for now, occurrences in case.instants():
        if first.step(now, occurrences) != second.step(now, occurrences) or first.state() != second.state():
            return now
    return None


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES.keys())
@settings(deadline=None)
@given(cases)
def test_an_instrumented_step_behaves_as_the_original(family: Family, case: Case) -> None:
    seen: set[str] = set()
    original = steps_of(family, family.step)
    noting = steps_of(family, instrumented(family, seen.add, watched))
    assert first_difference(case, original, noting) is None
    assert seen <= set(BEHAVIOURS)


def test_a_step_that_behaves_otherwise_is_told_from_the_original() -> None:
    mutant = MUTANTS["neg-forgets"]
    wrong = {**STEPS, mutant.operator: step_of(mutant)}
    assert any(
        first_difference(generate(3, number, SHORT), STEPS, wrong) is not None for number in range(400)
    )


def test_notes_are_taken_in_what_a_step_calls_and_nowhere_else() -> None:
    assert (CandidateQueue, "evict_before") not in called_methods(FAMILIES["seq"])
    assert any("evict_before" in name for name in BRANCHES if name.startswith("branch:seq-figure4"))


def test_each_operand_of_a_condition_is_a_behaviour_of_its_own() -> None:
    assert {name for name in BRANCHES if name.startswith("branch:con:right.start < 0")} == {
        "branch:con:right.start < 0:true",
        "branch:con:right.start < 0:false",
    }
    early = in_all_groups("a + b", "a@0")  # there is no right instance to be remembered: `or` ends here
    assert "branch:con:self.right.start < 0:true" in early
    assert "branch:con:left.start < 0:false" not in early


class _Unusual(NegationStep):
    def step(self, left: Instance, right: Instance) -> Instance:
        return super().step(left, right)


class _Careful(NegationStep):
    def step(self, left: Instance, right: Instance) -> Instance:
        for _ in range(max(left.start, right.start)):
            self.latest = right.start if right.start > 7 and not left.start else self.latest
        return left


def test_what_can_be_noted_follows_from_the_text_of_a_step() -> None:
    notes: list[str] = []
    step = instrumented(Family("careful", _Careful), notes.append)()
    step.step(Instance([Occurrence("a", 1)]), Instance([Occurrence("b", 8)]))
    assert notes[:2] == [
        "branch:careful:max(left.start, right.start):the second",
        "branch:careful:range(max(left.start, right.start)):something",
    ]
    assert notes[2:] == 8 * ["branch:careful:right.start > 7:true", "branch:careful:left.start:true"]


def test_a_step_that_cannot_be_followed_is_refused() -> None:
    with pytest.raises(CannotInstrument, match="super"):
        instrumented(Family("unusual", _Unusual), lambda _: None)


# ----------------------------------------------------------------------------------------------- the behaviours


def test_each_behaviour_has_a_stored_case_that_meets_it() -> None:
    for behaviour in BEHAVIOURS:
        if behaviour not in STORED:
            found = first_case(behaviour, 0, 20_000, SHORT)
            small = found and smallest(behaviour, found)
            entry = small and {behaviour: [str(small.expression), small.trace_text]}
            pytest.fail(
                f"{behaviour!r} has no stored case; one would be {json.dumps(entry, ensure_ascii=False)}"
            )
        assert behaviour in in_all_groups(*STORED[behaviour]), behaviour


def test_no_case_is_stored_for_what_is_no_behaviour() -> None:
    assert not STORED.keys() - set(BEHAVIOURS)


@pytest.mark.long
def test_no_stored_case_can_be_made_smaller() -> None:
    for behaviour, (expression, trace) in STORED.items():
        case = case_of(expression, trace)
        assert str(smallest(behaviour, case)) == str(case), behaviour


@settings(deadline=None)
@given(cases)
def test_what_is_covered_is_listed(case: Case) -> None:
    assert covered(case, all_groups=True) <= set(BEHAVIOURS)


@settings(deadline=None)
@given(cases, cases)
def test_what_is_covered_follows_from_the_case_alone(case: Case, other: Case) -> None:
    alone = covered(case, all_groups=True)
    covered(other, all_groups=True)
    assert covered(case, all_groups=True) == alone


def test_threads_do_not_get_into_each_others_way() -> None:
    rows = [generate(5, number, SHORT) for number in range(60)]
    alone = [covered(case, all_groups=True) for case in rows]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(partial(covered, all_groups=True), rows)) == alone


@settings(deadline=None)
@given(cases)
def test_what_costs_more_is_looked_at_in_some_cases(case: Case) -> None:
    everything, cheap = (covered(case, all_groups=choice) for choice in (True, False))
    assert cheap == {name for name in everything if name.partition(":")[0] not in SAMPLED}
    assert covered(case) == (everything if is_sampled(case.number) else cheap)
    assert is_sampled(STRIDE * case.number)


ABSOLUTE = ("trace:",)
"""What depends on the time since 0."""


@settings(deadline=None)
@given(cases)
def test_when_a_trace_begins_matters_to_few_behaviours(case: Case) -> None:
    later = replace(case, occurrences=tuple(o._replace(time=o.time + 3) for o in case.occurrences))
    found, shifted = (
        {name for name in covered(c, all_groups=True) if not name.startswith(ABSOLUTE)} for c in (case, later)
    )
    assert found == shifted


@pytest.mark.parametrize(
    ("expression", "trace", "behaviour", "met"),
    [
        ("a - b", "a@0", "pair:neg/event/right", False),
        ("a - b", "b@0", "pair:neg/event/right", True),
        ("(a ; b)[3]", "a@0 b@2", "boundary:tim:one tick shorter than the bound", True),
        ("(a ; b)[3]", "a@0 b@3", "boundary:tim:as long as the bound", True),
        ("(a ; b)[3]", "a@0 b@4", "boundary:tim:as long as the bound", False),
        ("(a ; b)[3]", "a@0 b@4", "boundary:tim:one tick longer than the bound", True),
        ("(a ; b)[3]", "a@0 b@5", "boundary:tim:one tick longer than the bound", False),
        ("a ; b", "a@0 b@1", "boundary:seq:the match ended one tick before the right one starts", True),
        ("a ; b", "a@0 b@2", "boundary:seq:the match ended one tick before the right one starts", False),
        ("a ; b", "b@1", "boundary:seq:the match ended two ticks before the right one starts", False),
        ("a ; (b + c)", "a@1 b@1 c@2", "tie:seq:a candidate ends where the right one starts", True),
        ("a ; (b + c)", "a@1 b@2 c@3", "tie:seq:a candidate ends where the right one starts", False),
        ("(a + b) - c", "a@1 c@1 b@2", "tie:neg:a right one starts where the left one starts", True),
        ("(a + b) - c", "a@1 b@2 c@2", "tie:neg:a right one starts where the left one ends", True),
        ("(a + b) - c", "a@1 b@2 c@3", "tie:neg:a right one starts where the left one ends", False),
        ("a ; (b ; c)[1]", "a@0 a@1 b@2 c@3", "queue:seq-recent:full", True),
        ("a ; (b ; c)[1]", "a@0 b@2 c@3", "queue:seq-recent:full", False),
        ("a ; (b ; c)[1]", "a@0 a@1 a@2", "queue:seq-recent:full, and the oldest gives way", True),
        ("a ; (b ; c)[1]", "a@0 a@1 a@2", "queue:seq-recent:wrapped around", True),
        ("a ; (b ; c)[1]", "a@0 a@1 a@2 a@3", "queue:seq-figure4:full, and l is there too", True),
        ("a ; (b ; c)[1]", "a@0 a@1", "queue:seq-figure4:full, and l is there too", False),
        ("a ; b", "b@0", "queue:seq:asked while empty", True),
        ("a ; b", "a@0 b@1", "queue:seq:asked while empty", False),
        ("a", "", "trace:empty", True),
        ("a", "a@5", "trace:starts at 0", False),
        ("a", "a@0 a@9", "trace:several detections", True),
    ],
)
def test_a_behaviour_is_what_its_name_says(expression: str, trace: str, behaviour: str, met: bool) -> None:
    assert behaviour in BEHAVIOURS
    assert (behaviour in in_all_groups(expression, trace)) is met


# ----------------------------------------------------------------------------------- what a generator misses


def with_one_operator(expression: Expression, operator: str) -> Expression:
    """The expression with this operator in the place of each operator."""

    def operation(_: str, operands: Sequence[Expression], bound: Bound | None) -> Expression:
        if operator == "tim":
            return Operation("tim", (operands[0],), 3 if bound is None else bound)
        return Operation(operator, (operands[0], operands[-1]))

    return fold(expression, Identifier, operation)


@pytest.mark.parametrize("operator", OPERATORS)
def test_a_generator_of_one_operator_leaves_the_pairs_of_the_others_unreached(
    operator: str,
) -> None:
    originals = (generate(0, number * STRIDE, SHORT) for number in range(200))
    rows = [replace(case, expression=with_one_operator(case.expression, operator)) for case in originals]
    table = CoverageTable.of((case.number, covered(case)) for case in rows)
    never = set(table.never)
    for name in PAIRS:
        parent, child, _ = name.removeprefix("pair:").split("/")
        assert (name in never) == (parent != operator or child not in (operator, "event")), name
    others = [name for name in BRANCHES if name.split(":")[1].split()[0] in OPERATORS]
    assert {name for name in others if not name.startswith(f"branch:{operator}")} <= never


# --------------------------------------------------------------------------------------------------- the table


def table_of(first: int, stop: int) -> CoverageTable:
    return CoverageTable.of((number, covered(generate(7, number, SHORT))) for number in range(first, stop))


def test_tables_of_parts_add_up_to_that_of_the_whole() -> None:
    assert table_of(0, 13) + table_of(13, 50) == table_of(0, 50) == table_of(13, 50) + table_of(0, 13)


def test_a_table_says_of_each_group_what_was_reached_and_what_never() -> None:
    table = table_of(0, 50)
    assert (table.cases, table.sampled) == (50, len(range(0, 50, STRIDE)))
    assert [row.group for row in table.groups()] == list(GROUPS)
    for row in table.groups():
        assert row.reached + len(row.never) == row.behaviours
        assert row.cases == (table.sampled if row.group in SAMPLED else table.cases)
        assert row.share == row.reached / row.behaviours
    assert table.never == tuple(name for row in table.groups() for name in row.never)
    assert all(table.counts.get(name, 0) == 0 for name in table.never)


@pytest.mark.parametrize("counts", [{"pair:seq/or/left": 1}, {PAIRS[0]: 9}, {PAIRS[0]: -1}, {BRANCHES[0]: 3}])
def test_counts_that_cannot_be_are_refused(counts: Mapping[str, int]) -> None:
    with pytest.raises(ValueError, match=r"no behaviour is called|cannot be met"):
        CoverageTable(counts, cases=8, sampled=2)
