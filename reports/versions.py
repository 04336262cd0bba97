"""Which code a report is about, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHOWN = 12
"""So many digits of a commit are shown; all of them are in the data."""


def version_of(report: Mapping[str, Any]) -> str | None:
    """The version, and where it ran from a checkout the commit: `0.1.0 (commit 1f2e…, changed since)`.

    Args:
        report: a document with `remora`, its version, and perhaps `code`.
    """
    code = report.get("code") or {}
    parts = [f"commit {str(code['commit'])[:SHOWN]}"] if code.get("commit") else []
    if parts and code.get("changed"):
        parts.append("changed since")
    said = [str(report["remora"])] if report.get("remora") is not None else []
    return " ".join([*said, *([f"({', '.join(parts)})"] if parts else [])]) or None
