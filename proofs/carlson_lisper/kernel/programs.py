"""Gallina for the code that runs: steps, the queue of candidates and rules, translated from their syntax trees.

Each becomes a decision tree (`smt.python`), which `Figures.v` proves to compute what Figures 2, 4 and 5 and the
contract of the queue say.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from detectors.carlson_lisper.source.figure2 import BOUNDED_STEPS, STEPS
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue
from detectors.carlson_lisper.source.transformation import RULES, Rule
from semantics.carlson_lisper.expressions import UNBOUNDED
from semantics.carlson_lisper.operators import Operator
from smt.carlson_lisper.step_terms import OperationTerm, OutcomeTerm, made_step, rule_vocabulary, step_vocabulary
from smt.python import paths
from smt.python.interpreter import Interpreter
from smt.python.paths import Execution, Made, Method, NotTranslated, Number, Opaque, Raised, Term, explore, merged
from smt.smtlib import FALSE


def _number(value: Any) -> Term:
    match value:
        case Number(term, infinite) if infinite == FALSE:
            return term
        case int() if not isinstance(value, bool):
            return paths.numeral(value)
    raise NotTranslated(f"{value!r} is no number of the kernel")


def _label(value: Any) -> Term:
    match value:
        case Number(term, infinite) if infinite != FALSE:
            return ("label_of", infinite, term)
        case float():
            return "Inf"
    return ("Fin", _number(value))


def _tree(run: Callable[[Execution], Term], raised: Term | None = None) -> str:
    """The decision tree of what a run returns, and of what stands for an exception if it may end in one."""
    ways = []
    for path in explore(run)[0]:
        result = raised if path.result is None else path.result
        if result is None or (raised is None and (path.duties or path.facts)):
            raise NotTranslated(f"a way through the code ends in an exception: {path.duties}")
        ways.append((path.terms, result))
    return _written(merged(ways))


def _state(parts: Sequence[str]) -> str:
    return "tt" if not parts else parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


_INFIX = {"<": "<?", "=": "=?", "<=": "<=?", "+": "+", "and": "&&", "or": "||", "++": "++"}


def _written(term: Term) -> str:
    match term:
        case str():
            return term
        case ("ite", test, yes, no):
            return f"if {_written(test)} then {_written(yes)}\n  else {_written(no)}"
        case ("state", *parts):
            return _state(list(map(_written, parts)))
        case ("outcome", *parts):
            return f"({', '.join(map(_written, parts))})"
        case ("list", part):
            return f"[{_written(part)}]"
        case ("not", part):
            return f"(negb {_written(part)})"
        case ("-", part):
            return f"(- {_written(part)})"
        case ("-", left, right):
            return f"({_written(left)} - {_written(right)})"
        case (str(head), *parts) if head in _INFIX:
            return f"({f' {_INFIX[head]} '.join(map(_written, parts))})"
        case (str(head), *parts):
            return f"({' '.join([head, *map(_written, parts)])})"
    raise NotTranslated(f"{term!r} is no term of the kernel")


@dataclass(frozen=True)
class _Occurrence(Opaque):
    """An instance or ⟨⟩: a term of type `option inst`."""

    term: Term

    def attributes(self) -> Mapping[str, Any]:
        join = Method(lambda _, other: _Occurrence(("ojoin", self.term, _occurrence(other))))
        return {"start": Number(("ostart", self.term)), "end": Number(("oend", self.term)), "join": join}


NONE = _Occurrence("None")


def _occurrence(value: Any) -> Term:
    if isinstance(value, _Occurrence):
        return value.term
    raise NotTranslated(f"{value!r} is neither an instance nor ⟨⟩")


def _length_of(value: _Queue | _List) -> Method:
    return Method(lambda _: Number(("Z.of_nat", ("length", value.term))))


class _Queue(Opaque):
    """A queue of candidates: a term of type `list inst`, which methods replace."""

    def __init__(self, term: Term) -> None:
        self.term = term

    def attributes(self) -> Mapping[str, Any]:
        """What the methods of `CandidateQueue` do; `Instances.v` has their definitions."""

        def evict(_: Execution, time: Any) -> _Occurrence:
            evicted = ("evict_before", self.term, _number(time))
            self.term = ("fst", evicted)
            return _Occurrence(("snd", evicted))

        def push(_: Execution, instance: Any) -> None:
            self.term = ("push", self.term, _occurrence(instance))

        latest = Method(lambda _, time: _Occurrence(("latest_before", self.term, _number(time))))
        methods = {"latest_before": latest, "evict_before": Method(evict), "push": Method(push)}
        return {**methods, "len()": _length_of(self)}


_VOCABULARY = step_vocabulary(lambda _: _Queue("nil"), NONE)

_SYMBOLS: Mapping[str, tuple[str, Callable[[], Any]]] = {
    "l": ("option inst", lambda: _Occurrence("l")),
    "r": ("option inst", lambda: _Occurrence("r")),
    "t": ("Z", lambda: Number("t")),
    "q": ("list inst", lambda: _Queue("q")),
}
"""The auxiliary variables by the source's names: their types, and their values at the beginning of a step."""


