"""Derivations and nearest misses: true by the definition, and accepted by a checker that shares no code with them."""

import copy
import runpy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from laws.carlson_lisper.checks.strategies import EVENTS, expressions
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Operation
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, Stream, interpretation
from semantics.carlson_lisper.restriction import restriction
from semantics.carlson_lisper.syntax import parse
from semantics.reasons.carlson_lisper import Derivations, tree
from semantics.reasons.claims import Reason, Reasons, stamp
from tests.copies import ROOT
from tests.semantics.carlson_lisper.test_ties import in_order
from tests.tables import table

CHECKER = runpy.run_path(str(ROOT / "docs" / "examples" / "check_why.py"))
CHECK = CHECKER["_verify"]
ROWS = st.lists(st.tuples(st.integers(0, 9), st.sampled_from(EVENTS)), min_size=2, max_size=9)
PATTERNS = expressions(max_leaves=5, max_bound=6)


def placed(time: Any) -> tuple[int, int]:
    """A time, or what stands for it in a document, as a tick and a place in it."""
    given = time if isinstance(time, list) else stamp(time)
    return (given[0], given[1]) if isinstance(given, list) else (given, 0)


def asked(pattern: Expression, trace: Interpretation, time: int) -> tuple[Reasons, dict[str, Any], dict[Any, Any]]:
    """The reasons, the document of them, and the log as the checker reads it."""
    found = Derivations(pattern, trace).at(time)
    answers, missed = ([each.as_data() for each in some] for some in (found.answers, found.missed))
    log = {(one.event, placed(one.time)): str(one.value or "") for one in trace.occurrences()}
    return found, {"at": time, "answers": answers, "missed": missed, **found.data}, log


def refuses(document: dict[str, Any], log: dict[Any, Any]) -> bool:
    try:
        CHECK(document, log)
    except SystemExit as ended:
        return ended.code == 1
    except (LookupError, TypeError, ValueError):
        return True
    return False


def claims(node: Expression, reason: Reason) -> Iterator[tuple[Expression, Reason]]:
    """All claims of a tree with the subexpressions that they are about."""
    yield node, reason
    for part in reason.parts:
        yield from claims(getattr(node, "operands", ())[part.data["operand"]], part)


def in_ends(stream: Stream, data: Any) -> list[Instance]:
    """The instances that end in the times of a claim; a tick alone is all of it."""

    def inside(each: Instance) -> bool:
        end, last = placed(each.end), data.get("to", data.get("before"))
        if "before" in data:
            early = end < placed(last)
        else:
            early = end <= placed(last) if isinstance(last, list) else end[0] <= last
        return early and (data["from"] is None or placed(data["from"]) <= end)

    return [each for each in stream if inside(each)]


def spans(node: Expression, trace: Interpretation) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    return {(placed(each.start), placed(each.end)) for each in denotation(node, trace)}


def require_true(node: Expression, reason: Reason, trace: Interpretation) -> None:
    """What a claim says, by enumeration of all instances; that what is near is nearest."""
    data = reason.data
    if data["claim"] == "instance":
        assert (placed(data["start"]), placed(data["end"])) in spans(node, trace)
        return
    if "within" in data:
        first, last = map(placed, data["within"])
        assert not any(first <= start and end <= last for start, end in spans(node, trace))
        return
    assert in_ends(denotation(node, trace), data) == []
    if isinstance(node, Operation) and node.operator in ("tim", "neg") and reason.parts[0].data["claim"] == "instance":
        whole, *others = (part.data for part in reason.parts)
        within = in_ends(denotation(node.operands[0], trace), data)
        if node.operator == "tim":
            shortest = min(each.end - each.start for each in within)
            assert f"takes {shortest}, at most {node.bound}" in reason.said
        else:
            first, last = placed(whole["start"]), placed(whole["end"])
            assert last == max(placed(each.end) for each in within)
            lying = [one for one in spans(node.operands[1], trace) if first <= one[0] and one[1] <= last]
            ((inside),) = others
            assert (placed(inside["start"]), placed(inside["end"])) in lying
            assert placed(inside["end"]) == max(end for _, end in lying)


