"""Register machines: the greatest start for each end, for every ground expression, in memory bounded beforehand."""

import copy
import itertools
import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors import compiled, register_runs
from detectors.figure2 import Figure2
from detectors.intervals import Detections, IntervalDetector, Letters, event_types, letter_type
from detectors.protocol import instants, run
from detectors.register_language import LATEST, latest_starts
from detectors.register_machine import COMPILED_FROM, RegisterMachine, stated_bound
from detectors.register_runs import Runs, Transition
from detectors.register_stretches import BLOCK, Stretches
from detectors.register_table import MAX_CELLS, Table
from laws.strategies import expressions, traces
from semantics.automata import Automaton, Budget, build
from semantics.errors import InputError, LimitExceeded
from semantics.expressions import Expression
from semantics.interpretations import Interpretation, interpretation
from semantics.intervals import interval_denotation
from semantics.languages import Languages
from semantics.letters import plain_track
from semantics.machines import machine_of
from semantics.occurrences import Occurrence
from semantics.operands import Operand
from semantics.syntax import parse, parse_schema

quick = settings(deadline=None, max_examples=60)

LISTED = (
    "(B;B)[2] - (P|T)",
    "(B;B)[50] - (P|T)",
    "B;P",
    "B;(P;T)",
    "B;(P+T)",
    "(A;(B;P))[10] - T",
    "(B+P)+T",
    "(A+B)[10]",
    "A;(B;C)[5]",
)

WAYS = ("step", "chunk", "events", "sparse")

Interval = tuple[int, int]

needs_compiler = pytest.mark.skipif(not compiled.AVAILABLE, reason="Numba is not installed")


@st.composite
def gappy_traces(draw: st.DrawFn, max_size: int = 14) -> Interpretation:
    """Traces with ties, neighbouring ticks and gaps of every size."""
    gaps = st.one_of(st.integers(1, 3), st.integers(1, 40), st.integers(1, 10**12))
    now, occurrences = -1, []
    for _ in range(draw(st.integers(0, max_size))):
        now += draw(gaps)
        for event in sorted(draw(st.sets(st.sampled_from("abc"), min_size=1))):
            occurrences.append(Occurrence(event, now))
    return interpretation(occurrences)


def lettered(names: tuple[str, ...], trace: Interpretation) -> list[tuple[int, int]]:
    """The instants of a trace as times and letters, those without a named event too."""
    return [
        (time, sum(1 << bit for bit, name in enumerate(names) if name in occurring))
        for time, occurring in instants(trace)
    ]


def expected(expression: Expression, trace: Interpretation) -> list[Interval]:
    return [(i.start, i.end) for i in interval_denotation(expression, trace).restricted()]


def stepped(machine: RegisterMachine, feed: list[tuple[int, int]]) -> list[Interval]:
    return [(start, time) for time, letter in feed if (start := machine.step(time, letter)) >= 0]


def fed(machine: RegisterMachine, feed: list[tuple[int, int]], how: str) -> list[Interval]:
    """What a machine finds when it is fed in one of the ways."""
    if how == "step" or not feed:
        return stepped(machine, feed)
    times = np.array([time for time, _ in feed], np.int64)
    letters = np.array([letter for _, letter in feed], letter_type(len(machine.names)))
    if how == "sparse":
        columns = [times[letters >> bit & 1 == 1] for bit in range(len(machine.names))]
        found = list(machine.sparse(columns).intervals())
        if int(times[-1]) > machine.now:  # where nothing occurs, no column says that time went on
            assert machine.step(int(times[-1]), 0) == -1
        return found
    if how == "events" or times[-1] - times[0] > 1000:
        return list(machine.events(times, letters).intervals())
    ticks = np.zeros(times[-1] - times[0] + 1, letters.dtype)
    ticks[times - times[0]] = letters
    return list(machine.chunk(ticks, int(times[0])).intervals())


