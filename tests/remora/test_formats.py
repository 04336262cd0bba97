"""What the commands really print is of the schema that it names, and of it alone."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from reports.schemas import complaint, schema
from tests.remora.conftest import Remora
from tests.remora.documents import of_its_schema

ROWS = "remora/row/1"

COMMANDS = [
    "laws list",
    "laws show 14 seq lemma:5.3 --smt",
    "prove 14 lemma:5.1 --no-canaries",
    "prove 'A ; B == B ; A' --no-canaries",
    "prove lemma:5.2 --time real --no-canaries",
    "test 2 theorem:4.5 --examples 3",
    "equiv 'a ; b' 'b ; a'",
    "equiv 'a | b' 'b | a'",
    "equiv 'a ; b' a --inclusion",
    "equiv 'a ; b' 'a ; (b ; c)' --steps 1",
    "equiv a --empty",
    "equiv 'a - a' --empty",
    "explain 'a ; (b + c)'",
    "explain '(a ; b)[t] ; (c + d)[u]' --formula",
    "explain '(fail ; fail)[60] - ok' --formula --code",
    "explain 'a - a'",
    "campaign power --cases 6",
    "campaign power --list",
    "completion bash",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_prints_is_of_its_schema(remora: Remora, command: str) -> None:
    status, out, _ = remora(*shlex.split(command), "--format", "json")
    document = of_its_schema(out)
    assert document.get("exit_status", status) == status
    name = document["schema"]
    for key in schema(name)["required"]:
        assert complaint(name, {k: v for k, v in document.items() if k != key}) is not None
    assert complaint(name, {**document, "schema": "remora/other/1"}) is not None


@pytest.mark.parametrize(
    "command",
    [
        "eval 'fail ; fail' {} --format jsonl",
        "detect '(fail ; fail)[60] - ok' {} --format jsonl",
        "detect 'fail ; ok' {} --partition-by user --format jsonl",
    ],
)
def test_rows_are_of_their_schema(remora: Remora, logins: Path, command: str) -> None:
    _, out, _ = remora(*shlex.split(command.format(logins)))
    rows = [of_its_schema(line, ROWS) for line in out.splitlines()]
    assert rows
    for row in rows:
        assert complaint(ROWS, {**row, "start": -1}) is not None
        assert complaint(ROWS, {key: row[key] for key in row if key != "end"}) is not None
