"""Version of the code that a report is about, in words."""

from __future__ import annotations

from reports.results.report import Code

SHOWN = 12
"""So many digits of a commit are shown; all of them are in the data."""


def version_of(version: str, code: Code) -> str:
    """The version, and where it ran from a checkout the commit: `0.1.0 (commit 1f2e…, changed since)`."""
    if not code:
        return version
    return f"{version} (commit {code.commit[:SHOWN]}{', changed since' if code.changed else ''})"
