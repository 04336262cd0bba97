"""`remora bench` for profiles."""

from __future__ import annotations

from dataclasses import asdict

import click

from benchmarks.profiles import SETTINGS, SPAN, measured
from laws.standings import ExitStatus
from remora import __version__
from remora.terminal.console import emit_json, print_error, print_table
from remora.terminal.options import WholeNumber, format_option, seed_option
from remora.terminal.progress import Progress


@click.command(
    "bench",
    epilog="\b\nExamples:\n"
    "  remora bench --system hinze_voisard\n"
    "  remora bench --system hinze_voisard last-all-lists all-all-keep --events 100000\n\n"
    "\b\nExit status: 0 measured, 2 bad input, 4 the engine and Polars come to different pairs.",
)
@click.argument("settings", metavar="[SETTING]...", nargs=-1, type=click.Choice(SETTINGS))
@click.option(
    "--system", type=click.Choice(["hinze_voisard"]), expose_value=False, help="The system: profiles."
)
@click.option(
    "--events", type=WholeNumber(min=1000), default=30_000, show_default=True, help="Length of the log."
)
@click.option(
    "--repetitions", type=WholeNumber(min=1), default=3, show_default=True, help="Timings of each setting."
)
@seed_option
@format_option
def bench(settings: tuple[str, ...], events: int, repetitions: int, seed: int, form: str) -> None:
    """Measure the engine of profiles on a sequence with each setting, in events a second on one core.

    SETTING is what is selected in the earlier and in the later list and what is used up, such as last-all-lists. The
    log has events of both classes alone, one each tick. Polars, where a setting is a join, has the whole log at once.
    """
    wanted = settings or SETTINGS
    try:
        with Progress() as progress, progress.stage("settings", len(wanted)) as advance:
            found = measured(wanted, events, repetitions, seed, advance)
    except ValueError as error:
        print_error(str(error))
        raise SystemExit(int(ExitStatus.DISAGREEMENT)) from None
    if form == "json":
        emit_json(
            {
                "schema": "remora/profiles-bench/1",
                "remora": __version__,
                "seed": seed,
                "events": events,
                "span": SPAN,
                "rows": [asdict(speed) for speed in found],
            }
        )
        return
    print_table(
        ("setting", *_MEASURED),
        [
            (
                one.setting,
                f"{one.rate:,.0f}",
                f"{one.notifications:,}",
                f"{one.pairs:,}",
                "" if one.polars is None else f"{one.polars:,.0f}",
                "" if one.polars is None else f"{one.rate / one.polars:.2f}",
            )
            for one in found
        ],
        right=_MEASURED,
    )


_MEASURED = ("events/s", "notifications", "pairs", "Polars events/s", "ratio")
