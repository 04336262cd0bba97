"""The page of the documentation that says what is proved, what is tested and what is neither, made from the records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from campaigns.systems import cases_of
from detectors.bry_eckert import catalogue as rules
from detectors.carlson_lisper.catalogue import CATALOGUE
from detectors.hinze_voisard import catalogue as profiles
from laws.claims import Claim
from laws.systems import every_claim
from laws.theorems import Theorem
from proofs.acceptance import accepted
from proofs.record import recorded
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
"""What is one row of the table: the claims whose ids begin like this, with what they say."""

_EVALUATORS: Mapping[str, Collection[str]] = {
    "carlson_lisper": CATALOGUE,
    "bry_eckert": rules.ENGINES,
    "hinze_voisard": profiles.ENGINES,
}
"""By system the detectors and engines that are compared with the meaning."""

_BY_CODE = (*(f"lemma:5.{number}" for number in range(2, 8)), "lemma:6.1", "recent:")
"""The claims about functions that run, which are executed on symbolic values."""


@cache
def _rows_of(claim: str) -> tuple[Mapping[str, Any], ...]:
    return tuple(row for row in recorded().values() if row["claim"] == claim)


def _group_of(claim: Claim) -> str:
    return next(
        (start for start in _GROUPS if claim.id.startswith((f"{start}:", f"{start}.", f"{start}/"))), claim.id
    )


def _groups() -> Mapping[str, Sequence[Claim]]:
    found: dict[str, list[Claim]] = {}
    for claim in every_claim():
        found.setdefault(_group_of(claim), []).append(claim)
    return found


def _standing(rows: Sequence[Mapping[str, Any]]) -> str:
    standings = sorted({str(row["standing"]) for row in rows})
    return ", ".join(standings) or "not recorded"


def _proved() -> Iterator[tuple[str, ...]]:
    for group, claims in _groups().items():
        rows = [row for claim in claims for row in _rows_of(claim.id)]
        name = " … ".join(dict.fromkeys((claims[0].id, claims[-1].id)))
        words = _GROUPS.get(group, claims[0].reading)
        code = " Proved about the code that runs." if group.startswith(_BY_CODE) else ""
        whole, dense = (sum(row["time"] == time for row in rows) for time in ("int", "real"))
        yield f"`{name}`", words + code, f"{whole} + {dense}" if dense else f"{whole}", _standing(rows)


def _accepted(rows: Iterable[Mapping[str, Any]]) -> str:
    """How many of the record's certificates each checker has accepted."""
    known = accepted()
    counts = Counter(who for row in rows for who in known.of(row["certificate"]))
    return "\n".join(f"- {who}: {number} of them." for who, number in counts.items())


def _trusted() -> Iterator[str]:
    """What proofs rest on besides, once each, with the claims."""
    claims: dict[str, list[str]] = {}
    for claim in every_claim():
        for text in claim.trusts if isinstance(claim, Theorem) else ():
            claims.setdefault(text, []).append(f"`{claim.id}`")
    return (f"- {', '.join(names)}: {text.rstrip('.')}." for text, names in claims.items())


def _tested() -> Iterator[tuple[str, ...]]:
    for one in CATALOGUE.values():
        reports = "whole instances" if one.reports == "instances" else "starts and ends"
        standing = one.proved or (
            "validated per pattern, instant by instant" if one.validated else "tested only"
        )
        yield f"`{one.name}`", reports, one.about, standing, one.memory, one.purpose


def _judged() -> Iterator[tuple[str, ...]]:
    for name, known in _EVALUATORS.items():
        names = ", ".join(f"`{one}`" for one in known if not one.endswith(":as-printed"))
        yield SYSTEMS[name].title, names, str(len(cases_of(name).telling()))


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(headings) + " |"
    yield "|" + " --- |" * len(headings)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def evidence_page() -> str:
    """What is proved, tested, trusted and neither."""
    rows = recorded().values()
    certificates = sum(bool(row["certificate"]) for row in rows)
    return _PAGE.format(
        questions=len(rows),
        certificates=certificates,
        accepted=_accepted(rows),
        judged="\n".join(_table(_JUDGED, _judged())),
        proved="\n".join(_table(_CLAIMS, _proved())),
        trusted="\n".join(_trusted()),
        tested="\n".join(_table(_DETECTORS, _tested())),
    )


_CLAIMS = ("claim", "in words", "questions", "standing")
_JUDGED = ("system", "detectors and engines", "wrong ones that are found")
_DETECTORS = (
    "detector",
    "reports",
    "what it is",
    "steps that are proved",
    "memory is bounded by",
    "is there as",
)

_PAGE = """\
<!-- Generated by `make docs` from the catalogue and the record of proofs; edit those, not this page. -->

# What is proved, what is tested, what is neither

*Proved* means: for all event streams, of any length, with any number of instances and any values. *Tested* means: on
finitely many cases, whose number and bound are said wherever a result is shown. *Trusted* means: argued in words that
no solver has seen. [Proofs](proofs.md) says how each of these comes about.

## Proved

The record has {questions} questions that were put to two solvers. `remora prove --replay` puts them again. Those over
whole ticks are counted first, then those over dense time. Where there is one number, the claim is about ticks alone.

{proved}
{certificates} of the questions have a certificate. Independent checkers accepted of them:

{accepted}

`certified` is only what is put to a checker in the same run; [Proofs](proofs.md#certificates) says how.

## Trusted

That the questions of a theorem together make the theorem is an argument in words, its *scheme*, in
[the algebra](algebra.md#theorems-with-proof-scripts). Besides, these are believed:

{trusted}

That the relevance conditions of a program's plan are safe, tight and minimal is proved neither once for all nor by two
solvers: Z3 decides it for the plan at hand, and the histories that it gives are replayed
([Rules](rules.md#what-is-forgotten-and-when)). In which settings of profiles which law holds is
[the atlas](atlas.md), whose cells say how they are known.

[Proofs](proofs.md#what-is-proved-tested-and-trusted) has what all proofs have in common: the assumptions about
instances, symbolic execution, the solvers.

## Tested

Each detector is compared with the definition on random cases, in `make test`, in `remora verify` and in campaigns. The
cases are believed because they find all detectors that are wrong on purpose.

{judged}
Those of the first system, one by one:

{tested}
Tested as well, within bounds that are said where a result is shown:

- the laws, on all small streams and on random ones, by the executable definition without a solver;
- that the definition on instances, the definition on intervals, and the automata agree;
- what `remora equiv` decides, against the definition on random traces. A trace that tells two patterns apart is
  replayed each time; that two patterns are equivalent rests on the automata;
- that killed campaigns and streams have the rows of undisturbed ones;
- the commands and scripts on these pages. What is not run says why in a comment above it.

## Neither

- The solvers, Python, NumPy, Numba, Spark and the operating system are believed.
- That generated and compiled code does what the steps do is tested on random patterns, not proved.
- How long something takes is measured, never asserted.
- YARN and Kubernetes have not been tried; standalone clusters and Spark Connect have.
"""
