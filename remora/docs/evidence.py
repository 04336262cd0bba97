"""Parts of the page about proofs that are made from the records: what is proved, tested and trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from campaigns.systems import cases_of
from detectors.bry_eckert import catalogue as rules
from detectors.carlson_lisper.catalogue import CATALOGUE
from detectors.hinze_voisard import engine as profiles
from laws.claims import Claim
from laws.standings import Standing
from laws.systems import every_claim
from laws.theorems import Theorem
from proofs.record import recorded
from proofs.systems import kernel_of
from remora.docs.tables import table
from semantics.systems import SYSTEMS

_GROUPS: Mapping[str, str] = {
    "law": "The laws of Theorems 4.2 to 4.4 and their corollaries.",
    "theorem:4.6": "Each operator's operands may be restricted early.",
    "detection": "Equations of detections that the source does not state.",
    "primitive": "An equation that holds for event types.",
    "relation": "What follows from the definitions of rem, ≅, `~=` and valid.",
    "rules:preservation": "Every operator preserves time: all answers until now need the inputs until now alone.",
    "rules:differencing": "The equations of finite differencing find each answer once, when its last part comes.",
    "rules:streaming": "What a streaming join does not store joins nothing later.",
    "rules:suppression": "What a suppressing join does not evaluate joins nothing now.",
    "rules:distances": "Every tuple obeys the temporal distances of its expression.",
    "rules:relevance": "No answer needs a tuple that is irrelevant; minimal conditions give up what maximal ones do.",
    "rules:rewriting": "The rewritings of the planner keep the tuples.",
    "rules:algebra": "Which laws shortest paths need hold for marked durations.",
    "rules:theorem": "The inductions over expressions that rest on these steps.",
}
"""Rows of the table: the claims whose ids begin like this, with what they say."""

_EVALUATORS: Mapping[str, Collection[str]] = {
    "carlson_lisper": CATALOGUE,
    "bry_eckert": rules.ENGINES,
    "hinze_voisard": profiles.ENGINES,
}
"""By system the detectors and engines that are compared with the meaning."""

_BY_CODE = (*(f"lemma:5.{number}" for number in range(2, 8)), "lemma:6.1", "theorem:6.1", "figure:5")
"""The claims about functions that run, which are translated for arbitrary values."""


@cache
def _rows() -> Mapping[str, Mapping[str, Any]]:
    return recorded()


def _group_of(claim: Claim) -> str:
    return next((start for start in _GROUPS if claim.id.startswith((f"{start}:", f"{start}.", f"{start}/"))), claim.id)


def _groups() -> Mapping[str, Sequence[Claim]]:
    found: dict[str, list[Claim]] = {}
    for claim in every_claim():
        found.setdefault(_group_of(claim), []).append(claim)
    return found


@cache
def _kernel(system: str) -> Mapping[str, str]:
    return kernel_of(system)


def _standing(claims: Sequence[Claim], rows: Sequence[Mapping[str, Any]]) -> str:
    standings = {str(row["standing"]) for row in rows} - {Standing.COMPUTED.value}
    if all(claim.id in _kernel(claim.system) for claim in claims):
        standings.add(Standing.KERNEL_CHECKED.value)
    return ", ".join(sorted(standings, reverse=True))


def _proved() -> Iterator[tuple[str, ...]]:
    for group, claims in _groups().items():
        ids = {claim.id for claim in claims}
        rows = [row for row in _rows().values() if row["claim"] in ids]
        name = " … ".join(dict.fromkeys((claims[0].id, claims[-1].id)))
        words = _GROUPS.get(group, claims[0].reading)
        code = " Proved about the code that runs." if group.startswith(_BY_CODE) else ""
        whole, dense = (sum(row["time"] == time for row in rows) for time in ("int", "real"))
        yield f"`{name}`", words + code, f"{whole} + {dense}" if dense else f"{whole or ''}", _standing(claims, rows)


def _accepted(rows: Iterable[Mapping[str, Any]]) -> str:
    """How many of the record's certificates each checker has accepted."""
    counts = Counter(who for row in rows for who in row["accepted"])
    return "\n".join(f"- {who}: {number} of them." for who, number in counts.items())


def _trusted() -> Iterator[str]:
    """Trusted parts of proofs, once each, with the claims."""
    claims: dict[str, list[str]] = {}
    for claim in every_claim():
        for text in claim.trusts if isinstance(claim, Theorem) else ():
            claims.setdefault(text, []).append(f"`{claim.id}`")
    return (f"- {', '.join(names)}: {text.rstrip('.')}." for text, names in claims.items())


def _tested() -> Iterator[tuple[str, ...]]:
    for one in CATALOGUE.values():
        reports = "whole instances" if one.reports == "instances" else "starts and ends"
        standing = one.proved or ("validated per pattern, instant by instant" if one.validated else "tested only")
        yield f"`{one.name}`", reports, one.about, standing, one.memory, one.purpose


def _judged() -> Iterator[tuple[str, ...]]:
    for name, known in _EVALUATORS.items():
        names = ", ".join(f"`{one}`" for one in known if not one.endswith(":as-printed"))
        yield SYSTEMS[name].title, names, str(len(cases_of(name).telling()))


def _counted(column: str) -> str:
    return str(sum(bool(row[column]) for row in _rows().values()))


_DETECTORS = ("detector", "reports", "what it is", "steps that are proved", "memory is bounded by", "is there as")

PARTS: Mapping[str, Callable[[], str]] = {
    "questions": lambda: str(len(_rows())),
    "certificates": lambda: _counted("certificate"),
    "accepted": lambda: _accepted(_rows().values()),
    "judged": lambda: table(("system", "detectors and engines", "wrong ones that are found"), _judged()),
    "proved": lambda: table(("claim", "in words", "questions", "standing"), _proved()),
    "trusted": lambda: "\n".join(_trusted()),
    "tested": lambda: table(_DETECTORS, _tested()),
}
"""Parts of the page about proofs, by name."""
