"""Live canaries: each is alive, and sees a fault of what it asks, also one that begins at a size alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

import smt.certificates
from campaigns.carlson_lisper import judge
from detectors.bry_eckert.joins import Joins
from detectors.carlson_lisper.adapters import InBatches
from detectors.carlson_lisper.columns.sql_plan import found_by_duckdb
from detectors.carlson_lisper.source.steps import DisjunctionStep
from detectors.hinze_voisard.engine import Engine
from laws.carlson_lisper.checks.exhaustive import check_exhaustively
from laws.outcomes import TestOutcome
from laws.standings import Standing
from remora.examples import EXAMPLES
from remora.verification import canaries
from remora.verification.canaries import LATE, SelfCheck, self_checks
from semantics.bry_eckert import denotation
from semantics.bry_eckert.algebra import relations
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.carlson_lisper import intervals
from semantics.traces.scan import scan
from smt import s_expressions
from smt.solvers.portfolio import Portfolio, installed
from tests.smt.fakes import z3

Patch = pytest.MonkeyPatch

FROM = 1 << 44
LOGS = list(dict.fromkeys(example.path for example in EXAMPLES))


SIZES = "beyond the usual sizes"


@pytest.fixture(scope="module")
def found() -> Mapping[str, list[SelfCheck]]:
    """What the checks find, by group."""
    with installed() as portfolio:
        groups = self_checks(portfolio)
        return {name: [check() for check in groups[name]] for name in groups if name != "altered operators"}


def test_every_canary_is_alive(found: Mapping[str, list[SelfCheck]]) -> None:
    for checks in found.values():
        assert [check for check in checks if not check.ok] == []


@pytest.mark.parametrize(
    ("name", "other", "place"),
    [
        ("scan", lambda path: scan(LOGS[-1]), 0),
        ("found_by_duckdb", lambda *given, **more: found_by_duckdb(*given, **more)[1:], len(LOGS)),
        ("evaluate_duckdb", lambda *given: derived_events(*given)[1:], -1),
    ],
)
def test_an_engine_that_differs_from_its_authority_is_noticed(
    monkeypatch: Patch, name: str, other: Callable[..., Any], place: int
) -> None:
    monkeypatch.setattr(canaries, name, other)
    assert not self_checks(Portfolio([z3()]))["engines"][place]().ok


# ------------------------------------------------------------------------------- faults that begin at a size


def late_steps(monkeypatch: Patch) -> None:
    step = DisjunctionStep.step
    monkeypatch.setattr(
        DisjunctionStep, "step", lambda self, a, b: a if b.start > FROM <= a.start else step(self, a, b)
    )


def late_batches(monkeypatch: Patch) -> None:
    detect = InBatches.detect_trace
    monkeypatch.setattr(InBatches, "detect_trace", lambda *given: [one for one in detect(*given) if one.start < FROM])


def late_judge(monkeypatch: Patch) -> None:
    wrong = judge._wrong_interval
    monkeypatch.setattr(
        judge, "_wrong_interval", lambda due, found: wrong(tuple(one for one in due if one.end < FROM), found)
    )


def late_scan(monkeypatch: Patch) -> None:
    def found(path: Any) -> Any:
        read = scan(path)
        return replace(read, rows=read.rows.with_columns(pl.when(pl.col("time") < FROM).then("time").otherwise(FROM)))

    monkeypatch.setattr(canaries, "scan", found)


def many_instants(monkeypatch: Patch) -> None:
    inside = intervals._inside
    monkeypatch.setattr(intervals, "_inside", lambda cells: inside(cells) if len(cells) < 7 else ~inside(cells))


def two_attributes_of_the_algebra(monkeypatch: Patch) -> None:
    picker = relations.picker
    monkeypatch.setattr(relations, "picker", lambda columns, schema: picker(columns[:2], schema))


def two_attributes_of_the_denotation(monkeypatch: Patch) -> None:
    agrees = denotation._agrees

    def few(atom: Any, data: Any, assignment: Any) -> bool:
        return agrees(replace(atom, arguments=atom.arguments[:2]), data, assignment) and bool(
            agrees(replace(atom, arguments=atom.arguments[2:]), data, assignment) or True
        )

    monkeypatch.setattr(denotation, "_agrees", few)


def two_attributes_of_differencing(monkeypatch: Patch) -> None:
    shared = Joins._shared
    monkeypatch.setattr(Joins, "_shared", lambda *given: shared(*given)[:2])


def late_profiles(monkeypatch: Patch) -> None:
    step = Engine.step
    monkeypatch.setattr(Engine, "step", lambda self, time, given: step(self, time, () if time > FROM else given))


def three_hundred_commands(monkeypatch: Patch) -> None:
    parse_all = s_expressions.parse_all

    def few(text: str) -> Sequence[Any]:
        commands = list(parse_all(text))
        return [
            each for place, each in enumerate(commands) if place < 300 or (":trust" not in each and "trust" not in each)
        ]

    monkeypatch.setattr(smt.certificates, "parse_all", few)


def three_letters(monkeypatch: Patch) -> None:
    check = check_exhaustively
    passed = TestOutcome("exhaustive", Standing.TESTED, 1, "all")
    monkeypatch.setattr(
        canaries, "check_exhaustively", lambda claim, *more: passed if len(claim.variables) > 3 else check(claim, *more)
    )


@pytest.mark.parametrize(
    ("fault", "seen_by"),
    [
        (late_steps, "sizable: figure4"),
        (late_batches, "sizable: columns"),
        (late_judge, "sizable: the judge"),
        (late_scan, "scan: late.csv"),
        (many_instants, "sizable: figure2"),
        (two_attributes_of_the_algebra, "wide: algebra"),
        (two_attributes_of_the_denotation, "wide: denotation"),
        (two_attributes_of_differencing, "wide: differencing"),
        (late_profiles, "wide: a profile"),
        (three_hundred_commands, "late step"),
        (three_letters, "exhaustive: four letters"),
    ],
)
def test_a_fault_that_begins_at_a_size_is_noticed(
    monkeypatch: Patch, found: Mapping[str, list[SelfCheck]], fault: Callable[[Patch], None], seen_by: str
) -> None:
    assert LATE > FROM
    place = [check.id for check in found[SIZES]].index(seen_by)
    fault(monkeypatch)
    assert not self_checks(Portfolio([z3()]))[SIZES][place]().ok
