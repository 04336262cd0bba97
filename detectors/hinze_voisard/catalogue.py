"""The engines for profiles by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from detectors.hinze_voisard.engine import Engine
from semantics.hinze_voisard.profiles import ProfileFile

EngineFactory: TypeAlias = Callable[[ProfileFile], Engine]
"""Makes a fresh engine for profiles."""

ENGINES: Mapping[str, EngineFactory] = MappingProxyType({"lists": Engine})
"""The engine that keeps duplicate lists as they grow; the definition judges it."""

DEFAULT_DETECTOR = "lists"
