"""Coverage of branches: steps that note which way they take.

The classes of the steps and of their queues are read from the sources that run, each condition is wrapped in a call
that notes its outcome, and the outcome is a class again, otherwise the same. So there is one definition of a step, and
what it can reach follows from its text: a condition that is added tomorrow is one more behaviour.

Notes are taken in methods that `step` calls, by whatever way; the others serve people, snapshots or another step.
"""

from __future__ import annotations

import ast
import copy
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from detectors.carlson_lisper.source.steps import (
    BoundedSequenceStep,
    CandidateQueue,
    ConjunctionStep,
    DisjunctionStep,
    NegationStep,
    RestrictionStep,
    SequenceStep,
)
from detectors.generated_code import defined

Note = Callable[[str], None]
"""Takes the name of a behaviour that was reached."""


class CannotInstrument(Exception):
    """A step is written in a way that the rewriting does not know; the text says which."""


@dataclass(frozen=True)
class Family:
    """A step and the queue that it keeps."""

    name: str
    step: type
    store: type | None = None

    def classes(self) -> tuple[type, ...]:
        """The classes that are rewritten: what is referred to comes first."""
        lines = [*(() if self.store is None else _line(self.store)), *_line(self.step)]
        return tuple(dict.fromkeys(lines))


FAMILIES: Mapping[str, Family] = {
    family.name: family
    for family in (
        Family("dis", DisjunctionStep),
        Family("con", ConjunctionStep),
        Family("neg", NegationStep),
        Family("tim", RestrictionStep),
        Family("seq", SequenceStep, CandidateQueue),
        Family("seq-figure4", BoundedSequenceStep, CandidateQueue),
    )
}
"""The steps of the detectors `figure2` and `figure4`, by name."""


def _line(kind: type) -> Iterable[type]:
    """A class with those that it is made from, these first."""
    return [base for base in reversed(kind.__mro__) if base.__module__ not in ("builtins", "typing")]


@cache
def _definition(kind: type) -> ast.ClassDef:
    """The text of a class as a tree; nobody may change it."""
    definition = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(definition, ast.ClassDef)
    return definition


def _methods(kind: type) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in _definition(kind).body if isinstance(node, ast.FunctionDef)}


def called_methods(family: Family) -> frozenset[tuple[type, str]]:
    """The methods that a step runs: each class with the name of a method of its own."""
    roots = [family.step, *(() if family.store is None else (family.store,))]
    names, pending, found = {"step"}, ["step"], set()
    while pending:
        name = pending.pop()
        for root in roots:
            owner = next((kind for kind in root.__mro__ if name in vars(kind)), None)
            if owner is None or owner not in family.classes() or name not in _methods(owner):
                continue
            found.add((owner, name))
            for node in ast.walk(_methods(owner)[name]):
                if isinstance(node, ast.Attribute) and node.attr not in names:
                    names.add(node.attr)
                    pending.append(node.attr)
    return frozenset(found)


