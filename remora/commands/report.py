"""`remora report`: the results of a run rendered again."""

from __future__ import annotations

from pathlib import Path

import click

from remora.console import emit, emit_json
from remora.options import no_seed_option


@click.command(
    epilog="\b\nExamples:\n"
    "  remora report remora-report\n"
    "  remora report remora-report --format markdown >> $GITHUB_STEP_SUMMARY\n"
    "  remora report remora-report --format json | jq .verdict"
)
@click.argument("directory", type=click.Path(path_type=Path))
@no_seed_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "markdown", "json"]),
    default="html",
    show_default=True,
    help="HTML is written into the folder, the others go to standard output.",
)
def report(directory: Path, form: str) -> None:
    """Render the results of `remora verify` in DIRECTORY again."""
    from reports.markdown import render_markdown
    from reports.store import read_report, write_report

    results = read_report(directory)
    if form == "html":
        write_report(directory, results)
        emit(f"{directory / 'report.html'}\n")
    elif form == "markdown":
        emit(render_markdown(results))
    else:
        emit_json(results)
