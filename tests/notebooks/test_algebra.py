"""The notebook shows what it computes: executed again, every cell has the outputs that are stored."""

import re
from typing import Any

import nbformat
import pytest

from notebooks.execute import NOTEBOOKS, executed
from smt.solvers.portfolio import is_installed


def shown(output: Any) -> object:
    """What a reader sees of an output: of a document its words; how far apart they are is for tests of drawings."""
    if output.output_type == "stream":
        return output.name, output.text
    if output.output_type == "error":
        return output.ename, output.evalue, [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in output.traceback]
    assert set(output.data) <= {"text/plain", "text/html", "image/svg+xml"}, "an output that is not compared"
    plain = re.compile(r"<style.*?</style>|<[^>]*>", re.DOTALL)
    return {form: text if form == "text/plain" else plain.sub(" ", text).split() for form, text in output.data.items()}


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_shows_what_it_computes(path: Any) -> None:
    if not is_installed():
        pytest.skip("without cvc5 nothing is agreed")
    stored = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    for one, other in zip(stored.cells, executed(path).cells, strict=True):
        assert one.source == other.source
        if one.cell_type == "code":
            assert list(map(shown, one.outputs)) == list(map(shown, other.outputs)), "run `python -m notebooks.execute`"
            assert one.outputs, "every cell shows something"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_valid_and_short_and_says_nothing_of_the_machine(path: Any) -> None:
    stored = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(stored)
    assert len(stored.cells) <= 25
    counts = [cell.execution_count for cell in stored.cells if cell.cell_type == "code"]
    assert counts == list(range(1, 1 + len(counts)))
    assert not re.search(r"/(home|work|tmp|root|Users)/", path.read_text("utf-8"))
