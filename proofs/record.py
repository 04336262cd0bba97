"""The committed record of proofs: each obligation as a file, and what became of it.

    python -m proofs.record          write the record anew
    python -m proofs.record --check  prove everything again and say what differs from the record

The obligations are plain SMT-LIB 2: any solver that reads them can be asked for a second opinion. Texts, standings and
certificates must repeat; the solvers' counts of work repeat with the same versions.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from laws.claims import Claim
from laws.standings import Standing, weakest
from laws.systems import every_claim
from proofs.certification import Certified, certify
from proofs.names import file_name, row_id
from proofs.proving import prove_claims
from semantics.errors import InputError
from smt.attempts import ClaimResult, ObligationResult
from smt.obligations import Obligation
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Opinion, Portfolio, Query, family_of, installed, judge
from smt.solvers.solver import Answer, Strategy

FOLDER = Path(__file__).parent
RECORD = "record.json"
SCHEMA = "remora/proofs/2"

TIMES: tuple[TimeSort, ...] = ("int", "real")

SLOWER = 1.5
"""A proof counts as slower when a solver's work has grown by more than this factor."""

NEGLIGIBLE = 20_000
"""Growth by fewer units of work than this does not count."""

CERTIFYING = "cvc5"
"""The solver that writes certificates; where it was asked, what is proved has one."""


def row(claim: Claim, part: ObligationResult, certified: Certified | None) -> dict[str, Any]:
    """What the record keeps of an obligation."""
    return {
        "id": row_id(part.obligation),
        "claim": claim.id,
        "file": f"obligations/{file_name(part.obligation)}",
        "sha256": part.obligation.sha256,
        "axioms": list(part.obligation.axioms),
        "time": part.obligation.time,
        "standing": part.standing.value,
        "hypotheses": part.hypotheses,
        "seed": 0,
        "solvers": [_opinion(opinion) for opinion in part.opinions],
        "certificate": certified.certificate.sha256 if certified and certified.certificate else None,
    }


def _opinion(opinion: Opinion) -> dict[str, Any]:
    answer = opinion.answer
    assert answer is not None  # a solver that breaks down writes no record
    return {
        "solver": opinion.solver,
        "strategy": opinion.strategy.name,
        "options": dict(opinion.strategy.options),
        "status": answer.status,
        "units": answer.rlimit,
    }


def prove_everything(portfolio: Portfolio) -> list[ClaimResult]:
    """Every claim of the source, over integer and dense time."""
    return [result for time in TIMES for result in prove_claims(every_claim(), portfolio, time=time)]


def contents(results: Iterable[ClaimResult], portfolio: Portfolio) -> Iterator[tuple[str, str]]:
    """The files of the record by path within its folder."""
    kept = list(results)
    certificates = certify(kept, portfolio)
    rows = []
    for result in kept:
        for part in result.obligations:
            yield f"obligations/{file_name(part.obligation)}", part.obligation.text
            rows.append(row(result.claim, part, certificates.get(row_id(part.obligation))))
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in rows)
    yield RECORD, f'{{"schema": "{SCHEMA}", "obligations": [\n{lines}\n]}}\n'


def write(folder: Path = FOLDER) -> None:
    """Write the record anew; files of obligations that no longer exist are removed."""
    with installed() as portfolio:
        files = dict(contents(prove_everything(portfolio), portfolio))
    (folder / "obligations").mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        (folder / path).write_text(text, encoding="utf-8", newline="\n")
    for old in (folder / "obligations").glob("*.smt2"):
        if f"obligations/{old.name}" not in files:
            old.unlink()


def recorded(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """The rows of the record by id.

    Raises:
        InputError: there is no record, or it is of another version.
    """
    path = folder / RECORD
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"there is no record of proofs: {error.strerror}", place=str(path)) from None
    return _rows(text, str(path))


def _rows(text: str, place: str) -> dict[str, dict[str, Any]]:
    try:
        document = json.loads(text)
        schema, rows = document["schema"], {each["id"]: each for each in document["obligations"]}
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"this is no record of proofs: {error}", place=place) from None
    if schema != SCHEMA:
        raise InputError(f"this record is a {schema}, not a {SCHEMA}", place=place)
    return rows


