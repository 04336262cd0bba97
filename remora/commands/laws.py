"""`remora laws`: the catalogue of claims and the definitions they speak about, and what the laws are worth as tests."""

import click

from laws.carlson_lisper.claims import LISTS, listed
from laws.claims import Claim, every_claim, every_false_claim, find, stated
from laws.standings import Standing
from remora.api.claiming.data import claim_data, definitions_data, plain
from remora.terminal import options
from remora.terminal.console import emit, print_table
from remora.terminal.options import FORMAT, NO_SEED, Asked, Result, ends, flag, option
from remora.terminal.progress import Progress
from semantics.carlson_lisper.notation import relation_text
from semantics.carlson_lisper.restriction import REM

FACTS = ("source", "condition", "reading", "note", "scheme", "rests_on", "trusts", "not_in_dense_time", "expected")
"""The parts of a claim's record that are shown, where there is something in them."""


@click.group(invoke_without_command=True)
@click.pass_context
def laws(context: click.Context) -> None:
    """List and show the laws, theorems and canaries, and the definitions of the operators."""
    if context.invoked_subcommand is None:
        context.invoke(list_claims)


@laws.command("list")
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


@laws.command("show", short_help="Show claims or operators.")
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


@laws.command("strength", short_help="Which wrong semantics the laws refute.")
@option("--laws LIST", "The laws that are put to them.", click.Choice([*LISTS]), default="all")
@option("--symbols", "How many symbols of the definitions are changed at the most.", click.IntRange(1, 2), default=2)
@flag("--prove proving", "Prove that what satisfies all laws of the source does so for all streams.")
@ends(NO_SEED, FORMAT)
def strength(asked: Asked) -> Result:
    """Say what laws are worth as tests: which wrong semantics of the operators they refute."""
    from discovery.carlson_lisper import separating
    from smt.solvers.portfolio import installed

    of_source = listed("source")
    with Progress() as progress:
        with progress.stage("laws", len(separating.ALL_CHOICES + separating.AT_RANDOM)) as advance:
            found = separating.strength(listed(asked.laws), symbols=asked.symbols, tell=advance)
        survivors = found.satisfying(of_source) if set(of_source) <= set(found.laws) else []
        shown = dict[separating.Wrong, dict[str, Standing]]()
        if asked.proving:
            with installed() as portfolio, progress.stage("proofs", len(survivors)) as advance:
                for wrong in survivors:
                    advance(wrong.texts[0])
                    told = separating.proved(wrong, of_source, portfolio)
                    shown[wrong] = {law.id: standing for law, standing in told.items()}
    shortest, minimal = found.shortest
    refuted = {law: [wrong for wrong in found.semantics if found.failure(law, wrong)] for law in found.laws}
    alone = {
        law: sum(set(found.refuting[wrong]) & set(shortest) == {law} for wrong in refuted[law]) for law in shortest
    }
    counts = [count._asdict() for count in separating.counts(asked.symbols)]
    none = [wrong for wrong, laws in found.refuting.items() if not laws]
    document = {
        "schema": "remora/laws-strength/1",
        "laws": [{"id": law.id, "statement": law.statement, "refutes": len(refuted[law])} for law in found.laws],
        "changes": counts,
        "semantics": [
            {"definitions": wrong.texts, "symbols": wrong.symbols, "refuted_by": [law.id for law in laws]}
            | ({"proved": plain(shown[wrong])} if wrong in shown else {})
            for wrong, laws in found.refuting.items()
        ],
        "satisfying": {"source": [wrong.texts for wrong in survivors], "all": [wrong.texts for wrong in none]},
        "shortest": {"laws": [law.id for law in shortest], "minimal": minimal},
    }

    def show() -> None:
        columns = ("changed", "texts", "right", "same", "wrong")
        print_table(columns, [tuple(map(str, count.values())) for count in counts], right=columns[1:])
        wrong, refutable = len(found.semantics), len(found.semantics) - len(none)
        emit(f"\n{wrong} wrong semantics: {refutable} are refuted, {len(none)} satisfy all {len(found.laws)} laws\n")
        if survivors:
            told = [standing for each in shown.values() for standing in each.values()]
            how = f", {sum(each.unbounded for each in told)} of {len(told)} times proved" if told else ", tested"
            emit(f"{len(survivors)} satisfy all {len(of_source)} laws of the source{how}:\n\n")
            for one in survivors:
                by = ", ".join(law.id for law in found.refuting[one]) or "none"
                emit("".join(f"  {text}\n" for text in one.texts) + f"    refuted by {by}\n")
        fewer = "no fewer do" if minimal else "fewer may do"
        emit(f"\nThe shortest list that refutes as many: {len(shortest)} laws; {fewer}.\n\n")
        rows = [(law.id, str(len(refuted[law])), str(alone[law]), stated(law)) for law in shortest]
        print_table(("id", "refutes", "alone", "statement"), rows, right=("refutes", "alone"))
        idle = [law.id for law in found.laws if not refuted[law]]
        emit(f"\nrefute none: {', '.join(idle)}\n" if idle else "")

    return Result(None, document, show)
