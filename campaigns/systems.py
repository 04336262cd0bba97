"""Protocol of a system in campaigns: its cases, and who judges a detector by them."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from campaigns.judging.verdicts import Fault, Verdict
from campaigns.mutants import Mutant
from semantics.errors import InputError, LimitExceeded
from semantics.systems import DEFAULT_SYSTEM, system_of
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import Partition, ReadReport

Factory: TypeAlias = Callable[..., Any]
"""Makes a fresh detector for what is to be detected; what both are like is the system's to say."""

AnyCase: TypeAlias = Any
"""Case: what is to be detected, and a trace to detect it in; determined by a seed and a number.

Every case has `system`, `seed`, `number`, `profile`, `text` (what is to be detected), `trace_text` (the trace in one
line), `fed_text` (how the detector is fed, on a line of its own; "" where it follows from the rest) and `features`.
"""

AnyMeaning: TypeAlias = Any
"""Meaning of a case, computed once for all detectors: `expected`, the intervals that have to be reported, by end; and
`literal`, whether the case is small enough for the definitions as they are written to judge as well."""


class Features(NamedTuple):
    """Features of a case in its row: the names of its operators in order, and the numbers of times and events."""

    operators: tuple[str, ...]
    instants: int
    events: int


@dataclass(frozen=True)
class Judged:
    """A case and its judgements, without refusals; the relation that was tried besides, "" if none."""

    case: AnyCase
    meaning: AnyMeaning
    relation: str
    judgements: int
    faults: tuple[Fault, ...]
    refusals: tuple[tuple[str, str], ...]


class NoCorpus(NamedTuple):
    """No real traces, from windows of which cases are made; the `digest` stands for them."""

    traces: tuple[Any, ...] = ()
    digest: str = ""


NO_CORPUS = NoCorpus()
NO_REAL_TRACES = InputError("this system makes no cases from real traces", remedy="Leave --corpus out.")


_NO_LOGS = "logs are not judged in this system"


class CasesOfSystem(Protocol):
    """The cases of a system; the object `CASES` of its module is one. What has a default may be left out."""

    GENERATION: int  # Goes up when the same seed, number and profile yield another case
    DEFAULT_DETECTOR: str
    PROFILES: Mapping[str, int]  # How often each profile of generated cases is used
    LONG: Mapping[str, Any] = MappingProxyType({})  # Those that are beyond the usual sizes
    RELATIONS: Collection[str] = ()  # The names of the relations between cases, besides the meaning
    REDUCTIONS: Sequence[Callable[[Any], Iterator[Any]]] = ()  # Smaller cases, the boldest first
    AUTHORITY: str = "the definition"  # With what a detector is compared over a log that is too long for the definition
    KILLED_WITHIN: int = 3_000  # Within so many cases from number 0 each of the wrong detectors is found wrong

    def maker(
        self, seed: int, profiles: Mapping[str, int], corpus: Any, real: int, constants: Sequence[int] = ()
    ) -> Callable[[int], AnyCase]:
        """The function from numbers to cases, `real` percent of them from real traces, some by the constants."""

    def factory(self, name: str, search_path: Sequence[str]) -> Factory:
        """The factory of a detector, by its name or as `package.module:object`."""

    def meaning(self, case: Any) -> AnyMeaning:
        """The meaning of a case."""

    def judge(self, case: Any, factory: Factory, *, seconds: float, meaning: Any) -> Verdict:
        """The verdict on a detector by the semantics."""

    def of_log(
        self, log: str | Path, text: str, reading: Reading, report: ReadReport
    ) -> tuple[Mapping[Partition, AnyCase], Collection[str]]:
        """A log as cases of what is to be detected, one for each partition; the event types that this mentions."""
        raise LimitExceeded(_NO_LOGS)

    def beside(self, case: Any, factory: Factory, seconds: float, *, defined: bool = True) -> Verdict:
        """The verdict over a whole log by the definition, if `defined` and it can be, or beside what `detect` uses."""
        raise LimitExceeded(_NO_LOGS)

    def part(self, case: Any, first: int, last: int) -> Any:
        """The case with some events alone, from a place up to, not including, another one."""
        raise LimitExceeded(_NO_LOGS)

    def measure(self, case: Any) -> tuple[int, ...]:
        """The size of a case; what is accepted as smaller is smaller in this order."""

    def case_to_json(self, case: Any) -> dict[str, Any]:
        """A case as plain data: expression, trace, and how the detector is fed."""

    def case_from_json(self, record: Mapping[str, Any], seed: int, number: int, profile: str) -> AnyCase:
        """The case that was plain data."""

    def key(self, case: Any) -> Hashable:
        """Cases with equal keys get the same verdict."""
        return case.text, case.trace_text

    def constants(self, detectors: Mapping[str, Factory]) -> tuple[int, ...]:
        """The numbers in the code of detectors at which these may be wrong; none where cases have no use for them."""
        return ()

    def suspects(self, case: Any) -> Iterable[tuple[Any, str]]:
        """Cases with parts of what is to be detected, smaller ones first, at last the whole; what each is called."""
        return [(case, case.text)]

    def judge_relation(
        self, relation: str, case: Any, factory: Factory, *, seconds: float, first: Verdict | None
    ) -> Verdict:
        """The verdict by a relation or law, a refusal where it does not apply; `first` is that by the semantics."""
        return Verdict(None, "", (), refusal=f"{relation} does not apply")

    def expanded(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names of detectors, with those of the catalogue in the place of a name for all of them."""
        return tuple(names)

    def require_protocol(self, detectors: Mapping[str, Factory]) -> None:
        """Raise `InputError` where detectors from outside are of another form than those of the system."""
        return

    def shown(self, case: Any) -> dict[str, Any]:
        """A case for reports: `expression`, what is to be detected, and `trace`, its rows."""
        record = self.case_to_json(case)
        return {"expression": record["expression"], "trace": record["trace"]}

    def described(self) -> str:
        """The generated cases of a campaign in numbers, as a sentence."""
        return "Random cases"

    def telling(self) -> Mapping[str, Mutant]:
        """The wrong detectors that the cases of a campaign have to find by the meaning, by name."""
        return {}

    def laws(self) -> Mapping[str, str]:
        """The laws by which a detector can be judged, by name with what they say; relations too."""
        return {}

    def law_case(self, law: str, seed: int, number: int) -> AnyCase:
        """A case to which a law applies."""
        raise InputError(f"there is no law {law}")

    def compared(self, relation: str, case: Any) -> tuple[AnyCase, AnyCase, str] | None:
        """The case from whose reports it follows by a relation what is due, the case in which it is, and why.

        None where a detector is judged by the semantics, of another history or fed in another way.
        """
        return None

    def pinned(self, case: Any, verdict: Verdict) -> Any:
        """The case with the choices that were made beside it written into it; the same case if there were none."""
        return case

    def read_corpus(self, paths: Sequence[Path], reading: Reading = USUAL, report: ReadReport | None = None) -> Any:
        """The corpus of real traces in files; one without traces where none is named."""
        if paths:
            raise NO_REAL_TRACES
        return NO_CORPUS

    def load_corpus(self, path: Path) -> Any:
        """The corpus that was written to a file; one without traces if there is none."""
        return NO_CORPUS

    def write_corpus(self, path: Path, corpus: Any) -> None:
        """Write a corpus to a file."""
        raise NO_REAL_TRACES


def cases_of(system: str = DEFAULT_SYSTEM) -> CasesOfSystem:
    """The cases of a system; `InputError` if there is no such system."""
    return cast(CasesOfSystem, system_of(system).module("campaigns").CASES)
