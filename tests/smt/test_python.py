"""Translation of Python: what is understood has its true meaning, and everything else is refused with its place."""

import builtins
import linecache
import textwrap
from collections.abc import Callable
from operator import eq, lt, not_, sub
from typing import Any

import pytest
from hypothesis import given, strategies as st

from detectors.carlson_lisper.source import steps
from detectors.carlson_lisper.source.steps import DisjunctionStep
from proofs.carlson_lisper.steps import Subject, step_obligations as obligations
from smt.carlson_lisper.step_terms import ABSENT, SymbolicInstance, step_vocabulary
from smt.python.interpreter import Interpreter
from smt.python.paths import (
    Execution,
    Made,
    NotTranslated,
    Number,
    Opaque,
    Raised,
    Vocabulary,
    explore,
    merged,
    numeral,
)
from smt.smtlib import SExpression, written
from tests.proofs.proving import proved
from tests.tables import table

_NUMBER = iter(range(10**6))


def module(text: str, **names: object) -> dict[str, Any]:
    """The names of a module whose source is at hand, among others."""
    source = textwrap.dedent(text)
    file = f"<tested {next(_NUMBER)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    found: dict[str, Any] = {**vars(steps), **names}
    exec(compile(source, file, "exec", dont_inherit=True), found)
    return found


def step(body: str, before: str = "", members: str = "__slots__ = ()") -> type[Any]:
    """A step with lines of its own before those of another one, after other members of its class."""
    text = (
        f"{before}\nclass Own(DisjunctionStep):\n{textwrap.indent(members, '    ')}\n    def step(self, left, right):\n"
    )
    text += f"{textwrap.indent(body, ' ' * 8)}\n        return super().step(left, right)\n"
    found: type[Any] = module(text)["Own"]
    return found


def refusal(kind: type[Any], claim: str = "lemma:5.2") -> str:
    """Why a step is not translated; "" if it is."""
    operator = {"lemma:5.2": "dis", "lemma:5.3": "con", "lemma:5.4": "neg", "lemma:5.5": "seq"}[claim]
    steps_ = module("make = lambda operation: Own()\n", Own=kind)["make"]
    try:
        obligations(claim, "int", Subject(steps={operator: steps_}))
    except NotTranslated as error:
        return str(error)
    return ""


@pytest.mark.parametrize(("body", "why"), table(__file__, "not-understood"))
def test_what_is_not_understood_is_refused_with_its_place(body: str, why: str) -> None:
    said = refusal(step(body))
    assert why in said
    assert "<tested " in said and ": in Own.step" in said


@pytest.mark.parametrize(("before", "body", "why"), table(__file__, "names"))
def test_names_mean_what_they_mean_where_the_code_runs(before: str, body: str, why: str) -> None:
    assert why in refusal(step(body, before))


@pytest.mark.parametrize(
    ("members", "body", "why"),
    [
        *table(__file__, "own-ways"),
        *(
            (f"def {name}(self, *given):\n    return 1", "pass", f"has a {name}")
            for name in ("__getattribute__", "__getattr__", "__setattr__", "__new__")
        ),
    ],
)
def test_what_a_class_looks_up_in_a_way_of_its_own_is_refused(members: str, body: str, why: str) -> None:
    assert why in refusal(step(body, members=members))


@pytest.mark.parametrize(("text", "why"), table(__file__, "no-methods"))
def test_a_step_that_is_no_method_of_a_plain_class_is_refused(text: str, why: str) -> None:
    assert why in refusal(module(text)["Own"])


@pytest.mark.parametrize("body", table(__file__, "wrong-steps"))
def test_a_wrong_step_that_is_understood_is_not_proved(body: str) -> None:
    kind = step(body)
    make = module("make = lambda operation: Own()\n", Own=kind)["make"]
    parts = obligations("lemma:5.2", "int", Subject(steps={"dis": make}))
    assert not all(proved(part.text, 200_000) for part in parts)


def test_a_patched_method_is_what_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal(DisjunctionStep) == ""
    patched = module("def step(self, left, right):\n    return left if print(left) else right\n")["step"]
    monkeypatch.setattr(DisjunctionStep, "step", patched)
    assert "print" in refusal(DisjunctionStep)


