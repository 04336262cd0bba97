"""`remora verify`: everything in one report, or a detector on a log; `remora report`: that report rendered again."""

import shlex
import sys
from pathlib import Path

import click

from laws.standings import Standing, weakest
from remora.systems.protocol import face_for
from remora.terminal import completion, console, options
from remora.terminal.console import JsonObject, counted, emit, output_console, print_error, print_note, print_warning
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import CHECKER, OF_ALL, ONLY, SIGNATURE, NamedPath, Result, ends, format_option, own_logs
from remora.terminal.progress import Progress
from semantics.systems import system_of_text
from semantics.traces.reading import Reading


@click.command(
    epilog="\b\nExamples:\n"
    "  remora verify --quick\n"
    "  remora verify --out results --log logins.csv '(fail ; fail)[60] - ok'\n"
    "  remora verify --log access.csv 'in ; out' --sort --partition-by user\n"
    "  remora verify --checker ethos --signature cvc5/proofs/eo/cpc/Cpc.eo\n"
    "  remora verify '(fail ; fail)[60] - ok' logins.csv     a detector on this log alone\n"
    "  remora verify fleet.profile log.csv --partition-by truck\n"
)
@click.argument("pattern", required=False)
@click.argument("log", required=False, shell_complete=completion.files)
@click.option("--quick", "effort", flag_value="quick", help="Fewer random cases, and samples; two to three minutes.")
@click.option("--full", "effort", flag_value="full", help="Ten times as many cases as usual, and more.")
@click.option("--out", type=NamedPath(file=False), default=Path("remora-report"), help="The folder for all results.")
@own_logs("Detect a pattern on a trace of your own as well, and compare it with its meaning; may be repeated.")
@options.log_options(of_languages=OF_ALL)
@ONLY
@click.option("--master", metavar="URL", default="local[*]", help="The Spark master of the campaign.")
@CHECKER
@SIGNATURE
@options.seed_option
@format_option
@ends
def verify(
    pattern: str | None,
    log: str | None,
    effort: str | None,
    out: Path,
    logs: tuple[tuple[str, str], ...],
    reading: Reading,
    only: tuple[str, ...],
    master: str,
    checker: Path | None,
    signature: Path | None,
    seed: int,
) -> Result:
    """Run everything and write one report; or compare what is detected of PATTERN in LOG with its meaning.

    All laws and theorems are proved for all event streams (integer and dense time) and tested on finitely
    many cases; known false equations are refuted; every checker is given something wrong; patterns are detected on
    example traces and compared with their meaning; a campaign of random cases judges the detector on Spark.

    With PATTERN and LOG nothing of that is done: the detector of the pattern, the rules or the profiles runs on the
    log, and what it finds is compared with the definitions.
    """
    if pattern is not None:
        if log is None:
            raise click.UsageError("Name the log too: remora verify PATTERN LOG")
        for name in ("effort", "out", "logs", "master", "checker", "signature", "seed"):
            if options.was_given(name):
                option = {"logs": "log", "effort": effort}.get(name, name)
                raise click.UsageError(f"--{option} is for a whole verification, without PATTERN and LOG.")
        face, given = face_for(pattern, {"reading": reading, "only": only})
        return face.verify(pattern, log, **given)
    if only:
        raise click.UsageError("--only is for verify PATTERN LOG.")
    # The main job needs every package; a log alone does not.
    from remora.systems.carlson_lisper.comparing import read_log
    from remora.verification.proofs import startable
    from remora.verification.run import FULL, QUICK, STANDARD, Run, verified
    from remora.verification.stages import PLAN, prepare
    from reports.store import read_report, write_report

    chosen = {"quick": QUICK, "full": FULL}.get(effort or "", STANDARD)
    own_logs, warnings = [], list[str]()
    for path, expression in logs:
        if system_of_text(expression).suffix:
            raise click.UsageError(f"--log takes a pattern. Write: remora verify {expression} {path}")
        read, told = read_log(path, path, expression, reading)
        own_logs.append(read)
        warnings += told
    for text in warnings:
        print_warning(text)
    program = startable(checker, signature)
    prepare(out, master)
    print_note(f"a {chosen.name} verification of all systems takes about {chosen.usual} on two cores")
    goes_on(again)
    with Progress(listed=True) as progress:
        run = Run(chosen, out, seed, own_logs, master, progress, program, signature, warnings=warnings)
        report = verified(run, shlex.join(["remora", *sys.argv[1:]]), *PLAN)
    write_report(out, report)
    return Result(weakest(run.standings), read_report(out), lambda: _print(report, out))


