"""The engines for profiles by name; the module behind the protocol of detectors (`detectors.systems`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from detectors.hinze_voisard.engine import Engine
from semantics.hinze_voisard.profiles import ProfileFile

EngineFactory: TypeAlias = Callable[[ProfileFile], Engine]
"""Makes a fresh engine for profiles."""

ENGINES: Mapping[str, EngineFactory] = MappingProxyType({"lists": Engine})
"""The engines: duplicate lists as they grow."""

DEFAULT_DETECTOR = "lists"
