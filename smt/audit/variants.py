"""Variants of a problem: other texts that say the same, to see whether a proof depends on how it was written.

What is asserted does not depend on the order of assertions and declarations, nor on the names of what is declared or
bound. A solver's search does. Every variant is determined by a seed, the problem's name and the variant's number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from smt.s_expressions import SExpression, parse_all
from smt.smtlib import symbol

DECLARATIONS = ("declare-sort", "declare-fun", "declare-const")
"""The commands that give a name to something."""

QUANTIFIERS = ("forall", "exists")

LARGEST_SEED = 2**30
"""The solvers' seeds are below this; every solver here takes them."""


@dataclass(frozen=True)
class Variant:
    """A text that says the same as another one.

    Attributes:
        seed: the seed with which a solver is to be asked.
        names: the new name of everything that is declared or bound, by the old one; no two are the same.
    """

    number: int
    text: str
    seed: int
    names: Mapping[str, str]


@dataclass(frozen=True)
class Problem:
    """A text by its parts, ready to be written in other ways.

    Attributes:
        sorts: the declarations of sorts, as templates: the number of a name in braces stands for the name.
        free: as many other names, none of which occurs in the text: nothing that keeps its name is hidden by them.
    """

    logic: tuple[str, ...]
    sorts: tuple[str, ...]
    declarations: tuple[str, ...]
    assertions: tuple[str, ...]
    names: tuple[str, ...]
    free: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Problem:
        """Take a text apart.

        Args:
            text: an SMT-LIB 2 text that sets a logic, declares, asserts and asks `(check-sat)` once.

        Raises:
            ValueError: the text has another command, or binds names in another way than by quantifiers.
        """
        commands = parse_all(text)
        kinds: dict[str, list[SExpression]] = {name: [] for name in ("set-logic", *DECLARATIONS, "assert")}
        if not commands or commands[-1] != ("check-sat",):
            raise ValueError("the text does not end with (check-sat)")
        for command in commands[:-1]:
            head = command[0] if isinstance(command, tuple) and command else None
            if not isinstance(head, str) or head not in kinds:
                raise ValueError(f"a variant cannot be made of the command {written(command)}")
            kinds[head].append(command)
        names = tuple(dict.fromkeys(_names(commands)))
        for name in names:
            if name[:1].isdigit():  # without its bars it cannot be told from a number
                raise ValueError(f"a variant cannot be made of a text with the name {name!r}")
        taken = {atom for command in commands for atom in _atoms(command)}
        free = [name for name in (f"n{k}" for k in range(len(names) + len(taken))) if name not in taken]
        numbers = {name: f"{{{number}}}" for number, name in enumerate(names)}

        def templates(*heads: str) -> tuple[str, ...]:
            return tuple(written(_template(part, numbers)) for head in heads for part in kinds[head])

        return cls(
            templates("set-logic"),
            templates("declare-sort"),
            templates("declare-fun", "declare-const"),
            templates("assert"),
            names,
            tuple(free[: len(names)]),
        )

    def variant(self, number: int, random: Random) -> Variant:
        """Write the problem in another order, with other names."""
        names = shuffled(self.free, random)
        seed = random.randrange(LARGEST_SEED)
        commands = [
            *self.logic,
            *shuffled(self.sorts, random),
            *shuffled(self.declarations, random),
            *shuffled(self.assertions, random),
            "(check-sat)\n",
        ]
        text = "\n".join(commands).format(*names)
        return Variant(number, text, seed, MappingProxyType(dict(zip(self.names, names, strict=True))))


def variants(text: str, name: str, count: int, seed: int = 0) -> Iterator[Variant]:
    """Texts that are satisfiable exactly if the given one is, in the order of their numbers.

    Args:
        name: the problem's name; other names give other variants.

    Raises:
        ValueError: as from `Problem.of`.
    """
    problem = Problem.of(text)
    for number in range(count):
        yield problem.variant(number, Random(f"{seed}/{name}/{number}"))


def shuffled(parts: Sequence[str], random: Random) -> list[str]:
    """The same parts in another order."""
    return random.sample(parts, len(parts))


def renamed(expression: SExpression, names: Mapping[str, str]) -> SExpression:
    """An expression with other names; as long as no two names become one, it says the same of what they name."""
    if isinstance(expression, str):
        return names.get(expression, expression)
    return tuple(renamed(part, names) for part in expression)


def written(expression: SExpression) -> str:
    """An expression as text, which is read again as the same expression."""
    if isinstance(expression, tuple):
        return f"({' '.join(written(part) for part in expression)})"
    return expression if _is_plain(expression) else symbol(expression)


def _is_plain(atom: str) -> bool:
    """Whether an atom is written as it is, which is not so for names that need bars."""
    return bool(atom) and not any(sign in "()';,|\"" or not "!" <= sign <= "~" for sign in atom)


def _template(expression: SExpression, numbers: Mapping[str, str]) -> SExpression:
    """An expression with numbers in braces for names; the braces that it has of its own are doubled."""
    if isinstance(expression, str):
        return numbers.get(expression) or expression.replace("{", "{{").replace("}", "}}")
    return tuple(_template(part, numbers) for part in expression)


def _names(expressions: Sequence[SExpression]) -> Iterator[str]:
    """The names that commands declare and quantifiers bind.

    Raises:
        ValueError: a name is bound by something else.
    """
    for expression in expressions:
        if isinstance(expression, str):
            continue
        head = expression[0] if expression else ""
        if head in ("let", "match", "lambda", "!", "par"):
            raise ValueError(f"a variant cannot be made of an expression with {head!r}")
        if head in DECLARATIONS:
            yield str(expression[1])
        elif head in QUANTIFIERS and len(expression) == 3:
            yield from (str(binding[0]) for binding in expression[1])
        yield from _names(expression)


def _atoms(expression: SExpression) -> Iterator[str]:
    if isinstance(expression, str):
        yield expression
    else:
        for part in expression:
            yield from _atoms(part)
