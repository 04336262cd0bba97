"""Section 6: the laws with bounds that may be ∞, and the rules of the transformation that runs, translated.

Lemma 6.1 and Theorem 6.1 go by induction over the structure of the expression. For each operator the rule is translated
with an arbitrary restriction τ ∈ 𝒯 ∪ {∞}; where it asks for the transformation of an operand X under λ, it gets an
arbitrary expression X' and an arbitrary bound for which the lemma is assumed: X_λ ≡ X'_λ and X' ≡ X'_bound. For each
way through the rule the lemma's two conclusions are obligations, and so is what Theorem 6.1 says of labels.

The lemmas hold for many rules: with longer labels, or with restrictions that are not needed, a transformation is right
as well, and its detector stores more. That the rules that run are those of Figure 5 is a statement of our own: each way
through a rule does what the printed table (`proofs.carlson_lisper.printed.transformation`) says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from detectors.carlson_lisper.source.transformation import Rule, Transformed, transform
from laws.carlson_lisper.claims import EquationClaim, laws
from proofs.carlson_lisper.printed.transformation import (
    FIGURE_5,
    OPERANDS,
    OWN,
    PRIMITIVE,
    Printed,
    PrintedCase,
    PrintedRule,
)
from proofs.carlson_lisper.printed.transformation import LIMIT as PRINTED_LIMIT
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import (
    UNBOUNDED,
    BoundExtremum,
    BoundParameter,
    Expression,
    Identifier,
    Operation,
    bottom_up,
    evaluate_bound,
)
from semantics.carlson_lisper.operators import Operator
from semantics.carlson_lisper.syntax import parse_equation
from semantics.formulas import StreamView
from smt.carlson_lisper.obligations import Writer, directions, equation_assertions
from smt.carlson_lisper.step_terms import OperationTerm
from smt.carlson_lisper.symbolic import SymbolicLogic, parameter_name
from smt.obligations import Obligation
from smt.python_terms import (
    Execution,
    Interpreter,
    Method,
    NotTranslated,
    Number,
    Opaque,
    Path,
    Vocabulary,
    explore,
    numeral,
)
from smt.s_expressions import written
from smt.smtlib import FALSE, SORT, TRUE, TimeSort, conjunction, disjunction, negation, symbol

# -------------------------------------------------------------------------------------------- bounds that may be ∞

INFINITE = "theorem:4.4.infinite"


class ExtendedTime(str):
    """A term for a time that may be ∞; `infinite` is the formula under which it is, the term then means nothing."""

    __slots__ = ("infinite",)
    infinite: str

    def __new__(cls, term: str, infinite: str = FALSE) -> ExtendedTime:
        """The time that a term denotes."""
        made = super().__new__(cls, term)
        made.infinite = infinite
        return made


def _infinite(time: str) -> str:
    return time.infinite if isinstance(time, ExtendedTime) else FALSE


class ExtendedLogic(SymbolicLogic):
    """The symbolic logic over times that may be ∞, which is after every other time."""

    def compare(self, relation: str, left: str, right: str) -> str:
        """The comparison of two times by `<`, `<=` or `=`."""
        finite = super().compare(relation, str(left), str(right))
        before, after = _infinite(left), _infinite(right)
        if relation == "<":
            return conjunction((negation(before), disjunction((after, finite))))
        if relation == "<=":
            return disjunction((after, conjunction((negation(before), finite))))
        return disjunction((conjunction((before, after)), conjunction((negation(before), negation(after), finite))))


def extended_term(value: object) -> ExtendedTime:
    """A time, a number or ∞ as a term: a symbolic one, an integer, or what is a term."""
    match value:
        case Number():
            return ExtendedTime(value.text, written(value.infinite))
        case ExtendedTime():
            return value
        case int():
            return ExtendedTime(written(numeral(value)))
        case str():
            return ExtendedTime(value)
    if value == UNBOUNDED:
        return ExtendedTime("0", TRUE)
    raise NotTranslated(f"{value!r} is no time")


def _parameter(name: str) -> ExtendedTime:
    """A bound t that may be ∞, under the flag `bound.t.infinite`."""
    return ExtendedTime(symbol(parameter_name(name)), symbol(f"{parameter_name(name)}.infinite"))


def extended_bound(bound: object, parameter: Callable[[str], ExtendedTime] = _parameter) -> ExtendedTime:
    """A bound as a term, given the terms of its parameters, which may be ∞."""
    match bound:
        case BoundParameter(name):
            return parameter(name)
        case BoundExtremum(function, first, second):
            left, right = extended_bound(first, parameter), extended_bound(second, parameter)
            smaller = ExtendedLogic().compare("<=", left, right)
            chosen = (left, right) if function == "min" else (right, left)
            infinite = f"(ite {smaller} {chosen[0].infinite} {chosen[1].infinite})"
            return ExtendedTime(f"(ite {smaller} {chosen[0]} {chosen[1]})", infinite)
        case known:
            return extended_term(known)


def infinite_laws(time: TimeSort, subject: Subject) -> list[Obligation]:
    """Each law with symbolic bounds, for bounds that may be ∞."""
    found = []
    for law in laws():
        if not law.parameters:
            continue
        for direction in directions(law):
            writer = Writer(time, subject.operators, ExtendedLogic())
            for name in law.parameters:
                writer.declare(symbol(f"{parameter_name(name)}.infinite"), "Bool")
            assertions = equation_assertions(writer, law, direction, extended_bound)
            part = f"{law.id.replace(':', ' ')} {direction}"
            found.append(writer.obligation(INFINITE, part, f"{law.statement}, where a bound may be ∞", assertions))
    return found


# ---------------------------------------------------------------------------------------- Lemma 6.1 and Theorem 6.1

LEMMA, THEOREM = "lemma:6.1", "theorem:6.1"

LIMIT, BOUND = "limit", "tau"
"""The restriction that a rule is given, and the bound of the temporal restriction that it transforms."""


@dataclass(frozen=True)
class _Outcome(Opaque):
    """What `Transformed` stands for."""

    expression: Expression
    bound: object

    def attribute(self, name: str, execution: Execution) -> Any:
        """Its two parts."""
        return getattr(self, name) if name in ("expression", "bound") else super().attribute(name, execution)


def _operation(_: Execution, operator: str, operands: Any, bound: Any = None, label: Any = None) -> Operation:
    return Operation(operator, operands, bound, label)


VOCABULARY = Vocabulary(
    (
        (Transformed, Method(lambda _, expression, bound: _Outcome(expression, bound))),
        (Operation, Method(_operation)),
        (evaluate_bound, Method(lambda _, bound: bound)),
    ),
    expressions=(Identifier, Operation),
    methods=frozenset({"then"}),
)
"""What the rules may name."""


@dataclass(frozen=True)
class RuleOutcome:
    """What a rule did: which operands it had transformed under which restriction, and what it returned."""

    calls: tuple[tuple[str, object], ...]
    expression: Expression
    bound: object


def lemma(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations of Lemma 6.1: each case, both conclusions."""
    found = [_primitive(time, subject)]
    for proof in rule_proofs(time, subject):
        found += proof.lemma()
    return found


