"""Cells of the atlas: a law in a setting is proved, refuted by a smallest trace, or tested to a stated bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from random import Random
from typing import Any, Literal, TypeAlias

from laws.carlson_lisper.claims import EquationClaim, laws
from remora.atlas.meaning import Meaning, meaning
from remora.atlas.proving import agreed, on_record
from remora.atlas.traces import TYPES, Trace, instances, traces
from semantics.carlson_lisper.expressions import Operation, bottom_up, bound_parameters
from semantics.carlson_lisper.syntax import parse
from semantics.settings.catalogue import SETTINGS, Setting
from semantics.settings.instances import Instance, Instances

Level: TypeAlias = Literal["types", "shared", "composites"]
"""Operands: event types of their own; event types of which some are the same; composite events."""

RELATIONS = ("included", "includes", "intervals", "instants")
"""What may remain where two sides differ: the left has no others, the right has none, equal intervals, equal ends."""

BOUNDS = (0, 1, 2)
"""The values of symbolic bounds, in ticks."""

POOL = ("a", "b", "c", "a | b", "a ; b", "a + b", "a ; a", "(a ; b)[1]", "b - c", "(a + b) - c")
"""Operands that are tried beside event types."""

RANDOM = 1500
"""So many random cases with composite operands are tried of each cell that holds for event types."""

REASONS = {
    "common operators": "proved for the first system (proofs/record.json), and no operator of the law differs between"
    " settings",
    "operators of the first system": "proved for the first system (proofs/record.json), whose operators the law has"
    " here too",
    "solvers": "both solvers proved it for the setting's own definitions; `remora atlas --replay` has it proved again",
    "undecided": "no counterexample among all traces within the bound for event types as operands, different or the"
    f" same, nor among {RANDOM:,} random cases with composite operands; no procedure here decides this setting",
}
"""Why a law is proved in a setting, or only tested."""

LAWS: tuple[EquationClaim, ...] = laws()
"""The rows: the laws of the first system's source."""


@dataclass(frozen=True)
class Case:
    """Operands on a trace.

    Attributes:
        trace: the events.
        operands: by variable an expression.
        bounds: the values of symbolic bounds.
    """

    trace: Trace
    operands: Mapping[str, str]
    bounds: Mapping[str, int]


@dataclass(frozen=True)
class Cell:
    """A law in a setting.

    Attributes:
        law: the law's id.
        setting: the setting's name.
        standing: `proved`, `refuted` or `tested`.
        why: what the proof is, or why no more than a test was possible; a key of `REASONS`.
        level: the weakest operands on which it fails; "" where it does not.
        remains: the strongest relation that no case on these operands contradicts where it fails; "" if there is none.
        case: the smallest case that refutes it.
        cases: how many cases were tried.
    """

    law: str
    setting: str
    standing: Literal["proved", "refuted", "tested"]
    why: str = ""
    level: Level | Literal[""] = ""
    remains: str = ""
    case: Case | None = None
    cases: int = 0


@dataclass
class _Search:
    """What cases say of an equation."""

    sides: tuple[Meaning, Meaning]
    setting: Setting
    cases: int = 0
    first: Case | None = None
    remaining: list[str] = field(default_factory=lambda: list(RELATIONS))

    def put(self, case: Case) -> None:
        """Compare both sides on a case."""
        self.cases += 1
        left, right = self.both(case)
        if left == right:
            return
        self.first = self.first or case
        self.remaining = [name for name in self.remaining if relates(name, left, right)]

    def differs(self, case: Case) -> bool:
        """Whether the sides differ on a case."""
        left, right = self.both(case)
        return left != right

    def both(self, case: Case) -> tuple[Instances, Instances]:
        """The instances of both sides."""
        types = instances(case.trace)
        operands = {name: operand(text, self.setting.name)(types, {}) for name, text in case.operands.items()}
        left, right = (side(operands, case.bounds) for side in self.sides)
        return left, right


def relates(name: str, left: Instances, right: Instances) -> bool:
    """Whether a relation holds between the instances of two sides."""
    match name:
        case "included":
            return left <= right
        case "includes":
            return left >= right
        case "intervals":
            return {one[:2] for one in left} == {one[:2] for one in right}
        case _:
            return {one.end for one in left} == {one.end for one in right}


@cache
def operand(text: str, setting: str) -> Meaning:
    """The meaning of an operand in a setting."""
    return meaning(parse(text), SETTINGS[setting])


def cell(law: EquationClaim, setting: Setting) -> Cell:
    """A law in a setting: proved where that is known, else refuted by the smallest case, or tested."""
    proof = proof_of(law, setting)
    if proof:
        return Cell(law.id, setting.name, "proved", proof)
    left, right = (meaning(side, setting) for side in (law.equation.left, law.equation.right))
    search = _Search((left, right), setting)
    for level in ("types", "shared", "composites"):
        for case in cases(law, level):
            search.put(case)
            if search.first is not None and not search.remaining:
                break
        if search.first is not None:
            remains = next(iter(search.remaining), "")
            small = search.first if level == "types" else shrunk(search.first, search.differs)
            return Cell(law.id, setting.name, "refuted", "", level, remains, small, search.cases)
    return Cell(law.id, setting.name, "tested", "undecided", cases=search.cases)