def random_letters(types: int, ticks: int, seed: int = 0) -> Letters:
    """Ticks whose density changes now and then."""
    source = np.random.default_rng(seed)
    density = np.repeat(source.choice([0.0, 0.01, 0.1, 0.5], ticks // 100 + 1), 100)[:ticks]
    letters = np.zeros(ticks, letter_type(types))
    for bit in range(types):
        letters |= (source.random(ticks) < density).astype(letters.dtype) << bit
    return letters


def occurring(names: tuple[str, ...], letters: Letters) -> Interpretation:
    return interpretation(
        Occurrence(name, int(time))
        for bit, name in enumerate(names)
        for time in np.flatnonzero(letters >> bit & 1)
    )


def same(one: Detections, other: Detections) -> bool:
    return all(map(np.array_equal, one, other))


# ------------------------------------------------------------------------------------------------------ correctness


@quick
@given(expressions(), traces(max_time=40, max_size=30))
def test_a_machine_detects_the_greatest_start_for_each_end(
    expression: Expression, trace: Interpretation
) -> None:
    # Theorem 4.5
    machine = RegisterMachine(expression)
    assert stepped(machine, lettered(machine.names, trace)) == expected(expression, trace)


@quick
@given(expressions(), gappy_traces())
def test_gaps_of_any_length_are_exact(expression: Expression, trace: Interpretation) -> None:
    machine = RegisterMachine(expression)
    assert stepped(machine, lettered(machine.names, trace)) == expected(expression, trace)


@quick
@given(expressions(max_leaves=8), traces(max_time=80, max_size=60))
def test_a_machine_agrees_with_figure_2(expression: Expression, trace: Interpretation) -> None:
    machine = RegisterMachine(expression)
    found = [instance.interval for instance in run(Figure2(expression), instants(trace))]
    assert stepped(machine, lettered(machine.names, trace)) == found


@pytest.mark.parametrize("compiles", [False, pytest.param(True, marks=needs_compiler)])
@pytest.mark.parametrize("max_states", [2, 5, 10_000])
@settings(deadline=None, max_examples=20)
@given(expressions(), gappy_traces(40), st.lists(st.integers(0, 40), max_size=4), st.data())
def test_the_ways_to_feed_can_be_mixed_with_snapshots_between_them(
    compiles: bool,
    max_states: int,
    expression: Expression,
    trace: Interpretation,
    cuts: list[int],
    data: st.DataObject,
) -> None:
    machine = RegisterMachine(expression, max_states=max_states, compiles=compiles)
    feed = lettered(machine.names, trace)
    found: list[Interval] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("detectors.register_machine.COMPILED_FROM", 1)
        edges = [0, *sorted(cuts), len(feed)]
        for begin, end in itertools.pairwise(edges):
            found += fed(machine, feed[begin:end], data.draw(st.sampled_from(WAYS)))
            if data.draw(st.booleans()):
                saved = json.loads(json.dumps(machine.snapshot()))
                machine = machine.fresh() if data.draw(st.booleans()) else RegisterMachine(expression)
                machine.restore(saved)
    assert found == expected(expression, trace)
    assert len(machine.table.states) <= machine.table.capacity


@pytest.mark.parametrize("text", LISTED)
@pytest.mark.parametrize("compiles", [False, pytest.param(True, marks=needs_compiler)])
def test_stretches_of_changing_density_are_exact(text: str, compiles: bool) -> None:
    machine = RegisterMachine(parse(text), compiles=compiles)
    letters = random_letters(len(machine.names), 3000)
    times = np.flatnonzero(letters)
    wanted = expected(machine.expression, occurring(machine.names, letters))
    assert wanted
    assert list(machine.fresh().chunk(letters, 0).intervals()) == wanted
    assert list(machine.fresh().events(times, letters[times]).intervals()) == wanted
    columns = [np.flatnonzero(letters >> bit & 1) for bit in range(len(machine.names))]
    assert list(machine.fresh().sparse(columns).intervals()) == wanted
    late = list(machine.fresh().chunk(letters, 10**15).intervals())
    assert late == [(start + 10**15, end + 10**15) for start, end in wanted]


@needs_compiler
@pytest.mark.parametrize("text", LISTED)
def test_compiled_loops_and_the_plain_walk_agree_on_many_blocks(text: str) -> None:
    machine = RegisterMachine(parse(text))
    plain = RegisterMachine(parse(text), compiles=False)
    letters = random_letters(len(machine.names), 2 * BLOCK + 77, seed=5)
    times = np.flatnonzero(letters)
    wanted = plain.chunk(letters, 3)
    assert same(machine.chunk(letters, 3), wanted)
    assert machine.snapshot() == plain.snapshot()
    assert same(machine.fresh().events(times + 3, letters[times]), wanted)
    stepped(
        machine, [(int(t) + 10**6, int(letters[t])) for t in times[:500]]
    )  # the table grows by other ways too
    assert same(machine.fresh().chunk(letters, 3), wanted)


@pytest.mark.parametrize("text", LISTED)
@pytest.mark.parametrize("compiles", [False, pytest.param(True, marks=needs_compiler)])
def test_ticks_without_events_between_chunks_may_be_left_out(text: str, compiles: bool) -> None:
    machine = RegisterMachine(parse(text), compiles=compiles)
    source = np.random.default_rng(8)
    edges = np.cumsum(source.integers(COMPILED_FROM + 8, 2 * COMPILED_FROM, 60)).tolist()
    letters = random_letters(len(machine.names), edges[-1], seed=7)
    found: list[Interval] = []
    for begin, end in itertools.pairwise([0, *edges]):
        quiet = int(source.integers(1, 8))
        letters[begin : begin + quiet] = 0
        found += machine.chunk(letters[begin + quiet : end], begin + quiet).intervals()
    assert found == expected(machine.expression, occurring(machine.names, letters))


@pytest.mark.parametrize("compiles", [False, pytest.param(True, marks=needs_compiler)])
def test_after_a_chunk_it_is_the_time_of_its_last_tick(compiles: bool) -> None:
    machine = RegisterMachine(parse("(A+B)[10]"), compiles=compiles)
    letters = np.zeros(1000, np.uint8)
    letters[990] = 1
    machine.chunk(letters, 5)
    assert machine.now == 1004
    assert machine.starts == (995,)
    with pytest.raises(ValueError):
        machine.step(1004, 2)
    assert machine.step(1005, 2) == 995


@needs_compiler
@pytest.mark.parametrize("text", LISTED)
def test_compiled_loops_take_over_what_the_plain_walk_found_out(text: str) -> None:
    machine, plain = (RegisterMachine(parse(text), compiles=False) for _ in range(2))
    letters = random_letters(len(machine.names), 10_000, seed=6)
    times = np.flatnonzero(letters)
    wanted = plain.chunk(letters, 0)
    for ticks in (200, 1000):  # the first time, most of the table is unknown
        machine.fresh().chunk(letters[:ticks], 0)
        other = machine.fresh()
        other.compiles = True
        assert same(other.chunk(letters, 0), wanted)
    assert same(other.fresh().events(times, letters[times]), wanted)


@needs_compiler
def test_a_long_gap_in_a_compiled_loop_is_not_walked_through() -> None:
    machine = RegisterMachine(parse("(A+B)[10]"))
    times = np.arange(1, COMPILED_FROM + 1, dtype=np.int64) * 10**15
    times[1::2] = times[::2] + 7
    letters = np.array([1, 2] * (len(times) // 2), np.uint8)
    assert list(machine.events(times, letters).intervals()) == list(
        zip(times[::2].tolist(), times[1::2].tolist(), strict=True)
    )


@needs_compiler
def test_more_starts_than_a_word_of_a_cell_tells_of_are_kept() -> None:
    machine = RegisterMachine(parse("a ; (b ; (c ; (d ; (e ; f))))"))
    assert machine.size().registers == 5
    letters = random_letters(6, 2000, seed=2)
    found = machine.chunk(letters, 0)
    assert list(found.intervals()) == expected(machine.expression, occurring(machine.names, letters))
    assert Stretches(machine.table).packed.size == 2


@needs_compiler
def test_with_more_starts_than_loops_can_tell_apart_a_machine_goes_on_without_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("detectors.register_stretches.MAX_REGISTERS", 2)
    machine = RegisterMachine(parse("B;(P+T)"))
    letters = random_letters(3, 1000, seed=2)
    times = np.flatnonzero(letters)
    wanted = expected(machine.expression, occurring(machine.names, letters))
    assert list(machine.fresh().events(times, letters[times]).intervals()) == wanted
    assert list(machine.fresh().chunk(letters, 0).intervals()) == wanted
    assert machine.table.registers == 3


@pytest.mark.parametrize("compiles", [False, pytest.param(True, marks=needs_compiler)])
def test_letters_may_be_of_any_width_read_only_strided_or_misaligned(compiles: bool) -> None:
    machine = RegisterMachine(parse("A;(B;C)[5]"), compiles=compiles)
    letters = random_letters(3, 5000)
    times = np.flatnonzero(letters)
    wanted = machine.fresh().chunk(letters, 0)
    assert len(wanted.ends)
    variants: list[Letters] = [letters.astype(kind) for kind in (np.uint16, np.uint32, np.uint64)]
    variants.append(letters | np.uint8(0b10101000))  # bits of no type
    variants.append(np.repeat(letters, 2)[::2])
    misaligned = np.zeros(5001, np.uint8)[1:]
    misaligned[:] = letters
    variants.append(misaligned)
    for variant in variants:
        variant.flags.writeable = False
        assert same(machine.fresh().chunk(variant, 0), wanted)
        times.flags.writeable = False
        assert same(machine.fresh().events(times, variant[times]), wanted)
        assert same(machine.fresh().events(times.astype(np.int32), variant[times]), wanted)


@pytest.mark.parametrize("compiles", [False, pytest.param(True, marks=needs_compiler)])
def test_a_trace_that_runs_backwards_is_refused_and_changes_nothing(compiles: bool) -> None:
    machine = RegisterMachine(parse("a ; b"), compiles=compiles)
    for number in range(100, 200):
        machine.step(number, number % 4)
    before = machine.snapshot()
    ones = np.ones(COMPILED_FROM + 100, np.uint8)
    swapped = np.arange(200, 200 + len(ones))
    swapped[[70, 71]] = swapped[[71, 70]]
    for backwards in (
        lambda: machine.step(199, 1),
        lambda: machine.chunk(ones, 199),
        lambda: machine.chunk(ones[:0], 199),
        lambda: machine.events(np.arange(199, 199 + len(ones)), ones),
        lambda: machine.events(swapped, ones),
        lambda: machine.sparse([np.arange(199, 399), np.arange(250, 260)]),
        lambda: machine.events(swapped, ones[1:]),
    ):
        with pytest.raises(ValueError):
            backwards()
        assert machine.snapshot() == before


def test_nothing_fed_is_nothing_found() -> None:
    machine = RegisterMachine(parse("a"))
    assert len(machine.chunk(np.zeros(0, np.uint8), 5).ends) == 0
    assert len(machine.events(np.zeros(0, np.int64), np.zeros(0, np.uint8)).ends) == 0
    assert len(machine.sparse([np.zeros(0, np.int64)]).ends) == 0
    assert machine.step(0, 1) == 0


def test_a_register_machine_is_a_detector_of_intervals() -> None:
    detector: IntervalDetector = RegisterMachine(parse("a ; b"))
    assert detector.names == ("a", "b")


# ----------------------------------------------------------------------------------------------- memory and bounds


@pytest.mark.parametrize(
    ("text", "states", "registers"),
    [
        ("(B;B)[2] - (P|T)", 3, 1),
        ("(B;B)[50] - (P|T)", 51, 1),
        ("B;P", 2, 1),
        ("B;(P;T)", 4, 2),
        ("B;(P+T)", 12, 3),
        ("(A;(B;P))[10] - T", 64, 2),
        ("(B+P)+T", 26, 3),
        ("((A+B);(C+D)) - (A;C)", 1, 0),
    ],
)
def test_the_size_of_a_machine_is_known_beforehand(text: str, states: int, registers: int) -> None:
    machine = RegisterMachine(parse(text))
    found = machine.size()
    assert (found.states, found.registers, found.exact) == (states, registers, True)
    assert stated_bound(machine) == registers


def test_where_there_are_too_many_states_to_look_at_the_bound_is_that_of_the_automaton() -> None:
    machine = RegisterMachine(parse("(A+B)[10]"))
    found = machine.size(limit=100)
    assert not found.exact
    assert found.registers >= machine.size().registers
    assert found.registers == machine.table.runs.most


@pytest.mark.parametrize("text", ["B;(P;T)", "B;(P+T)", "(B+P)+T", "(A+B)[10]"])
def test_no_trace_makes_a_machine_store_more_starts_than_stated(text: str) -> None:
    machine = RegisterMachine(parse(text))
    bound, most = stated_bound(machine), 0
    for time, letter in enumerate(random_letters(len(machine.names), 20_000, seed=3).tolist()):
        machine.step(time, letter)
        most = max(most, len(machine.starts))
    assert most == bound  # and it is reached
    assert len(machine.table.states) <= machine.size().states


@quick
@given(expressions(), traces(max_time=40, max_size=30))
def test_every_start_that_is_stored_is_the_answer_after_some_continuation(
    expression: Expression, trace: Interpretation
) -> None:
    machine = RegisterMachine(expression)
    stepped(machine, lettered(machine.names, trace))
    for number in range(len(machine.starts)):
        answers = continuation(machine.table.runs, machine.state.states[number])
        later = machine.fresh()
        later.restore(machine.snapshot())
        found = [later.step(machine.now + 1 + place, letter) for place, letter in enumerate(answers)]
        assert found[-1] == machine.starts[number]


def continuation(runs: Runs, state: int) -> list[int]:
    """A shortest word that is accepted from a state of the automaton, other than the empty one."""
    letter_of = {column: letter for letter, column in reversed(list(enumerate(runs.columns)))}
    words: dict[int, list[int]] = {state: []}
    pending = [state]
    for number in pending:
        for column, letter in letter_of.items():
            after = runs._rows[number][column]
            word = [*words[number], letter]
            if runs._accepting[after]:
                return word
            if after not in words:
                words[after] = word
                pending.append(after)
    raise AssertionError("no continuation is detected")


@quick
@given(expressions(), traces(max_time=40, max_size=30))
def test_the_runs_that_are_kept_have_different_states_and_at_most_one_accepts(
    expression: Expression, trace: Interpretation
) -> None:
    runs = Runs(latest_starts(expression, event_types(expression), Budget(10**6)))
    states: tuple[int, ...] = ()
    for _, letter in lettered(event_types(expression), trace):
        column = runs.columns[letter]
        ended = [runs._accepting[runs._rows[state][column]] for state in states]
        assert sum(ended) + runs._accepting[runs._beginning[column]] <= 1
        states = runs.advance(states, column).states
        assert runs.possible(states)


@quick
@given(expressions())
def test_applied_to_latest_starts_alone_the_operators_have_the_same_latest_starts(
    expression: Expression,
) -> None:
    # Theorem 4.6: D(E) from the D of the operands is D(E) from L(E).
    track, budget = plain_track(event_types(expression)), Budget(10**6)
    whole = Languages(track, budget).language(expression).automaton
    machine = machine_of(LATEST, {"S": Operand(whole, whole)}, None, track, budget)
    assert latest_starts(expression, track.names, budget) == build(machine, budget)[0]


@quick
@given(expressions(), st.integers(1, 10**18))
def test_a_gap_without_events_takes_as_many_accesses_as_its_length_has_bits(
    expression: Expression, gap: int
) -> None:
    machine = RegisterMachine(expression)
    machine.step(0, 1)
    state, left, accesses = machine.state, gap, 0
    while left > 0 and not state.resting:
        level = left.bit_length() - 1
        state, left, accesses = machine.table.gap(state, level).after, left - (1 << level), accesses + 1
    assert accesses <= gap.bit_count()
    machine.wait(gap)
    assert machine.state is state


def test_a_bounded_expression_soon_rests() -> None:
    machine = RegisterMachine(parse("(B;B)[50] - (P|T)"))
    machine.step(0, 1)
    state = machine.state
    machine.wait(10**18)
    assert machine.state.resting
    assert len(state.gaps) <= (50).bit_length() + 1


# ---------------------------------------------------------------------------------------------------------- limits


def test_a_full_table_is_forgotten_as_often_as_need_be_and_nothing_is_lost() -> None:
    small, large = RegisterMachine(parse("(A+B)[10]"), max_states=7), RegisterMachine(parse("(A+B)[10]"))
    letters = random_letters(2, 4000, seed=4)
    assert same(small.chunk(letters, 0), large.chunk(letters, 0))
    assert small.table.forgotten > 100
    assert large.table.forgotten == 0
    assert len(small.table.states) <= 7


@needs_compiler
def test_detectors_that_share_a_table_do_not_disturb_each_other() -> None:
    letters = random_letters(2, 4000, seed=4)
    wanted = RegisterMachine(parse("(A+B)[10]")).chunk(letters, 0)
    first = RegisterMachine(parse("(A+B)[10]"), max_states=7)
    second = first.fresh()
    found: list[list[Interval]] = [[], []]
    for begin in range(0, 4000, 500):
        for detections, detector in zip(found, (first, second), strict=True):
            detections += detector.chunk(letters[begin : begin + 500], begin).intervals()
    assert found[0] == found[1] == list(wanted.intervals())


def test_a_copy_of_a_machine_goes_on_from_where_the_original_was() -> None:
    machine = RegisterMachine(parse("a ; b"))
    machine.step(1, 1)
    twin = copy.deepcopy(machine)
    assert twin.step(2, 2) == machine.step(2, 2) == 1


def test_many_columns_leave_room_for_fewer_states() -> None:
    expression = parse("e0 ; (e1 ; (e2 ; (e3 ; e4)))")
    runs = Runs(latest_starts(expression, event_types(expression), Budget(10**6)))
    assert runs.width == 32
    assert Table(runs, 10**9).capacity * 32 <= MAX_CELLS


def test_an_automaton_that_is_too_large_is_refused_with_the_reason() -> None:
    with pytest.raises(LimitExceeded, match="no register machine for"):
        RegisterMachine(parse("(A;B)[5000] + (C;D)[3000]"), steps=10_000)


def test_more_event_types_than_letters_can_tell_apart_are_refused() -> None:
    with pytest.raises(LimitExceeded, match="14 event types"):
        RegisterMachine(parse(" | ".join(f"e{number}" for number in range(14))))


def test_a_symbolic_bound_is_refused() -> None:
    with pytest.raises(InputError, match="symbolic"):
        RegisterMachine(parse_schema("(A ; B)[t]"))


# ------------------------------------------------------------------------------------------------------- snapshots


def test_a_snapshot_names_the_starts_that_are_stored() -> None:
    machine = RegisterMachine(parse("a ; (b ; c)"))
    for time, letter in ((3, 1), (5, 2), (6, 1)):
        machine.step(time, letter)
    snapshot = machine.snapshot()
    assert snapshot["starts"] == [3, 6]
    assert snapshot["now"] == 6


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "remora/generated-detector/1"},
        {"schema": None},
        {"expression": "b ; a"},
        {"now": 4},
        {"now": "6"},
        {"now": True},
        {"now": 2**70},
        {"starts": [3]},
        {"starts": [6, 3]},
        {"starts": [3, 7]},
        {"starts": "36"},
        {"states": [1, 1]},
        {"states": [0, 2]},
        {"states": [10**6, 2]},
        {"states": [-1, 2]},
        {"states": None},
    ],
)
def test_a_snapshot_of_something_else_is_refused_and_changes_nothing(change: dict[str, object]) -> None:
    machine = RegisterMachine(parse("a ; (b ; c)"))
    for time, letter in ((3, 1), (5, 2), (6, 1)):
        machine.step(time, letter)
    before = machine.snapshot()
    with pytest.raises(InputError):
        machine.restore({**before, **change})  # type: ignore[dict-item]
    assert machine.snapshot() == before
    machine.restore(before)
    assert machine.step(7, 4) == 3


# ------------------------------------------------------------------------- that these tests find machines to be wrong


def _latest_runs_dropped(transition: Transition) -> Transition:
    return Transition(transition.states[:1], transition.sources[:1], transition.detected)


def _starts_swapped(transition: Transition) -> Transition:
    return Transition(transition.states, transition.sources[::-1], transition.detected)


def _nothing_detected_now(transition: Transition) -> Transition:
    return Transition(transition.states, transition.sources, register_runs.NEVER)


def wrong_somewhere(text: str = "A;(B;P)") -> bool:
    """Whether the comparison with the interval semantics finds fault with a machine."""
    machine = RegisterMachine(parse(text), compiles=False)
    letters = random_letters(len(machine.names), 1000)
    return list(machine.chunk(letters, 0).intervals()) != expected(
        machine.expression, occurring(machine.names, letters)
    )


@pytest.mark.parametrize("fault", [_latest_runs_dropped, _starts_swapped, _nothing_detected_now])
def test_a_machine_whose_transitions_are_wrong_is_found_out(
    fault: Callable[[Transition], Transition], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Runs.advance
    assert not wrong_somewhere()
    monkeypatch.setattr(Runs, "advance", lambda self, *state: fault(right(self, *state)))
    assert wrong_somewhere()


def test_an_automaton_of_all_intervals_in_place_of_the_latest_starts_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def all_intervals(expression: Expression, names: tuple[str, ...], budget: Budget) -> Automaton:
        return Languages(plain_track(names), budget).language(expression).automaton

    bound = stated_bound(RegisterMachine(parse("B;P")))
    monkeypatch.setattr("detectors.register_machine.latest_starts", all_intervals)
    machine = RegisterMachine(parse("B;P"))
    stepped(machine, [(time, 1) for time in range(10)])
    assert len(machine.starts) > bound


def test_a_gap_that_is_one_instant_too_short_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    wait = RegisterMachine.wait

    def hasty(self: RegisterMachine, gap: int) -> None:
        wait(self, gap - 1)
        self._now += 1

    assert not wrong_somewhere("(A+B)[10]")
    monkeypatch.setattr(RegisterMachine, "wait", hasty)
    assert wrong_somewhere("(A+B)[10]")


@needs_compiler
def test_a_compiled_loop_over_a_wrong_array_is_found_out() -> None:
    machine = RegisterMachine(parse("A;(B;C)"))
    letters = random_letters(3, 5000)
    wanted = machine.chunk(letters, 0)
    packed = machine._stretches[0].packed
    known = np.flatnonzero(packed.words >= 0)
    packed.words[known] ^= 3 << 8  # another source of the first register
    assert not same(machine.fresh().chunk(letters, 0), wanted)


def test_an_automaton_with_words_that_end_with_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="begins and ends with an event"):
        Runs(Automaton((0, 1), ((0, 0), (2, 2), (0, 0)), (False, False, True), 1))
