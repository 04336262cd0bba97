"""The notebook shows what it computes: executed again, every cell has the outputs that are stored."""

import re
from typing import Any

import nbformat
import pytest

from notebooks.execute import NOTEBOOKS, executed
from smt.solvers.back_ends import is_installed

READ_BY_PEOPLE = ("text/plain", "text/html", "image/svg+xml")


def words(document: str) -> list[str]:
    """What a document says, in order; how far apart it is drawn is for the tests of drawings."""
    texts = re.split(r"<[^>]*>", re.sub(r"<style.*?</style>", "", document, flags=re.DOTALL))
    return [text for text in texts if text.strip()]


def shown(output: Any) -> object:
    """What a reader sees of an output."""
    match output.output_type:
        case "stream":
            return output.name, output.text
        case "error":
            return (output.ename, output.evalue, [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in output.traceback])
        case _:
            assert set(output.data) <= set(READ_BY_PEOPLE), "an output of a kind that is not compared"
            return {form: text if form == "text/plain" else words(text) for form, text in output.data.items()}


def differences(stored: Any, now: Any) -> list[str]:
    """The code cells whose outputs differ, with both."""
    found = []
    for one, other in zip(stored.cells, now.cells, strict=True):
        assert one.source == other.source
        if one.cell_type == "code":
            before, after = ([shown(output) for output in cell.outputs] for cell in (one, other))
            if before != after:
                found.append(f"{one.source}\n--- stored: {before}\n--- now: {after}")
    return found


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_shows_what_it_computes(path: Any) -> None:
    if not is_installed():
        pytest.skip("without cvc5 nothing is agreed")
    stored = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    now = executed(path)
    assert not differences(stored, now), "run `python -m notebooks.execute`"
    assert all(cell.outputs for cell in now.cells if cell.cell_type == "code"), "every cell shows something"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_valid_and_short_and_says_nothing_of_the_machine(path: Any) -> None:
    stored = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(stored)
    assert len(stored.cells) <= 25
    assert [cell.execution_count for cell in stored.cells if cell.cell_type == "code"] == list(
        range(1, 1 + sum(cell.cell_type == "code" for cell in stored.cells))
    )
    assert not re.search(r"/(home|work|tmp|root|Users)/", path.read_text("utf-8"))
