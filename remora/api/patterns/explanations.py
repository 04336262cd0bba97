"""Explanations of patterns: the transformed form, what detecting one takes, whether it can occur."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from detectors.carlson_lisper.catalogue import CATALOGUE, COLUMNS, DEFAULT_DETECTOR, DEFAULT_OF_INTERVALS, reason
from detectors.carlson_lisper.generated import Generated, program
from detectors.carlson_lisper.source import bounds as sizes
from discovery.carlson_lisper.optimisation.superfluous import Superfluous, superfluous
from laws.standings import ExitStatus
from remora.api.arguments import brief, require_seed, require_whole
from remora.api.cards import Card, Shown
from remora.api.claiming.data import picked
from remora.api.patterns.comparisons import Occurring, answer_mark, occurring, occurring_data
from remora.api.patterns.patterns import PatternLike, as_pattern
from remora.terminal.console import JsonObject
from remora.terminal.progress import Tell, unheard
from reports.page import Table
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import UNBOUNDED, BoundExtremum, BoundParameter, Expression, Operation
from semantics.carlson_lisper.occurrences import occurrence_data
from semantics.carlson_lisper.ties import Ties, Told, order_matters
from semantics.errors import InputError

if TYPE_CHECKING:  # SymPy is imported only where a formula is asked for
    from detectors.carlson_lisper.source.cost import Cost
    from smt.carlson_lisper.validation.validating import Validation

TOTALS = ("instances", "occurrences", "steps")  # Bounds for each subexpression and in total

TAKEN = (
    ("instances", "rows", DEFAULT_DETECTOR, "whole instances, by rows"),
    ("intervals", "rows", DEFAULT_OF_INTERVALS, "starts and ends, by rows"),
    ("both", "columns", COLUMNS, "both, by columns"),
)
"""What is wanted, how a trace is read, the detector for it where none is named, and the first two in words."""

STEPS = 200_000  # How many transitions may be computed to decide whether a pattern can occur; a second or two


@dataclass(frozen=True, repr=False)
class Explanation(Shown):
    """Explanation of a pattern.

    Attributes:
        values: the values of its symbolic bounds, in ticks; None if there are some without values.
        bounds: its resource bounds as numbers; None without values.
        cost: the same as formulas, if asked for.
        named: the pattern that the formulas are about, and the values of its bounds where they are known.
        answer: whether it can occur; None without values.
        remedies: patterns with finite bounds, if its own are not.
        starts: how many starts generated code keeps at most where starts and ends are enough; None without values.
        validation: whether the text of that code was validated; None without values.
        choices: for each of `TAKEN`, the detector, why it is taken, and whether its memory has a bound.
        code: the kind and the text of its code, if asked for.
        superfluous: what never matters, one after the other; the last one has the shorter pattern.
        whole: whether all that could be superfluous was decided; None where nothing was asked.
        ties: whether the order of rows in a tick can matter; where it cannot, whether it can that they have none.
    """

    pattern: Expression
    values: Mapping[str, int] | None
    bounds: sizes.Resources | None
    cost: Cost | None
    named: tuple[Expression, Mapping[str, int]]
    answer: Occurring | None
    remedies: tuple[str, ...] = ()
    starts: int | None = None
    validation: Validation | None = None
    choices: tuple[JsonObject, ...] = ()
    code: tuple[str, str] | None = None
    ties: tuple[Ties, ...] = ()
    superfluous: tuple[Superfluous, ...] = ()
    whole: bool | None = None

    @property
    def transformed(self) -> Expression | None:
        """The pattern as it is detected, by Figure 5, with labels; None without values for its symbolic bounds."""
        return None if self.bounds is None else self.bounds.expression

    @property
    def bounded(self) -> bool:
        """Whether a detector of instances needs only so much memory, however long the trace."""
        return not self.faults

    @property
    def faults(self) -> tuple[sizes.Fault, ...]:
        """The sequences that keep arbitrarily many instances."""
        return sizes.faults(self.stated)

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
    def stated(self) -> sizes.Resources:
        """The bounds that are shown by subexpression: numbers where there are some, otherwise formulas."""
        if self.bounds is not None:
            return self.bounds
        assert self.cost is not None
        return self.cost.bounds

    def text(self, expression: Expression) -> str:
        """Text of what is shown by subexpression."""
        if self.bounds is not None:
            return str(expression)
        from detectors.carlson_lisper.source.cost import expression_text

        return expression_text(expression)

    @property
    def fault_texts(self) -> list[str]:
        """Remark on each sequence that keeps arbitrarily many instances."""
        return [
            f"{self.text(fault.sequence.expression)} keeps one instance of its left side for every time at which its"
            f" right side may have started, and {' and '.join(self.text(cause.expression) for cause in fault.causes)}"
            " may take arbitrarily long"
            for fault in self.faults
        ]

    def card(self) -> Card:
        """Cost of detection by subexpression, and a trace on which the pattern occurs."""
        columns = ("#", "operator", "length", *TOTALS, "subexpression")
        rows = tuple(
            (str(part.number), _operator(part) or "event type", *quantities(part), self.text(part.expression))
            for part in self.stated.parts
        )
        table, answer = Table(columns, rows, ("#", *columns[2:6]) if self.bounds else ("#",)), self.answer
        drawn = None if answer is None else answer.timeline
        return Card(
            str(self.pattern),
            None if answer is None else answer_mark(answer.occurs, answer.verdict),
            facts=tuple(facts(self)[1:]),
            blocks=(table,) if drawn is None else (table, drawn),
            code="" if self.code is None else self.code[1],
            notes=(
                *self.fault_texts,
                *(f"A restriction would bound it, and detect less: {one}" for one in self.remedies),
            ),
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

    Raises:
        InputError: the pattern cannot be read, or a value is for no bound of it, or a bound has none.
        EnginesDisagree: a trace that was found is not confirmed by the executable semantics.
    """
    meant = as_pattern(pattern, symbolic=True)
    given = {} if bounds is None else bounds
    if not isinstance(given, Mapping):
        raise InputError(f"bounds={brief(given)} names no bounds", remedy='Write bounds={"t": 60}.')
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise InputError(f"the bound {name} is {brief(value)}", remedy="A bound is an integer >= 0 in ticks.")
    require_whole("steps", steps, 1)
    require_seed(seed)
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
    """Explanation of a pattern, with values for its symbolic bounds or formulas, and perhaps the kind of its code."""
    parameters = expressions.bound_parameters(pattern)
    unknown, missing = (", ".join(sorted(names)) for names in (given.keys() - parameters, parameters - given.keys()))
    if unknown:
        remedy = f"Its symbolic bounds: {', '.join(sorted(parameters)) or 'none'}."
        raise InputError(f"{pattern} has no symbolic bound {unknown}", place="--bound", remedy=remedy)
    if missing and (given or code is not None):
        remedy = "Give each of them one with --bound NAME=TICKS, or none, and no --code, to see formulas."
        raise InputError(f"the bound {missing} has no value", place="--bound", remedy=remedy)
    values = None if missing else dict(given)
    named: tuple[Expression, Mapping[str, int]] = (pattern, values or {})
    cost, bounds, answer, running = None, None, None, dict[str, Any]()
    if formula or parameters:
        from detectors.carlson_lisper.source import cost as formulas

        tell("formulas in the bounds")
        if not parameters:
            named = formulas.with_names(pattern)
        cost = formulas.cost(named[0])
    if values is not None:
        from smt.carlson_lisper.validation.validating import validate  # which brings the solver

        ground = expressions.with_bounds(pattern, values)
        bounds, answer, generated = sizes.resources(ground), occurring(ground, steps), Generated(ground)
        tell("what runs for it")
        taken = tuple(
            {"wanted": wanted, "feed": feed, "detector": name, "reason": reason(name, ground)}
            | {"bounded": CATALOGUE[name].is_bounded(ground)}
            for wanted, feed, name, _ in TAKEN
        )
        tell("what never matters in it")
        missed = superfluous(ground, steps) if answer.occurs else ((), None)
        running = {
            "superfluous": missed[0],
            "whole": missed[1],
            "starts": generated.bound,
            "validation": validate(generated),
            "choices": taken,
        }
        running["code"] = None if code is None else (code, program(ground))
    tell("whether ties can matter")
    meant = pattern if values is None else expressions.with_bounds(pattern, values)
    order = order_matters(meant)
    running["ties"] = (order,) if order.matter is not False else (order, order_matters(meant, simultaneous=True))
    found = Explanation(pattern, values, bounds, cost, named, answer, **running)
    if found.bounded:
        return found
    names = expressions.identifiers(pattern) | parameters
    ticks = BoundParameter(next(name for name in ("t", "u", "v", *map("t{}".format, names)) if name not in names))
    restricted = sizes.restricted_right_sides(found.stated, ticks)
    return replace(found, remedies=(found.text(restricted), str(pattern[ticks])))


