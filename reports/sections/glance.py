"""The few numbers that a reader wants before any other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reports.results.report import Report
from reports.sections.errata import counted


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what it counts.

    Attributes:
        number: what is counted, or a share such as `59 of 59`.
        section: the id of the section that says more.
    """

    number: str
    label: str
    section: str
    ok: bool = True


def figures(report: Report) -> list[Figure]:
    """The numbers of a report at a glance; what it lacks is left out."""
    return list(_figures(report))


def _figures(report: Report) -> Iterator[Figure]:
    proofs = [row.proofs for row in report.solvers.rows if row.proofs]
    if proofs:
        by = "one engine" if len(proofs) == 1 else f"{len(proofs)} engines"
        yield Figure(_number(sum(proofs)), f"proofs by {by}", "solvers")
    if report.canaries:
        yield _share([one.ok for one in report.canaries], "false equations caught", "canaries")
    near = report.neighbours.claims
    if near:
        refuted = _number(sum(row.refuted for row in near))
        yield Figure(refuted, "false neighbours refuted", "neighbours", not any(row.open for row in near))
    campaign = report.campaign
    if campaign:
        detectors = len(campaign.detectors) or 1
        judged = f"random cases, {detectors} {'detector' if detectors == 1 else 'detectors'}"
        said = f"{judged}, {_number(campaign.failed) if campaign.failed else 'no'} failures"
        lost = campaign.regressions.failures
        if lost:
            said += f", {_number(len(lost))} of stored regressions"
        refusing = any(0 < share.cases <= share.refused for share in campaign.detectors.values())
        ok = not campaign.failed and not campaign.error and not lost and not refusing
        yield Figure(_number(campaign.cases), said, "campaign", ok)
    power = report.power
    if power.mutants:
        found = f"{power.killed} of {power.mutants}"
        yield Figure(found, "wrong detectors found", "power", power.killed == power.mutants)
    if report.detection:
        yield _share([one.agree for one in report.detection], "patterns on logs agree", "detection")
    if report.errata:
        yield _share([one.as_claimed for one in report.errata], f"shown: {counted(report.errata)}", "errata")


def _share(marks: Sequence[bool], label: str, section: str) -> Figure:
    return Figure(f"{sum(marks)} of {len(marks)}", label, section, all(marks))


def _number(value: int) -> str:
    return f"{value:,}".replace(",", "\u202f")
