"""Evaluation of profiles with places of the source as they are printed (`semantics.hinze_voisard.literal`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from semantics.errors import InputError
from semantics.events import Event
from semantics.hinze_voisard import literal
from semantics.hinze_voisard.evaluation import Evaluation
from semantics.hinze_voisard.pairing import Instance, Instances, occurrence
from semantics.hinze_voisard.profiles import Absent, Logical, OfClass, Paired, Part, ProfileFile, Selected

PLACES = tuple(one for one in literal.SLIPS if one not in ("classes-of-lists", "selection-of-a-disjunction"))
"""The places that bear on profiles: none says which list is D(n), or what is selected of a disjunction."""


class AsPrinted(Evaluation):
    """The instances of profiles in a trace by the definitions word for word; without slips those of `Evaluation`.

    Args:
        slips: which places are read as printed; some of `PLACES`.

    Raises:
        InputError: there is no such place.
    """

    def __init__(self, file: ProfileFile, trace: Sequence[Event], slips: Collection[str] = ()) -> None:
        """Evaluate nothing yet."""
        super().__init__(file, trace)
        for slip in slips:
            if slip not in PLACES:
                raise InputError(f"no place is called {slip}", remedy=f"There are {', '.join(PLACES)}.")
        self._slips = frozenset(slips)

    def instances(self, part: Part) -> Instances:
        """The instances of an expression."""
        match part:
            case Paired("|", left, right):
                return literal.disjunction(self.instances(left), self.instances(right), slips=self._slips)
            case Absent(operand, span):
                events = frozenset(occurrence(n, self._events[n].time) for n in range(self._content))
                given = self.instances(operand)
                return literal.negation(given, events, self._ends(), self._begin, span, self._slips)
            case Selected(operand, place):
                return literal.selection(self.instances(operand), place, self._slips)
            case Logical(False):
                return literal.logical_disjunction(super().instances(part), self._slips)
            case _:
                return super().instances(part)

    def _pairs(self, part: Paired) -> Iterator[tuple[Instance, Instance]]:
        left, right = self.instances(part.left), self.instances(part.right)
        yield from literal.pairs(part.operator, left, right, part.listed, part.span, self._slips)

    def _bound(self, clauses: Sequence[Part], within: str) -> list[dict[str, Instance]]:
        """As `Evaluation`; pairs of classes by trying every assignment of events to names."""
        events: dict[str, Instances] = {}
        given = []
        for number, clause in enumerate(clauses):
            if not isinstance(clause, Paired) or clause.operator == "|":
                return super()._bound(clauses, within)
            names = []
            for side, operand in (("l", clause.left), ("r", clause.right)):
                if not isinstance(operand, OfClass):
                    return super()._bound(clauses, within)
                name = operand.name or f"#{within}.{number}{side}"
                events[name] = events.get(name, found := self.instances(operand)) & found
                names.append(name)
            pairs = {*self._pairs(clause)}
            if clause.operator == ",":
                pairs |= {(other, one) for one, other in pairs}
            given.append((names[0], names[1], pairs))
        return [
            dict(zip(events, chosen, strict=True)) for chosen in literal.logical_conjunction(given, events)
        ]

    def _of_class(self, name: str) -> Instances:
        found, constraints = super()._of_class(name), self._file.constraints(name)
        if constraints is None or "matching-of-profiles" not in self._slips:
            return found
        mentioned = {one.attribute for one in constraints}
        return frozenset(
            one for one in found if self._events[one.members.bit_length() - 1].attributes.keys() <= mentioned
        )

    def _ends(self) -> Instances:
        """The time events at which a negation may end."""
        if "times-of-a-negation" not in self._slips:
            return frozenset(self._timer("", place) for place in range(len(self._timers[""])))
        names = [name for name in self._timers if name]
        return frozenset(one for name in names for one in self._of_class(name))
