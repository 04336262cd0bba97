"""`remora verify`: everything in one report, or a detector on a log; `remora report`: that report rendered again."""

import shlex
import sys
from pathlib import Path

import click

from laws.standings import Standing, weakest
from remora.commands.detection import face_for
from remora.terminal import console, options
from remora.terminal.console import JsonObject, counted, emit, output_console, print_error, print_note, print_warning
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import Asked, Result, ends, option, several
from remora.terminal.progress import Progress
from semantics.systems import system_of_text


@click.command()
@click.argument("pattern", required=False)
@click.argument("log", required=False, shell_complete=options.files)
@option("--quick effort", "Fewer random cases, and samples; two to three minutes.", flag_value="quick")
@option("--full effort", "Ten times as many cases as usual, and more.", flag_value="full")
@option("--out", "The folder for all results.", options.FOLDER, default=Path("remora-report"))
@several(
    "--log logs FILE EXPRESSION",
    "Detect a pattern on a trace of your own as well, and compare it with its meaning; may be repeated.",
    nargs=2,
)
@options.log_options(*options.TIES, of_languages=options.OF_ALL)
@options.ONLY
@option("--master URL", "The Spark master of the campaign.", default="local[*]")
@options.CHECKER
@options.SIGNATURE
@ends(options.SEED, options.FORMAT)
def verify(asked: Asked) -> Result:
    """Run everything and write one report; or compare what is detected of PATTERN in LOG with its meaning."""
    if asked.pattern is not None:
        if asked.log is None:
            raise click.UsageError("Name the log too: remora verify PATTERN LOG")
        whole = ("effort", "out", "logs", "master", "checker", "signature", "seed")
        for name in filter(options.was_given, whole):
            option = {"logs": "log", "effort": asked.effort}.get(name, name)
            raise click.UsageError(f"--{option} is for a whole verification, without PATTERN and LOG.")
        face, given = face_for(asked, "pattern", "log", "form", *whole)
        return face.verify(asked.pattern, asked.log, **given)
    if asked.only:
        raise click.UsageError("--only is for verify PATTERN LOG.")
    # The main job needs every package; a log alone does not.
    from remora.systems.carlson_lisper.comparing import read_log
    from remora.verification.proofs import startable
    from remora.verification.run import FULL, QUICK, STANDARD, Run, verified
    from remora.verification.stages import PLAN, prepare
    from reports.store import read_report, write_report

    chosen, out = {"quick": QUICK, "full": FULL}.get(asked.effort, STANDARD), asked.out
    own_logs, warnings = [], list[str]()
    for path, expression in asked.logs:
        if system_of_text(expression).suffix:
            raise click.UsageError(f"--log takes a pattern. Write: remora verify {expression} {path}")
        read, told = read_log(path, path, expression, asked.reading)
        own_logs.append(read)
        warnings += told
    for text in warnings:
        print_warning(text)
    program = startable(asked.checker, asked.signature)
    prepare(out, asked.master)
    print_note(f"a {chosen.name} verification of all systems takes about {chosen.usual} on two cores")
    goes_on(again)
    with Progress(listed=True) as progress:
        run = Run(
            chosen, out, asked.seed, own_logs, asked.master, progress, program, asked.signature, warnings=warnings
        )
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


@click.command()
@click.argument("directory", type=options.NamedPath(), required=False)
@option(
    "--compare compared OLD NEW",
    "Compare two reports, folders or files, instead: what changed standing, takes a solver more work, was added or"
    " removed.",
    options.NamedPath(),
    nargs=2,
)
@option(
    "--format form",
    "HTML is written into the folder, the others go to standard output: Markdown for a pull request, JSON for programs,"
    " JUnit XML with a test case for each claim and detector. A comparison is text, markdown or json. Default: html, or"
    " text for a comparison.",
    click.Choice(RENDERED),
)
@ends(options.NO_SEED)
def report(asked: Asked) -> Result:
    """Render the results of `remora verify` in DIRECTORY again, or compare two reports."""
    directory, compared = asked.directory, asked.compared
    if (directory is None) is (compared is None):
        raise click.UsageError("Give the folder of a report, or two with --compare OLD NEW.")
    allowed = RENDERED if compared is None else COMPARED
    form = asked.form or allowed[0]
    if form not in allowed:
        raise click.UsageError(f"--format {form}: a comparison is one of {', '.join(allowed)}.")
    from reports.junit import page_junit
    from reports.markdown import page_markdown, page_text
    from reports.report import report_page
    from reports.store import HTML_NAME, read_report, write_report

    if compared is not None:
        from reports.comparison import compare, comparison_data, comparison_page

        found = compare(*map(read_report, compared))
        page = comparison_page(found)
        text = page_markdown(page) if form == "markdown" else page_text(page, whole=True)
        standing = Standing.REFUTED if found.worse else Standing.TESTED
        return Result(standing, comparison_data(found), lambda: emit(text))
    results = read_report(directory)
    if form == "html":
        folder = directory.parent if directory.is_file() else directory
        write_report(folder, results)
        emit(f"{folder / HTML_NAME}\n")
    elif form != "json":
        emit({"markdown": page_markdown, "junit": page_junit, "text": page_text}[form](report_page(results)))
    return Result(None, results)
