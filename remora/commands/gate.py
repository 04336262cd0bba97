"""`remora gate`: may a change of a detector go in?"""

from pathlib import Path

import click

from campaigns.carlson_lisper.loading import ALL
from campaigns.systems import AnyCase, cases_of
from laws.standings import weakest
from remora.api.arguments import prepare_folder
from remora.gate.gate import Gate, Request, parse_budget
from remora.gate.output import print_findings, print_result, write_result
from remora.systems.carlson_lisper.comparing import read_log, whole_cases
from remora.terminal import completion, options
from remora.terminal.console import output_aside, print_warning
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import NamedPath, Result, WholeNumber, ends, log_options, own_logs, reading_words
from remora.terminal.progress import Progress
from semantics.errors import InputError
from semantics.systems import DEFAULT_SYSTEM
from semantics.traces.reading import Reading

DEFAULT_BUDGET = "2m"


@click.command(
    epilog="\b\nExamples:\n"
    "  remora gate --detector mypackage.detectors:Fast --budget 2m\n"
    "  remora gate --detector mypackage.detectors:Fast --cases 2000 --seed 7\n"
    "  remora gate --detector figure4 --log log.csv '(fail ; ok)[30]'\n"
    "  remora gate --detector figure4 --budget 5m --out gate --format markdown"
)
@options.system_option
@click.option(
    "--detector",
    "detectors",
    multiple=True,
    show_default="all of them, or the usual one of another system",
    metavar="NAME",
    shell_complete=completion.detectors_of_cases,
    help="May be given several times: a name of `remora campaign run`, such as figure4; all for those that need no"
    " compiling; or package.module:object for your own.",
)
@click.option(
    "--budget", metavar="TIME", help=f"Such as 30s or 1h. Default: {DEFAULT_BUDGET}, unless --cases is given."
)
@click.option("--cases", type=WholeNumber(min=1), help="Judge so many random cases: the same result on every machine.")
@click.option(
    "--regressions",
    type=NamedPath(file=False),
    default=Path("regressions"),
    metavar="DIR",
    help="The folder whose cases are tried first and that receives new failures.",
)
@own_logs("Judge the detector on a trace of your own as well, as a whole, for this pattern; may be repeated.")
@log_options()
@click.option("--out", type=NamedPath(file=False), help="A folder for gate.md, gate.json and gate.junit.xml.")
@click.option("--master", metavar="URL", help="Run the campaign on this Spark master; needs --cases.")
@options.seed_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "junit"]),
    default="text",
    help="Text for people, JSON for programs, Markdown for a pull request, JUnit XML for test results.",
)
@ends
def gate(
    system: str,
    detectors: tuple[str, ...],
    budget: str | None,
    cases: int | None,
    regressions: Path,
    logs: tuple[tuple[str, str], ...],
    reading: Reading,
    out: Path | None,
    master: str | None,
    seed: int,
    form: str,
) -> Result:
    """Decide within a budget of time whether a detector may go in.

    Stored regressions, every law, proofs of the step functions, wrong detectors that the cases have to find, and a
    campaign of random cases in all the time that is left. It is green on exit status 0 alone.
    """
    if budget is not None and cases is not None:
        raise InputError(
            "--budget and --cases exclude each other",
            remedy="Time decides how many cases there are, or their number how long it takes.",
        )
    if master is not None and cases is None:
        raise InputError("--master needs --cases", remedy="Say how many cases Spark is to judge.")
    if logs and system != DEFAULT_SYSTEM:
        raise InputError(
            "--log takes patterns, and this system has none",
            remedy=f"Leave out --log, or --system; a pattern is one of {DEFAULT_SYSTEM}.",
        )
    put, words = list[tuple[AnyCase, str]](), reading_words(reading) if logs else []
    for path, pattern in logs:
        log, told = read_log(path, path, pattern, reading)
        for text in told:
            print_warning(text)
        put += whole_cases(log)
        words += ["--log", path, pattern]
    usual = (ALL,) if system == DEFAULT_SYSTEM else (cases_of(system).DEFAULT_DETECTOR,)
    request = Request(
        tuple(dict.fromkeys(cases_of(system).expanded(detectors or usual))),
        regressions,
        seed,
        parse_budget(budget or DEFAULT_BUDGET) if cases is None else None,
        cases,
        master,
        (str(Path.cwd()),),
        system=system,
        logs=tuple(put),
        log_words=tuple(words),
    )
    if out is not None:
        prepare_folder(out)
    goes_on(again)
    with output_aside() as lifted, Progress() as progress:
        judging = Gate(request, progress)
        try:
            result = judging.run()
        except KeyboardInterrupt:
            progress.hide()
            with lifted():
                if form == "text":
                    print_findings(judging.result)
            raise
    if out is not None:
        write_result(out, result)
    print_result(result, form)
    return Result(weakest(check.standing for check in result.checks if check.standing is not None))
