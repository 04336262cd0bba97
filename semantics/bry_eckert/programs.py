"""Programs of rules, whose parts print as what `semantics.bry_eckert.syntax` reads as the same part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, TypeVar

from semantics.bry_eckert.temporal import Temporal, Timing, pairwise
from semantics.bry_eckert.terms import NOWHERE, Comparison, Constant, Place, Term, Type, Variable, nearest
from semantics.events import Event, Value, quoted

TIME = "time"  # the type of an attribute that is a time, an `int`

BEGINNINGS = frozenset(("tick", "event", "axiom", "within"))
"""Words that begin or go on with something else than a rule; a head of such a name is in quotes."""


@dataclass(frozen=True)
class Attribute:
    """A named attribute; a time (2008, Section 6.1) is at most `within` ticks outside its event, if that is said."""

    name: str
    type: Type
    place: Place = field(default=NOWHERE, compare=False, repr=False)
    is_time: bool = False
    within: int | None = None

    def __str__(self) -> str:
        near = "" if self.within is None else f" within {self.within}"
        return f"{quoted(self.name)}: {TIME if self.is_time else self.type}{near}"


@dataclass(frozen=True)
class EventType:
    """The declaration of an event type; an event takes at most `within` ticks, 0 for points in time, if it is said."""

    name: str
    attributes: tuple[Attribute, ...]
    within: int | None = None
    place: Place = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        near = "" if self.within is None else f" within {self.within}"
        return f"event {quoted(self.name)}({', '.join(map(str, self.attributes))}){near}"

    @cached_property
    def types(self) -> dict[str, Type]:
        """The types by attribute."""
        return {attribute.name: attribute.type for attribute in self.attributes}

    def typed(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The attributes of a derived event in their order; the nearest floats where it says so."""
        return {name: nearest(values[name]) if type == "float" else values[name] for name, type in self.types.items()}

    @cached_property
    def times(self) -> frozenset[str]:
        """The attributes that are times."""
        return frozenset(attribute.name for attribute in self.attributes if attribute.is_time)


@dataclass(frozen=True)
class Atom:
    """An atomic event query: attributes equal constants or variables; positional ones are all, in order."""

    identifier: str
    type: str
    arguments: tuple[tuple[str, Variable | Constant], ...]
    positional: bool = True
    place: Place = field(default=NOWHERE, compare=False, repr=False)

    @property
    def variables(self) -> tuple[str, ...]:
        """Its variables, each once, in the order of the arguments."""
        return tuple(dict.fromkeys(term.name for _, term in self.arguments if isinstance(term, Variable)))

    @property
    def query(self) -> str:
        """The atom without its identifier."""
        parts = (str(term) if self.positional else f"{quoted(name)} = {term}" for name, term in self.arguments)
        return f"{quoted(self.type)}({', '.join(parts)})"

    def in_words(self) -> str:
        """The event type, and what its attributes are: `order with id, quantity = n`."""
        found = ", ".join(name if str(term) == name else f"{quoted(name)} = {term}" for name, term in self.arguments)
        return f"{quoted(self.type)}{f' with {found}' if found else ''}"

    def __str__(self) -> str:
        return f"{self.identifier}: {self.query}"


@dataclass(frozen=True)
class Window:
    """Events accumulated in the window that another event opens: their absence, or all of them (2007, Section 2)."""

    window: str
    mode: Literal["not", "collect"]
    atom: Atom

    def __str__(self) -> str:
        return f"while {self.window}: {self.mode} {self.atom.query}"


@dataclass(frozen=True)
class Aggregate:
    """An aggregate of `semantics.bry_eckert.terms.AGGREGATES` over the tuples of a group."""

    function: str
    variable: str

    def __str__(self) -> str:
        return f"{self.function}({self.variable})"


HeadTerm: TypeAlias = Term | Aggregate


@dataclass(frozen=True)
class Head:
    """Head of a rule: an event type with attributes, and the names that the rule itself gives them, where it does."""

    type: str
    terms: tuple[HeadTerm, ...]
    names: tuple[str | None, ...]

    def __str__(self) -> str:
        named = (
            str(term) if name is None else f"{quoted(name)} = {term}"
            for name, term in zip(self.names, self.terms, strict=True)
        )
        type = f'"{self.type}"' if self.type in BEGINNINGS else quoted(self.type)
        return f"{type}({', '.join(named)})"


BodyPart: TypeAlias = Atom | Timing | Window | Temporal | Comparison

PartT = TypeVar("PartT", Atom, Timing, Window, Comparison)


def _parts(kind: type[PartT]) -> cached_property[tuple[PartT, ...]]:
    return cached_property(lambda rule: tuple(part for part in rule.body if isinstance(part, kind)))


def _windows(mode: str) -> cached_property[tuple[Window, ...]]:
    return cached_property(lambda rule: tuple(window for window in rule.windows if window.mode == mode))


