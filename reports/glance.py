"""The few numbers that a reader wants before any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reports.errata import counted


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what it counts.

    Attributes:
        number: what is counted, or a share such as `59 of 59`.
        label: of what.
        section: the id of the section that says more.
        ok: whether it is as it should be.
    """

    number: str
    label: str
    section: str
    ok: bool = True


def figures(report: Mapping[str, Any]) -> list[Figure]:
    """The numbers of a report at a glance; what it lacks is left out."""
    return list(_figures(report))


def _figures(report: Mapping[str, Any]) -> Iterator[Figure]:
    solvers = report.get("solvers")
    rows = solvers.get("rows") if isinstance(solvers, Mapping) else solvers
    proofs = [row["proofs"] for row in rows or () if isinstance(row, Mapping) and row.get("proofs")]
    if proofs and all(isinstance(one, int) for one in proofs):
        by = "one engine" if len(proofs) == 1 else f"{len(proofs)} engines"
        yield Figure(_number(sum(proofs)), f"proofs by {by}", "solvers")
    canaries = report.get("canaries") or ()
    if canaries:
        yield _share(canaries, "ok", "false equations caught", "canaries")
    near = (report.get("neighbours") or {}).get("claims") or ()
    if near:
        refuted, still_open = (sum(row.get(key) or 0 for row in near) for key in ("refuted", "open"))
        yield Figure(_number(refuted), "false neighbours refuted", "neighbours", not still_open)
    campaign = report.get("campaign") or {}
    if isinstance(campaign.get("cases"), int):
        detectors = len(campaign.get("detectors") or ()) or 1
        judged = f"random cases, {detectors} {'detector' if detectors == 1 else 'detectors'}"
        failed = campaign.get("failed")
        said = f"{judged}, {_number(failed) if failed else 'no'} failures"
        yield Figure(_number(campaign["cases"]), said, "campaign", not failed and not campaign.get("error"))
    power = report.get("power") or {}
    if power.get("mutants"):
        killed, mutants = power.get("killed") or 0, power["mutants"]
        yield Figure(f"{killed} of {mutants}", "wrong detectors found", "power", killed == mutants)
    if report.get("detection"):
        yield _share(report["detection"], "agree", "patterns on logs agree", "detection")
    if report.get("errata"):
        yield _share(report["errata"], "as_claimed", f"shown: {counted(report['errata'])}", "errata")


def _share(rows: Sequence[Mapping[str, Any]], key: str, label: str, section: str) -> Figure:
    good = sum(bool(row.get(key)) for row in rows)
    return Figure(f"{good} of {len(rows)}", label, section, good == len(rows))


def _number(value: object) -> str:
    return f"{value:,}".replace(",", "\u202f") if isinstance(value, int) else str(value)
