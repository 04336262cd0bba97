"""The registry of systems: each event algebra with the module by which it takes part in a room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from semantics.errors import InputError


@dataclass(frozen=True)
class System:
    """An event algebra.

    Attributes:
        name: as folders and options say it.
        title: as people say it.
        source: the publication that defines it.
        modules: by room, the module that provides what the `Protocol` in the room's `systems.py` asks for.
    """

    name: str
    title: str
    source: str
    modules: Mapping[str, str]

    def module(self, room: str) -> ModuleType:
        """What the system provides to a room; loaded when it is asked for."""
        return import_module(self.modules[room])


CARLSON_LISPER = System(
    "carlson_lisper",
    "the algebra of Carlson and Lisper",
    "Jan Carlson and Björn Lisper, An event detection algebra for reactive systems",
    {
        "laws": "laws.carlson_lisper.catalogue",
        "proofs": "proofs.carlson_lisper.proving",
        "campaigns": "campaigns.carlson_lisper.system",
        "reports": "reports.carlson_lisper.system",
    },
)

SYSTEMS: dict[str, System] = {system.name: system for system in (CARLSON_LISPER,)}
"""The systems by name; a further one is an entry here and a folder in each room."""

DEFAULT_SYSTEM = CARLSON_LISPER.name
"""The system of what names none."""


def system_of(name: str, known: Iterable[str] = SYSTEMS) -> System:
    """The system with a name.

    Raises:
        InputError: there is none.
    """
    if name not in SYSTEMS:
        raise InputError(f"there is no system {name!r}", remedy=f"The systems are {', '.join(known)}.")
    return SYSTEMS[name]
