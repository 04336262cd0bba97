"""The evidence for the errata of the source, carried out: what is printed fails as said, and the reading holds.

An erratum counts as shown when every piece of its evidence comes out as `laws/carlson_lisper/errata.toml` says.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias

from detectors.carlson_lisper.protocol import instants, run
from detectors.carlson_lisper.source.figure2 import figure4
from laws.carlson_lisper.claims import EquationClaim, law
from laws.carlson_lisper.statements import Goal, SameSet, SetTerm, finite, parse_bound, parse_goal, parse_set
from laws.errata import Evidence
from proofs.carlson_lisper.printed import COUNTS, PrintedAlgorithm, PrintedSequence, all_scenarios, occurrences
from proofs.carlson_lisper.proving import kernel
from proofs.errata import EvidenceResult
from proofs.record import recorded
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import UNBOUNDED, Bound, Expression, Operation, identifiers
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Stream, interpretation
from semantics.carlson_lisper.restriction import rem
from semantics.carlson_lisper.syntax import parse, parse_equation
from semantics.errors import InputError
from smt.carlson_lisper.entailment import Question, decide
from smt.carlson_lisper.obligations import BASE_AXIOMS, UNION_AXIOMS
from smt.carlson_lisper.stated import goal_obligations
from smt.solvers.portfolio import Answer, Solver, SolverFailed

ATTEMPTS = ((BASE_AXIOMS, 50_000), ((*BASE_AXIOMS, *UNION_AXIOMS), 300_000), (BASE_AXIOMS, 500_000))
"""What is assumed of instances, and the budget, in the solver's units of work; one after the other."""


def _proved(goal: Goal, solver: Solver, given: Sequence[Goal] = (), primitive: Iterable[str] = ()) -> Answer:
    """What a solver answers to the denial of a goal for arbitrary streams: a proof of all of it, or what is none."""
    for asked in goal_obligations(goal, given, primitive):
        for axioms, rlimit in ATTEMPTS:
            answer = solver.check(asked.with_axioms(axioms).text, rlimit=rlimit)
            if answer.status == "unsat":
                break
        else:
            break
    return answer


Shown: TypeAlias = tuple[str, str, str, bool]
"""What a check is about, what is expected, what was found, and whether that is as claimed."""


def examined(evidence: Evidence, solver: Solver) -> EvidenceResult:
    """Carry out evidence (`proofs.errata.ErrataOfSystem`); a check that breaks down is not as claimed."""
    with_solver = {"claim": _claim, "computation": _computation, "entails": _entails}
    checks: Mapping[str, Callable[[Mapping[str, Any]], Shown]] = {
        **{name: partial(check, solver) for name, check in with_solver.items()},
        "count": _count,
        "detection": _detection,
        "evaluation": _evaluation,
        "proved": _proved_claim,
        "same": _same_text,
        "unreadable": _unreadable,
    }
    if evidence.check not in checks:
        raise InputError(f"there is no check {evidence.check!r}")
    try:
        return EvidenceResult(evidence.check, *checks[evidence.check](evidence.details))
    except SolverFailed as error:
        return EvidenceResult(evidence.check, str(dict(evidence.details)), "", str(error), False)


def _entails(solver: Solver, details: Mapping[str, Any]) -> Shown:
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
    found, words = decide(question, solver)
    named = [str(entry) for entry in (*details.get("laws", ()), *details.get("assume", ()))]
    about, expected = f"{details['says']} from {', '.join(named) or 'nothing'}", details["expect"]
    return about, expected, f"{found}: {words}", found == expected


def _computation(solver: Solver, details: Mapping[str, Any]) -> Shown:
    """A proof by definition: each line is the same set as the one before, and it proves a law."""
    number, proves, lines = details["number"], details["proves"], list(map(parse_set, details["lines"]))
    goals = [SameSet(before, after) for before, after in pairwise(lines)]
    equal = [_proved(goal, solver, (), details.get("primitive", ())).status == "unsat" for goal in goals]
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
    return f"the proof printed under {number}", f"it proves law {proves}", found, right


def _claim(solver: Solver, details: Mapping[str, Any]) -> Shown:
    """A claim about streams: `holds` for all of them, or `fails` for given ones that satisfy what is assumed."""
    goal, given = parse_goal(details["says"]), [parse_goal(text) for text in details.get("given", ())]
    primitive = details.get("primitive", ())
    about = details["says"] if not given else f"{' and '.join(details['given'])} imply {details['says']}"
    about += f" ({', '.join(primitive)} primitive)" if primitive else ""
    if details["expect"] == "holds":
        answer = _proved(goal, solver, given, primitive)
        nothing = parse_goal("∃ e ∈ ∅ e ∈ ∅")
        contradictory = bool(given) and _proved(nothing, solver, given).status == "unsat"
        found = f"{answer.status} by {answer.solver} for all streams"
        found += ", but what is assumed contradicts itself" if contradictory else ""
        return about, "holds", found, answer.status == "unsat" and not contradictory
    streams = {
        name: frozenset(Instance(occurrences(text, "+")) for text in texts)
        for name, texts in details["streams"].items()
    }
    bounds = details.get("bounds", {})
    reading = finite(streams, bounds)
    truths = [reading.parts(part).values() for part in (goal, *given)]
    failing, assumed = not all(truths[0]), all(map(all, truths[1:]))
    listed = "; ".join(f"{name} = {{{', '.join(texts)}}}" for name, texts in details["streams"].items())
    listed += "".join(f"; {name} = {value}" for name, value in bounds.items())
    found = f"{'false' if failing else 'true'} of {listed}"
    return about, "fails", found + ("" if assumed else ", which do not satisfy what is assumed"), failing and assumed


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


