"""Programs and plans as a user names them: files of rules, kinds of plans, answers that are wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from detectors.bry_eckert.catalogue import ENGINES, FORGETTING
from semantics.bry_eckert.algebra.planning import Choice, planned, read_choices
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.checking import NO_TYPES, parse
from semantics.bry_eckert.programs import EventType, Program
from semantics.errors import InputError
from semantics.events import quoted

SUFFIX = ".rules"


def read_program(
    path: str | Path, tick: str | None = None, known: Mapping[str, EventType] = NO_TYPES
) -> Program:
    """The program in a file.

    Args:
        tick: the length of a tick where the program states none, such as `1s`.
        known: event types that need no declaration (`semantics.bry_eckert.checking.parse`).

    Raises:
        InputError: there is no such file, or it is no program; names file, line and column.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"the program cannot be read: {error.strerror}",
            place=str(path),
            remedy=f"Name a file of rules that ends in {SUFFIX}.",
        ) from None
    except UnicodeDecodeError:
        raise InputError("the program is not text in UTF-8", place=str(path)) from None
    try:
        return parse(text, "" if tick is None else tick.replace(" ", ""), known)
    except InputError as error:
        error.place = f"{path}, {error.place}" if error.place else str(path)
        raise


def plan_for(program: Program, path: Path | None = None) -> Plan:
    """The plan in a file (`semantics.bry_eckert.algebra.planning`); without one, atoms are joined in their order.

    Raises:
        InputError: the file cannot be read, or names no rule or identifier of the program.
    """
    return planned(program, {} if path is None else read_choices_in(path, program))


def read_choices_in(path: Path, program: Program) -> dict[str, Choice]:
    """The choices in a file.

    Raises:
        InputError: as `plan_for`.
    """
    try:
        return read_choices(path.read_text(encoding="utf-8"), program)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the plan cannot be read: {error}", place=str(path)) from None
    except InputError as error:
        error.place = f"{path}, {error.place}"
        raise


def wanted_types(program: Program, only: Sequence[str]) -> frozenset[str]:
    """The derived event types that are asked for; all where none is named.

    Raises:
        InputError: the program derives no such type.
    """
    for name in only:
        if name not in program.derived:
            raise InputError(
                f"the program derives no {quoted(name)}",
                place="--only",
                remedy=f"It derives {', '.join(map(quoted, program.derived))}.",
            )
    return frozenset(only or program.derived)


def printed_engine(engine: str, as_printed: bool) -> str:
    """The engine that is asked for, as its paper prints it where that is asked for.

    Raises:
        InputError: the engine is a variant that no paper prints.
    """
    if not as_printed or engine.endswith(PRINTED):
        return engine
    if f"{engine}{PRINTED}" not in ENGINES:
        raise InputError(
            f"no paper prints the engine {engine}",
            place="--as-printed",
            remedy="One is printed: --detector nodes.",
        )
    return f"{engine}{PRINTED}"


PRINTED = ":as-printed"
"""The end of the names of engines as their papers print them."""


def safe_engine(engine: str, program: Program, plan: Plan) -> tuple[str, Plan, list[str]]:
    """The engine that is asked for, with a plan that keeps for ever what a solver does not find safe to forget.

    Returns:
        The name of the engine, its plan, and what is wrong with the conditions, in sentences.
    """
    if engine not in FORGETTING:
        return engine, plan, []
    from smt.bry_eckert.relevance import doubtful

    found = list(doubtful(program, plan))
    said = [f"{one}; nothing is dropped there" for one in found]
    return engine, replace(plan, doubtful=frozenset((one.point, one.number) for one in found)), said
