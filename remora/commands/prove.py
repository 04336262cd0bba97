"""`remora prove`: unbounded proofs of claims and conjectures, or replayed counterexamples."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from laws.catalogue import AnyClaim, everything, find_claims
from laws.claims import EquationClaim, canaries
from laws.standings import ExitStatus, Standing, as_expected, exit_status
from laws.theorems import Theorem
from proofs.certification import Certified, certify, check, with_certificates
from proofs.names import file_name, row_id
from proofs.proving import carries_over, prove_claims, with_dependencies
from proofs.record import at_revision, changes, differences, recorded
from remora import __version__
from remora.console import (
    emit,
    emit_json,
    message_console,
    output_console,
    print_error,
    print_table,
    print_warning,
    standing_text,
)
from remora.data import JsonObject, canary_data, counterexample_data, obligations_data, result_data, to_json
from remora.files import prepare_folder, write_text
from remora.options import format_option, seed_option
from remora.progress import Progress
from reports.timeline import counterexample_timeline, to_text
from semantics.errors import ExpressionError, InputError
from semantics.syntax import Equation, parse_equation, parse_schema
from smt.portfolio import Portfolio, installed
from smt.prove import ClaimResult
from smt.smtlib import TimeSort

SCHEMA = "remora/prove/1"

_ID = re.compile(r"[0-9]+|[A-Za-z]+:[\w.' -]*|")
_RELATION = re.compile("==|<=|~=|[≡⊆≅]")
_RELATIONS_IN_WORDS = "Write == for the same meaning, <= for inclusion, ~= for the same detections"


@click.command(
    epilog="\b\nExamples:\n"
    "  remora prove                          everything that the source claims\n"
    "  remora prove 14 theorem:4.6 lemma:5.3 some of it, with what it rests on\n"
    "  remora prove 'A + B == B + A'         a conjecture for any expressions A, B\n"
    "  remora prove 'a[t] == a' --primitive a\n"
    "  remora prove 'A + A ~= A'             the same detections\n"
    "  remora prove 6 --time real --out out  over dense time; certificates in out/\n"
    "  remora prove --checker ethos --signature Cpc.eo\n"
    "  remora prove --replay                 does all stand as recorded?\n"
    "  remora prove --diff HEAD~3            what changed in the record since then?\n\n"
    "\b\nRelations: A == B same meaning (Def. 4.1), A <= B inclusion, A ~= B same\n"
    "detections (equal starts and ends after restriction).",
)
@click.argument("claims", metavar="[ID|EQUATION]...", nargs=-1)
@click.option(
    "--primitive",
    default="",
    metavar="A,B",
    help="Identifiers of a conjecture that stand for primitive event types.",
)
@click.option(
    "--time",
    "time_sort",
    type=click.Choice(["int", "real"]),
    default="int",
    show_default=True,
    help="Natural numbers (Def. 3.1) or dense time.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the obligations (SMT-LIB 2), certificates (CPC) and results.json to this folder.",
)
@click.option(
    "--checker",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Have every certificate checked by this Ethos binary; what it accepts is certified.",
)
@click.option(
    "--signature",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The rules that the checker is to use: Cpc.eo of cvc5's sources, of cvc5's own version.",
)
@click.option(
    "--replay", is_flag=True, help="Prove again and compare with the committed record; 1 if it changed."
)
@click.option("--diff", "revision", metavar="REV", help="Compare the record with that of a git revision.")
@click.option(
    "--canaries/--no-canaries", "with_canaries", default=True, help="Refute the false equations too."
)
@seed_option
@format_option
def prove(
    claims: tuple[str, ...],
    primitive: str,
    time_sort: TimeSort,
    out: Path | None,
    checker: Path | None,
    signature: Path | None,
    replay: bool,
    revision: str | None,
    with_canaries: bool,
    seed: int,
    form: str,
) -> None:
    """Prove claims for ALL event streams, or refute them with a trace that was replayed.

    Without arguments: everything that the source claims. Every obligation goes to two solvers, Z3 and cvc5; what both
    prove is agreed. Whatever is asked, known false equations (canaries) are put to the same machinery and must be
    refuted. A claim that is neither proved nor refuted is unknown.
    """
    if revision is not None:
        _only(claims or replay or out or checker, "--diff")
        raise SystemExit(int(_show_changes(revision, form)))
    chosen = with_dependencies(chosen_claims(claims, primitive), everything())
    if out is not None:
        prepare_folder(out)
    with installed() as portfolio, Progress(quiet=form == "json") as progress:
        if replay:
            _only(out or checker or seed, "--replay")
            raise SystemExit(int(_replay(chosen, not claims, portfolio, progress, form)))
        results = _prove(chosen, portfolio, time_sort, seed, progress, "proofs")
        refutations = _prove(
            canaries() if with_canaries else (), portfolio, time_sort, seed, progress, "canaries"
        )
        certified: dict[str, Certified] = {}
        if out is not None or checker is not None:
            results, certified = _certified(results, portfolio, out, checker, signature, progress)
        names = [solver.name for solver in portfolio.solvers]
    missed = [result for result in refutations if result.standing is not Standing.REFUTED]
    rejected = [f"{name}: {why}" for name, why in rejections(certified, asked=checker is not None)]
    status = overall_status(results, missed)
    if rejected and status is ExitStatus.AS_CLAIMED:
        status = ExitStatus.INCONCLUSIVE
    document: JsonObject = {
        "schema": SCHEMA,
        "remora": __version__,
        "solver": " + ".join(names),
        "time": time_sort,
        "seed": seed,
        "exit_status": int(status),
        "claims": [result_data(result) for result in results],
        "obligations": [row for result in results for row in obligations_data(result, certified)],
        "canaries": [canary_data(result) for result in refutations],
        "not_in_dense_time": _left_out(chosen, time_sort),
        "rejected": rejected,
    }
    if out is not None:
        write_results(out, document, (*results, *refutations), certified)
    if form == "json":
        emit_json(document)
    else:
        _print(results, refutations, missed)
        for claim in _left_out(chosen, time_sort):
            message_console().print(f"{claim['id']} does not carry over to dense time: {claim['reason']}")
        for complaint in rejected:
            print_warning(complaint)
    raise SystemExit(int(status))


def _only(others: object, option: str) -> None:
    if others:
        raise InputError(f"{option} stands alone, or with claims where it takes them")


def _left_out(claims: Sequence[AnyClaim], time_sort: TimeSort) -> list[JsonObject]:
    return [
        {"id": claim.id, "reason": claim.dense}
        for claim in claims
        if isinstance(claim, Theorem) and time_sort == "real" and not carries_over(claim)
    ]


def _prove(
    claims: Sequence[AnyClaim],
    portfolio: Portfolio,
    time_sort: TimeSort,
    seed: int,
    progress: Progress,
    stage: str,
) -> list[ClaimResult]:
    carried = [claim for claim in claims if time_sort == "int" or carries_over(claim)]
    with progress.stage(stage, len(carried)) as advance:
        return prove_claims(
            carried, portfolio, time=time_sort, seed=seed, progress=lambda claim: advance(claim.id)
        )


def _certified(
    results: list[ClaimResult],
    portfolio: Portfolio,
    out: Path | None,
    checker: Path | None,
    signature: Path | None,
    progress: Progress,
) -> tuple[list[ClaimResult], dict[str, Certified]]:
    """Write certificates of all proofs and have them checked, if there is a checker."""
    obligations = [part.obligation for result in results for part in result.obligations]
    with progress.stage("certificates", len(obligations)) as advance:
        certified = certify(results, portfolio, advance)
    if checker is None:
        return results, certified
    with tempfile.TemporaryDirectory() as scratch, progress.stage("checker", len(certified)) as advance:
        folder = out or Path(scratch)
        _write_proofs(folder, results, certified)
        certified = check(certified, obligations, folder, checker, signature, advance)
    return with_certificates(results, certified), certified


def rejections(certified: dict[str, Certified], *, asked: bool) -> list[tuple[str, str]]:
    """What has no certificate, and, if a checker was asked, what it did not accept."""
    found = []
    for name, each in certified.items():
        if each.certificate is None:
            found.append((name, f"no certificate: {each.reason}"))
        elif asked and not (each.checked and each.checked.accepted):
            found.append((name, f"not accepted: {each.checked.reason if each.checked else 'not checked'}"))
    return found


def _replay(
    claims: Sequence[AnyClaim], whole: bool, portfolio: Portfolio, progress: Progress, form: str
) -> ExitStatus:
    """Prove again what the record holds, over integer and dense time, and say what is different."""
    recorded()
    results = [
        result
        for time_sort, stage in (("int", "proofs"), ("real", "dense time"))
        for result in _prove(claims, portfolio, time_sort, 0, progress, stage)  # type: ignore[arg-type]
    ]
    found = differences(results, whole=whole)
    if form == "json":
        emit_json({"schema": "remora/replay/1", "same": not found, "differences": found})
    else:
        obligations = sum(len(result.obligations) for result in results)
        emit("".join(f"{line}\n" for line in found) or f"same: {obligations} obligations stand as recorded\n")
    return ExitStatus.REFUTED if found else ExitStatus.AS_CLAIMED


def _show_changes(revision: str, form: str) -> ExitStatus:
    """What changed in the record since a revision; 1 if something broke."""
    found = changes(at_revision(revision), recorded())
    if form == "json":
        emit_json({"schema": "remora/record-diff/1", "since": revision, **found})
    else:
        lines = [f"{kind:9} {line}\n" for kind, names in found.items() for line in names]
        emit("".join(lines) or f"nothing changed since {revision}\n")
    return ExitStatus.REFUTED if found["broke"] else ExitStatus.AS_CLAIMED


def chosen_claims(names: Iterable[str], primitive: str = "") -> tuple[AnyClaim, ...]:
    """The claims that arguments name: ids, equations, or everything if there are none.

    Raises:
        InputError: an id is unknown, an equation cannot be read, or `primitive` names what does not occur.
    """
    listed = {name.strip() for name in primitive.split(",") if name.strip()}
    names = tuple(names)
    chosen: list[AnyClaim] = [] if names else list(everything())
    conjectures = 0
    for name in names:
        if _ID.fullmatch(name.strip()):
            chosen += find_claims([name.strip()])
            continue
        conjectures += 1
        equation = _equation(name)
        claim = EquationClaim(f"conjecture:{conjectures}", equation)
        chosen.append(EquationClaim(claim.id, equation, frozenset(listed & set(claim.variables))))
    used = {name for claim in chosen if isinstance(claim, EquationClaim) for name in claim.variables}
    if listed - used or (listed and not conjectures):
        raise InputError(
            f"--primitive names {', '.join(sorted(listed - used or listed))}, which no conjecture mentions",
            remedy="It lists identifiers of the equations given on the command line.",
        )
    return tuple(chosen)


def _equation(text: str) -> Equation:
    """Read an equation; what almost is one gets the relations explained."""
    if not _RELATION.search(text):
        single = text.find("=")
        if single >= 0:
            raise ExpressionError(
                "= alone is no relation", text, single + 1, remedy=f"{_RELATIONS_IN_WORDS}."
            )
        expression = parse_schema(text)
        raise InputError(
            f"{text!r} is an expression; a claim is an equation between two",
            remedy=f"{_RELATIONS_IN_WORDS}, as in '{expression} == ...'."
            " `remora laws list` names the claims of the catalogue.",
        )
    return parse_equation(text)


def overall_status(results: Iterable[ClaimResult], missed_canaries: Iterable[ClaimResult]) -> ExitStatus:
    """The exit status of a run of proofs: a canary that was not refuted puts the machinery in doubt.

    A canary that is named explicitly is expected to be refuted, and does not fail the run.
    """
    if any(True for _ in missed_canaries):
        return ExitStatus.DISAGREEMENT
    return exit_status(
        Standing.PROVED if as_expected(result.standing, result.claim.expected) else result.standing
        for result in results
    )


def write_results(
    folder: Path, document: JsonObject, results: Iterable[ClaimResult], certified: dict[str, Certified]
) -> None:
    """Write every obligation and certificate as a file and the results next to them, each whole or not at all."""
    _write_proofs(folder, results, certified)
    write_text(folder / "results.json", to_json(document, indent=2) + "\n")


def _write_proofs(folder: Path, results: Iterable[ClaimResult], certified: dict[str, Certified]) -> None:
    for result in results:
        for part in result.obligations:
            write_text(folder / "obligations" / file_name(part.obligation), part.obligation.text)
            found = certified.get(row_id(part.obligation))
            if found is not None and found.certificate is not None:
                path = folder / "certificates" / file_name(part.obligation, "cpc")
                write_text(path, found.certificate.text)


def _print(results: list[ClaimResult], canary_results: list[ClaimResult], missed: list[ClaimResult]) -> None:
    print_table(
        ("id", "standing", "seconds", "rlimit", "statement"),
        [
            (
                result.claim.id,
                standing_text(result.standing.value),
                f"{result.seconds:.3f}",
                f"{sum(part.rlimit for part in result.obligations):,}",
                result.claim.statement,
            )
            for result in results
        ],
        right=("seconds", "rlimit"),
    )
    console = output_console()
    for result in results:
        data = counterexample_data(result.counterexample)
        if data is not None and "trace" in data:
            console.print(f"\n{result.claim.id}")
            console.print(to_text(counterexample_timeline(data), console.width), end="")
        elif result.counterexample is not None:
            console.print(f"\n{result.claim.id}: {result.claim.statement}\n{result.counterexample.summary()}")
        elif result.reason:
            console.print(f"\n{result.claim.id}: {result.reason}")
        for part in result.obligations:
            if result.standing.unbounded and part.hypotheses.startswith("no streams"):
                console.print(f"{part.obligation.id}: {part.hypotheses}")
    counts: dict[str, int] = {}
    for result in results:
        counts[result.standing.value] = counts.get(result.standing.value, 0) + 1
    listed = ", ".join(f"{count} {word}" for word, count in counts.items())
    refuted = len(canary_results) - len(missed)
    canaries_told = (
        f"{refuted} of {len(canary_results)} canaries refuted" if canary_results else "no canaries"
    )
    message_console().print(f"{listed}; {canaries_told}")
    for result in missed:
        print_error(f"{result.claim.id} is false and was not refuted: {result.claim.statement}")
