"""The committed atlas: every cell as data, computed here or on Spark, replayed and compared.

python -m remora.atlas.record      compute it anew on the cores of this machine, and write it
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from laws.carlson_lisper.claims import EquationClaim
from proofs.record import text_at_revision
from remora import __version__
from remora.atlas.cases import Case
from remora.atlas.cells import (
    LAWS,
    REASONS,
    Cell,
    cell,
    cell_data,
    cell_from,
    firmly,
    relates,
    replayed,
    replayed_literally,
)
from remora.atlas.deciding import decision
from remora.atlas.proving import agreed, known, recorded_texts, write_texts
from remora.atlas.traces import MOST
from semantics.atomic_files import write_text
from semantics.errors import InputError
from semantics.settings.catalogue import SETTINGS, Setting

SCHEMA = "remora/atlas/1"

RECORD = Path(str(resources.files("proofs").joinpath("atlas.json")))
"""The committed atlas."""

Told = Callable[[str, int], object]
"""Is told a setting's name and how many settings are done."""


def computed(
    names: Sequence[str],
    *,
    master: str | None = None,
    keep: Path | None = None,
    tell: Told = lambda name, done: None,
) -> list[Cell]:
    """The cells of some settings: all laws in each; the same with any number of workers.

    Args:
        names: the settings.
        master: a Spark master over which settings are spread; None computes them one after the other.
        keep: a folder that keeps what is computed, a file for each setting; what is there is not computed again.
        tell: is told what is done.

    Raises:
        InputError: something else is in the folder.
    """
    found = {name: cells for name in names if keep is not None and (cells := _kept(keep, name))}
    tell("", len(found))
    missing = [name for name in names if name not in found]
    for cells in map(cells_of, missing) if master is None else _on_spark(missing, master):
        name = cells[0].setting
        found[name] = cells
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            write(cells, keep / f"{name}.json")
        tell(name, len(found))
    return [each for name in names for each in found[name]]


def _kept(folder: Path, name: str) -> list[Cell]:
    """The cells of a setting that an earlier run kept; none if it did not."""
    path = folder / f"{name}.json"
    cells = _cells(path.read_text("utf-8"), str(path)) if path.exists() else {}
    if cells and cells.keys() != {(law.id, name) for law in LAWS}:
        raise InputError(f"these are not the cells of {name}", place=str(path), remedy="Remove the file.")
    return list(cells.values())


def _on_spark(names: Sequence[str], master: str) -> Iterator[list[Cell]]:
    """The cells of settings, computed in waves with two settings for every core."""
    from cluster.session import spark_session

    with spark_session(master) as session:
        size = 2 * session.sparkContext.defaultParallelism
        for begin in range(0, len(names), size):
            wave = names[begin : begin + size]
            frame = session.createDataFrame([(name,) for name in wave], "setting string")
            rows = frame.repartition(len(wave)).mapInArrow(_in_arrow, "cell string").collect()
            found: dict[str, list[Cell]] = {name: [] for name in wave}
            for each in (cell_from(json.loads(row.cell)) for row in rows):
                found[each.setting].append(each)
            yield from found.values()


def cells_of(name: str) -> list[Cell]:
    """The cells of a setting, in the order of the laws."""
    return [cell(law, SETTINGS[name]) for law in LAWS]


def _in_arrow(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow as pa

    for batch in batches:
        rows = [
            json.dumps(cell_data(each)) for name in batch["setting"].to_pylist() for each in cells_of(name)
        ]
        yield pa.RecordBatch.from_pydict({"cell": rows})


def document(cells: Iterable[Cell]) -> str:
    """The atlas as JSON, a line for each cell."""
    head = {
        "schema": SCHEMA,
        "remora": __version__,
        "bounds": {str(types): list(most) for types, most in MOST.items()},
        "reasons": REASONS,
        "laws": [{"id": law.id, "statement": law.statement, "reading": law.reading} for law in LAWS],
        "systems": [{"name": name, **setting.dimensions} for name, setting in SETTINGS.items()],
    }
    lines = ",\n".join(json.dumps(cell_data(each), ensure_ascii=False) for each in cells)
    return json.dumps(head, ensure_ascii=False, indent=1)[:-2] + f',\n "cells": [\n{lines}\n]}}\n'


def write(cells: Iterable[Cell], path: Path = RECORD) -> None:
    """Write the atlas."""
    write_text(path, document(cells))


@cache
def recorded(path: Path = RECORD) -> Mapping[tuple[str, str], Cell]:
    """The cells of the committed atlas by law and setting.

    Raises:
        InputError: there is none, or it is none.
    """
    return _cells(path.read_text("utf-8") if path.exists() else "", str(path))


def at_revision(revision: str) -> Mapping[tuple[str, str], Cell]:
    """The cells of the atlas as it was in a revision of the repository.

    Raises:
        InputError: there is no such revision, or no atlas in it.
    """
    return _cells(text_at_revision(RECORD, revision), revision)


def _cells(text: str, place: str) -> Mapping[tuple[str, str], Cell]:
    try:
        data = json.loads(text)
        if data["schema"] != SCHEMA:
            raise InputError(f"this is a {data['schema']}, not a {SCHEMA}", place=place)
        cells = map(cell_from, data["cells"])
        return {(each.law, each.setting): each for each in cells}
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"this is no atlas: {error}", place=place) from None


