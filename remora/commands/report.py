"""`remora report`: the results of a run rendered again, or compared with those of another one."""

from __future__ import annotations

from pathlib import Path

import click

from laws.standings import ExitStatus
from remora.terminal.console import emit, emit_json
from remora.terminal.options import NamedPath, no_seed_option

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
def report(directory: Path | None, compared: tuple[Path, Path] | None, form: str | None) -> None:
    """Render the results of `remora verify` in DIRECTORY again, or compare two reports."""
    if (directory is None) is (compared is None):
        raise click.UsageError("Give the folder of a report, or two with --compare OLD NEW.")
    allowed = RENDERED if compared is None else COMPARED
    chosen = form or allowed[0]
    if chosen not in allowed:
        what = "a report" if compared is None else "a comparison"
        raise click.UsageError(f"--format {chosen}: {what} is one of {', '.join(allowed)}.")
    if compared is not None:
        _compare(*compared, chosen)
    elif directory is not None:
        _render(directory, chosen)


def _render(directory: Path, form: str) -> None:
    from reports.junit import page_junit
    from reports.markdown import page_markdown
    from reports.report import report_page
    from reports.store import HTML_NAME, read_report, write_report
    from reports.terminal import page_text

    results = read_report(directory)
    match form:
        case "html":
            folder = directory.parent if directory.is_file() else directory
            write_report(folder, results)
            emit(f"{folder / HTML_NAME}\n")
        case "markdown":
            emit(page_markdown(report_page(results)))
        case "junit":
            emit(page_junit(report_page(results)))
        case "text":
            emit(page_text(report_page(results)))
        case _:
            emit_json(results)


def _compare(old: Path, new: Path, form: str) -> None:
    from reports.comparison import compare, comparison_data, comparison_page
    from reports.markdown import page_markdown
    from reports.store import read_report
    from reports.terminal import page_text

    found = compare(read_report(old), read_report(new))
    match form:
        case "json":
            emit_json(comparison_data(found))
        case "markdown":
            emit(page_markdown(comparison_page(found)))
        case _:
            emit(page_text(comparison_page(found), whole=True))
    raise SystemExit(int(ExitStatus.REFUTED if found.worse else ExitStatus.AS_CLAIMED))
