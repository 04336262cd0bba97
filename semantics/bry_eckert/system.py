"""This algebra behind the protocol of systems (`semantics.systems.SemanticsOfSystem`)."""

from __future__ import annotations

from collections.abc import Sequence

from semantics.bry_eckert.checking import parse as parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.traces import FORM as FORM
from semantics.events import Event


def evaluate(program: Program, trace: Sequence[Event]) -> list[Event]:
    """Everything that the rules derive, by definition."""
    return denotation(program, trace)
