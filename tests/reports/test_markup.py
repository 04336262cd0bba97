"""Markdown: any text is seen as it is, and is nothing but text."""

from hypothesis import example, given, settings, strategies as st

from reports.markdown import code, code_cell, fenced, folded, one_line, prose, table
from tests.reports.formats import read_markdown

NASTY = st.text(st.sampled_from("`|\\<>&*_[]()#-+=~$@!:;1. \n\tab{}\x1b\u2028\x00"), max_size=12) | st.text()


@settings(max_examples=30)
@given(NASTY)
@example("---")
@example("1. x")
@example("\\|")
@example("`` ` ``")
def test_prose_is_a_paragraph_that_says_the_text(text: str) -> None:
    page = read_markdown(f"{prose(text)}\n")
    seen = " ".join(page.words.replace("\u200b", "").split())
    assert seen == " ".join(one_line(text).replace("\u200b", "").split())
    assert not page.headings and not page.tables and not page.fences


@settings(max_examples=30)
@given(st.lists(st.tuples(NASTY, NASTY), min_size=1, max_size=3))
def test_a_table_has_the_cells_that_it_is_given(rows: list[tuple[str, str]]) -> None:
    lines = table(("a", "b"), [(prose(left), code_cell(right)) for left, right in rows])
    (found,) = read_markdown("\n".join(lines)).tables
    assert len(found) == len(rows) + 1
    for (left, right), cells in zip(rows, found[1:], strict=True):
        assert "".join(cells[0].replace("\u200b", "").split()) == "".join(one_line(left).replace("\u200b", "").split())
        assert "".join(cells[1].split()) == "".join(one_line(right).split())


@given(NASTY)
def test_code_and_fences_show_the_text(text: str) -> None:
    page = read_markdown("\n".join([*fenced(text, "text"), "", f"x {code(text)}", ""]))
    assert len(page.fences) == 1
    assert not page.headings and not page.tables
    shown = "".join(each if each.isprintable() or each.isspace() else "\ufffd" for each in text)
    assert "".join(page.fences[0].split()) == "".join(shown.split())


@given(NASTY)
def test_a_title_that_folds_is_no_markup(title: str) -> None:
    page = read_markdown("\n".join(folded(title, ["inside", ""])))
    assert "inside" in page.words
    assert not page.headings


def test_nothing_folds_around_nothing() -> None:
    assert list(folded("title", [])) == []
    assert table(("a",), []) == []
