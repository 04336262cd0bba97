"""Corpora: windows of real logs as cases, with expressions that something in the window satisfies.

The expression grows from occurrences of the window, so that most cases have something to detect, with bounds that they
meet exactly or miss by a tick.
"""

import hashlib
import json
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from campaigns.carlson_lisper.cases import Case
from campaigns.choices import Source, Weights
from semantics.atomic_files import draft
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.traces import read_interpretation
from semantics.errors import InputError
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import ReadReport

REAL = "real"  # The profile of these cases, in the place of a name of `campaigns.carlson_lisper.profiles.PROFILES`
MAX_OCCURRENCES = 1_000_000  # A corpus with more is refused: every worker keeps all of it
INSTANTS = Weights((4, 8, 12, 16, 24, 40, 60))  # How many distinct times a window has at most
PARTS = Weights((1, 2, 2, 3, 3, 4, 5))  # How many occurrences an expression grows from

_SLACK = Weights((-1, 0, 0, 0, 1, 2, 60))
_OPERATOR = Weights.of({"seq": 4, "con": 2})


@dataclass(frozen=True)
class Corpus:
    """Real traces: the occurrences of each, by time and event type."""

    traces: tuple[tuple[Occurrence, ...], ...] = field(default=(), repr=False)

    @cached_property
    def digest(self) -> str:
        """Stands for the contents; "" if there are none."""
        if not self.traces:
            return ""
        texts = (f"{len(trace)}\n" + "\n".join(map(repr, trace)) for trace in self.traces)
        return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]

    @cached_property
    def weights(self) -> Weights[int]:
        """The traces by their places, long ones more often than short ones."""
        sizes = [len(trace) for trace in self.traces]
        unit = max(1, max(sizes, default=1) // 50)
        return Weights.of({place: 1 + size // unit for place, size in enumerate(sizes)})


def read_corpus(paths: Iterable[Path], reading: Reading = USUAL, report: ReadReport | None = None) -> Corpus:
    """Traces from files, each as `remora detect` reads it."""
    traces = []
    for path in paths:
        interpretation = read_interpretation(str(path), reading, report=report)
        trace = tuple(interpretation.occurrences())
        if not trace:
            raise InputError("there are no occurrences in it", place=str(path))
        traces.append(trace)
    total = sum(map(len, traces))
    if total > MAX_OCCURRENCES:
        reason = f"the corpus has {total:,} occurrences, and at most {MAX_OCCURRENCES:,} are taken"
        raise InputError(reason, remedy="Take a part of each file.")
    return Corpus(tuple(traces))


def write_corpus(path: Path, corpus: Corpus) -> None:
    """Write a corpus as one Parquet file, as a whole or not at all."""
    rows = [
        {"trace": place, **each._asdict(), "value": json.dumps(each.value)}
        for place, trace in enumerate(corpus.traces)
        for each in trace
    ]
    with draft(path) as place:
        pq.write_table(pa.Table.from_pylist(rows), place)


def load_corpus(path: Path) -> Corpus:
    """The corpus that was written to a file; an empty one if there is no such file."""
    if not path.exists():
        return Corpus()
    try:
        traces: dict[int, list[Occurrence]] = {}
        for row in pq.read_table(path).to_pylist():
            occurrence = Occurrence(row["event"], row["time"], json.loads(row["value"]))
            traces.setdefault(row["trace"], []).append(occurrence)
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        raise InputError("this is not the corpus of a campaign", place=str(path)) from error
    return Corpus(tuple(map(tuple, traces.values())))


def real_case(seed: int, number: int, corpus: Corpus) -> Case:
    """The case with a number, made from real traces."""
    source = Source(f"{seed}:{number}:{REAL}")
    trace = corpus.traces[source.weighted(corpus.weights)]
    window = _window(trace, source)
    roots = sorted({source.below(len(window)) for _ in range(source.weighted(PARTS))})
    expression = _grown([window[root] for root in roots], window, source)
    return Case(seed, number, REAL, expression, window)


def _window(trace: Sequence[Occurrence], source: Source) -> tuple[Occurrence, ...]:
    """A few instants of a trace in a row, moved near to time 0."""
    first = trace[source.below(len(trace))].time
    begin = bisect_left(trace, first, key=lambda occurrence: occurrence.time)
    most = source.weighted(INSTANTS)
    shift = first - source.below(3)
    instants = islice(groupby(trace[begin : begin + 4 * most], key=lambda occurrence: occurrence.time), most)
    return tuple(each._replace(time=time - shift) for time, found in instants for each in found)


def _grown(roots: Sequence[Occurrence], window: Sequence[Occurrence], source: Source) -> Expression:
    """An expression that some occurrences satisfy, unless something forbidden is there, or a bound is too small."""
    if len(roots) == 1:
        event = Identifier(roots[0].event)
        return _varied(event, 0, window, source) if source.chance(25) else event
    cut = 1 + source.below(len(roots) - 1)
    left, right = _grown(roots[:cut], window, source), _grown(roots[cut:], window, source)
    in_order = roots[cut - 1].time < roots[cut].time
    operator = source.weighted(_OPERATOR) if in_order else "con"
    span = roots[-1].time - roots[0].time
    return _varied(Operation(operator, (left, right)), span, window, source)


def _varied(expression: Expression, span: int, window: Sequence[Occurrence], source: Source) -> Expression:
    if source.chance(40):
        expression = Operation("tim", (expression,), max(0, span + source.weighted(_SLACK)))
    other = Identifier(window[source.below(len(window))].event)
    if source.chance(25):
        return Operation("neg", (expression, other))
    if source.chance(15):
        return Operation("dis", (expression, other) if source.chance(50) else (other, expression))
    return expression
