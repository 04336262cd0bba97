"""The systems of the atlas as points of one space: time, pairing, spans; adding one is one record.

In all of them operands are finite sets of instances, `|` is the union, `A - B` has the instances of A in whose interval
no instance of B lies, and `A[t]` those that last at most t. They differ in sequence and conjunction, and in what a
bound beside one of these two means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Literal, TypeAlias

from semantics.atlas.contexts import CONTEXTS, Context
from semantics.events import Time
from semantics.hinze_voisard.pairing import FOLLOWS, Clock, Consumption, Instance, Instances, Listed, Selection, pair

Spans: TypeAlias = Literal["filter", "native"]
"""Reading of `(A ; B)[t]`: a filter of the instances that last at most t, or a bound between the operands' ends."""


@dataclass(frozen=True)
class Setting:
    """An event algebra with the operators `|`, `+`, `-`, `;` and `[t]`.

    Attributes:
        name: its name in the atlas.
        clock: when one instance comes after another.
        pairing: a context of Snoop, or how duplicate lists pair.
        spans: what a bound beside a sequence or conjunction means.
    """

    name: str
    family: str
    clock: Clock
    pairing: str | Listed
    spans: Spans = "filter"

    def sequence(self, left: Instances, right: Instances, span: Time | None = None) -> Instances:
        """The instances of `left ; right`; with a span, of the native `(left ; right)` with that span."""
        follows = FOLLOWS[self.clock]
        if isinstance(self.pairing, Listed):
            return frozenset(pair(*both) for both in self.pairing.sequence(left, right, follows, span))
        return frozenset(CONTEXTS[self.pairing].sequence(left, right, follows))

    def conjunction(self, left: Instances, right: Instances, span: Time | None = None) -> Instances:
        """The instances of `left + right`; with a span, of the native `(left , right)` with that span."""
        if isinstance(self.pairing, Listed):
            return frozenset(pair(*both) for both in self.pairing.conjunction(left, right, span))
        return frozenset(CONTEXTS[self.pairing].conjunction(left, right))

    def absence(self, left: Instances, absent: Instances, right: Instances) -> Instances:
        """The instances of Snoop's own `NOT(absent)[left, right]`.

        An initiator in whose interval with a terminator something absent lies does not pair with it, and is not used up
        by it; `(left ; right) - absent` pairs first.
        """
        assert isinstance(self.pairing, str)
        follows = FOLLOWS[self.clock]

        def alone(one: Instance, other: Instance) -> bool:
            whole = pair(one, other)
            return follows(one, other) and not any(
                whole.start <= each.start and each.end <= whole.end for each in absent
            )

        return frozenset(CONTEXTS[self.pairing].sequence(left, right, alone))

    @staticmethod
    def negation(left: Instances, right: Instances) -> Instances:
        """The instances of the left in whose interval no instance of the right lies."""
        return frozenset(
            one for one in left if not any(one.start <= other.start and other.end <= one.end for other in right)
        )

    @staticmethod
    def restriction(operand: Instances, bound: Time) -> Instances:
        """The instances that last at most so many ticks."""
        return frozenset(one for one in operand if one.end - one.start <= bound)

    @property
    def context(self) -> Context | None:
        """The context, where pairs are not made of duplicate lists."""
        return None if isinstance(self.pairing, Listed) else CONTEXTS[self.pairing]

    @property
    def dimensions(self) -> dict[str, str]:
        """Where it is in the space, in words; "" where a dimension says nothing of it."""
        pairing: tuple[str, str, str, str]
        if isinstance(self.pairing, Listed):
            listed = self.pairing
            pairing = ("", str(listed.anterior), str(listed.posterior), listed.consumption)
        else:
            pairing = (self.pairing, "", "", "")
        values = (self.family, self.clock, *pairing, self.spans)
        return dict(zip(DIMENSIONS, values, strict=True))


DIMENSIONS = ("family", "clock", "context", "anterior", "posterior", "consumption", "spans")
"""The dimensions of the space (`Setting.dimensions`)."""


def _settings() -> Iterator[Setting]:
    clocks: tuple[Clock, ...] = ("intervals", "points")
    yield Setting("carlson-lisper", "carlson_lisper", "intervals", "unrestricted")
    for context, clock in product(CONTEXTS, clocks):
        yield Setting(f"snoop-{context}-{clock}", "snoop", clock, context)
    selections: tuple[Selection, ...] = ("first", "last", "all")
    consumptions: tuple[Consumption, ...] = ("keep", "lists", "events", "reapply")
    spans: tuple[Spans, ...] = ("filter", "native")
    both = [*product(selections, selections), (2, 2)]
    for (anterior, posterior), consumption, clock, span in product(both, consumptions, clocks, spans):
        name = f"hv-{anterior}-{posterior}-{consumption}-{clock}-{span}"
        yield Setting(name, "hinze_voisard", clock, Listed(anterior, posterior, consumption), span)


SETTINGS: Mapping[str, Setting] = MappingProxyType({setting.name: setting for setting in _settings()})
"""The settings by name: Carlson and Lisper, the contexts of Snoop, and those of Hinze and Voisard."""
