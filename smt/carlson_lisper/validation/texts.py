"""Symbolic execution of the text of an instant: straight-line code, whose branches are merged by conditions.

Only the few forms that generated text is made of are known. Anything else is refused, so that nothing is overlooked.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smt.python.paths import numeral
from smt.smtlib import conjunction, disjunction, negation, symbol, written

TIME, TRUTH = "Int", "Bool"


class NotUnderstood(Exception):
    """A text has a form that is not known, or reads a variable that may have no value; the text says which."""


@dataclass(frozen=True)
class Value:
    """A value of the text as a term."""

    term: str
    sort: str


Environment = dict[str, Value]


def instant(text: str, initial: Mapping[str, object]) -> Sequence[ast.stmt]:
    """The statements of an instant in the text of a detector of starts, which are -1 initially; or `NotUnderstood`."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise NotUnderstood(f"it is no program: {error.msg}") from None
    match tree.body:
        case [
            ast.FunctionDef(
                name="detector",
                decorator_list=[],
                body=[
                    ast.Expr(value=ast.Constant(value=str())),
                    ast.FunctionDef(name="step", body=statements, decorator_list=[]) as inner,
                    ast.Return(value=ast.Name(id="step")),
                ],
            ) as outer
        ]:
            given, received = ([each.arg for each in function.args.args] for function in (outer, inner))
        case _:
            raise NotUnderstood("it is not the function of a detector, which returns the function of an instant")
    for function in (outer.args, inner.args):
        if function.posonlyargs or function.kwonlyargs or function.vararg or function.kwarg or function.defaults:
            raise NotUnderstood("a function has other than plain parameters")
    if received != ["time", "letter"]:
        raise NotUnderstood("it is not the text of starts")
    if set(given) != set(initial):
        raise NotUnderstood("it is given other variables than it has")
    if any(type(value) is not int or value != -1 for value in initial.values()):
        raise NotUnderstood("a variable does not start with -1")
    if "now" not in given:
        raise NotUnderstood("it does not keep the time")
    kept: set[str] = set()
    if statements and isinstance(statements[0], ast.Nonlocal):
        kept, statements = set(statements[0].names), statements[1:]
    nodes = (node for statement in statements for node in ast.walk(statement))
    for name in sorted({node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}):
        if (name in given) != (name in kept) or name in received:
            raise NotUnderstood(f"{name} is assigned, and is not kept")
    if not kept <= set(given):
        raise NotUnderstood(f"{', '.join(sorted(kept - set(given)))} has no initial value")
    return statements


class TextRun:
    """One execution of the text of an instant from given values."""

    def __init__(self, body: Sequence[ast.stmt], values: Mapping[str, Value], names: Sequence[str]) -> None:
        """Execute statements; the bits of `letter` are the event types that are named."""
        self.names = names
        self.definitions: list[tuple[str, Value]] = []  # what was computed, in order; later ones refer to earlier ones
        self.raised: str | None = None  # the condition under which the text raises an exception; None if it never does
        self.after = dict(values)
        *statements, last = body
        for statement in statements:
            match statement:
                case ast.If(test=test, body=[ast.Raise()], orelse=[]) if self.raised is None:
                    self.raised = self._of(TRUTH, test, self.after)
                case _:
                    self._execute(statement, self.after)
        if not isinstance(last, ast.Return) or last.value is None:
            raise NotUnderstood("it does not return its result at the end")
        self.result = self._value(last.value, self.after)

    def _execute(self, statement: ast.stmt, known: Environment) -> None:
        match statement:
            case ast.Pass():
                pass
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                known[name] = self._named(name, self._value(value, known))
            case ast.If(test=test, body=body, orelse=other):
                condition = self._named("if", Value(self._of(TRUTH, test, known), TRUTH)).term
                outcomes = dict(known), dict(known)
                for branch, outcome in zip((body, other), outcomes, strict=True):
                    for each in branch:
                        self._execute(each, outcome)
                yes, no = outcomes
                for name in {**yes, **no}:
                    if name not in yes or name not in no:  # it has a value in one branch alone, so none afterwards
                        known.pop(name, None)
                    elif yes[name] == no[name]:
                        known[name] = yes[name]
                    else:
                        known[name] = self._named(name, _chosen(condition, yes[name], no[name]))
            case _:
                raise NotUnderstood(f"a statement of another form: {ast.unparse(statement)}")

    def _named(self, name: str, value: Value) -> Value:
        if not value.term.startswith("("):
            return value
        term = symbol(f"text.{len(self.definitions) + 1}.{name}")
        self.definitions.append((term, value))
        return Value(term, value.sort)

    def _value(self, node: ast.expr, known: Environment) -> Value:
        match node:
            case ast.Name(id=name):
                if name not in known:
                    raise NotUnderstood(f"{name} is read where it may have no value")
                return known[name]
            case ast.Constant(value=int(value)) if not isinstance(value, bool):
                return Value(written(numeral(value)), TIME)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return Value(written(numeral(-value)), TIME)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Value(negation(self._of(TRUTH, operand, known)), TRUTH)
            case ast.IfExp(test=test, body=body, orelse=other):
                condition = self._of(TRUTH, test, known)
                return _chosen(condition, self._value(body, known), self._value(other, known))
            case ast.BinOp(left=ast.Name(id="letter"), op=ast.BitAnd(), right=ast.Constant(value=int(mask))):
                if mask < 0 or mask >> len(self.names):
                    raise NotUnderstood(f"a letter has no bits {mask}")
                return Value(disjunction(occurs(name) for bit, name in enumerate(self.names) if mask >> bit & 1), TRUTH)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                return Value(f"(- {self._of(TIME, left, known)} {self._of(TIME, right, known)})", TIME)
            case ast.BoolOp(op=operator, values=values):
                joined = conjunction if isinstance(operator, ast.And) else disjunction
                return Value(joined(self._of(TRUTH, each, known) for each in values), TRUTH)
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _RELATIONS:
                first, second = self._of(TIME, left, known), self._of(TIME, right, known)
                return Value(f"({_RELATIONS[type(operator)]} {first} {second})", TRUTH)
            case ast.Call(func=ast.Name(id="max" | "min" as which), args=[one, other], keywords=[]):
                first, second = self._of(TIME, one, known), self._of(TIME, other, known)
                less = f"(< {first} {second})" if which == "max" else f"(< {second} {first})"
                return Value(f"(ite {less} {second} {first})", TIME)
        raise NotUnderstood(f"an expression of another form: {ast.unparse(node)}")

    def _of(self, sort: str, node: ast.expr, known: Environment) -> str:
        value = self._value(node, known)
        if value.sort != sort:
            raise NotUnderstood(f"{ast.unparse(node)} is of another kind than {sort}")
        return value.term


def _chosen(condition: str, yes: Value, no: Value) -> Value:
    if yes.sort != no.sort:
        raise NotUnderstood("a variable may be of two kinds")
    return Value(f"(ite {condition} {yes.term} {no.term})", yes.sort)


_RELATIONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def occurs(name: str) -> str:
    """The condition that an event type occurs now; what no symbol can hold is written by its number."""
    plain = (sign if sign.isascii() and (sign.isalnum() or sign in "_.-") else f"%{ord(sign):x}%" for sign in name)
    return symbol(f"occurs.{''.join(plain)}")
