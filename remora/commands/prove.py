"""`remora prove` and `test`: unbounded proofs of claims and conjectures, replayed counterexamples, checks by cases."""

from collections import Counter
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any, get_args

import click
from rich.text import Text

from laws.carlson_lisper.checks.counterexamples import Counterexample
from laws.carlson_lisper.claims import LISTS, EquationClaim, chosen_claims, listed
from laws.claims import every_claim, every_false_claim, false_beside, stated
from laws.standings import Standing, weakest
from laws.theorems import Theorem
from proofs import record
from proofs.proving import with_dependencies
from remora import __version__
from remora.api.arguments import prepare_folder
from remora.api.claiming.claims import Proof, checkable, checked
from remora.api.claiming.data import claim_data, outcomes_data
from remora.terminal import console, options
from remora.terminal.console import emit, output_aside, output_console, print_note, print_table, print_timeline
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import FORMAT, SEED, Asked, Result, ends, flag, option
from remora.terminal.progress import Progress
from remora.verification.proofs import ProofRun, by_reason, prove_certified, prove_shown, startable, write_proofs
from reports.drawing.layout import Timeline
from semantics.atomic_files import to_json, write_text
from semantics.carlson_lisper.decisions import Level
from semantics.carlson_lisper.expressions import Identifier
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.errors import InputError
from smt.attempts import ClaimResult
from smt.solvers.portfolio import installed

CLAIMS = click.argument("claims", metavar="[ID|EQUATION]...", nargs=-1, shell_complete=options.claims)
PRIMITIVE = option("--primitive A,B", "Identifiers of a conjecture that stand for primitive event types.", default="")


@click.command()
@CLAIMS
@PRIMITIVE
@option("--time", "Natural, dense, or both.", click.Choice(["int", "real", "both"]), default="int")
@option("--out", "Write obligations, certificates and results.json to this folder.", options.FOLDER)
@options.CHECKER
@options.SIGNATURE
@flag("--replay", "Prove again and compare with the committed record; 1 if it changed.")
@option("--diff revision REV", "Compare the record with that of a git revision.")
@flag("--believed", "Print what the proofs rest on that is not proved; prove nothing.")
@option("--canaries/--no-canaries with_canaries", "Refute the false equations too.", default=True)
@ends(SEED, FORMAT)
def prove(asked: Asked) -> Result:
    """Prove claims for ALL event streams, or refute them with a trace that was replayed."""
    if asked.believed:
        _stands_alone("believed", "form")
        return _believed()
    if asked.revision is not None:
        _stands_alone("diff", "revision", "form")
        return _changes(asked.revision)
    if asked.replay:
        _stands_alone("replay", "claims", "form")
    times, out = record.TIMES if asked.time == "both" else (asked.time,), asked.out
    program = startable(asked.checker, asked.signature)
    chosen = with_dependencies(chosen_claims(asked.claims, asked.primitive), every_claim())
    known = {claim.id for claim in every_claim()}
    if out is not None:
        prepare_folder(out)
    if asked.replay:
        for claim in (claim for claim in chosen if claim.id not in known):
            remedy = "--replay proves again what the source claims; `remora laws list` names it all."
            raise InputError(f"the record has nothing of {claim.id}, {claim.statement}", remedy=remedy)
        record.recorded()  # an error where there is no record
    goes_on(again)
    with installed() as portfolio, Progress() as progress:
        if asked.replay:
            results = prove_shown(chosen, portfolio, progress, "proofs")
            results += prove_shown(chosen, portfolio, progress, "dense time", time="real")
            found = record.differences(results, whole=not asked.claims)
            return _replayed([*found, *record.certificate_differences(results, portfolio)], results)
        false = () if not asked.with_canaries else false_beside(chosen) if asked.claims else every_false_claim()
        checking = {"out": out, "checker": program, "signature": asked.signature}
        run = prove_certified(chosen, false, portfolio, progress, times=times, seed=asked.seed, **checking)
    obligations = [part.obligation for result in run.results for part in result.obligations]
    named = {result.claim.id for result in run.results} & known if asked.claims else None
    lost = record.gone(obligations, claims=named, times=times)
    document = {"schema": "remora/prove/1", "remora": __version__, **run.data()}
    if out is not None:
        write_proofs(out, (*run.results, *run.canaries), run.certified)
        write_text(out / "results.json", to_json(document, indent=2) + "\n")
    for line in lost:
        console.print_error(line)
    return Result(weakest([run.standing, Standing.REFUTED]) if lost else run.standing, document, lambda: _print(run))


