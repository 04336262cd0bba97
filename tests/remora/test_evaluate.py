import json
import sys
from math import comb
from pathlib import Path

import pytest

import remora as api
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


@pytest.fixture
def long(tmp_path: Path) -> Path:
    trace = tmp_path / "long.csv"
    trace.write_text("time,event\n" + "".join(f"{n},{'ab'[n % 2]}\n" for n in range(4000)))
    return trace


def test_more_instances_than_anybody_can_list_are_counted_drawn_and_put_in_an_order(remora: Remora, long: Path) -> None:
    assert json.loads(remora("eval", "a ; b", long, "--count")[1]) == {"count": 2_001_000}
    by_end = remora("eval", "a ; b", long, "--count", "end", "--format", "text")[1].splitlines()
    assert (len(by_end), by_end[-1]) == (2000, "3999  2,000")
    assert spans(remora("eval", "a ; b", long, "--top", 2)[1]) == [(0, 1), (2, 3)]
    assert spans(remora("eval", "a ; b", long, "--top", 1, "--by", "recency")[1]) == [(3998, 3999)]
    drawn = [remora("eval", "a ; b", long, "--sample", 3, "--seed", seed)[1] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2] and len(drawn[0].splitlines()) == 3


def test_more_than_there_are_may_be_asked_for(remora: Remora, logins: Path) -> None:
    for order in ("span", "recency"):
        assert len(spans(remora("eval", "fail ; fail", logins, "--top", 10**20, "--by", order)[1])) == 6


def test_ends_are_counted_by_tick_while_the_log_is_read(remora: Remora, tmp_path: Path) -> None:
    log = tmp_path / "ties.csv"
    log.write_text("time,event\n0,a\n0,b\n0,b\n1,b\n")
    assert api.instances("a ; b", log, ties="order").counts() == {0: 2, 1: 1}
    both = '{"end": 0, "count": 2}\n'
    assert remora("eval", "a ; b", log, "--ties", "order", "--count", "end")[1] == both + '{"end": 1, "count": 1}\n'
    log.write_text(log.read_text() + "2,a\n3,b\n!,a\n")
    status, out, _ = remora("eval", "a ; b", log, "--ties", "order", "--count", "end")
    assert status == 2 and out.startswith(both)


@pytest.mark.slow
def test_a_count_is_told_with_all_its_digits(remora: Remora, tmp_path: Path) -> None:
    log = tmp_path / "long.csv"
    log.write_text("time,event\n" + "".join(f"{time},{event}\n" for time in range(600) for event in "abcdefgh"))
    pattern = " + ".join(f"({' ; '.join(event * 100)})" for event in "abcdefgh")
    sys.set_int_max_str_digits(640)
    try:
        status, out, _ = remora("eval", pattern, log, "--count")
    finally:
        sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)
    assert status == 0 and json.loads(out) == {"count": comb(600, 100) ** 8}


@pytest.mark.slow
def test_a_denotation_that_is_too_large_is_refused_with_another_way(remora: Remora, long: Path) -> None:
    err = refused(remora("eval", "a ; b", long, "--restricted"))
    assert "candidate instances, more than the limit" in err
    assert "--level intervals" in err
    long.write_text(long.read_text() + "".join(f"{n},{'ab'[n % 2]}\n" for n in range(4000, 20_000)))
    assert "remora detect" in refused(remora("eval", "a ; b", long, "--level", "intervals"))


def test_live_detection_of_all_instances_gives_what_eval_does_also_by_partition_and_in_the_order_of_ties(
    remora: Remora, logins: Path
) -> None:
    for options in ((), ("--partition-by", "user"), ("--ties", "order")):
        whole = remora("eval", "fail ; (fail | ok)", logins, *options)
        assert whole == remora("detect", "fail ; (fail | ok)", logins, "--instances", "all", *options)
        assert whole[0] == 0 and len(whole[1].splitlines()) > 2
    for key in (None, "user"):
        rows = api.instances("fail + (fail | ok)", logins, partition_by=key).rows()
        printed = remora("eval", "fail + (fail | ok)", logins, *(("--partition-by", key) if key else ()))[1]
        assert printed.splitlines() == [json.dumps(row) for row in rows]
    assert remora("detect", "fail ; fail", logins, "--instances", "all", "--count")[1] == '{"count": 6}\n'


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("eval --count --top 3", "--count and --top cannot be asked for together"),
        ("eval --count --level intervals", "--count and --level intervals cannot"),
        ("eval --restricted --sample 2", "--sample and --restricted cannot"),
        ("detect --instances all --intervals", "--instances: all instances are listed"),
        ("detect --instances all --detector figure4", "Leave out --detector"),
    ],
)
def test_what_does_not_go_together_is_refused(remora: Remora, logins: Path, command: str, said: str) -> None:
    name, *options = command.split()
    assert said in refused(remora(name, "fail ; fail", logins, *options))


def test_instances_are_a_value_that_is_iterated_counted_and_made_a_table(logins: Path) -> None:
    found = api.instances("fail ; fail", logins)
    assert (found.count(), len(list(found)), found.counts()) == (6, 6, {3: 1, 9: 2, 12: 3})
    shortest = found.top(2)
    assert isinstance(shortest, api.Found) and shortest.intervals == ((1, 3), (9, 12))
    assert [len(table) for table in found.tables(size=4)] == [4, 2]
    assert next(found.tables()) == api.evaluate("fail ; fail", logins).to_arrow()
    parted = api.instances("fail ; fail", logins, partition_by="user")
    assert parted.counts("partition") == {"a": 3} and next(parted.rows())["partition"] == "a"
    drawn = parted.sample(2)
    assert isinstance(drawn, api.FoundByPartition) and drawn.total == len(drawn["a"]) == 2
    assert next(parted.tables()).column_names == ["user", "start", "end", "instance"]
    assert "ask for .count()" not in repr(found) and "instances of fail ; fail" in repr(found)
    with pytest.raises(api.InputError, match="no order by size"):
        found.top(1, "size")  # type: ignore[arg-type]
