"""Light commands, and the help of the others, load nothing that takes long to load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow
from pyarrow import parquet

HEAVY = (
    *("cvc5", "hypothesis", "jinja2", "numba", "numpy"),
    *("pandas", "pyarrow", "pyarrow.fs", "pyspark", "sympy", "z3"),
)

HELP = (
    *("verify", "laws", "test", "eval", "detect", "explain", "equiv"),
    *("campaign", "gate", "report", "doctor", "completion"),
)

LIGHT = (
    *(f"{name} --help" for name in HELP),
    *("detect a t.csv", "eval a t.csv", "laws", "doctor", "--version"),
)

LOGINS = Path(__file__).parents[2] / "remora" / "examples" / "logins.csv"

FIRST = {"click", "lark", "rich", "markdown_it", "mdurl", "pygments"}
"""What the first command of the README installs, and what comes with it."""

INSTALLED = """
import sys
from remora.cli import main
try:
    main(sys.argv[1:])
except SystemExit as ending:
    assert not ending.code
places = {name.partition(".")[0]: getattr(module, "__file__", "") or "" for name, module in sys.modules.items()}
print(*(name for name, place in places.items() if "site-packages" in place), file=sys.stderr)
"""

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


def test_a_parquet_file_is_read_without_file_systems_of_networks(tmp_path: Path) -> None:
    parquet.write_table(pyarrow.table({"time": [1], "event": ["a"]}), tmp_path / "t.parquet")
    found = loaded(tmp_path, "detect a t.parquet")["detect a t.parquet"]
    assert "pyarrow" in found
    assert "pyarrow.fs" not in found


def test_a_first_look_needs_three_packages() -> None:
    command = ["detect", "(fail ; fail)[60] - ok", str(LOGINS), "--format", "text"]
    ended = subprocess.run(
        [sys.executable, "-c", INSTALLED, *command], capture_output=True, check=True, encoding="utf-8"
    )
    assert ended.stdout.count("\n") == 21  # as the README says
    loaded = {name for name in ended.stderr.splitlines()[-1].split() if not name.startswith("_")}
    assert loaded <= FIRST
