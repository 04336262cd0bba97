"""`remora prove`: unbounded proofs of claims and conjectures, or replayed counterexamples."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from laws.carlson_lisper.catalogue import everything
from laws.carlson_lisper.claims import EquationClaim, canaries
from laws.claims import Claim
from laws.standings import ExitStatus, Standing, as_expected, exit_status
from laws.theorems import Theorem
from proofs.certification import Certified, without_certificate
from proofs.proving import carries_over, with_dependencies
from remora import __version__
from remora.api.data import (
    JsonObject,
    canary_data,
    obligations_data,
    result_data,
    to_json,
)
from remora.api.files import prepare_folder
from remora.api.named_claims import chosen_claims
from remora.terminal import completion
from remora.terminal.console import (
    emit_json,
    message_console,
    output_console,
    print_error,
    print_note,
    print_table,
    print_warning,
    standing_text,
)
from remora.terminal.drawing import print_counterexample
from remora.terminal.options import NamedPath, format_option, seed_option
from remora.terminal.progress import Progress
from remora.verification.certificates import (
    by_reason,
    rejections,
    startable,
    with_certificates_made,
    write_proofs,
)
from remora.verification.proofs import prove_shown
from remora.verification.record import replay as replay_record
from remora.verification.record import require_recorded, show_changes
from semantics.atomic_files import write_text
from smt.attempts import ClaimResult
from smt.smtlib import TimeSort
from smt.solvers.portfolio import installed

SCHEMA = "remora/prove/1"

MANY = 8
"""A conjecture of more identifiers is said to take long."""


@click.command(
    epilog="\b\nExamples:\n"
    "  remora prove                          all claims: the source's and our own\n"
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
@click.argument("claims", metavar="[ID|EQUATION]...", nargs=-1, shell_complete=completion.claims)
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
    type=NamedPath(file=False),
    help="Write the obligations (SMT-LIB 2), certificates (CPC) and results.json to this folder.",
)
@click.option(
    "--checker",
    type=NamedPath(),
    help="Have every certificate checked by this Ethos binary; what it accepts is certified.",
)
@click.option(
    "--signature",
    type=NamedPath(folder=False, exists=True),
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

    Without arguments: all claims, those of the source and our own. Every obligation goes to two solvers, Z3 and cvc5;
    what both prove is agreed. Whatever is asked, known false equations (canaries) are put to the same machinery and
    must be refuted. A claim that is neither proved nor refuted is unknown.
    """
    if revision is not None:
        _stands_alone("--diff", {"revision", "form"})
        raise SystemExit(int(show_changes(revision, form)))
    if replay:
        _stands_alone("--replay", {"replay", "claims", "form"})
    if signature is not None and checker is None:
        raise click.UsageError("--signature says which rules a checker is to use; name one with --checker.")
    program = None if checker is None else startable(checker)
    chosen = with_dependencies(chosen_claims(claims, primitive), everything())
    if replay:
        require_recorded(chosen)
    if out is not None:
        prepare_folder(out)
    for conjecture in chosen:
        if isinstance(conjecture, EquationClaim) and len(conjecture.variables) > MANY:
            print_note(
                f"{conjecture.id} has {len(conjecture.variables)} identifiers; the search grows quickly with"
                " their number and may take minutes"
            )
    with installed() as portfolio, Progress() as progress:
        if replay:
            stages: dict[TimeSort, str] = {"int": "proofs", "real": "dense time"}
            status = replay_record(
                lambda time: prove_shown(chosen, portfolio, progress, stages[time], time=time),
                form,
                whole=not claims,
            )
            raise SystemExit(int(status))
        results = prove_shown(chosen, portfolio, progress, "proofs", time=time_sort, seed=seed)
        refutations = prove_shown(
            canaries() if with_canaries else (), portfolio, progress, "canaries", time=time_sort, seed=seed
        )
        certified: dict[str, Certified] = {}
        lacking: list[tuple[str, str]] = []
        if out is not None or program is not None:
            results, certified = with_certificates_made(results, portfolio, out, program, signature, progress)
            lacking = [
                (name, f"no certificate: {why}") for name, why in without_certificate(results, certified)
            ]
        names = [solver.name for solver in portfolio.solvers]
    missed = [result for result in refutations if result.standing is not Standing.REFUTED]
    rejected = rejections(certified, asked=program is not None)
    if program is not None:
        rejected, lacking = [*rejected, *lacking], []
        if not any(each.checked for each in certified.values()):
            rejected.insert(0, ("--checker", "nothing was checked"))
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
        "rejected": [f"{name}: {why}" for name, why in rejected],
        "without_certificate": [f"{name}: {why}" for name, why in lacking],
    }
    if out is not None:
        write_results(out, document, (*results, *refutations), certified)
    if form == "json":
        emit_json(document)
    else:
        _print(results, refutations, missed)
        for claim in _left_out(chosen, time_sort):
            message_console().print(f"{claim['id']} does not carry over to dense time: {claim['reason']}")
        for complaint in (*by_reason(rejected), *by_reason(lacking)):
            print_warning(complaint)
    raise SystemExit(int(status))


def _stands_alone(option: str, meaningful: Collection[str]) -> None:
    """Refuse what was given beside an option that has no use for it.

    Raises:
        click.UsageError: something else than the meaningful parameters was given.
    """
    context = click.get_current_context()
    given = [
        parameter.make_metavar(context)
        if isinstance(parameter, click.Argument)
        else "/".join((*parameter.opts, *parameter.secondary_opts))
        for parameter in context.command.params
        if parameter.name not in meaningful
        and context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    ]
    if given:
        raise click.UsageError(f"{option} has no use for {', '.join(given)}. {_ALONE[option]}")


_ALONE = {
    "--replay": "It proves again what the record holds, over integer and dense time and with the record's seed.",
    "--diff": "It compares the whole record with that of a revision, and proves nothing.",
}


def _left_out(claims: Sequence[Claim], time_sort: TimeSort) -> list[JsonObject]:
    return [
        {"id": claim.id, "reason": claim.dense}
        for claim in claims
        if isinstance(claim, Theorem) and time_sort == "real" and not carries_over(claim)
    ]


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
    write_proofs(folder, results, certified)
    write_text(folder / "results.json", to_json(document, indent=2) + "\n")


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
        if result.counterexample is not None:
            print_counterexample(result.claim, result.counterexample)
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
