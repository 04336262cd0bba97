"""The rows of a campaign: one for each case, judged in shards by Spark's workers, stored in waves.

What is in a row follows from the settings and the number of the case alone. No row goes through Spark: a worker writes
those of its shard as one Parquet file, as a whole or not at all. A shard that is judged twice is replaced by itself.
"""

from __future__ import annotations

import errno
import faulthandler
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from campaigns.engine.settings import Settings
from campaigns.judging.isolation import GRACE, can_isolate, limit_memory
from campaigns.judging.judgements import judge_case, maker_of, relation_of
from semantics.atomic_files import draft, write_text
from semantics.errors import InputError

ROW_GROUP = 20_000  # How many rows of a file are held in memory and written together
FIRST_WAVE = 1000  # How many cases the first wave has: few, so that a first failure shows early
GROWTH = 5  # How many times as many cases the next wave has, up to a full one
PATIENCE = 20  # So many time limits may go by with each detector before a case, of a few traces, ends its worker
RECEIPTS = "_receipts.json"  # In the folder of a wave; readers of Parquet pass over names that begin so


class Row(NamedTuple):
    """One case and its judgements, as docs/campaigns.md explains the columns."""

    campaign: str
    case: int
    profile: str
    expression: str
    operators: list[str]
    instants: int
    occurrences: int
    expected: int
    vacuous: bool
    literal: bool
    relation: str
    judgements: int
    failures: list[dict[str, str]]
    refusals: list[dict[str, str]]
    trace: str | None


def _texts(*names: str) -> pa.DataType:
    return pa.list_(pa.struct([pa.field(name, pa.string(), nullable=False) for name in names]))


_TYPES = {"str": pa.string(), "int": pa.int32(), "bool": pa.bool_(), "list[str]": pa.list_(pa.string())} | {
    "failures": _texts("detector", "relation", "kind", "detail", "path"),
    "refusals": _texts("detector", "reason"),
    "case": pa.int64(),
}  # By the names of columns, or by the types of the attributes of `Row`

ROW_SCHEMA = pa.schema(
    [
        pa.field(name, _TYPES.get(name) or _TYPES[kind.removesuffix(" | None")], nullable="None" in kind)
        for name, kind in ((name, kind.__forward_arg__) for name, kind in Row.__annotations__.items())
    ]
)
"""The columns; a change of them is a change of `campaigns.engine.settings.SCHEMA`."""


def judged_rows(
    settings: Settings, numbers: Iterable[int], *, apart: bool = False, search_path: tuple[str, ...] = ()
) -> Iterator[Row]:
    """The rows of the cases with the given numbers; the detectors are loaded, or refused, by the call."""
    detectors = settings.factories(search_path)
    case_of, campaign, seconds = maker_of(settings), settings.campaign, settings.seconds

    def row(number: int) -> Row:
        case, relation = case_of(number), relation_of(settings, number)
        judged = judge_case(case, detectors, relation=relation, seconds=seconds, apart=apart)
        (operators, instants, events), expected = case.features, judged.meaning.expected
        of_case = campaign, number, case.profile, case.text, list(operators), instants, events
        of_meaning = len(expected), not expected, judged.meaning.literal
        faults = [asdict(fault) | {"kind": fault.kind.value} for fault in judged.faults]
        refusals = [{"detector": detector, "reason": reason} for detector, reason in judged.refusals]
        trace = case.trace_text if faults else None
        return Row(*of_case, *of_meaning, relation, judged.judgements, faults, refusals, trace)

    return map(row, numbers)


def to_batch(rows: Iterable[Row]) -> pa.RecordBatch:
    """The rows as one Arrow record batch."""
    return pa.RecordBatch.from_pylist([row._asdict() for row in rows], ROW_SCHEMA)


def waves_of(settings: Settings) -> list[range]:
    """The numbers of the cases of each wave: a small one first, then greater ones up to the full size."""
    result: list[range] = []
    begin, size = 0, FIRST_WAVE
    while begin < settings.cases:
        end = min(settings.cases, begin + min(size, settings.wave or settings.cases))
        result.append(range(begin, end))
        begin, size = end, size * GROWTH
    return result


class Receipt(NamedTuple):
    """Answer of a worker: the file that it wrote, how many cases are in it, and its SHA-256."""

    file: str
    cases: int
    sha256: str