def step_definitions(name: str, factory: object, arity: int = 2, label: Any = None, *, bounded: bool = False) -> str:
    """The initial state of a step, what it does at one instant, and what it says of its storage.

    The factory makes the step of an operation with a label, or with the bound `ticks` if it is bounded.
    """
    operation = OperationTerm(("A", "B")[:arity], Number("ticks") if bounded else None, label)
    parameter = " (ticks : Z)" if bounded or isinstance(label, Number) else ""

    def made(execution: Execution) -> tuple[Interpreter, Made]:
        interpreter = Interpreter(execution, _VOCABULARY)
        return interpreter, made_step(interpreter, factory, operation)

    kinds = {path.result for path in explore(lambda execution: made(execution)[1].kind)[0]}
    if len(kinds) != 1 or None in kinds:
        raise NotTranslated(f"the step for {name} is of several kinds")
    variables: Mapping[str, str] = getattr(kinds.pop(), "VARIABLES", {})

    def state(step: Made) -> Term:
        held = (step.state[attribute] for attribute in variables.values())
        return ("state", *(each.term if isinstance(each, _Occurrence | _Queue) else _number(each) for each in held))

    def begun(execution: Execution) -> tuple[Interpreter, Made]:
        interpreter, step = made(execution)
        given = dict(step.state)
        step.state |= {attribute: _SYMBOLS[variable][1]() for variable, attribute in variables.items()}
        if step.state.keys() != given.keys():
            raise NotTranslated(f"the step for {name} has not all its variables at first")
        return interpreter, step

    def stepped(execution: Execution) -> Term:
        interpreter, step = begun(execution)
        given = dict(step.state)
        output = interpreter.method(step, "step", [_Occurrence("left"), _Occurrence("right")])
        if {**step.state, **dict.fromkeys(variables.values())} != {**given, **dict.fromkeys(variables.values())}:
            raise NotTranslated(f"the step for {name} changes what is no variable of it")
        return ("outcome", state(step), _occurrence(output))

    def stored(execution: Execution) -> Term:
        interpreter, step = begun(execution)
        return _number(interpreter.number(interpreter.method(step, "stored")))

    def bound(execution: Execution) -> Term:
        return _label(Interpreter.attribute(*made(execution), "bound"))

    type_ = " * ".join(_SYMBOLS[variable][0] for variable in variables) or "unit"
    names = _state(list(variables)) if variables else "_"
    return (
        f"Definition {name}_initial : {type_} := {_tree(lambda execution: state(made(execution)[1]))}.\n"
        f"Definition {name}_code{parameter} (state : {type_}) (left right : option inst) : ({type_}) * option inst :=\n"
        f"  let '{names} := state in\n  {_tree(stepped)}.\n"
        f"Definition {name}_stored{parameter} (state : {type_}) : Z := let '{names} := state in {_tree(stored)}.\n"
        f"Definition {name}_bound{parameter} : label := {_tree(bound)}."
    )


def all_steps(figure2: Mapping[str, object] = STEPS, figure4: Mapping[str, object] = BOUNDED_STEPS) -> list[str]:
    """The steps of both figures, which differ in sequences with a finite label; `NotTranslated` where in others too."""
    unlabelled = step_definitions("seq", figure2["seq"])
    if step_definitions("seq", figure4["seq"], label=UNBOUNDED) != unlabelled:
        raise NotTranslated("the step of Figure 4 for a sequence labelled ∞ is not that of Figure 2")
    if any(figure4[name] is not figure2[name] for name in figure2 if name != "seq"):
        raise NotTranslated("Figure 4 has a step of its own for another operator than the sequence")
    return [
        *(step_definitions(name, figure2[name]) for name in ("dis", "con", "neg")),
        unlabelled,
        step_definitions("bounded_seq", figure4["seq"], label=Number("ticks")),
        step_definitions("tim", figure2["tim"], 1, bounded=True),
    ]


class _List(Opaque):
    """A list of Python: a term of type `list inst` or `list Z`."""

    def __init__(self, term: Term, item: Callable[[Any], Term]) -> None:
        self.term = term
        self.item = item

    def attributes(self) -> Mapping[str, Any]:
        changes = {"append": Method(self._append), "del [:]": Method(self._delete)}
        return {**changes, "[]": Method(self._item), "len()": _length_of(self)}

    def _append(self, _: Execution, value: Any) -> None:
        self.term = ("++", self.term, ("list", self.item(value)))

    def _delete(self, _: Execution, stop: Any) -> None:
        self.term = ("without_first", self.term, _number(stop))

    def _item(self, execution: Execution, index: Any) -> _Occurrence:
        if self.item is not _instance:
            raise NotTranslated("an end is read")
        if not execution.decide(("within", self.term, _number(index))):
            raise Raised("IndexError")
        return _Occurrence(("item", self.term, _number(index)))


def _instance(value: Any) -> Term:
    match value:
        case _Occurrence(("Some", instance)):
            return instance
    raise NotTranslated("what is appended is not the instance that is pushed")


