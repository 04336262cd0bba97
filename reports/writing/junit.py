"""JUnit XML: test suites of test cases, as the tools of continuous integration read them.

The shape is that of the XML schema which Jenkins publishes (`junit-10.xsd`, also that of pytest's `xunit2`): properties
belong to a suite, what is to be said of a test case that passed stands in its `system-out`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from xml.etree import ElementTree

Outcome: TypeAlias = Literal["passed", "failure", "error", "skipped"]
"""Failure: something is wrong. Error: it is not known whether something is wrong. Skipped: it was not run."""

_COUNTED = {"failure": "failures", "error": "errors", "skipped": "skipped"}


@dataclass(frozen=True)
class TestCase:
    """One test case.

    Attributes:
        group: the `classname`, by which tools arrange test cases, such as the name of a detector.
        said: what is to be known of it, however it ended.
    """

    __test__ = False  # it is no test of pytest's

    name: str
    group: str
    outcome: Outcome = "passed"
    kind: str = ""
    message: str = ""
    text: str = ""
    said: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Suite:
    """Test cases that belong together.

    Attributes:
        seconds: how long they took together; None for the sum of what each took.
    """

    name: str
    cases: Sequence[TestCase]
    properties: Mapping[str, object] = field(default_factory=dict)
    seconds: float | None = None


def junit_xml(name: str, suites: Iterable[Suite]) -> str:
    """The document; suites without test cases are left out."""
    root = ElementTree.Element("testsuites", name=name)
    shown = [suite for suite in suites if suite.cases]
    for attribute, number in _counts(case for suite in shown for case in suite.cases).items():
        if attribute != "skipped":  # of which the schema has none here
            root.set(attribute, number)
    root.set("time", _seconds(sum(map(_duration, shown))))
    for suite in shown:
        _add_suite(root, suite)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _add_suite(root: ElementTree.Element, suite: Suite) -> None:
    element = ElementTree.SubElement(root, "testsuite", {"name": _xml(suite.name), **_counts(suite.cases)})
    element.set("time", _seconds(_duration(suite)))
    if suite.properties:
        properties = ElementTree.SubElement(element, "properties")
        for key, value in suite.properties.items():
            ElementTree.SubElement(properties, "property", name=_xml(key), value=_xml(str(value)))
    for case in suite.cases:
        _add_case(element, case)


def _add_case(suite: ElementTree.Element, case: TestCase) -> None:
    element = ElementTree.SubElement(
        suite, "testcase", name=_xml(case.name), classname=_xml(case.group), time=_seconds(case.seconds)
    )
    if case.outcome == "skipped":
        ElementTree.SubElement(element, "skipped", message=_xml(case.message))
    elif case.outcome != "passed":
        told = ElementTree.SubElement(element, case.outcome, type=_xml(case.kind), message=_xml(case.message))
        told.text = _xml(case.text)
    if case.said:
        ElementTree.SubElement(element, "system-out").text = _xml(case.said)


def _counts(cases: Iterable[TestCase]) -> dict[str, str]:
    found = Counter(case.outcome for case in cases)
    counted = {attribute: str(found[outcome]) for outcome, attribute in _COUNTED.items()}  # type: ignore[index]
    return {"tests": str(found.total()), **counted}


def _duration(suite: Suite) -> float:
    return sum(case.seconds for case in suite.cases) if suite.seconds is None else suite.seconds


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def _xml(text: str) -> str:
    """A text without the characters that XML cannot have."""
    return "".join(each if _allowed(each) else "\ufffd" for each in text)


def _allowed(character: str) -> bool:
    number = ord(character)
    return character in "\t\n" or 0x20 <= number < 0xD800 or 0xE000 <= number < 0xFFFE or number > 0xFFFF
