"""The evidence for the errata of the source, carried out: what is printed fails as said, and the reading holds.

An erratum counts as shown when every piece of its evidence comes out as `laws/carlson_lisper/errata.toml` says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from detectors.carlson_lisper.protocol import instants, run
from detectors.carlson_lisper.source.figure4 import figure4
from laws.carlson_lisper.claims import EquationClaim, laws
from laws.carlson_lisper.derivations import Computation, Derivation, computations, derivations, law
from laws.carlson_lisper.statements.formula_syntax import parse_set, parse_statement
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
from proofs.errata import EvidenceResult, Examiner
from semantics.carlson_lisper.denotation import FINITE_LOGIC, FiniteStream, denotation
from semantics.carlson_lisper.expressions import Expression, Operation, evaluate_bound, identifiers
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, Stream, interpretation
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.restriction import rem
from semantics.carlson_lisper.syntax import parse, parse_equation
from semantics.errors import InputError
from smt.carlson_lisper.derivations import (
    LinkResult,
    StepResult,
    check_computation,
    check_derivation,
    questions,
)
from smt.carlson_lisper.entailment import Question, decide, smallest_citations
from smt.carlson_lisper.instance_queries import ATTEMPTS, Goal, SameSet, prove_goal, same_meaning
from smt.smtlib import SORT, TimeSort
from smt.solvers.solver import Solver, SolverFailed


def examiner(solver: Solver) -> Examiner:
    """What carries out evidence (`proofs.errata.ErrataOfSystem`)."""
    return _Examiner(solver).examine


# -------------------------------------------------------------------------------------------------------- checking


class _Examiner:
    """Carries out evidence; remembers what it has proved of steps."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.steps: dict[str, StepResult] = {}
        self.checks: Mapping[str, Callable[[Mapping[str, Any]], EvidenceResult]] = {
            "claim": self.claim,
            "computation": self.computation,
            "count": _count,
            "detection": _detection,
            "distinct": _distinct,
            "entails": self.entails,
            "evaluation": _evaluation,
            "laws": self.laws,
            "search": self.search,
            "step": self.step,
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

    # ---- chains

    def step(self, details: Mapping[str, Any]) -> EvidenceResult:
        """A step of a chain: `sound`, `sound as meant`, `does not follow` or `superfluous n` as printed."""
        name, expected = details["step"], details["expect"]
        result = self._step(name)
        printed = result.as_printed
        if expected == "sound":
            found = _described(printed) if printed else "not printed"
            right = result.printed_sound
        elif expected == "sound as meant":
            found, right = _described(result.meant), result.sound
        else:
            found = f"as printed: {_described(printed) if printed else 'not printed'}"
            found += f"; as meant: {_described(result.meant)}"
            right = result.sound and printed is not None and _fault(printed) == expected
        return EvidenceResult("step", _about_step(result), expected, found, right)

    def _step(self, name: str) -> StepResult:
        if name not in self.steps:
            derivation = _derivation_of(name)
            number = int(name.rpartition("#")[2]) - 1
            (result,) = check_derivation(derivation, self.solver, only=number)
            self.steps[name] = result
        return self.steps[name]

    def search(self, details: Mapping[str, Any]) -> EvidenceResult:
        """The smallest sets of laws, among given ones, from which a step follows."""
        name = details["step"]
        derivation = _derivation_of(name)
        step = derivation.steps[int(name.rpartition("#")[2]) - 1]
        (question,) = questions(derivation, step.meant.equation, step.meant.citation)
        citation = smallest_citations(question, [law(number) for number in details["among"]], self.solver)
        wanted = tuple(tuple(f"law:{number}" for number in numbers) for numbers in details["sets"])
        found = " or ".join("{" + ", ".join(laws) + "}" for laws in citation.sets) or "none"
        if citation.undecided:
            found += f"; {citation.undecided} sets undecided"
        return EvidenceResult(
            "search",
            f"smallest sets for {name} among laws {', '.join(map(str, details['among']))}",
            " or ".join("{" + ", ".join(laws) + "}" for laws in wanted),
            found,
            citation.sets == wanted and not citation.undecided,
        )

    def entails(self, details: Mapping[str, Any]) -> EvidenceResult:
        """Whether an equation follows from laws, by number or given as text, and from equations assumed."""
        cited = [
            law(entry) if isinstance(entry, int) else EquationClaim("printed", parse_equation(entry))
            for entry in details["laws"]
        ]
        assumed = tuple(map(parse_equation, details.get("assume", ())))
        question = Question(parse_equation(details["says"]), tuple(cited), assumed)
        answer = decide(question, self.solver)
        named = ", ".join(str(entry) for entry in (*details["laws"], *details.get("assume", ()))) or "nothing"
        return EvidenceResult(
            "entails",
            f"{details['says']} from {named}",
            details["expect"],
            answer.summary(),
            answer.status == details["expect"],
        )

    def computation(self, details: Mapping[str, Any]) -> EvidenceResult:
        """A proof by definition: each line is the same set as the one before, and it proves a law."""
        number, proves = details["number"], details["proves"]
        (computation,) = (one for one in computations() if one.number == number and one.law is not None)
        result = check_computation(computation, self.solver)
        lines = all(line == "proved" for line in result.lines)
        meant = computation.proves(law(proves))
        misplaced = number != proves and computation.proves(law(number))
        right = lines and meant and not misplaced and result.proves_law
        found = (
            f"{result.lines.count('proved')} of {len(result.lines)} lines proved equal to the line before;"
            f" the ends are {'' if meant else 'not '}those of law {proves}"
        )
        if number != proves:
            found += f", {'and' if misplaced else 'not'} of law {number}"
        if details.get("printed_ends") == "equal":
            equal = _ends(computation)
            right = right and equal
            found += f"; as printed, first and last line are {'' if equal else 'not '}the same"
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
            if prove_goal(
                same_meaning(claim.equation), self.solver, primitive=claim.primitive, time=time
            ).status
            == "unsat"
        ]
        found = f"{len(proved)} of {len(laws())} proved by {self.solver.name}, times of sort {SORT[time]}"
        return EvidenceResult("laws", "laws 1 to 36", "hold", found, len(proved) == len(laws()))

    def _contradictory(self, given: Sequence[Goal]) -> bool:
        nothing = prove_goal(_goal("∃ e ∈ ∅ e ∈ ∅"), self.solver, given, attempts=ATTEMPTS[:1])
        return nothing.status == "unsat"

    def claim(self, details: Mapping[str, Any]) -> EvidenceResult:
        """A claim about streams: `holds` for all of them, or `fails` for given ones that satisfy what is assumed."""
        goal, given = _goal(details["says"]), [_goal(text) for text in details.get("given", ())]
        primitive = details.get("primitive", ())
        about = details["says"] if not given else f"{' and '.join(details['given'])} imply {details['says']}"
        if primitive:
            about += f" ({', '.join(primitive)} primitive)"
        if details["expect"] == "holds":
            time: TimeSort = details.get("time", "int")
            answer = prove_goal(goal, self.solver, given, primitive=primitive, time=time)
            found = f"{answer.status} by {answer.solver} for all streams"
            found += ", with dense time" if time == "real" else ""
            contradictory = bool(given) and self._contradictory(given)
            found += ", but what is assumed contradicts itself" if contradictory else ""
            return EvidenceResult(
                "claim", about, "holds", found, answer.status == "unsat" and not contradictory
            )
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


