"""The campaign of a verification, against every detector."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from campaigns.carlson_lisper.loading import ALL, named_detectors
from campaigns.engine.campaign import CampaignFailed, run_campaign
from campaigns.engine.settings import CampaignDirectory, Settings
from cluster.session import retrying_master
from laws.standings import Standing
from remora.api.campaign_data import campaign_data, campaign_standing
from remora.api.files import prepare_folder
from remora.gate.decisions import texts_data, validated_texts
from remora.verification.run import FULL, QUICK, STANDARD, Run
from reports.store import JSON_NAME
from semantics.errors import InputError

CAMPAIGN = "campaign"
"""The folder beside the report with the campaign's rows."""


def prepare(folder: Path, master: str) -> None:
    """Find out before the work begins what would spoil its end, and clear away what an earlier run left.

    A campaign of an earlier run is not gone on with: the code may have changed since.

    Raises:
        InputError: nothing can be written to the folder, it holds a campaign that is not from a verification, or
            there is no such master.
    """
    try:
        retrying_master(master)
    except ValueError as error:
        raise InputError(str(error)) from None
    prepare_folder(folder)
    place = CampaignDirectory((folder / CAMPAIGN).absolute())
    if not place.path.exists() or (place.path.is_dir() and not any(place.path.iterdir())):
        return
    ours = place.record.is_file() and (
        (folder / JSON_NAME).is_file() or place.settings().cases in {e.cases for e in (QUICK, STANDARD, FULL)}
    )
    if not ours:
        raise InputError(
            "this is not from an earlier verification and would be replaced",
            place=str(place.path),
            remedy="Move it away, or name another folder with --out.",
        )
    shutil.rmtree(place.path)


def judged(run: Run) -> Mapping[str, Any]:
    """Judge every detector by a campaign of random cases on Spark; that it does not run fails the verification."""
    settings = Settings(seed=run.seed, cases=run.effort.cases, detectors=named_detectors((ALL,)))
    with run.progress.stage("campaign", settings.cases) as advance:
        advance("starting Spark", 0)

        def advanced(done: int, _total: int, failures: int) -> None:
            advance(f"{failures} failures" if failures else "", done)

        try:
            summary = run_campaign(run.folder / CAMPAIGN, settings, master=run.master, progress=advanced)
        except CampaignFailed as error:
            run.note(Standing.ERROR, f"the campaign did not run: {error.reason}")
            return {"campaign": {"seed": run.seed, "cases": 0, "failed": 0, "error": error.reason}}
    standing = campaign_standing(summary)
    if standing is not Standing.TESTED:
        failed = f"{summary.total.failures} of {summary.total.cases} campaign cases failed"
        tried = f"{len(summary.regressions.failures)} of {summary.regressions.tried} stored regressions"
        refusing = f"; every case was refused by {', '.join(summary.refusing)}" if summary.refusing else ""
        run.note(standing, f"{failed}, and {tried}{refusing}")
    texts = validated_texts(summary.settings)
    for check in texts:
        if check.standing is not Standing.PROVED:
            run.note(check.standing or Standing.UNKNOWN, f"generated texts of {check.detector}: {check.detail}")
    return {"campaign": {**campaign_data(summary, run.master), "texts": texts_data(texts)}}
