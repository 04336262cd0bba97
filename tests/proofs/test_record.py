"""The committed record of proofs."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from laws.claims import every_claim, find
from laws.standings import Standing
from proofs.proving import provable_of, prove_claims
from proofs.record import (
    FOLDER,
    RECORD,
    TIMES,
    accept,
    at_revision,
    changes,
    differences,
    gone,
    main,
    recorded,
    text_differences,
)
from semantics.errors import InputError
from smt.attempts import ClaimResult
from smt.solvers.portfolio import installed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "record"
    copy.mkdir()
    shutil.copy(FOLDER / RECORD, copy)
    return copy


@pytest.fixture(scope="module")
def few() -> list[ClaimResult]:
    with installed() as portfolio:
        return prove_claims(find(["law:1", "law:6", "lemma:5.2", "law:7"]), portfolio)


def row(name: str) -> dict[str, Any]:
    return dict(recorded()[name])


@pytest.mark.slow
def by_induction() -> set[str]:
    """The claims that the record has a proof by induction of."""
    return {name.partition("/")[0] for name in recorded() if "by induction" in name}


def test_the_record_has_the_text_of_every_obligation_and_no_other() -> None:
    induced = by_induction()
    obligations = [
        part
        for time in TIMES
        for claim in every_claim()
        if time in claim.times and claim.id not in induced
        for part in provable_of(claim).obligations(time)
    ]
    others = {name: each for name, each in recorded().items() if name.partition("/")[0] not in induced}
    claims = {claim.id for claim in every_claim()} - induced
    assert text_differences(obligations, claims=claims) == [], "run `python -m proofs.record`"
    assert len(obligations) == len(others)


@pytest.mark.slow
def test_proofs_by_induction_are_found_again_as_they_are_recorded() -> None:
    induced = by_induction()
    claims = [claim for claim in every_claim() if claim.id in induced]
    with installed() as portfolio:
        results = [result for time in TIMES for result in prove_claims(claims, portfolio, time=time)]
    obligations = [part.obligation for result in results for part in result.obligations]
    assert len(claims) == 6
    assert text_differences(obligations, claims=induced, proved=True) == [], "run `python -m proofs.record`"


def test_every_obligation_stands_agreed_with_a_certificate_but_those_of_code_without_branches() -> None:
    computed = [each["id"] for each in recorded().values() if each["standing"] == "computed"]
    assert {name.removesuffix(" over dense time") for name in computed} <= {"lemma:5.2/paths", "lemma:6.1/con paths"}
    rows = [each for each in recorded().values() if each["standing"] != "computed"]
    assert {each["standing"] for each in rows} == {"agreed"}
    assert all(each["certificate"] for each in rows)
    assert {tuple(opinion["status"] for opinion in each["solvers"]) for each in rows} == {("unsat", "unsat")}


@pytest.mark.slow
def test_what_is_proved_now_stands_as_recorded(few: list[ClaimResult]) -> None:
    assert differences(few, whole=False) == []


def test_a_changed_text_and_another_standing_are_told(few: list[ClaimResult], folder: Path) -> None:
    record = folder / RECORD
    record.write_text(record.read_text("utf-8").replace(row("law:6/⊆")["sha256"], "0" * 64), "utf-8")
    weaker = replace(few[2].obligations[0], standing=Standing.UNKNOWN)
    results = [*few[:2], replace(few[2], obligations=(weaker, *few[2].obligations[1:])), *few[3:]]
    found = differences(results, folder, whole=False)
    assert "law:6/⊆: obsolete, its text is another one than the record's" in found
    assert any("standing is 'agreed' in the record, 'unknown' now" in text for text in found)
    assert len(found) == 2


def test_a_check_proves_again_what_there_is_over_both_times(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("proofs.record.every_claim", lambda: find(["law:2"]))
    assert main(["--check"]) == 1
    others = (name for name, each in recorded().items() if each["claim"] != "law:2")
    told = [f"{name}: in the record, and no longer an obligation" for name in others]
    assert capsys.readouterr().out.splitlines() == sorted(told)


def test_changes_between_two_records_are_told_apart() -> None:
    then = {name: row(name) for name in ("law:1/⊆", "law:2/⊆", "law:3/⊆", "law:4/⊆")}
    now = {name: row(name) for name in ("law:1/⊆", "law:2/⊆", "law:3/⊆", "law:5/⊆")}
    now["law:1/⊆"]["standing"] = "unknown"
    now["law:2/⊆"]["sha256"] = "0" * 64
    slower = [{**opinion, "units": opinion["units"] * 100 + 100_000} for opinion in now["law:3/⊆"]["solvers"]]
    now["law:3/⊆"]["solvers"] = slower
    found = changes(then, now)
    assert found["broke"] == ["law:1/⊆: agreed became unknown"]
    assert found["obsolete"] == ["law:2/⊆"]
    assert [text.partition(":")[0] for text in found["slower"]] == ["law", "law"]
    assert found["added"] == ["law:5/⊆"]
    assert found["removed"] == ["law:4/⊆"]


def test_a_record_of_another_version_and_none_at_all_are_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no record"):
        recorded(tmp_path)
    (tmp_path / RECORD).write_text(json.dumps({"schema": "remora/proofs/0", "claims": []}), "utf-8")
    with pytest.raises(InputError, match="remora/proofs/0"):
        recorded(tmp_path)
    (tmp_path / RECORD).write_text("[]", "utf-8")
    with pytest.raises(InputError, match="no record"):
        recorded(tmp_path)


def test_an_acceptance_is_of_one_certificate(folder: Path) -> None:
    law = row("law:1/⊆")
    told = [
        {"id": law["id"], "time": "int", "certificate": {"sha256": law["certificate"], "checked": True}},
        {"id": "law:2/⊆", "time": "int", "certificate": {"sha256": "0" * 64, "checked": True}},
        {"id": "law:3/⊆", "time": "int", "certificate": {"sha256": row("law:3/⊆")["certificate"], "checked": False}},
    ]
    for _ in range(2):
        assert accept({"obligations": told}, "Ethos 9", "rules 9", folder) == 1
    found = recorded(folder)
    assert found["law:1/⊆"]["accepted"] == [*law["accepted"], "Ethos 9 with rules 9"]
    assert found["law:2/⊆"] == row("law:2/⊆")
    assert found["law:3/⊆"] == row("law:3/⊆")


@pytest.mark.parametrize(("old", "new"), [('"accepted": [0', '"accepted": [-1'), ('"accepted": [0', '"accepted": [99')])
def test_an_acceptance_by_nobody_is_no_record(folder: Path, old: str, new: str) -> None:
    record = folder / RECORD
    record.write_text(record.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(InputError, match="no record of proofs"):
        recorded(folder)


def test_the_record_of_a_revision_is_read_from_a_repository(folder: Path) -> None:
    def git(*arguments: str) -> None:
        settings = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        subprocess.run(["git", "-C", str(folder), *settings, *arguments], check=True, capture_output=True)

    with pytest.raises(InputError, match="git has no record"):
        at_revision("HEAD", folder)
    git("init", "-q")
    git("add", RECORD)
    git("commit", "-qm", "record")
    assert at_revision("HEAD", folder) == recorded(folder)
    for wrong in ("nonsense", "--output=x"):
        with pytest.raises(InputError, match="git has no record"):
            at_revision(wrong, folder)


def test_rows_that_have_no_obligation_any_more_are_named_whatever_is_asked(few: list[ClaimResult]) -> None:
    parts = [part.obligation for result in few for part in result.obligations]
    claims = {result.claim.id for result in few}
    assert gone(parts, claims=claims) == []
    lost = [part for part in parts if "output" not in part.direction]
    assert gone(lost, claims=claims) == [
        f"{part.id}: in the record, and no longer an obligation" for part in parts if part not in lost
    ]
    assert any("lemma:5.3" in line for line in text_differences(parts))


def test_an_obligation_that_is_new_and_one_with_another_text_are_differences() -> None:
    (law,) = find(["law:2"])
    parts = list(provable_of(law).obligations("int"))
    other = replace(parts[0], assertions=(*parts[0].assertions, "(assert true)"))
    new = replace(parts[0], id="law:2/sideways")
    found = text_differences([other, *parts[1:], new], claims={"law:2"})
    assert f"{other.name}: obsolete, its text is another one than the record's" in found
    assert f"{new.name}: not in the record" in found