class _Noting(ast.NodeTransformer):
    """Wraps the conditions of one method; `names` are the behaviours that can be noted in it, in order."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.names: list[str] = []
        self._seen: dict[str, int] = {}

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, (ast.Match, ast.Try, ast.comprehension, ast.Lambda)):
            raise CannotInstrument(f"{self.scope}: {type(node).__name__} is not known")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "super":
                raise CannotInstrument(f"{self.scope}: what `super` calls would not be noted")
            if node.func.id in ("max", "min") and len(node.args) == 2:
                return self._comparison(node, node.func.id)
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            node.test = self._condition(node.test)
            for part in ("body", "orelse"):
                below = getattr(node, part)
                setattr(node, part, self.block(below) if isinstance(below, list) else self.visit(below))
            return node
        if isinstance(node, ast.For):
            names = self._behaviours(node.iter, ("something", "nothing"))
            node.iter = _call("noted_items", names, self.visit(node.iter))
            node.body = self.block(node.body)
            return node
        if isinstance(node, ast.BoolOp):
            return self._condition(node)
        return self.generic_visit(node)

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        return [self.visit(statement) for statement in statements]

    def _condition(self, test: ast.expr) -> ast.expr:
        """Each operand of `and`, `or` and `not` by itself: of some, evaluation may not come to the others."""
        if isinstance(test, ast.BoolOp):
            test.values = [self._condition(value) for value in test.values]
            return test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test.operand = self._condition(test.operand)
            return test
        true, false = (_call("note", [name]) for name in self._behaviours(test, ("true", "false")))
        met = ast.UnaryOp(ast.Not(), true)  # to note returns None
        return ast.IfExp(self.visit(test), met, false)

    def _comparison(self, node: ast.Call, function: str) -> ast.expr:
        names = self._behaviours(node, ("the first", "the second", "both equal"))
        return _call(f"noted_{function}", names, *map(self.visit, node.args))

    def _behaviours(self, node: ast.expr, outcomes: tuple[str, ...]) -> list[str]:
        text = ast.unparse(node)
        self._seen[text] = count = self._seen.get(text, 0) + 1
        again = f" ({count})" if count > 1 else ""
        names = [f"{self.scope}:{text}{again}:{outcome}" for outcome in outcomes]
        self.names += names
        return names


def _call(function: str, names: Iterable[str], *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(function, ast.Load()), [*map(ast.Constant, names), *arguments], [])


@cache
def _rewritten(family: Family) -> tuple[tuple[tuple[type, str], ...], tuple[str, ...]]:
    """The classes of a family, each with its new text; and the behaviours that can be noted."""
    called = called_methods(family)
    texts, behaviours = [], []
    for kind in family.classes():
        definition = copy.deepcopy(_definition(kind))
        for node in definition.body:
            if isinstance(node, ast.FunctionDef) and (kind, node.name) in called:
                method = "" if node.name == "step" else f" {node.name}"
                noting = _Noting(f"branch:{family.name}{method}")
                node.body = noting.block(node.body)
                behaviours += noting.names
        text = ast.unparse(ast.fix_missing_locations(definition))
        texts.append((kind, f"from __future__ import annotations\n{text}"))
    return tuple(texts), tuple(behaviours)


BRANCHES: tuple[str, ...] = tuple(name for family in FAMILIES.values() for name in _rewritten(family)[1])
"""Each condition of each step with each outcome: `branch:neg:self.latest < right.start:true`."""

Watch = Callable[[Family, type, Note], type]
"""Makes a class of queues, given a family's own, one that notes more."""


def instrumented(family: Family, note: Note, watch: Watch = lambda _, store, __: store) -> type:
    """The class of a step that behaves as the family's, and notes the outcomes of its conditions.

    Args:
        note: is called with the behaviours of `BRANCHES`, if the family is one of `FAMILIES`.
        watch: is given the class of the queue, which it may replace.

    Raises:
        CannotInstrument: the step is written in a way that is not known.
    """

    def noted_items(something: str, nothing: str, items: Any) -> Any:
        note(something if len(items) else nothing)
        return items

    def noted_max(first: str, second: str, equal: str, one: Any, other: Any) -> Any:
        note(first if one > other else second if other > one else equal)
        return max(one, other)

    def noted_min(first: str, second: str, equal: str, one: Any, other: Any) -> Any:
        note(first if one < other else second if other < one else equal)
        return min(one, other)

    known: dict[str, Any] = {
        "note": note,
        "noted_items": noted_items,
        "noted_max": noted_max,
        "noted_min": noted_min,
    }
    for kind, text in _rewritten(family)[0]:
        around = {
            name: value
            for name, value in vars(sys.modules[kind.__module__]).items()
            if not name.startswith("__")
        }
        made = defined(text, kind.__name__, f"<{family.name} instrumented>", {**around, **known})
        new = cast(type, made)
        known[kind.__name__] = watch(family, new, note) if kind is family.store else new
    return cast(type, known[family.step.__name__])
