"""Translation of a subset of Python into terms, read from the syntax tree of the functions that run.

Nothing of the code is executed: its syntax tree is interpreted on values that stand for arbitrary numbers, instances
and queues. Only the forms that are named here are understood; everything else is refused with its place and the reason.
Where the code asks for a truth value, both answers are followed: `explore` returns one `Path` per way through the code.
"""

import ast
import builtins
import linecache
import math
import operator as operators
from abc import ABCMeta
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from inspect import CO_GENERATOR
from types import BuiltinFunctionType, CodeType, FunctionType, MemberDescriptorType
from typing import Any, Generic, Protocol, TypeVar

from smt.smtlib import FALSE, TRUE, SExpression, conjunction, connective, disjunction, negation, written

Term = SExpression

ResultT = TypeVar("ResultT")

MAX_PATHS, MAX_DEPTH = 4_096, 12
"""More ways through one function than this, or calls within calls, are given up."""

_METACLASSES = (type, ABCMeta, type(Protocol))

_LOOKUP = ("__getattribute__", "__getattr__", "__setattr__", "__delattr__", "__new__")
"""Methods that change what the attributes of an object are."""

_LOCATED = ": in "


class NotTranslated(RuntimeError):
    """Code has a form that is not understood; the text says where and why."""


class Raised(Exception):
    """The code ends in an exception on this way."""


def both(*parts: Term) -> Term:
    """The conjunction of formulas, without those that say nothing."""
    return connective("and", parts, TRUE, FALSE)


def either(*parts: Term) -> Term:
    """The disjunction of formulas, without those that say nothing."""
    return connective("or", parts, FALSE, TRUE)


def denied(part: Term) -> Term:
    """The negation of a formula."""
    if part in (TRUE, FALSE):
        return FALSE if part == TRUE else TRUE
    return part[1] if isinstance(part, tuple) and part[0] == "not" else ("not", part)


def numeral(value: int) -> Term:
    """An integer as a term."""
    return str(value) if value >= 0 else ("-", str(-value))


@dataclass(frozen=True)
class Number:
    """An arbitrary number, such as a time; ∞ under the formula `infinite`, where the term means nothing.

    What is known to be `natural` is compared with a negative number without a question.
    """

    term: Term
    infinite: Term = FALSE
    natural: bool = False

    @property
    def text(self) -> str:
        """The term in SMT-LIB."""
        return written(self.term)


@dataclass(frozen=True)
class Truth:
    """A truth value that depends on arbitrary ones."""

    term: Term


class Opaque:
    """A value of which a contract alone is known; `single` says that its identity says something."""

    single = False

    def attributes(self) -> Mapping[str, Any]:
        """The attributes and `Method`s by name; `len()`, `[]` and `del [:]` are those that Python's syntax calls."""
        return {}


@dataclass(frozen=True)
class Method:
    """A function that is known by its contract: it is given the execution and the arguments."""

    call: Callable[..., Any]


class Made:
    """An object that the code makes, of a class that is translated."""

    def __init__(self, kind: type) -> None:
        """An object without attributes."""
        self.kind = kind
        self.state: dict[str, Any] = {}


@dataclass(frozen=True)
class _Bound:
    function: FunctionType
    made: Made


@dataclass(frozen=True)
class _Super:
    owner: type
    made: Made


@dataclass(frozen=True)
class Vocabulary:
    """The objects that code may name besides constants, functions and classes that are translated themselves.

    These stand, by identity, for their meanings. On objects of types of expressions, operators `|`, `+`, `-` and some
    methods are applied as they are.
    """

    meanings: tuple[tuple[object, Any], ...] = ()
    expressions: type | tuple[type, ...] = ()
    methods: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Path(Generic[ResultT]):
    """One way through the code: its conditions, and its result; None if it ends in an exception.

    Facts are known of values that contracts provided; duties are preconditions of what the code called, which it has
    to have established, in words and as formulas.
    """

    terms: tuple[Term, ...]
    facts: tuple[str, ...]
    duties: tuple[tuple[str, str], ...]
    result: ResultT | None

    @property
    def conditions(self) -> tuple[str, ...]:
        """Path condition in SMT-LIB."""
        return tuple(map(written, self.terms))

    @property
    def condition(self) -> str:
        """The conditions and facts as one formula."""
        return conjunction((*self.conditions, *self.facts))


