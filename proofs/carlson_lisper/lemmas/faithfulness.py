"""Faithfulness of symbolic execution: what code may use so that its run on symbolic values speaks for concrete ones.

A symbolic value raises where code asks it for something that it does not know. But Python has questions that no value
can refuse: `is`, `isinstance`, `hasattr`, whether an exception was swallowed; and places to remember things that no run
sees: lists, classes, closures, default arguments. Here a function's code is looked at before it is executed: the names
that it uses must be known ones, and the constructs that compare, catch or remember behind the back of a symbolic value
must not occur. That nothing is known against the code does not prove that nothing else is unfaithful.
"""

from __future__ import annotations

import builtins
import dis
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FunctionType, GetSetDescriptorType, MappingProxyType, MemberDescriptorType

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, Step

STEP_NAMES = frozenset(
    [
        "NON_OCCURRENCE",
        "CandidateQueue",
        "min",
        "max",
        "super",
        "start",
        "end",
        "join",
        "push",
        "latest_before",
        "evict_before",
        "step",
        "__init__",
    ]
)
"""What a step may use besides its own variables: ⟨⟩, starts and ends, the union, and the contract of a queue."""

QUEUE_NAMES = frozenset(
    [
        "NON_OCCURRENCE",
        "super",
        "start",
        "end",
        "append",
        "push",
        "latest_before",
        "evict_before",
        "__init__",
        "_position",
        "_instances",
        "_ends",
    ]
)
"""What a queue may use: its two lists, its search, and the start and end of an instance."""

STORE_NAMES = QUEUE_NAMES | {"_first", "_next", "_size", "_halved"}
"""What a static queue may use besides: its markers, and the two parts of its search."""

RULE_NAMES = frozenset(
    [
        "min",
        "max",
        "operands",
        "bound",
        "expression",
        "Transformed",
        "restricted",
        "Operation",
        "evaluate_bound",
        "UNBOUNDED",
    ]
)
"""What a rule of the transformation may use; not an operand's kind, nor a label that was there before."""

REPORTS = frozenset({"stored", "variables", "contents", "__len__", "__repr__"})
"""Methods that say what is kept; no lemma about outputs depends on them. Of some, `report_objections` knows more."""

_REFUSED = {
    "IS_OP": "compares identities",
    "CONTAINS_OP": "looks into a collection",
    "STORE_GLOBAL": "changes a global name",
    "DELETE_GLOBAL": "changes a global name",
    "STORE_DEREF": "changes a variable of an enclosing function",
    "DELETE_ATTR": "deletes an attribute",
    "POP_EXCEPT": "handles exceptions",
    "MAKE_FUNCTION": "defines a function",
    "IMPORT_NAME": "imports",
    "BUILD_MAP": "builds a collection",
    "BUILD_SET": "builds a collection",
}
"""Instructions that a symbolic value cannot follow or refuse."""

_CHANGES = frozenset({"STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR"})
"""Instructions that a method which only says what is kept has no use for."""

_PLAIN = (int, float, str, type(None))


def step_objections(kind: type[Step], also: Iterable[str] = ()) -> list[str]:
    """Why a run of a step on symbolic values may not speak for it; none if nothing is known against it."""
    own = {name for each in kind.__mro__ for name in getattr(each, "__slots__", ())}
    return [*_objections(kind, STEP_NAMES | own | {*also})]


def queue_objections(kind: type) -> list[str]:
    """Why a run of a queue on symbolic lists may not speak for it."""
    return [*_objections(kind, QUEUE_NAMES)]


def store_objections(kind: type) -> list[str]:
    """Why a run of a static queue on a symbolic array may not speak for it."""
    return [*_objections(kind, STORE_NAMES)]


def report_objections(kind: type, method: str) -> list[str]:
    """Why a run of a method that counts what is kept, on symbolic values, may not speak for it."""
    function = getattr(kind, method, None)
    if not isinstance(function, FunctionType):
        return [f"{kind.__name__}.{method} is no method"]
    own = {name for each in kind.__mro__ for name in getattr(each, "__slots__", ())}
    names = STEP_NAMES | STORE_NAMES | own | {"len", method}
    return [f"{kind.__name__}.{method} {words}" for words in _in_function(function, names)]


def rule_objections(rule: Callable[..., object]) -> list[str]:
    """Why a run of a rule on arbitrary operands may not speak for it."""
    if not isinstance(rule, FunctionType):
        return [f"{rule!r} is no function"]
    return [*_in_function(rule, RULE_NAMES)]


def sharing_objections(make: Callable[[], object]) -> list[str]:
    """What two steps of one factory have in common, though only one of them may change it."""
    first, second = make(), make()
    return [
        f"two steps share the object in {name!r}"
        for name in _attributes(first)
        if getattr(first, name, None) is getattr(second, name, None)
        and not isinstance(getattr(first, name, None), _PLAIN)
        and getattr(first, name, None) is not NON_OCCURRENCE
    ]


def _attributes(value: object) -> list[str]:
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    return [*slots, *getattr(value, "__dict__", {})]


def _objections(kind: type, names: frozenset[str]) -> Iterator[str]:
    for each in kind.__mro__:
        if each is object:
            continue
        for name, value in vars(each).items():
            where = f"{each.__name__}.{name}"
            if name in REPORTS and isinstance(value, FunctionType):
                changes = any(i.opname in _CHANGES for i in dis.get_instructions(value.__code__))
                yield from [f"{where} changes something"] if changes else []
            if name in REPORTS or (name.startswith("__") and name != "__init__"):
                continue
            if isinstance(value, FunctionType):
                yield from (f"{where} {words}" for words in _in_function(value, names))
            elif not _is_constant(name, value):
                yield f"{where} is a {type(value).__name__} in a class"


def _is_constant(name: str, value: object) -> bool:
    if isinstance(value, (*_PLAIN, staticmethod, MemberDescriptorType, GetSetDescriptorType)):
        return True
    return isinstance(value, tuple | MappingProxyType) or name in ("VARIABLES", "_abc_impl")


def _in_function(function: FunctionType, names: frozenset[str]) -> Iterator[str]:
    if function.__defaults__ or function.__kwdefaults__:
        yield "has default arguments"
    code = function.__code__
    for name in code.co_freevars:
        if name != "__class__":
            yield f"uses {name!r} of an enclosing function"
    for name in code.co_names:
        if name not in names:
            yield f"uses {name!r}"
        elif hasattr(builtins, name) and name in function.__globals__:
            yield f"uses a {name!r} that is not Python's"
    yield from dict.fromkeys(_in_code(code))


def _in_code(code: CodeType) -> Iterator[str]:
    before = ""
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        if name in _REFUSED and not (name == "IS_OP" and before == "NON_OCCURRENCE"):
            yield _REFUSED[name]
        if name == "COMPARE_OP" and ("==" in instruction.argrepr or "!=" in instruction.argrepr):
            yield "compares for equality"
        before = str(instruction.argval)
