"""Cases that a detector once failed, kept as files: tried first in every later run, and usable in any test suite.

    @pytest.mark.parametrize("regression", stored_regressions(Path("tests/regressions")), ids=str)
    def test_what_once_failed_is_right_now(regression: Regression) -> None:
        assert regression.verdict(MyDetector).ok

A file holds a whole case, so that it says the same whatever becomes of the generation of cases. Its name is made from
its contents: the same case is stored once, and two who find different ones do not get in each other's way.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from campaigns.judging.isolation import Lost, isolated
from campaigns.judging.judgements import judged_by
from campaigns.judging.verdicts import BLOCKING, MEANING, TIME_LIMIT, Verdict
from campaigns.systems import AnyCase, Factory, cases_of
from semantics.atomic_files import write_text
from semantics.errors import InputError
from semantics.systems import DEFAULT_SYSTEM

SCHEMA = "remora/regression/1"

OWN = Path(__file__).parents[1] / "regressions"
"""Regressions of the project: the smallest cases that find each wrong detector, and every fault that was found."""

REGRESSION_PROFILE = "regression"  # Stands in the place of a profile in such cases
TYPICAL_SECONDS = 0.1  # More than a regression usually takes; detectors that compile are tried one by one
GIVEN_UP = 3  # A detector that blocked or ended its process so often is not tried on the other regressions


@dataclass(frozen=True)
class Regression:
    """A case that a detector once failed."""

    case: AnyCase  # its seed and number are those with which it was found, before it was made small
    relation: str  # the one that was violated, or `MEANING`
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
        """The judgement of a detector on the case, by the semantics or the relation; see `judged_by`."""
        return judged_by(self.relation, self.case, factory, seconds=seconds, apart=apart)


def store(folder: Path, found: Iterable[Regression]) -> list[Path]:
    """Write regressions to a folder, with a line for each row; those that are there stay. Gives the new files."""

    def text(value: Any) -> str:
        if isinstance(value, list) and value:
            return "[\n  " + ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value) + "]"
        return json.dumps(value, ensure_ascii=False)

    folder.mkdir(parents=True, exist_ok=True)
    new: list[Path] = []
    for regression in found:
        path, case = folder / f"{regression.name}.json", regression.case
        if not path.exists():
            data = {"schema": SCHEMA} | ({} if case.system == DEFAULT_SYSTEM else {"system": case.system})
            data |= cases_of(case.system).case_to_json(case)
            data |= {name: getattr(regression, name) for name in ("relation", "detector", "kind", "detail")}
            data |= {"found": {"seed": case.seed, "case": case.number}}
            members = (f"{json.dumps(name)}: {text(value)}" for name, value in data.items())
            write_text(path, "{" + ",\n ".join(members) + "}\n")
            new.append(path)
    return new


def stored_regressions(folder: Path) -> list[Regression]:
    """The regressions in a folder by name, none if there is no such folder; `InputError` for any other JSON file."""
    return [_read(path) for path in sorted(folder.glob("*.json"))]


def own_regressions(*systems: str) -> list[Regression]:
    """The regressions of the project, of some systems or of all."""
    return [one for one in stored_regressions(OWN) if not systems or one.case.system in systems]


def _read(path: Path) -> Regression:
    try:
        record = json.loads(path.read_text("utf-8"))
        if record["schema"] != SCHEMA:
            raise ValueError(f"the schema is {record['schema']!r}")
        system = cases_of(record.get("system", DEFAULT_SYSTEM))
        relation = str(record["relation"])
        if relation != MEANING and relation not in system.RELATIONS:
            raise ValueError(f"no relation is called {relation!r}")
        found = record["found"]
        case = system.case_from_json(record, int(found["seed"]), int(found["case"]), REGRESSION_PROFILE)
        return Regression(case, relation, str(record["detector"]), str(record["kind"]), str(record["detail"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"this is not a regression of schema {SCHEMA}: {error!r}"
        raise InputError(reason, place=str(path), remedy="Restore the file, or remove it.") from error


class RegressionFailure(NamedTuple):
    """A regression that a detector fails, which need not be the one that failed it first."""

    regression: Regression
    detector: str
    verdict: Verdict


@dataclass(frozen=True)
class RegressionOutcome:
    """Outcome of so many stored regressions, each put to each detector."""

    tried: int = 0
    refused: int = 0
    failures: tuple[RegressionFailure, ...] = ()


def replayed(
    regressions: Iterable[Regression], detectors: Mapping[str, Factory], *, seconds: float
) -> RegressionOutcome:
    """Put each regression to each detector, in processes of their own; one that is there twice is tried once."""
    distinct = list({regression.name: regression for regression in regressions}.values())
    found = [
        RegressionFailure(one, name, verdict)
        for name, factory in detectors.items()
        for one, verdict in zip(distinct, _verdicts(distinct, factory, seconds), strict=True)
    ]
    failures = tuple(each for each in found if each.verdict.kind is not None)
    return RegressionOutcome(len(distinct), sum(each.verdict.refused for each in found), failures)


def _verdicts(distinct: Sequence[Regression], factory: Factory, seconds: float) -> list[Verdict]:
    """The verdicts on a detector by one process; if that is lost, by one for each case."""
    together = isolated(
        lambda: [one.verdict(factory, seconds=seconds) for one in distinct],
        seconds=GIVEN_UP * seconds + TYPICAL_SECONDS * len(distinct),
    )
    if not isinstance(together, Lost):
        return together
    found, lost = list[Verdict](), 0
    for one in distinct:
        given_up = Verdict(None, "", (), refusal="not tried any more, for it blocked or ended its process too often")
        found.append(given_up if lost >= GIVEN_UP else one.verdict(factory, seconds=seconds, apart=True))
        lost += found[-1].kind in BLOCKING
    return found
