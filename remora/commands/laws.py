"""`remora laws`: the catalogue of claims and the definitions they speak about."""

import click

from laws.claims import Claim, stated
from laws.systems import every_claim, every_false_claim, find
from laws.theorems import Theorem
from remora.api.claiming.data import claim_data, definitions_data
from remora.terminal import completion
from remora.terminal.console import emit, print_table
from remora.terminal.options import Result, ends, format_option, no_seed_option
from semantics.carlson_lisper.notation import operator_text, relation_text
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.restriction import REM


@click.group(
    invoke_without_command=True,
    epilog="\b\nExamples:\n"
    "  remora laws\n"
    "  remora laws show 14\n"
    "  remora laws show theorem:4.6.neg\n"
    "  remora laws show seq",
)
@click.pass_context
def laws(context: click.Context) -> None:
    """List and show the laws, theorems and canaries, and the definitions of the operators."""
    if context.invoked_subcommand is None:
        context.invoke(list_claims)


@laws.command("list", epilog="\b\nExamples:\n  remora laws list\n  remora laws list --format json")
@no_seed_option
@format_option
@ends
def list_claims() -> Result:
    """List the definitions of the operators and all claims."""
    claims: tuple[Claim, ...] = (*every_claim(), *every_false_claim())

    def show() -> None:
        emit("".join(f"  {operator_text(definition)}\n" for definition in OPERATORS.values()) + "\n")
        rows = [(claim.id, claim.source or "false", stated(claim)) for claim in claims]
        print_table(("id", "source", "statement"), rows)

    definitions = {"schema": "remora/laws/1", "definitions": definitions_data()}
    return Result(None, {**definitions, "claims": [claim_data(claim) for claim in claims]}, show)


@laws.command(
    "show",
    short_help="Show claims or operators.",
    epilog="\b\nExamples:\n  remora laws show 14\n  remora laws show seq rem\n  remora laws show theorem:4.6.neg --smt",
)
@click.argument("names", metavar="ID...", nargs=-1, required=True, shell_complete=completion.claims_and_operators)
@click.option("--smt", is_flag=True, help="Also print the obligations as SMT-LIB 2 text.")
@no_seed_option
@format_option
@ends
def show_claims(names: tuple[str, ...], smt: bool) -> Result:
    """Show claims (law:14, a bare number, theorem:4.6.neg) or operators (seq, rem)."""
    definitions = [name for name in names if name in OPERATORS or name == REM.name]
    claims = find(name for name in names if name not in definitions)
    texts = {claim.id: _obligations(claim) if smt else [] for claim in claims}

    def show() -> None:
        for name in definitions:
            emit((relation_text(REM) if name == REM.name else operator_text(OPERATORS[name])) + "\n")
            emit(f"  {REM.source if name == REM.name else OPERATORS[name].source}\n")
        for claim in claims:
            emit(f"{claim.id}: {claim.statement}\n")
            facts = {
                "source": claim.source,
                "condition": claim.condition,
                "reading": claim.reading,
                "note": claim.note,
                **(_of_theorem(claim) if isinstance(claim, Theorem) else {}),
                "expected": claim.expected.value,
            }
            emit("".join(f"  {label:10}{text}\n" for label, text in facts.items() if text))
            emit("".join(f"\n{text.rstrip()}\n" for text in texts[claim.id]))

    shown = [data for data in definitions_data() if data["name"] in definitions]
    records = [{**claim_data(claim), "smtlib": texts[claim.id]} for claim in claims]
    return Result(None, {"schema": "remora/laws/1", "definitions": shown, "claims": records}, show)


def _of_theorem(theorem: Theorem) -> dict[str, str]:
    """Remarks of a theorem's record: its scheme, and what the proof depends on."""
    return {
        "scheme": theorem.scheme,
        "rests on": ", ".join(theorem.rests_on),
        "trusts": "; ".join(theorem.trusts),
        "not dense": theorem.dense,
    }


def _obligations(claim: Claim) -> list[str]:
    from proofs.proving import provable_of

    return [obligation.text for obligation in provable_of(claim).obligations("int")]
