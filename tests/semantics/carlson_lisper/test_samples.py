"""Samples against evaluation: what each shows is so, and on no shorter log."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.mutants import MUTANTS
from laws.carlson_lisper.checks.strategies import expressions
from semantics.carlson_lisper import samples as module
from semantics.carlson_lisper.decisions import EnginesDisagree, Trace
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import interpretation
from semantics.carlson_lisper.restriction import rem
from semantics.carlson_lisper.samples import Reason, Samples, moved, samples
from semantics.carlson_lisper.syntax import parse
from tests.campaigns.written import case
from tests.semantics.carlson_lisper.test_decisions import SHORT_TRACES, is_shortest

PATTERNS = ("(a ; b)[3] - c", "b | (a ; b)", "(a ; b) + (b | c)", "(a + b)[0]", "(a - b) + (b - a)",
            "(a ; b)[1] + (a ; b)[3]", "(a | b) ; (a | b)", "(a ; (b ; c)[2])[5] - d")  # fmt: skip


def detected(pattern: Expression, trace: Any) -> set[tuple[int, int]]:
    """Per end of an instance the latest start."""
    found = [instance.interval for instance in denotation(pattern, interpretation(trace))]
    return {max(span for span in found if span[1] == end) for end in {end for _, end in found}}


def early_parts(trace: Trace) -> Iterator[Trace]:
    """What may come a tick before the others: of some tick, one event or all but one."""
    for tick in {each.time for each in trace}:
        tied = [each for each in trace if each.time == tick]
        for one in tied if len(tied) > 1 else ():
            yield from ((one,), tuple(each for each in tied if each != one))


def at_end(pattern: Expression, trace: Trace, early: Trace = ()) -> bool:
    """Whether it is detected at the end of a log, or of that in which some events come earlier."""
    last = trace[-1].time
    ends = {last} if not early else {last + 1, last} if early[0].time == last else {last + 1}
    return any(end in ends for _, end in detected(pattern, moved(trace, early) if early else trace))


def shows(reason: Reason, trace: Trace) -> bool:
    """Whether a log shows what another one is said to."""
    one, *others = (detected(each, trace) for each in reason.pair)
    if reason.kind == "tie":
        matches, parts = reason.name == "tie-matches", list(early_parts(trace))
        return at_end(reason.pair[0], trace) is matches and any(
            at_end(reason.pair[0], trace, part) is not matches for part in parts
        )
    last = trace[-1].time
    if reason.name == "latest-start":
        found = denotation(reason.pair[0], interpretation(trace))
        return len({instance.start for instance in found if instance.end == last}) > 1
    if reason.name == "detected-twice":
        return len(one) > 1 and any(end == last for _, end in one)
    return bool(one) and not others[0] if reason.alone else one != others[0]


@settings(deadline=None, max_examples=25)
@given(expressions(("a", "b"), max_leaves=4, max_bound=2))
def test_each_sample_shows_what_it_says_and_no_shorter_log_does(pattern: Expression) -> None:
    found = samples(pattern)
    assert not found.undecided
    assert len({sample.trace for sample in found.samples}) == len(found.samples)
    names = [reason.name for sample in found.samples for reason in sample.reasons]
    assert len(set(names)) == len(names)
    for sample in found.samples:
        assert rem(denotation(found.pattern, interpretation(sample.trace)), frozenset(sample.detections))
        for reason in sample.reasons:
            assert reason.shortest and shows(reason, sample.trace)
            assert not (reason.kind == "fails" and sample.detections)
            assert reason.kind != "matches" or sample.detections
            telling = (trace for trace, _ in SHORT_TRACES if shows(reason, tuple(trace)))
            assert is_shortest(sample.trace, telling), reason


def by_name(found: Samples) -> dict[str, tuple[str, list[tuple[int, int]]]]:
    """For each thing that is shown, the log and the detections."""
    return {
        reason.name: (" ".join(map(str, sample.trace)), [tuple(each.interval) for each in sample.detections])
        for sample in found.samples
        for reason in sample.reasons
    }


def test_a_bound_has_a_log_on_it_and_one_a_tick_beside_it_also_where_it_is_forbidden() -> None:
    found = by_name(samples(parse("(fail ; fail)[60] - ok")))
    assert found["on-bound-60"] == ("fail@0 fail@60", [(0, 60)])
    assert found["beside-bound-60"] == ("fail@0 fail@61", [])
    found = by_name(samples(parse("(a ; c) - (b ; d)[2]")))
    assert found["on-bound-2"][1] == [] and found["beside-bound-2"][1] != []


def test_logs_for_bounds_of_any_size_are_confirmed_and_not_called_shortest() -> None:
    found = samples(parse("(a ; b)[86400] - c"))
    assert by_name(found)["beside-bound-86400"] == ("a@0 b@86401", [])
    assert {each.name for sample in found.samples for each in sample.reasons if not each.shortest} >= {"on-bound-86400"}


def test_an_operator_that_never_decides_is_a_finding() -> None:
    never = dict(samples(parse("b | (a ; b)")).never)
    assert (
        never["disjunction-not-left-alone"] == "with b in the place of b | (a ; b) the detections are always the same"
    )
    assert "matches" in dict(samples(parse("a - a")).never)


def test_what_is_given_up_is_undecided_and_the_others_are_given() -> None:
    found = samples(parse("(a ; b)[9] - c"), steps=100)
    assert found.undecided and by_name(found)["matches"] == ("a@0 b@1", [(0, 1)])


def test_a_log_that_evaluation_does_not_confirm_is_a_defect_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_shows", lambda trace, reason: False)
    with pytest.raises(EnginesDisagree, match="matches of a on a@0"):
        samples(parse("a"))


@pytest.mark.slow
def test_the_samples_of_a_handful_of_patterns_find_wrong_operators() -> None:
    cases = [
        case(text, *((each.event, each.time) for each in sample.trace))
        for text in PATTERNS
        for sample in samples(parse(text)).samples
    ]
    wrong = {name: mutant for name, mutant in MUTANTS.items() if not mutant.of_state}
    found = {name for name, mutant in wrong.items() if any(judge(each, mutant).kind for each in cases)}
    assert len(found) >= 17
    assert all(judge(each, wrong["dis-earlier"].unaltered).kind is None for each in cases)
