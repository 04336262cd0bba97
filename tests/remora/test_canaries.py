"""Live canaries: each is alive, and sees a fault of what it asks, also one that begins at a size alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl
import pytest

import smt.certificates
from campaigns.carlson_lisper import judge
from detectors.bry_eckert.bodies import Joins
from detectors.carlson_lisper.adapters import InBatches
from detectors.carlson_lisper.columns.sql_plan import found_by_duckdb
from detectors.carlson_lisper.source.steps import DisjunctionStep
from detectors.hinze_voisard.engine import Engine
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


@pytest.mark.slow
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


def late_scan(scanned: Any) -> Any:
    return replace(scanned, rows=scanned.rows.with_columns(pl.when(pl.col("time") < FROM).then("time").otherwise(FROM)))


def few_commands(commands: Sequence[Any]) -> list[Any]:
    return [each for place, each in enumerate(commands) if place < 300 or not {":trust", "trust"} & set(map(str, each))]


def agreeing_in_two(agrees: Callable[..., bool], atom: Any, *more: Any) -> bool:
    """Binds all variables, and compares the first two attributes alone."""
    first, rest = (replace(atom, arguments=some) for some in (atom.arguments[:2], atom.arguments[2:]))
    return agrees(first, *more) and (agrees(rest, *more) or True)


PASSED = TestOutcome("exhaustive", Standing.TESTED, 1, "all")

FAULTS: list[tuple[Any, str, Callable[[Any], Any], str]] = [
    (
        DisjunctionStep,
        "step",
        lambda step: lambda self, a, b: a if b.start > FROM <= a.start else step(self, a, b),
        "sizable: figure4",
    ),
    (
        InBatches,
        "detect_trace",
        lambda detect: lambda *given: [one for one in detect(*given) if one.start < FROM],
        "sizable: columns",
    ),
    (
        judge,
        "_wrong_interval",
        lambda wrong: lambda due, found: wrong(tuple(one for one in due if one.end < FROM), found),
        "sizable: the judge",
    ),
    (canaries, "scan", lambda scan: lambda path: late_scan(scan(path)), "scan: late.csv"),
    (
        intervals,
        "_inside",
        lambda inside: lambda cells: inside(cells) if len(cells) < 7 else ~inside(cells),
        "sizable: figure2",
    ),
    (relations, "picker", lambda picker: lambda columns, schema: picker(columns[:2], schema), "wide: algebra"),
    (denotation, "agrees", lambda agrees: partial(agreeing_in_two, agrees), "wide: denotation"),
    (Joins, "_shared", lambda shared: lambda *given: shared(*given)[:2], "wide: differencing"),
    (
        Engine,
        "step",
        lambda step: lambda self, time, given: step(self, time, () if time > FROM else given),
        "wide: a profile",
    ),
    (smt.certificates, "parse_all", lambda parse: lambda text: few_commands(list(parse(text))), "late step"),
    (
        canaries,
        "check_exhaustively",
        lambda check: lambda claim, *more: PASSED if len(claim.variables) > 3 else check(claim, *more),
        "exhaustive: four letters",
    ),
]


@pytest.mark.parametrize(("owner", "name", "altered", "seen_by"), FAULTS, ids=[fault[-1] for fault in FAULTS])
def test_a_fault_that_begins_at_a_size_is_noticed(
    monkeypatch: Patch,
    found: Mapping[str, list[SelfCheck]],
    owner: Any,
    name: str,
    altered: Callable[[Any], Any],
    seen_by: str,
) -> None:
    assert LATE > FROM
    place = [check.id for check in found[SIZES]].index(seen_by)
    monkeypatch.setattr(owner, name, altered(getattr(owner, name)))
    assert not self_checks(Portfolio([z3()]))[SIZES][place]().ok
