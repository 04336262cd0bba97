"""Timelines: both drawings show the difference, fit, and say what they leave out."""

import re
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings, strategies as st

from reports import systems
from reports.drawing.layout import MAX_BARS, MAX_COLUMNS, Timeline, View, compared_bars, stagger, view
from reports.drawing.timeline import to_svg, to_text
from reports.systems import in_words
from semantics.carlson_lisper.occurrences import Occurrence
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


LABELS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)).map(lambda pair: (pair[0], sum(pair)))).map(sorted)


@given(LABELS, st.integers(1, 3))
def test_a_label_is_on_the_first_line_where_it_touches_none(labels: list[tuple[float, float]], lines: int) -> None:
    placed = stagger(labels, lines)
    for number, (line, (begin, _)) in enumerate(zip(placed, labels, strict=True)):
        before = list(zip(placed[:number], labels, strict=False))
        free = (each for each in range(lines) if all(end < begin for on, (_, end) in before if on == each))
        assert line == next(free, None)


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
    counterexample["relation"] = "[=]"
    assert [bar.side for bar in counterexample_timeline(counterexample).bars] == ["left", "both"]
    assert "no interval differs" in to_text(counterexample_timeline({}))


def test_intervals_beyond_the_limit_are_counted_and_what_differs_is_drawn_first() -> None:
    same = [[start, end] for start in range(12) for end in range(start, 12)]
    timeline = failure_timeline(failing(list(range(12)), [*same, [0, 11]], same))
    text = to_text(timeline)
    assert text.count("expected only") == 1
    assert f"left out: {len(same) + 1 - MAX_BARS} of {len(same) + 1} intervals" in text


TIMES = st.lists(st.integers(0, 10**12) | st.integers(0, 80), min_size=1, max_size=80, unique=True)


@st.composite
def timelines(draw: st.DrawFn) -> Timeline:
    at, event = st.sampled_from(draw(TIMES)), st.sampled_from(["a", "b", "an_event_type_longer_than_any_margin"])
    occurrences = draw(st.lists(st.builds(Occurrence, event, at, st.none()), min_size=1, max_size=80, unique=True))
    interval = st.tuples(at, at).map(lambda pair: (min(pair), max(pair)))
    members = st.lists(st.sampled_from(occurrences), max_size=3).map(tuple)
    bars = compared_bars(draw(st.lists(interval, max_size=5)), draw(st.lists(interval, max_size=5)))
    bars = tuple(replace(bar, members=draw(members)) for bar in bars)
    return Timeline("heading", ("caption",), ("left", "right"), tuple(occurrences), bars)


@settings(max_examples=15)
@given(timelines(), st.integers(2, 90))
def test_a_view_has_as_many_times_as_there_is_room_for_and_counts_what_it_leaves_out(
    timeline: Timeline, units: int
) -> None:
    shown, times = view(timeline, units), timeline.times
    drawn = [column.time for column in shown.columns]
    following, unit = set(pairwise(times)), min((later - one for one, later in pairwise(drawn)), default=1)
    assert drawn == sorted(set(drawn)) and shown.columns[0].position == 0
    assert shown.columns[0].gap == ("none" if drawn[0] == times[0] else "left out")
    for one, other in pairwise(shown.columns):
        scale = (other.time - one.time) / unit
        gap = "left out" if (one.time, other.time) not in following else "to scale" if scale <= 4 else "compressed"
        assert other.gap == gap
        assert other.position - one.position == pytest.approx(scale if gap == "to scale" else 2)
    assert len(drawn) <= MAX_COLUMNS and (shown.units <= units or len(drawn) == 2)
    larger = [view(timeline, more) for more in range(units, 200, 10)]
    assert len(drawn) == min(len(times), MAX_COLUMNS) or any(len(one.columns) > len(drawn) for one in larger)
    differing = {end for bar in timeline.bars if bar.differs for end in (bar.start, bar.end)}
    assert differing <= set(drawn) or set(drawn) <= differing
    assert [(name, list(row)) for name, row in shown.rows] == [
        (name, [one for one in timeline.occurrences if one.event == name and one.time in drawn])
        for name in sorted({one.event for one in timeline.occurrences if one.time in drawn})
    ]
    assert list(shown.bars) == [bar for bar in timeline.bars if {bar.start, bar.end} <= set(drawn)]
    notes = " ".join(shown.notes)
    for said, there in (
        ("not to scale", any(column.gap == "compressed" for column in shown.columns)),
        (f"{len(times) - len(drawn)} of {len(times)} times", len(drawn) < len(times)),
        (f"{len(timeline.bars) - len(shown.bars)} of {len(timeline.bars)} intervals", timeline.bars != shown.bars),
        ("far from what differs", len(drawn) < len(times) and bool(differing)),
        ("no interval differs", not differing),
    ):
        assert (said in notes) == there
    assert shown.continues == (drawn[-1] != times[-1])


