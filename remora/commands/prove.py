"""`remora prove`: unbounded proofs of claims and conjectures, or replayed counterexamples."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import click

from laws.claims import Claim, EquationClaim, canaries, catalogue, find
from laws.standings import ExitStatus, Standing, exit_status
from proofs.record import file_name
from remora import __version__
from remora.console import (
    emit_json,
    message_console,
    output_console,
    print_error,
    print_table,
    standing_text,
)
from remora.data import JsonObject, canary_data, counterexample_data, obligations_data, result_data, to_json
from remora.files import prepare_folder, write_text
from remora.options import format_option, seed_option
from remora.progress import Progress
from reports.timeline import counterexample_timeline, to_text
from semantics.errors import ExpressionError, InputError
from semantics.syntax import Equation, parse_equation, parse_schema
from smt.prove import ClaimResult
from smt.prove import prove as prove_claim
from smt.smtlib import TimeSort
from smt.solver import Z3

SCHEMA = "remora/prove/1"

_ID = re.compile(r"[0-9]+|[A-Za-z]+:[\w.' -]*|")
_RELATION = re.compile("==|<=|~=|[≡⊆≅]")
_RELATIONS_IN_WORDS = "Write == for the same meaning, <= for inclusion, ~= for the same detections"


@click.command(
    epilog="\b\nExamples:\n"
    "  remora prove                          all laws and theorems\n"
    "  remora prove 14 theorem:4.6           some of them\n"
    "  remora prove 'A + B == B + A'         a conjecture for any expressions A, B\n"
    "  remora prove 'a[t] == a' --primitive a\n"
    "  remora prove 'A + A ~= A'             the same detections\n"
    "  remora prove 6 --time real --out out  over dense time, SMT-LIB 2 in out/\n\n"
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
    help="Write the obligations (SMT-LIB 2) and results.json to this folder.",
)
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
    with_canaries: bool,
    seed: int,
    form: str,
) -> None:
    """Prove claims for ALL event streams, or refute them with a trace that was replayed.

    Without arguments: every law and theorem. Whatever is asked, known false equations (canaries) are put to
    the same machinery and must be refuted. A claim that is neither proved nor refuted is unknown.
    """
    chosen = chosen_claims(claims, primitive)
    if out is not None:
        prepare_folder(out)
    solver = Z3()
    checked = canaries() if with_canaries else ()
    with Progress(quiet=form == "json") as progress:
        results = _prove_all(chosen, solver, time_sort, seed, progress, "proofs")
        canary_results = _prove_all(checked, solver, time_sort, seed, progress, "canaries")
    missed = [result for result in canary_results if result.standing is not Standing.REFUTED]
    status = overall_status(results, missed)
    document: JsonObject = {
        "schema": SCHEMA,
        "remora": __version__,
        "solver": solver.name,
        "time": time_sort,
        "seed": seed,
        "exit_status": int(status),
        "claims": [result_data(result) for result in results],
        "obligations": [row for result in results for row in obligations_data(result)],
        "canaries": [canary_data(result) for result in canary_results],
    }
    if out is not None:
        write_results(out, document, (*results, *canary_results))
    if form == "json":
        emit_json(document)
    else:
        _print(results, canary_results, missed)
    raise SystemExit(int(status))


def chosen_claims(names: Iterable[str], primitive: str = "") -> tuple[Claim, ...]:
    """The claims that arguments name: ids, equations, or everything if there are none.

    Raises:
        InputError: an id is unknown, an equation cannot be read, or `primitive` names what does not occur.
    """
    listed = {name.strip() for name in primitive.split(",") if name.strip()}
    names = tuple(names)
    chosen: list[Claim] = [] if names else list(catalogue())
    conjectures = 0
    for name in names:
        if _ID.fullmatch(name.strip()):
            chosen += find([name.strip()])
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


def _prove_all(
    claims: tuple[Claim, ...], solver: Z3, time_sort: TimeSort, seed: int, progress: Progress, stage: str
) -> list[ClaimResult]:
    results = []
    with progress.stage(stage, len(claims)) as advance:
        for claim in claims:
            advance(claim.id)
            results.append(prove_claim(claim, solver, time=time_sort, seed=seed))
    return results


def overall_status(results: Iterable[ClaimResult], missed_canaries: Iterable[ClaimResult]) -> ExitStatus:
    """The exit status of a run of proofs: a canary that was not refuted puts the machinery in doubt.

    A canary that is named explicitly is expected to be refuted, and does not fail the run.
    """
    if any(True for _ in missed_canaries):
        return ExitStatus.DISAGREEMENT
    return exit_status(
        Standing.PROVED if result.standing is result.claim.expected else result.standing for result in results
    )


def write_results(folder: Path, document: JsonObject, results: Iterable[ClaimResult]) -> None:
    """Write every obligation as a file and the results next to them, each file whole or not at all."""
    for result in results:
        for part in result.obligations:
            write_text(folder / "obligations" / file_name(part.obligation.id), part.obligation.text)
    write_text(folder / "results.json", to_json(document, indent=2) + "\n")


def _print(results: list[ClaimResult], canary_results: list[ClaimResult], missed: list[ClaimResult]) -> None:
    print_table(
        ("id", "standing", "seconds", "rlimit", "statement"),
        [
            (
                result.claim.id,
                standing_text(result.standing.value),
                f"{result.seconds:.3f}",
                f"{sum(part.answer.rlimit for part in result.obligations):,}",
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
            if part.standing is Standing.PROVED and part.hypotheses != "satisfiable":
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
