"""`remora translate`: queries for other engines, what changes in meaning, and what is refused."""

import json

import duckdb
import pytest
from hypothesis import given, settings, strategies as st

import remora as api
from campaigns.carlson_lisper.cases import generate
from campaigns.carlson_lisper.judge import Meaning
from tests.remora.conftest import Remora, refused

EQL = """\
sequence by user.name with maxspan=90s
  [any where event == "a"]
  [any where event in ("b", "c")]
until [any where event == "d"]
"""


def test_a_query_is_printed_with_each_difference_and_a_log_that_shows_it(remora: Remora) -> None:
    pattern = "((a ; (b | c)) - d)[90s]"
    status, out, _ = remora("translate", pattern, "--to", "eql", "--partition-by", "user.name", "--tick", "1s")
    assert status == 0
    assert out.startswith(EQL)
    assert "used up: An event is in one match at most" in out
    assert "algebra only  ┣━━━━━━━━━━━┫  [0, 2]" in out
    assert "EQL only  ║  [0, 0]" in out


def test_what_never_shows_is_said_in_words_and_as_json(remora: Remora) -> None:
    _, out, _ = remora("translate", "(a ; a)[1000]", "--to", "flink", "--format", "json")
    document = json.loads(out)
    assert (document["schema"], document["to"]) == ("remora/translate/1", "flink")
    assert [each["shows"] for each in document["differences"]] == [False] * 3
    assert "It never shows, on any log." in remora("translate", "(a ; a)[1000]", "--to", "flink")[1]


def test_what_a_language_cannot_say_is_bad_input_with_a_mark_below_it(remora: Remora) -> None:
    said = refused(remora("translate", "x ; (a + b)", "--to", "eql"))
    assert "column 5: the conjunction a + b cannot be said" in said
    assert "\n  x ; (a + b)\n      ^\n" in said
    assert "program, no pattern" in refused(remora("translate", "orders.rules", "--to", "sql"))
    assert "a column has no name" in refused(remora("translate", "a", "--to", "sql", "--partition-by", ""))
    assert "no whole number of milliseconds" in refused(
        remora("translate", "(a ; b)[3]", "--to", "eql", "--tick", "1us")
    )


@pytest.mark.slow
@settings(max_examples=20)
@given(st.integers(0, 10_000), st.booleans())
def test_the_query_in_sql_finds_what_the_algebra_does_in_each_partition(number: int, parted: bool) -> None:
    case = generate(1, number)
    query = api.translate(case.expression, "sql", partition_by="who" if parted else None).query
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE log (time BIGINT, event VARCHAR, who VARCHAR)")
        rows = [(each.time, each.event, who) for each in case.occurrences for who in ("x", "y")[: 1 + parted]]
        if rows:
            connection.executemany("INSERT INTO log VALUES (?, ?, ?)", rows)
        found = connection.execute(f'SELECT "start", "end" FROM ({query}) ORDER BY "end"').fetchall()
    assert found == [tuple(each) for each in Meaning(case).expected for _ in range(1 + parted)]
