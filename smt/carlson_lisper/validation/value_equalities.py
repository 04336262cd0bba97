"""Claims: what a text and the proved steps come to at one subexpression, each decided by a question of its own.

Once a claim is proved, the values that it is about are the same, and the claims about the subexpressions above take
them for one arbitrary value. So a question is about one step, however large the pattern is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from smt.carlson_lisper.validation.texts import Value
from smt.smtlib import conjunction, negation


@dataclass(frozen=True)
class Pair:
    """A value that the text computes, and the value of the steps to which it has to be equal.

    Attributes:
        stands: whether later values of the text depend on it by its name, and not on how it was computed.
    """

    found: Value
    due: Value
    stands: bool = False


@dataclass(frozen=True)
class Claim:
    """What has to be shown of one subexpression.

    Attributes:
        bounds: what is shown besides of the current instance, and taken for granted above.
        current: the current instance of the steps.
    """

    place: str
    pairs: tuple[Pair, ...]
    bounds: tuple[str, ...] = ()
    current: str = ""


@dataclass(frozen=True)
class Comparison:
    """All claims about a pattern, operands first.

    Attributes:
        definitions: the values that are computed, by name; each refers to earlier ones.
        declarations: how each function and constant is declared, by name.
        facts: what holds wherever a term appears, by the term.
    """

    claims: tuple[Claim, ...]
    definitions: Mapping[str, Value]
    declarations: Mapping[str, str]
    facts: Sequence[tuple[str, str]]


_SYMBOL = re.compile(r"\|[^|]*\||[^\s()]+")


def questions(about: Comparison) -> Iterator[tuple[str, str]]:
    """The question of each claim that is no matter of course, by its place; each rests on those before it.

    A claim holds if its question has no model.
    """
    same: dict[str, str] = {}  # the terms of the steps for which values of the text stand, by the names of these
    arbitrary: dict[str, str] = {}  # the declarations of the current instances of which no more need be known
    facts = list(about.facts)

    def seen(value: Value) -> Value:
        """A value as one of the steps, as far as it is known to be one."""
        return Value(_SYMBOL.sub(lambda name: same.get(name[0], name[0]), value.term), value.sort)

    for claim in about.claims:
        pairs = dict.fromkeys((seen(pair.found), pair.due) for pair in claim.pairs)
        apart = [f"(= {found.term} {due.term})" for found, due in pairs if found != due]
        if apart or claim.bounds:
            denied = f"(assert {negation(conjunction([*apart, *claim.bounds]))})"
            named = {name: seen(value) for name, value in about.definitions.items() if name not in arbitrary}
            lines = [*_defined(named, denied), denied]
            text = "\n".join(lines)
            symbols = set(_SYMBOL.findall(text))
            lines += [f"(assert {fact})" for term, fact in facts if term in (text if term[0] == "(" else symbols)]
            symbols = set(_SYMBOL.findall("\n".join(lines)))
            declared = [
                f"(declare-fun {name} {declaration})"
                for name, declaration in {**about.declarations, **arbitrary}.items()
                if name in symbols
            ]
            yield claim.place, "\n".join(["(set-logic QF_UFLIA)", *declared, *lines, "(check-sat)"]) + "\n"
        stand = {pair.found.term: pair.due.term for pair in claim.pairs if pair.stands}
        stand = {term: due for term, due in stand.items() if term in about.definitions}
        if stand:
            same |= stand
            arbitrary[claim.current] = f"() {about.definitions[claim.current].sort}"
            facts += [(claim.current, bound) for bound in claim.bounds]


def _defined(definitions: Mapping[str, Value], line: str) -> list[str]:
    """The definitions of all that a line refers to."""
    found: set[str] = set()
    open_texts = [line]
    while open_texts:
        for name in _SYMBOL.findall(open_texts.pop()):
            if name in definitions and name not in found:
                found.add(name)
                open_texts.append(definitions[name].term)
    return [f"(define-fun {n} () {value.sort} {value.term})" for n, value in definitions.items() if n in found]
