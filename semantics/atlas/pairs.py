"""Pairing of instances `x` and `y` in a setting, said in logic: automata and formulas are made of the same definitions.

They say what contexts and duplicate lists compute, where a pair does not depend on what was used up before.
"""

from collections.abc import Sequence
from typing import Generic, Protocol, Self, TypeVar

from semantics.atlas.catalogue import Setting
from semantics.hinze_voisard.pairing import Listed, Selection


class _Named(Protocol):
    """A relation between instances, which can be given other names in the order of its variables."""

    def at(self, *names: str) -> Self: ...


R = TypeVar("R", bound=_Named)


class _Logic(Protocol[R]):
    """Connectives and quantifiers: `but` is negated, `exists` is about the other instances."""

    def all_of(self, *relations: R, but: Sequence[R] = ()) -> R: ...

    def any_of(self, *relations: R) -> R: ...

    def exists(self, quantified: Sequence[str], relation: R) -> R: ...


class NotPairs(ValueError):
    """A law or a setting whose pairs cannot be said."""


class CountingPairs(NotPairs):
    """A setting that uses up event by event, so that its pairs depend on how many there were before."""


class Pairs(Generic[R]):
    """The pairs of a setting."""

    def __init__(self, logic: _Logic[R], setting: Setting) -> None:
        """The pairs of such a setting."""
        pairing = setting.pairing
        if isinstance(pairing, Listed):
            counts = pairing.in_step or pairing.consumption not in ("keep", "lists")
        else:
            counts = pairing.opens == "oldest"
        if counts:
            raise CountingPairs("which instances pair depends on how many there were before")
        self.logic = logic
        self.setting = setting
        self.pairing = pairing

    def compared(self, name: str) -> R:
        """A comparison between `x` and `y`: a clock, an order of starts or ends, `precedes` or `apart`."""
        raise NotImplementedError

    def whole_or_rem(self, own: R) -> R:
        """What an operator makes, restricted where the setting restricts it: none that ends together comes after."""
        if not self.setting.restricted:
            return own
        after = self.logic.all_of(own.at("y"), self.compared("end together"), self.compared("precedes"))
        return self.logic.all_of(own, but=[self.logic.exists(["y"], after)])

    def stored(self, left: R, right: R) -> R:
        """The instances of the left that complete nothing when they come, in the continuous and cumulative contexts."""
        raise NotImplementedError

    def sequence_pairs(self, left: R, right: R) -> R:
        """The instances `x` of the left and `y` of the right that pair; in the cumulative context, `x` for a `y`."""
        logic, context = self.logic, self.pairing
        earlier, follows = self.compared("ends earlier"), self.compared(self.setting.clock)
        both = logic.all_of(left, right.at("y"), earlier, follows)
        if isinstance(context, Listed):
            return self._listed_sequence(context, left, right, both)
        between = []
        if context.adjacent:
            both = logic.all_of(both, self.compared("adjacent"))
        if context.opens == "first":
            between.append(logic.all_of(left.at("z"), earlier.at("z", "x"), follows.at("z", "y")))
        if context.opens == "newest":
            between.append(logic.all_of(left.at("z"), earlier.at("x", "z"), earlier.at("z", "y")))
        if context.uses_up:
            used = (right.at("z"), earlier.at("x", "z"), follows.at("x", "z"), earlier.at("z", "y"))
            between.append(logic.all_of(*used))
        if not between and not context.adjacent:
            return logic.all_of(left, right.at("y"), follows)
        return logic.all_of(both, but=[logic.exists(["z"], each) for each in between])

    def _listed_sequence(self, listed: Listed, left: R, right: R, both: R) -> R:
        logic = self.logic
        earlier, not_later = self.compared("ends earlier"), self.compared("ends not later")
        of_left = self._in_one_list(left, logic.all_of(right.at("z"), earlier.at("x", "z"), not_later.at("z", "y")))
        of_right = self._in_one_list(right, logic.all_of(left.at("z"), not_later.at("x", "z"), earlier.at("z", "y")))
        chosen = (self._selected(left, of_left, listed.anterior), self._selected(right, of_right, listed.posterior))
        found = logic.all_of(both, chosen[0], chosen[1].at("y"), self.compared("apart"))
        if listed.consumption == "keep":
            return found
        opens = logic.exists(["v"], logic.all_of(left.at("v"), not_later.at("z", "v"), earlier.at("v", "y")))
        between = logic.exists(["z"], logic.all_of(right.at("z"), earlier.at("x", "z"), opens))
        return logic.all_of(found, but=[between])

    def conjunction_pairs(self, left: R, right: R) -> R:
        """The instances `x` and `y` that pair; the first one is of the left, or of the earlier list."""
        logic, context = self.logic, self.setting.conjoined
        if isinstance(context, Listed):
            return self._listed_conjunction(context, left, right)
        if not context.contained:
            overlap = logic.all_of(self.compared("starts not later"), self.compared("ends not later"))
            return logic.all_of(left, right.at("y"), logic.any_of(overlap, overlap.at("y", "x")))
        if context.uses_up:
            return logic.any_of(self.completing(left, right), self.completing(right, left).at("y", "x"))
        newer = [self._newer(left), self._newer(right).at("y", "x")] if context.opens == "newest" else []
        return logic.all_of(left, right.at("y"), but=newer)

    def _newer(self, own: R) -> R:
        """When an instance of an operand comes after `x`, and no later than `y`."""
        earlier, not_later = self.compared("ends earlier"), self.compared("ends not later")
        between = self.logic.all_of(own.at("z"), earlier.at("x", "z"), not_later.at("z", "y"))
        return self.logic.exists(["z"], between)

    def _listed_conjunction(self, listed: Listed, left: R, right: R) -> R:
        logic, precedes = self.logic, self.compared("precedes")
        view, same, roles = self.view(left, right)
        one, other = (self._selected(view, same, chosen) for chosen in (listed.anterior, listed.posterior))
        if listed.by_operand:  # what belongs to both is a list of its own, and selected as one of the left
            one = other = logic.any_of(logic.all_of(left, one), logic.all_of(other, but=[left]))
        found = logic.all_of(one, other.at("y"), precedes, roles, self.compared("apart"), but=[same])
        if listed.consumption == "keep":
            return found
        between = logic.all_of(
            view.at("z"), precedes.at("x", "z"), precedes.at("z", "y"), but=[same.at("x", "z"), same.at("z", "y")]
        )
        return logic.all_of(found, but=[logic.exists(["z"], between)])

    def view(self, left: R, right: R) -> tuple[R, R, R]:
        """The duplicate lists of a conjunction, which are all that its pairs depend on.

        The instances `x` of both operands; the pairs of one and a later one in one list; those with one of each.
        """
        logic, precedes = self.logic, self.compared("precedes")
        view = logic.any_of(left, right)
        lists = []
        for own in (logic.all_of(left, but=[right]), logic.all_of(right, but=[left])):
            other = logic.all_of(view, but=[own])
            between = logic.all_of(other.at("z"), precedes.at("x", "z"), precedes.at("z", "y"))
            lists.append(self._in_one_list(own, between))
        roles = logic.any_of(logic.all_of(left, right.at("y")), logic.all_of(right, left.at("y")))
        return view, logic.any_of(*lists), roles

    def _in_one_list(self, own: R, between: R) -> R:
        """The instances `x` before `y` of one operand, with none of the other, `z`, between."""
        ordered = self.logic.all_of(own, own.at("y"), self.compared("precedes"))
        return self.logic.all_of(ordered, but=[self.logic.exists(["z"], between)])

    def _selected(self, own: R, same: R, selection: Selection) -> R:
        """The instances that are selected in their lists."""
        logic = self.logic
        match selection:
            case "all":
                return own
            case "last":
                return logic.all_of(own, but=[logic.exists(["y"], same)])
            case "first" | 1:
                return logic.all_of(own, but=[logic.exists(["y"], same.at("y", "x"))])
            case place:
                skipped = logic.exists(["z"], logic.all_of(same.at("x", "z"), same.at("z", "y")))
                following = logic.all_of(same, self._selected(own, same, place - 1), but=[skipped])
                return logic.exists(["x"], following).at("x")

    def completing(self, left: R, right: R) -> R:
        """The instances `y` of the right that find instances `x` of the left open when they come."""
        logic, earlier, context = self.logic, self.compared("ends earlier"), self.setting.context
        newer = [self._newer(left)] if context is not None and context.opens == "newest" else []
        if context is None or not context.uses_up:
            return logic.all_of(left, right.at("y"), self.compared("ends not later"), but=newer)
        between = logic.all_of(right.at("z"), earlier.at("x", "z"), earlier.at("z", "y"))
        open_ = logic.all_of(
            self.stored(left, right), right.at("y"), earlier, but=[logic.exists(["z"], between), *newer]
        )
        return logic.any_of(open_, logic.all_of(left, right.at("y"), self.compared("end together")))
