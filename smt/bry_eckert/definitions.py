"""Formulas with definitions: what a definition names is written out.

A definition has parameters and a body. Its arguments are put into the body as they are, so that an argument may be
the beginning of an application: where E stands for `(old now R)`, `(E t)` is `(old now R t)`. All variables that are
bound get names of their own, so that none of an argument is caught.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count

from smt.s_expressions import SExpression, parse_all

QUANTIFIERS = ("forall", "exists")


class Definitions:
    """Definitions by name.

    Args:
        texts: names with parameters and a body, such as `(x y) (ite (>= x y) x y)`.
    """

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self._known: dict[str, tuple[tuple[str, ...], SExpression]] = {}
        for name, text in texts:
            parameters, body = parse_all(text)
            self._known[name] = (tuple(map(str, parameters)), body)
        self._numbers = count(1)

    def expanded(self, formula: str) -> SExpression:
        """A formula with all definitions written out; no variable is bound in another one that was written out before.

        Raises:
            ValueError: a definition is applied to more or fewer arguments than it has parameters.
        """
        (parsed,) = parse_all(formula)
        return self._expanded(self._apart(parsed))

    def _expanded(self, part: SExpression) -> SExpression:
        if isinstance(part, str):
            return part
        head, *arguments = part
        if isinstance(head, tuple):
            return self._expanded((*head, *arguments))
        if head in QUANTIFIERS:
            variables, body = arguments
            return (head, variables, self._expanded(body))
        if head not in self._known:
            return (head, *map(self._expanded, arguments))
        parameters, body = self._known[head]
        if len(parameters) != len(arguments):
            raise ValueError(
                f"{head} has {len(parameters)} parameters, and {len(arguments)} arguments are given"
            )
        return self._expanded(substituted(self._apart(body), dict(zip(parameters, arguments, strict=True))))

    def _apart(self, part: SExpression) -> SExpression:
        """A formula with names of their own for the variables that it binds."""
        if isinstance(part, str):
            return part
        if part and part[0] in QUANTIFIERS:
            quantifier, variables, body = part
            names = {name: f"{name}_{next(self._numbers)}" for name in bound_in(variables)}
            return (quantifier, substituted(variables, names), substituted(self._apart(body), names))
        return tuple(map(self._apart, part))


def bound_in(variables: SExpression) -> list[str]:
    """The names of the variables of a quantifier."""
    return [str(each[0]) for each in variables]


def substituted(part: SExpression, values: Mapping[str, SExpression]) -> SExpression:
    """An expression with other expressions in the places of some names."""
    if isinstance(part, str):
        return values.get(part, part)
    return tuple(substituted(each, values) for each in part)


def atoms(part: SExpression) -> set[str]:
    """The names in an expression."""
    return {part} if isinstance(part, str) else {name for each in part for name in atoms(each)}
