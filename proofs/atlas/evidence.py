"""Evidence for cells as plain data: both sides where a trace refutes, the texts of obligations where it is proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from laws.atlas.cells import LAWS, Cell, replayed
from proofs.atlas.proving import asked_texts
from proofs.record import recorded as recorded_proofs
from proofs.systems import provable_of
from semantics.atlas.catalogue import SETTINGS
from semantics.hinze_voisard.pairing import Instances


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
                list(_places(found)) for found in replayed(law, setting, cell.case)
            ]
        if cell.proof is not None and cell.proof.obligations not in texts:
            texts[cell.proof.obligations] = asked_texts(law, setting, cell.proof)
    record: dict[str, list[dict[str, Any]]] = {}
    rows = recorded_proofs()
    for law in laws.values():
        for part in provable_of(law).obligations("int"):
            row = rows[part.name]
            shown = {
                "sha256": row["sha256"],
                "solvers": [each["solver"] for each in row["solvers"]],
                "text": part.with_axioms(row["axioms"]).text,
            }
            record.setdefault(law.id, []).append(shown)
    return {"sides": sides, "texts": texts, "record": record}


def _places(found: Instances) -> Iterator[list[int]]:
    for one in sorted(found):
        yield [place for place in range(one.members.bit_length()) if one.members >> place & 1]
