"""How the values of the interface show themselves: the same in text and HTML, and no markup by what was given."""

import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import remora
from remora.api.cards import Shown
from remora.api.notebook import expression_html, load_ipython_extension, unload_ipython_extension
from reports.drawing.layout import plain

ROOT = Path(__file__).parent.parent.parent
HOSTILE = "<script>alert('x')</script>&\"\x1b[31m"
LOG = remora.trace({"a": [(1, HOSTILE), 4], "b": [2, (7, HOSTILE)]})

VALUES: dict[str, Callable[[], Shown]] = {
    "trace": lambda: LOG,
    "named trace": lambda: remora.Trace(LOG.occurrences, HOSTILE, (HOSTILE,)),
    "instances": lambda: remora.evaluate("a ; b", LOG),
    "same": lambda: remora.equivalent("b | (a ; b)", "b"),
    "apart": lambda: remora.equivalent("a ; b", "b ; a"),
    "explanation": lambda: remora.explain("a ; (b + c)"),
    "formulas": lambda: remora.explain("(a ; b)[t]"),
    "checks": lambda: remora.check("A | A == A", "A + A == A", examples=2),
    "proofs": lambda: remora.prove("law:1", "A + A == A"),
    "judgement": lambda: remora.judge("figure4", cases=2),
    "failure": lambda: remora.judge("mutant:seq-newest", cases=2),
}


@pytest.fixture(scope="module")
def shown() -> dict[str, Shown]:
    return {name: make() for name, make in VALUES.items()}


class Page(HTMLParser):
    """The elements of a document and its words."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in {"br", "rect", "circle", "line"}:
            self.open.append(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        if tag not in {"rect", "circle", "line"}:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words += f" {data}"


def page(document: str) -> Page:
    found = Page()
    found.feed(document)
    assert not found.open
    return found


@pytest.mark.parametrize("name", VALUES)
def test_text_says_what_html_says_and_nothing_given_acts_as_markup(shown: dict[str, Shown], name: str) -> None:
    value = shown[name]
    text, document = str(value), page(value._repr_html_())
    assert "script" not in document.tags
    assert name != "instances" or "alert" in document.words, "what is hostile is there as text"
    assert repr(value) == text
    assert "\x1b" not in text + value._repr_html_()
    assert all(len(line) <= 100 for line in text.splitlines() if line.startswith(("time", "instance")))
    card = value.card()
    said = [card.heading, *card.lines, *(fact for _, fact in card.facts), *card.notes]
    said += [] if card.mark is None else [card.mark.word]
    for each in (" ".join(plain(one).split()) for one in said):
        assert each in " ".join(text.split()) and each in " ".join(document.words.split())


def rows_of(drawn: str) -> dict[str, int]:
    """The labels of a timeline, each with the number of dots until the next label."""
    rows, label = dict[str, int](), ""
    for each in ElementTree.fromstring(drawn).iter():
        kind = each.tag.rsplit("}")[-1]
        if kind == "text" and each.get("x") == "0.0":
            label = (each.text or "").strip()
            rows.setdefault(label, 0)
        elif kind == "circle":
            rows[label] += 1
    return rows


def test_a_plot_has_a_row_for_each_type_also_those_that_must_not_occur(tmp_path: Path) -> None:
    pairs = [10 * number + late for number in range(12) for late in (0, 1)]
    found = remora.detect("(a ; a)[2] - no", {"a": pairs, "b": [1], "no": [5, 999]})
    drawn = found.plot()
    rows = rows_of(drawn._repr_svg_())
    assert rows["a"] == 16, "until the end of the eighth, the last one that is drawn"
    assert rows["no"] == 1, "between two that are drawn"
    assert "b" not in rows
    assert rows_of(remora.detect("(a ; a) - never", {"a": [1, 2]}).plot().svg)["never"] == 0
    for name in ("found.svg", "found.html"):
        drawn.save(tmp_path / name)
        assert drawn.svg in (tmp_path / name).read_text("utf-8")
    with pytest.raises(remora.InputError, match=r"\.svg or \.html"):
        drawn.save(tmp_path / "found.png")


def test_an_expression_is_shown_with_its_tree_unless_that_is_too_deep() -> None:
    shown = page(expression_html(remora.parse("((fail ; fail)[60] ; ok)[120] - lock"))).words
    assert {"[60]", "[120]", "└─", "fail", "sequence"} <= set(shown.split())
    deep = remora.parse(" | ".join(["a"] * 20))
    assert "a | a" in page(expression_html(deep)).words
    assert "└─" not in page(expression_html(deep)).words


def test_in_ipython_expressions_are_drawn_and_mistakes_have_no_traceback() -> None:
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell()
    load_ipython_extension(shell)
    try:
        shown = shell.display_formatter.format(remora.parse("a ; b"))[0]
        assert shown["text/plain"] == "a ; b"
        assert "└─ b" in shown["text/html"]
        error = remora.InputError("wrong", place="here", remedy="Do it right.")
        assert error._render_traceback_() == ["InputError: here: wrong\n  Do it right."]  # which IPython asks for
    finally:
        unload_ipython_extension(shell)
    assert "text/html" not in shell.display_formatter.format(remora.parse("a ; b"))[0]


def test_importing_remora_brings_nothing_of_ours_and_no_library() -> None:
    script = "import sys; before = set(sys.modules); import remora; print(*set(sys.modules) - before)"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {name.partition(".")[0] for name in run.stdout.split()} - sys.stdlib_module_names == {"remora"}


def test_every_name_is_there_and_documented() -> None:
    assert set(remora.__all__) == {"__version__", *remora._MODULE_OF}
    for name in remora.__all__:
        assert name in dir(remora)
        assert name == "__version__" or (getattr(remora, name).__doc__ or "").strip(), name


def a_program_of_a_user() -> None:
    """Is type-checked strictly with everything else (`make check`): what is wrong in it has to be complained about."""
    log: remora.Trace = remora.read_trace(Path("log.csv"), same_time="first")
    found: remora.Found[remora.Instance] = remora.detect("a ; b", log)
    spans: remora.Found[remora.Interval] = remora.detect("a ; b", {"a": [1, 2], "b": [(3, "x")]}, intervals=True)
    starts: list[int] = [each.start for each in found[1:]] or [each.start for each in spans]
    same: bool | None = remora.equivalent("a", "b", up_to="intervals").holds
    proof: remora.Proof = remora.prove("A + B == B + A")[0]
    standing: remora.Standing = remora.judge("figure4", on=[("a ; b", log)]).standing
    assert remora.explain("a[t]", bounds={"t": 3}).bounded and starts and same and proof and standing
    ends: list[str] = [each.end for each in found]  # type: ignore[misc]
    assert ends or remora.equivalent("a", "b", up_to="x")  # type: ignore[arg-type]
