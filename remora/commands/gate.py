"""`remora gate`: may a change of a detector go in?"""

from collections.abc import Iterator
from pathlib import Path

import click

from campaigns.carlson_lisper.loading import ALL
from campaigns.systems import AnyCase, cases_of
from laws.standings import weakest
from remora.api.arguments import prepare_folder
from remora.gate.gate import Gate, Request, parse_budget
from remora.gate.output import print_result, write_result
from remora.systems.protocol import parsed
from remora.terminal import options
from remora.terminal.console import output_aside, print_warning
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import Asked, Result, option, several
from remora.terminal.progress import Progress
from semantics.errors import InputError, unknown_events
from semantics.systems import DEFAULT_SYSTEM, system_of, system_of_text
from semantics.traces.reading import Reading
from semantics.traces.rows import ReadReport

DEFAULT_BUDGET = "2m"


@click.command()
@options.SYSTEM
@several(
    "--detector detectors NAME",
    "May be given several times: a name of `remora campaign run`, such as figure4; all for those that need no"
    " compiling; or package.module:object for your own.",
    show_default="all of them, or the usual one of another system",
    shell_complete=options.detectors,
)
@option("--budget TIME", f"Such as 30s or 1h. Default: {DEFAULT_BUDGET}, unless --cases is given.")
@option("--cases", "Judge so many random cases: the same result on every machine.", options.WholeNumber(min=1))
@option(
    "--regressions DIR",
    "The folder whose cases are tried first and that receives new failures.",
    options.FOLDER,
    default=Path("regressions"),
)
@several(
    "--log logs FILE EXPRESSION",
    "Judge the detector on a log of your own as well, as a whole, for this pattern, or the file of rules or profiles of"
    " another system; may be repeated.",
    nargs=2,
)
@options.log_options()
@option("--out", "A folder for gate.md, gate.json and gate.junit.xml.", options.FOLDER)
@option("--master URL", "Run the campaign on this Spark master; needs --cases.")
@option(
    "--format form",
    "Text for people, JSON for programs, Markdown for a pull request, JUnit XML for test results.",
    click.Choice(["text", "json", "markdown", "junit"]),
    default="text",
)
@options.ends(options.SEED)
def gate(asked: Asked) -> Result:
    """Decide within a budget of time whether a detector may go in."""
    system, cases, out = cases_of(asked.system), asked.cases, asked.out
    if asked.budget is not None and cases is not None:
        remedy = "Time decides how many cases there are, or their number how long it takes."
        raise InputError("--budget and --cases exclude each other", remedy=remedy)
    if asked.master is not None and cases is None:
        raise InputError("--master needs --cases", remedy="Say how many cases Spark is to judge.")
    put, words = list[tuple[AnyCase, str]](), options.reading_words(asked.reading) if asked.logs else []
    for log, text in asked.logs:
        put += cases_of_log(asked.system, log, text, asked.reading)
        words += ["--log", log, text]
    usual = (ALL,) if asked.system == DEFAULT_SYSTEM else (system.DEFAULT_DETECTOR,)
    request = Request(
        tuple(dict.fromkeys(system.expanded(asked.detectors or usual))),
        asked.regressions,
        asked.seed,
        parse_budget(asked.budget or DEFAULT_BUDGET) if cases is None else None,
        cases,
        asked.master,
        (str(Path.cwd()),),
        system=asked.system,
        logs=tuple(put),
        log_words=tuple(words),
    )
    if out is not None:
        prepare_folder(out)
    goes_on(again)
    with output_aside(), Progress() as progress:
        result = Gate(request, progress).run()
    if out is not None:
        write_result(out, result)
    print_result(result, asked.form)
    return Result(weakest(check.standing for check in result.checks if check.standing is not None))


def cases_of_log(system: str, log: str, text: str, reading: Reading) -> Iterator[tuple[AnyCase, str]]:
    """The cases of a log, one for each partition, with a few words on where it is from; says what reading changed."""
    other = system_of_text(text)
    if other.name != system:
        remedy = f"Say --system {other.name}, or give --log {system_of(system).language}."
        raise InputError(f"--log {log} {text}: these are {other.language}, of another system", remedy=remedy)
    report = ReadReport()
    if other.suffix:
        cases, types = parsed(text, lambda given: cases_of(system).of_log(log, given, reading, report), other.language)
    else:
        cases, types = cases_of(system).of_log(log, text, reading, report)
    for message in (*report.messages(), *(unknown_events(types, report.events) if types else ())):
        print_warning(f"{log}: {message}")
    for key, case in cases.items():
        yield case, log if key is None else f"{log}, {key}"