def view_of(timeline: Timeline, columns: int) -> View:
    return next(one for units in range(200, 0, -1) if len((one := view(timeline, units)).columns) == columns)


MARKS = {"compressed": "⋯", "left out": "╱"}


@settings(max_examples=15)
@given(timelines(), st.integers(40, 160))
def test_a_drawing_in_text_reads_back_as_its_view_as_wide_as_there_is_room_for(timeline: Timeline, width: int) -> None:
    lines = to_text(timeline, width).splitlines()
    assert max(map(len, lines)) <= width and lines[:3] == ["heading", "caption", ""]
    axis = next(number for number, line in enumerate(lines) if line.startswith("time "))
    places = [found.start() for found in re.finditer("┼", lines[axis])]
    shown = view_of(timeline, len(places))
    labels = {*(one.event for one in timeline.occurrences), *map(timeline.label, timeline.bars), "time"}
    gutter = max(len(label) for label in labels if len(label) <= 16) + 1
    room, ends = width - gutter - len(str(timeline.times[-1])) - 2, {each.time: each.position for each in shown.columns}

    def fits(pitch: int) -> bool:
        beside = (round(ends[bar.end] * pitch) + 1 + len(str(bar)) for bar in shown.bars)
        return shown.units * pitch <= room and gutter + 3 + max(beside, default=0) <= width

    pitch = max([1, *filter(fits, range(1, 7))])
    assert places == [gutter + 1 + round(each.position * pitch) for each in shown.columns]
    where = dict(zip(ends, places, strict=True))
    for one, other, column in zip(places, places[1:], shown.columns[1:], strict=False):
        mark, between = MARKS.get(column.gap, ""), lines[axis][one + 1 : other]
        assert between.replace("─", "") == mark
        assert not mark or abs(between.index(mark) - (len(between) - 1) / 2) <= 0.5
    assert lines[axis][4 : places[0]].strip() == MARKS.get(shown.columns[0].gap, "")
    assert lines[axis][places[-1] + 1 :] == ("╱" if shown.continues else "→")
    dotted = [line for line in lines[3:axis] if "●" in line]
    for (name, row), line in zip(shown.rows, dotted, strict=True):
        assert line[:gutter].rstrip() == (name if len(name) <= 16 else "")
        assert {n for n, sign in enumerate(line) if sign != " "} - set(range(gutter)) == {
            where[one.time] for one in row
        }
    end = lines.index("", axis)
    under = [line for line in lines[axis + 1 : end] if not line.startswith("(")]
    written = [c for c in shown.columns if any(re.match(rf"{c.label}( |$)", line[where[c.time] :]) for line in under)]
    assert len(written) == sum(len(line.split()) for line in under)
    missing = [f"({len(places) - len(written)} of {len(places)} times have no room for a label)"]
    assert lines[axis + 1 + len(under) : end] == (missing if len(written) < len(places) else [])
    rest = iter(lines[end + 1 :])
    for bar in shown.bars:
        begin, going, closing, point = tuple({"both": "├─┤│", "left": "┣━┫┃", "right": "╠═╣║"}[bar.side])
        signs = {**dict.fromkeys(range(where[bar.start], where[bar.end]), going), where[bar.end]: closing}
        signs |= {where[bar.start]: begin if bar.start < bar.end else point}
        signs |= {where[one.time]: "●" for one in bar.members if one.time in where}
        cells = "".join(signs.get(n, " ") for n in range(gutter, max(signs) + 1))
        line, expected = next(rest), timeline.label(bar).ljust(gutter) + cells
        if len(expected) + 2 + len(str(bar)) > width:
            assert line == expected
            found = ""
            while found.replace(" ", "") != str(bar).replace(" ", ""):
                line = next(rest)
                assert line.startswith(" " * (gutter + 1))
                found += line
        else:
            assert line == f"{expected}  {bar}"
    assert " ".join(line.strip() for line in rest) == " ".join(f"({note})" for note in shown.notes)


