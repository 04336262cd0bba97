"""Campaigns on Spark, started from a program or a notebook."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from laws.standings import Standing
from remora.api.arguments import require_path, require_seed, require_whole, several
from remora.api.cards import Card, Mark, Shown, Table, standing_mark
from reports.systems import failure_timeline
from semantics.errors import InputError

if TYPE_CHECKING:
    from campaigns.engine.summary import CampaignSummary

CASES = 10_000
"""So many cases, by default."""

DRAWN = 3
"""So many failures are drawn."""


@dataclass(frozen=True, repr=False)
class Campaign(Shown):
    """A campaign that is finished.

    It is true as a condition where no case was failed and no detector refused all of them.

    Attributes:
        summary: the numbers, the failures by cause and the coverage.
        master: where Spark ran.
    """

    summary: CampaignSummary
    master: str

    @property
    def standing(self) -> Standing:
        """Tested, refuted, unknown or disagreement."""
        from remora.api.campaign_data import campaign_standing

        return campaign_standing(self.summary)

    def __bool__(self) -> bool:
        """Whether no case was failed and no detector refused all of them."""
        return self.standing is Standing.TESTED

    def card(self) -> Card:
        """The numbers by detector, the causes, and the smallest failures."""
        from remora.api.campaign_data import campaign_data

        data, mark = campaign_data(self.summary, self.master), standing_mark(self.standing.value)
        words = f"{mark.words}: {data['failed']:,} of {data['cases']:,} cases failed"
        rows = tuple(
            (name, f"{share.cases:,}", f"{share.failures:,}", f"{share.refused:,}")
            for name, share in self.summary.detectors.items()
        )
        columns = ("detector", "cases", "failed", "refused")
        failures = (*data["regressions"]["failures"], *data["failures"])
        return Card(
            str(self.summary.directory),
            Mark(mark.symbol, words, mark.tone),
            tuple(f"{found.cases:,} cases: {found.cause}" for found in self.summary.causes[:DRAWN]),
            (),
            (Table(columns, rows, frozenset(columns[1:])), *(failure_timeline(one) for one in failures[:DRAWN])),
            "",
            (f"{data['vacuous']:,} cases had nothing to detect",),
        )


def campaign(
    directory: str | os.PathLike[str],
    *,
    cases: int = CASES,
    detectors: str | Iterable[str] = (),
    corpus: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    seed: int = 0,
    master: str | None = None,
) -> Campaign:
    """Judge detectors on random cases, fanned out by Spark; what a killed run has finished is kept.

    Args:
        directory: where its rows go; one that is there already is gone on with.
        cases: how many cases.
        detectors: names; `package.module:object` for one of your own, "all" for all of ours.
        corpus: a file with a real trace, or several, from windows of which half of the cases are made.
        seed: of the cases: a seed and a number make the same case on every machine.
        master: where Spark runs; by default what spark-submit was given, or all processors of this machine.

    Raises:
        InputError: the directory holds something else, or a detector cannot be loaded.
        CampaignFailed: Spark or the disk failed.
    """
    from campaigns.carlson_lisper.corpus import read_corpus
    from campaigns.carlson_lisper.loading import named_detectors
    from campaigns.engine.campaign import run_campaign
    from campaigns.engine.settings import Settings
    from cluster.session import usual_master
    from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR

    require_path(directory)
    require_whole("cases", cases, 1)
    require_seed(seed)
    if not os.fspath(directory):
        raise InputError("the path of the directory is empty", remedy='Give one; "." is the working directory.')
    names = several("detectors", detectors, '["figure4", "generated"]')
    corpora = several("corpus", corpus, '["log.csv"]')
    for each in corpora:
        require_path(each)
    settings = Settings(
        seed=seed,
        cases=cases,
        detectors=named_detectors(names or (DEFAULT_DETECTOR,)),
        corpus=read_corpus(tuple(map(Path, corpora))),
    )
    where = master or usual_master()
    return Campaign(run_campaign(Path(directory), settings, master=where), where)
