"""The committed record of proofs: the hash of each obligation's text, what solvers said to it, its certificate.

    python -m proofs.record                                       write the record anew
    python -m proofs.record --check                               prove everything again and say what differs
    python -m proofs.record --count                               how many obligations and certificates it has
    python -m proofs.record --accept RESULTS.json CHECKER SIGNATURE
                                                                  add what `remora prove --checker … --out …` found;
                                                                  CHECKER and SIGNATURE in words, with versions

Texts are made anew whenever they are wanted; their hashes, standings and certificates must repeat, and with the same
versions the solvers' counts of work. A line of the file has the obligations of one claim over one time.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any

from laws.claims import every_claim
from laws.standings import Standing, weakest
from proofs.certification import certify
from proofs.proving import prove_claims
from semantics.atomic_files import write_text
from semantics.errors import InputError
from smt.attempts import ClaimResult, ObligationResult
from smt.obligations import Obligation
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Answer, Opinion, Portfolio, Strategy, family, installed, judge

FOLDER = Path(__file__).parent
RECORD = "record.json"
SCHEMA = "remora/proofs/3"

TIMES: tuple[TimeSort, ...] = ("int", "real")

SLOWER, NEGLIGIBLE = 1.5, 20_000
"""A proof is slower when a solver's work has grown by more than this factor, and by more than so many units."""

CERTIFYING = "cvc5"  # The solver that writes certificates; where it was asked, what is proved has one

_KEPT = ("direction", "sha256", "standing", "hypotheses", "certificate")
"""Entries of an obligation that stand in the file as they are."""


_SOLVER = ("solver", "strategy", "options")  # What is shared of what a solver was asked


def row(part: ObligationResult, certificate: str | None = None) -> dict[str, Any]:
    """An obligation in the record; `accepted` lists the checkers that accepted its certificate."""
    asked = part.obligation
    return {
        "id": asked.name,
        "claim": asked.claim,
        "direction": asked.direction,
        "sha256": part.obligation.sha256,
        "axioms": list(asked.axioms),
        "time": asked.time,
        "standing": part.standing.value,
        "hypotheses": part.hypotheses,
        "solvers": [
            {"solver": opinion.solver, "strategy": opinion.strategy.name, "options": dict(opinion.strategy.options)}
            | {"status": opinion.answer.status, "units": opinion.answer.rlimit}
            for opinion in part.opinions
            if opinion.answer is not None  # a solver that breaks down writes no record
        ],
        "certificate": certificate,
        "accepted": [],
    }


def contents(rows: Iterable[Mapping[str, Any]]) -> str:
    """The text of the record: what many rows share stands once, at the top."""
    shared: dict[str, list[Any]] = {"checkers": [], "solvers": [], "axioms": []}

    def place(kind: str, value: Any) -> int:
        if value not in shared[kind]:
            shared[kind].append(value)
        return shared[kind].index(value)

    lines = []
    for (claim, time), group in groupby(rows, itemgetter("claim", "time")):
        parts = [
            {
                **{name: each[name] for name in _KEPT},
                "axioms": place("axioms", each["axioms"]),
                "said": [
                    [place("solvers", {name: one[name] for name in _SOLVER}), one["status"], one["units"]]
                    for one in each["solvers"]
                ],
                "accepted": [place("checkers", by) for by in each["accepted"]],
            }
            for each in group
        ]
        lines.append(json.dumps({"claim": claim, "time": time, "obligations": parts}, ensure_ascii=False))
    head = json.dumps({"schema": SCHEMA, **shared}, ensure_ascii=False)
    return f'{head[:-1]}, "claims": [\n' + ",\n".join(lines) + "\n]}\n"


