"""The report's parts about rules (`reports.systems.ReportsOfSystem`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reports.bry_eckert.distance_graphs import distance_graph
from reports.drawing.histories import failure_timeline
from reports.drawing.layout import Timeline
from reports.results.runs import FailedCase
from reports.systems import ReportsOfSystem, Section, judged_text

_PART = "Rules"
"""What the sections about rules stand under in the contents."""


class BryEckertReports(ReportsOfSystem):
    """A history, and what was derived from it."""

    def failure_timeline(self, case: FailedCase) -> Timeline:
        """The answers that are due, and those that an engine gave."""
        return failure_timeline(case, leaving_out="event ")

    def sections(self, document: Mapping[str, Any]) -> tuple[Section, ...]:
        """How long tuples are kept, what that saves, and the temporal distances that it follows from."""
        rules = document.get("rules")
        if not rules:
            return ()
        judged = rules["cases"]
        engines = " and ".join(judged["engines"])
        return (
            Section(
                "Rules: how long tuples are kept",
                _PART,
                sentences=(
                    "Of each relation that a materialization point looks up, the condition under which a tuple is kept."
                    " A solver decides for the plan at hand whether the condition is safe (gives up nothing that an"
                    " answer needs), tight (some history needs a tuple at its boundary) and minimal (each of its"
                    " comparisons gives up a tuple that the others keep). A history that shows it is replayed: an"
                    " engine loses its answer by a condition that is one tick shorter, and not by this one.",
                    f"The engines {engines} were judged on {judged['cases']:,} random programs and histories with"
                    f" {judged['answers']:,} answers: {judged_text(judged)}",
                ),
                columns=("Plan", "In", "Relation", "Kept while", "Decision", "Shown by"),
                rows=tuple(_stores(rules["plans"])),
            ),
            Section(
                "Rules: what forgetting saves",
                _PART,
                sentences=(
                    f"Exact counts on logs of {rules['events']:,} events, one each tick: of four types with two values"
                    " of the attribute for the program of 2008, Section 2.1, orders and parcels in turn for the rules"
                    " of 2007. Storing is without any optimization, maximal and minimal (no word) with relevance"
                    " conditions of all comparisons or of those that no other one implies. Node objects have streaming"
                    " or suppressing joins, both, forgetting alone (collecting), or everything (no word). A join's"
                    " right side is evaluated in each step, or that is avoided.",
                ),
                columns=(
                    "Plan",
                    "Engine",
                    "Stored, mean",
                    "Peak",
                    "Candidates",
                    "Evaluated",
                    "Avoided",
                    "Answers",
                ),
                rows=tuple(_counts(rules["counts"])),
            ),
            Section(
                "Rules: Figures 2, 5 and 6 of 2008",
                _PART,
                sentences=(
                    "The equations of finite differencing as claims, which are proved with all others, and the marked"
                    " durations as they are added and compared here.",
                ),
                columns=("Figure", "Line", "Is"),
                rows=tuple(map(tuple, rules["figures"])),
            ),
            *(
                Section(
                    f"Rules: the plan {plan['name']}",
                    _PART,
                    folded=True,
                    sentences=("The definition of each materialization point, and its tree.",),
                    text="\n\n".join(map(_expression, plan["plan"])),
                )
                for plan in rules["plans"]
            ),
            *(
                Section(
                    f"Rules: temporal distances of {point['name']}, {plan['name']}",
                    _PART,
                    folded=True,
                    sentences=(
                        "The cell of row i and column j bounds j - i for all joined tuples, in ticks; an empty cell is"
                        " no bound (2008, Figure 4). Inputs guarantee what is marked with !, a condition tests what"
                        " has a ? and is dashed. The graph has the edges that no path of others replaces.",
                    ),
                    columns=("from", *point["distances"][0][1:]),
                    rows=tuple(map(tuple, point["distances"][1:])),
                    graphs=tuple(
                        distance_graph(matrix, f"Temporal distances of {point['name']}{printed}")
                        for matrix, printed in (
                            (point["distances"], ""),
                            (point["printed_distances"], ", with all marks as 2008 prints the algorithm"),
                        )
                        if matrix
                    ),
                )
                for plan in rules["plans"]
                for point in plan["plan"]
                if len(point["distances"]) > 3
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


def _expression(point: Mapping[str, Any]) -> str:
    """A materialization point: what defines it, and that as a tree."""
    return "\n".join((point["algebra"].replace("#", "′"), *(f"  {line}" for line in point["tree"])))


def _counts(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    for row in rows:
        names = ("peak", "candidates", "evaluated", "avoided", "answers")
        numbers = (f"{row['mean']:,.1f}", *(f"{row[name]:,}" for name in names))
        yield row["plan"], row["engine"], *numbers


REPORTS = BryEckertReports()
