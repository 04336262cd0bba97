"""Power of random cases: how many it takes to find each detector that is wrong on purpose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from reports.drawing.plots import Axis, Plot
from reports.results.audits import Check
from reports.results.report import Report
from reports.results.runs import Power

_SAID = "a wrong detector is found: "
"""How checks of wrong detectors begin to say what is wrong."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A detector that is wrong on purpose, and what became of it.

    Attributes:
        what: what is wrong, in one sentence; empty if that is not recorded.
        altered: the detector that it was made from; empty if that is not recorded.
        case: the number of the case that found it; None if none did.
    """

    name: str
    what: str
    altered: str
    case: int | None
    kind: str = ""
    detail: str = ""


def mutants(report: Report) -> list[Mutant]:
    """All wrong detectors of a report: first those that no case found, then those that took the most cases."""
    power = report.power
    said = {check.mutant: check.what.removeprefix(_SAID) for check in report.checks}

    def mutant(name: str, case: int | None = None, kind: str = "", detail: str = "") -> Mutant:
        return Mutant(name, said.get(name, ""), power.altered.get(name, ""), case, kind, detail)

    deaths = sorted(power.deaths.items(), key=lambda one: -one[1].case)
    return [
        *(mutant(name) for name in power.survivors),
        *(mutant(name, death.case, death.kind, death.detail) for name, death in deaths),
    ]


def found_of(report: Report) -> dict[str, tuple[int, int]]:
    """For each detector that wrong ones were made from, how many of them were found, and how many there are."""
    listed = [one for one in mutants(report) if one.altered]
    found = Counter(one.altered for one in listed if one.case is not None)
    return {name: (found[name], number) for name, number in Counter(one.altered for one in listed).items()}


def checks_of(checks: Iterable[Check]) -> tuple[list[Check], list[Check]]:
    """The checks of a report, and apart from them those that are wrong detectors which were found."""
    listed = list(checks)
    found = [check for check in listed if check.ok and check.mutant]
    return [check for check in listed if check not in found], found


def power_plot(power: Power) -> str:
    """The detection power as an SVG element: how many wrong detectors are found by how many cases.

    Returns:
        "" if nothing was found.
    """
    curve = [(float(cases), float(found)) for cases, found in power.curve]
    if not curve:
        return ""
    total = max(float(power.mutants), *(found for _, found in curve))
    asked = max(float(power.cases), *(cases for cases, _ in curve))
    plot = Plot(
        "Wrong detectors found, by the number of cases",
        f"{curve[-1][1]:.0f} of {total:.0f} are found, the last after {curve[-1][0]:.0f} cases.",
        Axis("cases", 1.0, max(asked, 10.0), logarithmic=True),
        Axis(f"found, of {total:.0f}", 0.0, total),
    )
    plot.steps([(curve[0][0], 0.0), *curve, (asked, curve[-1][1])])
    return plot.svg()