@dataclass(frozen=True)
class Shard:
    """Judges the cases of one shard and writes their rows to the folder of a wave, for `DataFrame.mapInArrow`.

    After a worker was lost, each detector runs in a process of its own for each case, so that its end becomes a row.
    """

    settings: Settings
    search_path: tuple[str, ...]
    folder: str

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Batches with one column, the numbers of cases, become a file and a receipt of it."""
        from pyspark import TaskContext

        numbers = [number for batch in batches for number in batch.column(0).to_pylist()]
        if not numbers:
            return
        context = TaskContext.get()
        apart = can_isolate() and context is not None and context.attemptNumber() > 0
        if context is not None:  # in a worker, not in the process that asks for a campaign
            limit_memory(self.settings.memory)
        yield pa.RecordBatch.from_pylist([self.judged(numbers, apart=apart)._asdict()])

    def judged(self, numbers: list[int], *, apart: bool = False) -> Receipt:
        """Judge cases, and write their rows into a file as a whole or not at all."""
        path = Path(self.folder) / f"part-{numbers[0]:012}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        patience = PATIENCE * (self.settings.seconds + GRACE) * len(self.settings.detectors)
        rows = judged_rows(self.settings, numbers, apart=apart, search_path=self.search_path)
        with watchdog(patience) as put_off, draft(path) as place:
            guarded = map(put_off, rows)
            with pq.ParquetWriter(place, ROW_SCHEMA, write_statistics=["case"]) as file:
                while group := list(islice(guarded, ROW_GROUP)):
                    file.write_batch(to_batch(group))
            return Receipt(path.name, len(numbers), checksum(place))


@contextmanager
def watchdog(patience: float) -> Iterator[Callable[[Row], Row]]:
    """End this process where for so many seconds no row goes through the function that is given, as in endless C."""
    begun = monotonic()
    with Path(os.devnull).open("w") as sink:

        def put_off(row: Row) -> Row:
            nonlocal begun
            if monotonic() - begun > 1.0:  # seldom, as each time it costs a thread
                begun = monotonic()
                faulthandler.dump_traceback_later(patience, exit=True, file=sink)
            return row

        faulthandler.dump_traceback_later(patience, exit=True, file=sink)
        try:
            yield put_off
        finally:
            faulthandler.cancel_dump_traceback_later()


def checksum(path: Path) -> str:
    """The SHA-256 of a file, as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_receipts(folder: Path, receipts: Iterable[Receipt]) -> None:
    """Write the receipts of a wave into its folder, as a whole or not at all."""
    write_text(folder / RECEIPTS, json.dumps([each._asdict() for each in sorted(receipts)], indent=1) + "\n")


def is_whole(folder: Path, campaign: str, due: range) -> bool:
    """Whether each case of a wave is there exactly once, in rows of the campaign, in files that can be read.

    A wave without receipts was not judged to its end; `InputError` for a file that is not the one of its receipt.
    """
    try:
        known = {each["file"]: each["sha256"] for each in json.loads((folder / RECEIPTS).read_text("utf-8"))}
        [counts] = asked(
            'select count(*), count(distinct "case"), min("case"), max("case") + 1 from rows', [folder], campaign
        )
    except (OSError, ValueError, TypeError, KeyError):
        return False
    for path in sorted(folder.glob("*.parquet")):
        if path.name not in known or checksum(path) != known[path.name]:
            said = "its checksum is not that of its receipt" if path.name in known else "it has no receipt"
            reason = f"these rows are not those that the campaign wrote: {said}"
            remedy = f"Remove the folder {folder}: resuming judges its cases again."
            raise InputError(reason, place=str(path), remedy=remedy)
    return counts == (len(due), len(due), due.start, due.stop)


def asked(query: str, folders: Iterable[Path], campaign: str) -> list[tuple[Any, ...]]:
    """The answer of DuckDB to a query of `rows`, those of a campaign in some waves; `OSError` if they are no rows."""
    import duckdb  # takes longer to load than a case to be judged

    paths = [str(path) for folder in folders for path in sorted(folder.glob("*.parquet"))]
    quoted = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
    files = f"read_parquet([{quoted}], union_by_name = true, hive_partitioning = false)"
    rows = f"with rows as (from {files} where campaign = $campaign)"
    try:
        with duckdb.connect() as database:
            return database.execute(f"{rows} {query}", {"campaign": campaign}).fetchall()
    except duckdb.Error as error:
        raise OSError(errno.EIO, f"the rows cannot be read: {error}", paths[0] if paths else None) from error
