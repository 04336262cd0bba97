"""Proofs of laws in settings whose operators can be said in the formulas of the first system."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import product
from types import MappingProxyType
from typing import Any

from laws.atlas.cells import LAWS, Cell, Proof, replayed
from laws.carlson_lisper.claims import EquationClaim
from laws.standings import Standing, weakest
from proofs.proving import provable_of
from proofs.record import recorded
from semantics.atlas.catalogue import CONTEXTS, SETTINGS, Setting
from semantics.carlson_lisper.expressions import Operation, bottom_up
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.formulas import End
from smt.atlas.obligations import NotPairs, same_instances, same_lists, same_pairs, same_places, same_whatever_pairs
from smt.attempts import ClaimResult, Provable, prove_all
from smt.carlson_lisper.law_proofs import LawProof
from smt.solvers.portfolio import installed


def definitions(setting: Setting) -> Mapping[str, Operator] | None:
    """The operators of a setting as formulas; None where selection or consumption cannot be said in them."""
    if setting.pairing != CONTEXTS["unrestricted"] or setting.spans != "filter":
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


def known(law: EquationClaim, setting: Setting) -> str:
    """Why the record of proofs is about a law in a setting too: a key of `laws.atlas.cells.REASONS`, or "".

    The record is about the first system, for all sets of instances. A law without sequence and conjunction says the
    same in every setting, since the other operators are the same; and where the operators of a law are those of the
    first system, so is the law.
    """
    if law.id not in on_record():
        return ""
    used = {
        part.operator
        for side in (law.equation.left, law.equation.right)
        for part in bottom_up(side)
        if isinstance(part, Operation)
    }
    if not used & {"seq", "con"}:
        return "common operators"
    same = setting.pairing == CONTEXTS["unrestricted"] and (setting.clock == "intervals" or "seq" not in used)
    return "operators of the first system" if same else ""


@cache
def agreed(law: EquationClaim, setting: Setting, way: str = "") -> Proof | None:
    """The proof by two solvers of a law for all operands in a setting, in one way if one is named; None without one."""
    for why in [way] if way in WAYS else WAYS:
        try:
            asked = WAYS[why](law, setting)
        except NotPairs:
            continue
        obligations = asked.obligations("int")
        texts = tuple(one.with_axioms(attempt.axioms).text for attempt in asked.ladder for one in obligations)
        if texts not in _PROVED:  # laws and settings that make the same texts ask the same
            with installed() as portfolio:
                (result,) = prove_all([asked], portfolio)
                _PROVED[texts] = result, tuple(solver.name for solver in portfolio.solvers)
        result, solvers = _PROVED[texts]
        if result.standing is Standing.AGREED:
            return Proof(why, _hash(part.obligation.text for part in result.obligations), solvers)
    return None


_PROVED: dict[tuple[str, ...], tuple[ClaimResult, tuple[str, ...]]] = {}
"""What solvers say, and their names and versions, by the texts they were asked."""


def asked_texts(law: EquationClaim, setting: Setting, proof: Proof) -> list[str]:
    """The texts of a proof, which are found by their hash; none if no axioms of an attempt make such texts."""
    provable = WAYS[proof.why](law, setting)
    obligations = provable.obligations("int")
    for attempts in product(provable.ladder, repeat=len(obligations)):
        pairs = zip(obligations, attempts, strict=True)
        texts = [one.with_axioms(attempt.axioms).text for one, attempt in pairs]
        if _hash(texts) == proof.obligations:
            return texts
    return []


def _hash(texts: Iterable[str]) -> str:
    return sha256("".join(texts).encode()).hexdigest()


def _by_formulas(law: EquationClaim, setting: Setting) -> Provable:
    """The law itself, with the operators of a setting as formulas."""
    operators = definitions(setting)
    if operators is None:
        raise NotPairs("the operators are no formulas")
    return LawProof(law, operators)


WAYS: Mapping[str, Callable[[EquationClaim, Setting], Provable]] = MappingProxyType(
    {
        "solvers": _by_formulas,
        "lists": same_lists,
        "pairs": same_pairs,
        "places": same_places,
        "whatever pairs": same_whatever_pairs,
        "instances": same_instances,
    }
)
"""What is asked of the solvers, by the key of `laws.atlas.cells.REASONS`; the first one agreed on is the proof."""


def evidence(cells: Iterable[Cell]) -> dict[str, Any]:
    """What a page shows of cells beside the record of the atlas.

    Returns:
        Under `sides`, by law and system, the instances of both sides as lists of places in the trace; under `texts`, by
        their hash, the obligations of the cells that have some of their own; under `record`, by law, those that the
        record of proofs has, with their hashes and solvers.
    """
    laws, sides, texts = {law.id: law for law in LAWS}, {}, dict[str, list[str]]()
    for cell in cells:
        law, setting = laws[cell.law], SETTINGS[cell.setting]
        if cell.case is not None:
            sides[f"{cell.law} {cell.setting}"] = [
                [[place for place in range(len(cell.case.trace)) if one.members >> place & 1] for one in sorted(found)]
                for found in replayed(law, setting, cell.case)
            ]
        if cell.proof is not None and cell.proof.obligations not in texts:
            texts[cell.proof.obligations] = asked_texts(law, setting, cell.proof)
    record: dict[str, list[dict[str, Any]]] = {}
    for law in laws.values():
        for part in provable_of(law).obligations("int"):
            row = recorded()[part.name]
            solvers, text = [each["solver"] for each in row["solvers"]], part.with_axioms(row["axioms"]).text
            record.setdefault(law.id, []).append({"sha256": row["sha256"], "solvers": solvers, "text": text})
    return {"sides": sides, "texts": texts, "record": record}
