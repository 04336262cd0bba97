"""Changes in the proof side of a report: standings, work, and what is simply right or wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reports.comparing.changes import Difference, Kind, pairs
from reports.results.report import Report

# ---------------------------------------------------------------------------------------------------------- standings

WORST_FIRST = ("disagreement", "error", "refuted", "unknown", "tested", "proved", "agreed", "certified")
"""The standings, the worst one first."""

_RANK: Mapping[str, int] = {word: rank for rank, word in enumerate(WORST_FIRST)}


def verdicts(old: Report, new: Report) -> Iterator[Difference]:
    """How the runs as a whole ended."""
    was, now = old.verdict.exit_status, new.verdict.exit_status
    if was != now and was >= 0 and now >= 0:
        kind: Kind = "worse" if was == 0 else "better" if now == 0 else "worse" if now > was else "better"
        yield Difference(kind, "verdict", "exit status", str(was), str(now), new.verdict.summary)


def standings(old: Report, new: Report) -> Iterator[Difference]:
    """Claims, over integer and dense time, and their obligations."""
    before, after = ({claim.id: claim for claim in report.claims} for report in (old, new))
    both = before.keys() & after.keys()
    yield from _by_standing(
        "claim",
        *(
            {one.id: (one.standing, one.statement, one.reason) for one in report.claims}
            for report in (old, new)
        ),
    )
    # What a claim says of dense time comes and goes with it, and so do its obligations.
    yield from _by_standing(
        "claim over dense time",
        *(
            {name: (of[name].dense_time, of[name].statement, of[name].reason) for name in of if name in both}
            for of in (before, after)
        ),
    )
    yield from _by_standing(
        "obligation",
        *(
            {
                item.id: (item.standing, "", item.reason)
                for name in of
                if name in both
                for item in of[name].obligations
            }
            for of in (before, after)
        ),
    )


def _by_standing(
    part: str, before: Mapping[str, tuple[str, str, str]], after: Mapping[str, tuple[str, str, str]]
) -> Iterator[Difference]:
    """Of each thing that has a standing: that, what it says, and the reason."""
    for name, was, now in pairs(before, after):
        if now is None and was is not None:
            yield Difference("removed", part, name, was[0], "", was[1])
        elif was is None and now is not None:
            kind: Kind = "worse" if now[0] in ("refuted", "disagreement", "error") else "added"
            yield Difference(kind, part, name, "", now[0], now[1])
        elif was is not None and now is not None and was[0] != now[0]:
            kind = "worse" if _rank(now[0]) < _rank(was[0]) else "better"
            yield Difference(kind, part, name, was[0], now[0], "; ".join(filter(None, now[1:])))


def _rank(word: str) -> int:
    """The place of a standing among all, the worst one first; a word that is none is like unknown."""
    return _RANK.get(word, _RANK["unknown"])


# --------------------------------------------------------------------------------------------------------------- work


def work(old: Report, new: Report, ratio: float, least: int) -> Iterator[Difference]:
    """The work of each engine on each obligation: counts of different engines cannot be compared."""
    before, after = _answers(old), _answers(new)
    for (obligation, engine), (now, text) in after.items():
        was, old_text = before.get((obligation, engine), (now, text))
        if abs(now - was) < least or max(now, was) < ratio * max(1, min(now, was)):
            continue
        kind: Kind = "more work" if now > was else "less work"
        about = f"{now / max(1, was):.2f} times the work"
        if text != old_text:
            about += "; the obligation itself is another one"
        yield Difference(kind, "obligation", f"{obligation}, {engine}", f"{was:,}", f"{now:,}", about)


def _answers(report: Report) -> dict[tuple[str, str], tuple[int, str]]:
    """By obligation and engine, whose version may have changed: units of work, and what stands for the text."""
    found: dict[tuple[str, str], tuple[int, str]] = {}
    for item in (item for claim in report.claims for item in claim.obligations):
        for answer in item.answers:
            key = item.id, answer.solver.partition(" ")[0]
            found[key] = found.get(key, (0, ""))[0] + answer.rlimit, item.sha256
    return found


# ------------------------------------------------------------------------------------------- what passes or not


def marks(old: Report, new: Report) -> Iterator[Difference]:
    """Everything that is right or wrong, without standings between."""
    before, after = _marks(old), _marks(new)
    for part, found in after.items():
        yield from _by_mark(part, before[part], found)
    survivors = [set(report.power.survivors) for report in (old, new)]
    said = {check.mutant for check in new.checks}
    for name in sorted(survivors[0] ^ survivors[1]):
        if name not in said:
            kind: Kind = "worse" if name in survivors[1] else "better"
            words = ("found", "not found") if name in survivors[1] else ("not found", "found")
            yield Difference(kind, "mutant", name, *words)


def _marks(report: Report) -> Mapping[str, Mapping[str, tuple[bool, str]]]:
    """For each part of a report, by name whether it is right and what it is."""
    return {
        "false claim": {one.id: (one.ok, one.statement) for one in report.canaries},
        "check": {one.id: (one.ok, one.what) for one in report.checks},
        "erratum": {one.id: (one.as_claimed, one.place) for one in report.errata},
        "detection": {
            f"{one.expression} on {one.trace}": (one.agree, one.detector) for one in report.detection
        },
    }


def _by_mark(
    part: str, before: Mapping[str, tuple[bool, str]], after: Mapping[str, tuple[bool, str]]
) -> Iterator[Difference]:
    words = {True: "as it should be", False: "not as it should be"}
    for name, was, now in pairs(before, after):
        if now is None and was is not None:
            yield Difference("removed", part, name, words[was[0]], "", was[1])
        elif was is None and now is not None:
            yield Difference("added" if now[0] else "worse", part, name, "", words[now[0]], now[1])
        elif was is not None and now is not None and was[0] != now[0]:
            kind: Kind = "better" if now[0] else "worse"
            yield Difference(kind, part, name, words[was[0]], words[now[0]], now[1])
