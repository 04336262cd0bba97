"""`remora explore`: all terms up to a size, the laws by which some mean the same, and the account of a pair."""

from collections.abc import Iterator
from contextlib import contextmanager
from string import ascii_uppercase
from typing import Any, get_args

import click

from cluster.session import SparkUnavailable, retrying_master
from discovery.carlson_lisper.accounts import Account, Accounts
from discovery.carlson_lisper.axioms import Axioms, axioms
from discovery.carlson_lisper.exploring import Exploration, explore as explored
from discovery.carlson_lisper.fingerprints import Fingerprinting, locally
from discovery.carlson_lisper.judging import judge_by
from discovery.carlson_lisper.universes import BOUNDS
from laws.carlson_lisper.claims import EquationClaim, everything
from laws.standings import Standing, weakest
from remora import __version__
from remora.api.claiming.data import counterexample_data, picked
from remora.terminal import options
from remora.terminal.console import emit, print_table
from remora.terminal.options import FORMAT, SEED, Asked, Ends, Result, WholeNumber, ends, flag, option
from remora.terminal.progress import waiting
from semantics.carlson_lisper.decisions import RELATION, Level
from semantics.carlson_lisper.expressions import size
from semantics.carlson_lisper.syntax import Equation, parse_equation
from semantics.errors import InputError
from smt.solvers.portfolio import installed

LARGEST, MOST = 11, 5  # The greatest size, and the most variables, that are taken
USUAL = 5  # The size that is explored where nothing asks for another one


@click.command()
@option("--size N", "Terms of at most so many nodes; without it 5, or what the account needs.", WholeNumber(1, LARGEST))
@option("--up-to level", "What is to be the same; without it detection, or what the account's relation says.",
        click.Choice(get_args(Level)))  # fmt: skip
@option("--variables N", "How many variables there are: A, B, …", WholeNumber(1, MOST), default=3)
@option("--bounds N", "How many bounds there are: t and u.", WholeNumber(0, len(BOUNDS)), default=len(BOUNDS))
@flag("--types", "Variables stand for event types, not for any streams.")
@option("--out", "Keep what is known after each size in this folder; with it, go on where it ended.", options.FOLDER)
@option("--master URL", "Have Spark compute what terms mean: local[2], spark://…; without it, this process does.")
@flag("--unaided", "Start from no law: also find those that are known.")
@option("--account EQUATION", "Why the sides of an equation are the same, law by law, or a trace where they are not.")
@flag("--axioms", "Which of all laws the others follow from, what each is needed for, and which are independent.")
@ends(SEED, FORMAT)
def explore(asked: Asked) -> Result:
    """Find the laws by which terms mean the same: all of them up to a size."""
    equation = None if asked.account is None else _asked(asked.account)
    needed = USUAL if equation is None else max(size(equation.left), size(equation.right))
    relation = RELATION["detection"] if equation is None else equation.relation
    level: Level = asked.level or next(each for each in RELATION if RELATION[each] == relation)
    known = [] if asked.unaided else [claim for claim in everything() if isinstance(claim, EquationClaim)]
    with waiting("exploring") as tell, installed() as portfolio, _computing(asked.master) as fingerprint:
        found = explored(
            level, asked.size or needed, judge_by(portfolio, asked.seed), variables=ascii_uppercase[: asked.variables],
            bounds=asked.bounds, types=asked.types, known=known, seed=asked.seed, progress=tell, folder=asked.out,
            fingerprint=fingerprint,
        )  # fmt: skip
    document = {"schema": "remora/explore/1", "remora": __version__, "seed": asked.seed, **exploration_data(found)}
    claims = {claim.id: claim for claim in (*known, *(finding.claim for finding in found.findings))}
    chosen = axioms(found, claims) if asked.axioms else None
    if chosen is not None:
        document["axioms"] = axioms_data(chosen)
    standing, accounts = Standing.UNKNOWN if found.totals.open else Standing.PROVED, list[Account]()
    if equation is not None:
        of_pairs = Accounts(found, {claim.id: claim for claim in known})
        accounts, names = of_pairs.accounts(equation), of_pairs.names(equation)
        standing = weakest(STANDING[account.equal] for account in accounts)
        document["account"] = {"names": names, "orders": [account_data(account) for account in accounts]}

    def show() -> None:
        for account in accounts:
            show_account(account, names)
        if not accounts:
            show_exploration(found)
        if chosen is not None:
            show_axioms(chosen)

    return Result(standing, document, show)


def _asked(text: str) -> Equation:
    """An equation whose account is asked for; `InputError` where no exploration has it."""
    equation = parse_equation(text)
    if equation.relation == "<=":
        remedy = f"Write {Equation(equation.left | equation.right, equation.right, '==')}."
        raise InputError(f"{equation} is an inclusion, no equation", place="--account", remedy=remedy)
    if (nodes := max(size(equation.left), size(equation.right))) > LARGEST:
        remedy = "Larger patterns are compared by `remora equiv` and `remora prove`."
        raise InputError(f"{equation} has a side of {nodes} nodes, above {LARGEST}", place="--account", remedy=remedy)
    return equation