def theorem(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations of Theorem 6.1: the case τ = ∞ of the lemma, and the labels of sequences."""
    found = [_whole(time, subject.operators, direction) for direction in ("⊆", "⊇")]
    for proof in rule_proofs(time, subject):
        found += proof.labels()
    return found


def rule_proofs(time: TimeSort, subject: Subject) -> Iterator[RuleProof]:
    """The case of each operator."""
    for name, operator in subject.operators.items():
        yield RuleProof(operator, subject.rules[name], time, subject.operators)


class RuleProof:
    """The case of one operator."""

    def __init__(self, operator: Operator, rule: Rule, time: TimeSort, operators: Mapping[str, Operator]) -> None:
        self.operator = operator
        self.rule = rule
        self.time: TimeSort = time
        self.operators = operators
        self.names = ("A", "B")[: operator.arity]
        self.paths, self.constants = explore(self.run)

    @property
    def expression(self) -> Operation:
        """The operator applied to arbitrary operands."""
        operands = tuple(Identifier(name) for name in self.names)
        return Operation(self.operator.name, operands, cast(Any, BOUND) if self.operator.bounded else None)

    def run(self, execution: Execution) -> RuleOutcome:
        """The rule, with arbitrary outcomes for the operands."""
        bound = Number(BOUND, natural=True) if self.operator.bounded else None
        operands = tuple(Identifier(name) for name in self.names)
        calls: list[tuple[str, object]] = []

        def asked(request: Any) -> _Outcome:
            operand, under = request if isinstance(request, tuple) and len(request) == 2 else (None, None)
            if not isinstance(operand, Identifier) or operand.name in dict(calls):
                raise NotTranslated("a rule has each operand transformed once, and nothing else")
            calls.append((operand.name, under))
            of = f"bound.{operand.name}"
            return _Outcome(Identifier(f"{operand.name}'"), Number(of, f"{of}.infinite"))

        interpreter = Interpreter(execution, VOCABULARY, asked)
        limit = Number(LIMIT, f"{LIMIT}.infinite")
        outcome = interpreter.call(self.rule, [OperationTerm(operands, bound, with_label=False), limit])
        if not isinstance(outcome, _Outcome):
            raise NotTranslated("a rule returns something else than what is transformed")
        return RuleOutcome(tuple(calls), outcome.expression, outcome.bound)

    # ---------------------------------------------------------------------------------------------- obligations

    def lemma(self) -> list[Obligation]:
        """Both conclusions on each path, and that there are no other paths."""
        found = []
        for place, (path, outcome) in enumerate(self.finished(), start=1):
            case = f"{self.operator.name} {place}" if len(self.paths) > 1 else self.operator.name
            words = _words(path, outcome)
            for direction in ("⊆", "⊇"):
                found.append(
                    self.part(LEMMA, f"{case} {direction}", words, path, outcome, self.same_meaning(direction))
                )
            found.append(self.part(LEMMA, f"{case} bound", words, path, outcome, self.bounded))
            found.append(self.natural(case, path, outcome))
        every = disjunction(conjunction(path.conditions) for path in self.paths if path.result is not None)
        writer, _ = self.writer()
        words = "every way through the rule is one of these"
        found.append(writer.obligation(LEMMA, f"{self.operator.name} paths", words, [negation(every)]))
        return found

    def natural(self, case: str, path: Path[RuleOutcome], outcome: RuleOutcome) -> Obligation:
        """The times that are returned, passed on and written are at least 0, as is assumed of those of operands."""
        written = [
            time
            for node in bottom_up(outcome.expression)
            if isinstance(node, Operation)
            for time in (node.bound, node.label)
            if time is not None
        ]
        every = [outcome.bound, *(under for _, under in outcome.calls), *written]
        goal = conjunction(ExtendedLogic().compare("<=", "0", extended_term(time)) for time in every)
        denied = negation(disjunction((negation(path.condition), goal)))
        words = "what is returned, passed on and written is a time or ∞"
        return self.bounds_writer().obligation(LEMMA, f"{case} natural", words, [*self.natural_bounds(), denied])

    def labels(self) -> list[Obligation]:
        """Sequences of the result that are new have a right operand as short as their label says."""
        return [
            self.part(
                THEOREM,
                f"labels {self.operator.name} {place}",
                "the right operands of sequences are no longer than their labels",
                path,
                outcome,
                self.labelled,
            )
            for place, (path, outcome) in enumerate(self.finished(), start=1)
        ]

    def finished(self) -> list[tuple[Path[RuleOutcome], RuleOutcome]]:
        """The ways through the rule that do not end in an exception."""
        return [(path, path.result) for path in self.paths if path.result is not None]

    def writer(self) -> tuple[Writer, dict[str, StreamView[str, str]]]:
        """A writer with the operands, what they are transformed into, and the restrictions."""
        writer = Writer(self.time, self.operators, ExtendedLogic())
        streams: dict[str, StreamView[str, str]] = {
            name: writer.stream(name) for operand in self.names for name in (operand, f"{operand}'")
        }
        return self.declared(writer), streams

    def bounds_writer(self) -> Writer:
        """A writer with the restrictions alone."""
        return self.declared(Writer(self.time, self.operators, ExtendedLogic()))

    def declared(self, writer: Writer) -> Writer:
        """The writer, with the restrictions declared."""
        for name in (LIMIT, *(f"bound.{operand}" for operand in self.names)):
            writer.declare(name, SORT[self.time])
            writer.declare(f"{name}.infinite", "Bool")
        if self.operator.bounded:
            writer.declare(BOUND, SORT[self.time])
        return writer

    def natural_bounds(self) -> list[str]:
        """What is assumed of the restrictions: they are times or ∞."""
        assumptions = [f"(<= 0 {LIMIT})", *(f"(<= 0 bound.{operand})" for operand in self.names)]
        return [*assumptions, f"(<= 0 {BOUND})"] if self.operator.bounded else assumptions

    def part(
        self,
        claim: str,
        direction: str,
        words: str,
        path: Path[RuleOutcome],
        outcome: RuleOutcome,
        goal: Callable[[Writer, Mapping[str, StreamView[str, str]], RuleOutcome], str],
    ) -> Obligation:
        """A conclusion about one way through the rule, from the lemma for the operands."""
        writer, streams = self.writer()
        assumptions = self.natural_bounds()
        for operand, under in outcome.calls:
            plain, transformed = streams[operand], streams[f"{operand}'"]
            before, after = self.restrict(writer, plain, under), self.restrict(writer, transformed, under)
            assumptions += [before.each(after.member), after.each(before.member)]
            own = self.restrict(writer, transformed, operand_bound(operand))
            assumptions.append(transformed.each(own.member))
        conclusion = goal(writer, streams, outcome)
        denied = negation(disjunction((negation(path.condition), conclusion)))
        return writer.obligation(claim, direction, words, [*assumptions, denied])

    def restrict(self, writer: Writer, stream: StreamView[str, str], bound: object) -> StreamView[str, str]:
        """The stream with a temporal restriction that may be ∞."""
        return writer.apply("tim", [stream], extended_term(bound))

    def same_meaning(self, direction: str) -> Callable[[Writer, Mapping[str, StreamView[str, str]], RuleOutcome], str]:
        """E_τ ≡ E'_τ, one inclusion."""

        def goal(writer: Writer, streams: Mapping[str, StreamView[str, str]], outcome: RuleOutcome) -> str:
            limit = limit_term()
            before = self.restrict(writer, writer.denote(self.expression, streams, extended_term), limit)
            after = self.restrict(writer, writer.denote(outcome.expression, streams, extended_term), limit)
            inner, outer = (before, after) if direction == "⊆" else (after, before)
            return inner.each(outer.member)

        return goal

    def bounded(self, writer: Writer, streams: Mapping[str, StreamView[str, str]], outcome: RuleOutcome) -> str:
        """E' ≡ E'_τ' for the bound τ' that is returned."""
        after = writer.denote(outcome.expression, streams, extended_term)
        return after.each(self.restrict(writer, after, outcome.bound).member)

    def labelled(self, writer: Writer, streams: Mapping[str, StreamView[str, str]], outcome: RuleOutcome) -> str:
        """B ≡ B_τ for every sequence A;_τ B that the rule makes."""
        goals = []
        for node in bottom_up(outcome.expression):
            if isinstance(node, Identifier) and node.name in self.names:
                return FALSE  # an operand as it was, whose sequences are labelled in no way or wrongly
            if isinstance(node, Operation) and node.operator == "seq":
                right = writer.denote(node.operands[1], streams, extended_term)
                labelled = node.label is not None
                goals.append(right.each(self.restrict(writer, right, node.label).member) if labelled else FALSE)
        return conjunction(goals) if goals else TRUE


def limit_term() -> ExtendedTime:
    """The restriction that a rule is given."""
    return ExtendedTime(LIMIT, f"{LIMIT}.infinite")


def operand_bound(operand: str) -> ExtendedTime:
    """The bound that is returned for an operand."""
    return ExtendedTime(f"bound.{operand}", f"bound.{operand}.infinite")


def _words(path: Path[RuleOutcome], outcome: RuleOutcome) -> str:
    conditions = " and ".join(path.conditions) or "always"
    return f"when {conditions}"


def _primitive(time: TimeSort, subject: Subject) -> Obligation:
    """An event type is left as it is, and its instances have length 0."""
    outcome = transform(Identifier("A"), 0, subject.rules)
    claim = EquationClaim(LEMMA, parse_equation(f"A <= ({outcome.expression})[{outcome.bound}]"), frozenset("A"))
    writer = Writer(time, subject.operators)
    words = "the case of an event type"
    return writer.obligation(LEMMA, "primitive", words, equation_assertions(writer, claim, directions(claim)[0]))


def _whole(time: TimeSort, operators: Mapping[str, Operator], direction: str) -> Obligation:
    """E ≡ E' follows from E_∞ ≡ E'_∞."""
    writer = Writer(time, operators, ExtendedLogic())
    before, after = writer.stream("E"), writer.stream("E'")
    unrestricted = [writer.apply("tim", [stream], extended_term(UNBOUNDED)) for stream in (before, after)]
    same = [unrestricted[0].each(unrestricted[1].member), unrestricted[1].each(unrestricted[0].member)]
    inner, outer = (before, after) if direction == "⊆" else (after, before)
    words = "E_∞ ≡ E'_∞ implies E ≡ E'"
    return writer.obligation(THEOREM, direction, words, [*same, negation(inner.each(outer.member))])


# ---------------------------------------------------------------------------------------------------------- Figure 5

FIGURE = "figure:5"


def as_printed(time: TimeSort, subject: Subject) -> list[Obligation]:
    """One obligation for each way through each rule, and one for event types."""
    found = [_printed_primitive(time, subject.rules)]
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
        FIGURE, f"{proof.operator.name} {number}", words, [*proof.natural_bounds(), negation(goal)]
    )


def _printed_primitive(time: TimeSort, rules: Mapping[str, Rule]) -> Obligation:
    event = Identifier("A")
    same = all(transform(event, limit, rules) == (event, PRIMITIVE) for limit in (0, 1, float("inf")))
    words = "an event type is returned as it is, with 0"
    return Writer(time).obligation(FIGURE, "primitive", words, [negation(TRUE if same else FALSE)])


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
    PRINTED_LIMIT.name: limit_term(),
    OWN.name: ExtendedTime(BOUND),
    **{time.name: operand_bound(name) for name, time in OPERANDS.items()},
}
