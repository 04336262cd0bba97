"""The committed atlas: every cell as data, computed here or on Spark, replayed and compared.

python -m proofs.atlas.record [--master URL] [--keep FILE]     compute it anew, here or on Spark, and write it
"""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from laws.atlas import cells as atlas
from laws.atlas.cells import LAWS, REASONS, Cell, cell_data, cell_from, firmly, relates, replayed
from laws.atlas.deciding import alike, decision
from laws.carlson_lisper.claims import EquationClaim
from proofs.atlas.proving import agreed, asked_texts, cell, known
from proofs.record import text_at_revision
from semantics.atlas.catalogue import SETTINGS, Setting
from semantics.atlas.literal import Definitions
from semantics.atomic_files import write_text
from semantics.errors import InputError

SCHEMA = "remora/atlas/1"  # The atlas with a line for each cell, as `remora atlas` writes it
COMPACT = "remora/atlas-record/1"  # The committed atlas, in which a line tells of several systems
RECORD = Path(str(resources.files("proofs").joinpath("atlas.json")))  # The committed atlas

_LAWS = {law.id: law for law in LAWS}

Told = Callable[[str, int], object]  # Is told which cell is done and how many are
Key: TypeAlias = tuple[str, str]  # A cell: the law's id and the setting's name

Cells: TypeAlias = Mapping[Key, Cell]

SPREAD = 8  # So many cells are at most a task of Spark; each processor has as many tasks in a wave


def computed(
    names: Sequence[str],
    laws: Sequence[EquationClaim] = LAWS,
    *,
    master: str | None = None,
    keep: Path | None = None,
    tell: Told = lambda name, done: None,
) -> list[Cell]:
    """The cells of some settings, over a Spark master if there is one; what the file `keep` has is kept.

    They are computed law by law, whose cases are the same in all settings.
    """
    wanted = [(law.id, name) for name in names for law in laws]
    kept = _kept(keep) if keep is not None else {}
    found = {key: kept[key] for key in wanted if key in kept}
    tell("", len(found))
    missing = [(law.id, name) for law in laws for name in names if (law.id, name) not in found]
    for each in map(_computed, missing) if master is None else _on_spark(missing, master):
        found[each.law, each.setting] = each
        if keep is not None:
            with keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(cell_data(each), ensure_ascii=False) + "\n")
        tell(f"{each.law} in {each.setting}", len(found))
    return [found[key] for key in wanted]


def _kept(path: Path) -> dict[Key, Cell]:
    """The cells that an earlier run kept; a last line that it did not finish is taken away, and nothing else."""
    try:
        text = path.read_text("utf-8") if path.exists() else ""
        whole, torn = text[: text.rfind("\n") + 1], text[text.rfind("\n") + 1 :]
        cells = [cell_from(json.loads(line)) for line in whole.splitlines()]
        begins = '{"law": "'
        if torn[: len(begins)] != begins[: len(torn)]:
            raise ValueError("the last line does not begin like one")
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"these are no cells of the atlas: {error}", place=str(path)) from None
    if torn:
        write_text(path, whole)
    return {(each.law, each.setting): each for each in cells}


def _on_spark(keys: Sequence[Key], master: str) -> Iterator[Cell]:
    """Cells computed in waves; a task of Spark has cells from all over its wave, as they are uneven."""
    from cluster.jobs import processors
    from cluster.session import spark_session

    with spark_session(master) as session:
        many = SPREAD * processors(session)
        for first in range(0, len(keys), SPREAD * many):
            wave = keys[first : first + SPREAD * many]
            rows = [(*key, place % many) for place, key in enumerate(wave)]
            frame = session.createDataFrame(rows, "law string, setting string, spread int")
            spread = frame.repartitionByRange(min(many, len(rows)), "spread")
            told = spread.mapInArrow(_in_arrow, "found string").collect()
            found = {(one.law, one.setting): one for one in (cell_from(json.loads(row.found)) for row in told)}
            yield from (found[key] for key in wave)


def _computed(key: Key) -> Cell:
    return cell(_LAWS[key[0]], SETTINGS[key[1]])


