"""`remora gate`: may a change of a detector go in?"""

from __future__ import annotations

from pathlib import Path

import click

from campaigns.loading import ALL, named_detectors
from laws.standings import ExitStatus
from remora import completion
from remora.budget import duration, parse_budget
from remora.console import emit, emit_json, message_console, output_console, print_error
from remora.files import prepare_folder, write_text
from remora.gate import Gate
from remora.gate_junit import junit
from remora.gate_markdown import markdown
from remora.gate_reports import gate_data, lines, repeated, stage_lines
from remora.gate_results import Finding, GateResult, Request
from remora.gate_sarif import sarif
from remora.options import NamedPath, WholeNumber, seed_option
from remora.progress import Progress
from semantics.errors import InputError

DEFAULT_BUDGET = "2m"

_TEXTS = {"markdown": markdown, "junit": junit, "sarif": sarif}
"""The formats that are a text of their own."""

_STYLES = {"passed": "green", "failed": "bold red", "open": "yellow"}


@click.command(
    epilog="\b\nExamples:\n"
    "  remora gate\n"
    "  remora gate --detector mypackage.detectors:Fast --budget 2m\n"
    "  remora gate --detector mypackage.detectors:Fast --cases 2000 --seed 7\n"
    "  remora gate --detector figure3 --budget 5m --out gate --format markdown\n\n"
    "Exit status: 0 nothing was found and enough was tried, 1 a detector is wrong, 2 bad input, 3 inconclusive,"
    " 4 the judges disagree, 5 infrastructure failed.",
)
@click.option(
    "--detector",
    "detectors",
    multiple=True,
    default=(ALL,),
    show_default=True,
    metavar="NAME",
    shell_complete=completion.detectors_of_cases,
    help="May be given several times: a name of `remora campaign run`, such as figure3; all for those that need no"
    " compiling; or package.module:object for your own.",
)
@click.option(
    "--budget",
    metavar="TIME",
    help=f"How long it may take: 30s, 2m, 1h. Default: {DEFAULT_BUDGET}, unless --cases is given.",
)
@click.option(
    "--cases",
    type=WholeNumber(min=1),
    help="Judge so many random cases, whatever that takes: the same result on every machine.",
)
@click.option(
    "--regressions",
    type=NamedPath(file=False),
    default=Path("regressions"),
    show_default=True,
    metavar="DIR",
    help="The folder whose cases are tried first and that receives new failures.",
)
@click.option(
    "--out",
    type=NamedPath(file=False),
    help="A folder for gate.md, gate.json, gate.junit.xml and gate.sarif.",
)
@click.option(
    "--master",
    metavar="URL",
    help="Run the campaign on Spark with this master, such as local[*]; needs --cases. Default: without Spark.",
)
@seed_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "junit", "sarif"]),
    default="text",
    show_default=True,
    help="Text for people, JSON for programs, Markdown for a pull request, JUnit XML for test results, SARIF for"
    " findings at the detector's source.",
)
def gate(
    detectors: tuple[str, ...],
    budget: str | None,
    cases: int | None,
    regressions: Path,
    out: Path | None,
    master: str | None,
    seed: int,
    form: str,
) -> None:
    """Decide within a budget of time whether a detector may go in.

    Stored regressions, every law, proofs of the step functions, wrong detectors that the cases have to find, and a
    campaign of random cases in all the time that is left. It is green on exit status 0 alone.
    """
    request = _request(detectors, budget, cases, regressions, master, seed)
    if out is not None:
        prepare_folder(out)

    def show(finding: Finding) -> None:
        if form == "text":
            console = output_console()  # made now, that it prints above what shows the progress
            console.print(lines(finding, console.width))

    with Progress() as progress:
        result = Gate(request, progress, show).run()
    if out is not None:
        _write(out, result)
    if form == "json":
        emit_json(gate_data(result))
    elif form in _TEXTS:
        emit(_TEXTS[form](result))
    else:
        _print(result)
    raise SystemExit(int(result.status))


def _request(
    detectors: tuple[str, ...],
    budget: str | None,
    cases: int | None,
    regressions: Path,
    master: str | None,
    seed: int,
) -> Request:
    if budget is not None and cases is not None:
        raise InputError(
            "--budget and --cases exclude each other",
            remedy="Time decides how many cases there are, or their number how long it takes.",
        )
    if master is not None and cases is None:
        raise InputError("--master needs --cases", remedy="Say how many cases Spark is to judge.")
    if cases is None:
        seconds = parse_budget(DEFAULT_BUDGET if budget is None else budget)
    return Request(
        tuple(dict.fromkeys(named_detectors(detectors))),
        regressions,
        seed,
        None if cases is not None else seconds,
        cases,
        master,
        (str(Path.cwd()),),
    )


def _write(folder: Path, result: GateResult) -> None:
    from remora.data import to_json

    write_text(folder / "gate.md", markdown(result))
    write_text(folder / "gate.json", to_json(gate_data(result), indent=2) + "\n")
    write_text(folder / "gate.junit.xml", junit(result))
    write_text(folder / "gate.sarif", sarif(result))


def _print(result: GateResult) -> None:
    console = output_console()
    for stage, outcome, said in stage_lines(result):
        console.print(f"{stage:12} ", end="")
        console.print(f"{outcome:9} ", style=_STYLES.get(outcome, ""), end="")
        console.print(said)
    for check in result.open()[:10]:
        if check.stage != "mutants":
            print_error(f"open: {check.name} {check.detector}: {check.detail or 'unknown'}")
    green = result.status is ExitStatus.AS_CLAIMED
    console.print(result.summary(), style="bold green" if green else "bold red")
    message_console().print(f"{duration(result.seconds)}. The same cases again: {repeated(result)}")
