"""What changed in the proof side of a report: standings, work, and what is simply right or wrong."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any

from reports.changes import Difference, Kind, by_id, pairs

# ---------------------------------------------------------------------------------------------------------- standings

WORST_FIRST = ("disagreement", "error", "refuted", "unknown", "tested", "proved", "agreed", "certified")
"""The standings, the worst one first."""

_RANK: Mapping[str, int] = {word: rank for rank, word in enumerate(WORST_FIRST)}


def verdicts(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    """How the runs as a whole ended."""
    before, after = ((report.get("verdict") or {}) for report in (old, new))
    was, now = before.get("exit_status"), after.get("exit_status")
    if was != now and was is not None and now is not None:
        kind: Kind = "worse" if was == 0 else "better" if now == 0 else "worse" if now > was else "better"
        about = str(after.get("summary") or "")
        yield Difference(kind, "verdict", "exit status", str(was), str(now), about)


def standings(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    """Claims, over integer and dense time, and their obligations."""
    yield from _by_standing("claim", old.get("claims"), new.get("claims"), "standing")
    yield from _by_standing("claim over dense time", old.get("claims"), new.get("claims"), "dense_time")
    # The obligations of a claim that was added or removed come and go with it.
    both = by_id(old.get("claims")).keys() & by_id(new.get("claims")).keys()
    yield from _by_standing("obligation", _obligations(old, both), _obligations(new, both), "standing")


def _obligations(report: Mapping[str, Any], claims: Container[str]) -> list[Mapping[str, Any]]:
    return [
        item
        for claim in report.get("claims") or ()
        if str(claim.get("id")) in claims
        for item in claim.get("obligations") or ()
    ]


def _by_standing(
    part: str, old: Iterable[Mapping[str, Any]] | None, new: Iterable[Mapping[str, Any]] | None, key: str
) -> Iterator[Difference]:
    before, after = by_id(old), by_id(new)
    for name, was, now in pairs(before, after):
        about = str((now or was or {}).get("statement") or "")
        if now is None and was is not None:
            if part != "claim over dense time":
                yield Difference("removed", part, name, str(was.get(key)), "", about)
        elif was is None and now is not None:
            if part != "claim over dense time":
                kind: Kind = "worse" if _is_bad(now.get(key)) else "added"
                yield Difference(kind, part, name, "", str(now.get(key)), about)
        elif was is not None and now is not None and was.get(key) != now.get(key):
            kind = "worse" if _rank(now.get(key)) < _rank(was.get(key)) else "better"
            yield Difference(kind, part, name, str(was.get(key)), str(now.get(key)), _why(now, about))


def _why(record: Mapping[str, Any], about: str) -> str:
    return "; ".join(text for text in (about, str(record.get("reason") or "")) if text)


def _rank(word: object) -> int:
    """The place of a standing among all, the worst one first; a word that is none is like unknown."""
    return _RANK.get(str(word), _RANK["unknown"])


def _is_bad(word: object) -> bool:
    return str(word) in ("refuted", "disagreement", "error")


# --------------------------------------------------------------------------------------------------------------- work


def work(old: Mapping[str, Any], new: Mapping[str, Any], ratio: float, least: int) -> Iterator[Difference]:
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


def _answers(report: Mapping[str, Any]) -> dict[tuple[str, str], tuple[int, object]]:
    """By obligation and engine, whose version may have changed: units of work, and what stands for the text."""
    found: dict[tuple[str, str], tuple[int, object]] = {}
    for item in (item for claim in report.get("claims") or () for item in claim.get("obligations") or ()):
        for answer in item.get("answers") or (item,):
            units, engine = answer.get("rlimit"), str(answer.get("solver") or "").partition(" ")[0]
            if isinstance(units, int) and engine:
                key = str(item.get("id")), engine
                found[key] = found.get(key, (0, None))[0] + units, item.get("sha256")
    return found


# ------------------------------------------------------------------------------------------- what passes or not


def marks(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    """Everything that is right or wrong, without standings between."""
    sections: tuple[tuple[str, str, str, Callable[[Mapping[str, Any]], str]], ...] = (
        ("canaries", "false claim", "ok", lambda row: str(row.get("statement") or "")),
        ("checks", "check", "ok", lambda row: str(row.get("what") or "")),
        ("errata", "erratum", "as_claimed", lambda row: str(row.get("place") or "")),
    )
    for section, part, key, about in sections:
        before, after = by_id(old.get(section)), by_id(new.get(section))
        yield from _by_mark(part, before, after, key, about)
    yield from _by_mark(
        "detection",
        {f"{row.get('expression')} on {row.get('trace')}": row for row in old.get("detection") or ()},
        {f"{row.get('expression')} on {row.get('trace')}": row for row in new.get("detection") or ()},
        "agree",
        lambda row: str(row.get("detector") or ""),
    )
    survivors = [set((report.get("power") or {}).get("survivors") or ()) for report in (old, new)]
    for name in sorted(survivors[0] ^ survivors[1]):
        if f"mutant:{name}" in {str(row.get("id")) for row in new.get("checks") or ()}:
            continue  # said already
        kind: Kind = "worse" if name in survivors[1] else "better"
        words = ("found", "not found") if name in survivors[1] else ("not found", "found")
        yield Difference(kind, "mutant", name, *words)


def _by_mark(
    part: str,
    before: Mapping[str, Mapping[str, Any]],
    after: Mapping[str, Mapping[str, Any]],
    key: str,
    about: Callable[[Mapping[str, Any]], str],
) -> Iterator[Difference]:
    words = {True: "as it should be", False: "not as it should be"}
    for name, was, now in pairs(before, after):
        if now is None and was is not None:
            yield Difference("removed", part, name, words[bool(was.get(key))], "", about(was))
        elif was is None and now is not None:
            kind: Kind = "added" if now.get(key) else "worse"
            yield Difference(kind, part, name, "", words[bool(now.get(key))], about(now))
        elif was is not None and now is not None and bool(was.get(key)) != bool(now.get(key)):
            kind = "better" if now.get(key) else "worse"
            old_word, new_word = words[bool(was.get(key))], words[bool(now.get(key))]
            yield Difference(kind, part, name, old_word, new_word, about(now))
