"""Explanations of patterns: the transformed form, what detecting one takes, whether it can occur."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from detectors.carlson_lisper.catalogue import CATALOGUE, COLUMNS, DEFAULT_DETECTOR, DEFAULT_OF_INTERVALS, reason
from detectors.carlson_lisper.generated import Generated, program
from detectors.carlson_lisper.source.bounds import (
    Fault,
    PartBounds,
    Quantity,
    Resources,
    faults,
    resources,
    restricted_right_sides,
)
from laws.standings import ExitStatus
from remora.api.arguments import as_arguments, brief, require_seed, require_whole
from remora.api.cards import Card, Mark, Shown, Table, standing_mark
from remora.api.patterns.patterns import PatternLike, as_schema
from remora.api.patterns.possibilities import Occurring, occurring, occurring_data, occurring_timeline
from remora.terminal.progress import Tell, unheard
from remora.terminal.texts import JsonObject
from semantics.carlson_lisper.expressions import (
    UNBOUNDED,
    BoundExtremum,
    BoundParameter,
    Expression,
    Operation,
    bound_parameters,
    identifiers,
    with_bounds,
)
from semantics.errors import InputError

if TYPE_CHECKING:  # SymPy is imported only where a formula is asked for
    from detectors.carlson_lisper.source.cost import Cost
    from smt.carlson_lisper.validation.validating import Validation

INFINITE = "inf"
"""How ∞ is printed, as in labels."""

TOTALS = ("instances", "occurrences", "steps")
"""Bounds for each subexpression and in total."""

TAKEN = (
    ("instances", "rows", DEFAULT_DETECTOR, "whole instances, by rows"),
    ("intervals", "rows", DEFAULT_OF_INTERVALS, "starts and ends, by rows"),
    ("both", "columns", COLUMNS, "both, by columns"),
)
"""What is wanted, how a trace is read, the detector for it where none is named, and the first two in words."""

STEPS = 200_000
"""How many transitions may be computed to decide whether a pattern can occur; a second or two."""


@dataclass(frozen=True)
class Choice:
    """The detector that is taken where none is named.

    Attributes:
        wanted: whole instances, or starts and ends; both, where it is the same one.
        feed: rows or columns.
        detector: its name.
        reason: what it is, and what bounds its memory.
        bounded: whether its memory does not grow with the input.
    """

    wanted: str
    feed: str
    detector: str
    reason: str
    bounded: bool


@dataclass(frozen=True)
class Running:
    """Detectors that run for a pattern.

    Attributes:
        starts: how many starts generated code keeps at most where starts and ends are enough.
        validation: whether the text of that code was validated.
        choices: the detectors that are taken where none is named.
    """

    starts: int
    validation: Validation
    choices: tuple[Choice, ...]


@dataclass(frozen=True, repr=False)
class Explanation(Shown):
    """Explanation of a pattern.

    Attributes:
        pattern: as it was read.
        values: the values of its symbolic bounds, in ticks; None if there are some without values.
        bounds: its resource bounds as numbers; None without values.
        cost: the same as formulas, if asked for.
        named: the pattern that the formulas are about, and the values of its bounds where they are known.
        answer: whether it can occur; None without values.
        remedies: patterns with finite bounds, if its own are not.
        running: what runs for it; None without values.
        code: the kind and the text of its code, if asked for.
    """

    pattern: Expression
    values: Mapping[str, int] | None
    bounds: Resources | None
    cost: Cost | None
    named: tuple[Expression, Mapping[str, int]]
    answer: Occurring | None
    remedies: tuple[str, ...] = ()
    running: Running | None = None
    code: tuple[str, str] | None = None

    @property
    def transformed(self) -> Expression | None:
        """The pattern as it is detected, by Figure 5, with labels; None without values for its symbolic bounds."""
        return None if self.bounds is None else self.bounds.expression

    @property
    def bounded(self) -> bool:
        """Whether a detector of instances needs only so much memory, however long the trace."""
        return not self.faults

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The sequences that keep arbitrarily many instances."""
        return faults(self.stated)

    @property
    def occurs(self) -> bool | None:
        """Whether there is a trace on which the pattern occurs; None where that is not known."""
        return None if self.answer is None else self.answer.occurs

    @property
    def exit_status(self) -> ExitStatus:
        """Inconclusive where it is not decided whether the pattern can occur."""
        undecided = self.answer is not None and self.answer.occurs is None
        return ExitStatus.INCONCLUSIVE if undecided else ExitStatus.AS_CLAIMED

    @property
    def stated(self) -> Resources:
        """The bounds that are shown by subexpression: numbers where there are some, otherwise formulas."""
        if self.bounds is not None:
            return self.bounds
        assert self.cost is not None
        return self.cost.bounds

    @property
    def text(self) -> Callable[[Expression], str]:
        """Prints what is shown by subexpression."""
        if self.bounds is not None:
            return str
        from detectors.carlson_lisper.source.cost import expression_text

        return expression_text

    def card(self) -> Card:
        """Cost of detection by subexpression, and a trace on which the pattern occurs."""
        columns = ("#", "operator", "length", *TOTALS, "subexpression")
        rows = tuple(
            (str(part.number), operator(part) or "event type", *quantities(part), self.text(part.expression))
            for part in self.stated.parts
        )
        remedies = [f"A restriction would bound it, and detect less: {remedy}" for remedy in self.remedies]
        mark, drawn = None, None
        if self.answer is not None:
            known = standing_mark({True: "proved", False: "refuted", None: "unknown"}[self.answer.occurs])
            mark, drawn = Mark(known.symbol, self.answer.verdict, known.tone), occurring_timeline(self.answer)
        return Card(
            str(self.pattern),
            mark,
            (),
            tuple(facts(self)[1:]),
            (
                Table(columns, rows, frozenset(("#", *columns[2:6]) if self.bounds else ("#",))),
                *([] if drawn is None else [drawn]),
            ),
            "" if self.code is None else self.code[1],
            (*fault_texts(self), *remedies),
        )


