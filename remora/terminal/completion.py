"""Completions that a shell offers where a value is expected: names of claims, detectors, profiles and the like."""

from collections.abc import Callable, Sequence
from pkgutil import resolve_name
from typing import TypeAlias

import click
from click.shell_completion import CompletionItem

VARIABLE = "_REMORA_COMPLETE"  # The variable by which a shell asks

SHELLS = ("bash", "zsh", "fish")

NO_RELATION = "none"  # Given for --relation, it means that no relation is tried

Items: TypeAlias = list[CompletionItem[str]]


def _keys(*places: str, more: Sequence[str] = (), form: str = "{}") -> Callable[..., Items]:
    """A callback as click asks for it: the keys of mappings, which are imported only then, written in some form."""

    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
        names = [*more, *(form.format(key) for place in places for key in resolve_name(place))]
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]

    return complete


def claims(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """The ids of claims; laws by their bare numbers too, once a digit is there."""
    from laws.systems import every_claim, every_false_claim

    known = {claim.id: claim.statement for claim in (*every_claim(), *every_false_claim())}
    if incomplete[:1].isdigit():
        known = {name.removeprefix("law:"): text for name, text in known.items() if name.startswith("law:")}
    return [CompletionItem(name, help=text) for name, text in known.items() if name.startswith(incomplete)]


_operators = _keys("semantics.carlson_lisper.operators:OPERATORS", more=("rem",))
_judged = _keys("detectors.carlson_lisper.catalogue:CATALOGUE", more=("all",))
_mutants = _keys("campaigns.carlson_lisper.mutants:MUTANTS", form="mutant:{}")

detectors_of_traces = _keys(
    "detectors.carlson_lisper.catalogue:DETECTORS", "detectors.carlson_lisper.catalogue:OF_INTERVALS", more=("auto",)
)
"""The detectors that can be fed as rows come."""

profiles = _keys("campaigns.carlson_lisper.profiles:PROFILES", form="{}=1")
"""The profiles of cases, each with a weight to change."""


def claims_and_operators(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """The ids of claims and the names of operators."""
    return _operators(context, parameter, incomplete) + claims(context, parameter, incomplete)


def detectors_of_cases(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """The detectors that can be judged; mutants too, once that word is begun."""
    return (_mutants if incomplete.startswith("mutant:") else _judged)(context, parameter, incomplete)


def relations(context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """The relations between related cases of the system that is named so far."""
    from campaigns.systems import cases_of
    from semantics.systems import DEFAULT_SYSTEM

    names = [*cases_of(context.params.get("system") or DEFAULT_SYSTEM).RELATIONS, NO_RELATION]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def files(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """Whatever files there are; the shell knows."""
    return [CompletionItem(incomplete, type="file")]