def numbers(element: ElementTree.Element, *names: str) -> tuple[float, ...]:
    return tuple(float(element.attrib[name]) for name in names)


def extent(element: ElementTree.Element) -> tuple[float, float, float, float]:
    """The left, right, upper and lower edge of a text."""
    (x, y), wide = numbers(element, "x", "y"), len(element.text or "") * 7.9
    left = x - wide / 2 if element.get("text-anchor") == "middle" else x
    return left, left + wide, y - 10, y + 3


@settings(max_examples=15)
@given(timelines())
def test_in_a_drawn_timeline_everything_is_at_its_time_and_no_text_is_on_another(timeline: Timeline) -> None:
    root = ElementTree.fromstring(to_svg(timeline))
    shown = view(timeline, 60)
    width, height = numbers(root, "width", "height")
    texts = [extent(text) for text in root.iter(NAMESPACE + "text")]
    assert all(-1 <= begin and end <= width + 8 and 0 <= top and bottom <= height for begin, end, top, bottom in texts)
    for one, other in combinations(texts, 2):
        assert one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
    axes = [line for line in root.findall(NAMESPACE + "line") if not line.get("class")]
    lines = [numbers(line, "x1", "x2", "y1", "y2") for line in axes]
    ticks = [line for line in lines if line[0] == line[1]]
    left, axis = ticks[0][0], (ticks[0][2] + ticks[0][3]) / 2
    pitch = (ticks[-1][0] - left) / shown.units if shown.units else 30
    assert 12.9 < pitch < 64.1 and (pitch < 13.1 or ticks[-1][0] < 620.1)
    assert pitch > 29.9 or left + shown.units * (pitch + 0.2) > 620
    where: dict[Any, Any] = {each.time: pytest.approx(left + each.position * pitch, abs=0.2) for each in shown.columns}
    assert [line[0] for line in ticks] == list(where.values())
    ends = [left - 20, *(left + each.position * pitch for each in shown.columns)]
    gaps = [*(each.gap for each in shown.columns), "left out" if shown.continues else "to scale"]
    pieces: list[tuple[float, float]] = []
    for (begin, end), gap in zip(pairwise([*ends, ends[-1] + 20]), gaps, strict=True):
        middle, half = (begin + end) / 2, 10 if gap in MARKS else 0
        pieces += (
            [(begin, middle - half), (middle + half, end)] if gap != "none" and end - begin > 2 * half + 0.1 else []
        )
    assert [line[:2] for line in lines if line[0] != line[1]] == [pytest.approx(each, abs=0.2) for each in pieces]
    dots = root.findall(NAMESPACE + "circle")
    found = [(one.findtext(NAMESPACE + "title"), numbers(one, "cx")[0]) for one in dots]
    assert found == [(str(one), where[one.time]) for _, row in shown.rows for one in row]
    heights = [numbers(dot, "cy")[0] for dot in dots]
    for _, row in shown.rows[:-1]:
        assert heights[: len(row)] == heights[:1] * len(row) and heights[0] + 9 < heights[len(row)]
        heights = heights[len(row) :]
    grid, *groups = root.findall(NAMESPACE + "g")
    for line, x in zip(grid, where.values(), strict=True):
        x1, x2, y1, y2 = numbers(line, "x1", "x2", "y1", "y2")
        assert x1 == x2 == x and y1 + 4 < numbers(dots[0], "cy")[0] and heights[-1] + 9 < axis < y2 - 4
    for bar, group in zip(shown.bars, groups, strict=True):
        drawn, both = group[1], [where[bar.start], where[bar.end]]
        assert group[0].text == f"{timeline.label(bar)}: {bar}, from {bar.start} to {bar.end}"
        if drawn.get("class") == bar.side == "both":
            assert [*numbers(drawn, "x1", "x2")] == [numbers(each, "x1")[0] for each in group[2:4]] == both
        else:
            x, wide = numbers(drawn, "x", "width")
            assert drawn.get("class") == bar.side and [x + 6, x + wide - 6] == both
        inside = [numbers(one, "cx") for one in group.iter(NAMESPACE + "circle")]
        assert inside == [(where[one.time],) for one in bar.members if one.time in where]


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
