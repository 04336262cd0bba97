"""The engines for profiles by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from detectors.hinze_voisard.engine import Engine
from detectors.hinze_voisard.prefixes import PrefixEngine
from semantics.hinze_voisard.profiles import ProfileFile

EngineFactory: TypeAlias = Callable[[ProfileFile], Engine | PrefixEngine]
"""Makes a fresh engine for profiles."""

ENGINES: Mapping[str, EngineFactory] = MappingProxyType({"lists": Engine, "prefixes": PrefixEngine})
"""The engines: duplicate lists as they grow, and the definition, which evaluates the interval up to each time again."""

DEFAULT_DETECTOR = "lists"
