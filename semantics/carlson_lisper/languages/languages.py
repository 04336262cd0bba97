"""Interval languages: the traces between start and end of the instances of a ground expression.

Whether some instance of E spans exactly the interval [i, j] depends on what happens from i to j only. With the letters
of `semantics.carlson_lisper.languages.letters`, the words that E spans form a regular language. Here it
becomes a minimal automaton, operator by
operator, each by its definition. The same on the marked track gives the instances themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

from semantics.automata.automata import EVERYWHERE, Automaton, Budget, minimal
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.languages.letters import Track, plain_track
from semantics.carlson_lisper.languages.machines import asks_whether_some, longest_word, operator_language
from semantics.carlson_lisper.languages.operands import Operand
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.errors import InputError


def require_ground(expression: expressions.Expression) -> None:
    """Make sure that an expression has no symbolic bounds.

    Raises:
        InputError: it has.
    """
    names = sorted(expressions.bound_parameters(expression))
    if names:
        raise InputError(
            f"the bound {names[0]} of {expression} is symbolic; only numbers of ticks can be decided",
            remedy="`remora prove` takes equations with symbolic bounds.",
        )


@dataclass(frozen=True)
class Language:
    """An interval language.

    Attributes:
        automaton: its minimal automaton.
        reach: the number of letters up to which the automaton is right; `EVERYWHERE` if it always is.
    """

    automaton: Automaton
    reach: int = EVERYWHERE


class Languages:
    """The languages of expressions over one track; what was built once is used again."""

    def __init__(self, track: Track, budget: Budget, operators: Operators = OPERATORS) -> None:
        """Build automata on a track within a budget, by the given definitions."""
        self.track = track
        self.budget = budget
        self.operators = operators
        self.plain = Languages(plain_track(track.names), budget, operators) if track.tells_instances else self
        self._built: dict[expressions.Expression, Language] = {}
        self._applied: dict[object, Language] = {}

    def language(self, expression: expressions.Expression, depth: int = EVERYWHERE) -> Language:
        """The language of a ground expression, right on words of at least `depth` letters.

        Raises:
            LimitExceeded: the budget does not suffice.
            NotAnIntervalLanguage: an operator's definition is of a kind that this construction does not know.
        """
        nodes = expressions.bottom_up(expression)
        wanted = dict.fromkeys(nodes, 0)
        wanted[expression] = depth
        for node in reversed(nodes):
            if isinstance(node, expressions.Operation):
                below = min(wanted[node], self._longest(node))
                for operand in node.operands:
                    wanted[operand] = max(wanted[operand], below)
        for node in nodes:
            if node not in self._built or self._built[node].reach < wanted[node]:
                self._built[node] = self._build(node, wanted[node])
        return self._built[expression]

    def _longest(self, node: expressions.Operation) -> int:
        return longest_word(self.operators[node.operator], _value(node.bound))

    def _build(self, node: expressions.Expression, depth: int) -> Language:
        if isinstance(node, expressions.Identifier):
            return self._primitive(node.name)
        assert isinstance(node, expressions.Operation)
        definition, bound, longest = self.operators[node.operator], _value(node.bound), self._longest(node)
        own = [self._built[operand] for operand in node.operands]
        plain = own
        if self.plain is not self and asks_whether_some(definition):
            plain = [self.plain.language(operand, min(depth, longest)) for operand in node.operands]
        operands = tuple(
            Operand(language.automaton, other.automaton) for language, other in zip(own, plain, strict=True)
        )
        reach = min(language.reach for language in (*own, *plain))
        reach = EVERYWHERE if reach >= longest else reach
        key = (definition, operands, bound)
        known = self._applied.get(key)
        if known is None or min(known.reach, reach) < depth:
            automaton, own_reach = operator_language(
                definition, operands, bound, self.track, self.budget, depth
            )
            known = self._applied[key] = Language(automaton, own_reach)
        return Language(known.automaton, min(known.reach, reach))

    def _primitive(self, name: str) -> Language:
        accepted = self.track.primitive(name)
        letters = range(len(accepted))
        classes = [[i for i in letters if accepted[i]], [i for i in letters if not accepted[i]]]
        return Language(minimal(classes, [(0, 0), (2, 0), (0, 0)], (False, False, True)))


def _value(bound: expressions.Bound | None) -> int | None:
    return None if bound is None else expressions.evaluate_bound(bound)
