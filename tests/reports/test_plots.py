"""Axes with round ticks, marks within the plot, and text that says what is shown."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.drawing.plots import Axis, Plot, Range, decades, number, range_plot

NAMESPACE = "{http://www.w3.org/2000/svg}"

POSITIVE = st.floats(1e-6, 1e12)


def numbers(path: str) -> list[float]:
    return [float(part) for part in re.findall(r"-?\d+(?:\.\d+)?", path)]


@pytest.mark.parametrize(
    ("axis", "texts"),
    [
        (Axis("", 0, 59), ["0", "20", "40"]),
        (Axis("", 0, 1), ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (Axis("", 1, 3000, logarithmic=True), ["1", "10", "100", "1\u202f000"]),
        (Axis("", 1, 2.3, logarithmic=True, unit="×"), ["1×", "1.2×", "1.5×", "2×"]),
        (decades("", [5, 2_000_000]), ["1", "100", "10\u202f000", "10⁶"]),
    ],
)
def test_ticks_are_round_and_few(axis: Axis, texts: list[str]) -> None:
    assert [text for _, text in axis.ticks(5)] == texts


@given(low=POSITIVE, factor=st.floats(1.01, 1e9), logarithmic=st.booleans())
def test_ticks_lie_on_the_axis_ascend_and_are_not_many(low: float, factor: float, logarithmic: bool) -> None:
    axis = Axis("", low, low * factor, logarithmic=logarithmic)
    values = [value for value, _ in axis.ticks()]
    assert values == sorted(set(values))
    assert len(values) <= 12
    assert all(-1e-6 <= axis.share(value) <= 1 + 1e-6 for value in values)


@given(st.lists(POSITIVE, min_size=1))
def test_an_axis_of_decades_holds_its_values(values: list[float]) -> None:
    axis = decades("", values)
    assert all(-1e-6 <= axis.share(value) <= 1 + 1e-6 for value in values)


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (0.5, "0.5"), (1234, "1\u202f234"), (1e6, "10⁶"), (2.5e-4, "2.5·10⁻⁴")]
)
def test_a_number_of_an_axis_is_short(value: float, text: str) -> None:
    assert number(value) == text


@given(st.lists(st.tuples(POSITIVE, POSITIVE), min_size=1, max_size=30), st.integers(0, 5))
def test_every_mark_lies_within_the_plot_even_beyond_its_axes(
    points: list[tuple[float, float]], series: int
) -> None:
    plot = Plot("title", "description", Axis("x", 1, 1000, logarithmic=True), Axis("y", 0, 10))
    plot.dots(points, series)
    plot.steps(points, series)
    root = ElementTree.fromstring(plot.svg())
    dots, steps = (path.get("d", "") for path in root.iter(f"{NAMESPACE}path"))
    for mark in re.findall(r"M([\d.]+) ([\d.]+)", dots + steps):
        assert 0 <= float(mark[0]) <= Plot.WIDTH
        assert 0 <= float(mark[1]) <= Plot.HEIGHT
    assert steps.count("H") == len(points) - 1


def test_steps_keep_their_height_until_the_next_point() -> None:
    plot = Plot("", "", Axis("", 0, 10), Axis("", 0, 10))
    plot.steps([(0, 0), (5, 10), (10, 10)])
    (path,) = ElementTree.fromstring(plot.svg()).iter(f"{NAMESPACE}path")
    x0, y0, x1, y1, x2, y2 = numbers(path.get("d", ""))
    assert x0 < x1 < x2
    assert y0 > y1 == y2


def test_a_range_has_its_name_in_words_and_nothing_is_drawn_of_no_ranges() -> None:
    axis = decades("rate", [1, 100])
    root = ElementTree.fromstring(
        range_plot("t", "d", axis, [Range("<ours>", 2, 3, 40), Range("b", 5, 5, 5, 1)])
    )
    texts = [element.text for element in root.iter(f"{NAMESPACE}text")]
    assert {"<ours>", "b", "rate"} <= set(texts)
    assert "<ours>: 3, from 2 to 40" in [element.text for element in root.iter(f"{NAMESPACE}title")]
    ours, _, other, _ = (numbers(path.get("d", "")) for path in root.iter(f"{NAMESPACE}path"))
    assert ours[0] < ours[2]
    assert other[0] == other[2]
    assert range_plot("t", "d", axis, []) == ""


def test_a_plot_is_described_and_follows_the_colours_of_its_page() -> None:
    svg = Plot("A title", "What it shows.", Axis("x", 0, 1), Axis("y", 0, 1)).svg()
    root = ElementTree.fromstring(svg)
    assert (root.get("role"), root[0].text, root[1].text) == ("img", "A title", "What it shows.")
    assert "#" not in svg