def replay(cells: Collection[Cell]) -> list[str]:
    """What does not stand as recorded, and the cells that are missing."""
    present = {(each.law, each.setting) for each in cells}
    missing = [
        f"{law.id} in {name}: no cell" for law in LAWS for name in SETTINGS if (law.id, name) not in present
    ]
    return [*(complaint for each in cells for complaint in complaints(each)), *missing]


def complaints(cell: Cell) -> Iterator[str]:
    """Why a cell does not stand as recorded: its proof or decision is none, or its case does not refute it so."""
    name = f"{cell.law} in {cell.setting}"
    law = next((law for law in LAWS if law.id == cell.law), None)
    setting = SETTINGS.get(cell.setting)
    if law is None or setting is None:
        yield f"{name}: there is no such law or system"
    elif cell.standing == "proved":
        on_record = known(law, setting)
        proof = None if on_record else agreed(law, setting)
        why = proof.why if proof else on_record
        if not why or why != cell.why:
            yield f"{name}: proved in the record by {cell.why!r}, and its proof is {why or 'not known'}"
        elif (proof and proof.obligations) != (cell.proof and cell.proof.obligations):
            yield f"{name}: the solvers are asked something else than in the record"
        elif cell.proof and not recorded_texts(cell.proof):
            yield f"{name}: the texts of its proof are missing or were changed"
    elif cell.standing == "decided" and not _decided(law, setting):
        yield f"{name}: decided in the record, and automata do not say so"
    elif cell.standing == "refuted" and cell.case is None:
        yield f"{name}: refuted in the record, and there is no trace"
    elif cell.standing == "refuted" and cell.case is not None:
        yield from (f"{name}: {each}" for each in _objections(law, setting, cell, cell.case))


def _objections(law: EquationClaim, setting: Setting, cell: Cell, case: Case) -> Iterator[str]:
    """Why the case of a cell does not refute it as recorded: by the operators that run, and by the definitions."""
    ran, literal = replayed(law, setting, case), replayed_literally(law, setting, case)
    for found, by in ((ran, "the operators"), (literal, "the literal definitions")):
        if found[0] == found[1]:
            yield f"both sides are the same on the recorded trace by {by}"
        elif cell.remains and not relates(cell.remains, *found):
            yield f"what remains in the record does not remain by {by}"
    if ran != literal:
        yield "the literal definitions make other instances of the recorded trace than the operators"
    if cell.by_ties is firmly(law, setting, case):
        told = "by the order of ties alone" if cell.by_ties else "in every order of ties"
        yield f"the recorded trace does not refute it {told}"


def _decided(law: EquationClaim, setting: Setting) -> bool:
    found = [decision(law, setting, level) for level in ("types", "shared")]
    return all(each is not None and not each.cases for each in found)


def differences(old: Mapping[tuple[str, str], Cell], new: Mapping[tuple[str, str], Cell]) -> list[str]:
    """The cells whose standing, level, remaining relation or dependence on ties changed; those that came or went."""
    found = []
    for key in dict.fromkeys([*old, *new]):
        then, now = (_brief(each.get(key)) for each in (old, new))
        if then != now:
            found.append(f"{key[0]} in {key[1]}: {then} became {now}")
    return found


def main() -> None:
    """Compute the atlas on Spark and write it, with the texts of its proofs."""
    cells = computed(list(SETTINGS), master="local[*]", tell=lambda name, done: print(done, name))
    write(cells)
    laws = {law.id: law for law in LAWS}
    write_texts({each.proof: (laws[each.law], SETTINGS[each.setting]) for each in cells if each.proof})


def _brief(cell: Cell | None) -> str:
    if cell is None:
        return "nothing"
    return " ".join(filter(None, (cell.standing, cell.level, cell.remains, "by ties alone" * cell.by_ties)))


if __name__ == "__main__":
    main()
