"""Derived mutants that detect the same as the detectors they were made from, with reasons (`equivalent.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

_ROWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["reason"]

EQUIVALENT: Mapping[str, str] = MappingProxyType(
    {name: row["why"] for row in _ROWS for name in row["mutants"]}
)
"""The reason of each equivalent mutant, by its name."""
