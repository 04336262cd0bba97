"""Accounts: why two terms of a table mean the same, law by law, or on which trace they do not."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from discovery.carlson_lisper.egraph import Step, without_loops
from discovery.carlson_lisper.exploring import Exploration, names_of, ordered
from discovery.carlson_lisper.fingerprints import BINARY, Ids
from discovery.carlson_lisper.table import Law, number_of
from discovery.carlson_lisper.universes import BOUNDS
from laws.carlson_lisper.checks.counterexamples import Counterexample, concretise
from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper.decisions import RELATION
from semantics.carlson_lisper.expressions import (
    BoundParameter,
    Expression,
    Identifier,
    Operation,
    bound_parameters,
    numeric_bounds,
    put_at,
    replaced,
    size,
    substitute,
)
from semantics.carlson_lisper.syntax import Equation
from semantics.errors import EnginesDisagree, InputError


@dataclass(frozen=True)
class Account:
    """What an exploration knows of two terms: a chain of laws, a trace, or neither."""

    equation: Equation  # in the names of the table, in which the smaller bound is t
    bounds: Mapping[str, str]  # the bounds of the table, of which t is the smaller one, by those of whoever asks
    steps: tuple[Step, ...] | None
    counterexample: Counterexample | None

    @property
    def condition(self) -> str:
        """What is assumed of two bounds, in the names of the table."""
        return " <= ".join(BOUNDS) if len(self.bounds) > 1 else ""

    @property
    def equal(self) -> bool | None:
        """Whether they are the same; None if that is open."""
        return True if self.steps is not None else None if self.counterexample is None else False


class Accounts:
    """The accounts of the pairs of terms of an exploration; what one of them finds is used by the next."""

    def __init__(self, exploration: Exploration, claims: Mapping[str, EquationClaim]) -> None:
        """The claims are those that were known, by their ids."""
        self.exploration, self.table = exploration, exploration.table
        self.claims = {**claims, **{finding.claim.id: finding.claim for finding in exploration.findings}}
        self._chains: dict[Expression, tuple[tuple[Step, ...], int]] = {}

    def accounts(self, equation: Equation) -> list[Account]:
        """The accounts of an equation: two of them, with either bound as the smaller one, if it has two.

        Raises:
            InputError: a side is no term of the table.
        """
        put = {name: Identifier(other) for name, other in self.names(equation).items()}
        one, other = (substitute(side, put) for side in (equation.left, equation.right))
        bounds = sorted(bound_parameters(one) | bound_parameters(other))
        numbers = numeric_bounds(one) | numeric_bounds(other)
        if numbers:
            remedy = "Write t or u for it. Patterns with numbers are compared by `remora equiv`."
            raise InputError(f"{equation} has the bound {min(numbers)}, a number", remedy=remedy)
        if len(put) > len(self.table.variables) or len(bounds) > self.table.bounds:
            least = f"{len(put)} variables and {len(bounds)} bounds"
            raise InputError(f"{equation} has {least}", remedy="Explore as many: --variables, --bounds.")
        found = []
        for order in [bounds, bounds[::-1]] if len(bounds) > 1 else [bounds]:
            known = {name: place for place, name in enumerate(order)}
            left, right = (_bounded(side, known) for side in (one, other))
            named = dict(zip(order, BOUNDS, strict=False))
            found.append(self._account(Equation(left, right, RELATION[self.exploration.level]), named))
        return found

    def names(self, equation: Equation) -> dict[str, str]:
        """The variables of the table by the identifiers of an equation, which keep their names where they can."""
        own = names_of(equation.left, equation.right)
        variables = own if set(own) <= set(self.table.variables) else self.table.variables
        return {name: variables[min(place, len(variables) - 1)] for place, name in enumerate(own)}

    def _account(self, equation: Equation, bounds: Mapping[str, str]) -> Account:
        for side in (equation.left, equation.right):
            if size(side) > self.table.size:
                reason = f"{side} has {size(side)} nodes; what is explored has at most {self.table.size}"
                raise InputError(reason, remedy=f"Explore a greater size: --size {size(side)}.")
        (one, left), (other, right) = self._chain(equation.left), self._chain(equation.right)
        if left == right:
            steps = without_loops(equation.left, (*one, *_back(equation.right, other)))
            return Account(equation, bounds, steps, None)
        return Account(equation, bounds, None, self._trace(equation, len(bounds) > 1, left, right))

    def _chain(self, term: Expression) -> tuple[tuple[Step, ...], int]:
        """The steps from a term to the representative of its class, and this class."""
        if term not in self._chains:
            steps, row = self._flat(term)
            number = int(self.table.class_of[row])
            self._chains[term] = ((*steps, *self._path(row, int(self.table.row_of[number]))), number)
        return self._chains[term]

    def _flat(self, term: Expression) -> tuple[tuple[Step, ...], int]:
        """The steps from a term to the operation on representatives of its operands, and the row of this."""
        if not isinstance(term, Operation):
            assert isinstance(term, Identifier)
            return (), self.table.variables.index(term.name)
        steps, classes = list[Step](), list[int]()
        whole: Expression = term
        for place, operand in enumerate(term.operands):
            inner, number = self._chain(operand)
            steps += [_within(whole, place, step) for step in inner]
            whole = steps[-1].whole if inner else whole
            classes.append(number)
        operation = BINARY.index(term.operator) if term.bound is None else len(BINARY) + _place(term)
        left, right = np.array([classes[0]]), np.array([classes[-1] if term.bound is None else 0])
        return tuple(steps), int(self.table.row(operation, left, right)[0])

    def _path(self, row: int, goal: int) -> list[Step]:
        """The steps from the term of a row to that of another one that laws join to it."""
        came: dict[int, tuple[int, int, bool]] = {row: (row, -1, True)}
        pending = deque([row])
        while goal not in came:
            if not pending:
                raise EnginesDisagree(f"no chain of laws leads from {self.table.term(row)} to {self.table.term(goal)}")
            now = pending.popleft()
            for after, law, forward in self._neighbours(now):
                if after not in came:
                    came[after] = (now, law, forward)
                    pending.append(after)
        path = []
        while goal != row:
            before, law, forward = came[goal]
            path.append((before, goal, law, forward))
            goal = before
        return [
            step for before, after, law, forward in reversed(path) for step in self._join(before, after, law, forward)
        ]

    @cached_property
    def _edges(self) -> tuple[Ids, Ids, Ids, Ids]:
        """The pairs that laws join, both ways and sorted by the first row: rows, laws, directions."""
        joins = self.table.joins
        left = np.concatenate([each.left for each in joins]).astype(np.int64)
        right = np.concatenate([each.right for each in joins]).astype(np.int64)
        law = np.concatenate([np.full(len(each.left), each.law) for each in joins])
        one, other = np.concatenate([left, right]), np.concatenate([right, left])
        forward = np.repeat([1, 0], len(left))
        order = np.argsort(one, kind="stable")
        return one[order], other[order], np.tile(law, 2)[order], forward[order]

    def _neighbours(self, row: int) -> list[tuple[int, int, bool]]:
        one, other, law, forward = self._edges
        first, last = np.searchsorted(one, [row, row + 1])
        return [(int(other[each]), int(law[each]), bool(forward[each])) for each in range(first, last)]

    def _join(self, before: int, after: int, number: int, forward: bool) -> list[Step]:
        """The steps by which an instance of a law joins the terms of two rows."""
        law = self.exploration.laws[number]
        one, other = self._instance(law, *((before, after) if forward else (after, before)))
        if not forward:
            one, other = other, one
        (to, _), (back, _) = self._flat(one), self._flat(other)
        step = Step(self.claims[law.id], forward, (), one, other, other)
        return [*_back(one, to), step, *back]

    def _instance(self, law: Law, left: int, right: int) -> tuple[Expression, Expression]:
        """The sides of an instance of a law that are of two rows."""
        for one, other, values, bounds in self.table.instances(
            law, max(self.table.size_at(left), self.table.size_at(right))
        ):
            places = np.flatnonzero((one == left) & (other == right))
            if len(places):
                put = {name: self.table.representative(int(column[places[0]])) for name, column in values.items()}
                first, second = (substitute(_bounded(side, bounds), put) for side in (law.left, law.right))
                return first, second
        raise EnginesDisagree(f"{law.id} does not join {self.table.term(left)} and {self.table.term(right)}")

    def _trace(self, equation: Equation, both: bool, left: int, right: int) -> Counterexample | None:
        """A trace that tells two classes apart, found where a universe does; replayed."""
        left_row, right_row = (self.table.row_of[[number]] for number in (left, right))
        for number, universe in enumerate(self.table.universes):
            differing = int(self.table.differing(left_row, right_row, number)[0])
            if differing:
                case = (differing & -differing).bit_length() - 1
                streams = {name: universe.stream(universe.streams[name][:, 0], case) for name in self.table.variables}
                one, other = ((ordered(side) if both else side) for side in (equation.left, equation.right))
                claim = EquationClaim("account", Equation(one, other, equation.relation))
                chosen = {name: streams[name] for name in claim.variables}
                bounds = dict(zip(BOUNDS, universe.bounds, strict=True))
                found = concretise(claim, chosen, {name: bounds[name] for name in claim.parameters})
                if found is None:
                    raise EnginesDisagree(f"{equation} holds where a universe tells its sides apart")
                return found
        return None


def _place(term: Operation) -> int:
    assert isinstance(term.bound, BoundParameter)
    return BOUNDS.index(term.bound.name)


def _bounded(side: Expression, named: Mapping[str, int]) -> Expression:
    """A side of a law with bounds of the table for its own."""
    return replaced(side, bound=lambda bound: BoundParameter(BOUNDS[number_of(bound, named)]))


def _within(whole: Expression, place: int, step: Step) -> Step:
    """A step in an operand as a step in the operation."""
    return replace(step, place=(place, *step.place), whole=put_at(whole, (place,), step.whole))


def _back(term: Expression, steps: Sequence[Step]) -> list[Step]:
    """Steps that lead from a term, the other way round: to it."""
    wholes = [term, *(step.whole for step in steps)]
    return [
        replace(step, forward=not step.forward, before=step.after, after=step.before, whole=wholes[place])
        for place, step in reversed(list(enumerate(steps)))
    ]
