"""That `remora stream` of rules gives what `remora eval` gives of the same rows."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.remora.conftest import Remora
from tests.semantics.bry_eckert.programs import ORDERS

KEYED = ORDERS[: ORDERS.index("rep(")]


@pytest.mark.spark
@pytest.mark.slow
def test_a_folder_that_grows_gives_the_answers_of_eval_and_every_late_event(remora: Remora, tmp_path: Path) -> None:
    (tmp_path / "orders.rules").write_text(KEYED)
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    random = Random(4)
    events: list[dict[str, Any]] = []
    for time in range(0, 160, 2):
        number = random.randrange(40)
        kind: dict[str, Any] = random.choice(
            [{"event": "order", "p": "bread", "q": number}, {"event": "shipped", "t": "T"}]
        )
        events.append({"time": time, "id": number, **kind})
    late = {"time": 3, "event": "order", "id": 99, "p": "late", "q": 1}
    for number, batch in enumerate([events[:40], [*events[40:], late]]):
        lines = "".join(json.dumps(row) + "\n" for row in batch)
        (source / f"{number}.jsonl").write_text(lines)
        status, _, err = remora(
            "stream", tmp_path / "orders.rules", source, "--once", "--out", out, "--files", 1, "--lateness", 5
        )  # fmt: skip
        assert status == 0, err
        assert "overdue.id" in err
    found = [json.loads(line) for path in out.glob("*/*.jsonl") for line in path.read_text().splitlines()]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in events))
    status, text, _ = remora("eval", tmp_path / "orders.rules", tmp_path / "log.jsonl", "--format", "jsonl")
    whole = list(map(json.loads, text.splitlines()))
    assert [row for row in found if row["kind"] == "late"] == [{"start": 3, **late, "kind": "late"}]
    answers = [row for row in found if row["kind"] != "late"]
    kinds = Counter(row.pop("kind") for row in answers)
    assert kinds["pending"] > 0 and kinds["detected"] > 10
    assert sorted(map(json.dumps, answers)) == sorted(map(json.dumps, whole))


@pytest.mark.parametrize(
    ("program", "options", "said"),
    [
        (KEYED, ("--corrections",), "Say with --lateness"),
        ("event A(x: int)\nF(kind = x) <- a: A(x)\n", (), "an attribute kind"),
    ],
    ids=["corrections without a lateness", "an answer with an attribute kind"],
)
def test_bad_input_is_refused(
    remora: Remora, tmp_path: Path, program: str, options: tuple[str, ...], said: str
) -> None:
    (tmp_path / "p.rules").write_text(program)
    status, _, err = remora("stream", tmp_path / "p.rules", tmp_path, "--once", *options)
    assert (status, said in err) == (2, True)
