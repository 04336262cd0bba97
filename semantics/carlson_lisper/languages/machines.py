"""Machines of operators: the language of a result from the languages of the operands, by the definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from semantics.automata.automata import EVERYWHERE, Automaton, Budget, Machine, Words, build, grouped
from semantics.carlson_lisper.languages.conditions import NotAnIntervalLanguage
from semantics.carlson_lisper.languages.filters import Condition, FilterMachine
from semantics.carlson_lisper.languages.joins import JoinMachine
from semantics.carlson_lisper.languages.letters import Track
from semantics.carlson_lisper.languages.operands import Operand
from semantics.carlson_lisper.operators import STREAM_NAMES, Comprehension, Operator
from semantics.formulas import Exists, quantified_streams


class UnionMachine:
    """The union of the languages of machines. A state has one state per machine, None for those that are dead."""

    def __init__(self, machines: Sequence[Machine[Any]], letters: int) -> None:
        """Run the machines side by side on an alphabet of so many letters."""
        self.machines = machines
        group_of = [[0] * letters for _ in machines]
        for groups, machine in zip(group_of, machines, strict=True):
            for number, members in enumerate(machine.classes):
                for letter in members:
                    groups[letter] = number
        signatures = list(zip(*group_of, strict=True)) if machines else [()] * letters
        self.classes: Sequence[Sequence[int]] = grouped(signatures)
        self.seen = [signatures[members[0]] for members in self.classes]
        initial = tuple([machine.initial for machine in machines])
        self.initial: tuple[Any, ...] | None = None if set(initial) <= {None} else initial

    def step(self, state: tuple[Any, ...], group: int) -> tuple[Any, ...] | None:
        """Every machine after one more letter."""
        after = tuple(
            [
                None if inner is None else machine.step(inner, own)
                for machine, inner, own in zip(self.machines, state, self.seen[group], strict=True)
            ]
        )
        return None if set(after) <= {None} else after

    def accepting(self, state: tuple[Any, ...]) -> bool:
        """Whether one of the machines accepts."""
        return any(
            machine.accepting(inner)
            for machine, inner in zip(self.machines, state, strict=True)
            if inner is not None
        )


def machine_of(
    comprehension: Comprehension,
    operands: Mapping[str, Operand],
    bound: int | None,
    track: Track,
    budget: Budget,
) -> Machine[Any]:
    """The language of a comprehension, from those of the streams that it names.

    Raises:
        NotAnIntervalLanguage: the comprehension is of a kind that this construction does not know.
    """
    variables = [variable for variable, _ in comprehension.ranges]
    result = set(comprehension.result)
    if len(set(variables)) < len(variables) or not result <= set(variables):
        raise NotAnIntervalLanguage("does not name its instances apart")
    if len(variables) == 2 and len(result) == 2:
        return JoinMachine(comprehension, operands, track, budget)
    (kept,) = result if len(result) == 1 else (None,)
    if kept is None:
        raise NotAnIntervalLanguage("joins more than two instances")
    condition = comprehension.condition
    for variable, stream in comprehension.ranges:
        if variable != kept:  # an instance that is not part of the result only has to exist
            condition = Exists(variable, stream, condition)
    ranges = tuple(pair for pair in comprehension.ranges if pair[0] == kept)
    return FilterMachine(Comprehension(ranges, (kept,), condition), operands, bound, track, budget)


def operator_language(
    definition: Operator,
    operands: Sequence[Operand],
    bound: int | None,
    track: Track,
    budget: Budget,
    depth: int = EVERYWHERE,
) -> tuple[Automaton, int]:
    """The language of an operator's result, from those of its operands S and T, and its reach; see `build`.

    A union is built in parts, by which of its instances begin at the first letter: those automata are small.

    Raises:
        LimitExceeded: the budget does not suffice.
        NotAnIntervalLanguage: the definition is of a kind that this construction does not know.
    """
    named = dict(zip(STREAM_NAMES, operands, strict=False))
    machines: list[Machine[Any]] = []
    reach = EVERYWHERE
    for comprehension in definition.comprehensions:
        machine = machine_of(comprehension, named, bound, track, budget)
        if isinstance(machine, FilterMachine) and definition.bounded:
            budget.require(4 * machine.least_work(depth))  # two sides, and what is made of them
        openings = machine.openings() if isinstance(machine, JoinMachine) else []
        if len(openings) > 1:
            for opening in openings:
                part = JoinMachine(comprehension, named, track, budget, opening)
                automaton, part_reach = build(part, budget, depth)
                machines.append(Words(automaton))
                reach = min(reach, part_reach)
        else:
            machines.append(machine)
    whole = machines[0] if len(machines) == 1 else UnionMachine(machines, len(track.present))
    automaton, whole_reach = build(whole, budget, depth)
    return automaton, min(reach, whole_reach)


def asks_whether_some(definition: Operator) -> bool:
    """Whether a definition speaks of instances that are no part of the result, so that only their intervals count."""
    return any(
        quantified_streams(comprehension.condition) or len(comprehension.ranges) > len(comprehension.result)
        for comprehension in definition.comprehensions
    )


def longest_word(definition: Operator, bound: int | None) -> int:
    """How many letters a word of an operator's result has at most, as far as the definition alone says."""
    longest = 0
    for comprehension in definition.comprehensions:
        if len(comprehension.ranges) != 1:
            return EVERYWHERE
        ((variable, _),) = comprehension.ranges
        longest = max(longest, Condition(comprehension.condition, variable, bound).longest)
    return longest
