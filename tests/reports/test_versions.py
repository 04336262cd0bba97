"""Which code a report is about."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reports.results.report import Code
from reports.schemas import complaint
from reports.sections.versions import version_of
from reports.writing.html import render_html
from reports.writing.junit_report import report_junit
from reports.writing.markdown import render_markdown
from tests.reports.formats import read_junit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def checked_out(report: dict[str, Any]) -> dict[str, Any]:
    return {**report, "code": {"commit": COMMIT, "changed": True}}


def test_a_changed_checkout_is_named_in_every_rendering(checked_out: dict[str, Any]) -> None:
    said = "0.1.0 (commit 0123456789ab, changed since)"
    assert f"Remora {said}" in render_markdown(checked_out)
    assert said in render_html(checked_out)
    properties = {
        each.get("name"): each.get("value") for each in read_junit(report_junit(checked_out)).iter("property")
    }
    assert (properties["commit"], properties["remora"]) == (COMMIT, "0.1.0")
    assert complaint("remora/report/1", json.loads(json.dumps(checked_out))) is None


def test_a_commit_that_is_not_known_is_not_said() -> None:
    assert version_of("0.1.0", Code()) == "0.1.0"
    assert version_of("0.1.0", Code(COMMIT)) == "0.1.0 (commit 0123456789ab)"
