"""The committed atlas: every cell as data, computed here or on Spark, replayed and compared.

python -m remora.atlas.record      compute it anew on the cores of this machine, and write it
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from proofs.record import text_at_revision
from remora import __version__
from remora.atlas.cells import LAWS, REASONS, Cell, cell, cell_data, cell_from, proof_of, replayed
from remora.atlas.traces import MOST
from semantics.atomic_files import write_text
from semantics.errors import InputError
from semantics.settings.catalogue import SETTINGS

SCHEMA = "remora/atlas/1"

RECORD = Path(str(resources.files("proofs").joinpath("atlas.json")))
"""The committed atlas."""

Told = Callable[[str, int], object]
"""Is told a setting's name and how many settings are done."""


def computed(
    names: Sequence[str], *, master: str | None = None, tell: Told = lambda name, done: None
) -> list[Cell]:
    """The cells of some settings: all laws in each; the same with any number of workers.

    Args:
        names: the settings.
        master: a Spark master over which settings are spread; None computes them one after the other.
        tell: is told what is done.
    """
    found: list[Cell] = []
    if master is None:
        for done, name in enumerate(names, 1):
            found += cells_of(name)
            tell(name, done)
        return found
    from cluster.session import spark_session

    with spark_session(master) as session:
        frame = session.createDataFrame([(name,) for name in names], "setting string")
        rows = frame.repartition(len(names)).mapInArrow(_in_arrow, "cell string").collect()
    order = {(law.id, name): place for place, (name, law) in enumerate((n, w) for n in names for w in LAWS)}
    found = [cell_from(json.loads(row.cell)) for row in rows]
    tell("", len(names))
    return sorted(found, key=lambda each: order[each.law, each.setting])


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


def replay(cells: Iterable[Cell]) -> list[str]:
    """What does not stand as recorded: proofs that are none, and cases that refute nothing."""
    laws = {law.id: law for law in LAWS}
    wrong = []
    for each in cells:
        name = f"{each.law} in {each.setting}"
        if each.law not in laws or each.setting not in SETTINGS:
            wrong.append(f"{name}: there is no such law or system")
            continue
        law, setting = laws[each.law], SETTINGS[each.setting]
        proof = proof_of(law, setting)
        if (each.standing == "proved") != bool(proof) or (proof and proof != each.why):
            wrong.append(f"{name}: {each.standing} in the record, and its proof is {proof or 'not known'}")
        elif each.standing == "refuted":
            left, right = (None, None) if each.case is None else replayed(law, setting, each.case)
            if left == right:
                wrong.append(f"{name}: both sides are the same on the recorded trace")
    known = {(each.law, each.setting) for each in cells}
    missing = [f"{law} in {name}: no cell" for law in laws for name in SETTINGS if (law, name) not in known]
    return [*wrong, *missing]


def differences(old: Mapping[tuple[str, str], Cell], new: Mapping[tuple[str, str], Cell]) -> list[str]:
    """The cells whose standing, level or remaining relation changed, and those that came or went."""
    found = []
    for key in dict.fromkeys([*old, *new]):
        then, now = (_brief(each.get(key)) for each in (old, new))
        if then != now:
            found.append(f"{key[0]} in {key[1]}: {then} became {now}")
    return found


def main() -> None:
    """Compute the atlas on Spark and write it."""
    write(computed(list(SETTINGS), master="local[*]"))


def _brief(cell: Cell | None) -> str:
    if cell is None:
        return "nothing"
    return " ".join(filter(None, (cell.standing, cell.level, cell.remains)))


if __name__ == "__main__":
    main()
