"""`remora campaign`: randomized trace campaigns on Spark, and what became of them."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from campaigns.carlson_lisper.loading import ALL
from campaigns.carlson_lisper.profiles import PROFILES
from campaigns.carlson_lisper.relations import RELATIONS
from campaigns.engine.campaign import CampaignFailed, examined, replay, run_campaign
from campaigns.engine.findings import Check
from campaigns.engine.settings import CampaignDirectory, Settings
from campaigns.engine.summary import CampaignSummary, Failure
from campaigns.imports import names_code, require_trust
from campaigns.judging.isolation import MEMORY_LIMIT
from campaigns.judging.judgements import judged_by
from campaigns.judging.verdicts import BLOCKING, MEANING, TIME_LIMIT, Verdict, standing_of
from campaigns.power import power_of
from campaigns.systems import cases_of
from cluster.session import usual_master
from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR, DETECTORS, INTERVAL_DETECTORS
from laws.standings import Standing, weakest
from remora.api import campaigning
from remora.api.arguments import require_possible
from remora.api.campaigning import campaign_standing, judged_case_data, refused_text, replay_command
from remora.gate.decisions import texts_data, validated_texts
from remora.terminal import console, options
from remora.terminal.console import emit, output_aside, output_console, print_note, print_table, print_timeline
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import FORMAT, NO_SEED, Asked, Ends, Result, WholeNumber, ends, flag, option, several
from remora.terminal.progress import Progress
from reports.systems import failure_timeline
from semantics.errors import InputError
from semantics.traces.rows import ReadReport

DIRECTORY = click.argument("directory", type=options.FOLDER)
MASTER = option(
    "--master URL",
    "Where Spark runs: local[N], spark://host:port, yarn, k8s://URL, or sc://host:port of a Spark Connect server."
    " See docs/campaigns.md.",
    default=usual_master,
    show_default="what spark-submit was given, or local[*]",
)
REGRESSIONS = option(
    "--regressions DIR",
    "A folder whose regressions are tried first and that receives new ones. Default: one in DIRECTORY.",
    options.FOLDER,
)
TRUST = flag("--trust", "Import a detector of one's own that the campaign names: its code is run.")

NO_RELATION = "none"  # Given for --relation, it means that no relation is tried
POSITIVE = options.Number(min=0, min_open=True)
BAR = 40  # How wide the curve of a power is, in characters


@click.group()
def campaign() -> None:
    """Judge a detector on random expressions and traces, fanned out by Spark."""


@campaign.command("run")
@DIRECTORY
@options.SYSTEM
@option("--cases", "How many cases.", WholeNumber(min=1), default=10_000)
@several(
    "--detector detectors NAME",
    f"May be given several times: {', '.join(DETECTORS)}; for starts and ends alone, {', '.join(INTERVAL_DETECTORS)};"
    f" {ALL} for those of both; mutant:NAME; or package.module:object.",
    show_default=DEFAULT_DETECTOR,
    shell_complete=options.detectors,
)
@several(
    "--relation relations NAME",
    "Try only these relations between related cases, one on each case; default: all. Known:"
    f" {', '.join(RELATIONS)}; {NO_RELATION} for none.",
)
@several(
    "--profile profiles NAME=WEIGHT",
    f"Use these profiles of cases instead of the usual mixture; known: {', '.join(PROFILES)}.",
)
@several("--corpus TRACE", "Make half of the cases from windows of this real trace. Repeatable.", options.NamedPath())
@option("--seconds", "Of the processor for one trace; by the clock three times as many.", POSITIVE, default=TIME_LIMIT)
@option("--memory MIB", "How much more memory a worker may take.", WholeNumber(min=1), default=MEMORY_LIMIT)
@REGRESSIONS
@MASTER
@options.log_options("partition_by")
@ends(options.SEED, FORMAT)
def run(asked: Asked) -> Result:
    """Carry out a campaign; its rows (Parquet) and settings go to DIRECTORY."""
    cases, report, weights = cases_of(asked.system), ReadReport(), dict[str, int]()
    for text in asked.profiles:
        name, _, weight = text.partition("=")
        if not weight.isdecimal():
            reason = f"--profile {text}: the weight is not an integer >= 0"
            raise InputError(reason, remedy="Write NAME=WEIGHT, as in seq=3.")
        weights[name] = int(weight)
    settings = Settings(
        cases=asked.cases,
        detectors=cases.expanded(asked.detectors or (cases.DEFAULT_DETECTOR,)),
        relations=tuple(name for name in asked.relations or cases.RELATIONS if name != NO_RELATION),
        profiles=weights or dict(cases.PROFILES),
        corpus=cases.read_corpus(asked.corpus, asked.reading, report),
        system=asked.system,
        seconds=asked.seconds,
        memory=asked.memory,
        seed=asked.seed,
    )
    for message in report.messages():
        print_note(message)
    require_possible(asked.directory, "Name another DIRECTORY.")
    return _carried_out(settings, asked)


@campaign.command("resume")
@DIRECTORY
@TRUST
@REGRESSIONS
@MASTER
@ends(NO_SEED, FORMAT)
def resume_campaign(asked: Asked) -> Result:
    """Go on with the campaign in DIRECTORY: only what is missing is done."""
    return _carried_out(_trusted(asked), asked)


def _trusted(asked: Asked) -> Settings:
    """The settings of the campaign in a folder, if its detectors may be imported."""
    settings = CampaignDirectory(asked.directory.absolute()).settings()
    require_trust(settings.detectors, str(asked.directory), trusted=asked.trust)
    return settings


def _carried_out(settings: Settings, asked: Asked) -> Result:
    directory, regressions, master = asked.directory, asked.regressions, asked.master

    def going_on() -> str:
        if not CampaignDirectory(directory.absolute()).record.exists():
            return again()
        trust = ["--trust"] if any(map(names_code, settings.detectors)) else []
        where = [] if regressions is None else ["--regressions", str(regressions)]
        on = [] if master == usual_master() else ["--master", master]
        return "go on with: " + shlex.join(["remora", "campaign", "resume", str(directory), *trust, *where, *on])

    def show(failure: Failure) -> None:
        with lifted():
            campaigning.draw(failure)
            command = replay_command(directory, failure.case.number, (failure.cause.detector,))
            output_console().print(f"replay: {command}\n")

    with output_aside() as lifted:
        cases, search_path = cases_of(settings.system), (str(Path.cwd()),)
        cases.require_protocol({name: cases.factory(name, search_path) for name in settings.detectors})
        goes_on(going_on)
        with Progress() as progress, progress.stage("campaign", settings.cases) as advance:
            advance("starting Spark", 0)

            def tell(done: int, _total: int, failures: int) -> None:
                advance(f"{failures:,} failed" if failures else "", done)

            how: dict[str, Any] = {"master": master, "regressions": regressions, "progress": tell}
            if asked.form != "json":
                how["show"] = show
            try:
                summary = run_campaign(directory, settings, **how)
            except CampaignFailed as error:
                raise Ends(Standing.ERROR, error.reason) from error
    data, texts = campaigning.campaign_data(summary, master), validated_texts(summary.settings)
    finds, enough = _finds(summary.settings)
    (print_note if enough else console.print_warning)(finds)
    standing = weakest([campaign_standing(summary), *(one.standing for one in texts if one.standing is not None)])
    document = {
        "schema": "remora/campaign-result/3",
        "standing": standing.value,
        **data,
        "finds": finds,
        "texts": texts_data(texts),
    }
    return Result(standing, document, lambda: _print_summary(summary, data, texts))


def _finds(settings: Settings) -> tuple[str, bool]:
    """What the cases of a campaign find of wrong detectors, in words, and whether that is all of them."""
    system = cases_of(settings.system)
    known, within = len(system.telling()), system.KILLED_WITHIN
    again = shlex.join(["remora", "campaign", "power", "--system", settings.system, "--seed", str(settings.seed)])
    if settings.profiles != dict(system.PROFILES) or settings.corpus.traces:
        return "of these kinds of cases it is not known how many wrong detectors they find", False
    if settings.cases >= within:
        return f"{within:,} cases of seed 0 find each of {known} wrong detectors; of this seed: {again}", True
    few = f"{settings.cases:,} cases are few: up to {within:,} are needed to find each of {known} wrong detectors"
    return f"{few}; how many of them these find: {again} --cases {settings.cases}", False


def _print_summary(summary: CampaignSummary, data: console.JsonObject, texts: Sequence[Check]) -> None:
    screen = output_console()
    for failure in data["regressions"]["failures"]:
        said = f"{failure['detector']}: {failure['kind']}: {failure['detail']}"
        screen.print(f"regression {failure['regression']}: {said}")
        print_timeline(failure_timeline(failure))
        screen.print()
    now = f"{data['cases_per_second']:,.0f} cases per second" if data["judged_now"] else "all of them were there"
    screen.print(
        f"{data['cases']:,} cases, {data['judgements']:,} judgements of"
        f" {', '.join(summary.settings.detectors)}: {data['failed']:,} cases failed,"
        f" {refused_text(data['refused'])}{data['vacuous']:,} had nothing to detect; {now}"
    )
    for check in texts:
        screen.print(f"{check.detector}: {check.detail}")
    if summary.causes:
        rows = [(f"{found.cases:,}", str(found.first), str(found.cause)) for found in summary.causes]
        print_table(("cases", "first", "cause"), rows, right=("cases", "first"))


@campaign.command("replay")
@DIRECTORY
@click.argument("case", type=WholeNumber(min=0), metavar="CASE")
@TRUST
@ends(NO_SEED, FORMAT)
def replay_case(asked: Asked) -> Result:
    """Generate CASE of the campaign in DIRECTORY again and judge it here, without Spark."""
    settings, directory, case = _trusted(asked), asked.directory, asked.case
    search_path = (str(Path.cwd()),)
    with output_aside():
        found = replay(directory, case)
        failed, refused = {fault.detector: fault for fault in found.faults}, dict(found.refusals)
        detected = dict[str, list[list[int]]]()
        for name in settings.detectors:
            if name not in failed or failed[name].kind not in BLOCKING:
                factory = cases_of(settings.system).factory(name, search_path)
                verdict = judged_by(MEANING, found.case, factory, seconds=settings.seconds, meaning=found.meaning)
                detected[name] = [[report.start, report.end] for report in verdict.detected]
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
        "detected": detected,
    }

    def show() -> None:
        screen = output_console()
        screen.print(f"case {case} of seed {settings.seed}, profile {found.case.profile}")
        for each in failed.values():
            screen.print("\nmade small:\n")
            campaigning.draw(examined(settings, case, each.cause, each.detail, search_path))
        if failed:
            screen.print("\nas it was generated:\n")
        for name in settings.detectors:
            if name in refused:
                screen.print(f"{name}: refused: {refused[name]}")
                continue
            fault = failed.get(name)
            said = "as the semantics says" if fault is None else fault.kind.value
            shown = {**data, "detector": name, "kind": said, "detected": detected.get(name, [])}
            print_timeline(failure_timeline(shown))
            screen.print("" if fault is None else f"{fault.cause}: {fault.detail}\n")

    standing = standing_of(fault.kind for fault in failed.values())
    return Result(Standing.UNKNOWN if standing is Standing.TESTED and refused else standing, data, show)


@campaign.command("show")
@DIRECTORY
@ends(NO_SEED, FORMAT)
def show(asked: Asked) -> Result:
    """Show the results of the finished campaign in DIRECTORY."""
    directory, place = asked.directory, CampaignDirectory(asked.directory.absolute())
    settings = place.settings()
    try:
        summary: console.JsonObject = json.loads(place.summary.read_text("utf-8"))
    except FileNotFoundError:
        remedy = f"Finish it: remora campaign resume {directory}"
        raise InputError("the campaign here is not finished", place=str(directory), remedy=remedy) from None
    except (ValueError, OSError) as error:
        raise InputError(f"the summary cannot be read: {error}", place=str(place.summary)) from None
    return Result(None, summary, lambda: _show(directory, settings, summary))


def _show(directory: Path, settings: Settings, summary: console.JsonObject) -> None:
    screen = output_console()
    screen.print(
        f"{summary['cases']:,} cases against {', '.join(settings.detectors)}, seed {settings.seed}:"
        f" {summary['failures']:,} failed, {refused_text(summary['refused'])}"
        f"{summary['vacuous']:,} had nothing to detect"
    )
    numbers = ("cases", "failures", "refused")
    for title in ("detector", "operator", "profile"):
        rows = [(*(f"{share[number]:,}" for number in numbers), name) for name, share in summary[f"{title}s"].items()]
        screen.print()
        print_table(("cases", "failed", "refused", title), rows, right=("cases", "failed", "refused"))
    for failure in summary["examples"]:
        small = failure["minimised"] or failure
        screen.print(f"\ncase {failure['case']}: {failure['detector']}: {failure['kind']}: {small['detail']}")
        screen.print(f"  {small['expression']}  in  {small['trace']}")
        screen.print(f"  {replay_command(directory, failure['case'], settings.detectors)}")


@campaign.command("power")
@options.SYSTEM
@option("--cases", "Cases at most; by default so many as have to find all of them.", WholeNumber(min=1))
@flag("--list listed", "List the wrong detectors, with what is wrong in each.")
@ends(options.SEED, FORMAT)
def campaign_power(asked: Asked) -> Result:
    """Put random cases to detectors that are wrong on purpose, until each is found out."""
    of_system = cases_of(asked.system)
    mutants = of_system.telling()
    if asked.listed:
        rows = [{"name": name, "description": mutant.what} for name, mutant in mutants.items()]
        text = "".join(f"{row['name']}\t{row['description']}\n" for row in rows)
        return Result(None, {"schema": "remora/mutants/1", "mutants": rows}, lambda: emit(text))
    number = asked.cases or of_system.KILLED_WITHIN
    with Progress() as progress, progress.stage("mutants", number) as advance:
        found = power_of(asked.system, asked.seed, range(number), progress=advance)

    def show() -> None:
        said = f"{len(found.deaths)} of {len(mutants)} wrong detectors were found by {found.cases:,} cases"
        when = f"; half of them by {found.median:,}, all of these by {found.worst:,}" if found.deaths else ""
        emit(f"{said} of seed {found.seed}{when}\n\n")
        for cases, killed in found.curve:
            bar = "█" * max(1, round(BAR * killed / len(mutants)))
            emit(f"{cases:>7,} cases  {bar:<{BAR}}  {killed} found\n")
        emit("".join(f"not found: {name}: {mutants[name].what}\n" for name in found.survivors))

    standing = Standing.REFUTED if found.survivors else Standing.TESTED
    return Result(standing, {"schema": "remora/power/1", **found.to_json()}, show)
