"""Every subject finds what the definition says, on small random traces of every density."""

import importlib.util
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.catalogue import SUBJECTS
from benchmarks.checks import difference, malformed
from benchmarks.patterns import PATTERNS, pattern
from benchmarks.printed import PrintedSequenceStep
from benchmarks.subjects import OURS, Absent, Answer, NoQuery, Subject, arrays
from benchmarks.throughput import SCALED
from benchmarks.timing import Effort, scaling
from benchmarks.traces import Trace, random_trace
from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.occurrences import Instance

BY_NAME = {subject.name: subject for subject in SUBJECTS}


def denoted(id: str, trace: Trace) -> Answer:
    found = interval_denotation(PATTERNS[id].expression, trace.interpretation()).restricted()
    return Answer(
        np.array([one.start for one in found], np.int64), np.array([one.end for one in found], np.int64)
    )


def answered(subject: Subject, id: str, trace: Trace) -> Answer:
    try:
        return arrays(subject.prepare(PATTERNS[id], trace)()())
    except (Absent, NoQuery) as error:
        pytest.skip(str(error) or "no query")


@st.composite
def traces(draw: st.DrawFn, id: str) -> Trace:
    names = event_types(PATTERNS[id].expression)
    instants = draw(st.integers(1, 120))
    columns = {
        name: np.array(sorted(draw(st.sets(st.integers(0, instants - 1), max_size=60))), np.int64)
        for name in names
    }
    return Trace(instants, columns)


@pytest.mark.parametrize("id", PATTERNS)
@pytest.mark.parametrize("name", BY_NAME)
def test_every_answer_is_that_of_the_definition(name: str, id: str) -> None:
    subject = BY_NAME[name]

    @settings(max_examples=20 if subject.family == OURS else 8, deadline=None)
    @given(traces(id))
    def check(trace: Trace) -> None:
        found = answered(subject, id, trace)
        assert malformed(found) is None
        assert (found.starts is None) == (subject.reports == "ends")
        first = difference(found, denoted(id, trace), trace.instants)
        assert first is None, str(first)

    check()


@pytest.mark.parametrize("id", PATTERNS)
@pytest.mark.parametrize("density", [0.01, 0.1, 0.5])
def test_all_subjects_agree_on_longer_traces(id: str, density: float) -> None:
    trace = random_trace(event_types(PATTERNS[id].expression), density, 3_000, 11)
    expected = arrays(BY_NAME["figure2"].prepare(PATTERNS[id], trace)()())
    for subject in SUBJECTS:
        try:
            found = arrays(subject.prepare(PATTERNS[id], trace)()())
        except (Absent, NoQuery):
            continue
        assert difference(found, expected, trace.instants) is None, subject.name


@pytest.mark.parametrize("name", BY_NAME)
def test_a_second_run_begins_from_the_start(name: str) -> None:
    trace = random_trace(("A", "B"), 0.3, 500, 5)
    try:
        prepared = BY_NAME[name].prepare(PATTERNS["iii"], trace)
    except Absent as error:
        pytest.skip(str(error))
    first = arrays(prepared()())
    ends = first.ends.copy()
    assert np.array_equal(arrays(prepared()()).ends, ends)


@pytest.mark.parametrize("subject", [one for one in SUBJECTS if one.family != OURS], ids=lambda one: one.name)
def test_a_tool_has_no_answer_to_a_pattern_that_nobody_wrote_a_query_for(subject: Subject) -> None:
    with pytest.raises(NoQuery):
        subject.prepare(pattern("B;A"), random_trace(("A", "B"), 0.1, 100, 0))


@pytest.mark.parametrize("package", ["polars", "duckdb", "reelay"])
def test_a_tool_that_is_not_installed_is_absent_and_no_error(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    for subject in SUBJECTS:
        if subject.package == package:
            with pytest.raises(Absent, match=package):
                subject.prepare(PATTERNS["ii"], random_trace(("A", "B"), 0.1, 100, 0))


def test_reelays_silent_answer_to_an_error_of_syntax_is_found_wrong() -> None:
    if importlib.util.find_spec("reelay") is None:
        pytest.skip("reelay is not installed")
    from benchmarks.peers import reelay_monitors

    trace = Trace(9, {"A": np.array([5]), "B": np.array([1, 7])})
    updates = reelay_monitors.changes(trace, ["A", "B"])
    found = reelay_monitors.holds(reelay_monitors.monitor("{B} and pre once{A}"), updates)
    assert difference(found, denoted("ii", trace), trace.instants) is not None


def test_a_known_expression_gets_its_number_and_any_other_its_text() -> None:
    assert pattern("ii") is PATTERNS["ii"]
    assert pattern("(B ; B)[2] - (P | T)") is PATTERNS["i"]
    assert pattern("x;y").id == "x ; y"


@pytest.mark.parametrize("events", [0, 1, 50, 100])
def test_the_printed_loop_looks_at_every_stored_instance(events: int) -> None:
    class Counted(list[Instance]):
        looked = 0

        def __iter__(self) -> Iterator[Instance]:
            for one in super().__iter__():
                self.looked += 1
                yield one

    step = PrintedSequenceStep()
    step.instances = counted = Counted()
    for time in range(events):
        step.step(Instance.primitive("A", time, None), NON_OCCURRENCE)
    assert (step.stored(), counted.looked) == (events, 0)
    found = step.step(NON_OCCURRENCE, Instance.primitive("B", events, None))
    assert (counted.looked, found is NON_OCCURRENCE) == (events, events == 0)


@pytest.mark.long
def test_what_is_stored_does_not_depend_on_the_length_but_in_the_algorithm_as_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("benchmarks.timing.FIRST", 2_000)
    trace = random_trace(("A", "B"), 0.1, 20_000, 0)
    subjects = [subject for name in SCALED if (subject := BY_NAME[name]).fed == "each instant"]
    stored = {
        found.subject.name: [point.stored for point in found.points]
        for found in scaling(PATTERNS["ii"], 0.1, trace, subjects, Effort(repetitions=1))
    }
    growing = {name for name, (_, long) in stored.items() if long is None or long > 2}
    assert growing == {"figure2 as printed", "figure2"}
    assert all(long is not None and long > 1_800 for _, long in map(stored.__getitem__, growing))
