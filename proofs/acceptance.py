"""Acceptances: which checkers, with which signature, have accepted which certificates of the record before.

    python -m proofs.acceptance                                    how much of the record that is
    python -m proofs.acceptance RESULTS.json CHECKER SIGNATURE

The latter adds what `remora prove --time both --checker … --signature … --out …` found; CHECKER and SIGNATURE say in
words, with versions, which they were. A certificate is kept by its hash, so that one of another proof counts as not
accepted.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from proofs.certification import certify
from proofs.names import row_id
from proofs.record import CERTIFYING, FOLDER, recorded
from semantics.atomic_files import write_text
from semantics.errors import InputError
from smt.attempts import ClaimResult
from smt.solvers.portfolio import Portfolio, family

FILE = "accepted.json"
SCHEMA = "remora/accepted/1"


@dataclass(frozen=True)
class Acceptances:
    """What has been accepted before.

    Attributes:
        by: who accepted, each as a checker with a signature, in words.
        certificates: the places in `by` of those who accepted a certificate, by its SHA-256.
    """

    by: tuple[tuple[str, str], ...] = ()
    certificates: Mapping[str, tuple[int, ...]] | None = None

    def of(self, certificate: str | None) -> tuple[str, ...]:
        """Who accepted the certificate with a hash."""
        places = (self.certificates or {}).get(certificate or "", ())
        return tuple(f"{checker} with {signature}" for checker, signature in (self.by[at] for at in places))

    def added(self, checker: str, signature: str, hashes: Sequence[str]) -> Acceptances:
        """With certificates that a checker has accepted besides."""
        one = (checker, signature)
        by = self.by if one in self.by else (*self.by, one)
        found = dict(self.certificates or {})
        for each in hashes:
            found[each] = tuple(sorted({*found.get(each, ()), by.index(one)}))
        return Acceptances(by, found)


def accepted(folder: Path = FOLDER) -> Acceptances:
    """What the file in a folder says; nothing if there is none.

    Raises:
        InputError: it is something else.
    """
    path = folder / FILE
    if not path.exists():
        return Acceptances()
    try:
        document = json.loads(path.read_text("utf-8"))
        if document["schema"] != SCHEMA:
            raise ValueError(document["schema"])
        by = tuple((str(each["checker"]), str(each["signature"])) for each in document["by"])
        found = {name: tuple(places) for name, places in document["certificates"].items()}
        if not all(type(at) is int and 0 <= at < len(by) for places in found.values() for at in places):
            raise ValueError("a place of nobody")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"this is no {SCHEMA}: {error}", place=str(path), remedy="Restore it.") from None
    return Acceptances(by, found)


def write(acceptances: Acceptances, folder: Path = FOLDER) -> None:
    """Write the file in a folder."""
    by = [{"checker": checker, "signature": signature} for checker, signature in acceptances.by]
    rows = sorted((acceptances.certificates or {}).items())
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(places)}" for name, places in rows)
    head = f'{{"schema": "{SCHEMA}", "by": {json.dumps(by, ensure_ascii=False)}, "certificates": {{\n'
    write_text(folder / FILE, f"{head}{lines}\n}}}}\n")


@cache
def accepted_before(folder: Path = FOLDER) -> dict[tuple[str, str], tuple[str, ...]]:
    """Who accepted the recorded certificate of an obligation, by its name in the record and the hash of its text."""
    known = accepted(folder)
    if not known.by:
        return {}
    return {
        (name, row["sha256"]): by
        for name, row in recorded(folder).items()
        if (by := known.of(row["certificate"]))
    }


def from_results(results: Mapping[str, Any]) -> list[str]:
    """The hashes of the record's certificates that were accepted in a run, by the contents of its `results.json`."""
    rows, found = recorded(), []
    for each in results["obligations"]:
        name = each["id"] if each["time"] == "int" else f"{each['id']} over dense time"
        certificate = each.get("certificate") or {}
        known = rows.get(name, {}).get("certificate")
        if certificate.get("checked") is True and known and certificate["sha256"] == known:
            found.append(known)
    return found


def certificate_differences(
    results: Iterable[ClaimResult],
    portfolio: Portfolio,
    *,
    sample: int | None = 0,
    seed: int = 0,
    folder: Path = FOLDER,
) -> list[str]:
    """The certificates of the record that are other ones when they are made anew.

    Those are made of which nobody is known to have accepted them, and a sample of the others. Another version of cvc5
    makes other certificates: by it, only those are named that nobody is known to have accepted.

    Args:
        portfolio: the solvers; without cvc5 there is none to make certificates.
        sample: how many of those that were accepted are made as well; None for all.
    """
    rows, known = recorded(folder), accepted(folder)
    times = Counter(row["certificate"] for row in rows.values())
    parts = {row_id(part.obligation): (result, part) for result in results for part in result.obligations}
    names = [name for name in parts if name in rows]
    doubtful = [n for n in names if times[rows[n]["certificate"]] > 1 or not known.of(rows[n]["certificate"])]
    others = [name for name in names if name not in set(doubtful)]
    drawn = others if sample is None else Random(seed).sample(others, min(sample, len(others)))
    maker = next((each.name for each in portfolio.solvers if family(each) == CERTIFYING), "")
    wanted = [
        name for name in (*doubtful, *drawn) if maker in {each["solver"] for each in rows[name]["solvers"]}
    ]
    found = [
        f"{name}: nobody is known to have accepted its certificate, which {maker or 'no solver here'} cannot make anew"
        for name in doubtful
        if name not in set(wanted)
    ]
    made = certify([replace(parts[n][0], obligations=(parts[n][1],)) for n in wanted], portfolio)
    for name in wanted:
        one = made[name].certificate if name in made else None
        if one is None or one.sha256 != rows[name]["certificate"]:
            found.append(f"{name}: the record's certificate is another one than {maker} makes")
    return found


def main(path: str, checker: str, signature: str) -> str:
    """Add what a run found to the file; says how much of the record that is."""
    hashes = from_results(json.loads(Path(path).read_text("utf-8")))
    write(accepted().added(checker, signature, hashes))
    return f"{len(hashes)} of the {len(recorded())} certificates of the record were accepted"


UNION = "join-commutative"
"""Obligations that assume the laws of union assume this one."""


def counted(folder: Path = FOLDER) -> str:
    """How many obligations the record has, of which kinds, and how many certificates who accepted."""
    rows, known = recorded(folder).values(), accepted(folder)
    times, standings = (Counter(each[field] for each in rows) for field in ("time", "standing"))
    certificates = [each["certificate"] for each in rows if each["certificate"]]
    who = Counter(by for each in certificates for by in known.of(each))
    lines = [
        f"{len(rows)} obligations, {times['int']} over integer and {times['real']} over dense time",
        *(f"{count} are {standing}" for standing, count in standings.items()),
        f"{sum(UNION in each['axioms'] for each in rows)} assume the laws of union",
        f"{len(certificates)} have a certificate",
        *(f"{count} of these were accepted by {by}" for by, count in who.items()),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(*sys.argv[1:]) if sys.argv[1:] else counted())
