"""Cases that are written by hand, and the rows of a campaign that has been carried out."""

from pathlib import Path

import pyarrow.parquet as pq

from campaigns.carlson_lisper.cases import Case
from campaigns.engine.rows import ROW_SCHEMA, Row
from campaigns.judging.verdicts import Cause, Kind
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse


def case(text: str, *occurrences: tuple[str, int]) -> Case:
    return Case(0, 0, "written", parse(text), tuple(Occurrence(*occurrence) for occurrence in occurrences))


SEQUENCE = case("a ; b", ("a", 2), ("a", 3), ("b", 5), ("c", 6), ("b", 17))


def cause_of(failure: dict[str, str]) -> Cause:
    """The cause of a failed judgement as a row has it."""
    return Cause(failure["detector"], failure["relation"], failure["path"], Kind(failure["kind"]))


def rows_in(directory: Path) -> list[Row]:
    """The rows in the directory of a campaign, by the numbers of their cases."""
    records = pq.read_table(directory / "cases").select(ROW_SCHEMA.names).sort_by("case").to_pylist()
    return [Row(**record) for record in records]