@pytest.mark.parametrize("ordered", [False, True], ids=["together", "in order"])
@example(pattern=parse("(d | (a ; e)) + f"), rows=[(3, "a"), (7, "d"), (8, "e"), (9, "f")], time=9)
@example(pattern=parse("(a ; b) - c"), rows=[(1, "a"), (2, "c"), (3, "b")], time=3)
@example(pattern=parse("(a ; b) - (b | c)[0]"), rows=[(1, "a"), (1, "c"), (2, "c"), (3, "b")], time=3)
@given(pattern=PATTERNS, rows=ROWS, time=st.integers(0, 10))
def test_what_is_found_is_derived_and_what_is_not_is_missed_as_the_definition_says(
    ordered: bool, pattern: Expression, rows: list[tuple[int, str]], time: int
) -> None:
    together = [Occurrence(event, time, None if time % 2 else "x") for time, event in dict.fromkeys(rows)]
    trace = interpretation(in_order(rows) if ordered else together)
    found, document, log = asked(pattern, trace, time)
    CHECK(document, log)
    detected = restriction(denotation(pattern, trace))
    expected = sorted((placed(each.start), placed(each.end)) for each in detected if int(each.end) == time)
    assert sorted((placed(one.data["start"]), placed(one.data["end"])) for one in found.answers) == expected
    assert bool(found.answers) is not bool(found.missed)
    for root in (*found.answers, *found.missed):
        for node, reason in claims(pattern, root):
            require_true(node, reason, trace)


PATTERN = parse("(((a ; b) + (c | d)) - e)[9] - (a ; a)")
TRACE = interpretation(
    Occurrence(event, time, event.upper())
    for event, time in zip("aecabdeaf", (0, 1, 2, 3, 5, 7, 8, 11, 12), strict=True)
)

FORGERIES: Sequence[Callable[[dict[str, Any]], Any]] = (
    lambda node: node.update(start=node["start"] - 1),
    lambda node: node.update(start=node["start"] + 1),
    lambda node: node.update(end=node["end"] + 1),
    lambda node: node["event"] and node.update(event="f", start=12, end=12, value="F"),
    lambda node: node["event"] and node.update(value="another"),
    lambda node: node.update(claim="none"),
    lambda node: node.update(met=False),
    lambda node: node["parts"].pop(),
    lambda node: node["parts"].pop(0),
    lambda node: node["parts"][0].update(operand=1 - node["parts"][0]["operand"]),
    lambda node: node["within"].__setitem__(0, node["within"][1]),
    lambda node: node["within"].__setitem__(1, node["within"][0]),
)
"""Changes of a claim; one that does not apply to it raises."""


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for part in node["parts"]:
        yield from nodes(part)


def test_forged_derivations_are_refused() -> None:
    found, document, log = asked(PATTERN, TRACE, 7)
    assert [each.data["start"] for each in found.answers] == [3]
    assert not refuses(document, log)
    forged = 0
    for number in range(len(list(nodes(document["answers"][0])))):
        for forge in FORGERIES:
            other = copy.deepcopy(document)
            node = list(nodes(other["answers"][0]))[number]
            try:
                forge(node)
            except (LookupError, TypeError):
                continue
            if other != document:
                forged += 1
                assert refuses(other, log), (number, node)
    assert forged > 50


@pytest.mark.parametrize(("pattern", "other", "time"), table(__file__, "exchanged"))
def test_a_derivation_of_one_pattern_is_none_of_another(pattern: str, other: str, time: int) -> None:
    found, _, log = asked(parse(pattern), TRACE, time)
    (answer,) = (each.as_data() for each in found.answers)
    CHECKER["check"](answer, CHECKER["Part"](tree(parse(pattern)), log), log)
    with pytest.raises((SystemExit, LookupError)):
        CHECKER["check"](answer, CHECKER["Part"](tree(parse(other)), log), log)


def test_what_was_asked_and_the_log_cannot_be_exchanged() -> None:
    _, found, log = asked(PATTERN, TRACE, 7)
    _, missed, _ = asked(PATTERN, TRACE, 8)
    for wrong in (
        {**found, "at": 8},
        {**found, "answers": []},
        {**missed, "at": 7},
        {**found, "missed": missed["missed"]},
        {**found, "answers": [], "missed": missed["missed"]},
    ):
        assert refuses({**found, **wrong}, log)
    assert refuses(found, {key: value for key, value in log.items() if key != ("b", (5, 0))})
    assert refuses(found, {**log, ("e", (4, 0)): None})
    assert refuses(missed, {**log, ("d", (8, 0)): None})


@pytest.mark.parametrize(("pattern", "time", "said"), table(__file__, "misses"))
def test_the_nearest_miss_of_each_operand_is_named(pattern: str, time: int, said: str) -> None:
    (miss,) = Derivations(parse(pattern), TRACE).at(time).missed
    assert any(said in line for line in miss.lines()), "\n".join(miss.lines())


def test_deep_patterns_are_no_trouble() -> None:
    deep = parse("(" * 199 + "a" + " ; a)" * 199)
    trace = interpretation(Occurrence("a", time) for time in range(10))
    for time in (9, 5):
        _, document, log = asked(deep, trace, time)
        CHECK(document, log)