def text_differences(
    obligations: Iterable[Obligation],
    folder: Path = FOLDER,
    *,
    claims: Collection[str] | None = None,
    proved: bool = False,
) -> list[str]:
    """The obligations whose texts are not those of the record, that it does not have, or that it alone has.

    Also what contradicts itself in the record, and files with other texts than it says. It asks no solver.

    Args:
        claims: the claims that they are all of; None for all claims over both times.
        proved: whether they assume what they were proved under, which is compared as well; else they are read with
            the axioms of the record.
    """
    rows = recorded(folder)
    obligations = list(obligations)
    found = gone(obligations, folder, claims=claims, times=TIMES if claims is None else None)
    for obligation in obligations:
        name = row_id(obligation)
        if name not in rows:
            found.append(f"{name}: not in the record")
            continue
        asked = obligation if proved else obligation.with_axioms(rows[name]["axioms"])
        if asked.sha256 != rows[name]["sha256"]:
            found.append(f"{name}: obsolete, its text is another one than the record's")
    names = {row_id(obligation) for obligation in obligations} & rows.keys()
    return found + list(_flaws(rows, names, folder))


def _flaws(rows: Mapping[str, Mapping[str, Any]], names: Collection[str], folder: Path) -> Iterator[str]:
    """What contradicts itself in rows of the record: their files, what solvers said, their certificates."""
    versions = Counter(each["solver"] for row in rows.values() for each in row["solvers"])
    usual = {family_of(solver): solver for solver, _ in reversed(versions.most_common())}
    for name in sorted(names):
        then = rows[name]
        path = folder / then["file"]
        if not path.is_file() or sha256(path.read_bytes()).hexdigest() != then["sha256"]:
            yield f"{name}: the record's file is missing or was changed"
        families = [family_of(each["solver"]) for each in then["solvers"]]
        if len(set(families)) < len(families):
            yield f"{name}: several opinions of one solver in the record"
        lacking = ", ".join(sorted(usual.keys() - set(families)))
        if lacking:
            yield f"{name}: nothing that {lacking} said in the record"
        said = judge(Query(name, "", {}), tuple(map(_recorded_opinion, then["solvers"]))).outcome
        if said != then["standing"]:
            yield f"{name}: {then['standing']} in the record, and {said} by what solvers said there"
        for each, one in zip(then["solvers"], families, strict=True):
            if each["solver"] != usual[one]:
                yield f"{name}: {each['solver']} in the record, {usual[one]} elsewhere in it"
        if then["certificate"] is None and CERTIFYING in families:
            yield f"{name}: no certificate in the record"


def _recorded_opinion(each: Mapping[str, Any]) -> Opinion:
    answer = Answer(each["status"], each["solver"], 0.0, each["units"])
    return Opinion(each["solver"], Strategy(each["strategy"], tuple(each["options"].items())), answer)


def gone(
    obligations: Iterable[Obligation],
    folder: Path = FOLDER,
    *,
    claims: Collection[str] | None = None,
    times: Collection[TimeSort] | None = None,
) -> list[str]:
    """The rows of the record that have no obligation any more.

    Args:
        claims: the claims that they are all of; None for all claims.
        times: the times over which they are; by default those that occur among them.
    """
    obligations = list(obligations)
    seen = {row_id(obligation) for obligation in obligations}
    over = {obligation.time for obligation in obligations} if times is None else set(times)
    return [
        f"{name}: in the record, and no longer an obligation"
        for name, each in recorded(folder).items()
        if name not in seen and each["time"] in over and (claims is None or each["claim"] in claims)
    ]


