"""Comparison of two reports: what stands otherwise, what takes more work, what was added or removed.

Work is counted by the solvers in units that do not depend on the machine; seconds do, and are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from reports.comparing.campaign_changes import coverage, detectors
from reports.comparing.changes import KINDS, Difference
from reports.comparing.proof_changes import marks, standings, verdicts, work
from reports.results.report import Report, report_of
from reports.sections.versions import version_of

SCHEMA = "remora/comparison/1"

RATIO = 1.5
"""Work that has grown or shrunk by less than this factor has not changed…"""

LEAST = 20_000
"""…nor has work that differs by less than so many units."""


@dataclass(frozen=True)
class ReportComparison:
    """What came of comparing two reports.

    Attributes:
        circumstances: what may explain differences: name, and how it was and is.
        differences: by kind in the order of `KINDS`, then in the order of the report.
        ratio: from which factor on work has changed.
        least: and from which difference on, in units of the solvers.
    """

    circumstances: tuple[tuple[str, str, str], ...]
    differences: tuple[Difference, ...]
    ratio: float = RATIO
    least: int = LEAST

    @property
    def worse(self) -> bool:
        """Whether something got worse; more work is not worse, for it proves the same."""
        return any(difference.kind == "worse" for difference in self.differences)

    @property
    def summary(self) -> str:
        """The outcome in one sentence."""
        if not self.differences:
            return "Nothing changed."
        counts = {kind: sum(difference.kind == kind for difference in self.differences) for kind in KINDS}
        said = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        return f"{'Something got worse' if self.worse else 'Nothing got worse'}: {said}."


def compare(
    old: Mapping[str, Any], new: Mapping[str, Any], *, ratio: float = RATIO, least: int = LEAST
) -> ReportComparison:
    """Compare two reports of schema `remora/report/1`.

    Args:
        ratio: work that changed by less than this factor has not changed; at least 1.
        least: work that differs by less than so many units has not changed.
    """
    before, after = report_of(old), report_of(new)
    found = [
        *verdicts(before, after),
        *standings(before, after),
        *work(before, after, ratio, least),
        *marks(before, after),
        *detectors(before.campaign, after.campaign),
        *coverage(before.campaign.coverage, after.campaign.coverage),
    ]
    order = list(KINDS)
    found.sort(key=lambda difference: order.index(difference.kind))
    return ReportComparison(
        tuple(_circumstances(_settings(before), _settings(after))), tuple(found), ratio, least
    )


def comparison_data(comparison: ReportComparison) -> dict[str, Any]:
    """The comparison as plain data, of schema `remora/comparison/1`."""
    return {
        "schema": SCHEMA,
        "exit_status": int(comparison.worse),
        "summary": comparison.summary,
        "ratio": comparison.ratio,
        "least": comparison.least,
        "circumstances": [
            {"name": name, "old": old, "new": new} for name, old, new in comparison.circumstances
        ],
        "differences": [asdict(difference) for difference in comparison.differences],
    }


# ------------------------------------------------------------------------------------------------------ circumstances


def _circumstances(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for name in dict.fromkeys([*before, *after]):
        pair = before.get(name, "not said"), after.get(name, "not said")
        if pair[0] != pair[1]:
            yield name, *pair


def _settings(report: Report) -> dict[str, str]:
    """With what a run was made, and how much it did; not where it wrote to, nor how long it took."""
    found = {
        "version of Remora": version_of(report.remora, report.code),
        "seed": str(report.seed),
        **report.environment.named,
        **report.environment.packages,
        "random cases per claim": _examples(report),
        "variants of each obligation": report.stability.variants,
        "campaign cases": report.campaign.cases,
    }
    return {name: str(value) for name, value in found.items() if value}


def _examples(report: Report) -> int:
    tests = (test for claim in report.claims for test in claim.tests)
    return next((test.cases for test in tests if test.method != "exhaustive"), 0)
