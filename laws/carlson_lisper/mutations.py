"""Mutations of the definitions: wrong operators, some with a law that must not survive, and all of one symbol.

What is changed by a symbol is the definition as `notation.operator_text` prints it; it is read again afterwards.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from laws.carlson_lisper.statements import Builder, Named, Union, parse_set
from semantics.carlson_lisper.notation import operator_text
from semantics.carlson_lisper.operators import BOUND_NAME, OPERATORS, STREAM_NAMES, Comprehension, Operator, Operators
from semantics.errors import InputError
from semantics.formulas import Exists, ForAll, In, Parameter, renamed, subformulas


@dataclass(frozen=True)
class AlteredOperator:
    """A wrong definition of an operator, as text, and a law that must not survive it."""

    operator: str
    text: str
    law: str
    what: str

    @cached_property
    def definition(self) -> Operator:
        """The wrong definition."""
        found = defined(self.operator, self.text)
        assert found is not None, self.text
        return found

    def operators(self) -> Operators:
        """The operators with this one altered."""
        return {**OPERATORS, self.operator: self.definition}


_CONTAINED = "{ s | s ∈ S ∧ ¬∃ t ∈ T (start(s) < start(t) ∧ end(t) ≤ end(s)) }"

ALTERED_OPERATORS = tuple(
    AlteredOperator(*each)
    for each in (
        ("dis", "{ s | s ∈ S }", "law:2", "a disjunction that forgets its right side"),
        ("con", "{ s ∪ t | s ∈ S ∧ t ∈ T ∧ end(s) ≤ end(t) }", "law:3", "a conjunction whose right part ends last"),
        ("neg", _CONTAINED, "law:12", "a negation that overlooks what starts together with it"),
        ("seq", "{ s ∪ t | s ∈ S ∧ t ∈ T ∧ start(s) < start(t) }", "law:6", "a sequence whose parts may overlap"),
        ("tim", "{ s | s ∈ S ∧ end(s) - start(s) < τ }", "law:23", "a restriction that excludes its bound"),
    )
)
"""A wrong definition of each operator; each must make a law false."""


_SYMBOLS = re.compile(r"\w+|[^\w\s]")
_ALIKE = ("< ≤ = ≥ > ≠", "start end", "s t", "S T", "∧ ∨", "∃ ∀")
"""Symbols that may stand for each other. A negation comes or goes; a part goes with the ∧ or ∪ beside it."""
_TIME = "bound"  # What the bound of a restriction is called while a definition is read


@dataclass(frozen=True)
class Change:
    """A definition of an operator with a symbol changed, as text and as what the text says."""

    text: str
    definition: Operator
    symbols: int = 1  # how many symbols are changed


def changes(operator: str, text: str = "") -> Iterator[Change]:
    """Every change by one symbol of an operator's definition, or of another text for it; those that say something."""
    head, _, body = (text or operator_text(OPERATORS[operator])).partition(" = ")
    symbols, met = _SYMBOLS.findall(body), set[str]()
    for changed in _changed(symbols):
        written = _spaced(changed)
        definition = None if written in met else defined(operator, written)
        met.add(written)
        if definition is not None:
            yield Change(f"{head} = {written}", definition)


def _changed(symbols: Sequence[str]) -> Iterator[list[str]]:
    """Symbols of which one is another, a negation is there or not, or a part is left out; most say nothing."""
    depth = list(accumulate(((symbol in "({") - (symbol in ")}") for symbol in symbols), initial=0))
    for first, symbol in enumerate(symbols):
        before, after = list(symbols[:first]), list(symbols[first + 1 :])
        alike = next((some.split() for some in _ALIKE if symbol in some.split()), [])
        yield from ([*before, other, *after] for other in alike if other != symbol)
        yield before + after if symbol == "¬" else [*before, "¬", symbol, *after]
        for last in range(first + 1, len(symbols)):
            part = symbols[first : last + 1]
            joints = sum(each in "∧∪" and deep == depth[first] for each, deep in zip(part, depth[first:], strict=False))
            if joints == 1 and depth[first] == depth[last + 1] and (part[0] in "∧∪" or part[-1] in "∧∪"):
                yield [*before, *symbols[last + 1 :]]


def _spaced(symbols: Sequence[str]) -> str:
    text = re.sub(r"(start|end) \( (\w) \)", r"\1(\2)", " ".join(symbols))
    return re.sub(r"(?<!\{) \)", ")", text.replace("( ", "(").replace("¬ ", "¬"))


def defined(operator: str, text: str) -> Operator | None:
    """The definition that a text says; None if it says nothing, or speaks of what is not there."""
    known, found = OPERATORS[operator], list[Comprehension]()
    timed = set(re.findall(r"(?:start|end)\((\w)\)", text))
    if not set(re.findall(r"∈ (\w)", text)) <= {*STREAM_NAMES[: known.arity]}:
        return None
    try:
        term = parse_set(text.replace(BOUND_NAME, _TIME))
    except InputError:
        return None
    for part in term.parts if isinstance(term, Union) else (term,):
        if not isinstance(part, Builder) or part.name:
            return None
        ranges = tuple((name, set_.name) for name, set_ in part.ranges if isinstance(set_, Named))
        condition = renamed(part.condition, times={_TIME: Parameter(BOUND_NAME)})
        inner = list(subformulas(condition))
        bound = {name for name, _ in ranges} | {each.variable for each in inner if isinstance(each, Exists | ForAll)}
        if not timed | {each.variable for each in inner if isinstance(each, In)} <= bound:
            return None
        found.append(Comprehension(ranges, tuple(dict.fromkeys(part.result)), condition))
    return replace(known, comprehensions=tuple(found))
