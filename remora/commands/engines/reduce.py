"""`remora reduce`: the smallest pattern and log on which a detector fails as it does on a log."""

from pathlib import Path

import click

from laws.standings import weakest
from remora.api.campaigning import judged_case_data
from remora.commands.gate import cases_of_log
from remora.gate.gate import Gate, Request
from remora.gate.output import lines
from remora.terminal import options
from remora.terminal.console import output_aside, output_console
from remora.terminal.options import Asked, Result, option
from remora.terminal.progress import Progress
from semantics.systems import system_of_text


@click.command()
@click.argument("text", metavar="PATTERN")
@click.argument("log", metavar="LOG")
@option(
    "--detector NAME",
    "package.module:object, 'command: …', or the file of a form.",
    required=True,
    shell_complete=options.detectors,
)
@option("--regressions DIR", "A folder that receives what was found.", options.FOLDER, default=Path("regressions"))
@options.log_options()
@options.ends(options.FORMAT, options.NO_SEED)
def reduce(asked: Asked) -> Result:
    """Find the smallest pattern and log on which a detector fails in the same way as on LOG."""
    system = system_of_text(asked.text).name
    put = tuple(cases_of_log(system, asked.log, asked.text, asked.reading))
    given = (asked.detector,), asked.regressions
    request = Request(*given, budget=None, cases=1, search_path=(str(Path.cwd()),), system=system, logs=put)
    with output_aside(), Progress() as progress:
        gate = Gate(request, progress)
        gate.logs()
    result = gate.result
    found = result.smallest_first()[:1]

    def show() -> None:
        console = output_console()
        for check in result.checks:
            console.print(f"{check.name}: {check.standing and check.standing.value}: {check.detail}")
        for one in found:
            console.print(lines(one, console.width))

    reduced = [
        {"by": one.by, "kind": one.kind.value, "detail": one.detail} | judged_case_data(one.case, one.verdict)
        for one in found
    ]
    document = {"schema": "remora/reduce/1", "detector": asked.detector, "reduced": reduced}
    return Result(weakest(check.standing for check in result.checks if check.standing is not None), document, show)
