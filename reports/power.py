"""What random cases find: detectors that are wrong on purpose, by the number of cases that it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reports.plots import Axis, Plot

_CHECK = "mutant:"
"""How the ids of the checks begin that are wrong detectors."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A detector that is wrong on purpose, and what became of it.

    Attributes:
        name: its name.
        what: what is wrong, in one sentence; empty if that is not recorded.
        altered: the detector that it was made from; empty if that is not recorded.
        case: the number of the case that found it; None if none did.
        kind: how its output was wrong there.
        detail: the same in one sentence.
    """

    name: str
    what: str
    altered: str
    case: int | None
    kind: str = ""
    detail: str = ""


def mutants(report: Mapping[str, Any]) -> list[Mutant]:
    """All wrong detectors of a report: first those that no case found, then those that took the most cases."""
    power = report.get("power") or {}
    said = {str(check.get("id")): str(check.get("what") or "") for check in report.get("checks") or ()}
    altered = power.get("altered") or {}

    def mutant(name: str, death: Mapping[str, Any]) -> Mutant:
        what = said.get(f"{_CHECK}{name}", "").removeprefix("a wrong detector is found: ")
        origin = str(altered.get(name) or "")
        kind, detail = str(death.get("kind") or ""), str(death.get("detail") or "")
        return Mutant(name, what, origin, death.get("case"), kind, detail)

    living = [mutant(str(name), {}) for name in power.get("survivors") or ()]
    dead = [mutant(str(name), death) for name, death in (power.get("deaths") or {}).items()]
    return living + sorted(dead, key=lambda one: -(one.case or 0))


def found_of(report: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """For each detector that wrong ones were made from, how many of them were found, and how many there are."""
    listed = [one for one in mutants(report) if one.altered]
    found = Counter(one.altered for one in listed if one.case is not None)
    return {name: (found[name], number) for name, number in Counter(one.altered for one in listed).items()}


def checks_of(
    checks: Iterable[Mapping[str, Any]],
) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """The checks of a report, and apart from them those that are wrong detectors which were found."""
    listed = list(checks)
    found = [check for check in listed if check.get("ok") and str(check.get("id")).startswith(_CHECK)]
    return [check for check in listed if check not in found], found


def power_plot(power: Mapping[str, Any]) -> str:
    """The detection power as an SVG element: how many wrong detectors are found by how many cases.

    Returns:
        "" if nothing was found.
    """
    curve = [(float(cases), float(found)) for cases, found in power.get("curve") or ()]
    if not curve:
        return ""
    total = max(float(power.get("mutants") or 0), *(found for _, found in curve))
    asked = max(float(power.get("cases") or 0), *(cases for cases, _ in curve))
    plot = Plot(
        "Wrong detectors found, by the number of cases",
        f"{curve[-1][1]:.0f} of {total:.0f} are found, the last after {curve[-1][0]:.0f} cases.",
        Axis("cases", 1.0, max(asked, 10.0), logarithmic=True),
        Axis(f"found, of {total:.0f}", 0.0, total),
    )
    plot.steps([(curve[0][0], 0.0), *curve, (asked, curve[-1][1])])
    return plot.svg()
