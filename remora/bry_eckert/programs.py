"""Programs and plans as a user names them: files of rules, kinds of plans, answers that are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.plans import Plan
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.rewriting import pushed
from semantics.bry_eckert.translation import plan_of
from semantics.errors import InputError

SUFFIX = ".rules"


def read_program(path: str | Path) -> Program:
    """The program in a file.

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
        return parse(text)
    except InputError as error:
        error.place = f"{path}, {error.place}" if error.place else str(path)
        raise


def plan_for(program: Program) -> Plan:
    """The plan by which a program is evaluated where no other one is named: selections as deep as they go."""
    return pushed(plan_of(program))


def wanted_types(program: Program, only: Sequence[str]) -> frozenset[str]:
    """The derived event types that are asked for; all where none is named.

    Raises:
        InputError: the program derives no such type.
    """
    for name in only:
        if name not in program.derived:
            raise InputError(
                f"the program derives no {name}",
                place="--only",
                remedy=f"It derives {', '.join(program.derived)}.",
            )
    return frozenset(only or program.derived)
