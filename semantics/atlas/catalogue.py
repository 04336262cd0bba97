"""The systems of the atlas as points of one space: time, pairing, spans, restriction; adding one is one record.

They differ in sequence and conjunction, in what a bound beside one of these two means, and in `rem`. The contexts of
Snoop are those of Chakravarthy, Krishnaprasad, Anwar and Kim (Composite events for active databases, 1994); over
intervals those of Adaikkalavan and Chakravarthy (SnoopIB, 2006). What they leave open is read so: all that occurs at
one instant arrives together; at a sequence what terminates acts before what initiates is stored; a conjunction is
completed by whichever side comes last, and an occurrence may fill both sides. TESLA is that of Cugola and Margara
(2010), SASE that of Agrawal, Diao, Gyllstrom and Immerman (2008): they say what sequences select, and conjunctions are
unrestricted.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from types import MappingProxyType
from typing import Literal, TypeAlias

from semantics.events import Time
from semantics.hinze_voisard import pairing
from semantics.hinze_voisard.pairing import FOLLOWS, Clock, Follows, Instance, Instances, Listed, by_time, joined, pair

Spans: TypeAlias = Literal["filter", "native"]
"""Reading of `(A ; B)[t]`: a filter of the instances that last at most t, or a bound between the operands' ends."""


def _arrivals(left: Instances, right: Instances) -> Iterator[tuple[list[Instance], list[Instance]]]:
    """Arrivals from the left and from the right by instant, in the order of time."""
    arrivals: dict[Time, tuple[list[Instance], list[Instance]]] = {}
    for side, instances in enumerate((left, right)):
        for one in sorted(instances, key=by_time) if len(instances) > 1 else instances:
            arrivals.setdefault(one.end, ([], []))[side].append(one)
    for _, here in sorted(arrivals.items()):
        yield here


@dataclass(frozen=True)
class Context:
    """Which of the initiators that are open a terminator pairs with; both sides of a conjunction are both.

    Newer ones replace the `newest`; the `oldest` is used up with its terminator, the `first` within a span are not.
    Where initiators are used up, it is at the end of the instant at which they pair. They are `together` in one
    instance with the terminator, or each alone. They may have to be `adjacent`, with no event of the trace between, and
    none may lie within the other in a conjunction unless it may be `contained`.
    """

    name: str
    opens: Literal["all", "newest", "oldest", "first"]
    uses_up: bool = False
    together: bool = False
    adjacent: bool = False
    contained: bool = True

    def sequence(
        self, left: Instances, right: Instances, follows: Follows, span: Time | None = None
    ) -> Iterator[Instance]:
        """The instances of a sequence; the span is how far apart their ends may be, None for any."""
        stored: list[Instance] = []
        for initiators, terminators in _arrivals(left, right):
            used: set[Instance] = set()
            for other in terminators:
                open_ = [one for one in stored if follows(one, other) and (span is None or other.end - one.end <= span)]
                if self.adjacent:  # occurrences have the numbers of their events in the trace
                    open_ = [one for one in open_ if other.members & -other.members == 1 << one.members.bit_length()]
                if self.opens == "first":
                    open_ = [one for one in open_ if one.end == open_[0].end]
                if self.opens == "oldest":
                    open_ = open_[:1]
                    stored = [one for one in stored if one not in open_]
                used.update(open_)
                yield from self._made(other, open_)
            if self.uses_up:
                stored = [one for one in stored if one not in used]
            stored = initiators if self.opens == "newest" and initiators else stored + initiators

    def conjunction(self, left: Instances, right: Instances, span: Time | None = None) -> Iterator[Instance]:
        """The instances of a conjunction; the span is how far apart their ends may be, None for any."""
        stored: tuple[list[Instance], list[Instance]] = ([], [])
        for new in _arrivals(left, right):
            if self.opens == "newest":
                stored = (new[0] or stored[0], new[1] or stored[1])
            else:
                stored = (stored[0] + new[0], stored[1] + new[1])
            if self.opens == "oldest":
                while stored[0] and stored[1]:
                    yield pair(stored[0].pop(0), stored[1].pop(0))
                continue
            complete = [(one, stored[1 - side]) for side in (0, 1) for one in new[side] if stored[1 - side]]
            for one, others in complete:
                others = [each for each in others if span is None or one.end - each.end <= span]
                if not self.contained:  # whichever starts first ends first
                    others = [each for each in others if (each.start - one.start) * (each.end - one.end) >= 0]
                yield from self._made(one, others)
            if self.uses_up and complete:
                stored = ([], [])

    def _made(self, one: Instance, open_: list[Instance]) -> list[Instance]:
        if self.together:
            return [joined([*open_, one])] if open_ else []
        return [pair(other, one) for other in open_]


_CONTEXTS = (
    Context("unrestricted", "all"),
    Context("recent", "newest"),
    Context("chronicle", "oldest"),
    Context("continuous", "all", uses_up=True),
    Context("cumulative", "all", uses_up=True, together=True),
)

CONTEXTS: Mapping[str, Context] = MappingProxyType({context.name: context for context in _CONTEXTS})
"""The contexts of Snoop by name."""


