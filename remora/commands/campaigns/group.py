"""`remora campaign`: randomized trace campaigns on Spark; each of its commands is loaded only when it is used."""

from __future__ import annotations

from collections.abc import Mapping

import click

from remora.terminal.groups import LazyGroup

COMMANDS: Mapping[str, tuple[str, str]] = {
    "run": ("remora.commands.campaigns.run:run", "Carry out a campaign."),
    "resume": (
        "remora.commands.campaigns.run:resume_campaign",
        "Go on with a campaign that was interrupted.",
    ),
    "replay": ("remora.commands.campaigns.results:replay_case", "Judge one case again, without Spark."),
    "show": ("remora.commands.campaigns.results:show", "Show the results of a finished campaign."),
    "power": (
        "remora.commands.campaigns.power:campaign_power",
        "How many wrong detectors the cases of a campaign find.",
    ),
}
"""Where each is implemented, and its line in the help."""


@click.group(
    cls=LazyGroup,
    subcommands=COMMANDS,
    epilog="\b\nExamples:\n"
    "  remora campaign run nightly.campaign --cases 200000 --seed 7\n"
    "  remora campaign run mine.campaign --detector mypackage.detectors:Fast\n"
    "  remora campaign resume nightly.campaign\n"
    "  remora campaign replay nightly.campaign 1234",
)
def campaign() -> None:
    """Judge a detector on random expressions and traces, fanned out by Spark.

    A case is determined by the campaign's seed and its number alone. What a killed run has finished is kept;
    a failing case is made small and can be replayed by its number in one process without Spark.
    """