def _stands_alone(option: str, *meaningful: str) -> None:
    """Refuse what was given beside an option that has no use for it."""
    for parameter in click.get_current_context().command.params:
        if options.was_given(parameter.name or "") and parameter.name not in (option, *meaningful):
            given = "/".join((*parameter.opts, *parameter.secondary_opts))
            raise click.UsageError(f"--{option} stands alone and has no use for {given}. Leave one of them out.")


def _believed() -> Result:
    text, trusted = resources.files("proofs").joinpath("believed.txt").read_text("utf-8"), dict[str, list[str]]()
    for claim in every_claim():
        for words in claim.trusts if isinstance(claim, Theorem) else ():
            trusted.setdefault(words, []).append(claim.id)
    listed = [{"claims": names, "trusts": words} for words, names in trusted.items()]
    lines = "".join(f"- {', '.join(names)}: {words.rstrip('.')}.\n" for words, names in trusted.items())
    document = {"schema": "remora/believed/1", "text": text, "by_claim": listed}
    return Result(Standing.PROVED, document, lambda: emit(f"{text}\nBy claim:\n\n{lines}"))


def _replayed(found: list[str], results: Sequence[ClaimResult]) -> Result:
    obligations = sum(len(result.obligations) for result in results)
    text = "".join(f"{line}\n" for line in found) or f"same: {obligations} obligations stand as recorded\n"
    document = {"schema": "remora/proof-replay/1", "same": not found, "differences": found}
    return Result(Standing.REFUTED if found else Standing.PROVED, document, lambda: emit(text))


def _changes(revision: str) -> Result:
    if not revision.strip():
        raise InputError("--diff names no revision", remedy="Write one as git does: --diff HEAD~3, --diff main.")
    found = record.changes(record.at_revision(revision), record.recorded())
    text = "".join(f"{kind:9} {line}\n" for kind, names in found.items() for line in names)
    document = {"schema": "remora/record-diff/1", "since": revision, **found}
    standing = Standing.REFUTED if found["broke"] else Standing.PROVED
    return Result(standing, document, lambda: emit(text or f"nothing changed since {revision}\n"))


def _row(result: ClaimResult, run: ProofRun) -> tuple[str | Text, ...]:
    """The row of a claim: with the standing of what a kernel has checked also that of the solvers' obligations."""
    parts, standing = result.obligations, console.standing_text(result.standing.value)
    if result.standing is Standing.KERNEL_CHECKED and parts:
        standing = Text.assemble(standing, ", ", console.standing_text(weakest(part.standing for part in parts).value))
    dense = run.time == "both" and any(part.obligation.time == "real" for part in parts)
    work = f"{sum(part.rlimit for part in parts):,}"
    name = result.claim.id + (" (dense)" if dense else "")
    return name, standing, f"{result.seconds:.3f}", work, stated(result.claim)


def _drawn(name: str, timeline: Timeline | None) -> None:
    if timeline is not None:
        output_console().print(f"\n{name}")
        print_timeline(timeline)


def _print(run: ProofRun) -> None:
    headings = ("id", "standing", "seconds", "rlimit", "statement")
    print_table(headings, [_row(result, run) for result in run.results], right=("seconds", "rlimit"))
    screen, messages = output_console(), console.message_console()
    for result in run.results:
        drawn = Proof(result).timeline()
        _drawn(result.claim.id, drawn)
        if drawn is None and result.reason:
            screen.print(f"\n{result.claim.id}: {result.reason}")
        found, some = result.counterexample, ""
        if isinstance(found, Counterexample) and not result.claim.source:
            some = ",".join(name for name, one in found.substitution.items() if not isinstance(one, Identifier))
        if some:
            print_note(f"{some} may be any expression; what holds of event types is asked with --primitive {some}")
    counts = Counter(result.standing.value for result in run.results)
    refuted = f"{len(run.canaries) - len(run.missed)} of {len(run.canaries)} canaries refuted"
    listed = ", ".join(f"{count} {word}" for word, count in counts.items())
    messages.print(f"{listed}; {refuted if run.canaries else 'no canaries'}")
    for result in run.missed:
        console.print_error(f"{result.claim.id} is false and was not refuted: {result.claim.statement}")
    for claim in run.left_out:
        messages.print(f"{claim.id} is not claimed over dense time: {claim.dense}")
    for complaint in (*by_reason(run.rejected), *by_reason(run.lacking)):
        console.print_warning(complaint)