def _rows(text: str, place: str) -> dict[str, dict[str, Any]]:
    def shared(kind: str, at: int) -> Any:
        if at < 0:
            raise ValueError("a place before the first one")
        return document[kind][at]

    try:
        document = json.loads(text)
        if document["schema"] != SCHEMA:
            raise InputError(f"this record is a {document['schema']}, not a {SCHEMA}", place=place)
        rows = {}
        for line in document["claims"]:
            for part in line["obligations"]:
                name = f"{line['claim']}/{part['direction']}" + (" over dense time" if line["time"] == "real" else "")
                said = ((shared("solvers", at), status, units) for at, status, units in part["said"])
                rows[name] = {
                    **{field: part[field] for field in _KEPT},
                    "id": name,
                    "claim": line["claim"],
                    "time": line["time"],
                    "axioms": shared("axioms", part["axioms"]),
                    "solvers": [{**solver, "status": status, "units": units} for solver, status, units in said],
                    "accepted": [shared("checkers", at) for at in part["accepted"]],
                }
        return rows
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InputError(f"this is no record of proofs: {error}", place=place, remedy="Restore it.") from None


def recorded(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """The rows of the record by id; an `InputError` if there is no record, or one of another version."""
    path = folder / RECORD
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"there is no record of proofs: {error.strerror}", place=str(path)) from None
    return _rows(text, str(path))


