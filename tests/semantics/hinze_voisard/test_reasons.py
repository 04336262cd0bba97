"""What profiles find at a time, and what their parameters took: as the definition says of each parameter alone."""

from dataclasses import replace

import pytest

from campaigns.hinze_voisard.system import CASES
from campaigns.systems import NO_CORPUS
from semantics.events import in_ticks
from semantics.hinze_voisard.evaluation import Evaluation, evaluated
from semantics.hinze_voisard.pairing import FOLLOWS, Instances, Pair
from semantics.hinze_voisard.profiles import Paired
from semantics.hinze_voisard.syntax import parse
from semantics.reasons.claims import Reasons
from semantics.reasons.hinze_voisard import Derivations
from tests.semantics.bry_eckert.test_reasons import claims
from tests.semantics.hinze_voisard.test_profiles import CLASSES, log
from tests.tables import table

MAKE = CASES.maker(0, CASES.PROFILES, NO_CORPUS, 0)
NUMBER = 8  # of cases


def pairs(part: Paired, left: Instances, right: Instances) -> set[Pair]:
    if part.operator == ";":
        return set(part.listed.sequence(left, right, FOLLOWS["points"], part.span))
    return set(part.listed.conjunction(left, right, part.span))


def taken(part: Paired, left: Instances, right: Instances, time: int) -> dict[tuple[tuple[int, int], ...], set[str]]:
    """By their intervals, the pairs that end at a time and are no instance, and by what they may have been taken."""
    free = replace(part.listed, anterior="all", posterior="all", consumption="keep")
    selecting = replace(part.listed, consumption="keep")
    neighbours = replace(selecting, consumption="lists" if part.listed.consumption == "lists" else "keep")
    stages = [
        pairs(replace(part, listed=listed, span=span), left, right)
        for listed, span in ((free, None), (free, part.span), (selecting, part.span), (neighbours, part.span))
    ]
    gone = stages[0] - pairs(part, left, right)
    found: dict[tuple[tuple[int, int], ...], set[str]] = {}
    for both in gone:
        word = next(
            (w for w, stage in zip(("apart", "select", "consume lists"), stages[1:], strict=True) if both not in stage),
            "consume",
        )
        if both[1].end == time:
            also = {"used up"} if part.listed.consumption == "reapply" and word == "select" else set()
            found.setdefault(tuple((one.start, one.end) for one in both), set()).update({word, *also})
    return found


def test_what_is_found_is_derived_and_each_pair_that_was_taken_is_named_with_what_took_it() -> None:
    seen = [0, 0]
    for case in map(MAKE, range(NUMBER)):
        for profile in case.file.profiles:
            file = case.file.only([profile.name])
            for time in sorted({event.time for event in case.events}):
                until = [event for event in case.events if event.time <= time]
                found = Derivations(file, case.events, time, in_ticks).reasons()
                expected = [(one.start, one.time) for one in evaluated(file, until) if one.time == time]
                assert sorted((one.data["start"], one.data["end"]) for one in found.answers) == sorted(expected)
                assert all(claim.met for root in found.answers for claim in claims(root))
                seen[0] += len(expected)
                part = profile.expression
                if isinstance(part, Paired) and part.operator != "|":
                    evaluation = Evaluation(file, until, until=time)
                    gone = taken(part, evaluation.instances(part.left), evaluation.instances(part.right), time)
                    told = [each for miss in found.missed for each in claims(miss) if each.data["claim"] == "taken"]
                    top = [each for each in told if any(each in root.parts[0].parts for root in found.missed)]
                    spans = [tuple((one["start"], one["end"]) for one in each.data["of"]) for each in top]
                    assert {*spans} == {*gone} or len(top) == 20, (case.number, time)
                    for span, each in zip(spans, top, strict=True):
                        seen[1] += 1
                        assert any(word in each.said for word in gone[span]), (case.number, time, each.said, gone[span])
    assert min(seen) > NUMBER


def asked(profile: str, trace: str, time: int) -> Reasons:
    return Derivations(parse(f"{CLASSES}profile P = {profile}"), log(trace), time, in_ticks).reasons()


@pytest.mark.parametrize(("profile", "trace", "time", "said"), table(__file__, "missing"))
def test_what_is_missing_is_named(profile: str, trace: str, time: int, said: str) -> None:
    found = asked(profile, trace, time)
    assert said in [each.said for miss in found.missed for each in claims(miss)]


def test_what_later_rows_withdraw_is_said() -> None:
    assert asked("(a ; b) { select all, last }", "a@1 b@2 b@3", 2).said == [
        "P [1, 2] is withdrawn when later rows come"
    ]
    assert asked("(a ; b)", "a@1 b@2 b@3", 2).said == []
