"""Drawings of detections: how many were found by which time above a timeline of the first ones, as one SVG document."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from remora.api.cards import standalone_svg
from remora.api.detecting.traces import Trace
from reports.drawing.layout import Timeline
from reports.drawing.plots import HEIGHT, PLOT_STYLE, WIDTH, Axis, step_plot
from semantics.errors import InputError
from semantics.events import Time

_NAMESPACE = "http://www.w3.org/2000/svg"

_STYLE = f"""{PLOT_STYLE}
svg.plot {{ color: #777; width: {WIDTH:g}px; height: {HEIGHT:g}px; --timeline-left: #3a80c8 }}
"""
"""How the plot looks inside a document of its own, on light and dark paper alike."""


@dataclass(frozen=True, repr=False)
class Drawing:
    """A drawing that a notebook shows, and that can be saved.

    Attributes:
        title: what is drawn, in words.
        svg: the drawing as an SVG document.
    """

    title: str
    svg: str

    def __repr__(self) -> str:
        """What is drawn, and how to see it where drawings are not shown."""
        return f'a drawing of {self.title}; .save("found.svg") writes it to a file'

    def _repr_svg_(self) -> str:
        """The drawing, for a notebook."""
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the drawing to a file, as SVG or as a page.

        Args:
            path: a file that ends in `.svg` or `.html`.

        Raises:
            InputError: it ends otherwise, or cannot be written.
        """
        file = Path(path)
        if file.suffix not in (".svg", ".html"):
            raise InputError(
                f"a drawing is saved as SVG or as a page, not as {file.suffix or 'a file without a suffix'}",
                place=os.fspath(path),
                remedy="End the name in .svg or .html; a browser prints either as PDF or PNG.",
            )
        page = "<!doctype html><meta charset='utf-8'><title>Detections</title>" if file.suffix == ".html" else ""
        try:
            file.write_text(page + self.svg, encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", place=os.fspath(path)) from None


def detections_over_time(pattern: str, ends: Sequence[Time], trace: Trace) -> str:
    """A plot of how many detections have ended by each time of a trace, as an SVG element.

    Args:
        ends: when the detections end, ascending, in ticks.
    """
    times = [each.time for each in trace] or [0]
    origin = times[0] if trace.clock is not None else 0
    label = "ticks" if trace.clock is None else f"ticks of {trace.tick} since {trace.shown(origin)}"
    first, last = times[0] - origin, max(times[-1] - origin, times[0] - origin + 1)
    said = f"{len(ends):,} detections of {pattern}"
    steps = [(first, 0), *((end - origin, number) for number, end in enumerate(ends, 1)), (last, len(ends))]
    most = Axis("detections so far", 0, max(len(ends), 4))
    return step_plot(said, Axis(label, first, last), most, steps)


def stacked(plot: str, timeline: Timeline) -> str:
    """A plot above a timeline, as one SVG document."""
    ElementTree.register_namespace("", _NAMESPACE)
    above, below = ElementTree.fromstring(plot), ElementTree.fromstring(standalone_svg(timeline))
    width = max(float(part.attrib["width"]) for part in (above, below))
    height = sum(float(part.attrib["height"]) for part in (above, below)) + 12
    size = {"viewBox": f"0 0 {width:g} {height:g}", "width": f"{width:g}", "height": f"{height:g}"}
    root = ElementTree.Element(f"{{{_NAMESPACE}}}svg", {"role": "img", **size})
    ElementTree.SubElement(root, f"{{{_NAMESPACE}}}title").text = timeline.heading
    ElementTree.SubElement(root, f"{{{_NAMESPACE}}}style").text = _STYLE
    below.set("y", f"{float(above.attrib['height']) + 12:g}")
    root.extend((above, below))
    return ElementTree.tostring(root, encoding="unicode")
