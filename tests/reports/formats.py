"""Readers of the formats that other tools take, which accept nothing that those would refuse."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

from markdown_it import MarkdownIt

_RESULT = {"message", "type"}

_ELEMENTS: Mapping[str, tuple[set[str], set[str], set[str]]] = {
    # By element: the attributes that it must have, those that it may have, and its children; as in junit-10.xsd.
    "testsuites": (set(), {"name", "tests", "failures", "errors", "time"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"skipped", "time", "timestamp", "hostname", "id", "package"},
        {"properties", "testcase", "system-out", "system-err"},
    ),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, set(), set()),
    "testcase": ({"name", "classname"}, {"time"}, {"skipped", "error", "failure", "system-out", "system-err"}),
    "skipped": (set(), {"message"}, set()),
    "error": (set(), _RESULT, set()),
    "failure": (set(), _RESULT, set()),
    "system-out": (set(), set(), set()),
    "system-err": (set(), set(), set()),
}


def read_junit(text: str) -> ElementTree.Element:
    """The root of a document of the common shape, whose counts are those of its test cases."""
    root = ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    for element in root.iter():
        must, may, children = _ELEMENTS[element.tag]
        assert must <= set(element.attrib) <= must | may, (element.tag, element.attrib)
        assert {child.tag for child in element} <= children, element.tag
        if "time" in element.attrib:
            assert float(element.attrib["time"]) >= 0
    for suite in (root, *root.iter("testsuite")):
        cases = list(suite.iter("testcase"))
        found = Counter(child.tag for case in cases for child in case)
        assert int(suite.attrib["tests"]) == len(cases)
        counted = {"failures": "failure", "errors": "error", "skipped": "skipped"}
        for attribute, tag in counted.items():
            assert int(suite.get(attribute, found[tag])) == found[tag], (suite.attrib, tag)
        for case in cases:
            assert sum(child.tag in counted.values() for child in case) <= 1
    return root


_FOLD = re.compile(r"</?(details|summary)>")


@dataclass
class Page:
    """What a reader of Markdown sees; the words are all text that is no code."""

    headings: list[str] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)
    fences: list[str] = field(default_factory=list)
    words: str = ""


def read_markdown(text: str) -> Page:
    """The page as the tables and fences of GitHub's Markdown; there is no HTML in it but what folds."""
    page = Page()
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for number, token in enumerate(tokens):
        match token.type:
            case "heading_open":
                page.headings.append(_seen(tokens[number + 1]))
            case "table_open":
                page.tables.append([])
            case "tr_open":
                page.tables[-1].append([])
            case "th_open" | "td_open":
                page.tables[-1][-1].append(_seen(tokens[number + 1]))
            case "fence":
                page.fences.append(token.content)
            case "html_block":
                left = _FOLD.sub("", token.content)
                assert "<" not in left and ">" not in left, token.content
                page.words += left
            case "inline":
                page.words += _seen(token, code=False) + "\n"
            case "code_block" | "hr" | "ordered_list_open" | "blockquote_open":
                raise AssertionError(f"{token.type} by accident: {token.content!r}")
            case "bullet_list_open" if token.level:
                raise AssertionError("a list within a list by accident")
    for rows in page.tables:
        assert len({len(row) for row in rows}) == 1
    return page


def _seen(inline: Any, *, code: bool = True) -> str:
    kinds = {token.type for token in inline.children}
    assert kinds <= {"text", "code_inline", "softbreak", "strong_open", "strong_close", "text_special"}, kinds
    return "".join(token.content for token in inline.children if code or token.type != "code_inline")


def undocumented(document: Any, known: Any, path: str = "") -> list[str]:
    """The places of a document that its declaration does not know, by the value that was made of it."""
    if isinstance(document, Mapping):
        found = [] if isinstance(known, Mapping) else [path]
        for key, value in document.items() if isinstance(known, Mapping) else ():
            here = f"{path}.{key}"
            found += undocumented(value, known[key], here) if key in known else [here]
        return found
    if isinstance(document, list) and isinstance(known, list | tuple):
        pairs = zip(document, known, strict=True)
        return [place for one, other in pairs for place in undocumented(one, other, f"{path}[]")]
    return []
