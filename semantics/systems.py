"""The registry of systems: each event algebra with the module by which it takes part in a room."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from semantics.errors import InputError, nearest


@dataclass(frozen=True)
class System:
    """An event algebra."""

    name: str
    title: str
    source: str
    language: str  # what texts of its language are called
    suffix: str  # how the path of a file with such a text ends; "" where the text itself is given
    # by room, the module that provides what the room asks for, as its `...OfSystem` or `Face` says
    modules: Mapping[str, str]

    def module(self, room: str) -> ModuleType:
        """Module of the system in a room; loaded when it is asked for."""
        return import_module(self.modules[room])


_STATED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

SYSTEMS: dict[str, System] = {name: System(name, **stated) for name, stated in _STATED.items()}
"""The systems by name; a further one is an entry here and a folder in each room."""


def systems_in(room: str) -> list[str]:
    """The names of the systems that take part in a room."""
    return [name for name, system in SYSTEMS.items() if room in system.modules]


DEFAULT_SYSTEM = "carlson_lisper"  # The system of what names none


def system_of_text(text: str) -> System:
    """The system in whose language a text is: that alone decides, by how it ends."""
    return next((one for one in SYSTEMS.values() if one.suffix and text.endswith(one.suffix)), SYSTEMS[DEFAULT_SYSTEM])


def system_of(name: str) -> System:
    """The system with a name; InputError if there is none."""
    if name not in SYSTEMS:
        remedy = nearest(name, SYSTEMS, f"The systems are {', '.join(SYSTEMS)}.")
        raise InputError(f"there is no system {name!r}", remedy=remedy)
    return SYSTEMS[name]