@dataclass(frozen=True)
class Setting:
    """An event algebra with the operators `|`, `+`, `-`, `;` and `[t]`.

    Conjunctions pair like sequences, or otherwise (`conjoins`). What an operator makes is `restricted` to a valid
    restriction (rem), or whole: at each end to the instance that starts last, the last one in the order of ties.
    """

    name: str
    family: str
    clock: Clock
    pairing: Context | Listed
    spans: Spans = "filter"
    conjoins: Context | None = None
    restricted: bool = False

    def sequence(self, left: Instances, right: Instances, span: Time | None = None) -> Instances:
        """The instances of `left ; right`; with a span, of the native `(left ; right)` with that span."""
        if not (left and right):
            return frozenset()
        follows = FOLLOWS[self.clock]
        if isinstance(self.pairing, Listed):
            return frozenset(pair(*both) for both in self.pairing.sequence(left, right, follows, span))
        return frozenset(self.pairing.sequence(left, right, follows, span))

    def conjunction(self, left: Instances, right: Instances, span: Time | None = None) -> Instances:
        """The instances of `left + right`; with a span, of the native `(left , right)` with that span."""
        if not (left and right):
            return frozenset()
        conjoined = self.conjoined
        if isinstance(conjoined, Listed):
            return frozenset(pair(*both) for both in conjoined.conjunction(left, right, span))
        return frozenset(conjoined.conjunction(left, right, span))

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

    @staticmethod
    def rem(operand: Instances) -> Instances:
        """The valid restriction: the last instance of those that start last, at each end."""
        return frozenset({one.end: one for one in sorted(operand, key=by_time)}.values())

    @property
    def by_order(self) -> bool:
        """Whether what there is may depend on the order of what ends together."""
        ordered = isinstance(self.pairing, Listed) or self.pairing.opens == "oldest" or self.pairing.adjacent
        return ordered or self.restricted

    @property
    def conjoined(self) -> Context | Listed:
        """How conjunctions pair."""
        return self.conjoins or self.pairing

    @property
    def core(self) -> "Setting":
        """The setting as far as expressions without bounds depend on it."""
        return replace(self, name="", family="", spans="filter")

    @property
    def context(self) -> Context | None:
        """The context, where pairs are not made of duplicate lists."""
        return None if isinstance(self.pairing, Listed) else self.pairing

    @property
    def dimensions(self) -> dict[str, str]:
        """Where it is in the space, in words; "" where a dimension says nothing of it."""
        listed = self.pairing
        where = [listed.name, "", "", "", ""] if isinstance(listed, Context) else [""]
        if isinstance(listed, Listed):
            by = "operand" if listed.by_operand else "position"
            consumption = "table" if listed.in_step else listed.consumption
            where += [str(listed.anterior), str(listed.posterior), by, consumption]
        rest = (self.conjoins.name if self.conjoins else "", self.spans, "rem" if self.restricted else "none")
        return dict(zip(DIMENSIONS, (self.family, self.clock, *where, *rest), strict=True))


_OF_LISTS = ("anterior", "posterior", "selected", "consumption")

DIMENSIONS = ("family", "clock", "context", *_OF_LISTS, "conjunction", "spans", "restriction")
"""The dimensions of the space (`Setting.dimensions`)."""


def _settings() -> Iterator[Setting]:
    clocks: tuple[Clock, ...] = ("intervals", "points")
    yield Setting("carlson-lisper", "carlson_lisper", "intervals", CONTEXTS["unrestricted"])
    for context, clock in product(_CONTEXTS, clocks):
        yield Setting(f"snoop-{context.name}-{clock}", "snoop", clock, context)
    selections: tuple[pairing.Selection, ...] = ("first", "last", "all")
    consumptions: tuple[pairing.Consumption, ...] = ("keep", "lists", "events", "reapply")
    spans: tuple[Spans, ...] = ("filter", "native")
    both = [*product(selections, selections), (2, 2)]
    for (anterior, posterior), consumption, clock, span in product(both, consumptions, clocks, spans):
        name = f"hv-{anterior}-{posterior}-{consumption}-{clock}-{span}"
        yield Setting(name, "hinze_voisard", clock, Listed(anterior, posterior, consumption), span)
    for chosen, clock, span in product(selections[:2], clocks, spans):
        table = Listed(chosen, chosen, "lists", in_step=True)
        yield Setting(f"hv-{chosen}-{chosen}-table-{clock}-{span}", "hinze_voisard", clock, table, span)
    by_operand = Listed("all", "last", "keep", by_operand=True)  # as in profile P1, which has a span
    for name, span in (("hv-all-last-keep-by-operand", spans[0]), ("hv-all-last-keep-by-operand-native", spans[1])):
        yield Setting(name, "hinze_voisard", "points", by_operand, span)
    whole = CONTEXTS["unrestricted"]
    yield Setting("carlson-lisper-rem", "carlson_lisper", "intervals", whole, restricted=True)
    yield Setting("snoop-unrestricted-points-rem", "snoop", "points", whole, restricted=True)
    overlapping = Context("overlapping", "all", contained=False)
    yield Setting("snoop-unrestricted-intervals-overlapping", "snoop", "intervals", whole, conjoins=overlapping)
    for name, context in (("each", whole), ("last", CONTEXTS["recent"]), ("first", Context("first", "first"))):
        yield Setting(f"tesla-{name}-within", "tesla", "points", context, "native", whole)
    strict = Context("contiguous", "all", adjacent=True)
    for name, context in (("strict-contiguity", strict), ("skip-till-next", CONTEXTS["continuous"])):
        yield Setting(f"sase-{name}", "sase", "intervals", context, conjoins=whole)
    yield Setting("sase-skip-till-any", "sase", "intervals", whole, conjoins=whole)


SETTINGS: Mapping[str, Setting] = MappingProxyType({setting.name: setting for setting in _settings()})
"""The settings by name: Carlson and Lisper, Snoop's contexts, Hinze and Voisard, and others beside them."""