def test_a_builtin_that_was_replaced_is_what_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = step("left = left if max(left.start, right.start) < 0 else left")
    assert refusal(kind) == ""
    for name, other in (("max", lambda one, other: print(one)), ("super", lambda: None)):
        with monkeypatch.context() as patched:
            patched.setattr(builtins, name, other)
            said = refusal(kind)
        assert "print" in said if name == "max" else "super is not Python's" in said


def test_code_that_is_not_that_of_its_source_is_refused() -> None:
    kind = step("left = left if 1 < 7171 else right")
    file = kind.step.__code__.co_filename
    source = "".join(linecache.getlines(file)).replace("1 < 7171", "7171 < 1")
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    assert "not that of its source" in refusal(kind)
    del linecache.cache[file]
    assert "not that of its source" in refusal(kind)


def test_two_functions_on_one_line_are_refused() -> None:
    found = module("one, other = (lambda x: x), (lambda x: 1)\n")
    with pytest.raises(NotTranslated, match="several functions"):
        Interpreter(Execution(), Vocabulary()).call(found["one"], [1])


def evaluated(term: SExpression, values: dict[str, int]) -> Any:
    if isinstance(term, str):
        known = {"true": True, "false": False, **values}
        return known[term] if term in known else int(term)
    head, *parts = term
    if head == "ite":
        return evaluated(parts[1] if evaluated(parts[0], values) else parts[2], values)
    found = [evaluated(part, values) for part in parts]
    if head == "-" and len(found) == 1:
        return -found[0]
    meanings: dict[Any, Callable[..., Any]] = {"-": sub, "<": lt, "=": eq, "not": not_}
    together: dict[Any, Callable[..., Any]] = {"+": sum, "and": all, "or": any}
    return together[head](found) if head in together else meanings[head](*found)


def expressions() -> st.SearchStrategy[str]:
    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        compared = st.builds("({} {} {})".format, inner, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), inner)
        logical = compared | st.builds("({} {} {})".format, compared, st.sampled_from(["and", "or"]), compared)
        return st.one_of(
            st.builds("({} {} {})".format, inner, st.sampled_from("+-"), inner),
            st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), inner, inner),
            st.builds("({} if {}{} else {})".format, inner, st.sampled_from(["", "not "]), logical, inner),
        )

    return st.recursive(st.sampled_from(["x", "y", "0", "1", "3", "-1"]), larger, max_leaves=6)


@given(
    expressions(), expressions(), st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=8, max_size=8)
)
def test_a_function_of_numbers_has_the_value_that_python_computes(
    first: str, second: str, points: list[tuple[int, int]]
) -> None:
    function = module(
        f"def f(x, y):\n    w = z = {first}\n    if w < y:\n        z, y = y, z\n        z += 1\n"
        f"    return {second} - z\n"
    )["f"]

    def run(execution: Execution) -> SExpression:
        found = Interpreter(execution, Vocabulary()).call(function, [Number("x"), Number("y")])
        return found.term if isinstance(found, Number) else numeral(int(found))

    paths, _ = explore(run)
    term = merged([(path.terms, path.result) for path in paths if path.result is not None])
    for x, y in points:
        assert evaluated(term, {"x": x, "y": y}) == function(x, y)


def test_instances_start_end_and_are_joined() -> None:
    interpreter = Interpreter(Execution(), step_vocabulary(lambda _: Opaque()))
    function: Callable[..., Any] = module("def f(a, b):\n    return a.join(b)\n")["f"]
    joined = interpreter.call(function, [SymbolicInstance("a"), SymbolicInstance("b")])
    assert written(joined.term) == "(join a b)"
    interpreter.call(function, [SymbolicInstance("a"), ABSENT])
    assert interpreter.execution.duties
    with pytest.raises(Raised):
        interpreter.call(function, [ABSENT, SymbolicInstance("a")])


def test_attributes_are_looked_up_as_python_does() -> None:
    text = """
    class Base:
        bound = 3
        def get(self):
            return 1
    class Own(Base):
        def __init__(self):
            self.bound = 4
            self.get = 5
        def both(self):
            return self.bound + super().get() - self.get
    """
    own = module(text)["Own"]
    made = Interpreter(Execution(), Vocabulary()).call(own, [])
    assert isinstance(made, Made)
    assert Interpreter(Execution(), Vocabulary()).method(made, "both") == own().both()