def _derivation_of(step: str) -> Derivation:
    name, _, number = step.rpartition("#")
    for derivation in derivations():
        if derivation.id == name and 0 < int(number) <= len(derivation.steps):
            return derivation
    raise InputError(f"there is no step {step}")


def _described(link: LinkResult) -> str:
    words = [link.truth if link.truth == "not proved" else "true (unsat)", link.entailment.summary()]
    words += [f"law {number} is not needed" for number in link.superfluous]
    return ", ".join(words)


def _fault(link: LinkResult) -> str:
    if link.entailment.status == "follows" and link.superfluous:
        return f"superfluous {', '.join(map(str, link.superfluous))}"
    return link.entailment.status


def _about_step(result: StepResult) -> str:
    meant, printed = result.step.meant, result.step.as_printed
    text = f"{result.step.id}: {meant.equation} by {meant.citation}"
    if printed is not None and printed != meant:
        text += f", printed {printed.equation} by {printed.citation}"
    return text


def _ends(computation: Computation) -> bool:
    lines = computation.as_printed
    return parse_set(lines[0]) == parse_set(lines[-1])


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


def _evaluation(details: Mapping[str, Any]) -> EvidenceResult:
    """The instances of an expression over a trace: their intervals, or how many there are."""
    found = denotation(parse(details["expression"]), _scenario(details["trace"]))
    intervals = sorted(list(instance.interval) for instance in found)
    if "count" in details:
        right, expected, words = len(found) == details["count"], str(details["count"]), str(len(found))
    else:
        right = intervals == details["intervals"]
        expected, words = str(details["intervals"]), str(intervals)
    return EvidenceResult(
        "evaluation", f"{details['expression']} over {details['trace']}", expected, words, right
    )


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
        return EvidenceResult(
            "detection", about, expected, found, expected == "valid on all traces" and not wrong
        )
    scenario = _scenario(details["trace"])
    outputs = _outputs(details, expression, scenario)
    valid = rem(denotation(expression, scenario), outputs)
    intervals = sorted(list(instance.interval) for instance in outputs)
    right = expected == ("valid" if valid else "not valid")
    right = right and details.get("intervals", intervals) == intervals
    about += f", {details['trace']}, executed at {details.get('execution', 'every instant')}"
    found = f"{'valid' if valid else 'not valid'}: {intervals or 'no output'}"
    return EvidenceResult("detection", about, expected, found, right)
