"""Conjectures, and all streams over a few occurrences, by which tests judge them."""

from itertools import combinations

from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream
from semantics.carlson_lisper.syntax import parse_equation


def conjecture(statement: str, *primitive: str) -> EquationClaim:
    return EquationClaim("conjecture", parse_equation(statement), frozenset(primitive))


def all_streams(occurrences: list[Occurrence]) -> list[Stream]:
    possible = [Instance(c) for n in range(1, len(occurrences) + 1) for c in combinations(occurrences, n)]
    return [frozenset(c) for n in range(len(possible) + 1) for c in combinations(possible, n)]
