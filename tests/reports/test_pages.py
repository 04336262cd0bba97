"""Pages of a report in all formats: complete, in order, and nothing in the data becomes markup."""

import copy
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from reports.html import page_html
from reports.junit import junit_xml, page_junit
from reports.markdown import DRAWN, LISTED, page_markdown, page_text
from reports.page import STANDINGS, Entry, Page, Section, duration
from reports.report import report_page
from tests.reports.conftest import Change, at
from tests.reports.formats import read_junit, read_markdown

HERE = Path(__file__).parent

Document = dict[str, Any]


class Shown(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.text, self.inside = "", list[str]()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.inside and self.inside[-1] not in ("script", "style"):
            self.text += data

    @property
    def words(self) -> str:
        return " ".join(self.text.split())


def html(document: Document) -> Shown:
    return Shown(page_html(report_page(document)))


def outcomes(document: Document) -> dict[str, str]:
    """By `suite/name` of each test case, how it ended; each suite has the version, the seed and the command."""
    found = {}
    for suite in read_junit(page_junit(report_page(document))):
        said = {each.get("name"): each.get("value") for each in suite.iter("property")}
        assert said.items() >= {"seed": "0", "z3-solver": "5.4.0", "command": "remora verify --quick"}.items()
        for case in suite.iter("testcase"):
            ended = [child.tag for child in case if child.tag != "system-out"]
            found[f"{suite.get('name')}/{case.get('name')}"] = ended[0] if ended else "passed"
    return found


def failing(proofs: Document) -> Document:
    """The same, with something wrong in each section."""
    proofs["canaries"][0] |= {"ok": False, "standing": "unknown"}
    proofs["checks"][0]["ok"] = False
    proofs["errata"][0]["as_claimed"] = False
    proofs["detection"][0]["agree"] = False
    proofs["claims"][3]["dense_time"] = "refuted"
    proofs["campaign"]["detectors"] = {"batch": {"cases": 9, "failures": 0, "refused": 9, "vacuous": 0}}
    return proofs


FAILED = ("law:2", "canary:1", "vacuous", "theorem-4.5-less", "(fail ; fail)[60] - ok", "figure2", "batch")


@pytest.mark.parametrize("render", [page_html, page_markdown, page_junit, page_text])
def test_everything_that_failed_is_in_every_format_with_its_message(
    proofs: Document, render: Callable[[Page], str]
) -> None:
    page = report_page(failing(proofs))
    names = [entry.name for entry in page.failed]
    assert all(any(name in each for each in names) for name in FAILED)
    text = re.sub(r"\\(.)", r"\1", render(page)).replace("&gt;", ">").replace("&#39;", "'")
    for entry in page.failed:
        assert entry.name in text
        assert entry.message
    for said in ("NOT REFUTED", "the detector took none of 9 cases", "law:2 is refuted", "one solver only"):
        assert said in text


def share(failures: int, refused: int) -> Change:
    ring = {"cases": 9, "vacuous": 0, "failures": failures, "refused": refused}
    return at("campaign", failures=[], detectors={"ring": ring})


CLAIM, CANARY, VERDICT = "Claims/law:14", "False equations/canary:1", "verdict/remora verify"


@pytest.mark.parametrize(
    ("change", "place", "outcome"),
    [
        *((at("claims 0", standing=word), CLAIM, "passed") for word in [*STANDINGS][:6]),
        *((at("claims 0", standing=word), CLAIM, "error") for word in ("unknown", "error")),
        *((at("claims 0", standing=word), CLAIM, "failure") for word in ("refuted", "disagreement")),
        *((at("claims 0", dense_time=word), CLAIM, "passed") for word in ("agreed", "does not carry over")),
        (at("claims 0", dense_time="unknown"), CLAIM, "error"),
        (at("claims 0", dense_time="refuted"), CLAIM, "failure"),
        (at("canaries 0", ok=False, standing="agreed"), CANARY, "failure"),
        (at("canaries 0", ok=False, standing="unknown"), CANARY, "error"),
        (share(1, 0), "Detectors/ring", "failure"),
        (share(0, 9), "Detectors/ring", "error"),
        (share(0, 8), "Detectors/ring", "passed"),
        (at("", campaign={"seed": 0, "cases": 0, "failed": 0, "error": "no Java"}), "Detectors/campaign", "error"),
        (at("verdict", exit_status=0), VERDICT, "passed"),
        (at("verdict", exit_status=1), VERDICT, "failure"),
        *((at("verdict", exit_status=number), VERDICT, "error") for number in range(2, 6)),
    ],
)
def test_each_test_case_ends_as_what_it_is_about(report: Document, change: Change, place: str, outcome: str) -> None:
    change(report)
    assert outcomes(report)[place] == outcome


def test_a_report_with_everything_reads_as_stored() -> None:
    whole = json.loads((HERE / "whole.json").read_text("utf-8"))
    shown = [" ".join(line.split()) for line in html(whole).text.splitlines()]
    assert [line for line in shown if line] == (HERE / "whole.html.txt").read_text("utf-8").splitlines()
    assert page_text(report_page(whole), whole=True) == (HERE / "whole.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 ms"), (0.0001, "< 1 ms"), (0.9999, "1.00 s"), (59.97, "1 min 0 s"), (3700, "1 h 1 min"), (None, ""),
        (float("inf"), "inf"),
    ],
)  # fmt: skip
def test_a_duration_reads_well(seconds: object, text: str) -> None:
    assert duration(seconds) == text


