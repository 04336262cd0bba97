"""The rules that run are those of Figure 5: the same calls, the same expressions, labels and bounds.

Lemma 6.1 and Theorem 6.1 hold for many rules: with longer labels, or with restrictions that are not needed, a
transformation is right as well, and its detector stores more. That the rules are no worse than the source's is this
statement, of our own: each rule is executed as for Lemma 6.1, and each way through it does what the printed table
(`proofs.carlson_lisper.printed.transformation`) says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from detectors.carlson_lisper.source.transformation import Rule, transform
from proofs.carlson_lisper.lemmas.extended import ExtendedLogic, ExtendedTime, extended_bound, extended_term
from proofs.carlson_lisper.lemmas.transformation import (
    BOUND,
    RuleOutcome,
    RuleProof,
    limit_term,
    operand_bound,
    rule_proofs,
)
from proofs.carlson_lisper.printed.transformation import (
    FIGURE_5,
    LIMIT,
    OPERANDS,
    OWN,
    PRIMITIVE,
    Printed,
    PrintedCase,
    PrintedRule,
)
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation
from smt.carlson_lisper.obligations import Writer
from smt.obligations import Obligation
from smt.smtlib import FALSE, TRUE, TimeSort, conjunction, disjunction, negation

CLAIM = "figure:5"


def obligations(time: TimeSort, subject: Subject) -> list[Obligation]:
    """One obligation for each way through each rule, and one for event types."""
    found = [_primitive(time, subject.rules)]
    for proof in rule_proofs(time, subject):
        found += [_as_printed(proof, number) for number in range(1, len(proof.paths) + 1)]
    return found


def _as_printed(proof: RuleProof, number: int) -> Obligation:
    """A way through a rule does what the figure says; one that ends in an exception is not taken."""
    path, printed = proof.paths[number - 1], FIGURE_5[proof.operator.name]
    writer = proof.bounds_writer()
    same = FALSE if path.result is None else _same(path.result, printed)
    goal = disjunction((negation(path.condition), same))
    words = f"the {proof.operator.title} is transformed as it is printed"
    return writer.obligation(
        CLAIM, f"{proof.operator.name} {number}", words, [*proof.natural_bounds(), negation(goal)]
    )


def _primitive(time: TimeSort, rules: Mapping[str, Rule]) -> Obligation:
    event = Identifier("A")
    same = all(transform(event, limit, rules) == (event, PRIMITIVE) for limit in (0, 1, float("inf")))
    words = "an event type is returned as it is, with 0"
    return Writer(time).obligation(CLAIM, "primitive", words, [negation(TRUE if same else FALSE)])


def _same(outcome: RuleOutcome, printed: PrintedRule) -> str:
    """The outcome is that of the line that applies, as a formula."""
    calls = dict(outcome.calls)
    if set(calls) != {name for name, _ in printed.calls}:
        return FALSE
    asked = [_equal(calls[name], under) for name, under in printed.calls]
    lines = [conjunction((_applies(case), _returned(outcome, case))) for case in printed.cases]
    return conjunction((*asked, disjunction(lines)))


def _applies(case: PrintedCase) -> str:
    if case.condition is None:
        return TRUE
    left, relation, right = case.condition
    return ExtendedLogic().compare(relation, _term(left), _term(right))


def _returned(outcome: RuleOutcome, case: PrintedCase) -> str:
    return conjunction((_same_text(outcome.expression, case.expression), _equal(outcome.bound, case.bound)))


def _same_text(ours: Expression, printed: Expression) -> str:
    """The two expressions are written alike: operators, operands, bounds and labels."""
    if not (isinstance(ours, Operation) and isinstance(printed, Operation)):
        return TRUE if ours == printed else FALSE
    if ours.operator != printed.operator or len(ours.operands) != len(printed.operands):
        return FALSE
    times = [(ours.bound, printed.bound), (ours.label, printed.label)]
    if any((one is None) != (other is None) for one, other in times):
        return FALSE
    return conjunction(
        (
            *(_equal(one, cast(Any, other)) for one, other in times if one is not None),
            *(_same_text(one, other) for one, other in zip(ours.operands, printed.operands, strict=True)),
        )
    )


def _equal(ours: object, printed: Printed) -> str:
    left, right = extended_term(ours), _term(printed)
    if (left, left.infinite) == (right, right.infinite):
        return TRUE
    return ExtendedLogic().compare("=", left, right)


def _term(printed: Printed) -> ExtendedTime:
    """A time of the figure as a term over the constants of a rule's proof."""
    return extended_bound(printed, _CONSTANTS.__getitem__)


_CONSTANTS: Mapping[str, ExtendedTime] = {
    LIMIT.name: limit_term(),
    OWN.name: ExtendedTime(BOUND),
    **{time.name: operand_bound(name) for name, time in OPERANDS.items()},
}
