"""Light commands, and the help of the others, load nothing that takes long to load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HEAVY = (
    *("cvc5", "hypothesis", "jinja2", "numba", "numpy"),
    *("pandas", "pyarrow", "pyspark", "sympy", "z3"),
)

HELP = (
    *("verify", "laws", "test", "eval", "detect", "explain", "equiv"),
    *("campaign", "gate", "report", "doctor", "completion"),
)

LIGHT = (
    *(f"{name} --help" for name in HELP),
    *("detect a t.csv", "eval a t.csv", "laws", "doctor", "--version"),
)

LOADED = f"""
import json, sys
from remora.cli import main
before, found = set(), {{}}
for command in sys.argv[1:]:
    try:
        main(command.split())
    except SystemExit as ending:
        assert not ending.code, command
    found[command] = [name for name in {HEAVY} if name in sys.modules and name not in before]
    before.update(found[command])
print(json.dumps(found), file=sys.stderr)
"""


def loaded(folder: Path, *commands: str) -> dict[str, list[str]]:
    """What each of some commands loads that those before it have not."""
    command = [sys.executable, "-c", LOADED, *commands]
    ended = subprocess.run(command, capture_output=True, check=True, encoding="utf-8", cwd=folder)
    found: dict[str, list[str]] = json.loads(ended.stderr)
    return found


def test_a_light_command_is_there_at_once(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("time,event\n1,a\n")
    found = loaded(tmp_path, *LIGHT, "prove --help")
    assert set(found.pop("prove --help")) <= {"z3"}
    assert found.keys() == set(LIGHT)
    assert not any(found.values()), found


def test_what_a_command_needs_is_noticed_when_it_is_loaded(tmp_path: Path) -> None:
    found = loaded(tmp_path, "explain a;b[3]", "explain a;b[3] --formula", "campaign power --help")
    assert "sympy" not in found["explain a;b[3]"]
    assert "sympy" in found["explain a;b[3] --formula"]
    assert "numpy" in {name for names in found.values() for name in names}
