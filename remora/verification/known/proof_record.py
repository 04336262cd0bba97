"""Known answers about the record of proofs: whatever is changed in it, or is otherwise than it says, is named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock, patch

from laws.claims import Claim
from laws.standings import Standing
from laws.systems import find
from proofs.acceptance import (
    Acceptances,
    accepted,
    accepted_before,
    certificate_differences,
    from_results,
    write,
)
from proofs.certification import Certified, check
from proofs.names import file_name, row_id
from proofs.proving import prove_claims
from proofs.record import FOLDER, RECORD, SCHEMA, TIMES, changes, differences, recorded, text_differences
from proofs.systems import provable_of
from remora.verification.known.answers import Checks, Row, always
from semantics.errors import InputError
from smt.attempts import ClaimResult, ObligationResult
from smt.certificates import Checked
from smt.obligations import Obligation
from smt.solvers.portfolio import Opinion, Portfolio
from smt.solvers.solver import Answer, Strategy

checks = Checks()


def as_recorded(claim: Claim) -> ClaimResult:
    """A result that says what the record says."""
    parts, rows = [], recorded()
    for part in provable_of(claim).obligations("int"):
        row = next(each for each in rows.values() if each["id"] == row_id(part))
        opinions = tuple(
            Opinion(
                one["solver"],
                Strategy(one["strategy"], tuple(one["options"].items())),
                Answer(one["status"], one["solver"], 0.0, one["units"]),
            )
            for one in row["solvers"]
        )
        asked = part.with_axioms(row["axioms"])
        parts.append(ObligationResult(asked, Standing(row["standing"]), opinions, row["hypotheses"]))
    return ClaimResult(claim, parts[0].standing, tuple(parts), None, 0, 0.0)


def _named(row: Mapping[str, Any]) -> Any:
    """An obligation of which no more than the name is known."""
    return SimpleNamespace(id=row["id"].removesuffix(" over dense time"), time=row["time"])


@checks.known("record of proofs", "whatever is other than the record of proofs is named")
def _record() -> Iterator[Row]:
    rows = recorded()
    for claim in find(["lemma:5.2"]):
        result = as_recorded(claim)
        parts = [part.obligation for part in result.obligations]
        texts = _texts(claim.id)
        yield f"{claim.id} as recorded", texts(parts), []
        yield f"{claim.id} without a part", bool(texts(parts[1:])), True
        yield f"{claim.id} with one more", bool(texts([*parts, parts[0].renamed("more")])), True
        weaker = replace(parts[0], assertions=(*parts[0].assertions, "false"))
        yield f"{claim.id} with another text", bool(texts([weaker, *parts[1:]])), True
        # Rows over dense time are not among these parts, and only that is said.
        usual = differences([result], whole=False)
        yield f"{claim.id} again", usual, []
        for name, other in _altered(result):
            yield f"{claim.id}: {name}", bool(differences([other], whole=False)), True
    files = [f"obligations/{file_name(_named(row))}" for row in rows.values()]
    yield "files by their names", files, [row["file"] for row in rows.values()]
    yield "how many files", len(set(files)), len(rows)
    yield "nothing at all", len(text_differences([], FOLDER)), len(rows)
    yield "no result at all", len(differences([])), len(rows)


@checks.known("acceptances", "who accepted a certificate accepted that one alone")
def _acceptances() -> Iterator[Row]:
    known = Acceptances().added("a checker", "a signature", ["aa"])
    yield "who accepted a certificate", known.of("aa"), ("a checker with a signature",)
    yield "who accepted another one", (known.of("bb"), known.of(None)), ((), ())
    name, row = next(
        (name, row) for name, row in recorded().items() if row["certificate"] and row["time"] == "int"
    )
    for title, sha, checked, right in (
        ("the recorded certificate", row["certificate"], True, [row["certificate"]]),
        ("another certificate", "bb", True, []),
        ("a certificate that is refused", row["certificate"], False, []),
    ):
        result = {"id": name, "time": "int", "certificate": {"sha256": sha, "checked": checked}}
        yield title, from_results({"obligations": [result]}), right
    with TemporaryDirectory() as folder:
        write(known, Path(folder))
        (path,) = Path(folder).iterdir()
        for place, taken in ((0, True), (1, False), (-1, False)):
            document = {**json.loads(path.read_text("utf-8")), "certificates": {"aa": [place]}}
            path.write_text(json.dumps(document), encoding="utf-8")
            try:
                read = bool(accepted(Path(folder)).of("aa"))
            except InputError:
                read = False
            yield f"a certificate that number {place} accepted, of one", read, taken
    rows = {"one": {"sha256": "1", "certificate": "aa"}, "other": {"sha256": "2", "certificate": "bb"}}
    with _accepted(known), patch("proofs.acceptance.recorded", lambda _: rows):
        yield "whose certificates were accepted", list(accepted_before.__wrapped__()), [("one", "1")]
    yield from _made_anew()


def _accepted(known: Acceptances) -> Any:
    return patch("proofs.acceptance.accepted", lambda _: known)


def _made_anew() -> Iterator[Row]:
    """Certificates of a law that are made once more, and come out as recorded, or otherwise."""
    (law,) = find(["law:1"])
    result = as_recorded(law)
    names = [row_id(part.obligation) for part in result.obligations]
    hashes = [recorded()[name]["certificate"] for name in names]
    maker = next(
        each["solver"] for each in recorded()[names[0]]["solvers"] if each["solver"].startswith("cvc5")
    )
    parts = [part.obligation for part in result.obligations]
    certified = {name: Certified(Mock()) for name in names}
    with patch("proofs.certification.run_checker", always(Checked(False, "", "", hung=True))):
        checked = check(certified, parts, Path(), Path(), None).values()
    accepted_ones = [one.checked and one.checked.accepted for one in checked]
    yield "certificates after one at which a checker hung", accepted_ones, [False] * len(parts)
    portfolio: Any = SimpleNamespace(solvers=[SimpleNamespace(name=maker)])
    everybody = Acceptances().added("a checker", "a signature", hashes)
    for title, known, sample, made, complaints in (
        ("as recorded", everybody, None, hashes, 0),
        ("otherwise", everybody, None, ["bb"] * len(names), len(names)),
        ("otherwise, where none is asked for", everybody, 0, ["bb"] * len(names), 0),
        ("otherwise, which nobody has accepted", Acceptances(), 0, ["bb"] * len(names), len(names)),
        ("not", everybody, None, [], len(names)),
    ):
        found = {
            name: SimpleNamespace(certificate=SimpleNamespace(sha256=one))
            for name, one in zip(names, made, strict=False)
        }
        with _accepted(known), patch("proofs.acceptance.certify", lambda *_, found=found: found):
            said = certificate_differences([result], portfolio, sample=sample)
        yield f"certificates that are made {title}", len(said), complaints


def _texts(claim: str) -> Callable[[list[Obligation]], list[str]]:
    return lambda parts: text_differences(parts, claims={claim})


def _altered(result: ClaimResult) -> Iterator[tuple[str, ClaimResult]]:
    """A result with one thing changed in its first part."""
    first, *others = result.obligations
    worse = Standing.PROVED if first.standing is Standing.AGREED else Standing.AGREED
    opinion = first.opinions[0]
    assert opinion.answer is not None  # it is out of the record
    unknown = replace(opinion, answer=replace(opinion.answer, status="unknown"))
    named = replace(opinion, strategy=replace(opinion.strategy, name="another"))
    optional = replace(opinion, strategy=replace(opinion.strategy, options=(("another", True),)))
    working = replace(opinion, answer=replace(opinion.answer, rlimit=opinion.answer.rlimit + 1))
    denied = replace(first.obligation, assertions=(*first.obligation.assertions, "false"))
    changed = {
        "standing": replace(first, standing=worse),
        "hypotheses": replace(first, hypotheses="not asked"),
        "text": replace(first, obligation=denied),
        **{
            name: replace(first, opinions=(one, *first.opinions[1:]))
            for name, one in (
                ("status", unknown),
                ("strategy", named),
                ("options", optional),
                ("units", working),
            )
        },
    }
    for name, part in changed.items():
        yield name, replace(result, obligations=(part, *others))
    yield "a part less", replace(result, obligations=tuple(others))


# ------------------------------------------------------------------------------------------------ changed records

_Rows = Sequence[dict[str, Any]]


def _of_solvers(**changed: Any) -> Callable[[_Rows], None]:
    return lambda rows: rows[0]["solvers"][0].update(changed)


def _solvers(make: Callable[[list[Any]], list[Any]]) -> Callable[[_Rows], None]:
    return lambda rows: rows[0].update(solvers=make(rows[0]["solvers"]))


def _row(**changed: Any) -> Callable[[_Rows], None]:
    return lambda rows: rows[0].update(changed)


def _swapped(rows: _Rows) -> None:
    one, other = rows[0], rows[1]
    one["certificate"], other["certificate"] = other["certificate"], one["certificate"]


CHANGED: dict[str, tuple[Callable[[_Rows], None], bool]] = {
    "nothing": (lambda rows: None, True),
    "another certificate": (_row(certificate="0" * 64), True),
    "no certificate": (_row(certificate=None), True),
    "the certificate of another one": (lambda rows: rows[0].update(certificate=rows[1]["certificate"]), True),
    "certificates that changed places": (_swapped, True),
    "one opinion": (_solvers(lambda said: said[:1]), True),
    "no opinion": (_solvers(lambda said: []), True),
    "one opinion twice": (_solvers(lambda said: [*said, said[0]]), True),
    "a model besides": (_solvers(lambda said: [*said, {**said[0], "solver": "z3 9", "status": "sat"}]), True),
    "another version of one solver": (_of_solvers(solver="z3 9"), True),
    "another solver": (_of_solvers(solver="nobody 1"), True),
    "a model": (_of_solvers(status="sat"), True),
    "no answer": (_of_solvers(status="unknown"), True),
    "another text": (_row(sha256="0" * 64), True),
    "no file": (_row(file="obligations/none.smt2"), True),
    "another strategy": (_of_solvers(strategy="another"), False),
    "other options": (_of_solvers(options={"another": True}), False),
    "less work": (_of_solvers(units=1), False),
    "another standing": (_row(standing="proved"), True),
    "other hypotheses": (_row(hypotheses="not asked"), False),
    "another seed": (_row(seed=7), False),
    "another claim": (_row(claim="law:2"), False),
}
"""Changes of the first rows of a record, and whether a verification, which compares texts, names them as well."""


@checks.known("changed records", "whatever is changed in the record of proofs is named")
def _tampered(portfolio: Portfolio) -> Iterator[Row]:
    (law,) = find(["law:14"])
    results = [one for time in TIMES for one in prove_claims([law], portfolio, time=time)]
    parts = [part.obligation for one in results for part in one.obligations]
    known = [recorded()[row_id(part)] for part in parts]
    with TemporaryDirectory() as name:
        folder = Path(name)

        def put(rows: _Rows) -> tuple[bool, bool]:
            (folder / RECORD).write_text(json.dumps({"schema": SCHEMA, "obligations": rows}), "utf-8")
            made = certificate_differences(
                results, portfolio, sample=None if rows is swapped else 0, folder=folder
            )
            replayed = differences(results, folder, whole=False)
            texts = text_differences(parts, folder, claims={law.id}, proved=True)
            return bool([*replayed, *made]), bool([*texts, *made])

        (folder / "obligations").mkdir()
        for row in known:
            shutil.copyfile(FOLDER / row["file"], folder / row["file"])
        write(Acceptances().added("a checker", "a signature", [row["certificate"] for row in known]), folder)
        swapped: _Rows = []
        for title, (change, named) in CHANGED.items():
            rows = json.loads(json.dumps(known))
            change(rows)
            swapped = rows if change is _swapped else []
            told = change is not CHANGED["nothing"][0]
            yield f"a record with {title}", put(rows), (told, told and named)
        weak = parts[0].with_axioms((*parts[0].axioms, "join-commutative", "join-associative"))
        rows = [{**known[0], "axioms": list(weak.axioms), "sha256": weak.sha256}, *known[1:]]
        yield "a record with more axioms", put(rows), (True, True)
        (folder / known[0]["file"]).write_text(weak.text, "utf-8", newline="")
        yield "a record and a file with more axioms", put(rows), (True, True)
        (folder / known[0]["file"]).write_text(parts[0].text + "; more", "utf-8", newline="")
        yield "a changed file", put(known), (True, True)


@checks.known("comparison of records", "what broke, grew slower, came or went is named")
def _changes() -> Iterator[Row]:
    rows = dict(list(recorded().items())[:4])
    first = next(iter(rows))
    row = rows[first]
    cheap = {**row, "solvers": [{**each, "units": 30_000} for each in row["solvers"]]}
    dear = {**row, "solvers": [{**each, "units": 90_000} for each in row["solvers"]]}
    less = {name: each for name, each in rows.items() if name != first}
    yield "the same", sum(map(len, changes(rows, rows).values())), 0
    for kind, old, new in (
        ("broke", rows, {**rows, first: {**row, "standing": "unknown"}}),
        ("obsolete", rows, {**rows, first: {**row, "sha256": "0"}}),
        ("slower", {**rows, first: cheap}, {**rows, first: dear}),
        ("added", less, rows),
        ("removed", rows, less),
    ):
        yield kind, bool(changes(old, new)[kind]), True
