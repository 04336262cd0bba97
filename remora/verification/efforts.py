"""Efforts of a verification, how much each does: quick, standard, full; and how long its stages usually take.

    python -m remora.verification.efforts remora-report/report.json

takes the usual seconds of the stages from the report of a verification that had two cores for itself.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from semantics.atomic_files import write_text

Item = TypeVar("Item")

FILE = Path(__file__).with_name("durations.json")
"""The usual seconds of each stage by effort, as they were measured."""

REST = "rest"
"""In the place of a stage: what belongs to none, such as the start of Python and the report."""


@dataclass(frozen=True)
class Effort:
    """How much a verification does.

    Attributes:
        name: how it is asked for.
        examples: random cases of each kind per claim.
        cases: cases of the campaign.
        rules: random cases for the engines of rules, and for that of profiles.
        certificates: how many recorded certificates are made anew, chosen by the seed; None for all of them.
        throughput: whether speeds are measured, beside other tools where they are installed.
        expected: the usual seconds of each stage, for the estimate of the remaining time.
    """

    name: str
    examples: int
    cases: int
    rules: int
    certificates: int | None
    throughput: bool
    expected: dict[str, float] = field(default_factory=dict)

    @property
    def left_out(self) -> str:
        """Of what it does a part alone, in a sentence; "" where it does everything."""
        parts = {
            "certificates made anew": self.certificates,
        }
        chosen = ", ".join(f"{number} {what}" for what, number in parts.items() if number is not None)
        return f"The seed chose a part of what there is: {chosen}." if chosen else ""


def sample(items: Sequence[Item], number: int | None, seed: int) -> list[Item]:
    """Some items by a seed, in their order; None for all of them."""
    if number is None or number >= len(items):
        return list(items)
    chosen = set(Random(seed).sample(range(len(items)), number))
    return [item for place, item in enumerate(items) if place in chosen]


def _measured() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = json.loads(FILE.read_text("utf-8"))
    return found


QUICK = Effort("quick", 5, 200, 60, 3, False, _measured()["quick"])
STANDARD = Effort("standard", 50, 2_000, 400, 10, True, _measured()["standard"])
FULL = Effort("full", 500, 30_000, 6_000, None, True, _measured()["full"])
EFFORTS = (QUICK, STANDARD, FULL)


def durations(report: Mapping[str, Any]) -> dict[str, float]:
    """The seconds of each stage of a verification, by its report; `REST` for what belongs to none."""
    found: dict[str, float] = {}
    for stage in report["stages"]:
        if stage["detail"]:
            continue  # it went on beside the others
        found[stage["name"]] = round(found.get(stage["name"], 0.0) + stage["seconds"], 1)
    return {**found, REST: round(max(0.0, report["seconds"] - sum(found.values())), 1)}


def effort_of(report: Mapping[str, Any]) -> str:
    """The name of the effort of a verification, by the command in its report."""
    given = report["command"].split()
    return next((each.name for each in EFFORTS if f"--{each.name}" in given), STANDARD.name)


def main(paths: Sequence[str]) -> None:
    """Take the durations from reports."""
    found = _measured()
    for path in paths:
        report = json.loads(Path(path).read_text("utf-8"))
        found[effort_of(report)] = durations(report)
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in found.items())
    write_text(FILE, f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
