"""Steps specialised for their place in one expression: the body of a loop without calls, as in Figure 3.

The text of a step's own method is rewritten: operands and auxiliary variables get the source's names with the number
of the subexpression (`a3`, `l3`, `t3`), constants their values, and a returned value is assigned. So there is one
definition of a step; what is generated from it runs without looking anything up.

Values may be instances, or starts alone. Every current instance ends now, and no step looks at the end of an instance
of the past other than through its queue; so an instance can be replaced by its start, ⟨⟩ by -1, a join by the earlier
start, and the end of an operand by `now`.
"""

from __future__ import annotations

import ast
import copy
import inspect
import itertools
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from detectors.start_queue import FIRST_PLACES, places
from detectors.steps import NON_OCCURRENCE, Step
from semantics.expressions import UNBOUNDED, Label

NONE = "NON_OCCURRENCE"
"""The name of ⟨⟩ in the text of the steps."""


MAX_REGISTERS = 8
"""A sequence with a label up to this has so few candidates that a compiled program keeps them in variables, and any
other looks at one after the other, without a call."""


class CannotSpecialise(Exception):
    """A step is written in a way that the rewriting does not know; the text says which."""


@dataclass(frozen=True)
class Place:
    """Where a step stands in an expression.

    Attributes:
        step: the step in its initial state, for its constants.
        number: the number of the subexpression.
        left: the variable of the left operand's current instance.
        right: that of the right operand; the left one again for operators with one operand.
    """

    step: Step
    number: int
    left: str
    right: str

    @property
    def result(self) -> str:
        """The variable of the current instance."""
        return f"a{self.number}"

    def variable(self, name: str) -> str:
        """The variable for one of the step's own."""
        return f"{name}{self.number}"


@cache
def _method(step: type) -> tuple[tuple[str, ...], tuple[ast.stmt, ...]]:
    """The parameters and the statements of a step's method, without its docstring."""
    function = ast.parse(textwrap.dedent(inspect.getsource(step.step))).body[0]  # type: ignore[attr-defined]
    assert isinstance(function, ast.FunctionDef)
    body = function.body
    if ast.get_docstring(function) is not None:
        body = body[1:]
    return tuple(argument.arg for argument in function.args.args), tuple(body)


