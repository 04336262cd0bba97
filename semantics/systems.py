"""The registry of systems: each event algebra with the module by which it takes part in a room."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
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


CARLSON_LISPER = System(
    "carlson_lisper",
    "the algebra of Carlson and Lisper",
    "Jan Carlson and Björn Lisper, An event detection algebra for reactive systems",
    "patterns",
    "",
    {
        "laws": "laws.carlson_lisper.claims",
        "proofs": "proofs.carlson_lisper.proving",
        "validation": "smt.carlson_lisper.validation.validating",
        "errata": "proofs.carlson_lisper.errata",
        "campaigns": "campaigns.carlson_lisper.system",
        "reports": "reports.carlson_lisper",
        "remora": "remora.systems.carlson_lisper.face",
    },
)

BRY_ECKERT = System(
    "bry_eckert",
    "the rules of Bry and Eckert",
    "François Bry and Michael Eckert, Temporal order optimizations of incremental joins for composite event detection"
    " (2007), and On static determination of temporal relevance for incremental evaluation of complex event queries"
    " (2008)",
    "rules",
    ".rules",
    {
        "laws": "laws.bry_eckert.catalogue",
        "proofs": "proofs.bry_eckert.proving",
        "errata": "proofs.bry_eckert.errata",
        "relevance": "smt.bry_eckert.relevance",
        "campaigns": "campaigns.bry_eckert.system",
        "reports": "reports.bry_eckert",
        "remora": "remora.systems.bry_eckert.face",
    },
)

HINZE_VOISARD = System(
    "hinze_voisard",
    "the parameterised algebra of Hinze and Voisard",
    "Annika Hinze and Agnès Voisard, A flexible parameter-dependent algebra for event notification services",
    "profiles",
    ".profile",
    {
        "campaigns": "campaigns.hinze_voisard.system",
        "reports": "reports.hinze_voisard",
        "remora": "remora.systems.hinze_voisard",
        "errata": "proofs.hinze_voisard.errata",
    },
)

SYSTEMS: dict[str, System] = {system.name: system for system in (CARLSON_LISPER, BRY_ECKERT, HINZE_VOISARD)}
"""The systems by name; a further one is an entry here and a folder in each room."""


def systems_in(room: str) -> list[str]:
    """The names of the systems that take part in a room."""
    return [name for name, system in SYSTEMS.items() if room in system.modules]


DEFAULT_SYSTEM = CARLSON_LISPER.name  # The system of what names none


def system_of_text(text: str) -> System:
    """The system in whose language a text is: that alone decides, by how it ends."""
    return next((one for one in SYSTEMS.values() if one.suffix and text.endswith(one.suffix)), CARLSON_LISPER)


def system_of(name: str) -> System:
    """The system with a name; InputError if there is none."""
    if name not in SYSTEMS:
        remedy = nearest(name, SYSTEMS, f"The systems are {', '.join(SYSTEMS)}.")
        raise InputError(f"there is no system {name!r}", remedy=remedy)
    return SYSTEMS[name]
