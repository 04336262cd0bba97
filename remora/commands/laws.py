"""`remora laws`: the catalogue of claims and the definitions they speak about."""

import click

from laws.claims import Claim, every_claim, every_false_claim, find, stated
from remora.api.claiming.data import claim_data, definitions_data
from remora.terminal import options
from remora.terminal.console import emit, print_table
from remora.terminal.options import FORMAT, NO_SEED, Asked, Result, ends, flag
from semantics.carlson_lisper.notation import relation_text
from semantics.carlson_lisper.restriction import REM

FACTS = ("source", "condition", "reading", "note", "scheme", "rests_on", "trusts", "not_in_dense_time", "expected")
"""The parts of a claim's record that are shown, where there is something in them."""


@click.group(invoke_without_command=True, epilog="\b\nExamples:\n  remora laws\n  remora laws show 14 seq")
@click.pass_context
def laws(context: click.Context) -> None:
    """List and show the laws, theorems and canaries, and the definitions of the operators."""
    if context.invoked_subcommand is None:
        context.invoke(list_claims)


@laws.command("list", epilog="\b\nExamples:\n  remora laws list\n  remora laws list --format json")
@ends(NO_SEED, FORMAT)
def list_claims(asked: Asked) -> Result:
    """List the definitions of the operators and all claims."""
    claims, definitions = (*every_claim(), *every_false_claim()), definitions_data()

    def show() -> None:
        emit("".join(f"  {each['text']}\n" for each in definitions) + "\n")
        rows = [(claim.id, claim.source or "false", stated(claim)) for claim in claims]
        print_table(("id", "source", "statement"), rows)

    records = [claim_data(claim) for claim in claims]
    return Result(None, {"schema": "remora/laws/1", "definitions": definitions, "claims": records}, show)


@laws.command(
    "show",
    short_help="Show claims or operators.",
    epilog="\b\nExamples:\n  remora laws show 14\n  remora laws show seq rem\n  remora laws show theorem:4.6.neg --smt",
)
@click.argument("names", metavar="ID...", nargs=-1, required=True, shell_complete=options.claims)
@flag("--smt", "Also print the obligations as SMT-LIB 2 text.")
@ends(NO_SEED, FORMAT)
def show_claims(asked: Asked) -> Result:
    """Show claims (law:14, a bare number, theorem:4.6.neg) or operators (seq, rem)."""
    known = {each["name"]: each for each in definitions_data()}
    claims = find(name for name in asked.names if name not in known and name != REM.name)
    records = [{**claim_data(claim), "smtlib": _obligations(claim) if asked.smt else []} for claim in claims]

    def show() -> None:
        for name in asked.names:
            if name == REM.name:
                emit(f"{relation_text(REM)}\n  {REM.source}\n")
            elif name in known:
                emit(f"{known[name]['text']}\n  {known[name]['source']}\n")
        for record in records:
            emit(f"{record['id']}: {record['statement']}\n")
            for name in FACTS:
                value, between = record.get(name) or "", "; " if name == "trusts" else ", "
                text = value if isinstance(value, str) else between.join(value)
                emit(f"  {name.replace('in_dense_time', 'dense').replace('_', ' '):9} {text}\n" if text else "")
            emit("".join(f"\n{text.rstrip()}\n" for text in record["smtlib"]))

    shown = [each for name, each in known.items() if name in asked.names]
    return Result(None, {"schema": "remora/laws/1", "definitions": shown, "claims": records}, show)


def _obligations(claim: Claim) -> list[str]:
    from proofs.proving import provable_of

    return [obligation.text for obligation in provable_of(claim).obligations("int")]
