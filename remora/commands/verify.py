"""`remora verify`: the main job, everything in one report."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from remora.terminal.console import (
    emit_json,
    output_console,
    print_error,
    print_note,
    print_warning,
    standing_text,
)
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import (
    CHECKER,
    SIGNATURE,
    NamedPath,
    format_option,
    log_options,
    own_logs,
    require_checker,
    seed_option,
)
from remora.terminal.progress import Progress
from semantics.traces.reading import Reading


@click.command(
    epilog="\b\nExamples:\n"
    "  remora verify --quick\n"
    "  remora verify --format json | jq .verdict\n"
    "  remora verify --out results --log logins.csv '(fail ; fail)[60] - ok'\n"
    "  remora verify --log access.csv 'in ; out' --sort --partition-by user\n"
    "  remora verify --checker ethos --signature cvc5/proofs/eo/cpc/Cpc.eo"
)
@click.option(
    "--quick",
    "effort",
    flag_value="quick",
    help="Fewer random cases, and samples of what takes long; two to three minutes.",
)
@click.option("--full", "effort", flag_value="full", help="Ten times as many cases as usual, and more.")
@click.option(
    "--out",
    type=NamedPath(file=False),
    default=Path("remora-report"),
    show_default=True,
    help="The folder for report.html, report.json and the campaign's rows.",
)
@own_logs(
    "Detect a pattern on a trace of your own as well, and compare it with its meaning; may be repeated."
)
@log_options()
@click.option(
    "--master", metavar="URL", default="local[*]", show_default=True, help="The Spark master of the campaign."
)
@CHECKER
@SIGNATURE
@seed_option
@format_option
def verify(
    effort: str | None,
    out: Path,
    logs: tuple[tuple[str, str], ...],
    reading: Reading,
    master: str,
    checker: Path | None,
    signature: Path | None,
    seed: int,
    form: str,
) -> None:
    """Run everything and write one report.

    All laws and theorems are proved for all event streams (integer and dense time) and tested on finitely
    many cases; known false equations are refuted; every checker is given something wrong, and parts of the
    verifier itself are broken, which a check has to notice; patterns are detected on example traces and
    compared with their meaning; a campaign of random cases judges the detector on Spark.
    """
    from remora.verification.campaign import prepare
    from remora.verification.certificates import startable
    from remora.verification.efforts import FULL, QUICK, STANDARD
    from remora.verification.logs import read_log
    from remora.verification.stages import Verification
    from reports.page import duration
    from reports.store import read_report, write_report

    chosen = {"quick": QUICK, "full": FULL}.get(effort or "", STANDARD)
    own_logs, warnings = [], []
    for path, expression in logs:
        log, told = read_log(path, path, expression, reading)
        own_logs.append(log)
        warnings += told
    for text in warnings:
        print_warning(text)
    require_checker(checker, signature)
    program = None if checker is None else startable(checker)
    prepare(out, master)
    usual = duration(sum(chosen.expected.values()))
    print_note(f"a {chosen.name} verification of all systems takes about {usual} on two cores")
    goes_on(again)
    with Progress(expected=chosen.expected) as progress:
        verification = Verification(
            chosen, out, seed, own_logs, master, progress, checker=program, signature=signature
        )
        verification.warnings += warnings
        report = verification.run(shlex.join(["remora", *sys.argv[1:]]))
    write_report(out, report)
    verdict = report["verdict"]
    if form == "json":
        emit_json(read_report(out))
    else:
        console = output_console()
        for word, count in verdict["counts"].items():
            console.print(standing_text(word), f"{count} {'claim' if count == 1 else 'claims'}")
        campaign = report.get("campaign") or {"cases": 0, "failed": 0}
        false, wrong = (
            len(report.get(stage) or ()) for stage in ("canaries", "checks")
        )  # none where it broke down
        console.print(
            f"{false} false equations and {wrong} wrong checkers or detectors"
            f" put to the test; {campaign['cases']:,} campaign cases, {campaign['failed']} failed"
        )
        console.print(verdict["summary"], style="bold")
        for problem in verdict["problems"]:
            print_error(problem)
        console.print(f"Report: {out / 'report.html'}")
    raise SystemExit(verdict["exit_status"])
