"""State that a generated step keeps in variables of its own, those of the function around it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import CellType, FunctionType
from typing import Any, Self, cast


def kept_variables(step: object) -> Mapping[str, CellType]:
    """The variables in which a step keeps its state between instants, by name; they can be read and set."""
    function = cast(FunctionType, step)
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


class CopiedBySnapshot(ABC):
    """A detector whose copies share no state with it, as they would if its step were copied like any other value."""

    def fresh(self) -> Self:
        """Another detector for the same expression, in its initial state, with the same code."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._restart()
        return other

    @abstractmethod
    def _restart(self) -> None:
        """Take the initial state, with a step of its own."""

    def __copy__(self) -> Self:
        """A detector in the same state."""
        other: Any = self.fresh()
        other.restore(cast(Any, self).snapshot())
        return cast(Self, other)

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """A detector in the same state; expressions and code never change."""
        return self.__copy__()