def _in_arrow(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow as pa

    for batch in batches:
        keys = zip(batch["law"].to_pylist(), batch["setting"].to_pylist(), strict=True)
        yield pa.RecordBatch.from_pydict({"found": [json.dumps(cell_data(_computed(key))) for key in keys]})


def document(cells: Iterable[Cell], version: str) -> str:
    """The atlas as JSON, a line for each cell, with the version of Remora that wrote it."""
    head = {
        "schema": SCHEMA,
        "remora": version,
        "bounds": {str(types): list(most) for types, most in atlas.MOST.items()},
        "reasons": REASONS,
        "laws": [{"id": law.id, "statement": law.statement, "reading": law.reading} for law in LAWS],
        "systems": [{"name": name, **setting.dimensions} for name, setting in SETTINGS.items()],
    }
    lines = ",\n".join(json.dumps(cell_data(each), ensure_ascii=False) for each in cells)
    return json.dumps(head, ensure_ascii=False, indent=1)[:-2] + f',\n "cells": [\n{lines}\n]}}\n'


def write(cells: Iterable[Cell], path: Path = RECORD) -> None:
    """Write the committed atlas: a line for each law and outcome, with the systems in which it is so."""
    systems: dict[str, list[str]] = {}
    for each in cells:
        told = json.dumps({**cell_data(each), "system": None}, ensure_ascii=False)
        systems.setdefault(told, []).append(each.setting)
    lines = (json.dumps({**json.loads(told), "system": names}, ensure_ascii=False) for told, names in systems.items())
    head = json.dumps({"schema": COMPACT})
    write_text(path, f'{head[:-1]}, "cells": [\n' + ",\n".join(lines) + "\n]}\n")


@cache
def recorded(path: Path = RECORD) -> Cells:
    """The cells of the committed atlas by law and setting."""
    return _cells(path.read_text("utf-8") if path.exists() else "", str(path))


def at_revision(revision: str) -> Cells:
    """The cells of the atlas as it was in a revision of the repository."""
    return _cells(text_at_revision(RECORD, revision), revision)


def _cells(text: str, place: str) -> Cells:
    try:
        data = json.loads(text)
        if data["schema"] not in (SCHEMA, COMPACT):
            raise InputError(f"this is a {data['schema']}, not a {COMPACT}", place=place)
        found = dict[Key, Cell]()
        for row in data["cells"]:
            for system in row["system"] if data["schema"] == COMPACT else [row["system"]]:
                each = cell_from({**row, "system": system})
                if (each.law, each.setting) in found:
                    raise ValueError(f"{each.law} in {each.setting} is there twice")
                found[each.law, each.setting] = each
        order = {key: place for place, key in enumerate(product(SETTINGS, _LAWS))}
        return dict(sorted(found.items(), key=lambda one: order.get((one[0][1], one[0][0]), len(order))))
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"this is no atlas: {error}", place=place) from None


def replay(
    cells: Cells,
    systems: Sequence[str] = tuple(SETTINGS),
    laws: Sequence[str] = tuple(_LAWS),
    tell: Told = lambda name, done: None,
) -> list[str]:
    """What does not stand as recorded of laws in systems, the cells that are missing, and those of anything else."""
    asked = [(law, name) for name in systems for law in laws]
    others = [key for key in cells if key[0] not in _LAWS or key[1] not in SETTINGS]
    found = list[str]()
    for number, key in enumerate([*asked, *others], 1):
        name = " in ".join(key)
        found += [f"{name}: {each}" for each in (complaints(cells[key]) if key in cells else ["no cell"])]
        tell(name, number)
    return found


def complaints(cell: Cell) -> Iterator[str]:
    """Why a cell does not stand as recorded: its proof or decision is none, or its case does not refute it so."""
    law, setting = _LAWS.get(cell.law), SETTINGS.get(cell.setting)
    if law is None or setting is None:
        yield "there is no such law or system"
    elif cell.standing == "proved":
        on_record = known(law, setting)
        proof = None if on_record else agreed(law, setting, cell.why)
        why = proof.why if proof else on_record
        if not why or why != cell.why:
            yield f"proved in the record by {cell.why!r}, and its proof is {why or 'not known'}"
        elif (proof and proof.obligations) != (cell.proof and cell.proof.obligations):
            yield "the solvers are asked something else than in the record"
        elif cell.proof and not asked_texts(law, setting, cell.proof):
            yield "the texts of its proof are other ones than the record's"
    elif cell.standing == "decided":
        decided = [decision(law, alike(law, setting), level) for level in atlas.EVENT_TYPES]
        if any(each is None or each[1] for each in decided):
            yield "decided in the record, and automata do not say so"
    elif cell.standing == "refuted":
        if cell.case is None:
            yield "refuted in the record, and there is no trace"
        else:
            yield from _objections(law, setting, cell, cell.case)


def _objections(law: EquationClaim, setting: Setting, cell: Cell, case: atlas.OperandsOnTrace) -> Iterator[str]:
    """Why the case of a cell does not refute it as recorded: by the operators that run, and by the definitions."""
    ran, literal = (replayed(law, each, case) for each in (setting, Definitions(setting)))
    for found, by in ((ran, "the operators"), (literal, "the literal definitions")):
        if relates(law.equation.relation, *found):
            yield f"the law holds on the recorded trace by {by}"
        elif cell.remains and not relates(cell.remains, *found):
            yield f"what remains in the record does not remain by {by}"
    if ran != literal:
        yield "the literal definitions make other instances of the recorded trace than the operators"
    if cell.by_ties is firmly(law, setting, case):
        told = "by the order of ties alone" if cell.by_ties else "in every order of ties"
        yield f"the recorded trace does not refute it {told}"


def differences(old: Cells, new: Cells) -> list[str]:
    """The cells whose standing, level, remaining relation or dependence on ties changed; those that came or went."""

    def brief(cell: Cell | None) -> str:
        if cell is None:
            return "nothing"
        return " ".join(filter(None, (cell.standing, cell.level, cell.remains, "by ties alone" * cell.by_ties)))

    changes = [(key, brief(old.get(key)), brief(new.get(key))) for key in dict.fromkeys([*old, *new])]
    return [f"{key[0]} in {key[1]}: {then} became {now}" for key, then, now in changes if then != now]


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m proofs.atlas.record", description="Compute the atlas anew, and write it.")
    parser.add_argument("--master", metavar="URL", help="spread the cells over this Spark master, such as local[*]")
    parser.add_argument(
        "--keep", metavar="FILE", type=Path, help="add what is computed to this file, and go on from it"
    )
    write(computed(list(SETTINGS), tell=lambda name, done: print(done, name, flush=True), **vars(parser.parse_args())))