def places(data: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        if isinstance(value, str):
            yield (*path, key)
        else:
            yield from places(value, (*path, key))


FIXED = {"schema", "standing", "expected", "dense_time", "time", "relation", "kind", "started"}
"""Words of a document that are of a few kinds, or by which something is decided."""


def test_hostile_text_in_any_string_changes_no_element_and_no_attribute(proofs: Document) -> None:
    hostile = "</script></style></title></svg></pre><img src=x onerror=alert(1)>\" onclick='x {{ 7 * 7 }}{% raw %}<!--"
    changed = {True: copy.deepcopy(proofs), False: copy.deepcopy(proofs)}
    for path in places(proofs):
        if path[-1] not in FIXED:
            for evil, document in changed.items():
                inner: Any = document
                for step in path[:-1]:
                    inner = inner[step]
                inner[path[-1]] = f"{hostile if evil else 'calm'}{path}"
    page, calm = html(changed[True]), html(changed[False])
    assert page.tags["script"] == page.tags["style"] == 1
    # Long text takes more lines in a drawing; nothing else may change.
    assert page.tags - Counter(text=page.tags["text"]) == calm.tags - Counter(text=calm.tags["text"])
    assert {name for _, name, _ in page.attributes} == {name for _, name, _ in calm.attributes}
    assert hostile in page.text


def test_every_string_of_a_report_is_shown(proofs: Document) -> None:
    shown = html(proofs)
    everything = shown.words + " ".join(value for *_, value in shown.attributes)
    hidden = set()
    for path in places(proofs):
        value: Any = proofs
        for step in path:
            value = value[step]
        if " ".join(value.split()) not in everything and value.replace("_", "") not in everything:
            hidden.add(path[-1])
    assert hidden <= {"schema", "relation", "time", "sha256", "solver", "strategy", "detector", "spark", "master",
                      "direction", "dense_time"}  # fmt: skip


def test_the_page_loads_nothing_and_every_link_has_its_target(proofs: Document) -> None:
    text = page_html(report_page(failing(proofs)))
    page = Shown(text)
    assert not {"link", "img", "iframe", "object", "base"} & page.tags.keys()
    assert not [item for item in page.attributes if item[1] == "src"]
    assert "url(" not in text
    assert "@import" not in text
    assert set(re.findall(r"https?://[^\s\"<]+", text)) == {"http://www.w3.org/2000/svg"}
    assert {value[1:] for _, name, value in page.attributes if name == "href"} <= {
        value for _, name, value in page.attributes if name == "id"
    }


def test_the_verdict_comes_first_then_what_failed_open_and_the_rest_is_folded(report: Document) -> None:
    page = html(report)
    order = ("One claim is refuted.", "1 refuted", "What failed", "Claims", "What this does not say", "More")
    found = [page.words.rindex(each) for each in order[2:]]
    assert page.words.index(order[0]) < page.words.index(order[1]) < found[0]
    assert ("details", "open", "") in page.attributes
    assert "left only ●━━━━━● {a@0, b@1}" in page.words
    titles = [section.title for section in report_page(report).sections if not section.folded]
    assert titles == ["Claims", "Detectors", "Patterns on logs", "What was looked at", "What this does not say"]
    assert page.tags["h1"] == page.tags["main"] == page.tags["nav"] == page.tags["header"] == 1
    assert ("html", "lang", "en") in page.attributes
    assert page_markdown(report_page(report)).splitlines()[:10] == [
        "## ✕ One claim is refuted.", "", "| Standing | Claims |", "|---|---:|", "| ● proved | 40 |",
        "| ✕ refuted | 1 |", "", "- law:2 is refuted", "- Warning: one solver only", "",
    ]  # fmt: skip


def test_drawings_and_lines_beyond_the_limit_are_counted(report: Document, failure: Document) -> None:
    report["claims"] = [
        {"id": f"law:{n}", "statement": "A | A == A", "standing": "unknown", "reason": "z3 gave up: time"}
        for n in range(LISTED + 2)
    ]
    text = page_markdown(report_page(report))
    assert text.count("z3 gave up: time") == LISTED
    assert "2 more are in the report." in text
    regressions = {"tried": 9, "failures": [{**failure, "regression": "0123", "replay": ""}]}
    report["campaign"] |= {"failures": [], "regressions": regressions}
    text = page_markdown(report_page(report))
    assert "expected only" in text and "stored: regression 0123" in text
    report["campaign"]["regressions"] = None
    detectors = [f"d{n}" for n in range(DRAWN + 3)]
    report["claims"] = []
    report["campaign"]["failures"] = [{**failure, "detector": name} for name in detectors]
    text = page_markdown(report_page(report))
    assert text.count("```text\n") == DRAWN
    assert "3 more are in the report." in text


def test_hostile_text_is_neither_markup_nor_a_mention(report: Document) -> None:
    hostile = "1. x ````\n# x <script> | x | @someone </details> \x1b[31m\n    x\n---"
    report["claims"][1]["kind"] = "law"
    plain = read_markdown(page_markdown(report_page(report)))
    report["verdict"] |= {"summary": hostile, "problems": [hostile]}
    report["warnings"] = [hostile]
    report["claims"][1] |= {"id": hostile, "statement": hostile, "reading": hostile}
    report["claims"][1]["counterexample"]["statement"] = hostile
    report["claims"][1]["counterexample"]["trace"][0] |= {"event": hostile, "value": hostile}
    (failure,) = report["campaign"]["failures"]
    failure |= {"detail": hostile, "relation": hostile, "detector": hostile, "kind": hostile, "replay": hostile}
    report["environment"] = {"python": hostile, "packages": {hostile: hostile}}
    report["checks"][0] |= {"what": hostile, "detail": hostile}
    text = page_markdown(report_page(report))
    page = read_markdown(text)
    assert len(page.headings) == len(plain.headings)
    assert len(page.fences) == len(plain.fences)
    assert [len(rows) for rows in page.tables] == [len(rows) for rows in plain.tables]
    assert "\x1b" not in text + page_text(report_page(report))
    assert "@someone" not in page.words


OUTCOMES = st.sampled_from(["passed", "failure", "error", "skipped"])
TEXTS = dict.fromkeys(("name", "group", "standing", "statement", "said", "message"), st.text())
ENTRIES = st.builds(Entry, outcome=OUTCOMES, seconds=st.floats(0, 1e6), **TEXTS)


@settings(max_examples=40)
@given(st.lists(st.lists(ENTRIES, max_size=4), max_size=3), st.dictionaries(st.text(), st.text(), max_size=2))
def test_any_text_makes_a_document_of_the_common_shape(suites: list[list[Entry]], properties: dict[str, str]) -> None:
    sections = [Section(title=str(n), entries=tuple(entries)) for n, entries in enumerate(suites)]
    root = read_junit(junit_xml("any", sections, properties, {}))
    assert len(list(root.iter("testcase"))) == sum(map(len, suites))
