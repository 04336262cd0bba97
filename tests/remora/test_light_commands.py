"""The help of a command loads nothing that takes long to load."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("cvc5", "hypothesis", "numba", "numpy", "pyarrow", "pyspark", "sympy")

LIGHT = [
    "verify",
    "laws",
    "prove",
    "test",
    "eval",
    "detect",
    "explain",
    "equiv",
    "campaign",
    "gate",
    "report",
    "doctor",
    "completion",
]

LOADED = f"""
import sys
from remora.cli import main
try:
    main(sys.argv[1:])
finally:
    print(*(name for name in {HEAVY} if name in sys.modules), file=sys.stderr)
"""


def loaded(*arguments: str) -> str:
    command = [sys.executable, "-c", LOADED, *arguments]
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stderr.strip()


@pytest.mark.parametrize("name", LIGHT)
def test_the_help_of_a_command_is_there_at_once(name: str) -> None:
    assert loaded(name, "--help") == ""


def test_what_a_command_needs_is_noticed_when_it_is_loaded() -> None:
    assert "numpy" in loaded("campaign", "power", "--help")