@dataclass
class Execution:
    """One way through the code: answers its questions according to a plan, and notes what it was asked."""

    plan: tuple[bool, ...] = ()
    answers: list[bool] = field(default_factory=list)
    conditions: list[Term] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    duties: list[tuple[str, str]] = field(default_factory=list)
    constants: dict[str, str] = field(default_factory=dict)

    def decide(self, formula: Term) -> bool:
        """The truth of a formula on this path; what follows from an earlier answer is not asked again."""
        if formula in (TRUE, FALSE):
            return formula == TRUE
        if formula in self.conditions:
            return True
        if denied(formula) in self.conditions:
            return False
        answer = self.plan[len(self.answers)] if len(self.answers) < len(self.plan) else True
        self.answers.append(answer)
        self.conditions.append(formula if answer else denied(formula))
        return answer

    def constant(self, hint: str, sort: str) -> str:
        """A new constant: an arbitrary value that a contract provides. Equal hints give equal names on all paths."""
        name = f"{hint}.{1 + sum(other.startswith(f'{hint}.') for other in self.constants)}"
        self.constants[name] = sort
        return name

    def require(self, what: str, formula: str) -> None:
        """Note a precondition that must follow from the conditions of the path so far."""
        so_far = [negation(part) for part in (*map(written, self.conditions), *self.facts)]
        self.duties.append((what, disjunction((*so_far, formula))))


def explore(run: Callable[[Execution], ResultT]) -> tuple[list[Path[ResultT]], dict[str, str]]:
    """Every path through a run, and the constants that contracts introduced, with their sorts."""
    paths: list[Path[ResultT]] = []
    constants: dict[str, str] = {}
    plans: list[tuple[bool, ...]] = [()]
    while plans:
        execution = Execution(plans.pop())
        result: ResultT | None = None
        try:
            result = run(execution)
        except Raised as error:
            execution.require(f"no {error}", FALSE)
        constants |= execution.constants
        paths.append(Path(tuple(execution.conditions), tuple(execution.facts), tuple(execution.duties), result))
        if len(paths) > MAX_PATHS:
            raise NotTranslated(f"there are more than {MAX_PATHS} ways through the code")
        for position in range(len(execution.plan), len(execution.answers)):
            plans.append((*execution.answers[:position], False))
    return paths, constants


def merged(ways: Sequence[tuple[tuple[Term, ...], Term]]) -> Term:
    """One term for all ways through the code, by the answers that they take; they part at their first question."""
    term = ways[0][1]
    if all(value == term for _, value in ways):
        return term
    first = ways[0][0][0]
    branches: tuple[list[tuple[tuple[Term, ...], Term]], ...] = ([], [])
    for (answer, *others), value in ways:
        if answer not in (first, denied(first)):
            raise NotTranslated("two ways through the code ask different things first")
        branches[answer != first].append((tuple(others), value))
    return ("ite", first, *map(merged, branches))


@cache
def definition(code: CodeType) -> ast.FunctionDef | ast.Lambda:
    """The syntax tree of a function, whose source is compiled again: the result has to be the code that runs.

    Raises:
        NotTranslated: its source is not there, or is not what was compiled.
    """
    where = f"{code.co_filename}:{code.co_firstlineno}: {code.co_qualname}"
    linecache.checkcache(code.co_filename)
    try:
        tree, compiled = _compiled("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        raise NotTranslated(f"{where}: its source is no program") from None
    if code not in compiled:
        raise NotTranslated(f"{where}: the code that runs is not that of its source")
    there = (code.co_firstlineno, code.co_name, code.co_varnames[: code.co_argcount])
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda | ast.FunctionDef):
            name, above = ("<lambda>", []) if isinstance(node, ast.Lambda) else (node.name, node.decorator_list)
            line = min(each.lineno for each in (node, *above))
            if (line, name, tuple(each.arg for each in node.args.args)) == there:
                found.append(node)
    if len(found) != 1:
        raise NotTranslated(f"{where}: several functions of this name begin on one line")
    return found[0]


@lru_cache(maxsize=64)
def _compiled(text: str) -> tuple[ast.Module, frozenset[CodeType]]:
    """The syntax tree of a program, and the code of its functions."""
    tree = ast.parse(text)
    return tree, frozenset(_codes(compile(tree, "<source>", "exec", dont_inherit=True)))