def shrunk(case: Case, differs: Callable[[Case], bool]) -> Case:
    """A case as small as single steps make it: fewer events, earlier times, smaller bounds, simpler operands."""
    while True:
        smaller = next(filter(differs, _smaller(case)), None)
        if smaller is None:
            return case
        case = smaller


def _smaller(case: Case) -> Iterator[Case]:
    for place in range(len(case.trace)):
        rest = case.trace[:place] + case.trace[place + 1 :]
        first = rest[0][1] if rest else 0
        yield replace(case, trace=tuple((name, time - first) for name, time in rest))
    for time in range(1, case.trace[-1][1] + 1 if case.trace else 1):
        if all(at != time for _, at in case.trace):
            yield replace(case, trace=tuple((name, at - (at > time)) for name, at in case.trace))
    for name, value in case.bounds.items():
        yield from (replace(case, bounds={**case.bounds, name: less}) for less in range(value))
    for name, text in case.operands.items():
        simpler = POOL[: POOL.index(text)] if text in POOL else ()
        yield from (replace(case, operands={**case.operands, name: other}) for other in simpler)


def proof_of(law: EquationClaim, setting: Setting) -> str:
    """Why a law holds for all operands in a setting, a key of `REASONS`; "" where that is not known.

    The record of proofs is about the first system, for all sets of instances. A law without sequence and conjunction
    says the same in every setting, since the other operators are the same; and where the operators of a law are those
    of the first system, so is the law. Where formulas say what the operators are, the solvers are asked.
    """
    used = {
        part.operator
        for side in (law.equation.left, law.equation.right)
        for part in bottom_up(side)
        if isinstance(part, Operation)
    }
    if not used & {"seq", "con"}:
        return "common operators" if law.id in on_record() else ""
    if setting.pairing == "unrestricted" and (setting.clock == "intervals" or "seq" not in used):
        return "operators of the first system" if law.id in on_record() else ""
    return "solvers" if agreed(law, setting) else ""


def cases(law: EquationClaim, level: Level) -> Iterator[Case]:
    """The cases of a level, the smallest traces first."""
    variables = sorted(law.variables)
    parameters = sorted(bound_parameters(law.equation.left) | bound_parameters(law.equation.right))
    bounds = [
        dict(zip(parameters, values, strict=True)) for values in product(BOUNDS, repeat=len(parameters))
    ]
    if level == "composites":
        yield from _random_cases(law, variables, bounds)
        return
    for chosen in _assignments(len(variables)):
        if (len(set(chosen)) == len(chosen)) is (level == "types"):
            operands = dict(zip(variables, chosen, strict=True))
            for trace in traces(len(set(chosen))):
                yield from (Case(trace, operands, values) for values in bounds)


def _assignments(number: int) -> Iterator[tuple[str, ...]]:
    """Event types for variables, each partition of the variables once."""
    for chosen in product(TYPES[:number], repeat=number):
        seen = list(dict.fromkeys(chosen))
        if seen == list(TYPES[: len(seen)]):
            yield chosen


def _random_cases(
    law: EquationClaim, variables: Sequence[str], bounds: Sequence[Mapping[str, int]]
) -> Iterator[Case]:
    random = Random(law.id)
    listed = traces(3)
    for _ in range(RANDOM):
        operands = {name: random.choice(TYPES if name in law.primitive else POOL) for name in variables}
        yield Case(random.choice(listed), operands, random.choice(bounds))


def shown(instances_: Instances, trace: Trace) -> list[str]:
    """Instances as sets of occurrences: `{a@0, b@2}`."""
    found = sorted(instances_, key=lambda one: (one.end, one.start, one.members))
    return [_set(one, trace) for one in found]


def _set(instance: Instance, trace: Trace) -> str:
    members = (f"{name}@{time}" for n, (name, time) in enumerate(trace) if instance.members >> n & 1)
    return "{" + ", ".join(members) + "}"


def replayed(law: EquationClaim, setting: Setting, case: Case) -> tuple[Instances, Instances]:
    """The instances of both sides of a law on a case."""
    left, right = (meaning(side, setting) for side in (law.equation.left, law.equation.right))
    return _Search((left, right), setting).both(case)


def cell_data(found: Cell) -> dict[str, Any]:
    """A cell as plain data."""
    data: dict[str, Any] = {"law": found.law, "system": found.setting, "standing": found.standing}
    for name in ("why", "level", "remains", "cases"):
        if getattr(found, name):
            data[name] = getattr(found, name)
    if found.case is not None:
        data["trace"] = [list(event) for event in found.case.trace]
        data["operands"] = dict(found.case.operands)
        data["bounds"] = dict(found.case.bounds)
    return data


def cell_from(data: Mapping[str, Any]) -> Cell:
    """The cell that `cell_data` has written."""
    case = None
    if "trace" in data:
        trace = tuple((str(name), int(time)) for name, time in data["trace"])
        case = Case(trace, data["operands"], data["bounds"])
    told = {name: data[name] for name in ("why", "level", "remains", "cases") if name in data}
    return Cell(data["law"], data["system"], data["standing"], case=case, **told)
