"""Samples against evaluation: what each shows is so, and on no shorter log."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings

from laws.carlson_lisper.checks.strategies import expressions
from semantics.carlson_lisper import samples as module
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import interpretation
from semantics.carlson_lisper.restriction import rem
from semantics.carlson_lisper.samples import STEPS, Reason, samples
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.ties import told
from semantics.errors import EnginesDisagree
from tests.semantics.carlson_lisper.test_decisions import SHORT_TRACES, is_shortest


def detected(pattern: Expression, trace: Any) -> set[tuple[int, int]]:
    """Per end of an instance the latest start."""
    found = [instance.interval for instance in denotation(pattern, interpretation(trace))]
    return {max(span for span in found if span[1] == end) for end in {end for _, end in found}}


def shows(reason: Reason, trace: Any) -> bool:
    """Whether a log shows what another one is said to."""
    one, *others = (detected(each, trace) for each in reason.pair)
    last = trace[-1].time
    if reason.kind == "tie":
        orders = (order for order in permutations(trace) if [*order] == sorted(order, key=lambda each: each.time))
        in_orders = (told(reason.pair[0], order, in_order=True).detected for order in orders)
        return any({end: start for start, end in found} != {end: start for start, end in one} for found in in_orders)
    if reason.name == "latest-start":
        found = denotation(reason.pair[0], interpretation(trace))
        return len({instance.start for instance in found if instance.end == last}) > 1
    if reason.name == "earlier-start":
        return any(span[0] < max(one)[0] for span in one if span[1] == last)
    if reason.name == "detected-twice":
        return len(one) > 1 and any(end == last for _, end in one)
    return bool(one) and not others[0] if reason.alone else one != others[0]


@settings(deadline=None, max_examples=25)
@given(expressions(("a", "b"), max_leaves=5, max_bound=2))
def test_each_sample_shows_what_it_says_and_no_shorter_log_does(pattern: Expression) -> None:
    found = samples(pattern)
    names = [reason.name for sample in found.samples for reason in sample.reasons]
    assert not found.undecided
    assert len(set(names)) == len(names)
    asked = Reason("earlier-start", "several", "", (found.pattern,))
    assert asked.name in {*names, *found.never} or not any(shows(asked, trace) for trace, _ in SHORT_TRACES)
    for sample in (each for each in found.samples if each.reasons[0].kind != "row"):
        assert rem(denotation(found.pattern, interpretation(sample.trace)), frozenset(sample.detections))
        for reason in (each for each in sample.reasons if each.kind != "row"):
            assert reason.shortest and shows(reason, sample.trace)
            assert reason.kind not in ("fails", "matches") or bool(sample.detections) == (reason.kind == "matches")
            telling = (trace for trace, _ in SHORT_TRACES if shows(reason, trace))
            assert reason.kind == "tie" or is_shortest(sample.trace, telling), reason


@pytest.mark.parametrize(("names", "few"), [("a", 5), ("ab", 4), ("abc", 3)])
def test_each_log_of_a_few_instants_is_a_piece_of_one_log(names: str, few: int) -> None:
    (trace,) = (one.trace for one in samples(parse(" | ".join(names))).samples if one.name == "pieces")
    word = [frozenset(each.event for each in trace if each.time == time) for time in range(800)]
    assert len({tuple(word[time : time + few]) for time in range(600)}) == 2 ** (few * len(names))


def shown(text: str) -> dict[str, tuple[str, list[tuple[int, ...]]]]:
    """For each thing that is shown of a pattern, the log and the detections."""
    return {
        reason.name: (" ".join(map(str, sample.trace)), [tuple(each.interval) for each in sample.detections])
        for sample in samples(parse(text)).samples
        for reason in sample.reasons
    }


def test_a_bound_has_a_log_on_it_and_one_a_tick_beside_it_also_where_it_is_forbidden() -> None:
    found = shown("(fail ; fail)[60] - ok")
    assert found["on-bound-60"] == ("fail@0 fail@60", [(0, 60)])
    assert found["beside-bound-60"] == ("fail@0 fail@61", [])
    found = shown("(a ; c) - (b ; d)[2]")
    assert found["on-bound-2"][1] == [] and found["beside-bound-2"][1] != []


@pytest.mark.parametrize(("bound", "steps"), [(20, 2000), (86400, STEPS)])
def test_where_a_bound_is_too_large_for_automata_a_log_is_not_called_shortest(bound: int, steps: int) -> None:
    found = samples(parse(f"(a ; b)[{bound}] - c"), steps=steps)
    logs = {one.trace[-1].time: one for one in found.samples}
    assert not any(logs[time].reasons[0].shortest for time in (bound, bound + 1))
    assert logs[bound].detections and not logs[bound + 1].detections


def test_an_operator_that_never_decides_is_a_finding() -> None:
    never = samples(parse("b | (a ; b)")).never
    assert (
        never["disjunction-not-left-alone"] == "with b in the place of b | (a ; b) the detections are always the same"
    )
    assert "matches" in samples(parse("a - a")).never


def test_a_log_that_evaluation_does_not_confirm_is_a_defect_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_shows", lambda trace, reason: False)
    with pytest.raises(EnginesDisagree, match="matches of a on a@0"):
        samples(parse("a"))
