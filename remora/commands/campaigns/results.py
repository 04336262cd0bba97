"""`remora campaign replay` and `show`: what became of a campaign."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from campaigns.carlson_lisper.loading import any_factory
from campaigns.engine.campaign import replay
from campaigns.engine.failures import examined
from campaigns.engine.settings import CampaignDirectory, Settings
from campaigns.imports import require_trust
from campaigns.judging.findings import judged_case_data
from campaigns.judging.judgements import judged_by
from campaigns.judging.verdicts import BLOCKING, MEANING, Verdict
from laws.standings import Standing
from remora.gate.campaign_data import refused_text, replay_command
from remora.gate.drawing import DrawnFailures
from remora.terminal.aside import output_aside
from remora.terminal.console import output_console, print_table
from remora.terminal.drawing import print_timeline
from remora.terminal.ending import Result, ends
from remora.terminal.options import TRUST, NamedPath, WholeNumber, format_option, no_seed_option
from remora.terminal.texts import JsonObject
from reports.systems import failed_case_of, failure_timeline
from semantics.errors import InputError

DIRECTORY = click.argument("directory", type=NamedPath(file=False))


@click.command("replay", epilog="\b\nExamples:\n  remora campaign replay nightly.campaign 1234")
@DIRECTORY
@click.argument("case", type=WholeNumber(min=0), metavar="CASE")
@TRUST
@no_seed_option
@format_option
@ends
def replay_case(directory: Path, case: int, trust: bool) -> Result:
    """Generate CASE of the campaign in DIRECTORY again and judge it here, without Spark."""
    settings = CampaignDirectory(directory.absolute()).settings()
    require_trust(settings.detectors, str(directory), trusted=trust)
    with output_aside():
        found = replay(directory, case)
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
                verdict = judged_by(
                    MEANING, found.case, factory, seconds=settings.seconds, meaning=found.meaning
                )
                data["detected"][name] = [[report.start, report.end] for report in verdict.detected]

    def show() -> None:
        console = output_console()
        console.print(f"case {case} of seed {settings.seed}, profile {found.case.profile}")
        if failed:
            console.print("\nmade small:\n")
            small = DrawnFailures()
            for each in failed.values():
                small.draw(examined(settings, case, each.cause, each.detail, (str(Path.cwd()),)))
                console.print()
            console.print("as it was generated:\n")
        for name in settings.detectors:
            if name in refused:
                console.print(f"{name}: refused: {refused[name]}", markup=False)
                continue
            fault = failed.get(name)
            said = "as the semantics says" if fault is None else fault.kind.value
            drawn = {**data, "detector": name, "kind": said, "detected": data["detected"].get(name, [])}
            print_timeline(failure_timeline(failed_case_of(drawn)))
            console.print("" if fault is None else f"{fault.cause}: {fault.detail}\n", markup=False)

    standing = Standing.REFUTED if failed else Standing.UNKNOWN if refused else Standing.TESTED
    return Result(standing, data, show)


@click.command(
    "show",
    epilog="\b\nExamples:\n"
    "  remora campaign show nightly.campaign\n"
    "  remora campaign show nightly.campaign --format json | jq .profiles",
)
@DIRECTORY
@no_seed_option
@format_option
@ends
def show(directory: Path) -> Result:
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
    return Result(None, summary, lambda: _show(directory, settings, summary))


def _show(directory: Path, settings: Settings, summary: JsonObject) -> None:
    console = output_console()
    console.print(
        f"{summary['cases']:,} cases against {', '.join(settings.detectors)}, seed {settings.seed}:"
        f" {summary['failures']:,} failed, {refused_text(summary['refused'])}"
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
    for failure in summary["examples"]:
        small = failure["minimised"] or failure
        console.print(
            f"\ncase {failure['case']}: {failure['detector']}: {failure['kind']}: {small['detail']}"
        )
        console.print(f"  {small['expression']}  in  {small['trace']}")
        console.print(f"  {replay_command(directory, failure['case'], settings.detectors)}", markup=False)
