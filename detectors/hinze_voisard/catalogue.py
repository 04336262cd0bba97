"""The engines for profiles by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from detectors.hinze_voisard.engine import Engine
from semantics.errors import InputError
from semantics.events import Event
from semantics.hinze_voisard.evaluation import Prefixes
from semantics.hinze_voisard.profiles import ProfileFile


class PrefixEngine(Prefixes):
    """Evaluation by definition of the interval up to each time; its state is all events."""

    def snapshot(self) -> dict[str, Any]:
        """The events."""
        return {"events": [[one.type, one.time, dict(one.attributes)] for one in self.events]}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take up a state that `snapshot` of an engine of the same profiles made, in the place of its own.

        Raises:
            InputError: it is not one.
        """
        try:
            self.events = [Event(type, time, time, values) for type, time, values in snapshot["events"]]
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"this is no state of an engine: {error}") from None
        self.step(0, ())


EngineFactory: TypeAlias = Callable[[ProfileFile], Engine | PrefixEngine]
"""Makes a fresh engine for profiles."""

ENGINES: Mapping[str, EngineFactory] = MappingProxyType({"lists": Engine, "prefixes": PrefixEngine})
"""The engines: duplicate lists as they grow, and the definition, which evaluates the interval up to each time again."""

DEFAULT_DETECTOR = "lists"
