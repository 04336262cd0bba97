"""Completions that a shell offers where a value is expected: names of claims, detectors, profiles and the like.

Each function has the signature that click asks for, and imports what it lists only then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import click
from click.shell_completion import CompletionItem

VARIABLE = "_REMORA_COMPLETE"
"""The variable by which a shell asks."""

SHELLS = ("bash", "zsh", "fish")

NO_RELATION = "none"
"""Given for --relation, it means that no relation is tried."""

Items = list[CompletionItem[str]]


def _beginning(incomplete: str, names: Mapping[str, str] | Iterable[str]) -> Items:
    """The names that begin so, with what is known of each."""
    helps = names if isinstance(names, Mapping) else dict.fromkeys(names, "")
    return [CompletionItem(name, help=text) for name, text in helps.items() if name.startswith(incomplete)]


def claims(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """The ids of claims; laws by their bare numbers too, once a digit is there."""
    from laws.carlson_lisper.catalogue import everything
    from laws.carlson_lisper.claims import canaries

    known = {claim.id: claim.statement for claim in (*everything(), *canaries())}
    if incomplete[:1].isdigit():
        known = {name.removeprefix("law:"): text for name, text in known.items() if name.startswith("law:")}
    return _beginning(incomplete, known)


def claims_and_operators(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """The ids of claims and the names of operators."""
    from semantics.carlson_lisper.operators import OPERATORS
    from semantics.carlson_lisper.restriction import REM

    operators = {name: definition.title for name, definition in OPERATORS.items()} | {REM.name: "restriction"}
    return _beginning(incomplete, operators) + claims(context, parameter, incomplete)


def detectors_of_traces(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """The detectors that can be fed as rows come."""
    from detectors.carlson_lisper.catalogue import AUTO, DETECTORS, OF_INTERVALS

    return _beginning(incomplete, dict.fromkeys([AUTO, *DETECTORS, *OF_INTERVALS], ""))


def detectors_of_cases(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """The detectors that can be judged; mutants too, once that word is begun."""
    from detectors.carlson_lisper.catalogue import CATALOGUE

    names = ["all", *CATALOGUE]
    if incomplete.startswith("mutant:"):
        from campaigns.carlson_lisper.mutants import MUTANTS

        names += [f"mutant:{name}" for name in MUTANTS]
    return _beginning(incomplete, names)


def profiles(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """The profiles of cases, each with a weight to change."""
    from campaigns.carlson_lisper.profiles import PROFILES

    return _beginning(incomplete, [f"{name}=1" for name in PROFILES])


def relations(context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """The relations between related cases of the system that is named so far."""
    from campaigns.systems import cases_of
    from semantics.systems import DEFAULT_SYSTEM

    known = cases_of(context.params.get("system") or DEFAULT_SYSTEM).RELATIONS
    return _beginning(incomplete, [*known, NO_RELATION])


def subjects(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """The subjects of the benchmarks, and the tools that they belong to."""
    from benchmarks.throughput import SUBJECTS

    return _beginning(incomplete, [name for one in SUBJECTS for name in (one.tool, one.name)])


def files(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Items:
    """Whatever files there are; the shell knows."""
    return [CompletionItem(incomplete, type="file")]