def explain(
    pattern: PatternLike,
    *,
    bounds: Mapping[str, int] | None = None,
    formula: bool = False,
    steps: int = STEPS,
    seed: int = 0,
) -> Explanation:
    """Explain a pattern: its transformed form, what detecting it takes at most, whether it can occur at all.

    Args:
        pattern: an expression or its text; its bounds may be symbolic, as in `A[t]`.
        bounds: a value in ticks for each symbolic bound, or nothing: then there are formulas.
        formula: also the totals as formulas in the bounds.
        steps: how many transitions may be computed to decide whether it can occur.
        seed: of nothing here: what is answered is the same for every seed.

    Raises:
        InputError: the pattern cannot be read, or a value is for no bound of it, or a bound has none.
        EnginesDisagree: a trace that was found is not confirmed by the executable semantics.
    """
    meant = as_schema(pattern)
    given = {} if bounds is None else bounds
    if not isinstance(given, Mapping):
        raise InputError(f"bounds={brief(given)} names no bounds", remedy='Write bounds={"t": 60}.')
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise InputError(f"the bound {name} is {brief(value)}", remedy="A bound is an integer >= 0 in ticks.")
    require_whole("steps", steps, 1)
    require_seed(seed)
    with as_arguments():
        return explanation(meant, given, formula, steps=steps)


def explanation(
    pattern: Expression,
    given: Mapping[str, int],
    formula: bool,
    code: str | None = None,
    *,
    steps: int = STEPS,
    tell: Tell = unheard,
) -> Explanation:
    """Explanation of a pattern.

    Args:
        given: the values of its symbolic bounds, in ticks; none of them for formulas.
        code: "starts", to have that program as well.
        steps: how many transitions may be computed to decide whether it can occur.

    Raises:
        InputError: a value is for no bound of the pattern, or a bound has none that needs one.
        EnginesDisagree: a trace that was found is not confirmed by the executable semantics.
    """
    parameters = bound_parameters(pattern)
    _require_values(pattern, given, parameters, code)
    values = None if parameters - given.keys() else dict(given)
    named: tuple[Expression, Mapping[str, int]] = (pattern, values or {})
    cost, bounds, answer, running, shown = None, None, None, None, None
    if formula or parameters:
        import detectors.carlson_lisper.source.cost

        tell("formulas in the bounds")
        if not parameters:
            named = detectors.carlson_lisper.source.cost.with_names(pattern)
        cost = detectors.carlson_lisper.source.cost.cost(named[0])
    if values is not None:
        ground = with_bounds(pattern, values)
        bounds, answer = resources(ground), occurring(ground, steps)
        tell("what runs for it")
        running = _running(ground)
        shown = None if code is None else (code, program(ground))
    found = Explanation(pattern, values, bounds, cost, named, answer, running=running, code=shown)
    if found.bounded:
        return found
    taken = identifiers(pattern) | parameters
    ticks = BoundParameter(next(name for name in ("t", "u", "v", *map("t{}".format, taken)) if name not in taken))
    return replace(found, remedies=(found.text(restricted_right_sides(found.stated, ticks)), str(pattern[ticks])))


