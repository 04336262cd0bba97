"""Histories that are made for two programs: with the constants and durations of both, and as both of them admit."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from campaigns.bry_eckert.cases import PROFILES, history, with_constants
from campaigns.bry_eckert.planting import VALUES, obeying
from campaigns.choices import Source
from campaigns.histories import Answer, at_bounds, near_values, numbers_in, values_text
from semantics.bry_eckert import checking
from semantics.bry_eckert.denotation import violations
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.terms import NUMBERS, Type
from semantics.bry_eckert.traces import as_declared
from semantics.events import Event, Value

parse = lru_cache(maxsize=64)(checking.parse)
NEAR = 3  # A time among data lies at most so many ticks outside its event, where its declaration says nothing


def written(text: str, tick: str) -> tuple[str, str]:
    """A program as it is printed, and the length of its tick."""
    program = checking.parse(text, tick)
    return str(program), program.tick


def changed(texts: Sequence[str]) -> tuple[frozenset[str], Sequence[str]]:
    """The types that some programs do not derive by the same rules, all where these do not differ; the programs.

    Where only rules differ, these are without what neither reads such a type nor is read by one that does.
    """
    programs = list(map(parse, texts))
    names = frozenset(name for program in programs for name in program.derived)
    differ = frozenset(name for name in names if len({program.rules_of(name) for program in programs}) > 1)
    reads = {(rule.head.type, atom.type) for program in programs for rule in program.rules for atom in rule.read()}
    needed = _closed(_closed(differ, reads), {(read, reader) for reader, read in reads})
    kept = [replace(each, rules=tuple(rule for rule in each.rules if rule.head.type in needed)) for each in programs]
    if len({str(replace(each, rules=())) for each in kept}) == 1 and all(each.rules for each in kept):
        return differ, list(map(str, kept))
    return differ or (names if len({*texts}) > 1 else differ), texts


def _closed(names: frozenset[str], pairs: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Names, and those that come before one of them in a pair, again and again."""
    while more := {one for one, other in pairs if other in names} - names:
        names |= more
    return names


def answer(event: Event) -> Answer:
    """A derived event as an answer."""
    return Answer(event.type, event.start, event.time, values_text(event) or "()")


def history_for(source: Source, texts: Sequence[str]) -> tuple[Event, ...]:
    """A history made for the first of some programs, which all of them admit."""
    programs = list(map(parse, texts))
    constants = list[Value]()

    def noted(value: Value) -> Value:
        constants.append(value)
        return value

    for program in programs:
        with_constants(program.rules, noted)
    numbers = numbers_in(texts)
    unit = 1 if source.chance(50) else max(1, source.one(numbers) // 4)
    profile, values = replace(source.one(tuple(PROFILES.values())), unit=unit), _values(constants)
    events = at_bounds(source, history(source, programs[0], profile, values), numbers, lengths=not profile.points)
    axioms = [axiom for program in programs for axiom in program.axioms]
    known = (each for event in events for each in _known(source, programs, event, values))
    return obeying(axioms, (each for each in known if _declared(programs, each)))


def _values(constants: Iterable[Value]) -> Mapping[Type, Sequence[Value]]:
    """The values of each type: those of other cases, and what is near constants."""
    near = [value for constant in constants for value in near_values(constant)]
    numbers = [value for value in near if isinstance(value, int | float) and not isinstance(value, bool)]
    kinds: Mapping[Type, Callable[[float], Value]] = {"int": int, "float": float}
    found: dict[Type, Sequence[Value]] = {"bool": VALUES["bool"]}
    found["str"] = [*VALUES["str"], *(value for value in near if isinstance(value, str))]
    for type in NUMBERS:
        found[type] = list(dict.fromkeys([*VALUES[type], *map(kinds[type], numbers)]))
    return found


def _known(
    source: Source, programs: Sequence[Program], event: Event, values: Mapping[Type, Sequence[Value]]
) -> Iterator[Event]:
    """The event with the attributes that programs declare alike; none where one derives it, or none declares it."""
    types = [program.declared[event.type] for program in programs if event.type in program.declared]
    if not types or any(event.type in program.derived for program in programs):
        return
    kept = dict[str, Value]()
    for each in (each for type in types for each in type.attributes):
        if any(type.types.get(each.name, each.type) != each.type for type in types):
            kept.pop(each.name, None)
        elif each.is_time:
            within = NEAR if each.within is None else each.within
            kept[each.name] = source.between(max(0, event.start - within), event.time + within)
        else:
            kept[each.name] = event.attributes.get(each.name, source.one(values[each.type]))
    yield event._replace(attributes=kept)


def _declared(programs: Sequence[Program], event: Event) -> bool:
    return all(
        as_declared(event, program.declared[event.type]) for program in programs if event.type in program.declared
    )


def admitted(texts: Sequence[str], events: Sequence[Event]) -> bool:
    """Whether events are as programs declare, and break no axiom of theirs."""
    programs = list(map(parse, texts))
    declared = all(_declared(programs, event) for event in events)
    return declared and not any(any(violations(program, events)) for program in programs)