def _print(report: JsonObject, out: Path) -> None:
    verdict, screen = report["verdict"], output_console()
    for word, count in verdict["counts"].items():
        screen.print(console.standing_text(word), counted(count, "claim"))
    campaign = report.get("campaign") or {"cases": 0, "failed": 0}
    false, wrong = (len(report.get(stage) or ()) for stage in ("canaries", "checks"))  # none where it broke down
    screen.print(
        f"{false} false equations and {wrong} wrong checkers or detectors"
        f" put to the test; {campaign['cases']:,} campaign cases, {campaign['failed']} failed"
    )
    screen.print(verdict["summary"], style="bold")
    for problem in verdict["problems"]:
        print_error(problem)
    screen.print(f"Report: {out / 'report.html'}")


COMPARED = ("text", "markdown", "json")  # The formats of a comparison, the usual one first

RENDERED = ("html", "text", "markdown", "json", "junit")


@click.command(
    epilog="\b\nExamples:\n"
    "  remora report remora-report\n"
    "  remora report remora-report --format markdown >> $GITHUB_STEP_SUMMARY\n"
    "  remora report remora-report --format junit > remora.junit.xml\n"
    "  remora report --compare main/remora-report remora-report\n\n"
    "Exit status of a comparison: 0 nothing got worse, 1 something did: a standing is lower, a detector, a check or"
    " a stored regression fails now. More work, fewer behaviours met and what was removed are listed and are no"
    " failure. 2 bad input."
)
@click.argument("directory", type=NamedPath(), required=False)
@click.option(
    "--compare",
    "compared",
    nargs=2,
    type=NamedPath(),
    metavar="OLD NEW",
    help="Compare two reports, folders or files, instead: what changed standing, takes a solver more work, was added"
    " or removed.",
)
@options.no_seed_option
@click.option(
    "--format",
    "form",
    type=click.Choice(list(dict.fromkeys([*RENDERED, *COMPARED]))),
    help="HTML is written into the folder, the others go to standard output: Markdown for a pull request, JSON for"
    " programs, JUnit XML with a test case for each claim and detector."
    " A comparison is text, markdown or json. Default: html, and text for a comparison.",
)
@ends
def report(directory: Path | None, compared: tuple[Path, Path] | None, form: str | None) -> Result:
    """Render the results of `remora verify` in DIRECTORY again, or compare two reports."""
    if (directory is None) is (compared is None):
        raise click.UsageError("Give the folder of a report, or two with --compare OLD NEW.")
    allowed = RENDERED if compared is None else COMPARED
    chosen = form or allowed[0]
    if chosen not in allowed:
        what = "a report" if compared is None else "a comparison"
        raise click.UsageError(f"--format {chosen}: {what} is one of {', '.join(allowed)}.")
    from reports.junit import page_junit
    from reports.markdown import page_markdown, page_text
    from reports.report import report_page
    from reports.store import HTML_NAME, read_report, write_report

    if compared is not None:
        from reports.comparison import compare, comparison_data, comparison_page

        found = compare(*map(read_report, compared))
        page = comparison_page(found)
        text = page_markdown(page) if chosen == "markdown" else page_text(page, whole=True)
        standing = Standing.REFUTED if found.worse else Standing.TESTED
        return Result(standing, comparison_data(found), lambda: emit(text))
    assert directory is not None
    results = read_report(directory)
    if chosen == "html":
        folder = directory.parent if directory.is_file() else directory
        write_report(folder, results)
        emit(f"{folder / HTML_NAME}\n")
    elif chosen == "json":
        return Result(None, results)
    else:
        emit({"markdown": page_markdown, "junit": page_junit, "text": page_text}[chosen](report_page(results)))
    return Result(None)
