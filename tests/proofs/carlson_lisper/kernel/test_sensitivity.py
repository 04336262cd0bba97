"""A change of one symbol in a step, the queue, a rule, an operator or a law changes what the kernel is about."""

import linecache
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from detectors.carlson_lisper.source import figure2, steps, transformation
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue
from detectors.carlson_lisper.source.transformation import RULES, Transformed
from laws.carlson_lisper.claims import laws_from_toml
from proofs.carlson_lisper.kernel.gallina import generated, law_definition, operator_definition
from proofs.carlson_lisper.kernel.programs import all_steps, queue_definitions, rule_case, step_definitions
from semantics.carlson_lisper.expressions import evaluate_bound
from semantics.carlson_lisper.operators import OPERATORS
from smt.python.paths import NotTranslated, Number
from tests.laws.carlson_lisper.conjectures import changed_operators
from tests.mutation import Mutation, mutations

STEPS = {
    "DisjunctionStep": "dis", "ConjunctionStep": "con", "NegationStep": "neg", "SequenceStep": "seq",
    "BoundedSequenceStep": "bounded_seq", "RestrictionStep": "tim",
}  # fmt: skip


def altered(module: ModuleType, text: str, name: str) -> Any:
    """The module with another text, whose functions can be read; ⟨⟩ and outcomes are the ones that everybody knows."""
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    made = ModuleType(module.__name__)
    exec(compile(text, file, "exec", dont_inherit=True), vars(made))
    vars(made).update(NON_OCCURRENCE=NON_OCCURRENCE, Transformed=Transformed)
    return made


def steps_text(module: Any, where: str = "") -> str:
    """What is written of the step in whose class a place is; of all steps where it is in none."""
    vars(module)["CandidateQueue"] = CandidateQueue

    def plain(kind: type) -> Callable[..., object]:
        return lambda _: kind()

    def of_label(kind: type) -> Callable[..., object]:
        return lambda operation: kind(operation.label)

    def of_bound(kind: type) -> Callable[..., object]:
        return lambda operation: kind(evaluate_bound(operation.bound))

    some = [name for name in STEPS if where.startswith(name)] or STEPS
    factories = {"bounded_seq": of_label, "tim": of_bound}
    more: dict[str, Any] = {"bounded_seq": {"label": Number("ticks")}, "tim": {"arity": 1, "bounded": True}}
    return "\n".join(
        step_definitions(short, factories.get(short, plain)(getattr(module, name)), **more.get(short, {}))
        for name, short in STEPS.items()
        if name in some
    )


def queue_text(module: Any, _: str = "") -> str:
    return "\n".join(queue_definitions(module.CandidateQueue))


def choice_text(module: Any, _: str = "") -> str:
    return "\n".join(all_steps(module.STEPS, module.BOUNDED_STEPS))


def rules_text(module: Any, _: str = "") -> str:
    return "\n".join(rule_case(operator, module.RULES) for operator in OPERATORS.values())


def enclosing(module: ModuleType, mutation: Mutation) -> str:
    """The class or function of the module, and the method, in which a mutation is."""
    lines = Path(str(module.__file__)).read_text("utf-8").splitlines()[: mutation.line]
    outer = [line for line in lines if line.startswith(("class ", "def "))][-1].split()[1]
    inner = [line for line in lines if line.startswith(("    def ", "class ", "def "))][-1].split()[1]
    return outer.partition("(")[0].rstrip(":") + "." + inner.partition("(")[0]


READ: dict[str, tuple[ModuleType, Callable[..., str], Callable[[str], bool]]] = {
    "steps": (steps, steps_text, lambda where: "Step." in where),
    "queue": (steps, queue_text, lambda where: "CandidateQueue." in where and "contents" not in where),
    "choice of a step": (figure2, choice_text, lambda where: "_sequence" in where),
    "rules": (transformation, rules_text, lambda where: where.startswith("_") or "restricted" in where),
}
"""What the kernel reads: the module, what is written from it, and which functions that is."""

HARMLESS = {"rules": {"_restriction._restriction: 0 becomes 1"}}
"""What nobody notices: a temporal restriction always has a bound."""


@pytest.mark.slow
@pytest.mark.parametrize("part", list(READ))
def test_a_change_of_one_symbol_in_the_code_is_another_text_or_refused(part: str) -> None:
    module, written, is_read = READ[part]
    text = Path(str(module.__file__)).read_text("utf-8")
    whole = written(altered(module, text, f"{part} unchanged"))
    unnoticed, tried = set(), 0
    for mutation in mutations(module.__name__, text):
        where = enclosing(module, mutation)
        if is_read(where) and "repr" not in where:
            tried += 1
            try:
                found = written(altered(module, mutation.applied(text), str(mutation)), where)
            except NotTranslated:
                continue
            if found in whole:
                unnoticed.add(f"{where}: {mutation.before} becomes {mutation.after}")
    assert tried > 1
    assert unnoticed == HARMLESS.get(part, set())


def test_what_is_read_of_the_code_is_what_the_kernel_proves() -> None:
    text = generated()
    for module, written, _ in READ.values():
        whole = Path(str(module.__file__)).read_text("utf-8")
        assert written(altered(module, whole, f"{module.__name__} once more")) in text


@pytest.mark.parametrize(("words", "operator"), list(changed_operators()))
def test_another_definition_of_an_operator_is_another_text(words: str, operator: Any) -> None:
    assert operator_definition(operator) != operator_definition(OPERATORS[operator.name])


def test_another_law_is_another_text() -> None:
    first, second = (
        laws_from_toml(f'[[law]]\nnumber = 1\nstatement = "{text}"\nreading = ""\nsource = ""\n')[0]
        for text in ("(A + B)[t] == (A[t] + B)[t]", "(A + B)[t] == (A[t] + B)")
    )
    assert law_definition(first) != law_definition(second)
    assert "primitive" in law_definition(
        laws_from_toml('[[law]]\nnumber = 1\nstatement = "A[t] == A"\nprimitive = ["A"]\nreading = ""\nsource = ""\n')[
            0
        ]
    )


def test_rules_that_look_at_what_no_proof_knows_are_refused() -> None:
    def trusts_a_label(operation: Any, limit: Any) -> Any:
        left = yield operation.operands[0], limit
        return Transformed(left.expression, limit if operation.label is None else operation.label)

    def looks_inside(operation: Any, limit: Any) -> Any:
        left = yield operation.operands[0], limit
        return left if isinstance(operation.operands[0], str) else Transformed(left.expression, limit)

    def takes_an_original(operation: Any, limit: Any) -> Any:
        yield operation.operands[0], limit
        return Transformed(operation.operands[0], limit)

    for rule in (trusts_a_label, looks_inside):
        with pytest.raises(NotTranslated):
            rule_case(OPERATORS["con"], {**RULES, "con": rule})
    original = rule_case(OPERATORS["con"], {**RULES, "con": takes_an_original})
    assert original != rule_case(OPERATORS["con"])
