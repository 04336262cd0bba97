from pathlib import Path

import pytest

from tests.remora.conftest import Remora, refused
from tests.remora.documents import intervals_of, spans


def test_every_instance_comes_by_end_time_and_restricted_those_of_the_detector(remora: Remora, logins: Path) -> None:
    assert spans(remora("eval", "fail ; fail", logins)[1]) == [(1, 3), (1, 9), (3, 9), (1, 12), (3, 12), (9, 12)]
    assert remora("eval", "fail ; fail", logins, "--restricted")[1] == remora("detect", "fail ; fail", logins)[1]


def test_the_interval_level_has_the_same_starts_and_ends(remora: Remora, logins: Path) -> None:
    for options in ((), ("--restricted",)):
        whole = remora("eval", "(fail + ok) - fail", logins, *options)[1]
        found = remora("eval", "(fail + ok) - fail", logins, "--level", "intervals", *options)[1]
        assert intervals_of(found) == spans(whole)


def test_partitions_are_mixed_by_end_time(remora: Remora, logins: Path) -> None:
    _, out, err = remora("eval", "fail", logins, "--partition-by", "user", "--format", "text")
    assert [line.split()[0] for line in out.splitlines()] == ["a", "b", "a", "a"]
    assert err == "note: 4 instances\n"


@pytest.mark.slow
def test_a_denotation_that_is_too_large_is_refused_with_another_way(remora: Remora, tmp_path: Path) -> None:
    trace = tmp_path / "long.csv"
    trace.write_text("time,event\n" + "".join(f"{n},{'ab'[n % 2]}\n" for n in range(20_000)))
    err = refused(remora("eval", "a ; b", trace))
    assert "candidate instances, more than the limit" in err
    assert "--level intervals" in err
    assert "remora detect" in refused(remora("eval", "a ; b", trace, "--level", "intervals"))