def _same_text(details: Mapping[str, Any]) -> Shown:
    words = {True: "the same expression", False: "different expressions"}
    expected, found = details["expect"], EquationClaim("printed", parse_equation(details["says"])).is_vacuous
    return details["says"], words[expected], words[found], found is expected


def _unreadable(details: Mapping[str, Any]) -> Shown:
    """A text that is no statement about streams, or no expression, while what is meant is one."""
    kind = "statement" if "statement" in details else "expression"
    printed, meant = (_read(kind, text) for text in (details[kind], details["meant"]))
    about, expected = f"{details[kind]}   for   {details['meant']}", "refused as printed, read as meant"
    found = f"{printed} as printed, {meant} as meant"
    return about, expected, found, found == expected


def _read(kind: str, text: str) -> str:
    try:
        _ = parse_goal(text) if kind == "statement" else parse(text)
    except InputError:
        return "refused"
    return "read"


def _proved_claim(details: Mapping[str, Any]) -> Shown:
    """Claims of the catalogue that the kernel has checked, or that solvers have proved as recorded."""
    name, time = details["claim"], details.get("time", "int")
    obsolete = kernel().get(name) if time == "int" else None
    rows = [row for row in recorded().values() if row["claim"].startswith(name) and row["time"] == time]
    standings = {row["standing"] for row in rows}
    found = "kernel-checked" if obsolete == "" else obsolete or ", ".join(sorted(standings)) or "not on record"
    about = name + (" over dense time" if time == "real" else "")
    return about, "proved", found, obsolete == "" or (obsolete is None and standings == {"agreed"})


def _evaluation(details: Mapping[str, Any]) -> Shown:
    """The instances of an expression over a trace: their intervals, or how many there are."""
    found = denotation(parse(details["expression"]), interpretation(occurrences(details["trace"])))
    intervals = sorted(list(instance.interval) for instance in found)
    by_count = "count" in details
    expected, words = (details["count"], len(found)) if by_count else (details["intervals"], intervals)
    return f"{details['expression']} over {details['trace']}", str(expected), str(words), expected == words


def _count(details: Mapping[str, Any]) -> Shown:
    if details["name"] not in COUNTS:
        raise InputError(f"there is no computation {details['name']!r}")
    function = COUNTS[details["name"]]
    right, found = function()
    return (function.__doc__ or details["name"]).strip(), "comes out", found, right


def _outputs(details: Mapping[str, Any], expression: Expression, scenario: Interpretation) -> Stream:
    """What a figure outputs, with a choice for what its print leaves open."""
    if details["figure"] == "4 as detected here":
        return frozenset(run(figure4(expression), instants(scenario)))
    figure, choice = details["figure"].split(", ")

    def sequence(operation: Operation) -> PrintedSequence:
        ticks = UNBOUNDED if figure == "2" or operation.label is None else operation.label
        return PrintedSequence(ticks, choice == "joined in the loop", choice == "loop in reverse")

    return PrintedAlgorithm(expression, sequence).run(scenario, details.get("execution", "every instant"))


def _detection(details: Mapping[str, Any]) -> Shown:
    """Whether what a figure outputs is a valid restriction (Def. 3.12), on a trace or on all short ones."""
    expression, expected = parse(details["expression"]), details["expect"]
    about = f"Figure {details['figure']}, {details['expression']}"

    def is_valid(scenario: Interpretation) -> bool:
        return rem(denotation(expression, scenario), _outputs(details, expression, scenario))

    if "instants" in details:
        scenarios = list(all_scenarios(sorted(identifiers(expression)), details["instants"]))
        wrong = sum(not is_valid(scenario) for scenario in scenarios)
        about += f", all {len(scenarios)} traces of {details['instants']} instants"
        found = f"not valid on {wrong} of them" if wrong else "valid on all of them"
        return about, expected, found, expected == "valid on all traces" and not wrong
    scenario = interpretation(occurrences(details["trace"]))
    intervals = sorted(list(instance.interval) for instance in _outputs(details, expression, scenario))
    word = "valid" if is_valid(scenario) else "not valid"
    right = expected == word and details.get("intervals", intervals) == intervals
    about += f", {details['trace']}, executed at {details.get('execution', 'every instant')}"
    return about, expected, f"{word}: {intervals or 'no output'}", right
