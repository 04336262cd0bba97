"""Writes the parts of the documentation that are made from the records: `python -m remora.docs [FOLDER]`.

A page has a part between `<!-- made: NAME -->` and `<!-- end -->`. It is made of the records that are executed, proved
and tested. A test compares the committed pages with what is made.
"""

import argparse
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib import resources
from pathlib import Path

from laws.carlson_lisper.claims import Claim, EquationClaim, canaries, laws, own, scripted_theorems, theorems
from laws.errata import errata_of, wordings_of
from laws.theorems import Theorem
from proofs.hinze_voisard.errata import shown_by
from remora.docs import evidence
from remora.docs.evidence import table
from reports.report import CONFIRMED, ERRATA
from semantics.atomic_files import write_text
from semantics.carlson_lisper.notation import operator_text, relation_text
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.restriction import REM, SAME_INTERVALS
from semantics.hinze_voisard.literal import PLACES
from semantics.systems import SYSTEMS

FOLDER = Path(__file__).parents[2] / "docs"

_PART = re.compile(r"(<!-- made: ([\w ]+) -->)(\s*)(.*?)(<!-- end -->)", re.DOTALL)


def _law_row(law: EquationClaim) -> tuple[str, ...]:
    condition = f"If {law.condition}." if law.condition else ""
    return law.id, f"`{law.statement}`", law.source, " ".join(filter(None, (law.reading, condition, law.note)))


def _brief_row(claim: Claim) -> tuple[str, ...]:
    condition = f" If {claim.condition}." if claim.condition else ""
    return claim.id, f"`{claim.statement}`", claim.reading + condition


def _theorem_row(theorem: Theorem) -> tuple[str, ...]:
    parts = {
        "Rests on {}.": ", ".join(theorem.rests_on),
        "Trusted: {}.": "; ".join(theorem.trusts),
        "Not over dense time: {}": theorem.dense,
    }
    induction = [theorem.scheme, *(form.format(said) for form, said in parts.items() if said)]
    words = " ".join(filter(None, (theorem.reading, theorem.note)))
    return theorem.id, theorem.source, theorem.statement, words, " ".join(induction)


def _operators() -> str:
    rows = (
        (f"`A {d.symbol} B`" if d.symbol else "`A[t]`", d.title, f"`{operator_text(d)}`", d.source)
        for d in OPERATORS.values()
    )
    return table(("written", "name", "meaning", "source"), rows)


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
        found = [erratum for erratum in records if erratum.kind == kind]
        if found:
            doubt = "what was in doubt" if kind == CONFIRMED else "what is wrong"
            rows = table(
                ("place", "printed", doubt, "reading"),
                ((e.place, e.printed, e.problem, e.reading or "as printed") for e in found),
            )
            parts += [f"### {kind.capitalize()} ({len(found)})", meaning, rows]
    if slips:
        rows = table(("place", "printed", "reading"), ((s.place, s.printed, s.reading) for s in slips))
        parts += [f"### Wording ({len(slips)})", "Slips of language and of type, which change nothing.", rows]
    return "\n\n".join(parts)


def _formats() -> str:
    """The file that declares the documents, as a part of a page."""
    text = resources.files("reports").joinpath("formats.md").read_text("utf-8")
    return re.sub(r"(?m)^(#+ )", r"#\1", text.partition("\n")[2]).strip()


_CLAIM = ("claim", "statement", "in words")

PARTS: Mapping[str, Callable[[], str]] = {
    "operators": _operators,
    "rem source": lambda: REM.source,
    "rem": lambda: f"```\n{relation_text(REM)}\n```",
    "same source": lambda: SAME_INTERVALS.source,
    "same": lambda: f"```\n{relation_text(SAME_INTERVALS).partition(chr(10))[2].rstrip()}\n```",
    "laws": lambda: table(("law", "statement", "source", "in words"), map(_law_row, laws())),
    "theorems": lambda: table(_CLAIM, map(_brief_row, theorems())),
    "scripts": lambda: table(
        ("id", "source", "statement", "in words", "scheme"), map(_theorem_row, scripted_theorems())
    ),
    "own": lambda: table(_CLAIM, map(_brief_row, own())),
    "canaries": lambda: table(("canary", "statement", "why it is false"), map(_brief_row, canaries())),
    **{f"errata {system}": partial(_errata, system) for system in SYSTEMS},
    **evidence.PARTS,
    "formats": _formats,
}
"""The parts of pages that are made, by name."""


def refreshed(text: str) -> str:
    """A page with its parts as the records have them."""

    def made(found: re.Match[str]) -> str:
        part = PARTS[found[2]]()
        return f"{found[1]}\n\n{part}\n\n{found[5]}" if "\n" in found[3] else f"{found[1]}{part}{found[5]}"

    return _PART.sub(made, text)


def main(arguments: list[str]) -> int:
    """Write the parts into the pages of a folder, by default that of the documentation."""
    parser = argparse.ArgumentParser(prog="python -m remora.docs", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="where the pages are")
    folder: Path = parser.parse_args(arguments).folder
    for page in sorted(folder.glob("*.md")):
        write_text(page, refreshed(page.read_text("utf-8")))
    return 0
