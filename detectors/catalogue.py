"""The detectors of the project by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from detectors.figure2 import Figure2
from detectors.figure4 import figure4
from detectors.protocol import DetectorFactory

DETECTORS: Mapping[str, DetectorFactory] = MappingProxyType({"figure2": Figure2, "figure4": figure4})
"""Name to factory; the first one is the default."""

DEFAULT_DETECTOR = "figure2"
