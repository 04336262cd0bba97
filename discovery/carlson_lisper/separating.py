"""Laws as tests: the wrong semantics of one or two changed symbols, and which of them a law refutes.

Whether a law fails depends on the definitions of the operators in it alone, so each is judged once for each choice of
these, on a battery of streams: as truth tables, all choices of streams at once, and with every failure replayed by the
executable semantics. That a wrong semantics satisfies a law is tested on the battery, and not proved.
"""

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, reduce
from itertools import combinations, product
from operator import or_
from typing import NamedTuple, TypeAlias

from discovery.carlson_lisper.shared_tables import SharedTables, operators_in
from laws.carlson_lisper.checks.counterexamples import contradicts
from laws.carlson_lisper.claims import EquationClaim
from laws.carlson_lisper.mutations import Change, changes
from laws.standings import Standing
from semantics.carlson_lisper.expressions import BoundValues
from semantics.carlson_lisper.notation import operator_text
from semantics.carlson_lisper.occurrences import Streams
from semantics.carlson_lisper.operators import OPERATORS, Operator, Operators
from semantics.errors import InputError
from smt.carlson_lisper.law_proofs import prove_equation
from smt.solvers.portfolio import Portfolio

ALL_CHOICES = ((0,), (0, 0), (0, 1), (0, 2))  # Times of occurrences over which all choices of streams are tried
AT_RANDOM = ((0, 1, 2), (0, 0, 1), (0, 1, 1), (0, 1, 3), (0, 1, 2, 3), (0, 0, 1, 1), (0, 2, 3, 6))  # … and some
SAMPLED = 11  # The logarithm of the number of those
BOUNDS = range(4)  # The values of symbolic bounds, in ticks


@dataclass(frozen=True, eq=False)
class Meaning:
    """A meaning that changes give an operator, with these changes: of one symbol first, then of two."""

    operator: str
    ways: tuple[Change, ...]
    symbols: int  # how many symbols the least change is; none where nothing is wrong

    @property
    def definition(self) -> Operator:
        """The definition after the least change."""
        return self.ways[0].definition if self.symbols else OPERATORS[self.operator]


COMPARED = (((0, 1, 2, 3), (1, 2, 4, 8, 3, 5, 9, 6, 10, 12)), ((0, 0, 1, 1), (1, 2, 4, 8, 5, 9, 6, 10)))
"""Times, and instances of one or two occurrences there: two definitions that yield the same of streams of these, some
chosen at random, are taken for one."""


