"""Each checker of the documentation is given a page that is wrong, and complains."""

from pathlib import Path

import pytest

from tests.documentation import reading
from tests.documentation.pages import Block, blocks, carried_out, masked


def test_a_remark_that_stands_alone_and_a_block_without_an_end_are_refused() -> None:
    with pytest.raises(ValueError, match="line 3: a remark"):
        blocks("<!-- file: a.csv -->\n\nSome text.\n\n```\n```\n")
    with pytest.raises(ValueError, match="line 2: the block is not closed"):
        blocks("```bash\nremora laws\n")


def test_seconds_and_work_are_masked_and_nothing_else() -> None:
    row = "law:1  ◉ agreed    0.010  1,234  A == A"
    assert masked(row) == masked("law:1  ◉ agreed   10.500     99  A == A")
    assert masked(row) != masked("law:1  ● proved    0.010  1,234  A == A")
    assert masked(row) != masked("law:1  ◉ agreed    0.010  1,234  A == B")


WRONG = [
    "```console\n$ echo one\ntwo\n```\n",
    "```console\n$ echo error >&2\n```\n",
    "```bash\nfalse\n```\n",
    "```python\nraise ValueError\n```\n",
    "```python\nprint(1 + 1)  # 3\n```\n",
    "```python\nprint(1 + 1)\n```\n",
    "```python\nprint(2)\n```\n\nIt prints\n\n```\n3\n```\n",
    "```diff\n--- a/file\n+++ b/file\n@@ -1 +1 @@\n-one\n+two\n```\n",
]
RIGHT = [
    "```console\n$ echo one\none\n$ echo two >&2\ntwo\n$ echo three \\\n> four\nthree four\n```\n",
    "```bash\ntrue\n```\n\n<!-- not run: it would fail -->\n```bash\nfalse\n```\n",
    "```python\nprint(1 + 1)  # 2\nprint(3)  # 3\nx = 1\n```\n\n```python\nprint(x)  # 1\n```\n",
    "```python\nprint(2)\n```\n\nIt prints\n\n```\n2\n```\n",
    "<!-- file: a -->\n```\n1\n```\n\n<!-- added to: a -->\n```\n2\n```\n\n```console\n$ cat a\n1\n\n2\n```\n",
    "<!-- file: a -->\n```\n1\n```\n\n```diff\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n```\n\n"
    "```console\n$ cat a\n2\n```\n",
]


@pytest.mark.parametrize(("page", "wrong"), [*((page, 1) for page in WRONG), *((page, 0) for page in RIGHT)])
def test_a_page_that_says_what_is_not_so_is_found_out_and_no_other(page: str, wrong: int, tmp_path: Path) -> None:
    assert len(list(carried_out(blocks(page), tmp_path))) == wrong


def test_links_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A heading with `code` (and more)\n")
    page = tmp_path / "page.md"
    page.write_text("[a](other.md)\n[b](other.md#a-heading-with-code-and-more)\n[c](#own)\n\n## Own\n")
    assert list(reading.broken_links(page)) == []
    page.write_text("[a](none.md)\n[b](other.md#none)\n[c](#none)\n`[d](code.md)`\n")
    assert [one.split(":")[0] for one in reading.broken_links(page)] == ["line 1", "line 2", "line 3"]


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ("remora detect 'a | b' log.csv --no", 1), ("cat x | remora detec a -", 1), ("python -m remora.nothing", 1),
        ("make nothing", 1), ("remora detect a \\\n    log.csv --no", 1), ("remora campaign walk", 1),
        ("remora --nothing", 1), ("remora laws  # all --of them\nremora laws show 14\nremora gate --help", 0),
        ("remora eval 'a | b' - < log.csv | head\nmake verify ARGS=--quick", 0), ("remora --version", 0),
        ("remora campaign run x --cases 7\nremora laws list", 0),
    ],
)  # fmt: skip
def test_commands_that_do_not_exist_are_found_and_no_others(lines: str, wrong: int) -> None:
    assert len(list(reading.wrong_commands(Block(1, "bash", lines + "\n"), "verify: setup\n"))) == wrong


@pytest.mark.parametrize("reason", [None, "", "tests/none.py runs it", "it takes minutes"])
def test_commands_that_nobody_runs_need_a_reason(reason: str | None) -> None:
    block = Block(1, "", "remora verify\n", {} if reason is None else {"not run": reason})
    assert (reading.untested(block) == "") is (reason == "it takes minutes")


def test_all_of_that_is_asked_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "[a](none.md)\n\n```\nremora verif\n```\n\n```toml\na =\n```\n\n```perl\n```\n\n```console\nls\n```\n\n"
        "<!-- not run: for the test -->\n```python\nfrom semantics import nothing\n```\n"
    )
    assert len(reading.objections(page, "")) == 7
