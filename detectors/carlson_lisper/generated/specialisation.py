"""Steps specialised for their place in one expression: the body of a loop without calls, as in Figure 3.

The text of a step's own method is rewritten: operands and auxiliary variables get the source's names with the number
of the subexpression (`a3`, `l3`, `t3`), constants their values, and a returned value is assigned. So there is one
definition of a step; what is generated from it runs without looking anything up.

Values may be instances, or starts alone. Every current instance ends now, and no step looks at the end of an instance
of the past other than through its queue; so an instance can be replaced by its start, ⟨⟩ by -1, a join by the earlier
start, the end of an operand by `now`, and what is asked of a queue by what a start carries
(`detectors.carlson_lisper.generated.carried`).
"""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from detectors.carlson_lisper.generated.carried import START, Suffix, carrying, match_in, needed
from detectors.carlson_lisper.source.steps import Step

NONE = "NON_OCCURRENCE"
"""The name of ⟨⟩ in the text of the steps."""


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

    @property
    def match(self) -> str:
        """The variable of the match that the right operand's current instance carries; see `generated.carried`."""
        return self.right + match_in(self.number)

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
    """The same with starts in the place of instances; they carry their matches (`generated.carried`).

    Attributes:
        needs: what each variable has to carry, known when the statements have been asked for.
    """

    def __init__(self, place: Place, suffixes: Sequence[Suffix] = (START,)) -> None:
        """Rewrite the step at a place, such that its result carries something."""
        super().__init__(place)
        self._suffixes = suffixes
        self._asks = False  # for a match: then t is what others carry as theirs
        self.needs: Mapping[str, Collection[Suffix]] = {}

    def statements(self) -> list[ast.stmt]:
        """The statements that assign the start of the current instance and what it carries."""
        plain = super().statements()
        asked = [self.place.result, *([self.place.variable("t")] if self._asks else [])]
        self.needs = needed(plain, dict.fromkeys(asked, self._suffixes))
        return carrying(plain, self.needs)

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
        """Joins are the earlier start; what a queue is asked for is carried by the right instance."""
        if not isinstance(node.func, ast.Attribute):
            return self.generic_visit(node)
        receiver, method = node.func.value, node.func.attr
        arguments = [self.visit(argument) for argument in node.args]
        if method == "join":
            one, other = self.visit(receiver), arguments[0]
            return ast.IfExp(ast.Compare(one, [ast.LtE()], [other]), one, other)
        if self._is_queue(receiver) and method == "latest_before":
            match arguments:
                case [ast.Name(id=right)] if right == self.place.right:
                    self._asks = True
                    return ast.Name(self.place.match, ast.Load())
        raise CannotSpecialise(f"{method} is not known of starts")

    def visit_If(self, node: ast.If) -> ast.AST:
        """Whether there is a right instance, and a match for it, need not be asked: if not, the match is -1."""
        match node:
            case ast.If(
                test=exists,
                body=[
                    ast.Assign(targets=[ast.Name(id=found)], value=call),
                    ast.If(
                        test=matched,
                        body=[
                            ast.Assign(
                                targets=[target],
                                value=ast.Call(func=ast.Attribute(value=ast.Name(id=joined), attr="join")),
                            )
                        ],
                        orelse=[],
                    ),
                ],
                orelse=[],
            ) if (
                _exists(matched) == found == joined
                and (asked := _is_asked(call))
                and asked == _exists(exists)
            ):
                # A match ended before what it is joined with started, so they start together with it.
                return ast.Assign([self.visit(target)], self.visit(call))
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        """A push is nothing: who may ask for the candidate later, carries it."""
        match node.value:
            case ast.Call(func=ast.Attribute(value=receiver, attr="push")) if self._is_queue(receiver):
                return []
        raise CannotSpecialise("a statement that is neither an assignment nor a push")

    def _is_queue(self, receiver: ast.expr) -> bool:
        return (
            isinstance(receiver, ast.Attribute)
            and isinstance(receiver.value, ast.Name)
            and receiver.value.id == self._self
            and self._attributes.get(receiver.attr) == "q"
        )


def _exists(test: ast.expr) -> str | None:
    """The variable of which it is asked whether its instance is there: `x.start >= 0`."""
    match test:
        case ast.Compare(
            left=ast.Attribute(value=ast.Name(id=name), attr="start"),
            ops=[ast.GtE()],
            comparators=[ast.Constant(value=0)],
        ):
            return name
    return None


def _is_asked(value: ast.expr) -> str | None:
    """The variable of which the match is asked for: `q.latest_before(x.start)`."""
    match value:
        case ast.Call(
            func=ast.Attribute(attr="latest_before"),
            args=[ast.Attribute(value=ast.Name(id=name), attr="start")],
        ):
            return name
    return None


def constants(step: Step) -> tuple[tuple[str, int], ...]:
    """The numbers that a step has, such as its bound: with its class, all that its text depends on."""
    slots = (name for owner in type(step).__mro__ for name in getattr(owner, "__slots__", ()))
    own = set(step.VARIABLES.values())
    names = sorted({name for name in slots if name not in own and not name.startswith("__")})
    values = ((name, getattr(step, name, None)) for name in names)
    return tuple((name, value) for name, value in values if isinstance(value, int))


def initial(step: Step) -> dict[str, object]:
    """The initial values of a step's auxiliary variables other than its queue, an instance as it is."""
    return {name: value for name, value in step.variables().items() if name != "q"}
