"""`remora report`: the results of a run rendered again, or compared with those of another one."""

from __future__ import annotations

from pathlib import Path

import click

from laws.standings import Standing
from remora.terminal.console import emit
from remora.terminal.ending import Result, ends
from remora.terminal.options import NamedPath, no_seed_option
from reports.comparison import compare, comparison_data, comparison_page
from reports.junit import page_junit
from reports.markdown import page_markdown
from reports.report import report_page
from reports.store import HTML_NAME, read_report, write_report
from reports.terminal import page_text

COMPARED = ("text", "markdown", "json")
"""The formats of a comparison, the usual one first."""

RENDERED = ("html", "text", "markdown", "json", "junit")


@click.command(
    epilog="\b\nExamples:\n"
    "  remora report remora-report\n"
    "  remora report remora-report --format markdown >> $GITHUB_STEP_SUMMARY\n"
    "  remora report remora-report --format junit > remora.junit.xml\n"
    "  remora report remora-report --format json | jq .verdict\n"
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
@no_seed_option
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
    if compared is not None:
        return _compared(*compared, chosen)
    assert directory is not None
    return _rendered(directory, chosen)


def _rendered(directory: Path, form: str) -> Result:
    results = read_report(directory)
    match form:
        case "html":
            folder = directory.parent if directory.is_file() else directory
            write_report(folder, results)
            emit(f"{folder / HTML_NAME}\n")
        case "json":
            return Result(None, results)
        case _:
            page = report_page(results)
            emit({"markdown": page_markdown, "junit": page_junit, "text": page_text}[form](page))
    return Result(None)


def _compared(old: Path, new: Path, form: str) -> Result:
    found = compare(read_report(old), read_report(new))
    page = comparison_page(found)
    text = page_markdown(page) if form == "markdown" else page_text(page, whole=True)
    standing = Standing.REFUTED if found.worse else Standing.TESTED
    return Result(standing, comparison_data(found), lambda: emit(text))
