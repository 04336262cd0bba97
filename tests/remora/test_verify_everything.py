"""A whole verification: all claims, all detectors, on Spark."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from campaigns.carlson_lisper.mutants import MUTANTS as TELLING
from laws.carlson_lisper.claims import catalogue, discovered
from laws.claims import every_claim
from proofs.atlas.record import recorded as recorded_atlas
from proofs.record import recorded
from remora.verification.run import QUICK

PATTERN = "(fail ; fail)[60] - ok"


@pytest.mark.long
@pytest.mark.spark
def test_the_quick_verification_proves_everything_and_judges_every_detector(tmp_path: Path, logins: Path) -> None:
    folder = tmp_path / "a new" / "folder"
    command = [sys.executable, "-m", "remora", "verify", "--quick", "--out", str(folder), "--master", "local[2]"]
    ended = subprocess.run([*command, "--seed", "3", "--log", str(logins), PATTERN], capture_output=True)
    assert ended.returncode == 0, ended.stderr.decode()
    assert (folder / "campaign" / "summary.json").is_file()
    assert (folder / "report.html").stat().st_size > 100_000
    report: dict[str, Any] = json.loads((folder / "report.json").read_text("utf-8"))
    assert report["verdict"]["exit_status"] == 0
    assert report["verdict"]["problems"] == []
    assert [claim["id"] for claim in report["claims"]] == [claim.id for claim in every_claim()]
    for claim in report["claims"]:
        dense = "does not carry over" if claim.get("not_in_dense_time") else "agreed"
        assert (claim["standing"], claim["dense_time"]) == ("kernel-checked" if claim["kernel"] else "agreed", dense)
        assert all(test["standing"] == "tested" for test in claim["tests"])
        assert all(test["cases"] > 0 and test["bound"] for test in claim["tests"])
        assert bool(claim["tests"]) == (claim["id"] in {known.id for known in (*catalogue(), *discovered())})
        assert claim["kernel"] or "int" in {row["time"] for row in claim["obligations"]}
        assert {row["standing"] for row in claim["obligations"]} <= {"agreed", "computed"}
    assert report["record"] == {"same": True, "differences": []}
    standings = {row["id"]: row["standing"] for claim in report["claims"] for row in claim["obligations"]}
    assert standings == {name: row["standing"] for name, row in recorded().items()}
    assert all(entry["as_claimed"] for entry in report["errata"])
    assert report["solvers"]["disagreements"] == []
    assert all(canary["ok"] and canary["counterexample"] for canary in report["canaries"])
    assert all(check["ok"] for check in report["checks"])
    wrong = [check for check in report["checks"] if check["id"].startswith("mutant:")]
    assert len(wrong) == len(TELLING)
    assert (report["power"]["killed"], report["power"]["survivors"]) == (len(TELLING), [])
    assert all(row["agree"] for row in report["detection"])
    assert (report["detection"][-1]["trace"], report["detection"][-1]["detections"]) == (str(logins), 1)
    rules = report["rules"]
    stores = [store for plan in rules["plans"] for point in plan["plan"] for store in point["stores"]]
    assert {store["decision"] for store in stores if store["kept"]} == {"safe and tight", "no bound"}
    assert (rules["cases"]["cases"], rules["cases"]["failures"]) == (QUICK.engines, [])
    profiles = report["profiles"]
    assert (profiles["cases"]["cases"], profiles["cases"]["failures"]) == (QUICK.engines, [])
    assert sum(sum(row["cells"].values()) for row in profiles["atlas"]) == len(recorded_atlas())
    campaign, cases = report["campaign"], QUICK.cases
    assert (campaign["cases"], campaign["failed"], campaign["judged_now"]) == (cases, 0, cases)
    assert campaign["regressions"]["tried"] > 0
    judged = campaign["detectors"]
    assert {"figure2", "figure4", "generated"} <= judged.keys()
    assert all((row["cases"], row["failures"]) == (cases, 0) for row in judged.values())
    assert all(row["refused"] < cases / 2 for row in judged.values())
