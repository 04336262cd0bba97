"""Definitions 4.4 to 4.8 word for word, each suspected slip of the print with a switch; not to be relied on.

Operands are classes of primitive events, each event with a time of its own. Without any slip the definitions are those
of `semantics.settings.lists`; `laws/hinze_voisard/errata.toml` has a trace for each slip.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal, TypeAlias

from semantics.events import Time

Slip: TypeAlias = Literal[
    "half-open lists",
    "one for t",
    "ordered conjunction",
    "lists from the first event",
    "posterior for anterior",
]
"""What is printed otherwise than it must be meant.

- `half-open lists`: the index within a list runs to `length(tr[x])` exclusively.
- `one for t`: a sequence ends within (t(e1), t(e1) + 1].
- `ordered conjunction`: the earlier event of a conjunction has to match the first profile.
- `lists from the first event`: the first list is taken for one of e1, whatever it holds.
- `posterior for anterior`: the last event within the span is counted from the posterior list itself.
"""

SLIPS: tuple[Slip, ...] = (
    "half-open lists",
    "one for t",
    "ordered conjunction",
    "lists from the first event",
    "posterior for anterior",
)

Choice: TypeAlias = Literal["first", "last", "all"] | int

Events: TypeAlias = Sequence[tuple[str, Time]]
"""A trace: classes, `e1` and `e2`, with times, in their order."""

Pair: TypeAlias = tuple[tuple[str, Time], tuple[str, Time]]


def view(trace: Events) -> list[list[tuple[str, Time]]]:
    """The duplicate lists tr[1], …, tr[n] of the trace view tr(e1, e2) (Def. 4.4, trace renumbering)."""
    seen = [event for event in trace if event[0] in ("e1", "e2")]
    return [list(group) for _, group in groupby(seen, key=lambda event: event[0])]


def sequence(
    trace: Events,
    anterior: Choice,
    posterior: Choice,
    *,
    unique: bool,
    span: Time,
    slips: frozenset[Slip] = frozenset(),
) -> set[Pair]:
    """The pairs (tr[2x-1, z], tr[2y, w]) of Def. 4.7, with P_xy: x = y where they are unique, else x <= y."""
    lists = view(trace)
    if lists and lists[0][0][0] == "e2" and "lists from the first event" not in slips:
        lists = lists[1:]
    found: set[Pair] = set()
    for x in range(1, len(lists) // 2 + len(lists) % 2 + 1):
        for y in range(1, len(lists) // 2 + 1):
            if x != y if unique else x > y:
                continue
            ant, post = lists[2 * x - 2], lists[2 * y - 1]
            for z in _indices(ant, anterior, slips):
                end = ant[z - 1][1] + (1 if "one for t" in slips else span)
                for w in _posterior(post, posterior, ant[z - 1][1], span, slips):
                    one, other = ant[z - 1], post[w - 1]
                    if (one[0], other[0]) == ("e1", "e2") and one[1] < other[1] <= end:
                        found.add((one, other))
    return found


def conjunction(
    trace: Events,
    anterior: Choice,
    posterior: Choice,
    *,
    unique: bool,
    span: Time,
    slips: frozenset[Slip] = frozenset(),
) -> set[Pair]:
    """The pairs (tr[x, z], tr[y + 1, w]) of Def. 4.6."""
    lists = view(trace)
    found: set[Pair] = set()
    for x in range(1, len(lists) + 1):
        for y in range(x, x + 1 if unique else len(lists)):
            if y + 1 > len(lists):
                continue
            ant, post = lists[x - 1], lists[y]
            for z in _indices(ant, anterior, slips):
                for w in _posterior(post, posterior, ant[z - 1][1], span, slips):
                    one, other = ant[z - 1], post[w - 1]
                    classes = (one[0], other[0])
                    right = classes == ("e1", "e2") or (
                        classes == ("e2", "e1") and "ordered conjunction" not in slips
                    )
                    if right and abs(other[1] - one[1]) <= span:
                        found.add((one, other))
    return found


def _indices(listed: Sequence[object], choice: Choice, slips: frozenset[Slip]) -> Iterator[int]:
    """The indices from z_min to z_max (the table of the second dimension)."""
    length = len(listed) - ("half-open lists" in slips)
    match choice:
        case "first":
            least, most = 1, 1
        case "last":
            least, most = length, length
        case "all":
            least, most = 1, length
        case number:
            least, most = number, number
    return (index for index in range(max(least, 1), most + 1) if index <= length)


def _posterior(
    post: Sequence[tuple[str, Time]], choice: Choice, opened: Time, span: Time, slips: frozenset[Slip]
) -> Iterator[int]:
    """The indices from w_min to w_max; m is the last index within the span."""
    if choice != "last":
        return _indices(post, choice, slips)
    origin = post[0][1] if "posterior for anterior" in slips else opened
    within = [w for w, (_, time) in enumerate(post, 1) if time <= origin + span]
    return iter([w for w in within[-1:] if w <= len(post) - ("half-open lists" in slips)])
