"""The output of a gate: printed text, and a file for each format."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path

from laws.standings import ExitStatus
from remora.api.claiming.data import to_json
from remora.judging.budget import duration
from remora.judging.output.junit import junit
from remora.judging.output.markdown import markdown
from remora.judging.output.reports import gate_data, lines, repeated, stage_lines
from remora.judging.results import GateResult
from remora.terminal.console import emit, emit_json, message_console, output_console, print_error
from remora.terminal.texts import counted
from semantics.atomic_files import write_text

TEXTS: Mapping[str, Callable[[GateResult], str]] = {"markdown": markdown, "junit": junit}
"""The formats that are a text of their own."""

_STYLES = {"passed": "green", "failed": "bold red", "open": "yellow"}


def print_findings(result: GateResult) -> None:
    """Draw the failures, the smallest first."""
    console = output_console()
    for finding in result.smallest_first():
        console.print(lines(finding, console.width))


def write_result(folder: Path, result: GateResult) -> None:
    """Write every format into a folder."""
    write_text(folder / "gate.md", markdown(result))
    write_text(folder / "gate.json", to_json(gate_data(result), indent=2) + "\n")
    write_text(folder / "gate.junit.xml", junit(result))


def print_result(result: GateResult, form: str) -> None:
    """Print one format: text, json, or a key of `TEXTS`."""
    if form == "json":
        emit_json(gate_data(result))
    elif form in TEXTS:
        emit(TEXTS[form](result))
    else:
        _print(result)


def _print(result: GateResult) -> None:
    print_findings(result)
    console = output_console()
    for stage, outcome, said in stage_lines(result):
        console.print(f"{stage:12} ", end="")
        console.print(f"{outcome:9} ", style=_STYLES.get(outcome, ""), end="")
        console.print(said)
    asked: dict[tuple[str, str], list[str]] = {}
    for check in result.open():
        if check.stage != "mutants":
            asked.setdefault((check.name, check.detail or "unknown"), []).append(check.detector)
    for (name, detail), detectors in itertools.islice(asked.items(), 10):
        of = detectors[0] if len(detectors) == 1 else f"of {counted(len(detectors), 'detector')}"
        print_error(f"open: {name} {of}: {detail}")
    green = result.status is ExitStatus.AS_CLAIMED
    console.print(result.summary(), style="bold green" if green else "bold red")
    message_console().print(f"{duration(result.seconds)}. The same cases again: {repeated(result)}")
