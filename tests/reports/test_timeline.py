"""Timelines: both drawings show the difference, fit, and say what they leave out."""

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reports import systems
from reports.drawing.layout import MAX_BARS, MAX_COLUMNS, Timeline, stagger
from reports.drawing.timeline import to_svg, to_text
from reports.systems import in_words
from tests.reports.conftest import instance

NAMESPACE = "{http://www.w3.org/2000/svg}"


def elements(svg: str, tag: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(NAMESPACE + tag))


def words(svg: str) -> list[str]:
    return [element.text or "" for element in elements(svg, "text")]


def failure_timeline(record: dict[str, Any]) -> Timeline:
    blank = {"detector": "", "kind": "", "expression": "", "trace": [], "expected": [], "detected": []}
    return systems.failure_timeline({**blank, **record})


def counterexample_timeline(record: dict[str, Any]) -> Timeline:
    found = systems.counterexample_timeline(record)
    assert found is not None
    return found


def failing(times: list[int], expected: list[list[int]], detected: list[list[int]]) -> dict[str, Any]:
    trace = [{"event": "ab"[number % 2], "time": time} for number, time in enumerate(times)]
    return {"expression": "a ; b", "trace": trace, "expected": expected, "detected": detected}


def test_a_counterexample_reads_as_drawn(counterexample: dict[str, Any]) -> None:
    assert to_text(counterexample_timeline(counterexample)).splitlines() == [
        "A ; B == B ; A",
        "with A = a, B = b, t = 1",
        "left:  a ; b  (1 instance)",
        "right: b ; a  (no instances)",
        "",
        "a          ●",
        "b                ●",
        "time       ┼─────┼→",
        "           0     1",
        "",
        "left only  ●━━━━━●  {a@0, b@1}",
    ]


def test_a_failing_case_reads_as_drawn_to_scale_in_words_and_in_shapes_without_any_colour() -> None:
    name = "an_event_type_longer_than_any_margin"
    record = failing([0, 2, 5], [[0, 2], [0, 5]], [[0, 2], [2, 5], [2, 5], [5, 5]])
    record["trace"].append({"event": name, "time": 5})
    timeline = failure_timeline(record | {"detector": "figure2", "kind": "missing detection"})
    assert to_text(timeline).splitlines() == [
        "a ; b",
        "figure2: missing detection",
        "2 intervals expected, 4 detected",
        "",
        "a              ●              ●",
        name,
        "                              ●",
        "b                    ●",
        "time           ┼─────┼────────┼→",
        "               0     2        5",
        "",
        "expected only  ┣━━━━━━━━━━━━━━┫  [0, 5]",
        "detected only        ╠════════╣  [2, 5]",
        "detected only        ╠════════╣  [2, 5]",
        "detected only                 ║  [5, 5]",
        "both           ├─────┤  [0, 2]",
    ]
    svg = to_svg(timeline)
    assert {"expected only", "detected only", "both"} <= set(words(svg))
    assert name in "".join(words(svg)[1:]).replace(" ", "")
    assert [box.get("class") for box in elements(svg, "rect")] == ["left", "right", "right", "right"]
    assert "stroke-dasharray" in (elements(svg, "style")[0].text or "")


def test_labels_that_would_overlap_go_on_further_lines_until_there_is_none() -> None:
    assert stagger([(0, 5), (3, 8), (6, 9), (7, 9)], lines=2) == [0, 1, 0, None]


def test_what_differs_depends_on_the_relation(counterexample: dict[str, Any]) -> None:
    counterexample["left"], counterexample["right"] = counterexample["right"], counterexample["left"]
    assert any(bar.differs for bar in counterexample_timeline(counterexample).bars)
    counterexample["relation"] = "<="
    assert not any(bar.differs for bar in counterexample_timeline(counterexample).bars)
    early, late, end = ({"event": name, "time": time} for name, time in (("a", 0), ("a", 2), ("b", 3)))
    counterexample |= {
        "relation": "~=",
        "left": {"expression": "l", "instances": [instance(early, end), instance(late, end)]},
        "right": {"expression": "r", "instances": [instance(late, {"event": "c", "time": 3})]},
    }
    (bar,) = counterexample_timeline(counterexample).bars
    assert (bar.start, bar.end, bar.side) == (2, 3, "both")
    assert "no interval differs" in to_text(counterexample_timeline({}))


def test_large_sparse_times_are_labelled_and_the_gap_is_marked() -> None:
    timeline = failure_timeline(failing([0, 5, 2310283398], [[0, 2310283398]], []))
    text = to_text(timeline)
    for label in ("0", "5", "2310283398"):
        assert label in text
        assert label in words(to_svg(timeline))
    assert "(⋯ time not to scale)" in text
    assert "(⋯ time not to scale)" in words(to_svg(timeline))


def test_a_long_trace_is_drawn_around_its_difference_and_says_what_is_left_out() -> None:
    timeline = failure_timeline(failing(list(range(500)), [[300, 302]], []))
    assert len(timeline.times) == 500
    text, svg = to_text(timeline), to_svg(timeline)
    assert "[300, 302]" in text
    assert "300" in words(svg)
    assert any(f"left out: {500 - MAX_COLUMNS} of 500 times far from what differs" in line for line in words(svg))
    assert "far from what differs" not in to_text(failure_timeline(failing(list(range(500)), [[3, 9]], [[3, 9]])))
    assert "╱" in text
    ends = to_svg(failure_timeline(failing(list(range(500)), [[3, 490]], [])))
    assert {"3", "490", "[3, 490]"} <= set(words(ends))


