"""Claims of any system: what is claimed, where it is from, and how it should stand."""

from __future__ import annotations

from typing import Protocol

from laws.standings import Standing


class Claim(Protocol):
    """A claim as every room sees it; each system has records of its own for what it says."""

    @property
    def id(self) -> str:
        """Its name, such as `law:14`."""

    @property
    def system(self) -> str:
        """The name of the system that it is about."""

    @property
    def statement(self) -> str:
        """What is claimed, as text."""

    @property
    def condition(self) -> str:
        """The side condition in words; "" where there is none."""

    @property
    def source(self) -> str:
        """Where the source states it; "" for what the source does not state."""

    @property
    def reading(self) -> str:
        """What it means, in words."""

    @property
    def note(self) -> str:
        """What is to be known about the printed form."""

    @property
    def expected(self) -> Standing:
        """The standing that a right project reaches."""