def at_revision(revision: str, folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """The rows of the record as it was in a revision of the repository."""
    return _rows(text_at_revision(folder / RECORD, revision), revision)


def text_at_revision(path: Path, revision: str) -> str:
    """A file of the record as it was in a revision; an `InputError` if there is no such revision or file."""
    command = ["git", "-C", str(path.parent), "show", "--end-of-options", f"{revision}:./{path.name}"]
    try:
        shown = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    except OSError as error:
        raise InputError(f"git cannot be asked for the record: {error.strerror}", place=revision) from None
    if shown.returncode != 0:
        raise InputError(f"git has no record of proofs there: {shown.stderr.strip()}", place=revision)
    return shown.stdout


@cache
def accepted_before() -> Mapping[tuple[str, str], Sequence[str]]:
    """Checkers that accepted the recorded certificate of an obligation, by its name and the hash of its text."""
    return {(name, each["sha256"]): each["accepted"] for name, each in recorded().items()}


def _prove_everything(portfolio: Portfolio) -> list[ClaimResult]:
    return [result for time in TIMES for result in prove_claims(every_claim(), portfolio, time=time)]


def write(folder: Path = FOLDER) -> None:
    """Write the record anew; who accepted a certificate is kept where the certificate is the same."""
    accepted = {each["certificate"]: each["accepted"] for each in recorded(folder).values()}
    with installed() as portfolio:
        results = _prove_everything(portfolio)
        made = {name: each.certificate.sha256 for name, each in certify(results, portfolio).items() if each.certificate}
    rows = [row(part, made.get(part.obligation.name)) for result in results for part in result.obligations]
    for each in rows:
        each["accepted"] = accepted.get(each["certificate"], [])
    write_text(folder / RECORD, contents(rows))


def accept(results: Mapping[str, Any], checker: str, signature: str, folder: Path = FOLDER) -> int:
    """Add which recorded certificates a checker accepted by a run's `results.json`; returns how many."""
    rows, by, count = recorded(folder), f"{checker} with {signature}", 0
    for each in results["obligations"]:
        known = rows.get(each["id"] if each["time"] == "int" else f"{each['id']} over dense time")
        certificate = each.get("certificate") or {}
        if known and certificate.get("checked") is True and certificate["sha256"] == known["certificate"]:
            known["accepted"] = list(dict.fromkeys([*known["accepted"], by]))
            count += 1
    write_text(folder / RECORD, contents(rows.values()))
    return count


def text_differences(
    obligations: Iterable[Obligation],
    folder: Path = FOLDER,
    *,
    claims: Collection[str] | None = None,
    proved: bool = False,
) -> list[str]:
    """Obligations whose texts are not the record's, missing and superfluous ones, and contradictions in the record.

    They are all of some claims; None for all claims over both times. If `proved`, they assume what they were proved
    under; else they are read with the axioms of the record.
    """
    rows, obligations = recorded(folder), list(obligations)
    found = gone(obligations, folder, claims=claims, times=TIMES if claims is None else None)
    for obligation in obligations:
        name = obligation.name
        if name not in rows:
            found.append(f"{name}: not in the record")
            continue
        asked = obligation if proved else obligation.with_axioms(rows[name]["axioms"])
        if asked.sha256 != rows[name]["sha256"]:
            found.append(f"{name}: obsolete, its text is another one than the record's")
    return found + list(_flaws(rows, {obligation.name for obligation in obligations} & rows.keys()))


def _flaws(rows: Mapping[str, Mapping[str, Any]], names: Collection[str]) -> Iterator[str]:
    """Contradictions in rows of the record: what solvers said, their versions, certificates."""
    versions = Counter(each["solver"] for row in rows.values() for each in row["solvers"])
    usual = {family(solver): solver for solver, _ in reversed(versions.most_common())}
    for name in sorted(names):
        then, opinions = rows[name], []
        if then["standing"] == Standing.COMPUTED.value:
            if then["solvers"] or then["certificate"]:
                yield f"{name}: computed in the record, and solvers were asked"
            continue
        for each in then["solvers"]:
            answer = Answer(each["status"], each["solver"], 0.0, each["units"])
            opinions.append(Opinion(each["solver"], Strategy(each["strategy"], tuple(each["options"].items())), answer))
        solvers = sorted(each["solver"] for each in then["solvers"])
        if solvers != sorted(usual.values()):
            yield f"{name}: {', '.join(solvers)} in the record, {', '.join(sorted(usual.values()))} elsewhere in it"
        said = judge(name, tuple(opinions)).outcome
        if said != then["standing"]:
            yield f"{name}: {then['standing']} in the record, and {said} by what solvers said there"
        if then["certificate"] is None and CERTIFYING in map(family, solvers):
            yield f"{name}: no certificate in the record"


def gone(
    obligations: Iterable[Obligation],
    folder: Path = FOLDER,
    *,
    claims: Collection[str] | None = None,
    times: Collection[TimeSort] | None = None,
) -> list[str]:
    """The rows of the record that have no obligation any more; these are all of some claims and times.

    Claims are all by default, and times those that occur among the obligations.
    """
    seen = {obligation.name: obligation.time for obligation in obligations}
    over = set(seen.values() if times is None else times)
    return [
        f"{name}: in the record, and no longer an obligation"
        for name, each in recorded(folder).items()
        if name not in seen and each["time"] in over and (claims is None or each["claim"] in claims)
    ]


def differences(results: Iterable[ClaimResult], folder: Path = FOLDER, *, whole: bool = True) -> list[str]:
    """What differs between the record and proofs made now, and what a kernel has checked and is obsolete.

    How much work it was for solvers of other versions may differ. Certificates: see `certificate_differences`. Results
    are of everything over both times if `whole`, else of their claims.
    """
    results, rows = list(results), recorded(folder)
    parts = [part for result in results for part in result.obligations]
    claims = None if whole else {result.claim.id for result in results}
    found = text_differences((part.obligation for part in parts), folder, claims=claims, proved=True)
    found += [f"{each.claim.id}: {each.kernel}" for each in results if each.kernel and not each.standing.unbounded]
    for part in parts:
        name, now = part.obligation.name, row(part)
        then = rows.get(name)
        if then is None or then["sha256"] != now["sha256"]:
            continue
        compared = [(field, then[field], now[field]) for field in ("claim", "axioms", "time", "standing", "hypotheses")]
        before, after = ({family(one["solver"]): one for one in each["solvers"]} for each in (then, now))
        compared.append(("the solvers that were asked", sorted(before), sorted(after)))
        for one in sorted(before.keys() & after.keys()):
            same_version = before[one]["solver"] == after[one]["solver"]
            for field in ("strategy", "options", "status", *(["units"] if same_version else [])):
                compared.append((f"{field} of {before[one]['solver']}", before[one][field], after[one][field]))
        found += [f"{name}: {what} is {old!r} in the record, {new!r} now" for what, old, new in compared if old != new]
    return sorted(dict.fromkeys(found))


def changes(old: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """What changed from one record to another; slower is what costs the solvers more work, by their own count."""
    found: dict[str, list[str]] = {"broke": [], "slower": [], "obsolete": []}
    found |= {"added": list(new.keys() - old.keys()), "removed": list(old.keys() - new.keys())}
    for name in old.keys() & new.keys():
        then, now = old[name], new[name]
        before, after = Standing(then["standing"]), Standing(now["standing"])
        if before is not after and weakest((before, after)) is after:
            found["broke"].append(f"{name}: {before.value} became {after.value}")
        if then["sha256"] != now["sha256"]:
            found["obsolete"].append(name)
            continue
        work = {family(each["solver"]): each["units"] for each in then["solvers"]}
        for each in now["solvers"]:
            was, units = work.get(family(each["solver"])), each["units"]
            if was is not None and units > SLOWER * was and units - was > NEGLIGIBLE:
                found["slower"].append(f"{name}: {each['solver']} needs {units:,} units of work, {was:,} before")
    return {kind: sorted(names) for kind, names in found.items()}


def certificate_differences(
    results: Iterable[ClaimResult], portfolio: Portfolio, *, sample: int | None = 0, seed: int = 0
) -> list[str]:
    """The certificates of the record that are other ones when they are made anew, by cvc5 if it is among the solvers.

    Those are made of which nobody is known to have accepted them, and a sample of the others (None: all). Another
    version of cvc5 makes other certificates: by it, only those are named that nobody is known to have accepted.
    """
    rows = recorded()
    times = Counter(row["certificate"] for row in rows.values())
    parts = {part.obligation.name: (result, part) for result in results for part in result.obligations}
    names = [name for name in parts if name in rows and rows[name]["standing"] != Standing.COMPUTED.value]
    doubtful = [name for name in names if times[rows[name]["certificate"]] > 1 or not rows[name]["accepted"]]
    others = [name for name in names if name not in set(doubtful)]
    drawn = others if sample is None else Random(seed).sample(others, min(sample, len(others)))
    maker = next((each.name for each in portfolio.solvers if family(each.name) == CERTIFYING), "")
    wanted = [name for name in (*doubtful, *drawn) if maker in {each["solver"] for each in rows[name]["solvers"]}]
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


def counted() -> str:
    """How many obligations the record has, of which kinds, and how many certificates who accepted."""
    rows = recorded().values()
    times, standings = (Counter(each[field] for each in rows) for field in ("time", "standing"))
    who = Counter(by for each in rows for by in each["accepted"])
    lines = [
        f"{len(rows)} obligations, {times['int']} over integer and {times['real']} over dense time",
        *(f"{count} are {standing}" for standing, count in standings.items()),
        f"{sum('join-commutative' in each['axioms'] for each in rows)} assume the laws of union",
        f"{sum(bool(each['certificate']) for each in rows)} have a certificate",
        *(f"{count} of these were accepted by {by}" for by, count in who.items()),
    ]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Write, check, count or complete the record; 1 if something differs."""
    match arguments:
        case []:
            write()
        case ["--check"]:
            with installed() as portfolio:
                found = differences(_prove_everything(portfolio))
            print("\n".join(found) or "the record repeats")
            return 1 if found else 0
        case ["--count"]:
            print(counted())
        case ["--accept", path, checker, signature]:
            count = accept(json.loads(Path(path).read_text("utf-8")), checker, signature)
            print(f"{count} of the {len(recorded())} certificates of the record were accepted")
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
