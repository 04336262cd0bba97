"""Logs of the user's for the report: a pattern and a trace, read and checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from semantics.errors import InputError
from semantics.expressions import Expression, identifiers
from semantics.interpretations import Interpretation
from semantics.intervals import MAX_INSTANTS
from semantics.syntax import parse
from semantics.trace_files import ReadReport, read_interpretation, unknown_events


@dataclass(frozen=True)
class Log:
    """A pattern and a trace of the user's, read and checked."""

    name: str
    expression: Expression
    scenario: Interpretation


def read_log(name: str, path: str | Path, expression: str) -> tuple[Log, list[str]]:
    """Read a trace for the report; returns it with warnings.

    Raises:
        InputError: the expression or the trace is not acceptable, or the trace is too long for its meaning.
    """
    pattern, report = parse(expression), ReadReport()
    scenario = read_interpretation(path, report=report)
    times = len({instance.start for event in identifiers(pattern) for instance in scenario[event]})
    if times > MAX_INSTANTS:
        raise InputError(
            f"the events of {pattern} occur at {times:,} distinct times; at most {MAX_INSTANTS:,} are compared"
            " with the meaning",
            place=name,
            remedy="Give a part of the trace; `remora detect` reads traces of any length.",
        )
    warnings = [f"{name}: {text}" for text in unknown_events(identifiers(pattern), report.events)]
    return Log(name, pattern, scenario), warnings
