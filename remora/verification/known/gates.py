"""Known answers about the stages of a gate: what is put to a detector, and whether that was worth something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from campaigns.judging.verdicts import Kind
from campaigns.mutants.power import Death, Power
from campaigns.systems import cases_of
from laws.standings import Standing
from remora.judging import gate as gates
from remora.judging.budget import Clock
from remora.judging.cases import Cases
from remora.judging.engine import Engine
from remora.judging.results import Check, GateResult, Request
from remora.terminal.progress import Progress
from remora.verification.known.answers import Known, Row
from remora.verification.known.judging import REGRESSION, WRONG
from smt.solvers.portfolio import Portfolio

CASES = 100


def checks(_: Portfolio) -> list[Known]:
    """The checks of this module."""
    return [
        Known("stages of a gate", "a gate leaves nothing out, and says what its cases do not find", _stages)
    ]


class _Gate(gates.Gate):
    """A gate that is given what it has found, and remembers what it would put to its detectors."""

    def __init__(self, **given: Any) -> None:
        self.request = Request(("x",), Path(), cases=CASES)
        self.result = GateResult(self.request, cases=CASES)
        self.system = cases_of("carlson_lisper")
        self.clock = Clock(None)
        self.put: dict[str, Sequence[Cases]] = {}
        vars(self).update(given)

    def _put(
        self, stage: str, kinds: Sequence[Cases], places: Iterable[int], names: Sequence[str] = ()
    ) -> list[Check]:
        self.put[stage] = kinds
        return []


def _stages() -> Iterator[Row]:
    for title, deaths, right in (
        ("found", {"m": 3}, Standing.TESTED),
        ("found too late", {"m": CASES + 3}, Standing.UNKNOWN),
        ("not found", {}, Standing.UNKNOWN),
    ):
        died = {name: Death(case, Kind.MISSING, "") for name, case in deaths.items()}
        gate = _Gate(telling={"m": None})
        gate.worth(Power(0, CASES, died, () if died else ("m",)))
        yield f"a gate whose wrong detector is {title}", [one.standing for one in gate.result.checks], [right]
    gate = _Gate()
    gate.laws()
    yield "laws that are put to a detector", len(gate.put.get("laws", ())), len(gate.system.laws())
    gate = _Gate(known=(REGRESSION,))
    gate.nearby()
    yield "cases near a regression", list(gate.put), ["nearby"]
    with Progress(quiet=True) as progress, patch.object(gates, "growing", lambda *_: ()):
        detectors = {"never": WRONG[Kind.MISSING][0]}
        engine = Engine(detectors, seconds=5.0, clock=Clock(None), keep=Path(), apart=False)
        gate = _Gate(known=(REGRESSION,), detectors=detectors, engine=engine, progress=progress)
        gate._show = lambda failures: None  # type: ignore[method-assign]
        gate.regressions()
    yield "a detector that fails a regression", gate.result.wrong(), ["never"]
