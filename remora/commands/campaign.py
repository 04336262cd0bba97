"""`remora campaign`: randomized trace campaigns on Spark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from campaigns.campaign import CampaignFailed, replay, resume, run_campaign
from campaigns.directory import CampaignDirectory
from campaigns.judge import TIME_LIMIT
from campaigns.profiles import DEFAULT_WEIGHTS
from campaigns.settings import Settings
from campaigns.summary import CampaignSummary
from detectors.catalogue import DEFAULT_DETECTOR, DETECTORS
from detectors.interval_catalogue import INTERVAL_DETECTORS
from laws.standings import ExitStatus, Standing, exit_status
from remora.campaign_data import campaign_data, campaign_standing, judged_case_data
from remora.console import emit_json, message_console, output_console, print_error, print_table
from remora.data import JsonObject
from remora.options import WholeNumber, format_option, seed_option
from remora.progress import Progress
from reports.timeline import failure_timeline, to_text
from semantics.errors import InputError

MASTER = click.option(
    "--master", metavar="URL", default="local[*]", show_default=True, help="The Spark master."
)
SHOWN_FAILURES = 3
"""How many failing cases are drawn."""

DIRECTORY = click.argument("directory", type=click.Path(file_okay=False, path_type=Path))


@click.group(
    epilog="\b\nExamples:\n"
    "  remora campaign run nightly.campaign --cases 200000 --seed 7\n"
    "  remora campaign run mine.campaign --detector mypackage.detectors:Fast\n"
    "  remora campaign resume nightly.campaign\n"
    "  remora campaign replay nightly.campaign 1234"
)
def campaign() -> None:
    """Judge a detector on random expressions and traces, fanned out by Spark.

    A case is determined by the campaign's seed and its number alone. What a killed run has finished is kept;
    a failing case is made small and can be replayed by its number in one process without Spark.
    """


@campaign.command(
    "run",
    short_help="Carry out a campaign.",
    epilog="\b\nExamples:\n"
    "  remora campaign run nightly.campaign --cases 200000 --seed 7\n"
    "  remora campaign run mine.campaign --detector mypackage.detectors:Fast\n"
    "  remora campaign run wrong.campaign --cases 1000 --detector mutant:seq-newest\n"
    "  remora campaign run ties.campaign --profile ties=3 --profile dense=1\n"
    "  remora campaign run few.campaign --detector batch-compiled --profile pool=1",
)
@DIRECTORY
@click.option("--cases", type=WholeNumber(min=1), default=10_000, show_default=True, help="How many cases.")
@click.option(
    "--detector",
    default=DEFAULT_DETECTOR,
    show_default=True,
    metavar="NAME",
    help=f"One of {', '.join(DETECTORS)}; for starts and ends alone, one of {', '.join(INTERVAL_DETECTORS)};"
    " or mutant:NAME, or package.module:object.",
)
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="NAME=WEIGHT",
    help=f"Use these profiles of cases instead of the usual mixture; known: {', '.join(DEFAULT_WEIGHTS)}.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=TIME_LIMIT,
    show_default=True,
    help="How long the detector may take for one case.",
)
@MASTER
@seed_option
@format_option
def run(
    directory: Path,
    cases: int,
    detector: str,
    profiles: tuple[str, ...],
    seconds: float,
    master: str,
    seed: int,
    form: str,
) -> None:
    """Carry out a campaign; its rows (Parquet) and settings go to DIRECTORY."""
    weights = dict(map(_weight, profiles)) if profiles else dict(DEFAULT_WEIGHTS)
    settings = Settings(seed=seed, cases=cases, detector=detector, profiles=weights, seconds=seconds)
    _finish(_carried_out(directory, settings, master, form), master, form)


@campaign.command("resume", short_help="Go on with a campaign that was interrupted.")
@DIRECTORY
@MASTER
@format_option
def resume_campaign(directory: Path, master: str, form: str) -> None:
    """Go on with the campaign in DIRECTORY: only what is missing is done."""
    _finish(_carried_out(directory, None, master, form), master, form)


@campaign.command(
    "replay",
    short_help="Judge one case again, without Spark.",
    epilog="\b\nExamples:\n  remora campaign replay nightly.campaign 1234",
)
@DIRECTORY
@click.argument("case", type=WholeNumber(min=0), metavar="CASE")
@format_option
def replay_case(directory: Path, case: int, form: str) -> None:
    """Generate CASE of the campaign in DIRECTORY again and judge it here, without Spark."""
    found = replay(directory, case)
    verdict = found.verdict
    data: dict[str, Any] = {
        "schema": "remora/replay/1",
        "case": case,
        "seed": found.settings.seed,
        "detector": found.settings.detector,
        "ok": verdict.ok,
        "kind": None if verdict.kind is None else verdict.kind.value,
        "detail": verdict.detail,
        "refused": verdict.refusal or None,
        **judged_case_data(found.case, verdict),
    }
    if form == "json":
        emit_json(data)
    else:
        console = output_console()
        console.print(f"case {case} of seed {found.settings.seed}")
        if verdict.refused:
            console.print(
                f"{found.settings.detector}: {found.case}\nrefused: {verdict.refusal}", markup=False
            )
        else:
            drawn = {**data, "kind": data["kind"] or "as the semantics says"}
            console.print(to_text(failure_timeline(drawn), console.width), end="")
        if verdict.kind is not None:
            console.print(f"\n{data['kind']}: {verdict.detail}")
    if verdict.refused:
        raise SystemExit(int(ExitStatus.INCONCLUSIVE))
    raise SystemExit(int(ExitStatus.AS_CLAIMED if verdict.ok else ExitStatus.REFUTED))


@campaign.command("show", short_help="Show the results of a finished campaign.")
@DIRECTORY
@format_option
def show(directory: Path, form: str) -> None:
    """Show the results of the finished campaign in DIRECTORY."""
    place = CampaignDirectory(directory.absolute())
    settings = place.settings()
    try:
        summary: JsonObject = json.loads(place.summary.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(
            "the campaign here is not finished",
            place=str(directory),
            remedy=f"Finish it: remora campaign resume {directory}",
        ) from None
    except (ValueError, OSError) as error:
        raise InputError(f"the summary cannot be read: {error}", place=str(place.summary)) from None
    if form == "json":
        emit_json(summary)
        return
    console = output_console()
    console.print(
        f"{summary['cases']:,} cases against {settings.detector}, seed {settings.seed}:"
        f" {summary['failures']:,} failed, {_refused(summary['refused'])}"
        f"{summary['vacuous']:,} had nothing to detect"
    )
    for title, column in (("operator", "operators"), ("profile", "profiles")):
        console.print()
        print_table(
            ("cases", "failed", title),
            [(f"{s['cases']:,}", f"{s['failures']:,}", name) for name, s in summary[column].items()],
            right=("cases", "failed"),
        )
    for failure in summary["first_failures"]:
        small = failure["minimised"] or failure
        console.print(f"\ncase {failure['case']}: {failure['kind']}: {small['detail']}")
        console.print(f"  {small['expression']}  in  {small['trace']}")
        console.print(f"  remora campaign replay {directory} {failure['case']}")


def _refused(cases: int) -> str:
    """A part of a sentence about the cases that were neither passed nor failed."""
    return f"{cases:,} were refused as beyond its limits, " if cases else ""


def _weight(text: str) -> tuple[str, int]:
    name, _, weight = text.partition("=")
    if not weight.isdecimal():
        raise InputError(
            f"--profile {text}: the weight is not an integer >= 0", remedy="Write NAME=WEIGHT, as in seq=3."
        )
    return name, int(weight)


def _carried_out(directory: Path, settings: Settings | None, master: str, form: str) -> CampaignSummary:
    with Progress(quiet=form == "json") as progress:
        total = settings.cases if settings else CampaignDirectory(directory.absolute()).settings().cases
        with progress.stage("campaign", total) as advance:
            advance("starting Spark", 0)

            def tell(done: int, _total: int, failures: int) -> None:
                advance(f"{failures} failures" if failures else "", done)

            try:
                if settings is None:
                    return resume(directory, master=master, progress=tell)
                return run_campaign(directory, settings, master=master, progress=tell)
            except CampaignFailed as error:
                print_error(error.reason)
                raise SystemExit(int(ExitStatus.INFRASTRUCTURE)) from error


def _finish(summary: CampaignSummary, master: str, form: str) -> None:
    data = campaign_data(summary, master)
    standing = campaign_standing(summary)
    if form == "json":
        emit_json({"schema": "remora/campaign-result/1", "standing": standing.value, **data})
    else:
        console = output_console()
        now = (
            f"{data['cases_per_second']:,.0f} cases per second"
            if data["judged_now"]
            else "all of them were there"
        )
        console.print(
            f"{data['cases']:,} cases against {data['detector']}: {data['failed']:,} failed,"
            f" {_refused(data['refused'])}{data['vacuous']:,} had nothing to detect; {now}"
        )
        for failure in data["failures"][:SHOWN_FAILURES]:
            console.print(f"\ncase {failure['case']}: {failure['kind']}: {failure['detail']}")
            console.print(to_text(failure_timeline(failure), console.width), end="")
            console.print(f"replay: {failure['replay']}")
        if data["failed"] > SHOWN_FAILURES:
            message_console().print(
                f"{data['failed'] - SHOWN_FAILURES:,} more failed; see: remora campaign show {summary.directory}"
            )
    raise SystemExit(int(exit_status([Standing.PROVED if standing is Standing.TESTED else standing])))
