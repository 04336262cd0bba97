"""The key of a program: by event type the attribute whose values never meet in an answer.

Where all atoms of a rule, those in windows too, have one variable in common, and its head has it too, events with
different values of it never contribute to the same answer. The attributes have to fit from rule to rule: an event type
has one key, as an answer and wherever it is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from semantics.bry_eckert.programs import Axiom, Program, Rule, Unique
from semantics.bry_eckert.terms import Variable

Keys = Mapping[str, str]
"""By event type the attribute that is its key."""


def shared_keys(program: Program) -> Keys | None:
    """The key of each event type that rules read or derive; None where there is none for all of them.

    Of several, that with which most axioms can be looked after.
    """
    found = max(
        _keys(program, program.rules, {}),
        key=lambda keys: sum(within_key(axiom, keys) for axiom in program.axioms),
        default=None,
    )
    if found is None or len({program.signatures[type].types[name] for type, name in found.items()}) != 1:
        return None  # a variable that joins an int with a float equates values that are written differently
    return found


def within_key(axiom: Axiom, keys: Keys) -> bool:
    """Whether events that break an axiom together have the same key."""
    if isinstance(axiom, Unique):
        return keys.get(axiom.type) in axiom.attributes
    first, second = (
        dict(atom.arguments).get(keys.get(atom.type, "")) for atom in (axiom.first, axiom.second)
    )
    return first is not None and first == second


def _keys(program: Program, rules: Sequence[Rule], chosen: dict[str, str]) -> Iterator[dict[str, str]]:
    """All keys of the types of some rules that agree with those that are chosen."""
    if not rules:
        yield chosen
        return
    rule, *rest = rules
    for variable in dict.fromkeys(name for atom in rule.atoms for name in atom.variables):
        for keys in _of_atoms(program, rule, Variable(variable), chosen):
            yield from _keys(program, rest, keys)


def _of_atoms(
    program: Program, rule: Rule, variable: Variable, chosen: dict[str, str]
) -> Iterator[dict[str, str]]:
    """The keys with which every atom of a rule and its head have a variable as their key."""
    names = rule.attributes(tuple(program.signatures[rule.head.type].types))
    places = [(rule.head.type, tuple(zip(names, rule.head.terms, strict=True)))]
    places += [(atom.type, atom.arguments) for atom in rule.read()]
    found = [chosen]
    for type, arguments in places:
        attributes = [name for name, term in arguments if term == variable]
        found = [
            {**keys, type: name} for keys in found for name in attributes if keys.get(type, name) == name
        ]
    yield from found
