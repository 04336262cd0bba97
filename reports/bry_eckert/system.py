"""The report's parts about rules (`reports.systems.ReportsOfSystem`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reports.bry_eckert.distance_graphs import distance_graph
from reports.documents import Document
from reports.drawing.histories import failure_timeline
from reports.drawing.layout import Timeline
from reports.page import Block, Code, Graphic, Section, Table
from reports.systems import ReportsOfSystem, judged_text

STORES = ("Plan", "In", "Relation", "Kept while", "Decision", "Shown by")


class BryEckertReports(ReportsOfSystem):
    """A history, and what was derived from it."""

    def failure_timeline(self, case: Document) -> Timeline:
        """The answers that are due, and those that an engine gave."""
        return failure_timeline(case, leaving_out="event ")

    def sections(self, document: Mapping[str, Any]) -> tuple[Section, ...]:
        """How long tuples are kept, what that saves, and the temporal distances that it follows from."""
        rules = document.get("rules")
        if not rules:
            return ()
        judged = rules["cases"]
        return (
            Section(
                title="Rules: how long tuples are kept",
                sentences=(
                    "Of each relation that a materialization point looks up, the condition under which a tuple is kept."
                    " A solver decides for the plan at hand whether the condition is safe (gives up nothing that an"
                    " answer needs), tight (some history needs a tuple at its boundary) and minimal (each of its"
                    " comparisons gives up a tuple that the others keep). A history that shows it is replayed: an"
                    " engine loses its answer by a condition that is one tick shorter, and not by this one.",
                    f"The engines {' and '.join(judged['engines'])} were judged on {judged['cases']:,} random programs"
                    f" and histories with {judged['answers']:,} answers: {judged_text(judged)}",
                ),
                blocks=(
                    Table(STORES, tuple(_stores(rules["plans"])), code=("Kept while",)),
                    *(block for plan in rules["plans"] for block in _plan(plan)),
                ),
            ),
        )


def _stores(plans: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    for plan in plans:
        for point in plan["plan"]:
            for store in point["stores"]:
                name = f"{store['relation']} {store['identifier']}".strip()
                kept = store["relevant"].replace("#", "′") if store["kept"] else store["why"]
                decision = store["decision"] + (f": {store['advice']}" if store["advice"] else "")
                examples = "; ".join(one["text"] for one in store["examples"]).replace("#", "′")
                yield plan["name"], point["name"], name, kept, decision, examples


def _plan(plan: Mapping[str, Any]) -> Iterator[Block]:
    """The definition of each materialization point with its tree, and the temporal distances of those with several."""
    yield f"The plan {plan['name']}:"
    points = plan["plan"]
    yield Code(
        "\n\n".join(
            "\n".join((point["algebra"].replace("#", "′"), *(f"  {line}" for line in point["tree"])))
            for point in points
        )
    )
    for point in points:
        if len(point["distances"]) > 3:
            yield (
                f"Temporal distances of {point['name']}: an arc from i to j bounds j - i for joined tuples, in ticks"
                " (2008, Figure 4). Inputs guarantee what is marked with !, a condition tests what has a ? and is"
                " dashed; arcs that a path of others replaces are left out."
            )
            yield Graphic(distance_graph(point["distances"], f"Temporal distances of {point['name']}"))


REPORTS = BryEckertReports()