def facts(found: Explanation) -> list[tuple[str, str]]:
    """The lines at the top, each with its label; the first one is the pattern."""
    bounds, validation = found.bounds, found.validation
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
    if validation is not None and found.starts is not None:
        wrong = "wrong" if validation.outcome == "refuted" else "not validated"
        text = "validated" if validation.holds else f"{wrong}: {validation.reason}"
        said += [(DEFAULT_OF_INTERVALS, _at_most(found.starts, "start")), ("its text", text)]
    said += [("superfluous", _of_superfluous(each)) for each in found.superfluous]
    said += [("shorter", f"{each.shorter}, with the same detections") for each in found.superfluous[-1:]]
    said.append(("ties", _of_ties(found.ties)))
    if found.cost is not None:
        pattern, values = found.named
        named = f": {pattern} with {_named(values)}" if values and pattern != found.pattern else ""
        label, form = ("as formulas", f"in the bounds{named}") if bounds else ("transformed", found.cost.transformed)
        texts = _formulas(found.cost).items()
        said += [(label, form), *((one, "no bound" if text == "inf" else f"at most {text}") for one, text in texts)]
    return said


def _of_superfluous(each: Superfluous) -> str:
    if each.part is not None:
        return f"{each.part} in {each.within}"
    if not each.goes:
        return f"in {each.within} what the bound has above {each.least}"
    return f"the bound in {each.within}" + ("" if each.least == each.within.bound else f"; {each.least} is enough, too")


