"""Traces that are made for two files of profiles: events of their classes, and such as are just not of them."""

from collections.abc import Sequence

from campaigns.choices import Source
from campaigns.histories import Answer, at_bounds, near_values, numbers_in, values_text
from semantics.events import Event, Value
from semantics.hinze_voisard.evaluation import Notification
from semantics.hinze_voisard.profiles import Constraint, EventClass, file_text
from semantics.hinze_voisard.syntax import parse

NAME = "name"  # The attribute of a class that is the type of its events
MOST = 14  # A trace has at most so many events
OTHER = "other"  # The type of an event where classes name none


def written(text: str, tick: str) -> tuple[str, str]:
    """Profiles as they are printed, and the length of their tick."""
    file = parse(text, tick)
    return file_text(file), file.tick


def changed(texts: Sequence[str]) -> tuple[frozenset[str], Sequence[str]]:
    """The names of the profiles that are not the same in all files, with their classes; files with these alone."""
    files = list(map(parse, texts))
    known = [{one.name: file_text(file.only([one.name])) for one in file.profiles} for file in files]
    names = frozenset(name for some in known for name in some if any(each.get(name) != some[name] for each in known))
    return names, [file_text(file.only(names)) for file in files]


def answer(said: Notification) -> Answer:
    """A notification as an answer."""
    name, start, end, found = said.found
    events = tuple((f"{event.type}{values_text(event)}", event.time) for event in found)
    return Answer(name, start, end, said.kind, said.time, events)


def trace_for(source: Source, texts: Sequence[str]) -> tuple[Event, ...]:
    """A trace made for the first of some files, with the names and constants of all of them."""
    files = list(map(parse, texts))
    pools: dict[str, list[Value]] = {NAME: []}
    for one in (one for file in files for each in file.classes.values() for one in _own(each)):
        pool = pools.setdefault(one.attribute, [])
        pool += [near for value in one.values for near in near_values(value) if near not in pool]
    used = [file_class for name in files[0].types() if (file_class := files[0].constraints(name)) is not None]
    numbers = numbers_in(texts)
    time, unit = 0, 1 if source.chance(50) else max(1, source.one(numbers) // 4)
    found, in_turn = list[Event](), bool(used) and source.chance(50)
    for place in range(source.between(2, MOST if source.chance(60) else 4)):
        time += source.below(4) * unit
        values = {name: source.one(pool) for name, pool in pools.items() if pool and source.chance(60)}
        wanted = used[place % len(used)] if in_turn else source.one(used) if used and source.chance(85) else ()
        for one in wanted:
            same = [other for other in wanted if other.attribute == one.attribute]
            fit = [value for value in pools[one.attribute] if all(_holds(other, value) for other in same)]
            values |= {one.attribute: source.one(fit)} if fit else {}
        found.append(Event(str(values.pop(NAME, OTHER)), time, time, values))
    return at_bounds(source, found, numbers, lengths=False)


def _own(given: object) -> Sequence[Constraint]:
    return given.constraints if isinstance(given, EventClass) else ()


def _holds(one: Constraint, value: Value) -> bool:
    return one.holds(Event(str(value) if one.attribute == NAME else "", 0, 0, {one.attribute: value}))
