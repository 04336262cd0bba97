"""Figures 2, 5 and 6 of 2008 as rows: the claims about finite differencing, and the algebra of marked durations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from laws.bry_eckert.catalogue import everything
from semantics.bry_eckert.algebra.printed_relevance import Weight


def figure_rows() -> Iterator[tuple[str, str, str]]:
    """For each line of the figures the figure, the line, and the claim or the value that it is."""
    for claim in everything():
        if claim.source == "2008, Figure 2":
            yield "Figure 2", claim.statement, claim.id
    for figure, marks in (
        ("Figure 5", {"<": Weight(0, included=False), "≤": Weight(0)}),
        ("Figure 6", {"?": Weight(0, tested=True), "!": Weight(0)}),
    ):
        words = {weight: mark for mark, weight in marks.items()}
        for (one, x), (other, y) in product(marks.items(), repeat=2):
            yield figure, f"({one}, x) + ({other}, y) = ({words[x + y]}, x + y)", "Weight.__add__"
        for (one, x), (other, y) in product(marks.items(), repeat=2):
            sign = "≤" if x < y else "<"
            yield figure, f"({one}, x) < ({other}, y) ⟺ x {sign} y", "Weight.__lt__"
