"""JUnit XML, as the tools of continuous integration read it, in the shape of `junit-10.xsd` (pytest's `xunit2`)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree import ElementTree

from reports.drawing.layout import Timeline
from reports.drawing.timeline import to_text
from reports.page import Code, Entry, Outcome, Page, Section

_COUNTED: dict[Outcome, str] = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def page_junit(page: Page) -> str:
    """A page: a suite for each section with entries, a test case for each entry, and one for the verdict."""
    outcome: Outcome = {"good": "passed", "open": "error", "failed": "error"}.get(page.tone, "failure")  # type: ignore[assignment]
    text = "\n".join(page.problems)
    judged: dict[str, Any] = {"standing": page.meaning, "said": page.summary, "outcome": outcome}
    judged |= {"message": "" if outcome == "passed" else page.summary or page.meaning}
    verdict = Entry(name=page.name, group="verdict", blocks=(Code(text),) if text else (), **judged)
    sections = (Section(title="verdict", entries=(verdict,)), *page.sections)
    return junit_xml(page.name, sections, {**page.properties, "command": page.command}, {})


def junit_xml(
    name: str, sections: Iterable[Section], properties: Mapping[str, str], seconds: Mapping[str, float]
) -> str:
    """Sections with entries as suites of test cases; `seconds` says how long some took, else their entries do."""
    suites = {
        each.title: (each.entries, seconds.get(each.title, sum(entry.seconds for entry in each.entries)))
        for each in sections
        if each.entries
    }
    root = ElementTree.Element("testsuites", name=_xml(name))
    counts = _counts(entry for entries, _ in suites.values() for entry in entries)
    del counts["skipped"]  # which the schema has not here
    root.attrib |= {**counts, "time": f"{sum(took for _, took in suites.values()):.3f}"}
    for title, (entries, took) in suites.items():
        attributes = {"name": _xml(title), **_counts(entries), "time": f"{took:.3f}"}
        suite = ElementTree.SubElement(root, "testsuite", attributes)
        if properties:
            listed = ElementTree.SubElement(suite, "properties")
        for key, value in properties.items():
            if value:
                ElementTree.SubElement(listed, "property", name=_xml(key), value=_xml(value))
        for entry in entries:
            _add(suite, entry)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _add(suite: ElementTree.Element, entry: Entry) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", name=_xml(entry.name), classname=_xml(entry.group), time=f"{entry.seconds:.3f}"
    )
    if entry.outcome == "skipped":
        ElementTree.SubElement(case, "skipped", message=_xml(entry.message))
    elif entry.outcome != "passed":
        told = {"type": _xml(entry.standing), "message": _xml(entry.message or entry.said)}
        drawn = (to_text(each) for each in entry.blocks if isinstance(each, Timeline))
        written = (each.text for each in entry.blocks if isinstance(each, Code))
        ElementTree.SubElement(case, entry.outcome, told).text = _xml("\n".join([*drawn, *written]))
    said = "\n".join(filter(None, (entry.statement, entry.said)))
    if said:
        ElementTree.SubElement(case, "system-out").text = _xml(said)


def _counts(entries: Iterable[Entry]) -> dict[str, str]:
    found = Counter(entry.outcome for entry in entries)
    return {"tests": str(found.total()), **{attribute: str(found[outcome]) for outcome, attribute in _COUNTED.items()}}


def _xml(text: str) -> str:
    """A text without the characters that XML cannot have."""
    return re.sub("[^\t\n\\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