@dataclass(frozen=True)
class Rule:
    """A rule: it derives an event for each way in which its body holds."""

    head: Head
    body: tuple[BodyPart, ...]
    place: Place = field(default=NOWHERE, compare=False, repr=False)

    atoms = _parts(Atom)
    timers = _parts(Timing)
    windows = _parts(Window)
    comparisons = _parts(Comparison)
    absences = _windows("not")
    collections = _windows("collect")

    @property
    def temporal(self) -> tuple[Temporal, ...]:
        """The temporal conditions, those on more than two events that are apart as conditions on each two."""
        return pairwise(part for part in self.body if isinstance(part, Temporal))

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The event identifiers whose intervals the derived event covers: atoms and timers."""
        return (*(atom.identifier for atom in self.atoms), *(timer.into for timer in self.timers))

    @property
    def bound(self) -> frozenset[str]:
        """The variables that atoms outside windows bind."""
        return frozenset(name for atom in self.atoms for name in atom.variables)

    def attributes(self, signature: Sequence[str]) -> tuple[str, ...]:
        """The names of the head's attributes, in its order, for the event type with these attributes."""
        written = tuple(name for name in self.head.names if name is not None)
        return written if len(written) == len(self.head.terms) else tuple(signature)

    def read(self) -> Iterator[Atom]:
        """All atoms, those in windows too."""
        yield from self.atoms
        yield from (window.atom for window in self.windows)

    def __str__(self) -> str:
        return f"{self.head} <- {', '.join(map(str, self.body))}"

    def in_words(self) -> str:
        """The rule in a sentence."""
        parts = []
        for atom in self.atoms:
            article = "an" if atom.type[:1].lower() in "aeiou" else "a"
            parts.append(f"{article} {atom.in_words()} happens ({atom.identifier})")
        parts += [f"{timing.into} is the time from {' to '.join(timing.said)}" for timing in self.timers]
        parts += [f"no {window.atom.in_words()} happens within {window.window}" for window in self.absences]
        parts += [f"each {window.atom.in_words()} within {window.window} is collected" for window in self.collections]
        head = ", ".join(map(str, self.head.terms))
        what = f"{quoted(self.head.type)}{f' with {head}' if head else ''} happens"
        temporal = (part for part in self.body if isinstance(part, Temporal))
        when = "; ".join((*parts, *map(str, temporal), *map(str, self.comparisons)))
        return f"{what}, over the time that covers {' and '.join(self.identifiers)}, when: {when}."


@dataclass(frozen=True)
class Unique:
    """An axiom: at most one event of a type has the same values of some attributes, if it has them (2008, 6.4)."""

    type: str
    attributes: tuple[str, ...]
    line: int = field(default=0, compare=False)

    @property
    def types(self) -> tuple[str, ...]:
        """The event types that it is about."""
        return (self.type,)

    @property
    def atom(self) -> Atom:
        """The query that all events match which have the attributes."""
        return Atom("", self.type, tuple((name, Variable(name)) for name in self.attributes), positional=False)

    def __str__(self) -> str:
        return f"axiom {quoted(self.type)}({', '.join(map(quoted, self.attributes))}) unique"


@dataclass(frozen=True)
class Always:
    """An axiom: any two events that match two atoms, of two types, obey temporal conditions (2008, Section 6.4)."""

    first: Atom
    second: Atom
    conditions: tuple[Temporal, ...]
    line: int = field(default=0, compare=False)

    @property
    def types(self) -> tuple[str, ...]:
        """The event types that it is about."""
        return (self.first.type, self.second.type)

    @property
    def shared(self) -> tuple[str, ...]:
        """The variables that both atoms have."""
        return tuple(name for name in self.first.variables if name in self.second.variables)

    def __str__(self) -> str:
        return f"axiom {self.first}, {self.second} => {', '.join(map(str, self.conditions))}"


Axiom: TypeAlias = Unique | Always  # a condition that a log is believed to fulfil


@dataclass(frozen=True)
class Program:
    """Declarations and rules; checked, with the signatures of declared, then of derived types, after what they read."""

    declared: dict[str, EventType]
    rules: tuple[Rule, ...]
    tick: str = ""
    signatures: Mapping[str, EventType] = field(default_factory=dict, compare=False)
    axioms: tuple[Axiom, ...] = ()

    def __str__(self) -> str:
        head = [f"tick = {self.tick}"] if self.tick else []
        parts = (*self.declared.values(), *self.axioms, *self.rules)
        return "\n".join([*head, *map(str, parts)]) + "\n"

    def __hash__(self) -> int:
        return hash(str(self))

    def united(self, more: Program) -> Program:
        """The rules of two programs, the second of which reads what the first one derives."""
        new = {name: type for name, type in more.declared.items() if name not in self.signatures}
        signatures, axioms = {**self.signatures, **more.signatures}, self.axioms + more.axioms
        return Program({**self.declared, **new}, self.rules + more.rules, self.tick, signatures, axioms)

    def rules_of(self, type: str) -> tuple[Rule, ...]:
        """The rules that derive an event type."""
        return tuple(rule for rule in self.rules if rule.head.type == type)

    @cached_property
    def derived(self) -> tuple[str, ...]:
        """The event types that rules derive, in the order of the text."""
        return tuple(dict.fromkeys(rule.head.type for rule in self.rules))

    @cached_property
    def read(self) -> tuple[str, ...]:
        """The declared event types that rules read."""
        named = {atom.type for rule in self.rules for atom in rule.read()}
        return tuple(name for name in self.declared if name in named)


def by_time(event: Event) -> tuple[Any, ...]:
    """The key of the order of derived events: time, start, type, then their attributes as text."""
    return (event.time, event.start, event.type, tuple(repr(value) for value in event.attributes.values()))
