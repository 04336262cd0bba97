"""Parts of the documentation that are made from the records; `python -m remora.docs` writes them.

A page has a part between `<!-- made: NAME -->` and `<!-- end -->`; a test compares it with what is made.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from importlib import resources
from pathlib import Path

from campaigns.systems import cases_of
from detectors.bry_eckert import catalogue as rules
from detectors.carlson_lisper.catalogue import CATALOGUE
from detectors.hinze_voisard import engine as profiles
from laws.atlas import cells, deciding
from laws.atlas.cells import LAWS, REASONS
from laws.carlson_lisper import claims as catalogue
from laws.claims import Claim, every_claim
from laws.errata import errata_of, wordings_of
from laws.standings import Standing
from laws.theorems import Theorem
from proofs.atlas.proving import WAYS
from proofs.atlas.record import recorded as recorded_atlas
from proofs.hinze_voisard.errata import shown_by
from proofs.proving import kernel_of
from proofs.record import recorded
from reports.report import CONFIRMED, ERRATA
from semantics.atlas.catalogue import CONTEXTS, SETTINGS, Setting
from semantics.carlson_lisper.notation import operator_text, relation_text
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.restriction import REM, SAME_INTERVALS
from semantics.hinze_voisard.literal import PLACES
from semantics.systems import SYSTEMS, systems_in

FOLDER = Path(__file__).parents[2] / "docs"

_PART = re.compile(r"(<!-- made: ([\w ]+) -->)(\s*)(.*?)(<!-- end -->)", re.DOTALL)

Rows = Iterable[Iterable[str]]


def table(headings: Iterable[str], rows: Rows) -> str:
    """A table in Markdown, in whose cells no bar ends the cell and nothing is a link."""
    headings = list(headings)
    lines = ["| " + " | ".join(headings) + " |", "|" + " --- |" * len(headings)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|").replace("](", "]\\(") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _laws() -> Rows:
    for law in catalogue.laws():
        condition = f"If {law.condition}." if law.condition else ""
        yield law.id, f"`{law.statement}`", law.source, " ".join(filter(None, (law.reading, condition, law.note)))


def _brief(claims: Iterable[Claim]) -> Rows:
    for claim in claims:
        condition = f" If {claim.condition}." if claim.condition else ""
        yield claim.id, f"`{claim.statement}`", claim.reading + condition


def _scripts() -> Rows:
    for theorem in catalogue.scripted_theorems():
        parts = {
            "Rests on {}.": ", ".join(theorem.rests_on),
            "Trusted: {}.": "; ".join(theorem.trusts),
            "Not over dense time: {}": theorem.dense,
        }
        induction = [theorem.scheme, *(form.format(said) for form, said in parts.items() if said)]
        words = " ".join(filter(None, (theorem.reading, theorem.note)))
        yield theorem.id, theorem.source, theorem.statement, words, " ".join(induction)


def _operators() -> Rows:
    for one in OPERATORS.values():
        yield f"`A {one.symbol} B`" if one.symbol else "`A[t]`", one.title, f"`{operator_text(one)}`", one.source


def _errata(system: str) -> str:
    """The errata of a system's sources by kind, what was checked and is right, and slips of language."""
    records, slips = errata_of(system), wordings_of(system)
    if system == "hinze_voisard":
        records = tuple(
            replace(
                one,
                place=f"{one.place}, `{one.id}`" if one.id in PLACES else one.place,
                problem=f"{one.problem} Shown: {'. '.join(map(shown_by, one.evidence))}.",
            )
            for one in records
        )
    confirmed = sum(erratum.kind == CONFIRMED for erratum in records)
    parts = [f"{len(records) - confirmed} errata, and {confirmed} statements that were in doubt and are right."]
    for kind, meaning in ERRATA.items():
        rows = [(e.place, e.printed, e.problem, e.reading or "as printed") for e in records if e.kind == kind]
        if rows:
            doubt = "what was in doubt" if kind == CONFIRMED else "what is wrong"
            shown = table(("place", "printed", doubt, "reading"), rows)
            parts += [f"### {kind.capitalize()} ({len(rows)})", meaning, shown]
    if slips:
        shown = table(("place", "printed", "reading"), ((s.place, s.printed, s.reading) for s in slips))
        parts += [f"### Wording ({len(slips)})", "Slips of language and of type, which change nothing.", shown]
    return "\n\n".join(parts)


def _formats() -> str:
    text = resources.files("reports").joinpath("formats.md").read_text("utf-8")
    return re.sub(r"(?m)^(#+ )", r"#\1", text.partition("\n")[2]).strip()


_WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))

_BY_CODE = (*(f"lemma:5.{number}" for number in range(2, 8)), "lemma:6.1", "theorem:6.1", "figure:5")
"""The claims about functions that run, which are translated for arbitrary values."""


def _proved() -> Rows:
    groups: dict[str, list[Claim]] = {}
    for claim in every_claim():
        starts = (start for start in _WORDS["groups"] if claim.id.startswith((f"{start}:", f"{start}.", f"{start}/")))
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
            _WORDS["groups"].get(group, claims[0].reading) + code,
            f"{whole} + {dense}" if dense else f"{whole or ''}",
            ", ".join(sorted(standings, reverse=True)),
        )


def _accepted() -> str:
    counts = Counter(who for row in recorded().values() for who in row["accepted"])
    return "\n".join(f"- {who}: {number} of them." for who, number in counts.items())


def _trusted() -> str:
    """Trusted parts of proofs, once each, with the claims."""
    claims: dict[str, list[str]] = {}
    for claim in every_claim():
        for text in claim.trusts if isinstance(claim, Theorem) else ():
            claims.setdefault(text, []).append(f"`{claim.id}`")
    return "\n".join(f"- {', '.join(names)}: {text.rstrip('.')}." for text, names in claims.items())