@contextmanager
def _computing(master: str | None) -> Iterator[Fingerprinting]:
    """Whatever computes what terms mean: the workers of Spark, or this process."""
    if master is None:
        yield locally
        return
    from discovery.carlson_lisper.on_spark import on_spark  # which takes a second to import

    try:
        retrying_master(master)
    except ValueError as error:
        raise InputError(str(error), place="--master") from None
    try:
        with on_spark(master) as fingerprint:
            yield fingerprint
    except SparkUnavailable as error:
        raise Ends(Standing.ERROR, str(error)) from error


STANDING = {True: Standing.PROVED, False: Standing.REFUTED, None: Standing.UNKNOWN}
"""The standing of a pair of terms that are the same, told apart, or neither."""


def exploration_data(found: Exploration) -> dict[str, Any]:
    """An exploration as data."""
    return {
        "level": found.level,
        "relation": RELATION[found.level],
        "size": found.table.size,
        "variables": list(found.table.variables),
        "bounds": list(BOUNDS[: found.table.bounds]),
        "types": bool(found.primitive),
        "universes": len(found.table.universes),
        "totals": picked(found.totals, "terms", "classes", "pairs", "equal", "apart", "open"),
        "laws": [
            {**picked(each.claim, "id", "statement"), "primitive": sorted(each.claim.primitive)}
            | {**picked(each, "size", "standing", "reading"), "condition": each.claim.condition}
            for each in found.findings
        ],
    }


def show_exploration(found: Exploration) -> None:
    """Print the totals of an exploration and the laws found."""
    totals, names = found.totals, [*found.table.variables, *BOUNDS[: found.table.bounds]]
    emit(f"Terms of at most {found.table.size} nodes over {', '.join(names)}: {totals.terms:,}\n")
    emit(f"Classes of terms that are the same ({RELATION[found.level]}): {totals.classes:,}\n")
    parts = f"{totals.equal:,} equal by laws, {totals.apart:,} told apart by traces, {totals.open:,} open"
    emit(f"Pairs: {totals.pairs:,}, of which {parts}\n")
    emit(f"Laws found: {len(found.findings)}\n\n" if found.findings else "Laws found: none beside those known\n")
    told = [(each, "; ".join(filter(None, (each.reading, each.claim.condition)))) for each in found.findings]
    rows = [(each.claim.statement, str(each.size), each.standing.value, said) for each, said in told]
    if rows:
        print_table(("law", "size", "standing", "in words"), rows)


def axioms_data(found: Axioms) -> dict[str, Any]:
    """Axioms as data."""
    return {
        **picked(found, "laws", "axioms", "growth"),
        "derived": [{"id": name, "from": list(others)} for name, others in found.derived.items()],
    }


def show_axioms(found: Axioms) -> None:
    """Print axioms, what follows from which of them, and how many a size needs."""
    independent = sum(each.algebra is not None for each in found.axioms)
    emit(f"\nAxioms up to {found.size} nodes: {len(found.axioms)} of {found.laws} laws")
    emit(f"; {independent} are independent of the others, by an algebra of so many elements\n\n")
    rows = [
        (each.id, each.statement, each.first, str(len(each.algebra.elements)) if each.algebra else "-")
        for each in found.axioms
    ]
    print_table(("axiom", "statement", "without it, lost first", "elements"), rows)
    emit("\n" if found.derived else "")
    for name, others in sorted(found.derived.items()):
        emit(f"{name} follows from {', '.join(others)}\n")
    emit("\n")
    rows = [(str(each.size), str(each.axioms), str(len(each.new)), each.first or "-") for each in found.growth]
    print_table(("size", "axioms", "new", "the first that axioms of the smaller size leave out"), rows)


def account_data(account: Account) -> dict[str, Any]:
    """The account of a pair as data."""
    return {
        "equation": str(account.equation),
        "bounds": dict(account.bounds),
        "condition": account.condition,
        "equal": account.equal,
        "steps": None if account.steps is None else [step.data() for step in account.steps],
        "counterexample": counterexample_data(account.counterexample),
    }


def show_account(account: Account, names: dict[str, str]) -> None:
    """Print the account of a pair: the chain of laws, or the trace."""
    others = [f"{own} for {name}" for name, own in {**names, **account.bounds}.items() if name != own]
    where = ", ".join([*others, *([f"where {account.condition}"] if account.condition else [])])
    emit(f"{account.equation}{f', {where}' if where else ''}\n")
    if account.steps is None:
        shown = account.counterexample
        emit("  open: no universe tells them apart, and no proved law joins them\n" if shown is None else "")
        emit("" if shown is None else f"  told apart {shown.summary()}\n")
        return
    emit(f"  equal by laws, in {len(account.steps)} steps\n" if account.steps else "  the same term\n")
    if account.steps:
        rows = [("", str(account.equation.left), "")]
        rows += [("=", str(step.whole), f"{step.claim.id}: {step.claim.statement}") for step in account.steps]
        print_table(("", "term", "by"), rows)
