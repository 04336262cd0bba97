"""Translation of a subset of Python into terms, read from the syntax tree of the functions that run.

Nothing of the code is executed: its syntax tree is interpreted on values that stand for arbitrary numbers, instances
and queues. Only the forms that are named here are understood; everything else is refused with its place and the reason.
"""

import ast
import builtins
import math
import operator as operators
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import CO_GENERATOR
from types import BuiltinFunctionType, CodeType, FunctionType, MemberDescriptorType
from typing import Any

from smt.python import paths
from smt.python.paths import Made, Method, NotTranslated, Number, Opaque, Raised, Super, Truth, both, denied, either
from smt.python.source import NOTHING, definition, looked_up
from smt.smtlib import FALSE, TRUE

MAX_DEPTH = 12  # More calls within calls are given up

_LOCATED = ": in "


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class Interpreter:
    """Interprets functions on one way through the code."""

    def __init__(
        self, execution: paths.Execution, vocabulary: paths.Vocabulary, asked: Callable[[Any], Any] | None = None
    ) -> None:
        """`asked` is what a generator is sent for each value that it yields; None refuses generators."""
        self.execution = execution
        self.vocabulary = vocabulary
        self.asked = asked
        self.stack: list[CodeType] = []

    def call(self, called: Any, arguments: Sequence[Any], named: Mapping[str, Any] | None = None) -> Any:
        """Value of a call of a function, a method, a class, or a function with a contract."""
        match called:
            case Method(call):
                return call(self.execution, *arguments, **(named or {}))
            case paths.Bound(function, made):
                return self._run(function, (made, *arguments), named or {})
            case FunctionType():
                return self._run(called, arguments, named or {})
            case partial() if type(called) is partial and not called.keywords:
                given = [self.known(each) for each in called.args]
                return self.call(self.known(called.func), (*given, *arguments), named)
            case type():
                made = Made(called)
                if looked_up(called, "__init__") is not NOTHING:
                    if self.call(self.attribute(made, "__init__"), arguments, named) is not None:
                        raise Raised("TypeError: __init__() should return None")
                elif arguments or named:
                    raise Raised(f"TypeError: {called.__name__}() takes no arguments")
                return made
        raise NotTranslated(f"a call of {_described(called)} is not understood")

    def method(self, owner: Any, name: str, arguments: Sequence[Any] = ()) -> Any:
        """Value of a call of an object's method."""
        return self.call(self.attribute(owner, name), arguments)

    def _run(self, function: FunctionType, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        code = function.__code__
        objection = ""
        if function.__defaults__ or function.__kwdefaults__:
            objection = "it has default arguments"
        elif len(self.stack) >= MAX_DEPTH or code in self.stack:
            objection = "it calls itself"
        elif code.co_flags & CO_GENERATOR and (self.stack or self.asked is None):
            objection = "it is a generator"
        else:
            node = definition(code)
            given = node.args
            if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg:
                objection = "it has other than plain parameters"
        if objection:
            raise NotTranslated(f"{_place(code, code.co_firstlineno)}: {objection}")
        parameters = [each.arg for each in given.args]
        names = dict(zip(parameters, arguments, strict=False)) | dict(named)
        if len(arguments) + len(named) != len(parameters) or names.keys() != {*parameters}:
            raise Raised(f"TypeError: {function.__name__}() is given other arguments than it has")
        self.stack.append(code)
        frame = _Frame(self, function, names, parameters[0] if parameters else "")
        try:
            if isinstance(node, ast.Lambda):
                return frame.value(node.body)
            frame.block(node.body)
            return None
        except _Return as returned:
            return returned.value
        finally:
            self.stack.pop()

    def attribute(self, owner: Any, name: str) -> Any:
        """The value of an attribute."""
        if name.startswith("__") and name not in ("__init__", "__len__"):
            raise NotTranslated(f"the attribute {name!r} is not understood")
        if isinstance(owner, Made):
            found = looked_up(owner.kind, name)
            slot = found is NOTHING or isinstance(found, MemberDescriptorType)
            if name in owner.state and (slot or not hasattr(type(found), "__set__")):
                return owner.state[name]
            if slot:
                raise Raised(f"AttributeError: {owner.kind.__name__} has no {name!r}")
            return self._of_class(owner, name, found)
        if isinstance(owner, Super):
            found = looked_up(owner.made.kind, name, after=owner.owner)
            if found is not NOTHING:
                return self._of_class(owner.made, name, found)
            if name == "__init__":
                return Method(lambda _: None)  # that of object
            raise Raised(f"AttributeError: super has no {name!r}")
        if isinstance(owner, Opaque) and name in owner.attributes():
            return owner.attributes()[name]
        if isinstance(owner, self.vocabulary.expressions) and name in self.vocabulary.methods:
            method = getattr(owner, name)
            return Method(lambda _, *arguments: method(*arguments))
        raise NotTranslated(f"the attribute {name!r} of {_described(owner)} is not understood")

    def _of_class(self, made: Made, name: str, found: object) -> Any:
        if isinstance(found, FunctionType):
            return paths.Bound(found, made)
        if callable(found) and not isinstance(found, staticmethod):
            raise NotTranslated(f"{made.kind.__name__}.{name} is {_described(found)}")
        return self.known(found.__func__ if isinstance(found, staticmethod) else found)

    def assign(self, owner: Any, name: str, value: Any) -> None:
        """Set an attribute of an object that the code makes."""
        if not isinstance(owner, Made):
            raise NotTranslated(f"an attribute of {_described(owner)} is set")
        if name.startswith("__"):
            raise NotTranslated(f"the attribute {name!r} is set")
        found = looked_up(owner.kind, name)
        if not isinstance(found, MemberDescriptorType):
            if hasattr(type(found), "__set__"):
                raise NotTranslated(f"{owner.kind.__name__}.{name} is {_described(found)}, and is set")
            if not any("__dict__" in vars(each) for each in owner.kind.__mro__[:-1]):
                raise Raised(f"AttributeError: {owner.kind.__name__} has no {name!r}")
        owner.state[name] = value

    def known(self, found: object) -> Any:
        """The value that an object of Python stands for."""
        for each, meaning in self.vocabulary.meanings:
            if found is each:
                return meaning
        if found is None or type(found) in (bool, int, str) or (type(found) is float and math.isinf(found)):
            return found
        if type(found) in (FunctionType, partial) or (isinstance(found, type) and found.__module__ != "builtins"):
            return found
        if type(found) is tuple:
            return tuple(map(self.known, found))
        raise NotTranslated(f"{_described(found)} is not understood")

    def truth(self, value: Any) -> bool:
        """Whether a value counts as true, on this way."""
        match value:
            case Truth(term):
                return self.execution.decide(term)
            case Number():
                return self.execution.decide(denied(self.equal(value, 0)))
            case None | bool() | int():
                return bool(value)
        raise NotTranslated(f"whether {_described(value)} is true is not understood")

    def number(self, value: Any) -> Number:
        """A value as a number; truth values count as 0 and 1."""
        match value:
            case Number():
                return value
            case Truth():
                return Number(paths.numeral(int(self.truth(value))))
            case bool() | int():
                return Number(paths.numeral(int(value)))
            case float() if math.isinf(value) and value > 0:
                return Number("0", TRUE)
        raise NotTranslated(f"{_described(value)} is no number")

    def less(self, left: Any, right: Any) -> paths.Term:
        """The formula that a number is less than another one; nothing is after ∞."""
        if isinstance(left, int) and isinstance(right, int):
            return TRUE if left < right else FALSE
        one, other = self.number(left), self.number(right)
        if one.natural and one.infinite == FALSE and isinstance(right, int) and right <= 0:
            return FALSE
        if other.natural and isinstance(left, int) and left < 0:
            return TRUE
        if one.term == other.term and one.infinite == other.infinite == FALSE:
            return FALSE
        return both(denied(one.infinite), either(other.infinite, ("<", one.term, other.term)))

    def equal(self, left: Any, right: Any) -> paths.Term:
        """The formula that two numbers are equal."""
        if isinstance(left, int) and isinstance(right, int):
            return TRUE if left == right else FALSE
        one, other = self.number(left), self.number(right)
        neither = both(denied(one.infinite), denied(other.infinite), ("=", one.term, other.term))
        return either(both(one.infinite, other.infinite), neither)

    def computed(self, operator: str, left: Any, right: Any) -> Any:
        """The sum or difference of two numbers."""
        if isinstance(left, Truth) and isinstance(right, Truth | int):
            left = int(self.truth(left))
        if isinstance(right, Truth) and isinstance(left, int):
            right = int(self.truth(right))
        if isinstance(left, int) and isinstance(right, int):
            return left + right if operator == "+" else left - right
        one, other = self.number(left), self.number(right)
        if other.infinite != FALSE and operator == "-":
            raise NotTranslated("what may be ∞ is subtracted")
        return Number((operator, one.term, other.term), either(one.infinite, other.infinite))

    def builtin(self, name: str, execution: paths.Execution, *arguments: Any) -> Any:
        """Values of Python's own `min`, `max` of two and `len`."""
        match name, arguments:
            case "len", (Opaque() | Made() as counted,):
                return self.method(counted, "len()" if isinstance(counted, Opaque) else "__len__")
            case "max", (one, other):
                return other if execution.decide(self.less(one, other)) else one
            case "min", (one, other):
                return other if execution.decide(self.less(other, one)) else one
        raise NotTranslated(f"{name} of such arguments is not understood")


_BUILTINS: Mapping[str, object] = {"min": min, "max": max, "len": len, "super": super}

_OPERATORS = {ast.BitOr: operators.or_, ast.Add: operators.add, ast.Sub: operators.sub}


class _Frame:
    """A function at work, with its local names."""

    def __init__(self, interpreter: Interpreter, function: FunctionType, names: dict[str, Any], first: str) -> None:
        self.interpreter = interpreter
        self.function = function
        self.names = names
        self.first = first
        self.local = {*function.__code__.co_varnames, *function.__code__.co_cellvars}

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self.value(statement)

    def value(self, node: ast.expr | ast.stmt) -> Any:
        """The value of an expression, or the effect of a statement; what is not understood is told with its place."""
        try:
            return self._execute(node) if isinstance(node, ast.stmt) else self._evaluate(node)
        except NotTranslated as error:
            if _LOCATED in str(error):
                raise
            raise NotTranslated(f"{_place(self.function.__code__, node.lineno)}: {error}") from None

    def _execute(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
                pass
            case ast.Expr(value=ast.Call() | ast.Yield() as call):
                self.value(call)
            case ast.Assign(targets=targets, value=value):
                found = self.value(value)
                for target in targets:
                    self._assign(target, found)
            case ast.AnnAssign(target=target, annotation=annotation, value=ast.expr() as value) if not any(
                isinstance(each, ast.Call | ast.NamedExpr | ast.Yield | ast.Await) for each in ast.walk(annotation)
            ):
                self._assign(target, self.value(value))
            case ast.AugAssign(target=ast.Name() | ast.Attribute(value=ast.Name()) as target, op=operator, value=value):
                kept = ast.parse(ast.unparse(target), mode="eval").body
                self._assign(target, self._combined(operator, self.value(kept), self.value(value)))
            case ast.If(test=test, body=body, orelse=other):
                self.block(body if self.interpreter.truth(self.value(test)) else other)
            case ast.Return(value=value):
                raise _Return(None if value is None else self.value(value))
            case ast.Delete(
                targets=[ast.Subscript(value=owner, slice=ast.Slice(lower=None, upper=ast.expr() as stop, step=None))]
            ):
                self.interpreter.method(self.value(owner), "del [:]", [self.value(stop)])
            case ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name))):
                raise Raised(f"{name} (line {statement.lineno})")
            case _:
                raise NotTranslated(f"a statement of another form: {_shown(statement)}")

    def _assign(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(id=name) if name != self.first:
                self.names[name] = value
            case ast.Attribute(value=owner, attr=name):
                self.interpreter.assign(self.value(owner), name, value)
            case ast.Tuple(elts=parts) if isinstance(value, tuple) and len(value) == len(parts):
                for part, each in zip(parts, value, strict=True):
                    self._assign(part, each)
            case _:
                raise NotTranslated(f"an assignment of another form: {_shown(target)}")

    def _evaluate(self, node: ast.expr) -> Any:
        interpreter = self.interpreter
        match node:
            case ast.Constant(value=None | bool() | int() | str() as value):
                return value
            case ast.Name(id=name):
                return self._named(name)
            case ast.Attribute(value=owner, attr=name):
                return interpreter.attribute(self.value(owner), name)
            case ast.Tuple(elts=parts):
                return tuple(map(self.value, parts))
            case ast.List(elts=[]):
                return []
            case ast.IfExp(test=test, body=body, orelse=other):
                return self.value(body if interpreter.truth(self.value(test)) else other)
            case ast.BoolOp(op=operator, values=parts):
                for part in parts[:-1]:
                    value = self.value(part)
                    if interpreter.truth(value) is isinstance(operator, ast.Or):
                        return value
                return self.value(parts[-1])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not interpreter.truth(self.value(operand))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return interpreter.computed("-", 0, self.value(operand))
            case ast.BinOp(left=left, op=operator, right=right):
                return self._combined(operator, self.value(left), self.value(right))
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return self._compared(node, operator, self.value(left), self.value(right))
            case ast.Subscript(value=owner, slice=index):
                held, at = self.value(owner), self.value(index)
                if type(held) is tuple and type(at) is int and -len(held) <= at < len(held):
                    return held[at]
                if isinstance(held, Opaque):
                    return interpreter.method(held, "[]", [at])
            case ast.Yield(value=ast.expr() as value) if interpreter.asked is not None:
                return interpreter.asked(self.value(value))
            case ast.Call(func=ast.Name(id="super"), args=[], keywords=[]):
                return self._super()
            case ast.Call(func=function, args=arguments, keywords=keywords):
                if any(isinstance(each, ast.Starred) for each in arguments) or any(not each.arg for each in keywords):
                    raise NotTranslated("arguments are unpacked")
                called, given = self.value(function), [self.value(each) for each in arguments]
                return interpreter.call(called, given, {str(each.arg): self.value(each.value) for each in keywords})
        raise NotTranslated(f"an expression of another form: {_shown(node)}")

    def _named(self, name: str) -> Any:
        if name in self.local:
            if name not in self.names:
                raise Raised(f"UnboundLocalError: {name}")
            return self.names[name]
        function, interpreter = self.function, self.interpreter
        if name in function.__code__.co_freevars:
            at = function.__code__.co_freevars.index(name)
            held = (function.__closure__ or ())[at].cell_contents
            if not isinstance(held, type | FunctionType):
                raise NotTranslated(f"{name!r} of an enclosing function is {_described(held)}")
            if len(interpreter.stack) > 1 or isinstance(self.names.get(self.first), Made):
                raise NotTranslated(f"{name!r} of an enclosing function is used by a method")
            return interpreter.known(held)
        if type(function.__globals__) is dict and name in function.__globals__:
            return interpreter.known(function.__globals__[name])
        if getattr(function, "__builtins__", None) is builtins.__dict__ and name in vars(builtins):
            found = vars(builtins)[name]
            if name in ("min", "max", "len") and found is _BUILTINS[name]:
                return Method(partial(interpreter.builtin, name))
            return interpreter.known(found)
        raise NotTranslated(f"the name {name!r} is not understood")

    def _combined(self, operator: ast.operator, left: Any, right: Any) -> Any:
        expressions = self.interpreter.vocabulary.expressions
        apply = _OPERATORS.get(type(operator))
        if apply and expressions and isinstance(left, expressions) and isinstance(right, expressions):
            return apply(left, right)
        if isinstance(operator, ast.Add | ast.Sub):
            return self.interpreter.computed("+" if isinstance(operator, ast.Add) else "-", left, right)
        raise NotTranslated(f"the operator {type(operator).__name__} is not understood")

    def _compared(self, node: ast.expr, operator: ast.cmpop, left: Any, right: Any) -> Any:
        less, equal = self.interpreter.less, self.interpreter.equal
        match operator:
            case ast.Lt() | ast.GtE():
                found = less(left, right)
            case ast.Gt() | ast.LtE():
                found = less(right, left)
            case ast.Eq() | ast.NotEq():
                found = equal(left, right)
            case ast.Is() | ast.IsNot() if any(
                x is None or (isinstance(x, Opaque) and x.single) for x in (left, right)
            ):
                return (left is right) is isinstance(operator, ast.Is)
            case _:
                raise NotTranslated(f"a comparison of another form: {_shown(node)}")
        return Truth(denied(found) if isinstance(operator, ast.GtE | ast.LtE | ast.NotEq) else found)

    def _super(self) -> Super:
        function, made = self.function, self.names.get(self.first)
        shadowed = "super" in self.local or "super" in function.__globals__
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        owner = cells["__class__"].cell_contents if "__class__" in cells else None
        if shadowed or vars(builtins).get("super") is not _BUILTINS["super"] or not isinstance(owner, type):
            raise NotTranslated("super is not Python's")
        if not isinstance(made, Made):
            raise NotTranslated("super is called outside of a method")
        return Super(owner, made)


def _place(code: CodeType, line: int) -> str:
    return f"{code.co_filename}:{line}{_LOCATED}{code.co_qualname}"


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node).partition("\n")[0]
    return text if len(text) <= 60 else f"{text[:57]}..."


def _described(value: object) -> str:
    match value:
        case Number() | Truth():
            return f"a {type(value).__name__.lower()}"
        case Opaque():
            return f"a {type(value).__name__.strip('_').lower()}"
        case Made():
            return f"a {value.kind.__name__}"
        case FunctionType() | BuiltinFunctionType() | type():
            return f"the {type(value).__name__} {value.__name__}"
    return f"a {type(value).__name__}"
