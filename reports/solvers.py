"""How much each solver proved, and where two of them contradict each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """What a solver did.

    Attributes:
        solver: name and version.
        proofs: how many obligations it proved.
        asked: how many it was asked; None if that is not recorded.
        seconds: its time; None if that is not recorded.
    """

    solver: str
    proofs: Any
    asked: Any
    seconds: Any


@dataclass(frozen=True, slots=True)
class Solvers:
    """All solvers of a run.

    Attributes:
        rows: what each did.
        disagreements: what they contradict each other about, in words.
    """

    rows: tuple[Row, ...]
    disagreements: tuple[str, ...]


def solvers_of(report: Mapping[str, Any]) -> Solvers:
    """The solvers of a report: a list of records, or a record with `rows` and `disagreements`."""
    data = report.get("solvers") or ()
    listed, disagreements = data, report.get("disagreements") or ()
    if isinstance(data, Mapping):
        listed, disagreements = data.get("rows") or (), data.get("disagreements") or ()
    return Solvers(tuple(map(_row, listed)), tuple(map(_disagreement, disagreements)))


def _row(data: Any) -> Row:
    if not isinstance(data, Mapping):
        return Row(str(data), None, None, None)
    return Row(str(data.get("solver", "")), data.get("proofs"), data.get("asked"), data.get("seconds"))


def _disagreement(data: Any) -> str:
    if not isinstance(data, Mapping):
        return str(data)
    return f"{data.get('id', '')}: {data.get('detail', '')}"
