"""The evidence for the errata of the source, carried out: what is printed fails as said, and the reading holds.

An erratum counts as shown when every piece of its evidence comes out as `laws/carlson_lisper/errata.toml` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from detectors.carlson_lisper.protocol import instants, run
from detectors.carlson_lisper.source.figure4 import figure4
from laws.carlson_lisper.claims import EquationClaim, law, laws
from laws.carlson_lisper.statements.formula_syntax import (
    Meaning,
    SetTerm,
    Statement,
    parse_bound,
    parse_set,
    parse_statement,
)
from laws.carlson_lisper.statements.formula_views import Reading, holds_for
from laws.errata import Evidence
from proofs.carlson_lisper.printed.figures import (
    Execution,
    Figure2Sequence,
    Figure4Sequence,
    PrintedAlgorithm,
    SequenceText,
    all_scenarios,
)
from proofs.carlson_lisper.printed.source_counts import COUNTS
from proofs.carlson_lisper.proving import kernel
from proofs.errata import EvidenceResult, Examiner
from proofs.record import recorded
from semantics.carlson_lisper.denotation import FINITE_LOGIC, FiniteStream, denotation
from semantics.carlson_lisper.expressions import Bound, Expression, Operation, evaluate_bound, identifiers
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, Stream, interpretation
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.restriction import primitive_conditions, rem
from semantics.carlson_lisper.syntax import Equation, parse, parse_equation
from semantics.errors import InputError
from smt.carlson_lisper.entailment import Question, decide
from smt.carlson_lisper.obligations import Writer
from smt.carlson_lisper.symbolic import BASE_AXIOMS, UNION_AXIOMS, bound_term, parameter_symbol
from smt.smtlib import SORT, TimeSort, conjunction, negation
from smt.solvers.solver import Answer, Solver, SolverFailed

ATTEMPTS = ((BASE_AXIOMS, 50_000), ((*BASE_AXIOMS, *UNION_AXIOMS), 300_000), (BASE_AXIOMS, 500_000))
"""What is assumed of instances, and the budget, in the solver's units of work; one after the other."""


@dataclass(frozen=True)
class SameSet:
    """The claim that two sets have the same elements."""

    left: SetTerm
    right: SetTerm


Goal: TypeAlias = Statement | SameSet


class _Declared(dict[str, Any]):
    """Streams or bounds by name, each declared when it is first mentioned."""

    def __init__(self, declare: Callable[[str], Any]) -> None:
        super().__init__()
        self.declare = declare

    def __missing__(self, name: str) -> Any:
        self[name] = self.declare(name)
        return self[name]


def _proved(
    goal: Goal, solver: Solver, given: Sequence[Goal] = (), primitive: Iterable[str] = (), time: TimeSort = "int"
) -> Answer:
    """What a solver answers to the denial of a goal for arbitrary streams; the first proof, or the last answer."""
    writer = Writer(time)
    streams = _Declared(writer.stream)
    bounds = _Declared(lambda name: writer.declare(parameter_symbol(name), SORT[time]))
    reading: Reading[str, str, str] = Reading(
        writer.logic, streams, lambda bound: bound_term(bound, bounds.__getitem__), OPERATORS
    )
    assumed = [_read(part, reading) for part in given]
    for name in primitive:
        streams[name]
    assumed += [writer.formula(each, streams) for each in primitive_conditions(sorted(primitive))]
    denied = negation(_read(goal, reading))
    natural = [f"(<= 0 {bound})" for bound in bounds.values()]
    asked = writer.obligation("erratum", "goal", "", [*natural, *assumed, denied])
    for axioms, rlimit in ATTEMPTS:
        answer = solver.check(asked.with_axioms(axioms).text, rlimit=rlimit)
        if answer.status == "unsat":
            break
    return answer


def _read(goal: Goal, reading: Reading[str, str, str]) -> str:
    if not isinstance(goal, SameSet):
        return reading.truth(goal)
    return conjunction((reading.included(goal.left, goal.right), reading.included(goal.right, goal.left)))


def examiner(solver: Solver) -> Examiner:
    """What carries out evidence (`proofs.errata.ErrataOfSystem`)."""
    return _Examiner(solver).examine


# -------------------------------------------------------------------------------------------------------- checking


