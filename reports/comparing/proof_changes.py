"""Changes in the proof side of a report: standings, work, and what is simply right or wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reports.comparing.changes import Difference, Kind, State, changed
from reports.results.claims import Claim
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

    def states(part: str, of: Mapping[str, Claim]) -> Iterator[tuple[str, State]]:
        for name, claim in of.items():
            if part == "claim":
                yield name, _state(claim.standing, claim.statement, claim.reason)
            elif name not in both:
                continue  # what a claim says of dense time comes and goes with it, and so do its obligations
            elif part == "obligation":
                yield from ((item.id, _state(item.standing, "", item.reason)) for item in claim.obligations)
            else:
                yield name, _state(claim.dense_time, claim.statement, claim.reason)

    for part in ("claim", "claim over dense time", "obligation"):
        yield from changed(part, *(dict(states(part, of)) for of in (before, after)), bad=_RANK["unknown"])


def _state(word: str, about: str, reason: str) -> State:
    """How a standing stands; a word that is none is a little better than unknown."""
    return State(_RANK.get(word, _RANK["unknown"] + 0.5), word, about, reason)


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
        yield from changed(part, before[part], found, bad=1)
    survivors = [set(report.power.survivors) for report in (old, new)]
    said = {check.mutant for check in new.checks}
    for name in sorted(survivors[0] ^ survivors[1]):
        if name not in said:
            kind: Kind = "worse" if name in survivors[1] else "better"
            words = ("found", "not found") if name in survivors[1] else ("not found", "found")
            yield Difference(kind, "mutant", name, *words)


def _marks(report: Report) -> Mapping[str, Mapping[str, State]]:
    """For each part of a report, by name whether it is right and what it is."""
    return {
        "false claim": {one.id: _mark(one.ok, one.statement) for one in report.canaries},
        "check": {one.id: _mark(one.ok, one.what) for one in report.checks},
        "erratum": {one.id: _mark(one.as_claimed, one.place) for one in report.errata},
        "detection": {
            f"{one.expression} on {one.trace}": _mark(one.agree, one.detector) for one in report.detection
        },
    }


def _mark(right: bool, about: str) -> State:
    return State(int(right), "as it should be" if right else "not as it should be", about)
