"""Instances of a pattern in a trace: by its definition, or as a detector finds them."""

from collections.abc import Iterator, Mapping
from typing import Any, overload

from detectors.carlson_lisper.protocol import instants
from remora.api.arguments import as_arguments
from remora.api.detecting.detection import AUTO, DetectorLike, made
from remora.api.detecting.found import Found, FoundByPartition
from remora.api.detecting.traces import Trace, TraceLike, as_trace, as_traces
from remora.api.patterns.patterns import PatternLike, as_pattern
from remora.terminal.progress import Tell, unheard
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, identifiers
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Stream
from semantics.carlson_lisper.restriction import restriction
from semantics.errors import LimitExceeded
from semantics.events import Interval
from semantics.traces.rows import Partition


def evaluate(
    pattern: PatternLike, trace: TraceLike, *, restricted: bool = False, intervals: bool = False, **options: Any
) -> Found[Any]:
    """All instances of a pattern in a trace, as the definition says (Def. 3.11).

    Args:
        pattern: an expression or its text.
        trace: a trace, what one can be made of, or the path of a file.
        restricted: only a valid restriction (Def. 3.12): for each end, one instance with the latest start.
        intervals: only starts and ends, which works for much longer traces.
        options: how the trace is read (`remora.Reading`), such as `time="when", tick="1s"`.

    Raises:
        InputError: the pattern or the trace cannot be read.
        LimitExceeded: there are too many candidates; the answer would not be complete.
    """
    meant = _pattern_for(pattern, trace, options)
    where = as_trace(trace, options, meant)
    how = "by Def. 3.12" if restricted else "by Def. 3.11"
    scenario = where.only(*identifiers(meant)).interpretation
    with as_arguments():
        found: list[Any] = []
        if intervals:
            found += meant_intervals(meant, scenario, restricted=restricted)
        else:
            found += meant_instances(meant, scenario, restricted=restricted)
        found.sort(key=by_end)
        return Found(meant, where, tuple(found), how, whole=not intervals)


def _pattern_for(pattern: PatternLike, trace: TraceLike, options: Mapping[str, Any]) -> Expression:
    """The pattern, whose bounds may have units where the tick of the trace is stated."""
    return as_pattern(pattern, options.get("tick") or (trace.tick if isinstance(trace, Trace) else None))


def meant_instances(pattern: Expression, scenario: Interpretation, *, restricted: bool) -> Stream:
    """The instances of a pattern by definition, or a valid restriction of them (Def. 3.12)."""
    try:
        meaning = denotation(pattern, scenario)
    except LimitExceeded as error:
        raise LimitExceeded(
            error.reason,
            remedy="Use --level intervals for starts and ends, or `remora detect` for one instance per time.",
        ) from None
    return restriction(meaning) if restricted else meaning


def meant_intervals(
    pattern: Expression, scenario: Interpretation, *, restricted: bool, tell: Tell = unheard
) -> Iterator[Interval]:
    """The starts and ends of the instances of a pattern by definition, or of a valid restriction of them (Def. 3.12).

    It is told the title of each operator before it is evaluated.
    """
    from semantics.carlson_lisper.intervals import Intervals  # which brings NumPy

    spans = Intervals(pattern, scenario)
    for node in bottom_up(pattern):
        if isinstance(node, Operation):
            tell(node.definition.title)
            spans.matrix(node)
    yield from spans.restricted() if restricted else spans.intervals()


def by_end(found: Instance | Interval) -> tuple[object, ...]:
    """The order of what is found: by end, then start, then the occurrences."""
    return found.sort_key() if isinstance(found, Instance) else (found.end, found.start)


@overload
def detect(
    pattern: PatternLike,
    trace: TraceLike,
    *,
    detector: DetectorLike = ...,
    intervals: bool = ...,
    partition_by: None = ...,
    **options: Any,
) -> Found[Any]: ...
@overload
def detect(
    pattern: PatternLike,
    trace: TraceLike,
    *,
    detector: DetectorLike = ...,
    intervals: bool = ...,
    partition_by: str,
    **options: Any,
) -> FoundByPartition[Any]: ...
def detect(
    pattern: PatternLike,
    trace: TraceLike,
    *,
    detector: DetectorLike = AUTO,
    intervals: bool = False,
    partition_by: str | None = None,
    **options: Any,
) -> Found[Any] | FoundByPartition[Any]:
    """Detections in a trace: for each time at which the pattern occurs, an instance with the latest start.

    Args:
        pattern: an expression or its text.
        trace: a trace, what one can be made of, or the path of a file.
        detector: "auto", the name of a detector, `package.module:object`, or a class or function that makes one.
        intervals: only starts and ends, which is faster.
        partition_by: a column, such as one of users or hosts; then each of its values is looked at by itself, and
            what comes back is a mapping from the value to what was found.
        options: how the trace is read (`remora.Reading`), such as `time="when", tick="1s"`.

    Raises:
        InputError: the pattern, the trace or the detector cannot be used.
        WrongDetector: the detector breaks down, or reports what cannot be a detection.
    """
    meant = _pattern_for(pattern, trace, options)
    if detector in (AUTO, "columns") and not isinstance(trace, Trace):
        from remora.api.detecting.columns import found_by_columns  # which brings Polars

        with as_arguments():
            whole = found_by_columns(meant, trace, options, intervals=intervals, partition_by=partition_by)
        if whole is not None:
            return whole
    apart: dict[Partition, Found[Any]] = {}
    for key, where in as_traces(trace, partition_by, options, meant).items():
        with as_arguments():
            chosen = made(detector, meant, intervals=intervals)
        stepper = chosen.maker()
        reports = (stepper.step(*each) for each in instants(where.only(*identifiers(meant)).interpretation))
        found = tuple(report for report in reports if report is not None)
        apart[key] = Found(meant, where, found, f"detected by {chosen.name}", whole=not intervals)
    return apart[None] if partition_by is None else FoundByPartition(meant, partition_by, apart)
