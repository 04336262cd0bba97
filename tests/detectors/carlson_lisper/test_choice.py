"""The chooser: every choice detects correctly, says why, and a larger input never goes back to a slower loop."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.own import SUBJECTS
from detectors.carlson_lisper import known
from detectors.carlson_lisper.catalogue import ARRAYS, CATALOGUE, INTERVAL_DETECTORS
from detectors.carlson_lisper.choice import Choice, Feed, Input, choose, named_choice
from detectors.carlson_lisper.fast.batches import Batch
from detectors.carlson_lisper.fast.kernel_files import kernel_folder, kernel_name
from detectors.carlson_lisper.intervals import MAX_NAMES, letter_type
from laws.carlson_lisper.checks.strategies import expressions, traces
from remora.api.makers import OF_INTERVALS
from semantics import compiled
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.compiled import is_compiled
from tests.detectors.carlson_lisper.feeding import Interval, expected, letters_of

FEEDS: tuple[Feed, ...] = ("instants", "letters", "events", "columns", "traces")

SIZES = (0, 1, 1000, 10**5, 10**6, 10**7, 10**8, 10**10, None)


def every_choice(expression: Expression, input: Input) -> dict[str, Choice]:
    """Each detector that could be taken, by name."""
    found = {name: named_choice(name, expression, input) for name in CATALOGUE}
    return {name: choice for name, choice in found.items() if isinstance(choice, Choice)}


def found(chosen: Choice, fed: Feed, letters: list[int]) -> list[Interval]:
    """What a chosen detector finds that is fed in the way it was chosen for."""
    detector = chosen.make()
    kind = letter_type(max(len(detector.names), 1))
    whole = np.array(letters, kind)
    times = np.flatnonzero(whole)
    if chosen.name.startswith("batch"):
        outcomes = detector.run(np.stack([whole, whole], axis=1))
        return list(detector.detections(outcomes, 1, 0).intervals())
    match fed:
        case "instants" | "traces":
            busy = zip(times.tolist(), whole[times].tolist(), strict=True)
            return [(start, now) for now, letter in busy if (start := detector.step(now, letter)) >= 0]
        case "letters":
            return list(detector.chunk(whole, 0).intervals()) if letters else []
        case "events":
            return list(detector.events(times, whole[times]).intervals())
        case "columns":
            columns = [times[whole[times] >> bit & 1 == 1] for bit in range(len(detector.names))]
            return list(detector.sparse(columns).intervals())


@settings(deadline=None, max_examples=120)
@given(
    expressions(max_leaves=5, max_bound=4),
    traces(),
    st.sampled_from(FEEDS),
    st.sampled_from(SIZES),
)
def test_whatever_is_chosen_and_whatever_could_be_detects_correctly(
    expression: Expression, trace: Interpretation, fed: Feed, size: int | None
) -> None:
    input = Input(feed=fed, instants=size, traces=2, compiles=False)
    for chosen in (choose(expression, input), *every_choice(expression, input).values()):
        assert found(chosen, fed, letters_of(expression, trace)) == expected(expression, trace), chosen.name


@pytest.mark.slow
@pytest.mark.skipif(not compiled.AVAILABLE, reason="Numba is not installed")
@pytest.mark.parametrize("fed", FEEDS[1:])
def test_compiled_choices_detect_correctly(
    fed: Feed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMORA_CACHE", str(tmp_path))
    expression = parse("(a;b)[3] - c")
    letters = np.random.default_rng(3).integers(0, 8, 200).tolist()
    options = every_choice(expression, Input(feed=fed, instants=10**7, traces=2, compiles=True))
    answers = {name: found(one, fed, letters) for name, one in options.items()}
    assert any(name.endswith("compiled") for name in answers)
    assert all(answer == answers["generated"] for answer in answers.values())


# ----------------------------------------------------------------------------------------------------- thresholds


@settings(deadline=None, max_examples=60)
@given(expressions(max_leaves=6, max_bound=9), st.sampled_from(FEEDS), st.booleans(), st.booleans())
def test_a_larger_input_never_goes_back_to_what_is_not_compiled(
    expression: Expression, fed: Feed, loaded: bool, unbuilt: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(known, "is_compiled", lambda *_: not unbuilt)
        chosen = [
            choose(expression, Input(feed=fed, instants=2**n, compiles=True, loaded=loaded)).name
            for n in range(0, 36, 2)
        ]
    is_compiled_from = [name.endswith("compiled") for name in chosen]
    assert is_compiled_from == sorted(is_compiled_from)
    assert is_compiled_from[-1] is (fed != "instants")


def test_compiling_is_chosen_where_it_pays_and_earlier_if_it_was_done_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pattern = parse("(a;b)[2] - (c|d)")

    def name(instants: int, before: bool) -> str:
        monkeypatch.setattr(known, "is_compiled", lambda *_: before)
        return choose(pattern, Input(feed="letters", instants=instants, compiles=True, loaded=before)).name

    assert name(10**3, False) == "generated"
    assert not name(10**5, False).endswith("compiled")
    assert name(10**8, False) == "generated-compiled"
    assert name(10**6, True) == "generated-compiled"


def test_without_numba_nothing_is_compiled() -> None:
    for fed in FEEDS:
        chosen = choose(parse("a;b"), Input(feed=fed, instants=10**9, compiles=False))
        assert not chosen.name.endswith("compiled")


# -------------------------------------------------------------------------------------------------- what is known


@settings(deadline=None, max_examples=60)
@given(expressions(max_leaves=6, max_bound=9), st.sampled_from(FEEDS), st.sampled_from(SIZES))
def test_starts_and_ends_are_found_in_bounded_memory_whatever_is_chosen(
    expression: Expression, fed: Feed, size: int | None
) -> None:
    assert choose(expression, Input(feed=fed, instants=size, compiles=False)).bounded


def test_whole_instances_may_need_a_queue_that_grows_and_that_is_said() -> None:
    finite = choose(parse("(a;b)[10]"), Input("instances"))
    assert finite.bounded and "all labels are finite" in finite.reason
    endless = choose(parse("a;(b;c)"), Input("instances"))
    assert not endless.bounded
    assert "a ;[inf] (b ;[0] c) has no finite label, so its queue grows with the input" in endless.reason
    short = choose(parse("a;(b;c)"), Input("instances", instants=1000))
    assert not short.bounded and "at most 1,000 instances for this input" in short.reason


def test_no_register_machine_is_built_for_single_instants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("detectors.carlson_lisper.register.machine.RegisterMachine", None)
    assert choose(parse("a;(b;c)"), Input(instants=1000)).name == "generated"


def test_more_event_types_than_bits_are_detected_by_generated_code_without_a_loop() -> None:
    pattern = parse(" | ".join(f"e{i:03}" for i in range(MAX_NAMES + 1)))
    for fed in FEEDS:
        chosen = choose(pattern, Input(feed=fed, instants=10**9))
        assert chosen.name == "generated"
    detector = chosen.make()
    assert (detector.step(3, 1 << MAX_NAMES), detector.step(4, 1 << MAX_NAMES + 1)) == (3, -1)


def test_what_does_not_go_side_by_side_is_detected_trace_by_trace() -> None:
    many = parse(" | ".join(f"e{i:03}" for i in range(MAX_NAMES + 1)))
    given_traces = Input(feed="traces", instants=10**6, ticks=1000, traces=1000, compiles=False)
    assert choose(many, given_traces).name == "generated"
    side_by_side = Input(feed="traces", instants=10**6, ticks=1000, traces=1000, compiles=False)
    assert choose(parse("a;b"), side_by_side).name == "batch"


def test_compiled_loops_are_faster_per_instant() -> None:
    costs = {name: one.choosable.cost for name, one in CATALOGUE.items() if one.choosable is not None}
    for name in costs.keys() & {name.removesuffix("-compiled") for name in costs if "-compiled" in name}:
        slow, fast = costs[name], costs[f"{name}-compiled"]
        assert fast.instant <= slow.instant
        assert fast.tick <= slow.tick * 2


@pytest.mark.slow
@pytest.mark.skipif(not compiled.AVAILABLE, reason="Numba is not installed")
def test_what_was_compiled_is_found_without_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from detectors.carlson_lisper.fast.loops import loop_program

    monkeypatch.setenv("REMORA_CACHE", str(tmp_path))
    pattern = parse("a - b")
    text = loop_program(pattern)
    module = kernel_folder() / f"{kernel_name(text)}.py"
    assert not is_compiled(module, "events")
    chosen = every_choice(pattern, Input(feed="events", compiles=True))["generated-compiled"]
    chosen.make().events(np.arange(3), np.ones(3, np.uint8))
    assert module.is_file()
    assert is_compiled(module, "events")
    assert not is_compiled(module, "sparse")


@pytest.mark.slow
@pytest.mark.skipif(not compiled.AVAILABLE, reason="Numba is not installed")
def test_a_loop_over_many_traces_is_known_to_be_compiled_for_as_many_as_go_through_it_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMORA_CACHE", str(tmp_path))
    pattern = parse("(a ; b)[3]")
    many, few = (
        known.Known(pattern, Input(feed="traces", ticks=9, traces=traces, compiles=True))
        for traces in (200, 20)
    )
    Batch(pattern, 300).run(np.zeros((9, 300), np.uint8))
    assert many.batch_is_compiled
    assert not few.batch_is_compiled


def test_the_loop_that_letters_will_take_is_foreseen_by_how_much_occurs_in_them() -> None:
    quiet, busy = (
        known.Known(parse("(a + b)[10]"), Input(feed="letters", instants=instants, ticks=100_000))
        for instants in (2_000, 20_000)
    )
    assert (quiet.loop, busy.loop) == ("chunk", "words")


def test_a_detector_has_one_name_everywhere() -> None:
    of_intervals = {name for name, one in INTERVAL_DETECTORS.items() if one.choosable is not None}
    made = {name: INTERVAL_DETECTORS[name](parse("a ; b")) for name in INTERVAL_DETECTORS}
    families = {name.split("-steps")[0].split("-loops")[0].removesuffix("-compiled") for name in made}
    assert families <= {*of_intervals, ARRAYS}
    measured = {subject.name.split()[0] for subject in SUBJECTS} - {"figure2", "figure4"}
    assert measured <= of_intervals
    assert set(OF_INTERVALS) <= of_intervals