def _tested() -> Rows:
    for one in CATALOGUE.values():
        reports = "whole instances" if one.reports == "instances" else "starts and ends"
        standing = one.proved or ("validated per pattern, instant by instant" if one.validated else "tested only")
        yield f"`{one.name}`", reports, one.about, standing, one.memory, one.purpose


def _judged() -> Rows:
    engines = {"carlson_lisper": CATALOGUE, "bry_eckert": rules.ENGINES, "hinze_voisard": profiles.ENGINES}
    for name, known in engines.items():
        names = ", ".join(f"`{one}`" for one in known if not one.endswith(":as-printed"))
        yield SYSTEMS[name].title, names, str(len(cases_of(name).telling()))


_OPERATORS = {"seq": "`a ; b`", "con": "`a + b`"}


def _told(one: deciding.Likeness, decided: str) -> str:
    if one.trace is not None:
        return deciding.shown_trace(one.trace)
    return decided if one.decided else f"{decided}?"


def _short(setting: Setting) -> str:
    return setting.name.removeprefix("hv-").removesuffix("-points-filter")


def _rosetta() -> Rows:
    for operator, shown in _OPERATORS.items():
        for setting in deciding.OF_LISTS:
            alike = (deciding.likeness(operator, setting, name) for name in CONTEXTS)
            name, consumption = _short(setting), setting.dimensions["consumption"]
            yield shown, name, _WORDS["uniqueness"][consumption], *(_told(one, "**the same**") for one in alike)


def _early() -> Rows:
    for setting in deciding.OF_LISTS:
        yield _short(setting), *(_told(deciding.withdrawal(operator, setting), "never") for operator in _OPERATORS)


def _classes() -> Rows:
    return ((str(len(names)), ", ".join(names)) for names in deciding.classes(recorded_atlas()) if len(names) > 1)


def _counts() -> str:
    counts = Counter[str](cell.standing for cell in recorded_atlas().values())
    return ", ".join(f"{counts[word]:,} {word}" for word in ("proved", "decided", "refuted", "tested"))


def _ties() -> str:
    by_ties = sum(cell.by_ties for cell in recorded_atlas().values())
    return f"{by_ties or 'no'} cell{'s are' if by_ties > 1 else ' is'}"


def _bounds() -> str:
    return "; ".join(
        f"{events} events within {ticks} ticks for {types} event type{'' if types == 1 else 's'}"
        for types, (events, ticks) in cells.MOST.items()
    )


_CLAIM = ("claim", "statement", "in words")

_TABLES: Mapping[str, tuple[tuple[str, ...], Callable[[], Rows]]] = {
    "operators": (("written", "name", "meaning", "source"), _operators),
    "laws": (("law", "statement", "source", "in words"), _laws),
    "theorems": (_CLAIM, lambda: _brief(catalogue.theorems())),
    "scripts": (("id", "source", "statement", "in words", "scheme"), _scripts),
    "own": (_CLAIM, lambda: _brief(catalogue.own())),
    "discovered": (_CLAIM, lambda: _brief(catalogue.discovered())),
    "canaries": (("canary", "statement", "why it is false"), lambda: _brief(catalogue.canaries())),
    "judged": (("system", "detectors and engines", "wrong ones that are found"), _judged),
    "proved": (("claim", "in words", "questions", "standing"), _proved),
    "tested": (
        ("detector", "reports", "what it is", "steps that are proved", "memory is bounded by", "is there as"),
        _tested,
    ),
    "atlas classes": (("systems", "which"), _classes),
    "atlas implications": (("where this stands", "so does this"), lambda: deciding.implications(recorded_atlas())),
    "atlas rosetta": (("operator", "setting", "in the source", *CONTEXTS), _rosetta),
    "atlas early": (("setting", *_OPERATORS.values()), _early),
}
"""Parts that are tables, by name: their headings and rows."""

_TEXTS: Mapping[str, Callable[[], str]] = {
    "rem source": lambda: REM.source,
    "rem": lambda: f"```\n{relation_text(REM)}\n```",
    "same source": lambda: SAME_INTERVALS.source,
    "same": lambda: f"```\n{relation_text(SAME_INTERVALS).partition(chr(10))[2].rstrip()}\n```",
    **{f"errata {system}": partial(_errata, system) for system in SYSTEMS},
    "formats": _formats,
    "questions": lambda: str(len(recorded())),
    "certificates": lambda: str(sum(bool(row["certificate"]) for row in recorded().values())),
    "accepted": _accepted,
    "trusted": _trusted,
    "atlas systems": lambda: str(len(SETTINGS)),
    "atlas laws": lambda: str(len(LAWS)),
    "atlas counts": _counts,
    "atlas contexts": lambda: ", ".join(CONTEXTS),
    **{f"atlas {why}": partial(REASONS.__getitem__, why) for why in REASONS},
    "atlas proved": lambda: "; or ".join(REASONS[why] for why in WAYS),
    "atlas bounds": _bounds,
    "atlas longer": lambda: f"{cells.LONGER:,}",
    "atlas in_turn": lambda: str(cells.MOST_IN_TURN),
    "atlas ties": _ties,
    "atlas kinds": lambda: str(len(deciding.classes(recorded_atlas()))),
}
"""Parts that are texts, by name."""


def refreshed(text: str) -> str:
    """A page with its parts as the records have them."""

    def made(found: re.Match[str]) -> str:
        headings, rows = _TABLES.get(found[2], ((), tuple))
        part = table(headings, rows()) if headings else _TEXTS[found[2]]()
        return f"{found[1]}\n\n{part}\n\n{found[5]}" if "\n" in found[3] else f"{found[1]}{part}{found[5]}"

    return _PART.sub(made, text)