class _Examiner:
    """Carries out evidence."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.checks: Mapping[str, Callable[[Mapping[str, Any]], EvidenceResult]] = {
            "claim": self.claim,
            "computation": self.computation,
            "count": _count,
            "detection": _detection,
            "distinct": _distinct,
            "entails": self.entails,
            "evaluation": _evaluation,
            "laws": self.laws,
            "proved": _proved_claim,
            "unreadable": _unreadable,
            "vacuous": _vacuous,
        }

    def examine(self, evidence: Evidence) -> EvidenceResult:
        """The result of a check; one that breaks down does not come out as claimed.

        Raises:
            InputError: there is no such check.
        """
        if evidence.check not in self.checks:
            raise InputError(f"there is no check {evidence.check!r}")
        try:
            return self.checks[evidence.check](evidence.details)
        except SolverFailed as error:
            return EvidenceResult(evidence.check, str(dict(evidence.details)), "", str(error), False)

    # ---- what follows from laws

    def entails(self, details: Mapping[str, Any]) -> EvidenceResult:
        """Whether an equation follows from laws, by number or given as text, and from equations assumed."""
        cited = tuple(
            law(entry) if isinstance(entry, int) else EquationClaim("printed", parse_equation(entry))
            for entry in details.get("laws", ())
        )
        question = Question(
            parse_equation(details["says"]),
            cited,
            tuple(map(parse_equation, details.get("assume", ()))),
            tuple(map(_condition, details.get("where", ()))),
            frozenset(details.get("primitive", ())),
        )
        found, words = decide(question, self.solver)
        named = [str(entry) for entry in (*details.get("laws", ()), *details.get("assume", ()))]
        about = f"{details['says']} from {', '.join(named) or 'nothing'}"
        expected = details["expect"]
        return EvidenceResult("entails", about, expected, f"{found}: {words}", found == expected)

    def computation(self, details: Mapping[str, Any]) -> EvidenceResult:
        """A proof by definition: each line is the same set as the one before, and it proves a law."""
        number, proves, lines = details["number"], details["proves"], list(map(parse_set, details["lines"]))
        goals = [SameSet(before, after) for before, after in pairwise(lines)]
        primitive = details.get("primitive", ())
        equal = [_proved(goal, self.solver, (), primitive).status == "unsat" for goal in goals]
        meant, misplaced = _ends_are(lines, proves), number != proves and _ends_are(lines, number)
        right = all(equal) and meant and not misplaced
        found = (
            f"{equal.count(True)} of {len(equal)} lines proved equal to the line before;"
            f" the ends are {'' if meant else 'not '}those of law {proves}"
        )
        if number != proves:
            found += f", {'and' if misplaced else 'not'} of law {number}"
        if details.get("printed_ends") == "equal":
            same = parse_set(details.get("printed_first", details["lines"][0])) == lines[-1]
            right = right and same
            found += f"; as printed, first and last line are {'' if same else 'not '}the same"
        return EvidenceResult(
            "computation", f"the proof printed under {number}", f"it proves law {proves}", found, right
        )

    # ---- claims about streams

    def laws(self, details: Mapping[str, Any]) -> EvidenceResult:
        """All laws of the source, proved with integer or dense time."""
        time: TimeSort = details["time"]
        proved = [
            claim.id
            for claim in laws()
            if _proved(_same(claim.equation), self.solver, (), claim.primitive, time).status == "unsat"
        ]
        found = f"{len(proved)} of {len(laws())} proved by {self.solver.name}, times of sort {SORT[time]}"
        return EvidenceResult("laws", "laws 1 to 36", "hold", found, len(proved) == len(laws()))

    def claim(self, details: Mapping[str, Any]) -> EvidenceResult:
        """A claim about streams: `holds` for all of them, or `fails` for given ones that satisfy what is assumed."""
        goal, given = _goal(details["says"]), [_goal(text) for text in details.get("given", ())]
        primitive = details.get("primitive", ())
        about = details["says"] if not given else f"{' and '.join(details['given'])} imply {details['says']}"
        if primitive:
            about += f" ({', '.join(primitive)} primitive)"
        if details["expect"] == "holds":
            time: TimeSort = details.get("time", "int")
            answer = _proved(goal, self.solver, given, primitive, time)
            found = f"{answer.status} by {answer.solver} for all streams"
            found += ", with dense time" if time == "real" else ""
            nothing = _goal("∃ e ∈ ∅ e ∈ ∅")
            contradictory = bool(given) and _proved(nothing, self.solver, given).status == "unsat"
            found += ", but what is assumed contradicts itself" if contradictory else ""
            return EvidenceResult("claim", about, "holds", found, answer.status == "unsat" and not contradictory)
        streams = {name: frozenset(map(_instance, texts)) for name, texts in details["streams"].items()}
        bounds = details.get("bounds", {})
        assumed = all(_true(part, streams, bounds) for part in given)
        failing = not _true(goal, streams, bounds)
        listed = "; ".join(f"{name} = {{{', '.join(texts)}}}" for name, texts in details["streams"].items())
        listed += "".join(f"; {name} = {value}" for name, value in bounds.items())
        return EvidenceResult(
            "claim",
            about,
            "fails",
            f"{'false' if failing else 'true'} of {listed}"
            + ("" if assumed else ", which do not satisfy what is assumed"),
            failing and assumed,
        )


def _condition(text: str) -> tuple[str, Bound, Bound]:
    for relation in ("<=", "<", "="):
        left, found, right = text.partition(f" {relation} ")
        if found:
            return relation, parse_bound(left), parse_bound(right)
    raise InputError(f"not a condition on bounds: {text}")


def _ends_are(lines: Sequence[SetTerm], number: int) -> bool:
    """Whether the first and the last line are the two sides of a law."""
    equation, ends = law(number).equation, [lines[0], lines[-1]]
    sides = [parse_set(f"⟦{side}⟧") for side in (equation.left, equation.right)]
    return ends in (sides, sides[::-1])


def _same(equation: Equation) -> SameSet:
    return SameSet(Meaning(equation.left), Meaning(equation.right))


def _goal(text: str) -> Goal:
    left, same, right = text.partition("≡")
    return SameSet(parse_set(left), parse_set(right)) if same else parse_statement(text)


def _true(goal: Goal, streams: Mapping[str, Stream], bounds: Mapping[str, int]) -> bool:
    if not isinstance(goal, SameSet):
        return holds_for(goal, streams, bounds)
    reading: Reading[bool, int, Any] = Reading(
        FINITE_LOGIC,
        {name: FiniteStream(stream) for name, stream in streams.items()},
        lambda bound: evaluate_bound(bound, bounds),
        OPERATORS,
    )
    return reading.included(goal.left, goal.right) and reading.included(goal.right, goal.left)


def _instance(text: str) -> Instance:
    return Instance(map(_occurrence, text.split("+")))


def _occurrence(text: str) -> Occurrence:
    name, _, time = text.partition("@")
    return Occurrence(name, int(time))


def _scenario(text: str) -> Interpretation:
    return interpretation(map(_occurrence, text.split()))


# ------------------------------------------------------------------------------------------------ without a solver


def _vacuous(details: Mapping[str, Any]) -> EvidenceResult:
    """An equation whose sides are the same text."""
    claim = EquationClaim("printed", parse_equation(details["says"]))
    found = "both sides are the same text" if claim.is_vacuous else "the sides differ"
    return EvidenceResult("vacuous", details["says"], "vacuous", found, claim.is_vacuous)


def _distinct(details: Mapping[str, Any]) -> EvidenceResult:
    """An equation whose sides are different expressions."""
    vacuous = EquationClaim("printed", parse_equation(details["says"])).is_vacuous
    found = "the same expression" if vacuous else "two different expressions"
    return EvidenceResult("distinct", details["says"], "different expressions", found, not vacuous)


def _unreadable(details: Mapping[str, Any]) -> EvidenceResult:
    """A text that is no statement about streams, or no expression, while what is meant is one."""
    printed = details.get("statement", details.get("expression"))
    readers: Mapping[str, Callable[[str], object]] = {"statement": _goal, "expression": parse}
    (read,) = (reader for name, reader in readers.items() if name in details)
    accepted = [_is_read(read, text) for text in (str(printed), details["meant"])]
    words = ["read" if one else "refused" for one in accepted]
    return EvidenceResult(
        "unreadable",
        f"{printed}   for   {details['meant']}",
        "refused as printed, read as meant",
        f"{words[0]} as printed, {words[1]} as meant",
        accepted == [False, True],
    )


def _is_read(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except InputError:
        return False
    return True


def _proved_claim(details: Mapping[str, Any]) -> EvidenceResult:
    """A claim of the catalogue that the kernel has checked, or that solvers have proved as recorded."""
    name = details["claim"]
    obsolete = kernel().get(name)
    standings = {row["standing"] for row in recorded().values() if row["claim"] == name}
    found = "kernel-checked" if obsolete == "" else obsolete or ", ".join(sorted(standings)) or "not on record"
    right = obsolete == "" or (obsolete is None and standings == {"agreed"})
    return EvidenceResult("proved", name, "proved", found, right)


def _evaluation(details: Mapping[str, Any]) -> EvidenceResult:
    """The instances of an expression over a trace: their intervals, or how many there are."""
    found = denotation(parse(details["expression"]), _scenario(details["trace"]))
    intervals = sorted(list(instance.interval) for instance in found)
    if "count" in details:
        right, expected, words = len(found) == details["count"], str(details["count"]), str(len(found))
    else:
        right = intervals == details["intervals"]
        expected, words = str(details["intervals"]), str(intervals)
    return EvidenceResult("evaluation", f"{details['expression']} over {details['trace']}", expected, words, right)


def _count(details: Mapping[str, Any]) -> EvidenceResult:
    """A computation of `proofs.carlson_lisper.printed.source_counts`."""
    if details["name"] not in COUNTS:
        raise InputError(f"there is no computation {details['name']!r}")
    function = COUNTS[details["name"]]
    right, found = function()
    about = (function.__doc__ or details["name"]).strip()
    return EvidenceResult("count", about, "comes out", found, right)


def _label(operation: Operation) -> int:
    return 0 if operation.label is None else int(operation.label)


_FIGURES: Mapping[str, Callable[[Operation], SequenceText]] = {
    "2, joined in the loop": lambda _: Figure2Sequence(join_in_loop=True),
    "2, joined after the loop": lambda _: Figure2Sequence(join_in_loop=False),
    "4, joined in the loop": lambda operation: Figure4Sequence(_label(operation), join_in_loop=True),
    "4, joined after the loop": lambda operation: (
        Figure4Sequence(_label(operation)) if operation.label is not None else Figure2Sequence(False)
    ),
    "4, loop in reverse": lambda operation: Figure4Sequence(_label(operation), latest_first=True),
}
"""The printed figures, with a choice for what their print leaves open."""


def _outputs(details: Mapping[str, Any], expression: Expression, scenario: Interpretation) -> Stream:
    if details["figure"] == "4 as detected here":
        return frozenset(run(figure4(expression), instants(scenario)))
    execution: Execution = details.get("execution", "every instant")
    return PrintedAlgorithm(expression, _FIGURES[details["figure"]]).run(scenario, execution)


def _detection(details: Mapping[str, Any]) -> EvidenceResult:
    """Whether what a figure outputs is a valid restriction (Def. 3.12), on a trace or on all short ones."""
    expression, expected = parse(details["expression"]), details["expect"]
    about = f"Figure {details['figure']}, {details['expression']}"
    if "instants" in details:
        scenarios = list(all_scenarios(sorted(identifiers(expression)), details["instants"]))
        wrong = [
            scenario
            for scenario in scenarios
            if not rem(denotation(expression, scenario), _outputs(details, expression, scenario))
        ]
        about += f", all {len(scenarios)} traces of {details['instants']} instants"
        found = f"not valid on {len(wrong)} of them" if wrong else "valid on all of them"
        return EvidenceResult("detection", about, expected, found, expected == "valid on all traces" and not wrong)
    scenario = _scenario(details["trace"])
    outputs = _outputs(details, expression, scenario)
    valid = rem(denotation(expression, scenario), outputs)
    intervals = sorted(list(instance.interval) for instance in outputs)
    right = expected == ("valid" if valid else "not valid")
    right = right and details.get("intervals", intervals) == intervals
    about += f", {details['trace']}, executed at {details.get('execution', 'every instant')}"
    found = f"{'valid' if valid else 'not valid'}: {intervals or 'no output'}"
    return EvidenceResult("detection", about, expected, found, right)