@click.command()
@CLAIMS
@option("--examples", "How many random cases of each kind.", options.WholeNumber(min=1), default=50)
@option("--laws LIST", "Equations besides the claims that are named.", click.Choice([*LISTS]))
@option(
    "--engine NAME",
    "Put equations to an evaluator of patterns, --laws shortest if none are named: package.module:object, a detector"
    " of the catalogue, 'command: …' or the file of a form.",
    shell_complete=options.detectors,
)
@option(
    "--up-to level", "What of its answers is compared; by default all that they have.", click.Choice(get_args(Level))
)
@PRIMITIVE
@ends(SEED, FORMAT)
def test(asked: Asked) -> Result:
    """Check claims exhaustively up to a stated bound and on random cases; never called a proof."""
    laws = listed(asked.laws) if asked.laws else ()
    if asked.engine is not None:
        with output_aside():
            return _engine_tested(asked, list(laws))
    if asked.level is not None:
        raise click.UsageError("--up-to says what of an engine's answers is compared. Name one with --engine.")
    chosen = (*laws, *(checkable(asked.claims, asked.primitive) if asked.claims or not laws else ()))
    with Progress() as progress, progress.stage("tests", len(chosen)) as advance:
        answers = checked(chosen, asked.examples, asked.seed, advance)
    found = [(each.claim, outcome) for each in answers for outcome in each.outcomes]
    standings = [Standing.PROVED if one.standing is claim.expected else one.standing for claim, one in found]
    document = {
        "schema": "remora/test/1",
        "remora": __version__,
        "seed": asked.seed,
        "examples": asked.examples,
        "exit_status": int(options.status_of(weakest(standings))),
        "claims": [{**claim_data(each.claim), "tests": outcomes_data(each)} for each in answers],
    }

    def show() -> None:
        rows = [
            (claim.id, one.method, console.standing_text(one.standing.value), f"{one.cases:,}", one.bound)
            for claim, one in found
        ]
        print_table(("id", "method", "standing", "cases", "among"), rows, right=("cases",))
        for each in answers:
            _drawn(each.claim.id, each.timeline())

    return Result(weakest(standings), document, show)


def _engine_tested(asked: Asked, chosen: list[EquationClaim]) -> Result:
    from campaigns.carlson_lisper.law_tests import evaluator, law_outcome

    claims = chosen_claims(asked.claims, asked.primitive) if asked.claims else ()
    chosen = [*chosen, *(claim for claim in claims if isinstance(claim, EquationClaim))] or list(listed("shortest"))
    for claim in claims:
        if claim not in chosen:
            remedy = "`remora campaign run` puts detectors to random traces."
            raise InputError(f"{claim.id} is no equation", remedy=remedy)
    engine, laws = evaluator(asked.engine, asked.level, (str(Path.cwd()),)), list[dict[str, Any]]()
    with Progress() as progress, progress.stage("laws", len(chosen)) as advance:
        for claim in chosen:
            advance(claim.id)
            laws.append(law_outcome(claim, engine, cases=asked.examples, seed=asked.seed).data())
    standing = weakest(Standing(law["standing"]) for law in laws)
    document = {
        "schema": "remora/engine-test/1",
        "remora": __version__,
        "seed": asked.seed,
        "examples": asked.examples,
        "engine": engine.name,
        "exit_status": int(options.status_of(standing)),
        "laws": laws,
    }

    def show() -> None:
        standings = {law["id"]: console.standing_text(law["standing"]) for law in laws}
        rows = [(law["id"], standings[law["id"]], f"{law['cases']:,}", law["statement"]) for law in laws]
        print_table(("id", "standing", "cases", "statement"), rows, right=("cases",))
        for law in laws:
            if failure := law.get("failure"):
                values = {**failure["patterns"], **failure["bounds"]}.items()
                trace = " ".join(str(Occurrence(**each)) for each in failure["trace"])
                emit(f"\n{law['id']}: {law['statement']}\n")
                emit(f"  with {', '.join(f'{name} = {value}' for name, value in values)}\n")
                emit(f"  trace: {trace or '(empty)'}\n")
                finds = [f"  finds {answer}" for answer in failure["answers"]] or ["", ""]
                for name, side, found in zip(("left: ", "right:"), failure["sides"], finds, strict=True):
                    emit(f"  {name} {side}{found}\n")
                emit(f"  {failure['detail']}; seed {asked.seed}, case {failure['case']}\n")
        refused = sum(law["refused"] for law in laws)
        emit(f"\n{refused} cases were refused\n" if refused else "")

    return Result(standing, document, show)
