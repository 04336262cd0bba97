"""Obligations: SMT-LIB 2 texts whose unsatisfiability proves a part of a claim for all event streams.

An obligation states a theory, declares what is arbitrary, asserts what is assumed and asserts that the conclusion
fails. A claim is proved when all of its obligations are unsatisfiable.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from smt.smtlib import FALSE, LOGIC, SORT, TimeSort


@dataclass(frozen=True)
class Theory:
    """Theory of obligations: sorts and functions, and what is assumed of them."""

    declarations: tuple[str, ...]  # commands; `{time}` stands for the sort of time
    axioms: Mapping[str, str] = field(hash=False)  # assumptions by name


_NUMBER = re.compile(r"(?<=[ (])[0-9]+(?=[ )])")


_WORDS = {"⊆": "included", "⊇": "includes", ":": "-", "/": "-", " ": "-", "'": "p"}


@dataclass(frozen=True)
class Obligation:
    """One query; unsatisfiable means that this part of the claim holds for all event streams."""

    id: str  # the claim's id with the direction, such as `law:14/⊆`
    claim: str
    direction: str
    heading: tuple[str, ...]  # what is asked, in words; comment lines of the text
    theory: Theory
    axioms: tuple[str, ...]  # the names of the theory's axioms that are assumed
    time: TimeSort
    logic: str
    declarations: tuple[str, ...]  # the arbitrary streams, instances and times
    assertions: tuple[str, ...]  # what is assumed, and last that the conclusion fails
    whole: str = ""  # the whole text, where the question is stated in no theory

    @cached_property
    def text(self) -> str:
        """The SMT-LIB 2 text, up to and including `(check-sat)`."""
        if self.whole:
            return self.whole
        lines = [
            *(f"; {line}" for line in self.heading),
            f"(set-logic {self.logic})",
            *(line.replace("{time}", SORT[self.time]) for line in self.theory.declarations),
            *self.declarations,
            *(f"(assert {self._times(self.theory.axioms[name])})" for name in self.axioms),
            *(f"(assert {self._numbers(assertion)})" for assertion in self.assertions),
            "(check-sat)",
        ]
        return "\n".join(lines) + "\n"

    def _times(self, formula: str) -> str:
        """A formula all of whose numbers are times: dense ones are written with a point, as a checker wants them."""
        return formula if self.time == "int" else _NUMBER.sub(r"\g<0>.0", formula)

    def _numbers(self, formula: str) -> str:
        """An assertion; where a logic of its own is needed, its numbers are no times but positions and counts."""
        return self._times(formula) if self.logic == LOGIC[self.time] else formula

    @property
    def is_computed(self) -> bool:
        """Whether its conclusion was evaluated to true while it was written, so that nothing is left to be asked."""
        return not self.whole and self.assertions[-1:] == (FALSE,)

    @property
    def sha256(self) -> str:
        """The hash of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def name(self) -> str:
        """The name in the record of proofs: the id, with the time unless that is the integers."""
        return self.id if self.time == "int" else f"{self.id} over dense time"

    def file_name(self, extension: str = "smt2") -> str:
        """The file of the text: the id in letters that every file system takes."""
        name = self.id
        for sign, word in _WORDS.items():
            name = name.replace(sign, word)
        dense = "" if self.time == "int" else ".real"
        return f"{name}{dense}.{extension}"

    def with_axioms(self, axioms: Sequence[str]) -> Obligation:
        """Obligation with the same question under other axioms of its theory."""
        return replace(self, axioms=tuple(axioms))
