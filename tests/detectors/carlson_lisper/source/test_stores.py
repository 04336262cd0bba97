"""The places for a sequence's candidates keep the contract of the queue of Figure 2."""

from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.generated.figure3 import Figure3
from detectors.carlson_lisper.generated.parts import parts
from detectors.carlson_lisper.generated.programs import GENERATED_STEPS, STATIC_PLACES
from detectors.carlson_lisper.source.steps import CandidateQueue
from detectors.carlson_lisper.source.stores import MarkedQueue, StaticQueue
from semantics.carlson_lisper.expressions import Operation
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.carlson_lisper.syntax import parse


@st.composite
def uses(draw: st.DrawFn) -> tuple[int, list[tuple[Instance, int | None]]]:
    """A label, and pushes each followed by a question that a sequence with this label may ask."""
    ticks = draw(st.integers(0, 6))
    start = end = -1
    calls = []
    for _ in range(draw(st.integers(0, 20))):
        end += draw(st.integers(1, 9))
        start = draw(st.integers(start + 1, end)) if start < end else end
        pushed = Instance((Occurrence("a", start), Occurrence("b", end)))
        later = end + draw(st.integers(1, 9))
        asked = draw(st.none() | st.integers(max(later - ticks, 0), later))
        calls.append((pushed, asked))
        if asked is not None:
            end = later - 1
    return ticks, calls


@settings(deadline=None, max_examples=300)
@given(uses())
def test_a_static_queue_answers_like_the_queue_that_forgets_nothing(
    use: tuple[int, list[tuple[Instance, int | None]]],
) -> None:
    ticks, calls = use
    store, queue = StaticQueue(ticks + 1), CandidateQueue()
    for pushed, asked in calls:
        store.push(pushed)
        queue.push(pushed)
        assert len(store) <= ticks + 1
        assert store.contents() == queue.contents()[len(queue) - len(store) :]
        if asked is not None:
            assert store.latest_before(asked) is queue.latest_before(asked)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 30), st.booleans()), max_size=40))
def test_a_marked_queue_forgets_and_answers_like_the_queue_of_figure_4(
    uses: list[tuple[int, int, bool]],
) -> None:
    marked, queue = MarkedQueue(), CandidateQueue()
    time = 0
    for gap, back, evicts in uses:
        time += gap
        pushed = Instance.primitive("a", time)
        for each in (marked, queue):
            each.push(pushed)
        ask = MarkedQueue.evict_before if evicts else MarkedQueue.latest_before
        other = CandidateQueue.evict_before if evicts else CandidateQueue.latest_before
        assert ask(marked, time + 1 - back) is other(queue, time + 1 - back)
        assert marked.contents() == queue.contents() and len(marked) == len(queue)
        assert marked.latest_before(time - back // 2) is queue.latest_before(time - back // 2)


def test_a_marked_queue_moves_each_instance_few_times_and_lets_go_of_what_it_forgets() -> None:
    moved = 0

    class Counting(list[Instance]):
        def __delitem__(self, places: object) -> None:
            nonlocal moved
            super().__delitem__(places)  # type: ignore[arg-type]
            moved += len(self)

    kept = 1000
    queue = MarkedQueue()
    queue._instances = Counting()
    for time in range(10 * kept):
        queue.push(Instance.primitive("a", time))
        queue.evict_before(time - kept)
        assert len(queue) <= kept + 1
    places = len(queue._instances)
    assert places <= 2 * (kept + 1)
    assert sum(instance.start >= 0 for instance in queue._instances) == len(queue)
    assert moved <= 10 * kept


def test_long_labels_get_a_queue_that_forgets_in_constant_time() -> None:
    for label, kind in ((STATIC_PLACES - 1, StaticQueue), (STATIC_PLACES, MarkedQueue)):
        made = Figure3(parse(f"a ; (b ; c)[{label}]"))
        queues = [name for node in made.state() for name in node.variables if name == "q"]
        assert len(queues) == 2
        (outer,) = [
            p
            for p in parts(made.expression, GENERATED_STEPS)
            if isinstance(p.expression, Operation) and p.expression.label == label
        ]
        assert outer.place is not None and type(outer.place.step.variables()["q"]) is kind


def test_one_place_less_would_not_do() -> None:
    queue = StaticQueue(2)
    for time in range(3):
        queue.push(Instance.primitive("a", time))
    assert queue.latest_before(1).start < 0, "time 1 is two ticks before the next instant, 3"


def test_evicted_instances_are_gone_and_the_last_of_them_is_returned() -> None:
    queue = StaticQueue(4)
    for time in (1, 4, 6):
        queue.push(Instance.primitive("a", time))
    assert queue.evict_before(5).start == 4
    assert [instance.start for instance in queue.contents()] == [6]
    assert queue.evict_before(5).start < 0
