"""Standings: which are proofs, which is the weakest, and how a run ends."""

import pytest

from laws.standings import ExitStatus, Standing, as_expected, exit_status, weakest

PROOFS = ("kernel-checked", "certified", "agreed", "proved", "computed")


@pytest.mark.parametrize("standing", Standing)
def test_a_bounded_result_is_no_proof(standing: Standing) -> None:
    assert standing.unbounded == (standing.value in PROOFS)
    assert as_expected(standing, Standing.PROVED) == standing.unbounded
    assert as_expected(standing, Standing.REFUTED) == (standing is Standing.REFUTED)
    assert as_expected(standing, Standing.TESTED) == (standing is Standing.TESTED)


def test_a_whole_is_as_weak_as_its_weakest_part_and_nothing_is_known_of_none() -> None:
    order = [*PROOFS, "tested", "unknown", "refuted", "error", "disagreement"]
    for number, word in enumerate(order):
        if word != "computed":  # which takes nothing from what the other parts stand for
            assert weakest(map(Standing, order[: number + 1])) is Standing(word)
    assert weakest([Standing.COMPUTED, Standing.AGREED]) is Standing.AGREED
    assert weakest([Standing.COMPUTED]) is Standing.COMPUTED
    assert weakest([]) is Standing.UNKNOWN


@pytest.mark.parametrize(
    ("standings", "status"),
    [
        ((*PROOFS, "tested"), ExitStatus.AS_CLAIMED), (("agreed", "unknown"), ExitStatus.INCONCLUSIVE),
        (("unknown", "refuted"), ExitStatus.REFUTED), (("refuted", "error"), ExitStatus.INFRASTRUCTURE),
        (("error", "disagreement", "refuted"), ExitStatus.DISAGREEMENT), ((), ExitStatus.INCONCLUSIVE),
    ],
)  # fmt: skip
def test_a_run_is_green_only_if_everything_stands(standings: tuple[str, ...], status: ExitStatus) -> None:
    assert exit_status(map(Standing, standings)) is status
