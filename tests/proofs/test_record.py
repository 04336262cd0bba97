"""The committed record of proofs."""

import json
import shutil
from pathlib import Path

from laws.claims import catalogue
from proofs.record import FOLDER, RECORD, differences, files, prove_catalogue
from smt.obligations import directions


def test_the_committed_record_repeats_when_everything_is_proved_again() -> None:
    assert differences() == [], "run `python -m proofs.record`"


def test_the_record_has_every_part_of_every_claim_as_proved() -> None:
    rows = json.loads((FOLDER / RECORD).read_text("utf-8"))["obligations"]
    assert {row["id"] for row in rows} == {
        f"{claim.id}/{part}" for claim in catalogue() for part in directions(claim)
    }
    assert {row["standing"] for row in rows} == {"proved"}


def test_two_runs_write_the_same_bytes() -> None:
    assert dict(files(prove_catalogue())) == dict(files(prove_catalogue()))


def test_a_changed_obligation_a_lost_file_and_another_standing_are_told(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "record")
    folder = tmp_path / "record"
    law = folder / "obligations" / "law-6-included.smt2"
    law.write_text(law.read_text("utf-8").replace("(< (end", "(<= (end", 1), encoding="utf-8")
    (folder / "obligations" / "law-1-includes.smt2").unlink()
    record = json.loads((folder / RECORD).read_text("utf-8"))
    record["obligations"][4]["standing"] = "unknown"
    (folder / RECORD).write_text(json.dumps(record), encoding="utf-8")
    assert differences(folder) == [
        "law:1/⊇: the obligation's text is another one",
        "law:3/⊆: unknown in the record, proved now",
        "law:6/⊆: the obligation's text is another one",
    ]
