"""Claims: what a text and the proved steps come to at one subexpression, each decided by a question of its own.

Once a claim is proved, the values that it is about are the same, and the claims about the subexpressions above take
them for one arbitrary value. So a question is about one step, however large the pattern is; and as names are taken in
the order in which they appear, equal steps of all patterns ask the same question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from smt.carlson_lisper.validation.texts import TIME, TRUTH, Value
from smt.smtlib import conjunction, negation


@dataclass(frozen=True)
class Pair:
    """Two values that have to be equal.

    Attributes:
        found: what the text computes.
        due: what the steps do.
        stands: whether later values of the text depend on it by its name, and not on how it was computed.
    """

    found: Value
    due: Value
    word: str
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
class PatternClaims:
    """All claims of a pattern, operands first.

    Attributes:
        definitions: the values that are computed, by name; each refers to earlier ones.
        declarations: how each function and constant is declared, by name.
        facts: what holds wherever a term appears, by the term.
        shown: the constants that say what a state and an instant are, with words for them.
    """

    claims: tuple[Claim, ...]
    definitions: Mapping[str, Value]
    declarations: Mapping[str, str]
    facts: Sequence[tuple[str, str]]
    shown: Mapping[str, str]


@dataclass(frozen=True)
class Question:
    """Whether there are related states and an instant at which a text and a step part.

    Attributes:
        text: for a solver; if it has no model, the claim holds.
        shown: constants that say what the state and the instant are, with words for them.
        compared: constants for what the text and the steps come to, with words for them.
    """

    text: str
    place: str
    shown: tuple[tuple[str, str], ...]
    compared: tuple[tuple[str, str, str], ...]

    def state(self, values: Mapping[str, int | bool]) -> str:
        """A model in words."""
        known = [
            f"{word} = {values[name]}" if not isinstance(values[name], bool) else word
            for name, word in self.shown
            if name in values and values[name] is not False
        ]
        apart = [
            f"{word} becomes {values[found]} and should become {values[due]}"
            for found, due, word in self.compared
            if found in values and due in values and values[found] != values[due]
        ]
        return f"{self.place}, with {', '.join(known) or 'nothing'}: {'; '.join(apart) or 'it is another one'}"


_SYMBOL = re.compile(r"\|[^|]*\||[^\s()]+")
_OF_THE_LANGUAGE = frozenset(
    ["ite", "and", "or", "not", "=", "<", "<=", ">", ">=", "-", "+", "true", "false", "Int", "Bool"]
)


def questions(comparison: PatternClaims) -> Iterator[Question]:
    """The question of each claim that is no matter of course, operands first; each rests on those before it."""
    proved = _Proved()
    for claim in comparison.claims:
        pairs = [replace(pair, found=proved.seen(pair.found)) for pair in claim.pairs]
        apart = list({(pair.found, pair.due): pair for pair in pairs if pair.found != pair.due}.values())
        if apart or claim.bounds:
            yield _question(comparison, proved, claim, apart)
        stands = {pair.found.term: pair.due.term for pair in claim.pairs if pair.stands}
        named = {term: due for term, due in stands.items() if term in comparison.definitions}
        if named:
            proved.same |= named
            proved.arbitrary[claim.current] = claim.place
            proved.bounds += [(claim.current, bound) for bound in claim.bounds]


@dataclass
class _Proved:
    """What claims have shown so far.

    Attributes:
        same: the terms of the steps for which values of the text stand, by the names of these.
        arbitrary: the current instances of which no more need be known, with words for them.
        bounds: what is known of them nevertheless.
    """

    same: dict[str, str] = field(default_factory=dict)
    arbitrary: dict[str, str] = field(default_factory=dict)
    bounds: list[tuple[str, str]] = field(default_factory=list)

    def seen(self, value: Value) -> Value:
        """A value as one of the steps, as far as it is known to be one."""
        return Value(_SYMBOL.sub(lambda name: self.same.get(name[0], name[0]), value.term), value.sort)


def _question(comparison: PatternClaims, proved: _Proved, claim: Claim, pairs: Sequence[Pair]) -> Question:
    """The question whether one of the pairs differs, or a bound does not hold."""
    right = conjunction([f"(= {pair.found.term} {pair.due.term})" for pair in pairs] + list(claim.bounds))
    lines = [f"(assert {negation(right)})"]
    declarations = {**comparison.declarations}
    declarations |= {name: f"() {comparison.definitions[name].sort}" for name in proved.arbitrary}
    compared = []
    for place, pair in enumerate(pairs):
        if pair.found.sort in (TIME, TRUTH):
            names = f"found.{place}", f"due.{place}"
            compared.append((*names, pair.word))
            for name, term in zip(names, (pair.found.term, pair.due.term), strict=True):
                declarations[name] = f"() {pair.found.sort}"
                lines.append(f"(assert (= {name} {term}))")
    lines = [*_defined(comparison.definitions, proved, lines), *lines]
    about = "\n".join(lines)
    symbols = set(_SYMBOL.findall(about))
    facts = [*comparison.facts, *proved.bounds]
    lines += [f"(assert {fact})" for term, fact in facts if term in (about if term[0] == "(" else symbols)]
    short = _short(lines)
    declared = [f"(declare-fun {one} {declarations[name]})" for name, one in short.items() if name in declarations]
    lines = [_SYMBOL.sub(lambda name: short.get(name[0], name[0]), line) for line in lines]
    shown = {**comparison.shown, **proved.arbitrary}
    return Question(
        "\n".join(["(set-logic QF_UFLIA)", *declared, *lines, "(check-sat)"]) + "\n",
        claim.place,
        tuple((short[name], word) for name, word in shown.items() if name in short),
        tuple((short[found], short[due], word) for found, due, word in compared),
    )


_COMMANDS = frozenset(("assert", "define-fun"))


def _defined(definitions: Mapping[str, Value], proved: _Proved, lines: Sequence[str]) -> list[str]:
    """The definitions of all that lines refer to, but for what is arbitrary."""
    found: dict[str, str] = {}
    open_lines = list(lines)
    while open_lines:
        for name in _SYMBOL.findall(open_lines.pop()):
            if name in definitions and name not in found and name not in proved.arbitrary:
                value = proved.seen(definitions[name])
                found[name] = f"(define-fun {name} () {value.sort} {value.term})"
                open_lines.append(value.term)
    return [found[name] for name in definitions if name in found]


def _short(lines: Sequence[str]) -> dict[str, str]:
    """Other names for all symbols, by the order in which they appear."""
    symbols = dict.fromkeys(name for line in lines for name in _SYMBOL.findall(line))
    own = [name for name in symbols if name not in _OF_THE_LANGUAGE | _COMMANDS and not name.isdigit()]
    return {name: f"x{place}" for place, name in enumerate(own, start=1)}
