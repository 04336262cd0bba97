"""`remora sample`: the logs of a pattern that somebody who implements an engine needs first."""

from pathlib import Path

import click

from laws.standings import Standing
from remora import __version__
from remora.api.arguments import prepare_folder
from remora.api.patterns.sampling import case_lines, pytest_module, samples, samples_data, tables
from remora.terminal import options
from remora.terminal.console import counted, output_console, print_count, print_timeline, write_output
from remora.terminal.options import Asked, Result, WholeNumber, option
from remora.terminal.progress import waiting
from reports.drawing.layout import Bar, Timeline
from semantics.atomic_files import to_json
from semantics.carlson_lisper.samples import STEPS, Sample
from semantics.errors import InputError


@click.command()
@click.argument("pattern", metavar="PATTERN")
@option("--out DIR", "Write a CSV for each sample, and samples.json, to this folder.", options.FOLDER)
@option("--pytest pytest_path FILE", "Write a module of pytest in which your detector is filled in.", options.FILE)
@option(
    "--case-lines lines_path FILE",
    "Write the samples as cases of the protocol of programs, and the answers beside them.",
    options.FILE,
)
@option("--steps", "Give up after so many transitions per question.", WholeNumber(1), default=STEPS)
@option("--tick LENGTH", "How long a tick is, such as 1s or 100ms: for bounds with units, such as [30s].")
@options.ends(options.FORMAT, options.NO_SEED)
def sample(asked: Asked) -> Result:
    """Shortest logs of a pattern with their detections: test data for whoever implements an engine."""
    module = asked.pytest_path
    if module is not None and module.exists():
        reason = "this file exists, and may have a detector of yours in it"
        raise InputError(reason, place=str(module), remedy="Name another one with --pytest.")
    if asked.out is not None:
        prepare_folder(asked.out)
    with waiting("deciding") as tell:
        found = samples(asked.pattern, tick=asked.tick, steps=asked.steps, tell=tell)
    standing = Standing.UNKNOWN if found.undecided else None
    status = int(options.status_of(standing))
    document = {"schema": "remora/samples/1", "remora": __version__, **samples_data(found), "exit_status": status}
    files: dict[Path, str] = {} if module is None else {module: pytest_module(found)}
    if (lines := asked.lines_path) is not None:
        files[lines], files[lines.with_suffix(f".answers{lines.suffix}")] = case_lines(found)
    if asked.out is not None:
        files |= {asked.out / name: text for name, text in tables(found).items()}
        files[asked.out / "samples.json"] = to_json(document, indent=2) + "\n"
    for path, text in files.items():
        write_output(path, text, "this", "place")

    def show() -> None:
        console = output_console()
        rows = [one for one in found.samples if one.reasons[0].kind == "row"]
        for one in found.samples[: len(found.samples) - len(rows)]:
            print_timeline(_timeline(one))
            console.print()
        for one in rows:
            events = f"{counted(len(one.trace), 'event')}, {counted(len(one.detections), 'detection')}"
            console.print(f"{one.name}: {'; '.join(each.says for each in one.reasons)} ({events})")
        for label, named in (("no log", found.never), ("undecided", found.undecided)):
            for name, says in named.items():
                console.print(f"{label}: {name}: {says}")
        print_count(counted(len(found.samples), "sample"))

    return Result(standing, document, show)


def _timeline(one: Sample) -> Timeline:
    """A sample drawn, with what it shows above."""
    says = [f"{each.says}{'' if each.shortest else ' (perhaps not a shortest log)'}" for each in one.reasons]
    bars = tuple(Bar(*each.interval, "left", True, each.sorted_occurrences(), "detected") for each in one.detections)
    nothing = () if bars else ("nothing is detected",)
    return Timeline(one.name, (*says, *nothing), ("", ""), one.trace, bars, compares=False)
