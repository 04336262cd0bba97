"""Explanations of patterns: the transformed form, what detecting one takes, whether it can occur."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
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

DETECTOR = DEFAULT_DETECTOR
"""The detector whose resources are stated."""

INFINITE = "inf"
"""How ∞ is printed, as in labels."""

TOTALS = ("instances", "occurrences", "steps")
"""What is bounded for each subexpression and in total."""

TAKEN = (
    ("instances", "rows", DEFAULT_DETECTOR),
    ("intervals", "rows", DEFAULT_OF_INTERVALS),
    ("both", "columns", COLUMNS),
)
"""What is wanted, how a trace is read, and the detector for it where none is named."""

CODE = ("starts",)
"""The programs that can be shown."""

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
    """What runs for a pattern.

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
    """All that is said about a pattern.

    Attributes:
        pattern: as it was read.
        values: the values of its symbolic bounds, in ticks; None if there are none.
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
        found: Expression | None = None if self.bounds is None else self.bounds.expression
        return found

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
        """What detecting it takes, by subexpression, and a trace on which it occurs."""
        columns = ("#", "operator", "length", *TOTALS, "subexpression")
        rows = tuple((*cells(part), self.text(part.expression)) for part in self.stated.parts)
        right = frozenset(("#", *columns[2:6]) if self.bounds else ("#",))
        remedies = [f"A restriction would bound it, and detect less: {remedy}" for remedy in self.remedies]
        drawn = None if self.answer is None else occurring_timeline(self.answer)
        code = "" if self.code is None else self.code[1]
        return Card(
            str(self.pattern),
            None if self.answer is None else _mark(self.answer),
            (),
            tuple(said for said in facts(self) if said[0] != "pattern"),
            (Table(columns, rows, right), *([] if drawn is None else [drawn])),
            code,
            (*(fault_text(fault, self.text) for fault in self.faults), *remedies),
        )


def _mark(answer: Occurring) -> Mark:
    mark = standing_mark({True: "proved", False: "refuted", None: "unknown"}[answer.occurs])
    return Mark(mark.symbol, answer.verdict, mark.tone)


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


def _values(pattern: Expression, given: Mapping[str, int]) -> Mapping[str, int] | None:
    """The values of all symbolic bounds; None if there are some and none was given a value.

    Raises:
        InputError: a value is for no bound of the pattern, or a bound has none.
    """
    parameters = bound_parameters(pattern)
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
    return None if missing else MappingProxyType(dict(given))


def explanation(
    pattern: Expression,
    given: Mapping[str, int],
    formula: bool,
    code: str | None = None,
    *,
    steps: int = STEPS,
    tell: Tell = unheard,
) -> Explanation:
    """All that is said about a pattern.

    Args:
        given: the values of its symbolic bounds, in ticks; none of them for formulas.
        code: one of `CODE`, to have that program as well.
        steps: how many transitions may be computed to decide whether it can occur.

    Raises:
        InputError: a value is for no bound of the pattern, or a bound has none that needs one.
        EnginesDisagree: a trace that was found is not confirmed by the executable semantics.
    """
    values = _values(pattern, given)
    shown = None if code is None else (code, _program(pattern, values))
    named: tuple[Expression, Mapping[str, int]] = (pattern, values or {})
    cost, bounds, answer, runs = None, None, None, None
    if formula or bound_parameters(pattern):
        import detectors.carlson_lisper.source.cost

        tell("formulas in the bounds")
        if not bound_parameters(pattern):
            named = detectors.carlson_lisper.source.cost.with_names(pattern)
        cost = detectors.carlson_lisper.source.cost.cost(named[0])
    if values is not None:
        ground = with_bounds(pattern, values)
        bounds, answer = resources(ground), occurring(ground, steps)
        tell("what runs for it")
        runs = _running(ground)
    found = Explanation(pattern, values, bounds, cost, named, answer, running=runs, code=shown)
    return replace(found, remedies=_remedies(found))


def _running(pattern: Expression) -> Running:
    from smt.carlson_lisper.validation.validating import validate  # which brings the solver

    choices = (
        Choice(wanted, feed, name, reason(name, pattern), CATALOGUE[name].is_bounded(pattern))
        for wanted, feed, name in TAKEN
    )
    generated = Generated(pattern)
    return Running(generated.bound, validate(generated), tuple(choices))


def _program(pattern: Expression, values: Mapping[str, int] | None) -> str:
    """The code that is generated for a pattern.

    Raises:
        InputError: a symbolic bound has no value.
    """
    if values is None:
        names = ", ".join(sorted(bound_parameters(pattern)))
        raise InputError(
            f"code is generated for a pattern whose bounds are numbers, and {names} has no value",
            place="--code",
            remedy="Give each of them a value with --bound NAME=TICKS.",
        )
    return program(with_bounds(pattern, values))


def _remedies(found: Explanation) -> tuple[str, ...]:
    """The pattern with restrictions that bound it; none if it is bounded."""
    if found.bounded:
        return ()
    taken = identifiers(found.pattern) | bound_parameters(found.pattern)
    name = next(name for name in ("t", "u", "v", *map("t{}".format, range(len(taken)))) if name not in taken)
    ticks = BoundParameter(name)
    return found.text(restricted_right_sides(found.stated, ticks)), str(found.pattern[ticks])


# ------------------------------------------------------------------------------------------------------------ words


def fault_text(fault: Fault, text: Callable[[Expression], str]) -> str:
    """What is wrong with a sequence that keeps arbitrarily many instances."""
    causes = " and ".join(text(cause.expression) for cause in fault.causes)
    return (
        f"{text(fault.sequence.expression)} keeps one instance of its left side for every"
        f" time at which its right side may have started, and {causes} may take arbitrarily long"
    )


def facts(found: Explanation) -> list[tuple[str, str]]:
    """The lines at the top, each with its label."""
    bounds, cost = found.bounds, found.cost
    said = [("pattern", str(found.pattern))]
    if found.values:
        said.append(("bounds", _named(found.values)))
    if bounds is not None:
        said += [
            ("transformed", str(bounds.expression)),
            ("length", _at_most(bounds.length, "tick")),
            ("stores", _stores(bounds)),
            ("steps", _at_most(bounds.steps, "", "at one instant")),
        ]
    if found.running is not None:
        starts, validation = found.running.starts, found.running.validation
        said.append((DEFAULT_OF_INTERVALS, _at_most(starts, "start")))
        wrong = "wrong" if validation.outcome == "refuted" else "not validated"
        said.append(("its text", "validated" if validation.holds else f"{wrong}: {validation.reason}"))
    if cost is not None:
        said += _formulas(found, cost)
    return said


def choice_lines(running: Running) -> list[tuple[str, str]]:
    """For what is wanted and how a trace is read, the detector and why."""
    said = {
        "instances": "whole instances, by rows",
        "intervals": "starts and ends, by rows",
        "both": "both, by columns",
    }
    return [(said[one.wanted], f"{one.detector}: {one.reason}") for one in running.choices]


def _formulas(found: Explanation, cost: Cost) -> list[tuple[str, str]]:
    from detectors.carlson_lisper.source.cost import formula_text

    pattern, values = found.named
    heading = [("transformed", cost.transformed)]
    if found.bounds is not None:
        named = f": {pattern} with {_named(values)}" if values and pattern != found.pattern else ""
        heading = [("as formulas", f"in the bounds{named}")]
    texts = [(name, formula_text(getattr(cost.bounds, name))) for name in ("length", *TOTALS)]
    return heading + [(name, "no bound" if text == INFINITE else f"at most {text}") for name, text in texts]


def _named(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {number}" for name, number in values.items())


def _stores(bounds: Resources) -> str:
    occurrences = _at_most(bounds.occurrences, "occurrence")
    if bounds.instances == UNBOUNDED:
        return occurrences
    return f"{occurrences}, in {bounds.instances:,} instance{'' if bounds.instances == 1 else 's'}"


def _at_most(number: Quantity, noun: str, when: str = "") -> str:
    if number == UNBOUNDED:
        return "no bound"
    plural = "s" if noun and number != 1 else ""
    return " ".join(filter(None, ("at most", f"{number:,}", noun + plural, when)))


def operator(part: PartBounds) -> str | None:
    """What the operator of a subexpression is called; None for an event type."""
    return part.expression.definition.title if isinstance(part.expression, Operation) else None


def cells(part: PartBounds) -> list[str]:
    """The cells of a table for a subexpression: its number, operator, length and totals."""
    quantities = (part.length, part.instances, part.occurrences, part.steps)
    return [str(part.number), operator(part) or "event type", *map(_cell, quantities)]


def _cell(quantity: Quantity) -> str:
    if isinstance(quantity, int | float):
        return INFINITE if quantity == UNBOUNDED else f"{quantity:,}"
    from detectors.carlson_lisper.source.cost import formula_text

    return formula_text(quantity)


# ------------------------------------------------------------------------------------------------------------- data


def explanation_data(found: Explanation) -> JsonObject:
    """An explanation, with the keys of `remora/explain/1`."""
    bounds = found.bounds
    return {
        "expression": str(found.pattern),
        "bounds": dict(found.values or {}),
        "transformed": None if bounds is None else str(bounds.expression),
        "detector": DETECTOR,
        "running": None if bounds is None else {"detector": DETECTOR, **_totals(bounds)},
        "starts": None if found.running is None else found.running.starts,
        "registers": None,  # kept for readers of the schema: no register machine is made
        "validations": {} if found.running is None else _validations_data(found.running),
        "choices": [] if found.running is None else [asdict(choice) for choice in found.running.choices],
        "code": None if found.code is None else {"kind": found.code[0], "text": found.code[1]},
        "bounded": found.bounded,
        "length": None if bounds is None else _finite(bounds.length),
        "total": None if bounds is None else _totals(bounds),
        "subexpressions": [] if bounds is None else [_part_data(part) for part in bounds.parts],
        "faults": [_fault_data(fault, found.text) for fault in found.faults],
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


def _fault_data(fault: Fault, text: Callable[[Expression], str]) -> JsonObject:
    return {
        "number": fault.sequence.number,
        "expression": text(fault.sequence.expression),
        "right": text(fault.right.expression),
        "causes": [text(cause.expression) for cause in fault.causes],
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


def _validations_data(running: Running) -> JsonObject:
    found = running.validation
    return {DEFAULT_OF_INTERVALS: {"outcome": found.outcome, "reason": found.reason}}