def _signature(definition: Operator) -> bytes:
    """What a definition yields on all streams S and T of few instances at up to four times."""
    digest = hashlib.blake2b()
    for tables in _comparing():
        operands = [tables.variables[name] for name in ("S", "T")[: definition.arity]]
        for bound in BOUNDS if definition.bounded else (None,):
            for mask, rows in tables.apply(definition, operands, bound).belongs.items():
                digest.update(f"{bound} {mask} ".encode() + rows.to_bytes(rows.bit_length() // 8 + 1, "little"))
    return digest.digest()


@cache
def _comparing() -> tuple[SharedTables, ...]:
    return tuple(SharedTables(("S", "T"), times, instances, SAMPLED) for times, instances in COMPARED)


@cache
def meanings(operator: str, symbols: int) -> tuple[Meaning, ...]:
    """The meanings that changes of so many symbols at the most give an operator; the first one is the right one."""
    singles = {change.text: change for change in changes(operator)}
    doubles = dict[str, Change]()
    for one in singles.values() if symbols > 1 else ():
        for both in changes(operator, one.text):
            if both.text not in singles and both.text != operator_text(OPERATORS[operator]):
                doubles.setdefault(both.text, replace(both, symbols=2))
    found: dict[bytes, list[Change]] = {_signature(OPERATORS[operator]): []}
    for change in (*singles.values(), *doubles.values()):
        found.setdefault(_signature(change.definition), []).append(change)
    return tuple(
        Meaning(operator, tuple(ways), number and ways[0].symbols) for number, ways in enumerate(found.values())
    )


@dataclass(frozen=True, eq=False)
class Wrong:
    """A wrong semantics: other meanings of one operator or of two."""

    meanings: tuple[Meaning, ...]

    @property
    def texts(self) -> list[str]:
        """The definitions as they read."""
        return [each.ways[0].text for each in self.meanings]

    @property
    def operators(self) -> Operators:
        """All operators, with the right meanings of the others."""
        return {**OPERATORS, **{each.operator: each.definition for each in self.meanings}}

    @property
    def symbols(self) -> int:
        """How many symbols are changed."""
        return sum(each.symbols for each in self.meanings)

    def within(self, operators: Collection[str]) -> tuple[Meaning, ...]:
        """The meanings that are wrong among some operators."""
        return tuple(each for each in self.meanings if each.operator in operators)


@cache
def wrong_semantics(symbols: int) -> tuple[Wrong, ...]:
    """Every wrong semantics of one changed symbol; of two, if there may be, in one operator, then in two; each once."""
    found = [Wrong((each,)) for name in OPERATORS for each in meanings(name, symbols)[1:]]
    found.sort(key=lambda wrong: wrong.symbols)
    single = [wrong.meanings[0] for wrong in found if wrong.symbols == 1]
    pairs = (pair for pair in combinations(single, symbols) if len({each.operator for each in pair}) > 1)
    return (*found, *map(Wrong, pairs))


class Failure(NamedTuple):
    """Streams and bounds for which a law fails; replayed by the executable semantics."""

    streams: Streams
    bounds: BoundValues


Failures: TypeAlias = dict[tuple[str, tuple[Meaning, ...]], Failure]
"""By the id of a law, and the wrong meanings among its operators."""


def battery(names: Sequence[str]) -> Iterator[SharedTables]:
    """The streams on which laws are tried, the smallest first."""
    yield from (SharedTables(names, times) for times in ALL_CHOICES)
    yield from (SharedTables(names, times, sampled=SAMPLED) for times in AT_RANDOM)


def failures(
    laws: Sequence[EquationClaim], semantics: Sequence[Wrong], tell: Callable[[str], object] = lambda _: None
) -> Failures:
    """Where laws fail in wrong semantics, the first failure that the battery has of each.

    `InputError` where a law fails in the right one: it is none.
    """
    names, found = sorted({name for law in laws for name in law.variables}), Failures()
    open_ = {law: dict.fromkeys([(), *(wrong.within(_operators_of(law)) for wrong in semantics)]) for law in laws}
    for tables in battery(names):
        tell(f"{len(tables.times)} occurrences")
        for law, pending in open_.items():
            bounds = [
                dict(zip(law.parameters, each, strict=True)) for each in product(BOUNDS, repeat=len(law.parameters))
            ]
            for key in list(pending):
                failure = _failure(law, key, bounds, tables)
                if failure is not None and not key:
                    remedy = "`remora prove` shows a trace on which it fails."
                    raise InputError(f"{law.statement} does not hold", place=law.id, remedy=remedy)
                if failure is not None:
                    found[law.id, key] = failure
                    del pending[key]
    return found


def _operators_of(law: EquationClaim) -> frozenset[str]:
    return frozenset(operators_in(law.equation.left) + operators_in(law.equation.right))


def _failure(
    law: EquationClaim, wrong: tuple[Meaning, ...], bounds: Sequence[BoundValues], tables: SharedTables
) -> Failure | None:
    tables.operators = Wrong(wrong).operators
    for values in bounds:
        _, rows = tables.judge(law, values)
        if rows:
            streams = tables.streams((rows & -rows).bit_length() - 1)
            if not contradicts(law, streams, values, tables.operators):
                raise AssertionError(f"{law.id} fails on {streams} with {values} in tables alone")
            return Failure(streams, values)
    return None


@dataclass(frozen=True)
class Strength:
    """Strength of laws as tests: which wrong semantics each refutes, on the battery."""

    laws: tuple[EquationClaim, ...]
    semantics: tuple[Wrong, ...]
    failures: Failures

    def failure(self, law: EquationClaim, wrong: Wrong) -> Failure | None:
        """Where a law fails in a wrong semantics, if the battery has it."""
        return self.failures.get((law.id, wrong.within(_operators_of(law))))

    @cached_property
    def refuting(self) -> Mapping[Wrong, tuple[EquationClaim, ...]]:
        """The laws that refute each wrong semantics."""
        return {wrong: tuple(law for law in self.laws if self.failure(law, wrong)) for wrong in self.semantics}

    def satisfying(self, laws: Collection[EquationClaim]) -> list[Wrong]:
        """The wrong semantics that none of some laws refutes."""
        return [wrong for wrong, found in self.refuting.items() if not set(found) & set(laws)]

    @cached_property
    def shortest(self) -> tuple[tuple[EquationClaim, ...], bool]:
        """The fewest laws that refute all that any refutes, and whether there are proved to be no fewer."""
        sets = [
            sum(bool(self.failure(law, each)) << place for place, each in enumerate(self.semantics))
            for law in self.laws
        ]
        places, proved = minimum_cover(sets)
        return tuple(self.laws[place] for place in places), proved


def strength(
    laws: Sequence[EquationClaim], *, symbols: int = 2, tell: Callable[[str], object] = lambda _: None
) -> Strength:
    """Put laws to every wrong semantics of so many changed symbols at the most, one or two."""
    semantics = wrong_semantics(symbols)
    return Strength(tuple(laws), semantics, failures(laws, semantics, tell))


def proved(wrong: Wrong, laws: Sequence[EquationClaim], portfolio: Portfolio) -> dict[EquationClaim, Standing]:
    """How it stands that a wrong semantics satisfies some laws, for all streams; unknown where no proof was found.

    A law without any of its operators says the same as in the right semantics, and is left out.
    """
    concerned = [law for law in laws if wrong.within(_operators_of(law))]
    proofs = {law: prove_equation(law, portfolio, operators=wrong.operators) for law in concerned}
    return {law: Standing.UNKNOWN if proof is None else proof.standing for law, proof in proofs.items()}


class Count(NamedTuple):
    """Count of changes of one kind: texts are right, the same as another of fewer symbols or earlier, or wrong anew."""

    what: str
    texts: int
    right: int
    same: int
    wrong: int


def counts(symbols: int) -> tuple[Count, ...]:
    """How many changes there are of one symbol, of two in one operator and of two in two, and what they mean."""
    texts, right = dict[int, list[int]](), dict[int, list[int]]()
    for n in range(1, symbols + 1):
        some = [[sum(way.symbols == n for way in each.ways) for each in meanings(name, symbols)] for name in OPERATORS]
        texts[n], right[n] = [sum(each) for each in some], [each[0] for each in some]

    def count(what: str, total: int, good: int, kind: tuple[int, int]) -> Count:
        wrong = sum((each.symbols, len(each.meanings)) == kind for each in wrong_semantics(symbols))
        return Count(what, total, good, total - good - wrong, wrong)

    found = [count("one symbol", sum(texts[1]), sum(right[1]), (1, 1))]
    if symbols > 1:
        total, good = (sum(one * other for one, other in combinations(some[1], 2)) for some in (texts, right))
        found.append(count("two of one operator", sum(texts[2]), sum(right[2]), (2, 1)))
        found.append(count("one of each of two operators", total, good, (2, 2)))
    return tuple(found)


MOST_TRIED = 200_000  # So many choices of a cover are looked at before the best so far is taken


def minimum_cover(sets: Sequence[int]) -> tuple[tuple[int, ...], bool]:
    """The places of the fewest sets, given by their bits, that cover what all cover, and whether that is proved.

    By branch and bound: of several covers the first one found; elements that need different sets bound it from below.
    """
    whole = reduce(or_, sets, 0)
    holders = {sum((each >> bit & 1) << place for place, each in enumerate(sets)) for bit in range(whole.bit_length())}
    needed = list[int]()
    for holder in sorted(holders - {0}, key=lambda holder: (holder.bit_count(), holder)):
        if not any(other & holder == other for other in needed):
            needed.append(holder)
    best, tried = tuple(range(len(sets))), 0

    def search(chosen: tuple[int, ...], rest: list[int]) -> None:
        nonlocal best, tried
        tried += 1
        apart, taken = 0, 0
        for holder in rest:
            if not holder & taken:
                apart, taken = apart + 1, taken | holder
        if len(chosen) + apart >= len(best) or tried > MOST_TRIED:
            return
        if not rest:
            best = chosen
            return
        places = [place for place in range(len(sets)) if rest[0] >> place & 1]
        left = {place: [holder for holder in rest if not holder >> place & 1] for place in places}
        for place in sorted(places, key=lambda place: (len(left[place]), place)):
            search((*chosen, place), left[place])

    search((), needed)
    return tuple(sorted(best)), tried <= MOST_TRIED
