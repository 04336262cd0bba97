"""Claims by name: ids of the catalogue, and conjectures written as equations."""

from __future__ import annotations

import re
from collections.abc import Iterable

from laws.carlson_lisper.claims import EquationClaim
from laws.claims import Claim
from laws.systems import every_claim, find
from semantics.carlson_lisper.syntax import Equation, parse_equation, parse_schema
from semantics.errors import ExpressionError, InputError
from semantics.events import unquoted

_ID = re.compile(r"[0-9]+|[A-Za-z]+:[\w.'/ -]*")
_NAMES = re.compile(r"""\"(?:[^\"\\]|\\.)+\"|'(?:[^'\\]|\\.)+'|[^,\s][^,]*""")
_RELATION = re.compile("==|<=|~=|[≡⊆≅]")
_RELATIONS_IN_WORDS = "Write == for the same meaning, <= for inclusion, ~= for the same detections"


def chosen_claims(names: Iterable[str], primitive: str = "") -> tuple[Claim, ...]:
    """The claims that arguments name: ids, equations, or everything if there are none.

    Raises:
        InputError: an id is unknown, an equation cannot be read, or `primitive` names what does not occur.
    """
    listed = {
        unquoted(name) if name[0] in "\"'" else name.strip()
        for name in _NAMES.findall(primitive)
        if name.strip()
    }
    names = tuple(names)
    chosen: list[Claim] = [] if names else list(every_claim())
    conjectures = 0
    for name in names:
        if not name.strip():
            raise InputError(
                "this names no claim, as it is empty",
                remedy="Write an id such as law:14, or an equation such as 'A | B == B | A'; no argument at all"
                " means everything.",
            )
        if _ID.fullmatch(name.strip()):
            chosen += find([name.strip()])
            continue
        conjectures += 1
        equation = _equation(name)
        claim = EquationClaim(f"conjecture:{conjectures}", equation)
        chosen.append(EquationClaim(claim.id, equation, frozenset(listed & set(claim.variables))))
    used = {name for claim in chosen if isinstance(claim, EquationClaim) for name in claim.variables}
    if listed - used or (listed and not conjectures):
        raise InputError(
            f"--primitive names {', '.join(sorted(listed - used or listed))}, which no conjecture mentions",
            remedy="It lists identifiers of the equations given on the command line.",
        )
    return tuple(chosen)


def _equation(text: str) -> Equation:
    """Read an equation; what almost is one gets the relations explained."""
    if not _RELATION.search(text):
        single = text.find("=")
        if single >= 0:
            raise ExpressionError(
                "= alone is no relation", text, single + 1, remedy=f"{_RELATIONS_IN_WORDS}."
            )
        try:
            expression = parse_schema(text)
        except ExpressionError:
            return parse_equation(text)  # what it expects includes the relations
        raise InputError(
            f"{text!r} is an expression; a claim is an equation between two",
            remedy=f"{_RELATIONS_IN_WORDS}, as in '{expression} == ...'."
            " `remora laws list` names the claims of the catalogue.",
        )
    return parse_equation(text)
