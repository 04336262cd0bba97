"""Mutants of the generator of code: each text that comes out different is refuted by validation, or does the same.

One program of the generator is changed in one place, texts are made for some patterns, and those that differ from what
the generator makes are validated. A text that is validated and nevertheless detects something wrong on a trace would be
a fault of validation; so traces are tried on these too.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any, Literal

from campaigns.judging.limits import TimeUp, time_limit
from campaigns.mutants.mutations import Mutation, functions, mutations
from campaigns.mutants.private_modules import PrivateModules, source
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from smt.carlson_lisper.validation.validating import parting, validated

GENERATOR = "detectors.carlson_lisper."
PROGRAMS = ("generated",)
"""The modules in which the text of one instant comes about."""

DETECTORS = (("generated", "Generated"),)
"""The modules and classes of the detectors whose text is validated."""

PATTERNS = (
    "a",
    "a | b",
    "a + (b ; c)",
    "a ; (b ; (c ; a))",
    "((a ; b)[2] - c) ; a",
    "(a + b)[3] - (b ; c)",
    "((a | b) - (b ; c)) + (c ; a)[4]",
    "a ; (a + b)[5000]",
)
"""What texts are made for: every operator, on event types and on others, carried matches."""

SECONDS = 1.0
"""How long a changed generator may take for the texts of one pattern."""

Outcome = Literal["refuted", "not validated", "validated", "same text", "no text", "missed"]

MEANINGS: Mapping[Outcome, str] = {
    "refuted": "a text detects something wrong on a trace, which is shown",
    "not validated": "a text is not taken: it parts from the steps in some state, or is not understood",
    "validated": "texts differ, and do what the proved steps do; traces agree",
    "same text": "no text of the patterns differs",
    "no text": "the generator breaks down",
    "missed": "a text is validated, and detects something wrong",
}
"""What became of a mutant; `missed` is a fault of validation."""


@dataclass(frozen=True)
class Told:
    """What became of one mutant.

    Attributes:
        name: the module, the definition, the line in it, the change.
        pattern: the pattern that shows it; "" where none does.
        reason: why its text is wrong, or not taken.
    """

    name: str
    description: str
    outcome: Outcome
    pattern: str = ""
    reason: str = ""


@cache
def generator_mutants() -> Mapping[str, tuple[str, Mutation]]:
    """All mutants by name, each with its module."""
    found = {}
    for program in PROGRAMS:
        module = source(GENERATOR + program)
        places = [node.name for node in module.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        for mutation in mutations(module, tuple(place for place in places if _has_code(module, place))):
            found[f"{program}.{mutation.name}"] = GENERATOR + program, mutation
    return found


def _has_code(module: ast.Module, place: str) -> bool:
    try:
        return bool(list(functions(module, place)))
    except LookupError:  # a class without methods
        return False


def sample(number: int | None, seed: int) -> list[str]:
    """The names of some mutants by a seed, in their order; None for all of them."""
    names = list(generator_mutants())
    if number is None or number >= len(names):
        return names
    chosen = set(Random(seed).sample(names, number))
    return [name for name in names if name in chosen]


def told(names: Iterable[str]) -> Iterator[Told]:
    """What becomes of mutants, one after the other."""
    for name in names:
        module, mutation = generator_mutants()[name]
        modules = PrivateModules(module, ast.unparse(mutation.altered(source(module))), name)
        yield _told(name, mutation.description, modules)


def counts(found: Sequence[Told]) -> dict[Outcome, int]:
    """How many mutants became what."""
    several = Counter(each.outcome for each in found)
    return {outcome: several[outcome] for outcome in MEANINGS}


def _told(name: str, description: str, modules: PrivateModules) -> Told:
    taken = ""
    for pattern in PATTERNS:
        expression = parse(pattern)
        right = _due(pattern)
        try:
            with time_limit(SECONDS):
                made = [_made(modules.load, detector, expression) for detector in DETECTORS]
        except (Exception, TimeUp) as error:  # whatever a changed program raises
            return Told(name, description, "no text", pattern, f"{type(error).__name__}: {error}")
        for (text, given), (due, first) in zip(made, right, strict=True):
            if text == due and _shown(given) == _shown(first):
                continue
            found = validated(expression, text, given)
            if not found.holds:
                outcome: Outcome = "refuted" if found.outcome == "refuted" else "not validated"
                return Told(name, description, outcome, pattern, found.reason)
            wrong = parting(expression, text, given)
            if wrong:
                return Told(name, description, "missed", pattern, wrong)
            taken = taken or pattern
    return Told(name, description, "validated" if taken else "same text", taken)


def _made(load: Callable[[str], ModuleType], detector: tuple[str, str], expression: Expression) -> Any:
    module, kind = detector
    return getattr(load(GENERATOR + module), kind)(expression).made()


@cache
def _due(pattern: str) -> list[Any]:
    return [_made(import_module, detector, parse(pattern)) for detector in DETECTORS]


def _shown(given: Mapping[str, object]) -> list[tuple[str, str]]:
    """Initial values as text: their classes may be private copies of the same."""
    return [(name, f"{type(value).__name__} {value!r}") for name, value in given.items()]
