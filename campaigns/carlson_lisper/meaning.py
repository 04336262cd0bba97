"""Meaning of a case by the semantics, computed once for all detectors."""

from __future__ import annotations

from functools import cached_property

from campaigns.carlson_lisper.cases import Case
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import identifiers
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.intervals import Grid, IntervalStream
from semantics.carlson_lisper.membership import Membership
from semantics.carlson_lisper.occurrences import Stream
from semantics.carlson_lisper.restriction import restriction
from semantics.errors import LimitExceeded
from semantics.events import Interval

LITERAL_OCCURRENCES = 8
"""Traces with at most so many occurrences have their instances listed as well…"""

LITERAL_CANDIDATES = 60
"""…if no operator has more candidate instances than this."""


class Meaning:
    """What has to be detected in a case, by the semantics on its two levels."""

    def __init__(self, case: Case) -> None:
        """Of a case; each level is evaluated when it is first asked for."""
        self.case = case

    @cached_property
    def trace(self) -> Interpretation:
        """The trace as an interpretation."""
        return self.case.trace

    @cached_property
    def expected(self) -> tuple[Interval, ...]:
        """The intervals that any valid restriction reports, by end (Thm 4.5, Cor. 4.4)."""
        return tuple(IntervalStream(self._grid.times, self._grid.evaluate(self.case.expression)).restricted())

    @cached_property
    def _grid(self) -> Grid:
        return Grid(identifiers(self.case.expression), self.trace)

    @cached_property
    def members(self) -> Membership:
        """The instances of the expression (Def. 3.11), asked one by one."""
        return Membership(self.case.expression, self.trace, grid=self._grid)

    @cached_property
    def instances(self) -> Stream | None:
        """All instances of the expression (Def. 3.11); None if the case is too large to list them."""
        if len(self.case.occurrences) > LITERAL_OCCURRENCES:
            return None
        try:
            return denotation(self.case.expression, self.trace, limit=LITERAL_CANDIDATES)
        except LimitExceeded:
            return None

    @property
    def literal(self) -> bool:
        """Whether all instances can be listed."""
        return self.instances is not None

    @cached_property
    def contradiction(self) -> str:
        """How the policy of Def. 3.12, applied to the list of instances, contradicts `expected`; "" if not."""
        if self.instances is None:
            return ""
        spans = sorted((instance.end, instance.start) for instance in restriction(self.instances))
        due = [(end, start) for start, end in self.expected]
        return "" if spans == due else f"restricted by Def. 3.12, the (end, start) are {spans}"
