"""Comparison of two reports: what stands otherwise, what takes more work, what was added or removed.

Work is counted by the solvers in units that do not depend on the machine; seconds do, and are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from reports.documents import Document, value_of
from reports.page import Page, Section, Table
from reports.standings import STANDINGS

SCHEMA = "remora/comparison/1"

RATIO = 1.5
"""Work that has grown or shrunk by less than this factor has not changed…"""

LEAST = 20_000
"""…nor has work that differs by less than so many units."""

LISTED = 50
"""At most so many differences of a kind are listed; a note says how many there are beyond."""

Kind: TypeAlias = Literal["worse", "removed", "more work", "added", "better", "less work"]

KINDS: Mapping[Kind, str] = {
    "worse": "Worse",
    "removed": "Removed",
    "more work": "More work",
    "added": "Added",
    "better": "Better",
    "less work": "Less work",
}
"""How something changed, the most important kind first, with titles."""

T = TypeVar("T")


@dataclass(frozen=True)
class Difference:
    """A difference in one place.

    Attributes:
        part: the section of the report, such as `claim`.
        name: what changed, such as the id of a claim.
        old: how it was; "" for what was added.
        new: how it is; "" for what was removed.
    """

    kind: Kind
    part: str
    name: str
    old: str
    new: str
    about: str = ""


@dataclass(frozen=True)
class ReportComparison:
    """The outcome of comparing two reports.

    Attributes:
        circumstances: what may explain differences: name, and how it was and is.
        differences: by kind in the order of `KINDS`, then in the order of the report.
        ratio: from which factor on work has changed.
        least: and from which difference on, in units of the solvers.
    """

    circumstances: tuple[tuple[str, str, str], ...]
    differences: tuple[Difference, ...]
    ratio: float = RATIO
    least: int = LEAST

    @property
    def worse(self) -> bool:
        """Whether something got worse; more work is not worse, for it proves the same."""
        return any(difference.kind == "worse" for difference in self.differences)

    @property
    def summary(self) -> str:
        """The outcome in one sentence."""
        if not self.differences:
            return "Nothing changed."
        counts = {kind: sum(difference.kind == kind for difference in self.differences) for kind in KINDS}
        said = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        return f"{'Something got worse' if self.worse else 'Nothing got worse'}: {said}."


def compare(
    old: Mapping[str, Any], new: Mapping[str, Any], *, ratio: float = RATIO, least: int = LEAST
) -> ReportComparison:
    """Compare two reports of schema `remora/report/1`.

    Args:
        ratio: work that changed by less than this factor has not changed; at least 1.
        least: work that differs by less than so many units has not changed.
    """
    before, after = value_of("remora/report/1", old), value_of("remora/report/1", new)
    found = [*_verdicts(before, after), *_states(before, after), *_work(before, after, ratio, least)]
    found += _causes(before.campaign, after.campaign)
    found.sort(key=lambda difference: [*KINDS].index(difference.kind))
    settings = _settings(before), _settings(after)
    names = dict.fromkeys([*settings[0], *settings[1]])
    rows = ((name, *(found.get(name, "not said") for found in settings)) for name in names)
    circumstances = tuple((name, was, now) for name, was, now in rows if was != now)
    return ReportComparison(circumstances, tuple(found), ratio, least)


def comparison_data(comparison: ReportComparison) -> dict[str, Any]:
    """The comparison as plain data, of schema `remora/comparison/1`."""
    circumstances = [{"name": name, "old": old, "new": new} for name, old, new in comparison.circumstances]
    return {
        "schema": SCHEMA,
        "exit_status": int(comparison.worse),
        "summary": comparison.summary,
        "ratio": comparison.ratio,
        "least": comparison.least,
        "circumstances": circumstances,
        "differences": [asdict(difference) for difference in comparison.differences],
    }


def comparison_page(comparison: ReportComparison) -> Page:
    """The comparison as a page: what got worse or was removed stands open, everything else is folded."""
    sections = []
    if comparison.circumstances:
        table = Table(("", "Before", "Now"), comparison.circumstances)
        sections.append(Section(title="What may explain differences", folded=False, blocks=(table,)))
    for kind, title in KINDS.items():
        found = [each for each in comparison.differences if each.kind == kind]
        if found:
            rows = tuple((each.part, each.name, each.old, each.new, each.about) for each in found[:LISTED])
            more = (f"{len(found) - LISTED:,} more are in the comparison as JSON.",) * (len(found) > LISTED)
            sections.append(
                Section(
                    title=f"{title} ({len(found):,})",
                    folded=kind not in ("worse", "removed"),
                    blocks=(Table(("What", "Name", "Before", "Now", "About"), rows), *more),
                )
            )
    threshold = (
        f"Work has changed where a solver's own count differs by a factor of {comparison.ratio:g} and by"
        f" {comparison.least:,} units at least; seconds depend on the machine and are not compared."
    )
    sections.append(Section(title="What counts as work", blocks=(threshold,)))
    return Page(
        name="remora report --compare",
        summary=comparison.summary,
        symbol="✕" if comparison.worse else "✓",
        tone="bad" if comparison.worse else "good",
        sections=tuple(sections),
    )


# ---------------------------------------------------------------------------------------------------------- differences


class _State(NamedTuple):
    """How something stands: its rank, the better the greater, in words; what it is, and why it stands so."""

    rank: float
    words: str
    about: str = ""
    reason: str = ""


def _pairs(before: Mapping[str, T], after: Mapping[str, T]) -> Iterator[tuple[str, T | None, T | None]]:
    """The old and the new value of each name, in the order of the new report; what was removed comes last."""
    for name in dict.fromkeys([*after, *before]):
        yield name, before.get(name), after.get(name)


def _changed(
    part: str, before: Mapping[str, _State], after: Mapping[str, _State], *, bad: float
) -> Iterator[Difference]:
    """What was removed, what was added (worse, if its rank is below `bad`), and what changed its rank."""
    for name, was, now in _pairs(before, after):
        if now is None and was is not None:
            yield Difference("removed", part, name, was.words, "", was.about)
        elif was is None and now is not None:
            yield Difference("worse" if now.rank < bad else "added", part, name, "", now.words, now.about)
        elif was is not None and now is not None and was.rank != now.rank:
            kind: Kind = "worse" if now.rank < was.rank else "better"
            about = "; ".join(filter(None, (now.about, now.reason)))
            yield Difference(kind, part, name, was.words, now.words, about)


def _verdicts(old: Document, new: Document) -> Iterator[Difference]:
    """How the runs as a whole ended."""
    was, now = old.verdict.exit_status, new.verdict.exit_status
    if was != now:
        kind: Kind = "worse" if was == 0 else "better" if now == 0 else "worse" if now > was else "better"
        yield Difference(kind, "verdict", "exit status", str(was), str(now), new.verdict.summary)


WORST_FIRST = ("disagreement", "error", "refuted", "unknown", *reversed([*STANDINGS][: [*STANDINGS].index("unknown")]))
_RANK = {word: float(rank) for rank, word in enumerate(WORST_FIRST)}


def _standing(word: str, about: str = "", reason: str = "") -> _State:
    """A standing; one over dense time of what does not carry over is a little better than unknown."""
    return _State(_RANK.get(word, _RANK["unknown"] + 0.5), word, about, reason)


def _mark(right: bool, about: str) -> _State:
    return _State(_RANK["unknown"] + right, "as it should be" if right else "not as it should be", about)


def _states(old: Document, new: Document) -> Iterator[Difference]:
    """Everything that has a standing, or is right or wrong, part by part."""
    both = {claim.id for claim in old.claims} & {claim.id for claim in new.claims}
    before, after = _by_part(old, both), _by_part(new, both)
    for part, found in after.items():
        yield from _changed(part, before[part], found, bad=_RANK["unknown"] + (part in _MARKED))


_MARKED = ("false claim", "check", "erratum", "detection", "detector", "stored regression", "campaign")


def _by_part(report: Document, both: set[str]) -> Mapping[str, Mapping[str, _State]]:
    """For each part of a report, by name how it stands.

    Args:
        both: the claims of both reports: obligations and dense time come and go with their claims.
    """
    claims, campaign = report.claims, report.campaign
    shared = [claim for claim in claims if claim.id in both]
    items = [item for claim in shared for item in claim.obligations]
    regressions = campaign.regressions.failures if campaign and campaign.regressions else ()
    return {
        "claim": {one.id: _standing(one.standing, one.statement, one.reason) for one in claims},
        "claim over dense time": {one.id: _standing(one.dense_time, one.statement, one.reason) for one in shared},
        "obligation": {one.id: _standing(one.standing, "", one.reason) for one in items},
        "false claim": {one.id: _mark(one.ok, one.statement) for one in report.canaries},
        "check": {one.id: _mark(one.ok, one.what) for one in report.checks},
        "erratum": {one.id: _mark(one.as_claimed, one.place) for one in report.errata},
        "detection": {f"{one.expression} on {one.trace}": _mark(one.agree, one.detector) for one in report.detection},
        "detector": {name: _share(share) for name, share in (campaign.detectors if campaign else {}).items()},
        "campaign": {"campaign": _mark(not campaign.error, campaign.error)} if campaign else {},
        "stored regression": {f"{one.regression}, {one.detector}": _mark(False, one.detail) for one in regressions},
    }


def _share(share: Document) -> _State:
    """A detector is wrong if it failed a case, and not known if it took none."""
    words = f"{share.failures:,} of {share.cases - share.refused:,} cases failed"
    taken = share.refused < share.cases
    return _State(_RANK["unknown"] - 1 if share.failures else _RANK["unknown"] + taken, words)


def _work(old: Document, new: Document, ratio: float, least: int) -> Iterator[Difference]:
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


def _answers(report: Document) -> dict[tuple[str, str], tuple[int, str]]:
    """By obligation and engine, whose version may have changed: units of work, and what stands for the text."""
    found: dict[tuple[str, str], tuple[int, str]] = {}
    for item in (item for claim in report.claims for item in claim.obligations):
        for answer in item.answers:
            key = item.id, answer.solver.partition(" ")[0]
            found[key] = found.get(key, (0, ""))[0] + answer.rlimit, item.sha256
    return found


def _causes(before: Document, after: Document) -> Iterator[Difference]:
    """What failures have in common that was there in one campaign alone."""
    causes = [
        {
            f"{one.detector}: {one.kind} at {one.path}"
            + ("" if one.relation in ("", "meaning") else f" by the relation {one.relation}"): one
            for one in (campaign.causes if campaign else ())
        }
        for campaign in (before, after)
    ]
    for name, old, new in _pairs(*causes):
        if new is None and old is not None:
            yield Difference("better", "cause of failures", name, f"{old.cases} cases", "none")
        elif old is None and new is not None:
            first = f"first in case {new.first}"
            yield Difference("worse", "cause of failures", name, "none", f"{new.cases} cases", first)


def _settings(report: Document) -> dict[str, str]:
    """With what a run was made, and how much it did; not where it wrote to, nor how long it took."""
    machine = report.environment
    commit = f" (commit {report.code.commit[:12]}{', changed since' * report.code.changed})" if report.code else ""
    tests = (test for claim in report.claims for test in claim.tests)
    found: dict[str, object] = {
        "version of Remora": f"{report.remora}{commit}",
        "seed": report.seed,
        **(
            {"python": machine.python, "platform": machine.platform, "cores": machine.cores, "java": machine.java}
            if machine
            else {}
        ),
        **(machine.packages if machine else {}),
        "random cases per claim": next((one.cases for one in tests if one.method != "exhaustive"), 0),
        "campaign cases": report.campaign.cases if report.campaign else 0,
    }
    return {name: str(value) for name, value in found.items() if value or name == "seed"}
