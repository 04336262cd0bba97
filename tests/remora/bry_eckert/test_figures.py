"""Figures of 2008 as the report has them: they are what is printed."""

from remora.verification.rules import figure_rows
from semantics.bry_eckert.algebra.printed_relevance import Weight


def test_figures_5_and_6_are_what_is_printed() -> None:
    lines = [line for figure, line, _ in figure_rows() if figure != "Figure 2"]
    assert lines[:8] == [
        "(<, x) + (<, y) = (<, x + y)", "(<, x) + (≤, y) = (<, x + y)", "(≤, x) + (<, y) = (<, x + y)",
        "(≤, x) + (≤, y) = (≤, x + y)", "(<, x) < (<, y) ⟺ x < y", "(<, x) < (≤, y) ⟺ x ≤ y",
        "(≤, x) < (<, y) ⟺ x < y", "(≤, x) < (≤, y) ⟺ x < y",
    ]  # fmt: skip
    assert lines[8:] == [
        "(?, x) + (?, y) = (?, x + y)", "(?, x) + (!, y) = (?, x + y)", "(!, x) + (?, y) = (?, x + y)",
        "(!, x) + (!, y) = (!, x + y)", "(?, x) < (?, y) ⟺ x < y", "(?, x) < (!, y) ⟺ x < y",
        "(!, x) < (?, y) ⟺ x ≤ y", "(!, x) < (!, y) ⟺ x < y",
    ]  # fmt: skip


def test_a_marked_duration_reads_back() -> None:
    for weight in (Weight(5), Weight(-2, included=False), Weight(0, included=False, tested=True)):
        assert Weight.read(str(weight)) == weight
