"""Common fields of the documents that commands write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Record: TypeAlias = Mapping[str, Any]
"""Plain data of a system; `system` says whose it is, by default `semantics.systems.DEFAULT_SYSTEM`."""


class Part:
    """A part of a document; false if the document lacks it."""

    __slots__ = ()

    def __bool__(self) -> bool:
        """Whether it says anything."""
        return self != type(self)()