def test_intervals_beyond_the_limit_are_counted_and_what_differs_is_drawn_first() -> None:
    same = [[start, end] for start in range(12) for end in range(start, 12)]
    timeline = failure_timeline(failing(list(range(12)), [*same, [0, 11]], same))
    text = to_text(timeline)
    assert text.count("expected only") == 1
    assert f"left out: {len(same) + 1 - MAX_BARS} of {len(same) + 1} intervals" in text


TIMES = st.lists(st.integers(0, 10**12) | st.integers(0, 80), min_size=1, max_size=120, unique=True)


@settings(max_examples=25)
@given(times=TIMES, width=st.integers(40, 160), data=st.data())
def test_no_line_of_text_is_wider_than_asked_for_and_the_svg_is_well_formed(
    times: list[int], width: int, data: st.DataObject
) -> None:
    interval = st.tuples(st.sampled_from(times), st.sampled_from(times)).map(sorted)
    expected, detected = (data.draw(st.lists(interval, max_size=5)) for _ in range(2))
    timeline = failure_timeline(failing(sorted(times), expected, detected))
    assert max(map(len, to_text(timeline, width).splitlines())) <= width
    root = ElementTree.fromstring(to_svg(timeline))
    right = float(root.get("width", "0"))
    for text in root.iter(NAMESPACE + "text"):
        length = len(text.text or "") * 7.9
        begin = float(text.get("x", "0")) - {"middle": length / 2, "end": length}.get(text.get("text-anchor", ""), 0)
        assert begin > -1
        assert begin + length < right + 8


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", "\"'&]]>", "a\nb\x1b[31m\x00", "\ud800", "{{ 1 }}"])
def test_hostile_text_stays_text(hostile: str, counterexample: dict[str, Any]) -> None:
    occurrence = {"event": hostile, "time": 0, "value": hostile}
    counterexample |= {
        "statement": hostile,
        "substitution": {hostile: hostile},
        "trace": [occurrence],
        "left": {"expression": hostile, "instances": [instance(occurrence)]},
    }
    timeline = counterexample_timeline(counterexample)
    text = to_text(timeline)
    assert all(character.isprintable() or character == "\n" for character in text) and "\nb" not in text
    root = ElementTree.fromstring(to_svg(timeline).encode("utf-8"))
    assert {element.tag.removeprefix(NAMESPACE) for element in root.iter()} <= {
        *("svg", "title", "desc", "style", "text", "g", "line", "circle", "rect")
    }


def test_a_page_may_write_the_words_itself(counterexample: dict[str, Any]) -> None:
    timeline = counterexample_timeline(counterexample)
    drawn = words(to_svg(timeline, words=False))
    assert not {timeline.heading, *timeline.captions} & set(drawn)
    assert {"left only", "{a@0, b@1}"} <= set(drawn)
    assert "min-width" in to_svg(timeline, words=False)
    assert "min-width" not in to_svg(timeline)
    caption = "a long caption" * 20
    assert to_text(Timeline("", (caption,), ("left", "right"), (), ()), wrapped=False).startswith(f"{caption}\n")


def test_a_wrong_step_reads_as_drawn(step: dict[str, Any]) -> None:
    assert to_text(counterexample_timeline(step)).splitlines() == [
        "con, run at 0, 1",
        "the step outputs {b@1}; valid is {a@0, b@1}",
        "",
        "a              ●",
        "b                    ●",
        "time           ┼─────┼→",
        "               0     1",
        "",
        "left operand   ●  {a@0}",
        "right operand        ●  {b@1}",
        "valid          ●━━━━━●  {a@0, b@1}",
        "output               ●  {b@1}",
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"output": None}, "the step outputs ⟨⟩; valid is {a@0, b@1}"),
        ({"expected": []}, "the step outputs {b@1}; valid is ⟨⟩"),
        ({"detail": "a str"}, "the step outputs a str"),
        ({"kind": "exception", "detail": "KeyError: 1"}, "the step raises KeyError: 1"),
        ({"kind": "state", "detail": "l = 3"}, "the step leaves l = 3"),
    ],
)
def test_what_is_wrong_after_a_history_is_said(change: dict[str, Any], said: str, step: dict[str, Any]) -> None:
    assert counterexample_timeline(step | change).captions == (said,)


def test_one_operand_that_is_passed_twice_is_drawn_once(step: dict[str, Any]) -> None:
    for at in step["history"]:
        at["right"] = at["left"] = at["left"] or at["right"]
    labels = [bar.name for bar in counterexample_timeline(step).bars]
    assert labels == ["both operands", "both operands", "valid", "output"]
    step |= {"operator": "tim", "ticks": 2}
    timeline = counterexample_timeline(step)
    assert [bar.name for bar in timeline.bars] == ["operand", "operand", "valid", "output"]
    assert timeline.heading == "tim with τ = 2, run at 0, 1"


def test_only_a_counterexample_without_anything_but_a_sentence_is_not_drawn(
    counterexample: dict[str, Any], streams: dict[str, Any], step: dict[str, Any]
) -> None:
    assert systems.counterexample_timeline({"summary": "a sentence"}) is None
    assert in_words({"summary": "a\nsentence"}) == "a\\nsentence"
    for record in (counterexample, streams, step):
        assert counterexample_timeline(record) == counterexample_timeline({**record, "summary": "a sentence"})