class Rewriting(ast.NodeTransformer):
    """Rewrites the statements of a step; values stay instances.

    Attributes:
        place: where the step stands.
    """

    def __init__(self, place: Place) -> None:
        """Rewrite the step at a place."""
        self.place = place
        self._self, left, right = _method(type(place.step))[0]
        self._operands = {left: place.left, right: place.right}
        self._attributes = {attribute: name for name, attribute in place.step.VARIABLES.items()}

    def statements(self) -> list[ast.stmt]:
        """The statements that assign the current instance."""
        body = copy.deepcopy(list(_method(type(self.place.step))[1]))
        returned = body[-1].value if isinstance(body[-1], ast.Return) else None
        self._result = returned.id if isinstance(returned, ast.Name) else None
        if self._result in self._operands or self._result == NONE:
            self._result = None
        return self._assigning(body)

    def _assigning(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Statements without `return`: what follows an early one becomes the other branch."""
        rewritten: list[ast.stmt] = []
        for position, statement in enumerate(body):
            if isinstance(statement, ast.Return):
                assert statement.value is not None
                if not (isinstance(statement.value, ast.Name) and statement.value.id == self._result):
                    value = self.visit(statement.value)
                    rewritten.append(ast.Assign([ast.Name(self.place.result, ast.Store())], value))
                return rewritten
            if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return):
                if statement.orelse:
                    raise CannotSpecialise("a branch that returns has another branch")
                rest = self._assigning(body[position + 1 :])
                return [*rewritten, ast.If(self.visit(statement.test), self._assigning(statement.body), rest)]
            outcome = self.visit(statement)
            rewritten += outcome if isinstance(outcome, list) else [outcome]
        return rewritten

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Without the annotation."""
        assert node.value is not None
        return ast.Assign([self.visit(node.target)], self.visit(node.value))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Operands by their variables, local names with the number."""
        if node.id in self._operands:
            return ast.Name(self._operands[node.id], node.ctx)
        if node.id == NONE:
            return self.none()
        if node.id in ("max", "min"):
            return node
        if node.id == self._result:
            return ast.Name(self.place.result, node.ctx)
        return ast.Name(self.place.variable(node.id), node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Auxiliary variables by the source's names, constants by their values."""
        if isinstance(node.value, ast.Name) and node.value.id == self._self:
            if node.attr in self._attributes:
                return ast.Name(self.place.variable(self._attributes[node.attr]), node.ctx)
            constant = getattr(self.place.step, node.attr)
            if not isinstance(constant, int):
                raise CannotSpecialise(f"{node.attr} is neither a variable nor a number")
            return ast.Constant(constant)
        if node.attr == "start":
            return self.start(node.value)
        if node.attr == "end":
            return self.end(node.value)
        return self.generic_visit(node)

    def none(self) -> ast.expr:
        """⟨⟩."""
        return ast.Name(NONE, ast.Load())

    def start(self, instance: ast.expr) -> ast.AST:
        """The start of an instance."""
        return ast.Attribute(self.visit(instance), "start", ast.Load())

    def end(self, instance: ast.expr) -> ast.AST:
        """The end of an instance."""
        return ast.Attribute(self.visit(instance), "end", ast.Load())


class StartRewriting(Rewriting):
    """The same with starts in the place of instances.

    A queue is a pair of variables: `q3`, an array for `detectors.start_queue`, and `n3`, the number of pushes.

    Attributes:
        label: how long a right instance can be. If each starts now, the latest candidate is always the match.
        compiled: whether the program is to be compiled. Then a push is written without a branch, for the processor's
            sake, and the queue has room for it; and a short queue is kept in variables, see `registers`.
    """

    def __init__(self, place: Place, *, label: Label, compiled: bool) -> None:
        """Rewrite the step at a place."""
        super().__init__(place)
        self.label = label
        self.compiled = compiled
        self._asked: dict[str, str] = {}  # by the variable of a match: before which time it ended

    def none(self) -> ast.expr:
        """-1, before every time."""
        return ast.UnaryOp(ast.USub(), ast.Constant(1))

    def start(self, instance: ast.expr) -> ast.AST:
        """The start stands for the instance."""
        return self.visit(instance)  # type: ignore[no-any-return]

    def end(self, instance: ast.expr) -> ast.AST:
        """What occurs, ends now."""
        if isinstance(instance, ast.Name) and instance.id in self._operands:
            return ast.Name("now", ast.Load())
        raise CannotSpecialise("the end of an instance of the past cannot be had from its start")

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Joins are the earlier start; a queue is asked by its functions."""
        if not isinstance(node.func, ast.Attribute):
            return self.generic_visit(node)
        receiver, method = node.func.value, node.func.attr
        arguments = [self.visit(argument) for argument in node.args]
        if method == "join":
            one, other = self.visit(receiver), arguments[0]
            if isinstance(one, ast.Name) and self._asked.get(one.id) == ast.dump(other):
                return one  # a match ended before the other started; and -1, if there is none, is before every time
            if self.compiled:
                return self._call("min", one, other)
            return ast.IfExp(ast.Compare(one, [ast.LtE()], [other]), one, other)
        if self._is_queue(receiver):
            if method == "latest_before":
                return self._latest_before(arguments[0])
            if method == "push":
                now = ast.Name("now", ast.Load())
                return self._call("push", *self._queue(), arguments[0], now)
        raise CannotSpecialise(f"{method} is not known of starts")

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        """A search in a short queue that is not compiled is written out, because a call takes longer."""
        match node.value:
            case ast.Call(func=ast.Attribute(value=receiver, attr="latest_before"), args=[time]) if (
                self._is_queue(receiver)
            ):
                found = self.visit(node.targets[0])
                assert isinstance(found, ast.Name)
                self._asked[found.id] = ast.dump(self.visit(copy.deepcopy(time)))
                if self.compiled or not registers(self.label):
                    return ast.Assign([found], self.visit(node.value))
                return self._written(
                    """\
place = 2 * n - 1 & mask
while q[place] >= time:
    place = place - 2 & mask
match = q[place - 1]""",
                    mask=self._mask(),
                    time=self.visit(time),
                    match=found,
                )
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        """A push, which also counts."""
        call = self.visit(node.value)
        if self.label == 0:
            return []
        if self.compiled and registers(self.label):
            assert isinstance(node.value, ast.Call)
            values: list[tuple[ast.expr, ast.expr]] = [
                (self.visit(copy.deepcopy(node.value.args[0])), ast.Name("now", ast.Load())),
                *self._registers(),
            ]
            shifted: list[ast.stmt] = [
                ast.Assign([ast.Name(variable.id, ast.Store())], value)
                for older, newer in reversed(list(itertools.pairwise(values)))
                for variable, value in zip(newer, older, strict=True)
                if isinstance(variable, ast.Name)
            ]
            return [*shifted, self._counted(ast.Constant(1))]
        if registers(self.label):
            assert isinstance(call, ast.Call)
            return self._written(
                """\
place = 2 * n & mask
q[place] = start
q[place + 1] = now
n += 1""",
                mask=self._mask(),
                start=call.args[2],
            )
        pushed = [ast.Expr(call), self._count(ast.Constant(1))]
        if self.compiled or places(self.label) <= FIRST_PLACES:
            return pushed
        queue, count = self._queue()
        label = ast.Name("UNBOUNDED", ast.Load()) if self.label == UNBOUNDED else ast.Constant(self.label)
        target = ast.Name(self.place.variable("q"), ast.Store())
        return [ast.Assign([target], self._call("with_room", queue, count, label)), *pushed]

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """A push that depends on a condition can be done always, and counted if the condition holds."""
        pushed = node.body[0]
        if not (self.compiled and isinstance(pushed, ast.Expr) and not node.orelse):
            return self.generic_visit(node)
        if registers(self.label):
            return self.generic_visit(node)
        push, test = self.visit(pushed), self.visit(node.test)
        rest = ast.If(test, [self.visit(statement) for statement in node.body[1:]], [])
        if not push:
            return rest
        counted = self._count(ast.IfExp(copy.deepcopy(test), ast.Constant(1), ast.Constant(0)))
        return [push[-2], counted, rest]

    def _is_queue(self, receiver: ast.expr) -> bool:
        return (
            isinstance(receiver, ast.Attribute)
            and isinstance(receiver.value, ast.Name)
            and receiver.value.id == self._self
            and self._attributes.get(receiver.attr) == "q"
        )

    def _queue(self) -> tuple[ast.expr, ast.expr]:
        return (
            ast.Name(self.place.variable("q"), ast.Load()),
            ast.Name(self.place.variable("n"), ast.Load()),
        )

    def _latest_before(self, time: ast.expr) -> ast.expr:
        if self.label == 0:  # the auxiliary variable t is the start of the candidate that was pushed last
            return ast.Name(self.place.variable("t"), ast.Load())
        if self.compiled and registers(self.label):
            *newer, (start, _) = self._registers()
            match: ast.expr = start
            for start, end in reversed(newer):
                match = ast.IfExp(ast.Compare(end, [ast.Lt()], [copy.deepcopy(time)]), start, match)
            return match
        search = self._call("latest_before", *self._queue(), time)
        return search if self.compiled else self._last_or(search, time)

    def _mask(self) -> ast.expr:
        """What makes a position in a short queue go round."""
        return ast.Constant(2 * int(places(self.label)) - 1)

    def _written(self, text: str, **values: ast.expr) -> list[ast.stmt]:
        """Statements that work on the queue, whose names get the number of the subexpression."""
        own = {name: ast.Name(self.place.variable(name), ast.Load()) for name in ("n", "q", "place")}
        return _Putting({**own, **values}).of(text)

    def _last_or(self, search: ast.expr, time: ast.expr) -> ast.expr:
        """The candidate that was pushed last, if that has ended before, which needs no call; else what is found."""
        (ended,) = self._written("q[2 * n - 1 & len(q) - 1]")
        assert isinstance(ended, ast.Expr)
        last = ast.Name(self.place.variable("t"), ast.Load())
        return ast.IfExp(ast.Compare(ended.value, [ast.Lt()], [copy.deepcopy(time)]), last, search)

    def _count(self, value: ast.expr) -> ast.stmt:
        return ast.AugAssign(ast.Name(self.place.variable("n"), ast.Store()), ast.Add(), value)

    def _counted(self, value: ast.expr) -> ast.stmt:
        name = self.place.variable("n")
        return ast.Assign(
            [ast.Name(name, ast.Store())], ast.BinOp(ast.Name(name, ast.Load()), ast.Add(), value)
        )

    def _registers(self) -> list[tuple[ast.Name, ast.Name]]:
        """The variables for the start and the end of the candidates, the latest first."""
        return [
            (ast.Name(start, ast.Load()), ast.Name(end, ast.Load()))
            for start, end in register_names(self.place, self.label)
        ]

    @staticmethod
    def _call(function: str, *arguments: ast.expr) -> ast.expr:
        return ast.Call(ast.Name(function, ast.Load()), list(arguments), [])


class _Putting(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self._values = values

    def of(self, text: str) -> list[ast.stmt]:
        return [self.visit(statement) for statement in ast.parse(text).body]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = copy.deepcopy(self._values.get(node.id, node))
        if isinstance(value, ast.Name):
            value.ctx = node.ctx
        return value


def constants(step: Step) -> tuple[tuple[str, int], ...]:
    """The numbers that a step has, such as its bound: with its class, all that its text depends on."""
    slots = (name for owner in type(step).__mro__ for name in getattr(owner, "__slots__", ()))
    own = set(step.VARIABLES.values())
    names = sorted({name for name in slots if name not in own and not name.startswith("__")})
    values = ((name, getattr(step, name, None)) for name in names)
    return tuple((name, value) for name, value in values if isinstance(value, int))


def registers(label: Label) -> bool:
    """Whether the queue of a sequence is short; see `MAX_REGISTERS`."""
    return 0 < label <= MAX_REGISTERS


def register_names(place: Place, label: Label) -> list[tuple[str, str]]:
    """The variables for the start and the end of each candidate that may be needed, the latest first."""
    return [
        (place.variable("s") + f"_{index}", place.variable("e") + f"_{index}")
        for index in range(int(label) + 1)
    ]


def initial(step: Step) -> dict[str, object]:
    """The initial values of a step's auxiliary variables other than its queue, an instance as it is."""
    return {name: value for name, value in step.variables().items() if name != "q"}


def initial_starts(step: Step) -> dict[str, int]:
    """The same with starts in the place of instances."""
    return {
        name: -1 if value is NON_OCCURRENCE else value  # type: ignore[misc]
        for name, value in initial(step).items()
    }
