"""The figures word for word, against the meaning of expressions and against this project's detectors."""

from hypothesis import given, settings, strategies as st

from detectors.carlson_lisper.protocol import instants, run
from detectors.carlson_lisper.source.figure2 import Figure2, figure4
from detectors.carlson_lisper.source.transformation import transform
from proofs.carlson_lisper.printed import PrintedAlgorithm, PrintedSequence, all_scenarios
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.restriction import same_intervals
from semantics.carlson_lisper.syntax import parse

EXPRESSIONS = ("A ; B", "A ; (B ; A)[2]", "(A + B) ; A", "(A ; B) - (B ; A)[1]", "((A | B) ; (A + B)[2])[4]")
TRACES = st.sets(st.tuples(st.sampled_from("AB"), st.integers(0, 8)))


@settings(deadline=None)
@given(st.sampled_from(EXPRESSIONS), TRACES)
def test_the_figures_find_what_the_detectors_find(text: str, occurring: set[tuple[str, int]]) -> None:
    scenario = interpretation(Occurrence(name, time) for name, time in occurring)
    expression = parse(text)
    literal = PrintedAlgorithm(expression, lambda _: PrintedSequence()).run(scenario)
    assert same_intervals(literal, frozenset(run(Figure2(expression), instants(scenario))))
    labelled = transform(expression).expression
    bounded = PrintedAlgorithm(labelled, lambda operation: PrintedSequence(operation.label or 0)).run(scenario)
    assert same_intervals(bounded, frozenset(run(figure4(expression), instants(scenario))))


def test_all_scenarios_are_all_of_them() -> None:
    scenarios = list(all_scenarios("AB", 2))
    assert len(scenarios) == 16 and len({tuple(one.occurrences()) for one in scenarios}) == 16
