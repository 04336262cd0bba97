"""The places for a sequence's candidates keep the contract of the queue of Figure 2."""

from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.generated.figure3 import Figure3
from detectors.carlson_lisper.generated.parts import parts
from detectors.carlson_lisper.generated.programs import GENERATED_STEPS, STATIC_PLACES
from detectors.carlson_lisper.source.steps import CandidateQueue
from detectors.carlson_lisper.source.stores import StaticQueue
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


def test_long_labels_get_a_queue_that_takes_the_room_that_is_used() -> None:
    for label, kind in ((STATIC_PLACES - 1, StaticQueue), (STATIC_PLACES, CandidateQueue)):
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
