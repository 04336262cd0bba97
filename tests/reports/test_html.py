"""The HTML report: complete, self-contained, and nothing in the data becomes markup."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from reports.sections.claims import CARRIES_NOT_OVER, NOT_CLAIMED
from reports.sections.standings import STANDINGS, in_order
from reports.writing.html import count, duration, formula, render_html
from tests.browser.everything import full_report


class Page(HTMLParser):
    """The elements, attributes and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.text: list[str] = []
        self.inside: list[str] = []
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
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join("".join(self.text).split())

    def ids(self) -> list[str]:
        return [value for _, name, value in self.attributes if name == "id"]


def strings(data: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where the strings of a report are."""
    if isinstance(data, str):
        yield path
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from strings(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from strings(value, (*path, index))


NAMES_ARE_DATA = (
    *("counts", "substitution", "bounds", "packages", "operators", "streams"),
    *("detectors", "deaths", "altered"),
)


def replaced(data: Any, hostile: str) -> Any:
    """The report with every string, and every name that is data, replaced."""
    if isinstance(data, str):
        return hostile
    if isinstance(data, list):
        return [replaced(item, hostile) for item in data]
    if isinstance(data, dict):
        return {
            key: {hostile: replaced(next(iter(value.values())), hostile)}
            if key in NAMES_ARE_DATA
            else replaced(value, hostile)
            for key, value in data.items()
        }
    return data


HOSTILE = [
    "<script>alert(1)</script>",
    "</script><b>",
    "</style><img src=x onerror=alert(1)>",
    '" onclick="x',
    "' a='",
]
HOSTILE += ["{{ 7 * 7 }}{% raw %}{#", "<!--", "]]>", "&amp;lt;", "</title></svg></pre>"]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_in_every_string_changes_no_element_and_no_attribute(hostile: str) -> None:
    everything = full_report()
    del everything["side_by_side"]  # its expressions are evaluated; see test_separating_cases.py
    page, calm = (Page(render_html(replaced(everything, text))) for text in (hostile, "calm"))
    assert page.tags["script"] == calm.tags["script"] == 1
    assert page.tags["style"] == 1
    # Long text takes more lines in a drawing, and stands where there is room; nothing else may change.
    assert page.tags - Counter({"text": page.tags["text"]}) == calm.tags - Counter(
        {"text": calm.tags["text"]}
    )
    assert {name for _, name, _ in page.attributes} == {name for _, name, _ in calm.attributes}
    assert hostile in "".join(page.text)


def test_every_string_of_a_report_is_shown() -> None:
    proofs = full_report()
    proofs["axioms"]["rows"][0]["detail"] = "what is not said of an axiom"  # the other is shown as a sign
    del proofs["throughput"]["schema"], proofs["throughput"]["scaling"][0]["pattern"]
    for group in proofs["campaign"]["coverage"]["groups"]:
        group["never"] = [name.removeprefix(f"{group['group']}:") for name in group["never"]]
    shown = Page(render_html(proofs))
    everything = shown.words + " ".join(value for *_, value in shown.attributes)
    hidden = set()
    for path in strings(proofs):
        value: Any = proofs
        for step in path:
            value = value[step]
        plain = value.replace("==", "≡").replace("T08", " 08").replace("+00:00", " UTC").replace("_", "")
        plain = plain.replace(CARRIES_NOT_OVER, NOT_CLAIMED)
        if value not in everything and plain not in everything:
            hidden.add(path[-1])
    assert hidden <= {"kind", "relation", "name", "id", "origin", "time"}


def test_the_page_loads_nothing(proofs: dict[str, Any]) -> None:
    html = render_html(proofs)
    page = Page(html)
    assert not {"link", "img", "iframe", "object", "base"} & page.tags.keys()
    assert not [item for item in page.attributes if item[1] == "src"]
    assert {value[0] for _, name, value in page.attributes if name == "href"} == {"#"}
    assert "url(" not in html
    assert "@import" not in html
    assert set(re.findall(r"https?://[^\s\"<]+", html)) == {"http://www.w3.org/2000/svg"}


def test_every_link_has_a_target_and_every_id_is_unique(proofs: dict[str, Any]) -> None:
    page = Page(render_html(proofs))
    assert {value[1:] for _, name, value in page.attributes if name == "href"} <= set(page.ids())
    assert len(page.ids()) == len(set(page.ids()))


def test_an_empty_report_renders() -> None:
    assert "No verdict was recorded" in Page(render_html({})).words


@pytest.mark.long
def test_a_report_with_one_section_renders_and_one_without_it_too(proofs: dict[str, Any]) -> None:
    for name in proofs:
        assert Page(render_html({name: proofs[name]})).tags["main"] == 1
        assert (
            Page(render_html({key: value for key, value in proofs.items() if key != name})).tags["main"] == 1
        )
        assert Page(render_html({**proofs, name: None})).tags["main"] == 1


def test_claims_and_failures_without_details_render(report: dict[str, Any]) -> None:
    partial = {
        "claims": [{"id": "law:1", "statement": "A | A == A", "standing": "error"}],
        "canaries": [{"id": "canary:1", "ok": True}],
        "campaign": {"failures": [{"case": 1}], "operators": {}},
        "stages": [{"name": "laws"}],
        "detection": [{}],
        "checks": [{}],
    }
    assert "Nothing was run for this claim." in Page(render_html(partial)).words


def test_the_verdict_and_its_counts_come_first(report: dict[str, Any]) -> None:
    words = Page(render_html(report)).words
    assert words.index("One claim is refuted.") < words.index("40 proved") < words.index("1 refuted")
    assert words.index("1 refuted") < words.index("What was run") < words.index("Claims Each row")


def test_a_canary_that_was_not_refuted_is_an_alarm_at_the_top_whatever_the_verdict(
    report: dict[str, Any],
) -> None:
    assert "NOT REFUTED" not in render_html(report)
    report["verdict"] = {"exit_status": 0, "summary": "All as claimed."}
    report["canaries"][0] |= {"ok": False, "standing": "unknown", "counterexample": None}
    html = render_html(report)
    words = Page(html).words
    assert "1 of 1 canaries was not refuted." in words
    assert words.index("1 of 1 canaries was not refuted.") < words.index("What was run")
    assert "NOT REFUTED" in words
    assert '<section class="verdict bad"' in html
    assert "<title>A canary was not refuted" in html


def test_a_refuted_claim_is_open_and_shows_its_counterexample_drawn_and_as_text(
    report: dict[str, Any],
) -> None:
    page = Page(render_html(report))
    assert ("details", "open", "") in page.attributes
    assert page.tags["svg"] == 3
    assert "left only ●━━━━━● {a@0, b@1}" in page.words


def test_a_standing_has_a_symbol_beside_its_word() -> None:
    page = Page(render_html({"claims": [{"id": "law:1", "standing": word} for word in STANDINGS]}))
    for standing in STANDINGS.values():
        assert f"{standing.symbol} {standing.word}" in page.words
    assert len({standing.symbol for standing in STANDINGS.values()}) == len(STANDINGS)


def test_standings_are_in_the_order_of_strength_with_unknown_words_last() -> None:
    found = in_order(["zeal", "refuted", "proved", "refuted", "certified"])
    assert [standing.word for standing in found] == ["certified", "proved", "refuted", "zeal"]


def test_tables_have_captions_and_headings_and_the_page_has_landmarks(proofs: dict[str, Any]) -> None:
    page = Page(render_html(proofs))
    assert page.tags["caption"] == page.tags["thead"] == page.tags["table"]
    assert page.tags["h1"] == page.tags["main"] == page.tags["nav"] == page.tags["header"] == 1
    assert ("a", "href", "#main") in page.attributes
    assert ("html", "lang", "en") in page.attributes


def test_an_equation_is_typeset_and_a_sentence_is_left_alone() -> None:
    assert str(formula("A | B <= B[t]")) == (
        '<span class="formula"><var>A</var> ∨ <var>B</var> <span class="relation">⊆</span>'
        " <var>B</var>[<var>t</var>]</span>"
    )
    assert str(formula('"a|b" | c == c')) == (
        '<span class="formula">&#34;a|b&#34; ∨ <var>c</var> <span class="relation">≡</span> <var>c</var></span>'
    )
    assert str(formula("For every S & T")) == "For every S &amp; T"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 ms"),
        (0.0001, "< 1 ms"),
        (0.01, "10 ms"),
        (0.9999, "1.00 s"),
        (1.2, "1.20 s"),
        (61.2, "1 min 1 s"),
        (59.97, "1 min 0 s"),
        (3700, "1 h 1 min"),
        (None, ""),
        ("soon", "soon"),
        (float("inf"), "inf"),
    ],
)
def test_a_duration_reads_well(seconds: object, text: str) -> None:
    assert duration(seconds) == text


def test_a_number_has_its_digits_in_groups() -> None:
    assert count(2097152) == "2\u202f097\u202f152"
    assert count("many") == "many"


def channel(value: int) -> float:
    scaled = value / 255
    return scaled / 12.92 if scaled <= 0.04045 else ((scaled + 0.055) / 1.055) ** 2.4


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    red, green, blue = (channel(int(digits[at : at + 2], 16)) for at in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_text_has_a_contrast_of_at_least_four_and_a_half_in_both_schemes() -> None:
    schemes = re.findall(r":root \{(.*?)\}", render_html({}), re.DOTALL)
    assert len(schemes) == 3
    for scheme in schemes:
        colours = dict(re.findall(r"--([\w-]+): (#\w+);", scheme))
        for tone in ("ink", "quiet", "link", "good", "bounded", "open", "bad", "failed"):
            for paper in ("paper", "raised", f"{tone}-paper"):
                if paper in colours:
                    light, dark = sorted((luminance(colours[tone]), luminance(colours[paper])), reverse=True)
                    assert (light + 0.05) / (dark + 0.05) >= 4.5, (tone, paper, scheme)
