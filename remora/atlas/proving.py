"""Proofs of laws in settings whose operators can be said in the formulas of the first system."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache

from laws.carlson_lisper.claims import EquationClaim
from laws.standings import Standing, weakest
from proofs.record import recorded
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.formulas import End
from semantics.settings.catalogue import Setting
from smt.attempts import prove_all
from smt.carlson_lisper.law_proofs import LawProof
from smt.solvers.portfolio import installed


def definitions(setting: Setting) -> Mapping[str, Operator] | None:
    """The operators of a setting as formulas; None where selection or consumption cannot be said in them."""
    if setting.pairing != "unrestricted" or setting.spans != "filter":
        return None
    if setting.clock == "intervals":
        return OPERATORS
    (intervals,) = OPERATORS["seq"].comprehensions
    points = replace(intervals, condition=End("s") < End("t"))
    return {**OPERATORS, "seq": replace(OPERATORS["seq"], comprehensions=(points,))}


@cache
def on_record() -> Collection[str]:
    """The claims that the record of proofs has as agreed, with all their obligations."""
    standings: dict[str, list[Standing]] = {}
    for row in recorded().values():
        standings.setdefault(row["claim"], []).append(Standing(row["standing"]))
    return {claim for claim, parts in standings.items() if weakest(parts) is Standing.AGREED}


@cache
def agreed(law: EquationClaim, setting: Setting) -> bool:
    """Whether two solvers prove a law for all operands in a setting."""
    operators = definitions(setting)
    if operators is None:
        return False
    with installed() as portfolio:
        (result,) = prove_all([LawProof(law, operators)], portfolio)
    return result.standing is Standing.AGREED
