"""The engine of profiles: what it holds, what it takes back, and states that are none."""

from itertools import product
from random import Random

import pytest

from campaigns.hinze_voisard.system import CASES
from campaigns.systems import NO_CORPUS
from detectors.hinze_voisard.engine import Engine, notifications
from semantics.errors import InputError
from semantics.events import Event
from semantics.hinze_voisard.evaluation import continuously, evaluated
from semantics.hinze_voisard.syntax import parse
from tests.tables import table

CLASSES = 'class a = event(name = "a")\nclass b = event(name = "b")\nclass c = event(name = "c")\n'
SELECTIONS = ("first", "last", "all", "2")


def events(number: int) -> list[Event]:
    """Events of three types at random, one each tick."""
    random = Random(1)
    return [Event("abc"[int(random.random() * 3)], time, time) for time in range(number)]


def engine(profile: str) -> Engine:
    return Engine(parse(f"{CLASSES}profile P = {profile}"))


@pytest.mark.parametrize(("profile", "bounded"), table(__file__, "bounded"))
def test_what_is_said_to_be_bounded_does_not_grow(profile: str, bounded: bool) -> None:
    tried = engine(profile)
    assert all(not node.unbounded for _, node in tried.parts) == bounded
    held = []
    for one in events(600) if bounded else ():
        tried.step(one.time, (one,))
        held += [len(str(tried.snapshot()["state"]))] if one.time % 7 == 0 else []
    assert not bounded or max(held[43:]) <= 2 * max(held[:43])


@pytest.mark.parametrize(
    "profiles",
    [
        "profile P = ((a ; c)[9] , (b ; a)[9])[9]",  # the events of two pairs alternate
        "profile Late = b profile Early = (a ; b)",  # at one time the earlier start comes first
        "profile P = ((a , b)[9] , c)[9] { consume primitives }",  # some of what is used up is forgotten
    ],
)
def test_events_and_notifications_are_in_the_order_of_the_definition(profiles: str) -> None:
    file = parse(CLASSES + profiles)
    assert list(notifications(Engine(file), events(40))) == list(continuously(file, events(40)))


@pytest.mark.parametrize("operator", [";", ","])
def test_what_is_said_never_to_be_withdrawn_is_not(operator: str) -> None:
    told = set()
    for anterior, posterior, consumption in product(SELECTIONS, SELECTIONS, ("keep", "lists", "events", "reapply")):
        tried = engine(f"(a {operator} b)[6] {{ select {anterior}, {posterior}; consume {consumption} }}")
        steady = tried.profiles[0][1].steady
        withdrawn = any(one.kind == "withdrawn" for one in notifications(tried, events(150)))
        assert not (steady and withdrawn)
        in_turn = operator == ";" and anterior in ("first", "last") and posterior != "2"
        once = consumption != "reapply" or anterior == posterior == "all" or in_turn
        assert steady == (posterior != "last" and once)
        told.add((steady, withdrawn))
    assert {(True, False), (False, True)} <= told


@pytest.mark.slow
def test_occurrences_that_are_said_to_be_settled_stay_however_the_log_goes_on() -> None:
    make, taken_back = CASES.maker(11, dict.fromkeys(CASES.USUAL, 1), NO_CORPUS, 0), 0
    for case in map(make, range(200)):
        random, tried = Random(case.number), Engine(case.file)
        now = random.choice(case.events).time
        log = [one for one in case.events if one.time <= now]
        list(notifications(tried, log))
        found, settled = evaluated(case.file, log), tried.settled()
        for begin in (0, now + 1):
            moved = (one._replace(start=one.start + begin, time=one.time + begin) for one in case.events)
            later = [one for one in moved if one.time > now and random.random() < 0.7]
            after = evaluated(case.file, log + later)
            lost = [one for one in found if one not in after]
            assert not any(one.time < settled[one.profile] for one in lost), case
            taken_back += bool(lost)
    assert taken_back > 3


def test_a_state_of_other_profiles_and_one_that_is_none_are_refused() -> None:
    one, other = engine("(a ; b)[3]"), engine("(b ; a)[3]")
    with pytest.raises(InputError, match="of other profiles"):
        other.restore(one.snapshot())
    with pytest.raises(InputError, match="no state of an engine"):
        one.restore({**one.snapshot(), "state": [["nothing"]]})


def test_a_gap_with_more_ends_of_negations_than_are_counted_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semantics.hinze_voisard.profiles.MAX_TIMES", 1000)
    tried = engine("not(a)[5]")
    tried.step(0, [Event("a", 0, 0)])
    with pytest.raises(InputError, match="at most 1,000 are counted at once"):
        tried.step(10**9, [Event("a", 10**9, 10**9)])