def _of_ties(asked: tuple[Ties, ...]) -> str:
    order, logs, why = asked[0].matter, asked[-1].logs, asked[-1].why

    def text(told: Told) -> str:
        rows, detected = " ".join(map(str, told.log)), " ".join(f"[{start}, {end}]" for start, end in told.detected)
        return f"{rows}{'' if told.in_order else ' together'} detects {detected or 'nothing'}"

    shown = ", and ".join(map(text, logs)) or f"that is not decided: {why}"
    if order is not False:
        return f"{'can' if order else 'may'} matter: {shown}"
    never = "never matter"
    return never if asked[-1].matter is False else f"{never} in any order; without one they may: {shown}"


def _named(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {number}" for name, number in values.items())


def _at_most(number: sizes.Quantity, noun: str) -> str:
    return "no bound" if number == UNBOUNDED else f"at most {number:,} {noun}{'' if number == 1 else 's'}"


def _formulas(cost: Cost) -> dict[str, str]:
    return {name: quantity_text(getattr(cost.bounds, name)) for name in ("length", *TOTALS)}


def _operator(part: sizes.PartBounds) -> str | None:
    return part.expression.definition.title if isinstance(part.expression, Operation) else None


def quantities(part: sizes.PartBounds) -> list[str]:
    """The cells of a table for a subexpression: its length and totals."""
    found = (getattr(part, name) for name in ("length", *TOTALS))
    return [f"{quantity:,}" if isinstance(quantity, int) else quantity_text(quantity) for quantity in found]


def quantity_text(quantity: object) -> str:
    """A number of any size, a bound, or a formula."""
    if quantity == UNBOUNDED:
        return "inf"
    if isinstance(quantity, int | float | BoundParameter | BoundExtremum):
        return str(quantity)
    from detectors.carlson_lisper.source.cost import formula_text  # with SymPy

    return formula_text(quantity)


def explanation_data(found: Explanation) -> JsonObject:
    """An explanation, with the keys of `remora/explain/1`."""
    bounds, text = found.bounds, found.text
    formulas: JsonObject | None = None
    if found.cost is not None:
        pattern, values = found.named
        formulas = {"expression": str(pattern), "transformed": found.cost.transformed, "bounds": dict(values)}
        formulas |= _formulas(found.cost)
    total = None if bounds is None else _totals(bounds, *TOTALS)
    validated = found.validation and {DEFAULT_OF_INTERVALS: picked(found.validation, "outcome", "reason")}
    return {
        "expression": str(found.pattern),
        "bounds": dict(found.values or {}),
        "transformed": None if bounds is None else str(bounds.expression),
        "detector": DEFAULT_DETECTOR,
        "running": None if total is None else {"detector": DEFAULT_DETECTOR, **total},
        "starts": found.starts,
        "registers": None,  # kept for readers of the schema: no register machine is made
        "validations": validated or {},
        "choices": list(found.choices),
        "code": None if found.code is None else {"kind": found.code[0], "text": found.code[1]},
        "bounded": found.bounded,
        "length": None if bounds is None else _totals(bounds, "length")["length"],
        "total": total,
        "subexpressions": [] if bounds is None else [_part_data(part) for part in bounds.parts],
        "faults": [
            {"number": fault.sequence.number, "expression": text(fault.sequence.expression)}
            | {"right": text(fault.right.expression), "causes": [text(cause.expression) for cause in fault.causes]}
            for fault in found.faults
        ],
        "remedies": list(found.remedies),
        "formulas": formulas,
        "superfluous": [
            {"within": str(each.within), "part": None if each.part is None else str(each.part)}
            | {"least": each.least, "goes": each.goes, "shorter": str(each.shorter)}
            for each in found.superfluous
        ],
        "superfluous_decided": found.whole,
        "ties": found.ties[0].matter is not False,
        "tie_logs": [
            {"trace": list(map(occurrence_data, told.log)), "in_order": told.in_order}
            | {"detected": list(map(list, told.detected))}
            for told in found.ties[-1].logs
        ],
        "possibility": None if found.answer is None else occurring_data(found.answer),
        "exit_status": int(found.exit_status),
    }


def _part_data(part: sizes.PartBounds) -> JsonObject:
    about = {"number": part.number, "expression": str(part.expression), "operator": _operator(part)}
    label = _totals(part.expression, "label")
    return {**about, **label, "instance_occurrences": part.width, **_totals(part, "length", *TOTALS)}


def _totals(bounds: object, *names: str) -> JsonObject:
    """Some quantities by their names; None for one that is infinite, or not there."""
    found = {name: getattr(bounds, name, None) for name in names}
    return {name: None if one is None or one == UNBOUNDED else int(one) for name, one in found.items()}
