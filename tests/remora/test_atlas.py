"""`remora atlas`: cells found by what holds, and the page with its search and its evidence."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from laws.atlas.cells import LAWS
from proofs.atlas.proving import evidence
from proofs.atlas.record import recorded
from reports.html import TEMPLATES
from semantics.atlas.phrases import TOKEN, WORDS, phrase
from tests.remora.conftest import Remora
from tests.tables import table

READ = {text: (holds, fails, unread) for text, holds, fails, unread in table(__file__, "read")}
"""What is read in a phrase: laws that hold, laws that fail, and words that are not known."""

_IDS = [law.id for law in LAWS]


def test_a_verb_is_about_the_laws_after_it_or_else_about_those_before_it() -> None:
    found = {text: phrase(text, _IDS) for text in READ}
    assert {
        text: (
            *(" ".join(law.removeprefix("law:") for law, fails in one.laws if fails is each) for each in (False, True)),
            " ".join(one.unread),
        )
        for text, one in found.items()
    } == READ


def test_the_page_reads_phrases_as_the_command_does() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node that runs the script")
    script = (Path(str(TEMPLATES)) / "atlas.html.jinja").read_text("utf-8")
    known = json.dumps({"laws": [{"id": each} for each in _IDS]})
    code = script[script.index("const words = {") : script.index("// The cell that has the address")]
    for name, value in (("words", dict(WORDS)), ("token", TOKEN)):
        code = code.replace(f"{{{{ {name} | tojson }}}}", json.dumps(value))
    program = f"const atlas = {known};\n{code}\nconsole.log(JSON.stringify({json.dumps(list(READ))}.map(asked)));"
    done = subprocess.run([node, "-"], input=program, capture_output=True, text=True, check=True)
    found = [phrase(text, _IDS) for text in READ]
    assert json.loads(done.stdout) == [
        {"found": [*map(list, one.laws)], "values": [*map(list, one.values)], "unread": one.unread} for one in found
    ]


def test_both_sides_and_the_texts_of_every_proof_are_found_by_their_hash() -> None:
    cells = [recorded()[law, "snoop-recent-points"] for law in ("law:3", "law:6")]
    found = evidence([*cells, *(cell for cell in recorded().values() if cell.proof is not None)])
    assert found["sides"] == {"law:6 snoop-recent-points": [[[0, 1, 2]], []]}
    assert cells[0].proof is not None
    assert all(found["texts"].values())
    texts = found["texts"][cells[0].proof.obligations]
    assert [text.splitlines()[0] for text in texts] == ["; law:3 ⊆: A + B == B + A", "; law:3 ⊇: A + B == B + A"]
    assert {law.id for law in LAWS} == set(found["record"])


def test_where_no_system_is_as_asked_for_that_alone_is_said(remora: Remora) -> None:
    status, out, err = remora("atlas", "--holds", "6", "--holds", "28", "--fails", "7")
    assert (status, out) == (0, "")
    assert "no system is as asked for" in err


@pytest.mark.parametrize("asked", [("--holds", "6", "--fails", "7"), ("--where", "6 holds but not 7")])
def test_systems_are_found_by_what_holds_in_them(remora: Remora, asked: tuple[str, ...]) -> None:
    status, out, _ = remora("atlas", *asked, "--format", "json")
    found = {each["system"] for each in json.loads(out)["cells"]}
    refuted = {
        law: {name for (each, name), cell in recorded().items() if each == law and cell.standing == "refuted"}
        for law in ("law:6", "law:7")
    }
    assert status == 0
    assert found == refuted["law:7"] - refuted["law:6"]


def test_the_page_has_every_cell_and_no_markup_of_a_cell(remora: Remora, tmp_path: Path) -> None:
    status, _, _ = remora("atlas", "snoop-recent-points", "--out", tmp_path / "atlas")
    assert status == 0
    page = (tmp_path / "atlas" / "atlas.html").read_text("utf-8")
    data = page.partition('<script type="application/json" id="data">')[2].partition("</script>")[0]
    assert len(json.loads(data)["cells"]) == len(LAWS)
    assert "<" not in data
    assert (tmp_path / "atlas" / "atlas.parquet").exists()


def test_replayed_cells_stand_as_recorded(remora: Remora) -> None:
    status, out, _ = remora("atlas", "5", "snoop-recent-points", "--replay")
    assert status == 0
    assert "same as recorded: 1 cell" in out