def differences(results: Iterable[ClaimResult], folder: Path = FOLDER, *, whole: bool = True) -> list[str]:
    """What differs between the record and proofs made now: everything that a row says, missing and superfluous rows.

    How much work it was for solvers of other versions may differ. Certificates are compared by `proofs.acceptance`.

    Args:
        whole: whether the results are of everything over both times; else they are of their claims.
    """
    results = list(results)
    rows, parts = recorded(folder), [part for result in results for part in result.obligations]
    claims = None if whole else {result.claim.id for result in results}
    found = gone((part.obligation for part in parts), folder, claims=claims, times=TIMES if whole else None)
    for result in results:
        for part in result.obligations:
            name = row_id(part.obligation)
            if name not in rows:
                found.append(f"{name}: not in the record")
                continue
            then, now = rows[name], row(result.claim, part, None)
            if now["sha256"] != then["sha256"]:
                found.append(f"{name}: obsolete, its text is another one than the record's")
            elif part.standing.value != then["standing"]:
                found.append(f"{name}: {then['standing']} in the record, {part.standing.value} now")
            else:
                found += [
                    f"{name}: {field} is {then[field]!r} in the record, {now[field]!r} now"
                    for field in ("claim", "file", "axioms", "time", "hypotheses", "seed")
                    if then[field] != now[field]
                ]
                found += _changed_opinions(name, then["solvers"], now["solvers"])
    names = {row_id(part.obligation) for part in parts} & rows.keys()
    return sorted(dict.fromkeys([*found, *_flaws(rows, names, folder)]))


def _changed_opinions(
    name: str, then: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    """What solvers said otherwise, or with other options; how much work it was is compared for the same version."""
    before, after = ({family_of(each["solver"]): each for each in several} for several in (then, now))
    for one in sorted(before.keys() | after.keys()):
        if one not in before or one not in after:
            asked, missing = ("now", "in the record") if one in after else ("in the record", "now")
            yield f"{name}: {one} was asked {asked}, not {missing}"
            continue
        old, new = before[one], after[one]
        same = old["solver"] == new["solver"]
        for field in ("strategy", "options", "status", *(["units"] if same else [])):
            if old[field] != new[field]:
                yield f"{name}: {field} of {old['solver']} is {old[field]!r} in the record, {new[field]!r} now"


def changes(
    old: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]]
) -> dict[str, list[str]]:
    """What changed from one record to another; slower is what costs the solvers more work, by their own count."""
    found: dict[str, list[str]] = {"broke": [], "slower": [], "obsolete": [], "added": [], "removed": []}
    found["added"] = [name for name in new if name not in old]
    found["removed"] = [name for name in old if name not in new]
    for name in old.keys() & new.keys():
        then, now = old[name], new[name]
        before, after = Standing(then["standing"]), Standing(now["standing"])
        if before is not after and weakest((before, after)) is after:
            found["broke"].append(f"{name}: {before.value} became {after.value}")
        if then["sha256"] != now["sha256"]:
            found["obsolete"].append(name)
            continue
        work = {family_of(each["solver"]): each["units"] for each in then["solvers"]}
        for each in now["solvers"]:
            was, units = work.get(family_of(each["solver"])), each["units"]
            if was is not None and units > SLOWER * was and units - was > NEGLIGIBLE:
                found["slower"].append(
                    f"{name}: {each['solver']} needs {units:,} units of work, {was:,} before"
                )
    return {kind: sorted(names) for kind, names in found.items()}


def at_revision(revision: str, folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """The rows of the record as it was in a revision of the repository.

    Raises:
        InputError: there is no such revision, or no record in it that can be read.
    """
    return _rows(text_at_revision(folder / RECORD, revision), revision)


def text_at_revision(path: Path, revision: str) -> str:
    """A file of the record as it was in a revision of the repository.

    Raises:
        InputError: there is no such revision, or no such file in it.
    """
    command = ["git", "-C", str(path.parent), "show", "--end-of-options", f"{revision}:./{path.name}"]
    try:
        shown = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    except OSError as error:
        raise InputError(f"git cannot be asked for the record: {error.strerror}", place=revision) from None
    if shown.returncode != 0:
        said = shown.stderr.strip().splitlines()
        raise InputError(f"git has no record of proofs there: {said[-1] if said else ''}", place=revision)
    return shown.stdout


def main(arguments: list[str]) -> int:
    """Write or check the record; 1 if something differs."""
    if arguments == ["--check"]:
        with installed() as portfolio:
            found = differences(prove_everything(portfolio))
        print("\n".join(found) or "the record repeats")
        return 1 if found else 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
