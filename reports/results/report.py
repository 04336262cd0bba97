"""A verification report as a value, and how a document becomes one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from reports.results.audits import (
    Alteration,
    Axioms,
    Check,
    CommittedRecord,
    Erratum,
    Neighbours,
    Solvers,
    Stability,
    Wording,
)
from reports.results.claims import Claim, Definition
from reports.results.parts import Part, Record
from reports.results.runs import Campaign, Detection, FailedCase, Power, Span

if TYPE_CHECKING:
    from cattrs import Converter

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Code(Part):
    """Which code was verified, where it ran from a git checkout."""

    commit: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Environment(Part):
    """With what it was run."""

    python: str = ""
    platform: str = ""
    cores: int = 0
    java: str = ""
    packages: Mapping[str, str] = field(default_factory=dict)

    @property
    def named(self) -> dict[str, str | int]:
        """What is known of the machine and of Python, by name."""
        found = {name: getattr(self, name) for name in ("python", "platform", "cores", "java")}
        return {name: value for name, value in found.items() if value}


@dataclass(frozen=True, slots=True)
class Stage:
    """What took how long."""

    name: str = ""
    seconds: float = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of the whole run; -1 is no exit status."""

    exit_status: int = -1
    summary: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a verification found, but for what systems add."""

    schema: str = ""
    remora: str = ""
    code: Code = Code()
    command: str = ""
    started: str = ""
    seed: int = 0
    environment: Environment = Environment()
    definitions: tuple[Definition, ...] = ()
    claims: tuple[Claim, ...] = ()
    canaries: tuple[Claim, ...] = ()
    record: CommittedRecord = field(default_factory=CommittedRecord)
    errata: tuple[Erratum, ...] = ()
    wordings: tuple[Wording, ...] = ()
    neighbours: Neighbours = field(default_factory=Neighbours)
    alterations: tuple[Alteration, ...] = ()
    axioms: Axioms = field(default_factory=Axioms)
    stability: Stability = field(default_factory=Stability)
    solvers: Solvers = field(default_factory=Solvers)
    checks: tuple[Check, ...] = ()
    detection: tuple[Detection, ...] = ()
    campaign: Campaign = field(default_factory=Campaign)
    power: Power = field(default_factory=Power)
    throughput: Record = field(default_factory=dict)
    seconds: float = 0
    stages: tuple[Stage, ...] = ()
    warnings: tuple[str, ...] = ()
    verdict: Verdict = Verdict()


def report_of(document: Mapping[str, Any]) -> Report:
    """The value of a document of `remora/report/1`; a null is what is missing."""
    return value_of(Report, document)


def failed_case_of(data: Mapping[str, Any]) -> FailedCase:
    """The value of a failing case, which other documents have as well."""
    return value_of(FailedCase, data)


def value_of(kind: type[T], data: Any) -> T:
    """The value of a class of values, or of a tuple of them, that data stand for."""
    return _converter().structure(data, kind)


def data_of(value: Any) -> Any:
    """What a document has of a value, which may be one of several classes, or of some of them."""
    if is_dataclass(value):
        return {each.name: data_of(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {name: data_of(each) for name, each in value.items()}
    return [data_of(each) for each in value] if isinstance(value, list | tuple) else value


@cache
def _converter() -> Converter:
    from cattrs import Converter
    from cattrs.gen import make_dict_structure_fn, override

    converter = Converter(detailed_validation=False)

    def structure(kind: type) -> Callable[[Mapping[str, Any], Any], Any]:
        renamed: Any = {"begin": override(rename="from")} if kind is Span else {}
        build: Callable[..., Any] = make_dict_structure_fn(kind, converter, **renamed)
        return lambda data, _: build({key: value for key, value in data.items() if value is not None}, kind)

    converter.register_structure_hook_factory(is_dataclass, structure)
    for kind in (str, int, float, bool):  # of the right kind already, by the schema
        converter.register_structure_hook(kind, lambda value, _: value)
    return converter
