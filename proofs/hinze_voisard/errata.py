"""The evidence for the errata of Hinze and Voisard, carried out."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from laws.errata import Evidence
from proofs.errata import EvidenceResult, follows
from semantics.errors import InputError
from semantics.events import Event, Value
from semantics.hinze_voisard.evaluation import Evaluation, Found, continuously, evaluated
from semantics.hinze_voisard.literal import AsPrinted, duplicate_lists, view
from semantics.hinze_voisard.pairing import Instance, Instances, occurrence
from semantics.hinze_voisard.syntax import parse
from smt.solvers.portfolio import Solver

_CLASSES = "".join(f'class {name} = event(name = "{name}")\n' for name in ("e1", "e2", "e3"))

_EVENT = re.compile(r"([\w-]+)@([0-9]+)(?:\{(.*?)\})?")

SIDES = ("printed", "meant")  # What evidence is of: the place as it is printed, and as it is meant


def shown_by(evidence: Evidence) -> str:
    """What is run as printed and as meant, with what comes out, in Markdown."""
    sides = [(side, _about(evidence.check, details), details["expect"]) for side, details in _sides(evidence)]
    if len({about for _, about, _ in sides}) == 1:
        return f"{sides[0][1]}: " + ", ".join(f"as {side} {_listed(expected)}" for side, _, expected in sides)
    return "; ".join(f"as {side} {about}: {_listed(expected)}" for side, about, expected in sides)


def _sides(evidence: Evidence) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The details of what is printed, and of what is meant."""
    common = {key: value for key, value in evidence.details.items() if key not in SIDES}
    for side in SIDES:
        if side in evidence.details:
            yield side, {"given": (), "classes": "", **common, **evidence.details[side]}


def _about(check: str, details: Mapping[str, Any]) -> str:
    match check:
        case "follows":
            return f"`{details['says']}` from `{' '.join(details['given']) or 'nothing'}`"
        case "profile":
            given = [*details["classes"].split("\n"), details["profile"]]
            within = " from {} to {}".format(*details["interval"]) if "interval" in details else ""
            return f"`{'; '.join(filter(None, given))}` on `{details['log']}`{within}".replace("\n", "; ")
        case _:
            return f"the lists of `{details['log']}`"


def _listed(found: str | Sequence[str]) -> str:
    return found if isinstance(found, str) else ", ".join(found) or "nothing"


def examined(evidence: Evidence, solver: Solver) -> EvidenceResult:
    """Carry out evidence (`proofs.errata.ErrataOfSystem`)."""
    sides = list(_sides(evidence))
    if not sides:
        raise InputError("evidence is of what is printed, of what is meant, or of both")
    found = [_found(evidence.check, details, solver) for _, details in sides]
    return EvidenceResult(
        evidence.check,
        "; ".join(dict.fromkeys(_about(evidence.check, details) for _, details in sides)),
        "; ".join(f"as {side}: {_listed(details['expect'])}" for side, details in sides),
        "; ".join(f"as {side}: {_listed(one)}" for (side, _), one in zip(sides, found, strict=True)),
        found == [details["expect"] for _, details in sides],
    )


def _found(check: str, details: Mapping[str, Any], solver: Solver) -> str | list[str]:
    slips = frozenset(details.get("slips", ()))
    match check:
        case "follows":
            return follows(details, solver).found
        case "profile":
            return _occurrences(details)
        case "lists":  # of e1 and e2, or those of e1 alone
            left, right = _operands(details["log"])
            lists = duplicate_lists(left, right, slips) if details.get("of") else view(left, right, slips, roles=True)
            return [_shown(one, left) for one in lists]
        case other:
            raise InputError(f"there is no check {other!r}")


def _occurrences(details: Mapping[str, Any]) -> list[str]:
    """The occurrences of profiles, over the whole log or an interval, or as they are announced and withdrawn.

    What is not read as printed is evaluated word for word as well, and has to be the same.
    """
    file = parse(f"{_CLASSES}{details['classes']}\nprofile P = {details['profile']}")
    begin, end = details.get("interval", (0, math.inf))
    log = [one for one in _log(details["log"]) if begin <= one.time <= end]

    def shown(found: Found) -> str:
        return f"{found.profile} " * (len(file.profiles) > 1) + f"[{found.start}, {found.time}]"

    if details.get("continuous"):
        return [f"at {one.time} {one.kind} {shown(one.found)}" for one in continuously(file, log)]
    readings = [partial(AsPrinted, slips=details["slips"])] if "slips" in details else [Evaluation, AsPrinted]
    found, *others = dict.fromkeys(tuple(map(shown, evaluated(file, log, each))) for each in readings)
    return [*found, *(f"word for word {_listed(one)}" for one in others)]


def _operands(log: str) -> tuple[Instances, Instances]:
    events = list(enumerate(_log(log)))
    left, right = (
        frozenset(occurrence(number, event.time) for number, event in events if event.type == name)
        for name in ("e1", "e2")
    )
    return left, right


def _log(text: str) -> Iterator[Event]:
    """The events of a log such as `e1@3 e2@5{truck=T1}`."""
    for name, time, given in _EVENT.findall(text):
        pairs = (one.split("=") for one in filter(None, given.split(",")))
        values: dict[str, Value] = {key: int(text) if text.isdigit() else text for key, text in pairs}
        yield Event(name, int(time), int(time), values)


def _shown(instances: Sequence[Instance], left: Instances) -> str:
    return " ".join(f"{'e1' if one in left else 'e2'}@{one.end}" for one in instances)
