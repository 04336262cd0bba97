"""Cases that a detector once failed, kept as files: tried first in every later run, and usable in any test suite.

    @pytest.mark.parametrize("regression", stored_regressions(Path("tests/regressions")), ids=str)
    def test_what_once_failed_is_right_now(regression: Regression) -> None:
        assert regression.verdict(MyDetector).ok

A file holds a whole case, expression and trace, so that it says the same whatever becomes of the generation of cases;
and where the failure takes it, where snapshots are restored.
Its name is made from its contents: the same case is stored once, and two who find different ones do not get in each
other's way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campaigns.engine.directory import write_json
from campaigns.judging.afresh import judged_again
from campaigns.judging.verdicts import MEANING, TIME_LIMIT, Verdict
from campaigns.systems import AnyCase, Factory, cases_of
from semantics.errors import InputError
from semantics.systems import DEFAULT_SYSTEM

SCHEMA = "remora/regression/1"

OWN = Path(__file__).parents[1] / "regressions"
"""Those of the project: the smallest cases that find each of its wrong detectors, and every fault that was found."""

REGRESSION_PROFILE = "regression"
"""Stands in the place of a profile in such cases."""


@dataclass(frozen=True)
class Regression:
    """A case that a detector once failed.

    Attributes:
        case: the case; its seed and number are those with which it was found, before it was made small.
        relation: the relation that was violated, or `campaigns.judging.verdicts.MEANING`.
    """

    case: AnyCase
    relation: str
    detector: str
    kind: str
    detail: str

    @property
    def name(self) -> str:
        """Sixteen hexadecimal digits that stand for expression, trace, relation, and the way to feed it if given."""
        return hashlib.sha256(f"{self.case}\n{self.relation}{self.case.fed_text}".encode()).hexdigest()[:16]

    def __str__(self) -> str:
        return str(self.case)

    def verdict(self, factory: Factory, *, seconds: float = TIME_LIMIT, apart: bool = False) -> Verdict:
        """The judgement of a detector on the case, by the semantics or the relation; see `judged_again`."""
        return judged_again(self.relation, self.case, factory, seconds=seconds, apart=apart)


def store(folder: Path, found: Iterable[Regression]) -> list[Path]:
    """Write regressions to a folder; those that are there stay as they are. Returns the new files.

    Raises:
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    new: list[Path] = []
    for regression in found:
        path = folder / f"{regression.name}.json"
        if not path.exists():
            write_json(path, to_json(regression))
            new.append(path)
    return new


def stored_regressions(folder: Path) -> list[Regression]:
    """The regressions in a folder, in the order of their names; none if there is no such folder.

    Raises:
        InputError: a file there is something else.
    """
    return [_read(path) for path in sorted(folder.glob("*.json"))]


def own_regressions() -> list[Regression]:
    """The regressions of the project."""
    return stored_regressions(OWN)


def to_json(regression: Regression) -> dict[str, Any]:
    """The contents of a file."""
    case = regression.case
    system = {} if case.system == DEFAULT_SYSTEM else {"system": case.system}
    return {
        "schema": SCHEMA,
        **system,
        **cases_of(case.system).case_to_json(case),
        "relation": regression.relation,
        "detector": regression.detector,
        "kind": regression.kind,
        "detail": regression.detail,
        "found": {"seed": case.seed, "case": case.number},
    }


def _read(path: Path) -> Regression:
    try:
        return _from_json(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"this is not a regression of schema {SCHEMA}: {error!r}",
            place=str(path),
            remedy="Restore the file, or remove it.",
        ) from error


def _from_json(record: Mapping[str, Any]) -> Regression:
    if record["schema"] != SCHEMA:
        raise ValueError(f"the schema is {record['schema']!r}")
    system = cases_of(record.get("system", DEFAULT_SYSTEM))
    relation = str(record["relation"])
    if relation != MEANING and relation not in system.RELATIONS:
        raise ValueError(f"no relation is called {relation!r}")
    found = record["found"]
    case = system.case_from_json(record, int(found["seed"]), int(found["case"]), REGRESSION_PROFILE)
    return Regression(case, relation, str(record["detector"]), str(record["kind"]), str(record["detail"]))
