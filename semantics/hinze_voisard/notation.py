"""Profiles as text and in words."""

from __future__ import annotations

import json

from semantics.events import Value
from semantics.hinze_voisard import profiles
from semantics.hinze_voisard.pairing import Consumption, Listed, Selection

_CONSUMPTIONS: dict[Consumption, str] = {
    "keep": "",
    "lists": "each list pairs with the next one alone",
    "events": "each is in one pair at most",
    "reapply": "each is in one pair at most, and what is left over is paired again",
}


def file_text(file: profiles.ProfileFile) -> str:
    """Profiles and the classes that they need as a file states them."""
    needed = {
        part.type
        for one in file.profiles
        for part in profiles.parts(one.expression)
        if isinstance(part, profiles.OfClass)
    }
    for name, found in reversed(list(file.classes.items())):
        if name in needed and isinstance(found, profiles.EventClass) and found.parent:
            needed.add(found.parent)
    classes = [_class_text(found) for name, found in file.classes.items() if name in needed]
    return "\n".join([*classes, *(f"profile {one.name} = {text(one.expression)}" for one in file.profiles)]) + "\n"


def _class_text(found: profiles.EventClass | profiles.TimeClass) -> str:
    if isinstance(found, profiles.EventClass):
        properties = ", ".join(map(_property, found.constraints))
        return f"class {found.name} = {found.parent or 'event'}({properties})"
    times = f"every {found.every} from {found.since}" if found.every else ", ".join(map(str, found.at))
    return f"class {found.name} = time({times})"


def _property(constraint: profiles.Constraint) -> str:
    values = ", ".join(map(_value, constraint.values))
    return f"{constraint.attribute} {constraint.sign} " + (f"[{values}]" if constraint.sign == "in" else values)


def _value(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False)


def text(part: profiles.Part) -> str:
    """An expression as it is written; durations are in ticks."""
    match part:
        case profiles.OfClass(type, name):
            return f"{name}: {type}" if name else type
        case profiles.Paired(operator, left, right, span):
            bound = "" if span is None else f"[{span}]"
            return f"({text(left)} {operator} {text(right)}){bound}{_parameters(part)}"
        case profiles.Absent(operand, span):
            return f"not({text(operand)})[{span}]"
        case profiles.Selected(operand, place):
            inner = text(operand)
            return f"({inner})^{place}" if isinstance(operand, profiles.Selected) else f"{inner}^{place}"
        case profiles.Logical(conjunction, clauses):
            return "(" + (r" /\ " if conjunction else r" \/ ").join(map(text, clauses)) + ")"


def _parameters(part: profiles.Paired) -> str:
    listed = part.listed
    if listed == Listed("all", "all", "keep"):
        return ""
    if listed.by_operand:
        one, other = (operand.name or operand.type for operand in (part.left, part.right))  # type: ignore[union-attr]
        return f" {{ select {one}: {listed.anterior}, {other}: {listed.posterior}; consume {listed.consumption} }}"
    return f" {{ select {listed.anterior}, {listed.posterior}; consume {listed.consumption} }}"


def words(part: profiles.Part) -> str:
    """Meaning of an expression, as a part of a sentence."""
    match part:
        case profiles.OfClass(type, name):
            return f"{name}, of the class {type}" if name else type
        case profiles.Paired("|", left, right):
            return f"{_inner(left)} or {_inner(right)}"
        case profiles.Paired(operator, left, right, span):
            if operator == ";":
                said = f"{_inner(left)} and then {_inner(right)}"
                said += "" if span is None else f" at most {_ticks(span)} later"
            else:
                said = f"{_inner(left)} and {_inner(right)} in either order"
                said += "" if span is None else f" at most {_ticks(span)} apart"
            return "; ".join(filter(None, (said, _selections(part), _CONSUMPTIONS[part.listed.consumption])))
        case profiles.Absent(operand, span):
            return f"the end of {_ticks(span)} without {_inner(operand)}"
        case profiles.Selected(operand, place):
            return f"the {_ordinal(place)} of all occurrences of {_inner(operand)}"
        case profiles.Logical(conjunction, clauses):
            alternatives = " and " if conjunction else ", or "
            return alternatives.join(f"({words(clause)})" for clause in clauses)


def _inner(part: profiles.Part) -> str:
    return words(part) if isinstance(part, profiles.OfClass) else f"({words(part)})"


def _selections(part: profiles.Paired) -> str:
    listed = part.listed
    if listed.anterior == listed.posterior == "all":
        return ""
    if listed.by_operand or part.operator == ";":
        one, other = f"successive {_inner(part.left)}", f"successive {_inner(part.right)}"
    else:
        one, other = "the earlier list of successive ones", "the later"
    return f"of {one} {_selected(listed.anterior)}, of {other} {_selected(listed.posterior)}"


def _selected(selection: Selection) -> str:
    if isinstance(selection, int):
        return f"the {_ordinal(selection)}"
    return "all" if selection == "all" else f"the {selection}"


def _ordinal(number: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    ending = "th" if number % 100 in (11, 12, 13) else endings.get(number % 10, "th")
    return f"{number}{ending}"


def _ticks(span: int) -> str:
    return "1 tick" if span == 1 else f"{span} ticks"