def _searched(_: Execution, ends: Any, time: Any) -> Number:
    if not isinstance(ends, _List) or ends.item is not _number:
        raise NotTranslated("the queue searches something else than the ends")
    return Number(("bisect_left", ends.term, _number(time)))


_QUEUE_METHODS: Mapping[str, tuple[str, str, Any]] = {
    "push": ("(i : inst)", "unit", _Occurrence(("Some", "i"))),
    "latest_before": ("(t : Z)", "option inst", Number("t")),
    "evict_before": ("(t : Z)", "option inst", Number("t")),
    "__len__": ("", "Z", None),
}
"""The methods that steps call: the parameter, the type of the result, and what is given."""


def queue_definitions(queue: type = CandidateQueue) -> list[str]:
    """The methods of the queue on two lists: these afterwards, and the result; None for a raise; or `NotTranslated`."""
    known = paths.Vocabulary(((NON_OCCURRENCE, NONE), (bisect_left, Method(_searched))))
    for path in explore(lambda execution: Interpreter(execution, known).call(queue, []))[0]:
        lists = {} if path.result is None else path.result.state
        if lists != {"_instances": [], "_ends": []} or lists["_instances"] is lists["_ends"]:
            raise NotTranslated("a new queue is not two empty lists")

    def definition(method: str) -> str:
        parameter, result, given = _QUEUE_METHODS[method]

        def run(execution: Execution) -> Term:
            interpreter = Interpreter(execution, known)
            made = Made(queue)
            lists = {"_instances": _List("q", _instance), "_ends": _List("ends", _number)}
            made.state = dict(lists)
            found = interpreter.method(made, method, [] if given is None else [given])
            if made.state != lists:
                raise NotTranslated("the queue has other lists afterwards, or something beside them")
            if result == "unit" and found is not None:
                raise NotTranslated(f"{method} returns something")
            returned: Term = "tt"
            if result != "unit":
                returned = _number(found) if result == "Z" else _occurrence(found)
            return ("Some", ("outcome", lists["_instances"].term, lists["_ends"].term, returned))

        return (
            f"Definition queue_{method.strip('_')} (q : list inst) (ends : list Z) {parameter}"
            f" : option (list inst * list Z * {result}) :=\n  {_tree(run, 'None')}."
        )

    return list(map(definition, _QUEUE_METHODS))


@dataclass(frozen=True)
class _Expression(Opaque):
    """An arbitrary expression: a term of type `expr`."""

    term: Term

    def __or__(self, other: _Expression) -> _Expression:
        return _Expression(("Dis", self.term, other.term))

    def __add__(self, other: _Expression) -> _Expression:
        return _Expression(("Con", self.term, other.term))

    def __sub__(self, other: _Expression) -> _Expression:
        return _Expression(("Neg", self.term, other.term))


def _operation(_: Execution, operator: str, operands: Any, bound: Any = None, label: Any = None) -> _Expression:
    match operator, operands:
        case "seq", (_Expression(left), _Expression(right)) if bound is None and label is not None:
            return _Expression(("Seq", ("Some", _label(label)), left, right))
        case "tim", (_Expression(operand),) if label is None:
            return _Expression(("Tim", operand, _number(Number(bound.term) if isinstance(bound, Number) else bound)))
    raise NotTranslated(f"an operation {operator!r} of another form")


def rule_case(operator: Operator, rules: Mapping[str, Rule] = RULES) -> str:
    """The case of an operator in the transformation; its operands are transformed by recursion."""
    if operator.name not in rules or operator.name not in _HEADS:
        raise NotTranslated(f"the operator {operator.name} is not one of the kernel's")
    names = ("a", "b")[: operator.arity]

    def run(execution: Execution) -> Term:
        def asked(request: Any) -> OutcomeTerm:
            if not (isinstance(request, tuple) and len(request) == 2 and isinstance(request[0], _Expression)):
                raise NotTranslated("a rule asks for something else than an operand and a restriction")
            if request[0].term not in names:
                raise NotTranslated("a rule transforms something else than an operand")
            made = ("transformed", request[0].term, _label(request[1]))
            return OutcomeTerm(
                _Expression(("fst", made)), Number(("value", ("snd", made)), ("infinite", ("snd", made)))
            )

        operands = tuple(map(_Expression, names))
        operation = OperationTerm(operands, Number("own") if operator.bounded else None, with_label=False)
        limit = Number(("value", "limit"), ("infinite", "limit"))
        found = Interpreter(execution, rule_vocabulary(_operation, _Expression), asked).call(
            rules[operator.name], [operation, limit]
        )
        if not isinstance(found, OutcomeTerm) or not isinstance(found.expression, _Expression):
            raise NotTranslated("a rule returns something else than what is transformed")
        return ("outcome", found.expression.term, _label(found.bound))

    return f"  | {_HEADS[operator.name]} => {_tree(run)}"


_HEADS = {"dis": "Dis a b", "con": "Con a b", "neg": "Neg a b", "seq": "Seq _ a b", "tim": "Tim a own"}
