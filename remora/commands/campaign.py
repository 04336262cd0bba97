"""`remora campaign`: randomized trace campaigns on Spark."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from campaigns.campaign import CampaignFailed, Listener, replay, resume, run_campaign
from campaigns.corpus import read_corpus
from campaigns.directory import CampaignDirectory
from campaigns.failures import Failure
from campaigns.judge import TIME_LIMIT, Verdict
from campaigns.judgements import BLOCKING, MEANING, judged_by
from campaigns.limits import MEMORY_LIMIT
from campaigns.loading import ALL, any_factory, named_detectors
from campaigns.profiles import DEFAULT_WEIGHTS, PROFILES
from campaigns.relations.catalogue import RELATIONS
from campaigns.settings import Settings
from campaigns.summary import CampaignSummary
from cluster.masters import usual_master
from detectors.catalogue import DEFAULT_DETECTOR, DETECTORS
from detectors.interval_catalogue import INTERVAL_DETECTORS
from laws.standings import ExitStatus, Standing, exit_status
from remora import completion
from remora.campaign_data import campaign_data, campaign_standing, judged_case_data
from remora.commands.power import campaign_power
from remora.console import emit_json, message_console, output_console, print_error, print_table
from remora.data import JsonObject
from remora.drawing import print_timeline
from remora.files import require_possible
from remora.options import NamedPath, Number, WholeNumber, format_option, no_seed_option, seed_option
from remora.progress import Progress
from reports.timeline import failure_timeline
from semantics.errors import InputError

MASTER = click.option(
    "--master",
    metavar="URL",
    default=usual_master,
    show_default="what spark-submit was given, or local[*]",
    help="Where Spark runs: local[N], spark://host:port, yarn, k8s://URL, or sc://host:port of a Spark Connect server."
    " See docs/cluster.md.",
)
REGRESSIONS = click.option(
    "--regressions",
    type=NamedPath(file=False),
    metavar="DIR",
    help="A folder whose regressions are tried first and that receives new ones. Default: one in DIRECTORY.",
)
NO_RELATION = "none"
"""In the place of a relation: no relation is tried."""

SHOWN_CAUSES = 5
"""How many causes are listed at the end."""

DIRECTORY = click.argument("directory", type=NamedPath(file=False))


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


campaign.add_command(campaign_power)


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
    "detectors",
    multiple=True,
    default=(DEFAULT_DETECTOR,),
    show_default=True,
    metavar="NAME",
    shell_complete=completion.detectors_of_cases,
    help=f"May be given several times: {', '.join(DETECTORS)}; for starts and ends alone,"
    f" {', '.join(INTERVAL_DETECTORS)}; {ALL} for those of both that need no compiling; mutant:NAME;"
    " or package.module:object.",
)
@click.option(
    "--relation",
    "relations",
    multiple=True,
    type=click.Choice([*RELATIONS, NO_RELATION]),
    metavar="NAME",
    help="Try only these relations between related cases, one on each case; default: all. Known:"
    f" {', '.join(RELATIONS)}; {NO_RELATION} for none.",
)
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="NAME=WEIGHT",
    shell_complete=completion.profiles,
    help=f"Use these profiles of cases instead of the usual mixture; known: {', '.join(PROFILES)}.",
)
@click.option(
    "--corpus",
    "corpus",
    multiple=True,
    type=NamedPath(),
    metavar="TRACE",
    help="Make half of the cases from windows of this real trace; may be given several times.",
)
@click.option(
    "--vectorised",
    is_flag=True,
    help="Make and judge cases in groups of many traces of one expression: many more cases in the same time, for"
    " the detectors batch, generated, generated-loops and register-machine; others get a few of them.",
)
@click.option(
    "--seconds",
    type=Number(min=0, min_open=True),
    default=TIME_LIMIT,
    show_default=True,
    help="How long a detector may take for one trace.",
)
@click.option(
    "--memory",
    type=WholeNumber(min=1),
    default=MEMORY_LIMIT,
    show_default=True,
    metavar="MIB",
    help="How much more memory than at its start a worker may take.",
)
@REGRESSIONS
@MASTER
@seed_option
@format_option
def run(
    directory: Path,
    cases: int,
    detectors: tuple[str, ...],
    relations: tuple[str, ...],
    profiles: tuple[str, ...],
    corpus: tuple[Path, ...],
    vectorised: bool,
    seconds: float,
    memory: int,
    regressions: Path | None,
    master: str,
    seed: int,
    form: str,
) -> None:
    """Carry out a campaign; its rows (Parquet) and settings go to DIRECTORY."""
    settings = Settings(
        seed=seed,
        cases=cases,
        detectors=named_detectors(detectors),
        relations=tuple(name for name in relations or RELATIONS if name != NO_RELATION),
        profiles=dict(map(_weight, profiles)) if profiles else dict(DEFAULT_WEIGHTS),
        corpus=read_corpus(corpus),
        vectorised=vectorised,
        seconds=seconds,
        memory=memory,
    )
    require_possible(directory, "Name another DIRECTORY.")
    _finish(_carried_out(directory, settings, regressions, master, form), master, form)


@campaign.command(
    "resume",
    short_help="Go on with a campaign that was interrupted.",
    epilog="\b\nExamples:\n  remora campaign resume nightly.campaign",
)
@DIRECTORY
@REGRESSIONS
@MASTER
@no_seed_option
@format_option
def resume_campaign(directory: Path, regressions: Path | None, master: str, form: str) -> None:
    """Go on with the campaign in DIRECTORY: only what is missing is done."""
    _finish(_carried_out(directory, None, regressions, master, form), master, form)


@campaign.command(
    "replay",
    short_help="Judge one case again, without Spark.",
    epilog="\b\nExamples:\n  remora campaign replay nightly.campaign 1234",
)
@DIRECTORY
@click.argument("case", type=WholeNumber(min=0), metavar="CASE")
@no_seed_option
@format_option
def replay_case(directory: Path, case: int, form: str) -> None:
    """Generate CASE of the campaign in DIRECTORY again and judge it here, without Spark."""
    found = replay(directory, case)
    settings = CampaignDirectory(directory.absolute()).settings()
    failed = {fault.detector: fault for fault in found.faults}
    refused = dict(found.refusals)
    data: dict[str, Any] = {
        "schema": "remora/replay/2",
        "case": case,
        "seed": settings.seed,
        "profile": found.case.profile,
        "relation": found.relation,
        "ok": not failed and not refused,
        "failures": [asdict(fault) for fault in found.faults],
        "refusals": refused,
        **judged_case_data(found.case, Verdict(None, "", found.meaning.expected)),
        "detected": {},
    }
    for name in settings.detectors:
        if name not in failed or failed[name].kind not in BLOCKING:
            factory = any_factory(name, (str(Path.cwd()),))
            verdict = judged_by(MEANING, found.case, factory, seconds=settings.seconds, meaning=found.meaning)
            data["detected"][name] = [[report.start, report.end] for report in verdict.detected]
    if form == "json":
        emit_json(data)
    else:
        console = output_console()
        console.print(f"case {case} of seed {settings.seed}, profile {found.case.profile}")
        for name in settings.detectors:
            if name in refused:
                console.print(f"{name}: refused: {refused[name]}", markup=False)
                continue
            fault = failed.get(name)
            said = "as the semantics says" if fault is None else fault.kind.value
            drawn = {**data, "detector": name, "kind": said, "detected": data["detected"].get(name, [])}
            print_timeline(failure_timeline(drawn))
            console.print("" if fault is None else f"{fault.cause}: {fault.detail}\n", markup=False)
    if refused and not failed:
        raise SystemExit(int(ExitStatus.INCONCLUSIVE))
    raise SystemExit(int(ExitStatus.REFUTED if failed else ExitStatus.AS_CLAIMED))


@campaign.command(
    "show",
    short_help="Show the results of a finished campaign.",
    epilog="\b\nExamples:\n"
    "  remora campaign show nightly.campaign\n"
    "  remora campaign show nightly.campaign --format json | jq .coverage",
)
@DIRECTORY
@no_seed_option
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
        f"{summary['cases']:,} cases against {', '.join(settings.detectors)}, seed {settings.seed}:"
        f" {summary['failures']:,} failed, {_refused(summary['refused'])}"
        f"{summary['vacuous']:,} had nothing to detect"
    )
    for title, column in (("detector", "detectors"), ("operator", "operators"), ("profile", "profiles")):
        console.print()
        print_table(
            ("cases", "failed", "refused", title),
            [
                (f"{s['cases']:,}", f"{s['failures']:,}", f"{s['refused']:,}", name)
                for name, s in summary[column].items()
            ],
            right=("cases", "failed", "refused"),
        )
    print_coverage(summary["coverage"])
    for failure in summary["examples"]:
        small = failure["minimised"] or failure
        console.print(
            f"\ncase {failure['case']}: {failure['detector']}: {failure['kind']}: {small['detail']}"
        )
        console.print(f"  {small['expression']}  in  {small['trace']}")
        console.print(f"  remora campaign replay {directory} {failure['case']}")


def print_coverage(coverage: JsonObject) -> None:
    """A table of the behaviours that a campaign met, by group, and those that it never did."""
    console = output_console()
    console.print()
    print_table(
        ("met", "of", "in cases", "behaviours"),
        [
            (str(group["reached"]), str(group["behaviours"]), f"{group['cases']:,}", group["group"])
            for group in coverage["groups"]
        ],
        right=("met", "of", "in cases"),
    )
    never = [name for group in coverage["groups"] for name in group["never"]]
    if never:
        console.print(f"never met: {', '.join(never)}", markup=False)


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


def _carried_out(
    directory: Path, settings: Settings | None, regressions: Path | None, master: str, form: str
) -> CampaignSummary:
    with Progress() as progress:
        total = settings.cases if settings else CampaignDirectory(directory.absolute()).settings().cases
        with progress.stage("campaign", total) as advance:
            advance("starting Spark", 0)

            first: list[tuple[float, int]] = []

            def tell(done: int, _total: int, failures: int) -> None:
                now = time.monotonic()
                if not first:
                    first.append((now, done))
                [(begin, before)] = first
                seconds, judged = now - begin, done - before
                rate = f"{judged / seconds:,.0f} cases/s" if judged and seconds else ""
                advance(", ".join(filter(None, [rate, f"{failures:,} failed" if failures else ""])), done)

            listener = Listener(tell, lambda failure: None if form == "json" else _show(failure, directory))
            try:
                if settings is None:
                    return resume(directory, master=master, regressions=regressions, listener=listener)
                return run_campaign(
                    directory, settings, master=master, regressions=regressions, listener=listener
                )
            except CampaignFailed as error:
                print_error(error.reason)
                raise SystemExit(int(ExitStatus.INFRASTRUCTURE)) from error


def _show(failure: Failure, directory: Path) -> None:
    """Draw a failure as soon as it was found, small where it could be made so."""
    console = output_console()
    case, verdict = failure.smallest
    console.print(
        f"case {failure.case.number}: {failure.cause}: {verdict.detail or failure.detail}", markup=False
    )
    if failure.reproduced:
        drawn = {
            **judged_case_data(case, verdict),
            "detector": failure.cause.detector,
            "kind": failure.cause.kind,
        }
        print_timeline(failure_timeline(drawn))
    else:
        console.print("it did not fail again when it was replayed here")
    console.print(f"replay: remora campaign replay {directory} {failure.case.number}\n", markup=False)


def _finish(summary: CampaignSummary, master: str, form: str) -> None:
    data = campaign_data(summary, master)
    standing = campaign_standing(summary)
    if form == "json":
        emit_json({"schema": "remora/campaign-result/2", "standing": standing.value, **data})
    else:
        console = output_console()
        now = (
            f"{data['cases_per_second']:,.0f} cases per second"
            if data["judged_now"]
            else "all of them were there"
        )
        for failure in data["regressions"]["failures"]:
            console.print(
                f"regression {failure['regression']}: {failure['detector']}: {failure['kind']}: {failure['detail']}",
                markup=False,
            )
            print_timeline(failure_timeline(failure))
            console.print()
        console.print(
            f"{data['cases']:,} cases, {data['judgements']:,} judgements of"
            f" {', '.join(summary.settings.detectors)}: {data['failed']:,} cases failed,"
            f" {_refused(data['refused'])}{data['vacuous']:,} had nothing to detect; {now}"
        )
        if summary.causes:
            print_table(
                ("cases", "first", "cause"),
                [
                    (f"{found.cases:,}", str(found.first), str(found.cause))
                    for found in summary.causes[:SHOWN_CAUSES]
                ],
                right=("cases", "first"),
            )
        if len(summary.causes) > SHOWN_CAUSES:
            message_console().print(
                f"{len(summary.causes) - SHOWN_CAUSES} more causes; see: remora campaign show {summary.directory}"
            )
    raise SystemExit(int(exit_status([Standing.PROVED if standing is Standing.TESTED else standing])))
