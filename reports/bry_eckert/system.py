"""The report's parts about rules (`reports.systems.ReportsOfSystem`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reports.bry_eckert.distance_graphs import distance_graph
from reports.histories import failure_timeline
from reports.layout import Timeline
from reports.results.runs import FailedCase
from reports.systems import ReportsOfSystem, Section


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
                (
                    "Of each relation that a materialization point looks up, the condition under which a tuple is kept."
                    " A solver decides for the plan at hand whether the condition is safe (gives up nothing that an"
                    " answer needs) and tight (some history needs a tuple at its boundary).",
                    f"The engines {engines} were judged on {judged['cases']:,} random programs and histories with"
                    f" {judged['answers']:,} answers: {judged['judgements']:,} judgements,"
                    f" {len(judged['failures']):,} failed.",
                ),
                ("Plan", "In", "Relation", "Kept while", "Decision"),
                tuple(_stores(rules["plans"])),
            ),
            Section(
                "Rules: what forgetting saves",
                (
                    f"Exact counts on a log of {rules['events']:,} events of four types, one each tick, with two values"
                    " of the attribute, by the program of 2008, Section 2.1. Storing is without any optimization,"
                    " streaming with those of joins alone, collecting with forgetting alone.",
                ),
                ("Plan", "Engine", "Stored, mean", "Peak", "Candidates", "Answers"),
                tuple(_counts(rules["counts"])),
            ),
            *(
                Section(
                    f"Rules: temporal distances of {point['name']}, {plan['name']}",
                    (
                        "The cell of row i and column j bounds j - i for all joined tuples, in ticks; an empty cell is"
                        " no bound (2008, Figure 4). The graph has the edges that no path of others replaces.",
                    ),
                    tuple(point["distances"][0]),
                    tuple(map(tuple, point["distances"][1:])),
                    graphs=(distance_graph(point["distances"], f"Temporal distances of {point['name']}"),),
                )
                for plan in rules["plans"][:1]
                for point in plan["plan"]
                if len(point["distances"]) > 5
            ),
        )


def _stores(plans: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    for plan in plans:
        for point in plan["plan"]:
            for store in point["stores"]:
                name = f"{store['relation']} {store['identifier']}".strip()
                kept = store["relevant"].replace("#", "′") if store["kept"] else store["why"]
                decision = store["decision"] + (f": {store['advice']}" if store["advice"] else "")
                yield plan["name"], point["name"], name, kept, decision


def _counts(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    for row in rows:
        numbers = (f"{row['mean']:,.1f}", *(f"{row[name]:,}" for name in ("peak", "candidates", "answers")))
        yield row["plan"], row["engine"], *numbers


REPORTS = BryEckertReports()