def _require_values(
    pattern: Expression, given: Mapping[str, int], parameters: frozenset[str], code: str | None
) -> None:
    """Make sure that all symbolic bounds have values or none, and where code is asked for that they have.

    Raises:
        InputError: a value is for no bound of the pattern, or a bound has none that needs one.
    """
    unknown, missing = sorted(given.keys() - parameters), sorted(parameters - given.keys())
    if unknown:
        raise InputError(
            f"{pattern} has no symbolic bound {', '.join(unknown)}",
            place="--bound",
            remedy=f"Its symbolic bounds: {', '.join(sorted(parameters)) or 'none'}.",
        )
    if missing and given:
        options = " ".join(f"--bound {name}=TICKS" for name in missing)
        raise InputError(
            f"{', '.join(missing)} has no value",
            place="--bound",
            remedy=f"Add {options}, or give no values to see formulas.",
        )
    if missing and code is not None:
        raise InputError(
            f"code is generated for a pattern whose bounds are numbers, and {', '.join(missing)} has no value",
            place="--code",
            remedy="Give each of them a value with --bound NAME=TICKS.",
        )


def _running(pattern: Expression) -> Running:
    from smt.carlson_lisper.validation.validating import validate  # which brings the solver

    choices = (
        Choice(wanted, feed, name, reason(name, pattern), CATALOGUE[name].is_bounded(pattern))
        for wanted, feed, name, _ in TAKEN
    )
    generated = Generated(pattern)
    return Running(generated.bound, validate(generated), tuple(choices))


# ------------------------------------------------------------------------------------------------------------ words


def fault_texts(found: Explanation) -> list[str]:
    """Remark on each sequence that keeps arbitrarily many instances."""
    return [
        f"{found.text(fault.sequence.expression)} keeps one instance of its left side for every time at which its right"
        f" side may have started, and {' and '.join(found.text(cause.expression) for cause in fault.causes)} may take"
        " arbitrarily long"
        for fault in found.faults
    ]


def facts(found: Explanation) -> list[tuple[str, str]]:
    """The lines at the top, each with its label; the first one is the pattern."""
    bounds, running = found.bounds, found.running
    said = [("pattern", str(found.pattern))]
    if found.values:
        said.append(("bounds", _named(found.values)))
    if bounds is not None:
        stores = _at_most(bounds.occurrences, "occurrence")
        if bounds.instances != UNBOUNDED:
            stores += _at_most(bounds.instances, "instance").replace("at most", ", in")
        said += [
            ("transformed", str(bounds.expression)),
            ("length", _at_most(bounds.length, "tick")),
            ("stores", stores),
            ("steps", "no bound" if bounds.steps == UNBOUNDED else f"at most {bounds.steps:,} at one instant"),
        ]
    if running is not None:
        wrong = "wrong" if running.validation.outcome == "refuted" else "not validated"
        text = "validated" if running.validation.holds else f"{wrong}: {running.validation.reason}"
        said += [(DEFAULT_OF_INTERVALS, _at_most(running.starts, "start")), ("its text", text)]
    if found.cost is not None:
        from detectors.carlson_lisper.source.cost import formula_text

        pattern, values = found.named
        named = f": {pattern} with {_named(values)}" if values and pattern != found.pattern else ""
        said.append(
            ("transformed", found.cost.transformed) if bounds is None else ("as formulas", f"in the bounds{named}")
        )
        texts = [(name, formula_text(getattr(found.cost.bounds, name))) for name in ("length", *TOTALS)]
        said += [(name, "no bound" if text == INFINITE else f"at most {text}") for name, text in texts]
    return said


