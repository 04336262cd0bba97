"""Comparison of two reports: what stands otherwise, what takes more work in a solver's units, what came or went."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from reports.documents import Document, value_of
from reports.page import STANDINGS, Block, Page, Section, Table
from reports.report import version_of

RATIO = 1.5  # Work that has grown or shrunk by less than this factor has not changed…
LEAST = 20_000  # …nor has work that differs by less than so many units
LISTED = 50  # At most so many differences of a kind are listed; a note says how many there are beyond

Kind: TypeAlias = Literal["worse", "removed", "more work", "added", "better", "less work"]

KINDS: tuple[Kind, ...] = ("worse", "removed", "more work", "added", "better", "less work")
"""How something changed, the most important kind first."""


@dataclass(frozen=True)
class Difference:
    """A difference in a `part` of the report: how something was ("" if added) and how it is ("" if removed)."""

    kind: Kind
    part: str
    name: str
    old: str
    new: str
    about: str = ""


@dataclass(frozen=True)
class ReportComparison:
    """The differences of two reports, by kind in the order of `KINDS`, and the settings that may explain them."""

    circumstances: tuple[tuple[str, str, str], ...]
    differences: tuple[Difference, ...]

    @property
    def worse(self) -> bool:
        """Whether something got worse; more work is not worse, for it proves the same."""
        return any(difference.kind == "worse" for difference in self.differences)

    @property
    def summary(self) -> str:
        """The outcome in one sentence."""
        if not self.differences:
            return "Nothing changed."
        counts = Counter(difference.kind for difference in self.differences)
        said = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
        return f"{'Something got worse' if self.worse else 'Nothing got worse'}: {said}."


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> ReportComparison:
    """Compare two reports of schema `remora/report/1`."""
    before, after = value_of("remora/report/1", old), value_of("remora/report/1", new)
    both = {claim.id for claim in before.claims} & {claim.id for claim in after.claims}
    was, now = _states(before, both), _states(after, both)
    found = [*_work(before, after), *(each for part in now for each in _changed(part, was[part], now[part]))]
    found.sort(key=lambda difference: KINDS.index(difference.kind))
    settings = _settings(before), _settings(after)
    rows = ((name, *(one.get(name, "not said") for one in settings)) for name in settings[0] | settings[1])
    return ReportComparison(tuple((name, one, other) for name, one, other in rows if one != other), tuple(found))


def comparison_data(comparison: ReportComparison) -> dict[str, Any]:
    """The comparison as plain data, of schema `remora/comparison/1`."""
    return {
        "schema": "remora/comparison/1",
        "exit_status": int(comparison.worse),
        "summary": comparison.summary,
        "ratio": RATIO,
        "least": LEAST,
        "circumstances": [{"name": name, "old": old, "new": new} for name, old, new in comparison.circumstances],
        "differences": [asdict(difference) for difference in comparison.differences],
    }


def comparison_page(comparison: ReportComparison) -> Page:
    """The comparison as a page: what got worse or was removed stands open, everything else is folded."""
    sections = []
    if comparison.circumstances:
        table = Table(("", "Before", "Now"), comparison.circumstances)
        sections.append(Section(title="What may explain differences", folded=False, blocks=(table,)))
    for kind in KINDS:
        found = [each for each in comparison.differences if each.kind == kind]
        if found:
            rows = tuple((each.part, each.name, each.old, each.new, each.about) for each in found[:LISTED])
            blocks: list[Block] = [Table(("What", "Name", "Before", "Now", "About"), rows)]
            if len(found) > LISTED:
                blocks.append(f"{len(found) - LISTED:,} more are in the comparison as JSON.")
            folded = kind not in ("worse", "removed")
            sections.append(Section(title=f"{kind.capitalize()} ({len(found):,})", folded=folded, blocks=tuple(blocks)))
    threshold = (
        f"Work has changed where a solver's own count differs by a factor of {RATIO:g} and by {LEAST:,} units at least;"
        " seconds depend on the machine and are not compared."
    )
    sections.append(Section(title="What counts as work", blocks=(threshold,)))
    symbol, tone = ("✕", "bad") if comparison.worse else ("✓", "good")
    name, summary = "remora report --compare", comparison.summary
    return Page(name=name, summary=summary, symbol=symbol, tone=tone, sections=tuple(sections))  # type: ignore[arg-type]


class _State(NamedTuple):
    """How something stands: its rank, the better the greater, in words; what it is, and why it stands so."""

    rank: float
    words: str
    about: str = ""
    reason: str = ""


def _changed(part: str, before: Mapping[str, _State], after: Mapping[str, _State]) -> Iterator[Difference]:
    """Entries that were added (worse, if they are not as they should be), changed rank, or were removed."""
    for name, now in after.items():
        was = before.get(name)
        if was is None:
            bad = now.rank < _RANK["unknown"] + (part in _MARKED)
            yield Difference("worse" if bad else "added", part, name, "", now.words, now.about)
        elif was.rank != now.rank:
            about = "; ".join(filter(None, (now.about, now.reason)))
            yield Difference("worse" if now.rank < was.rank else "better", part, name, was.words, now.words, about)
    for name, was in ((name, state) for name, state in before.items() if name not in after):
        yield Difference("better" if part == _CAUSES else "removed", part, name, was.words, "", was.about)


WORST_FIRST = ("disagreement", "error", "refuted", "unknown", *reversed([*STANDINGS][: [*STANDINGS].index("unknown")]))
_RANK = {word: float(rank) for rank, word in enumerate(WORST_FIRST)}


def _standing(word: str, about: str = "", reason: str = "") -> _State:
    """A standing; one over dense time of what does not carry over is a little better than unknown."""
    return _State(_RANK.get(word, _RANK["unknown"] + 0.5), word, about, reason)


def _mark(right: bool, about: str) -> _State:
    return _State(_RANK["unknown"] + right, "as it should be" if right else "not as it should be", about)


_CAUSES = "cause of failures"
_MARKED = ("false claim", "check", "erratum", "detection", "detector", "stored regression", "campaign", _CAUSES)
"""Parts of which everything is right or wrong."""


def _states(report: Document, both: set[str]) -> Mapping[str, Mapping[str, _State]]:
    """For each part of a report, by name how it stands; obligations are those of the claims of both reports."""
    claims, campaign, verdict = report.claims, report.campaign, report.verdict
    shared = [claim for claim in claims if claim.id in both]
    items = [item for claim in shared for item in claim.obligations]
    regressions = campaign.regressions.failures if campaign and campaign.regressions else ()
    status = _State(-verdict.exit_status, str(verdict.exit_status), verdict.summary)
    return {
        "verdict": {"exit status": status},
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
        _CAUSES: dict(map(_cause, campaign.causes if campaign else ())),
    }


def _share(share: Document) -> _State:
    """A detector is wrong if it failed a case, and not known if it took none."""
    words = f"{share.failures:,} of {share.cases - share.refused:,} cases failed"
    taken = share.refused < share.cases
    return _State(_RANK["unknown"] - 1 if share.failures else _RANK["unknown"] + taken, words)


def _cause(cause: Document) -> tuple[str, _State]:
    by = "" if cause.relation in ("", "meaning") else f" by the relation {cause.relation}"
    state = _State(_RANK["refuted"], f"{cause.cases} cases", f"first in case {cause.first}")
    return f"{cause.detector}: {cause.kind} at {cause.path}{by}", state


def _work(old: Document, new: Document) -> Iterator[Difference]:
    """The work of each engine on each obligation: counts of different engines cannot be compared."""
    before, after = _answers(old), _answers(new)
    for (obligation, engine), (now, text) in after.items():
        was, old_text = before.get((obligation, engine), (now, text))
        if abs(now - was) < LEAST or max(now, was) < RATIO * max(1, min(now, was)):
            continue
        kind: Kind = "more work" if now > was else "less work"
        about = f"{now / max(1, was):.2f} times the work"
        about += "" if text == old_text else "; the obligation itself is another one"
        yield Difference(kind, "obligation", f"{obligation}, {engine}", f"{was:,}", f"{now:,}", about)


def _answers(report: Document) -> dict[tuple[str, str], tuple[int, str]]:
    """By obligation and engine, whose version may have changed: units of work, and what stands for the text."""
    found: dict[tuple[str, str], tuple[int, str]] = {}
    for item in (item for claim in report.claims for item in claim.obligations):
        for answer in item.answers:
            key = item.id, answer.solver.partition(" ")[0]
            found[key] = found.get(key, (0, ""))[0] + answer.rlimit, item.sha256
    return found


def _settings(report: Document) -> dict[str, str]:
    """With what a run was made, and how much it did."""
    machine, campaign = report.environment, report.campaign
    tests = (test for claim in report.claims for test in claim.tests)
    found: dict[str, object] = {"version of Remora": version_of(report.remora, report.code), "seed": report.seed}
    if machine:
        found |= {name: getattr(machine, name) for name in ("python", "platform", "cores", "java")} | machine.packages
    found["random cases per claim"] = next((one.cases for one in tests if one.method != "exhaustive"), 0)
    found["campaign cases"] = campaign.cases if campaign else 0
    return {name: str(value) for name, value in found.items() if value or name == "seed"}
