"""Parts of pages that are made from the records: what is proved, tested, trusted, and what holds in which algebra."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from campaigns.systems import cases_of
from detectors.bry_eckert import catalogue as rules
from detectors.carlson_lisper.catalogue import CATALOGUE
from detectors.hinze_voisard import engine as profiles
from laws.atlas.cells import LAWS, LONGER, MOST, MOST_IN_TURN, REASONS
from laws.atlas.deciding import OF_LISTS, Likeness, classes, implications, likeness, shown_trace, withdrawal
from laws.claims import Claim
from laws.standings import Standing
from laws.systems import every_claim
from laws.theorems import Theorem
from proofs.atlas.proving import WAYS
from proofs.atlas.record import recorded as recorded_atlas
from proofs.proving import kernel_of
from proofs.record import recorded
from semantics.atlas.catalogue import CONTEXTS, SETTINGS, Setting
from semantics.systems import SYSTEMS, systems_in


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown, in whose cells no bar ends the cell and nothing is a link."""
    headings = list(headings)
    lines = ["| " + " | ".join(headings) + " |", "|" + " --- |" * len(headings)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|").replace("](", "]\\(") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


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


def _proved() -> Iterator[tuple[str, ...]]:
    groups: dict[str, list[Claim]] = {}
    for claim in every_claim():
        starts = (start for start in _GROUPS if claim.id.startswith((f"{start}:", f"{start}.", f"{start}/")))
        groups.setdefault(next(starts, claim.id), []).append(claim)
    kernel = {claim for system in systems_in("proofs") for claim in kernel_of(system)}
    for group, claims in groups.items():
        ids = {claim.id for claim in claims}
        rows = [row for row in recorded().values() if row["claim"] in ids]
        code = " Proved about the code that runs." if group.startswith(_BY_CODE) else ""
        whole, dense = (sum(row["time"] == time for row in rows) for time in ("int", "real"))
        standings = {str(row["standing"]) for row in rows} - {Standing.COMPUTED.value}
        standings |= {Standing.KERNEL_CHECKED.value} if ids <= kernel else set()
        yield (
            f"`{' … '.join(dict.fromkeys((claims[0].id, claims[-1].id)))}`",
            _GROUPS.get(group, claims[0].reading) + code,
            f"{whole} + {dense}" if dense else f"{whole or ''}",
            ", ".join(sorted(standings, reverse=True)),
        )


def _accepted() -> str:
    """How many of the record's certificates each checker has accepted."""
    counts = Counter(who for row in recorded().values() for who in row["accepted"])
    return "\n".join(f"- {who}: {number} of them." for who, number in counts.items())


def _trusted() -> str:
    """Trusted parts of proofs, once each, with the claims."""
    claims: dict[str, list[str]] = {}
    for claim in every_claim():
        for text in claim.trusts if isinstance(claim, Theorem) else ():
            claims.setdefault(text, []).append(f"`{claim.id}`")
    return "\n".join(f"- {', '.join(names)}: {text.rstrip('.')}." for text, names in claims.items())


def _tested() -> Iterator[tuple[str, ...]]:
    for one in CATALOGUE.values():
        reports = "whole instances" if one.reports == "instances" else "starts and ends"
        standing = one.proved or ("validated per pattern, instant by instant" if one.validated else "tested only")
        yield f"`{one.name}`", reports, one.about, standing, one.memory, one.purpose


def _judged() -> Iterator[tuple[str, ...]]:
    for name, known in _EVALUATORS.items():
        names = ", ".join(f"`{one}`" for one in known if not one.endswith(":as-printed"))
        yield SYSTEMS[name].title, names, str(len(cases_of(name).telling()))


_OPERATORS = {"seq": "`a ; b`", "con": "`a + b`"}


def _told(one: Likeness, decided: str) -> str:
    if one.trace is not None:
        return shown_trace(one.trace)
    return decided if one.decided else f"{decided}?"


def _short(setting: Setting) -> str:
    return setting.name.removeprefix("hv-").removesuffix("-points-filter")


def _rosetta() -> Iterator[tuple[str, ...]]:
    return (
        (shown, _short(setting), *(_told(likeness(operator, setting, name), "**the same**") for name in CONTEXTS))
        for operator, shown in _OPERATORS.items()
        for setting in OF_LISTS
    )


def _early() -> Iterator[tuple[str, ...]]:
    return (
        (_short(setting), *(_told(withdrawal(operator, setting), "never") for operator in _OPERATORS))
        for setting in OF_LISTS
    )


def _classes() -> Sequence[Sequence[str]]:
    return classes(recorded_atlas())


def _counts() -> str:
    counts = Counter[str](cell.standing for cell in recorded_atlas().values())
    return ", ".join(f"{counts[word]:,} {word}" for word in ("proved", "decided", "refuted", "tested"))


def _ties() -> str:
    by_ties = sum(cell.by_ties for cell in recorded_atlas().values())
    return f"{by_ties or 'no'} cell{'s are' if by_ties > 1 else ' is'}"


def _bounds() -> str:
    return "; ".join(
        f"{events} events within {ticks} ticks for {types} event type{'' if types == 1 else 's'}"
        for types, (events, ticks) in MOST.items()
    )


_DETECTORS = ("detector", "reports", "what it is", "steps that are proved", "memory is bounded by", "is there as")

PARTS: Mapping[str, Callable[[], str]] = {
    "questions": lambda: str(len(recorded())),
    "certificates": lambda: str(sum(bool(row["certificate"]) for row in recorded().values())),
    "accepted": _accepted,
    "judged": lambda: table(("system", "detectors and engines", "wrong ones that are found"), _judged()),
    "proved": lambda: table(("claim", "in words", "questions", "standing"), _proved()),
    "trusted": _trusted,
    "tested": lambda: table(_DETECTORS, _tested()),
    "atlas systems": lambda: str(len(SETTINGS)),
    "atlas laws": lambda: str(len(LAWS)),
    "atlas counts": _counts,
    "atlas contexts": lambda: ", ".join(CONTEXTS),
    "atlas common": lambda: REASONS["common operators"],
    "atlas same": lambda: REASONS["operators of the first system"],
    "atlas solvers": lambda: "; or ".join(REASONS[why] for why in WAYS),
    "atlas automata": lambda: REASONS["automata"],
    "atlas unbounded": lambda: REASONS["no bounds"],
    "atlas counting": lambda: REASONS["counting"],
    "atlas bounds": _bounds,
    "atlas longer": lambda: f"{LONGER:,}",
    "atlas in_turn": lambda: str(MOST_IN_TURN),
    "atlas ties": _ties,
    "atlas kinds": lambda: str(len(_classes())),
    "atlas classes": lambda: table(
        ("systems", "which"), ((str(len(names)), ", ".join(names)) for names in _classes() if len(names) > 1)
    ),
    "atlas implications": lambda: table(("where this stands", "so does this"), implications(recorded_atlas())),
    "atlas rosetta": lambda: table(("operator", "setting", *CONTEXTS), _rosetta()),
    "atlas early": lambda: table(("setting", *_OPERATORS.values()), _early()),
}
"""Parts of pages by name."""