def choice_lines(running: Running) -> list[tuple[str, str]]:
    """For what is wanted and how a trace is read, the detector and why."""
    return [(words, f"{one.detector}: {one.reason}") for one, (*_, words) in zip(running.choices, TAKEN, strict=True)]


def _named(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {number}" for name, number in values.items())


def _at_most(number: Quantity, noun: str) -> str:
    return "no bound" if number == UNBOUNDED else f"at most {number:,} {noun}{'' if number == 1 else 's'}"


def operator(part: PartBounds) -> str | None:
    """Name of the operator of a subexpression; None for an event type."""
    return part.expression.definition.title if isinstance(part.expression, Operation) else None


def quantities(part: PartBounds) -> list[str]:
    """The cells of a table for a subexpression: its length and totals."""
    return [
        f"{quantity:,}" if isinstance(quantity, int) else quantity_text(quantity)
        for quantity in (part.length, *(getattr(part, name) for name in TOTALS))
    ]


def quantity_text(quantity: object) -> str:
    """A number of any size, a bound, or a formula."""
    if quantity == UNBOUNDED:
        return INFINITE
    if isinstance(quantity, int | float | BoundParameter | BoundExtremum):
        return str(quantity)
    from detectors.carlson_lisper.source.cost import formula_text  # with SymPy

    return formula_text(quantity)


# ------------------------------------------------------------------------------------------------------------- data


def explanation_data(found: Explanation) -> JsonObject:
    """An explanation, with the keys of `remora/explain/1`."""
    bounds, running, text = found.bounds, found.running, found.text
    validation = None if running is None else running.validation
    return {
        "expression": str(found.pattern),
        "bounds": dict(found.values or {}),
        "transformed": None if bounds is None else str(bounds.expression),
        "detector": DEFAULT_DETECTOR,
        "running": None if bounds is None else {"detector": DEFAULT_DETECTOR, **_totals(bounds)},
        "starts": None if running is None else running.starts,
        "registers": None,  # kept for readers of the schema: no register machine is made
        "validations": {}
        if validation is None
        else {DEFAULT_OF_INTERVALS: {"outcome": validation.outcome, "reason": validation.reason}},
        "choices": [] if running is None else [asdict(choice) for choice in running.choices],
        "code": None if found.code is None else {"kind": found.code[0], "text": found.code[1]},
        "bounded": found.bounded,
        "length": None if bounds is None else _finite(bounds.length),
        "total": None if bounds is None else _totals(bounds),
        "subexpressions": [] if bounds is None else [_part_data(part) for part in bounds.parts],
        "faults": [
            {
                "number": fault.sequence.number,
                "expression": text(fault.sequence.expression),
                "right": text(fault.right.expression),
                "causes": [text(cause.expression) for cause in fault.causes],
            }
            for fault in found.faults
        ],
        "remedies": list(found.remedies),
        "formulas": None if found.cost is None else _formulas_data(found.cost, found.named),
        "possibility": None if found.answer is None else occurring_data(found.answer),
        "exit_status": int(found.exit_status),
    }


def _part_data(part: PartBounds) -> JsonObject:
    label = part.expression.label if isinstance(part.expression, Operation) else None
    return {
        "number": part.number,
        "expression": str(part.expression),
        "operator": operator(part),
        "label": None if label is None else _finite(label),
        "length": _finite(part.length),
        "instance_occurrences": part.width,
        **_totals(part),
    }


def _formulas_data(cost: Cost, named: tuple[Expression, Mapping[str, int]]) -> JsonObject:
    from detectors.carlson_lisper.source.cost import formula_text

    return {
        "expression": str(named[0]),
        "transformed": cost.transformed,
        "bounds": dict(named[1]),
        **{name: formula_text(getattr(cost.bounds, name)) for name in ("length", *TOTALS)},
    }


def _totals(bounds: Resources | PartBounds) -> JsonObject:
    return {name: _finite(getattr(bounds, name)) for name in TOTALS}


def _finite(quantity: Quantity) -> int | None:
    return None if quantity == UNBOUNDED else int(quantity)