def _codes(code: CodeType) -> Iterable[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


_NOTHING = object()


def _looked_up(kind: type, name: str, after: type | None = None) -> object:
    """An attribute of a class, as Python looks it up, behind another class as `super` does; `_NOTHING` if none."""
    if type(kind) not in _METACLASSES:
        raise NotTranslated(f"{kind.__name__} is of the metaclass {type(kind).__name__}")
    order = kind.__mro__[:-1]
    if after is not None and after not in order:
        raise NotTranslated(f"{after.__name__} is no base of {kind.__name__}")
    for each in order:
        for special in _LOOKUP:
            if special in vars(each) and not (special == "__new__" and each.__module__ == "typing"):
                raise NotTranslated(f"{each.__name__} has a {special}")
    for each in order if after is None else order[order.index(after) + 1 :]:
        if name in vars(each):
            return vars(each)[name]
    return _NOTHING


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class Interpreter:
    """Interprets functions on one way through the code."""

    def __init__(self, execution: Execution, vocabulary: Vocabulary, asked: Callable[[Any], Any] | None = None) -> None:
        """Args: asked: what a generator is sent for each value that it yields; None refuses generators."""
        self.execution = execution
        self.vocabulary = vocabulary
        self.asked = asked
        self.stack: list[CodeType] = []

    def call(self, called: Any, arguments: Sequence[Any], named: Mapping[str, Any] | None = None) -> Any:
        """Value of a call of a function, a method, a class, or a function with a contract."""
        match called:
            case Method(call):
                return call(self.execution, *arguments, **(named or {}))
            case _Bound(function, made):
                return self._run(function, (made, *arguments), named or {})
            case FunctionType():
                return self._run(called, arguments, named or {})
            case partial() if type(called) is partial and not called.keywords:
                given = [self.known(each) for each in called.args]
                return self.call(self.known(called.func), (*given, *arguments), named)
            case type():
                made = Made(called)
                if _looked_up(called, "__init__") is not _NOTHING:
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
            found = _looked_up(owner.kind, name)
            slot = found is _NOTHING or isinstance(found, MemberDescriptorType)
            if name in owner.state and (slot or not hasattr(type(found), "__set__")):
                return owner.state[name]
            if slot:
                raise Raised(f"AttributeError: {owner.kind.__name__} has no {name!r}")
            return self._of_class(owner, name, found)
        if isinstance(owner, _Super):
            found = _looked_up(owner.made.kind, name, after=owner.owner)
            if found is not _NOTHING:
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
            return _Bound(found, made)
        if callable(found) and not isinstance(found, staticmethod):
            raise NotTranslated(f"{made.kind.__name__}.{name} is {_described(found)}")
        return self.known(found.__func__ if isinstance(found, staticmethod) else found)

    def assign(self, owner: Any, name: str, value: Any) -> None:
        """Set an attribute of an object that the code makes."""
        if not isinstance(owner, Made):
            raise NotTranslated(f"an attribute of {_described(owner)} is set")
        if name.startswith("__"):
            raise NotTranslated(f"the attribute {name!r} is set")
        found = _looked_up(owner.kind, name)
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
                return Number(numeral(int(self.truth(value))))
            case bool() | int():
                return Number(numeral(int(value)))
            case float() if math.isinf(value) and value > 0:
                return Number("0", TRUE)
        raise NotTranslated(f"{_described(value)} is no number")

    def less(self, left: Any, right: Any) -> Term:
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

    def equal(self, left: Any, right: Any) -> Term:
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

    def builtin(self, name: str, execution: Execution, *arguments: Any) -> Any:
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

    def _super(self) -> _Super:
        function, made = self.function, self.names.get(self.first)
        shadowed = "super" in self.local or "super" in function.__globals__
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        owner = cells["__class__"].cell_contents if "__class__" in cells else None
        if shadowed or vars(builtins).get("super") is not _BUILTINS["super"] or not isinstance(owner, type):
            raise NotTranslated("super is not Python's")
        if not isinstance(made, Made):
            raise NotTranslated("super is called outside of a method")
        return _Super(owner, made)


def _place(code: CodeType, line: int) -> str:
    return f"{code.co_filename}:{line}{_LOCATED}{code.co_qualname}"


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node).partition("\n")[0]
    return text if len(text) <= 60 else f"{text[:57]}..."


def _described(value: object) -> str:
    """A value in words."""
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
