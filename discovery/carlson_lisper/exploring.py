"""Exploration: all terms up to a size, the laws by which some mean the same, and the account of every pair of terms.

Terms that no universe tells apart are joined by laws that are known; what these do not join is put to the solvers as a
new law. A counterexample, or an instance of the law whose sides are told apart, becomes a universe of its own, and the
table is made again. What is neither proved nor refuted stays open, and is listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discovery.carlson_lisper.fingerprints import BINARY, VARIABLE, Fingerprinting, Ids, locally
from discovery.carlson_lisper.runs import Run
from discovery.carlson_lisper.table import Law, Split, Table, forest_root
from discovery.carlson_lisper.universes import (
    BOUNDS,
    CASES,
    OCCURRENCES,
    Planes,
    Universe,
    drawn,
    gathered,
    instances_of,
    universe,
)
from laws.carlson_lisper.checks.counterexamples import Counterexample
from laws.carlson_lisper.checks.exhaustive import smallest_counterexample
from laws.carlson_lisper.claims import EquationClaim
from laws.standings import Standing
from semantics.carlson_lisper.decisions import LEVELS, RELATION, Level
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import (
    BoundExtremum,
    BoundParameter,
    Expression,
    Identifier,
    Operation,
    bottom_up,
    numeric_bounds,
    replaced,
    substitute,
)
from semantics.carlson_lisper.occurrences import interpretation
from semantics.carlson_lisper.syntax import Equation, Relation, parse_equation
from semantics.errors import EnginesDisagree

UNIVERSES = 48  # The universes at the beginning
DERIVED = 3  # Further universes of each one at the beginning, in which variables have streams of terms
DRAWN = 4  # The size of these terms, at most
TELLING = 8  # At most so many cases of a universe tell the same instance of a law false

SAME: Mapping[Relation, str] = {"==": "instances", "[=]": "intervals", "~=": "detections"}
INCLUDED: Mapping[Relation, str] = {
    "==": "every instance of {part} is one of {whole}",
    "[=]": "every interval of {part} is one of {whole}",
    "~=": "when {part} is detected, {whole} is, starting no earlier",
}
"""What the relations say, and what it means that a disjunction is the same as one of its sides."""

Answer: TypeAlias = tuple[Standing, Counterexample | None]
Judge: TypeAlias = Callable[[Sequence[EquationClaim]], Sequence[Answer]]
"""Proves or refutes equations, for all streams."""


@dataclass(frozen=True)
class Finding:
    """A law that was found: the claim, in words of the catalogue, and what is known of it."""

    claim: EquationClaim
    law: Law
    size: int  # of its greater side
    standing: Standing

    @property
    def reading(self) -> str:
        """What the law says, in words: that something never occurs, that one includes the other, or is the same."""
        left, right = self.claim.equation.left, self.claim.equation.right
        match right:
            case Operation("neg", (one, other)) if one == other:
                return f"{left} never occurs"
        match left:
            case Operation("dis", (one, other)) if right in (one, other):
                part, whole = (other, one) if right == one else (one, other)
                return INCLUDED[self.claim.equation.relation].format(part=part, whole=whole)
        return f"{left} and {right} have the same {SAME[self.claim.equation.relation]}"


@dataclass(frozen=True)
class Totals:
    """How many terms there are up to a size, and what is known of their pairs."""

    terms: int
    classes: int
    pairs: int
    equal: int  # pairs of the same class, joined by laws
    apart: int  # pairs that a universe tells apart
    open: int  # pairs that nothing tells apart, and no proved law joins


@dataclass(frozen=True)
class Exploration:
    """All terms up to a size at a level, with the laws that join them, known ones first."""

    level: Level
    table: Table
    laws: tuple[Law, ...]
    findings: tuple[Finding, ...]
    primitive: frozenset[str]
    seed: int
    totals: Totals


def known_laws(claims: Iterable[EquationClaim], level: Level, bounds: int, types: bool) -> list[Law]:
    """The laws of a catalogue that hold at a level, of so many bounds at most; those about event types where asked.

    One whose bound is a number is about no bound of the terms.
    """
    finer = [RELATION[each] for each in LEVELS[: LEVELS.index(level) + 1]]
    return [
        Law(claim.id, claim.equation.left, claim.equation.right, primitive=claim.primitive)
        for claim in claims
        if claim.equation.relation in finer
        and len(claim.parameters) <= bounds
        and (types or not claim.primitive)
        and not any(map(numeric_bounds, (claim.equation.left, claim.equation.right)))
    ]


def explore(
    level: Level,
    size: int,
    judge: Judge,
    *,
    variables: Sequence[str] = ("A", "B", "C"),
    bounds: int = len(BOUNDS),
    types: bool = False,
    known: Iterable[EquationClaim] = (),
    seed: int = 0,
    folder: Path | None = None,
    fingerprint: Fingerprinting = locally,
    progress: Callable[[str], None] = lambda said: None,
) -> Exploration:
    """Explore all terms up to a size at a level; variables stand for any streams, or for event types.

    In a folder it keeps what it knows after each size, and goes on from there when it is asked again.

    Raises:
        EnginesDisagree: what is known or proved fails in a universe, or what is refuted holds in all.
        InputError: the folder is of an exploration with other settings, or damaged.
    """
    primitive = frozenset(variables) if types else frozenset[str]()
    universes = [universe(number, seed, level, variables, primitive) for number in range(UNIVERSES)]
    table = Table(universes, variables, bounds, fingerprint=fingerprint)
    explorer = _Explorer(table, level, judge, primitive, known_laws(known, level, bounds, types))
    run, done = None, 0
    if folder is not None:
        claims = [law_data(law) for law in explorer.laws]
        settings = {"level": level, "variables": list(variables), "bounds": bounds, "types": types, "seed": seed}
        run = Run(folder, {**settings, "known laws": claims})
        run.begin()
        latest = run.latest(size)
        try:
            done = 0 if latest is None else explorer.resume(*latest)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise run.damaged(latest[0] if latest else 0, error) from None
    for each in range(done + 1, size + 1):
        explorer.explore(each, progress)
        if run is not None:
            run.keep(each, *explorer.state())
    return Exploration(level, table, tuple(explorer.laws), tuple(explorer.findings), primitive, seed, totals(table))


class _Explorer:
    """What is known while the sizes are gone through."""

    def __init__(self, table: Table, level: Level, judge: Judge, primitive: frozenset[str], laws: list[Law]) -> None:
        self.table, self.level, self.judge, self.primitive = table, level, judge, primitive
        self.laws, self.findings = laws, list[Finding]()

    def state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """What is known after a size, as arrays and as a document."""
        table, further = self.table, self.table.universes[self.table.first :]
        arrays = {
            **table.state(),
            "universes.intervals": np.array([each.intervals for each in further], np.int64),
            "universes.bounds": np.array([each.bounds for each in further], np.int64),
            "universes.streams": np.array(
                [[each.streams[name][:, 0] for name in table.variables] for each in further], np.uint64
            ),
        }
        findings = [
            {"claim": each.claim.statement, "primitive": sorted(each.claim.primitive), "law": law_data(each.law),
             "size": each.size, "standing": each.standing.value}
            for each in self.findings
        ]  # fmt: skip
        return arrays, {"laws": [law_data(law) for law in self.laws], "findings": findings}

    def resume(self, done: int, arrays: Mapping[str, NDArray[Any]], document: Mapping[str, Any]) -> int:
        """Know what was known after a size, which is given back."""
        parts = (arrays[f"universes.{name}"] for name in ("intervals", "bounds", "streams"))
        self.table.resume(
            arrays,
            [
                Universe(
                    [(start, end) for start, end in intervals.tolist()],
                    bounds.tolist(),
                    {name: stream[:, None] for name, stream in zip(self.table.variables, streams, strict=True)},
                    self.level,
                )
                for intervals, bounds, streams in zip(*parts, strict=True)
            ],
        )
        self.laws = [_law(each) for each in document["laws"]]
        for number, each in enumerate(document["findings"], start=1):
            equation, primitive = parse_equation(each["claim"]), frozenset(each["primitive"])
            claim = EquationClaim(f"found:{number}", equation, primitive)
            self.findings.append(Finding(claim, _law(each["law"]), each["size"], Standing(each["standing"])))
        return done

    def explore(self, size: int, progress: Callable[[str], None]) -> None:
        """Add the terms of a size, find the laws that they need, and make classes of them."""
        table = self.table
        if size == DRAWN + 1 and not self.primitive:
            table.tell(self._derived())
        table.grow(list(enumerate(self.laws)))
        if (wrong := table.false(self.laws)) is not None:
            raise EnginesDisagree(f"{wrong.id} is false, {wrong.left} and {wrong.right}: a universe tells them apart")
        progress(
            f"size {size}: {table.first_row[-1] - table.first_row[-2]:,} rows, {len(table.open_rows):,} not joined"
        )
        undecided: set[tuple[Expression, Expression]] = set()
        while True:
            label, joins = table.label.copy(), len(table.joins)
            new, splits = self._proposed(undecided)
            claims = [self._claim(law) for law in new]
            answers = [] if splits else self.judge(claims)
            refuting = [self._refuting(found) for _, found in answers if found is not None]
            table.label = label
            del table.joins[joins:]
            for law, claim, (standing, found) in zip(new, claims, answers, strict=False):
                if standing.unbounded:
                    claim = self._general(claim)
                    law = replace(law, id=f"found:{len(self.findings) + 1}", primitive=_renamed(claim, law))
                    self.laws.append(law)
                    table.join(len(self.laws) - 1, law)
                elif found is None:
                    undecided.add((law.left, law.right))
                if found is None:
                    self.findings.append(
                        Finding(replace(claim, id=f"found:{len(self.findings) + 1}"), law, size, standing)
                    )
            if splits or refuting:
                progress(f"size {size}: {len(splits) + len(refuting)} refuted")
                table.tell([*self._telling(splits), *refuting])
            elif not new:
                break
        table.settle()
        progress(f"size {size}: {len(table.classes(size)):,} new classes, {len(self.findings)} laws found")

    def _proposed(self, undecided: Set[tuple[Expression, Expression]]) -> tuple[list[Law], list[Split]]:
        """New laws that join what is left, one after the other as each may join more; instances that are false."""
        new, splits = list[Law](), list[Split]()
        for row, other, left, right in self.table.candidates():
            one, two = forest_root(self.table.label, np.array([row, other]))
            if one != two and (left, right) not in undecided:
                law = Law("", left, right, ordered=True, primitive=self.primitive)
                split = self.table.join(len(self.laws) + len(new), law, proved=False)
                new.append(law)
                splits += [] if split is None else [split]
        return new, splits

    def _telling(self, splits: Iterable[Split]) -> list[Universe]:
        """Universes that tell instances of laws false, with what these put for variables as streams.

        A few cases of each universe are of the same instance.
        """
        table, left = self.table, list(splits)
        chosen: dict[tuple[int, tuple[int, int]], list[tuple[Mapping[str, Planes], int]]] = {}
        for number, asked in enumerate(table.universes):
            words = self._refuted_in(left, number)
            for word, split in zip(words, left, strict=True):
                lower, upper = (asked.bounds[split.bounds.get(name, place)] for place, name in enumerate(BOUNDS))
                streams = {
                    name: table.meaning(np.array([split.values[name]]), number) if name in split.values else stream
                    for name, stream in asked.streams.items()
                }
                cases = [(streams, case) for case in range(CASES) if word >> case & 1]
                chosen.setdefault((number, (min(lower, upper), max(lower, upper))), []).extend(cases[:TELLING])
            left = [split for word, split in zip(words, left, strict=True) if not word]
            if not left:
                break
        if left:
            raise EnginesDisagree(f"no universe tells an instance of {left[0].law} false, as fingerprints do")
        return [
            Universe(table.universes[number].intervals, bounds, gathered(found[begin : begin + CASES]), self.level)
            for (number, bounds), found in chosen.items()
            for begin in range(0, len(found), CASES)
        ]

    def _refuted_in(self, splits: Sequence[Split], number: int) -> list[int]:
        """The cases of a universe in which instances of laws are false, as words."""
        rows = list[list[Ids]]()
        for split in splits:
            values = {name: np.array([number]) for name, number in split.values.items()}
            rows.append([self.table.rows_of(side, values, split.bounds) for side in (split.law.left, split.law.right)])
        one, other = np.concatenate(rows, axis=1)
        words: list[int] = self.table.differing(one, other, number).tolist()
        return words

    def _derived(self) -> list[Universe]:
        """Universes in which variables have the streams of terms, other ones in each case, of those there are."""
        table, random = self.table, np.random.default_rng(len(self.table.universes))
        meant = [
            (table.meaning(np.arange(len(table.row_of)), number), each) for number, each in enumerate(table.universes)
        ]
        return [
            Universe(each.intervals, each.bounds, {name: drawn(planes, random) for name in table.variables}, self.level)
            for _ in range(DERIVED)
            for planes, each in meant
        ]

    def _general(self, claim: EquationClaim) -> EquationClaim:
        """A proved claim about event types with as few of them as a proof is found for; the others are any streams."""
        for count in range(len(claim.primitive)):
            fewer = [replace(claim, primitive=frozenset(some)) for some in combinations(sorted(claim.primitive), count)]
            likely = [one for one in fewer if smallest_counterexample(one, max_occurrences=2).counterexample is None]
            for one, (standing, _) in zip(likely, self.judge(likely), strict=True):
                if standing.unbounded:
                    return one
        return claim

    def _claim(self, law: Law) -> EquationClaim:
        """A law in the words of the catalogue: where it needs t <= u, it speaks of min(t, u) and u."""
        names = zip(_names(law.left, law.right), self.table.variables, strict=False)
        renamed = {name: Identifier(other) for name, other in names}
        left, right = (substitute(side, renamed) for side in (law.left, law.right))
        if len(law.parameters) == len(BOUNDS) and not self._holds_swapped(law):
            left, right = ordered(left), ordered(right)
        claim = EquationClaim("found", Equation(left, right, RELATION[self.level]))
        return replace(claim, primitive=frozenset(claim.variables) if law.primitive else law.primitive)

    def _holds_swapped(self, law: Law) -> bool:
        """Whether a law seems to hold with its bounds the other way round."""
        table, swapped = self.table, dict(zip(BOUNDS, (1, 0), strict=True))
        values = {name: np.array([table.variables.index(name)]) for name in law.variables}
        one, other = (table.rows_of(side, values, swapped) for side in (law.left, law.right))
        return bool(table.alike(one, other).all())

    def _refuting(self, found: Counterexample) -> Universe:
        """A universe with the streams of a counterexample, the same in all cases."""
        level, variables = self.level, self.table.variables
        trace = interpretation(found.trace)
        streams = {name: denotation(each, trace) for name, each in found.substitution.items()}
        order = sorted(sorted(found.trace), key=lambda occurrence: occurrence.time)
        if len(order) > OCCURRENCES[level]:
            raise EnginesDisagree(f"a counterexample needs {len(order)} occurrences: {found.summary()}")
        times = [each.time for each in order]
        times += [times[-1] + 1 + extra for extra in range(OCCURRENCES[level] - len(times))]
        masks = instances_of(len(times), level)
        bounds = [found.bounds.get(name) for name in BOUNDS]
        lower = bounds[0] if bounds[0] is not None else bounds[1] or 0
        upper = bounds[1] if bounds[1] is not None else lower
        planes = {}
        for name in variables:
            words = [0] * len(masks)
            for instance in streams.get(name, ()):
                mask = sum(1 << order.index(each) for each in instance.occurrences)
                if level != "meaning":
                    mask = mask & -mask | 1 << (mask.bit_length() - 1)
                words[masks.index(mask)] = (1 << CASES) - 1
            planes[name] = np.array(words, dtype=np.uint64)[:, None]
        return Universe([(time, time) for time in times], (min(lower, upper), upper), planes, level)


def _renamed(claim: EquationClaim, law: Law) -> frozenset[str]:
    """The variables of a law that are event types in the claim, which has names of its own."""
    names = dict(zip(_names(claim.equation.left, claim.equation.right), _names(law.left, law.right), strict=True))
    return frozenset(names[name] for name in claim.primitive)


def _names(*sides: Expression) -> list[str]:
    """The identifiers as they are read, once each."""
    nodes = (node for side in sides for node in bottom_up(side))
    return list(dict.fromkeys(node.name for node in nodes if isinstance(node, Identifier)))


def ordered(side: Expression) -> Expression:
    """A side of an equation that assumes t <= u, in words that assume nothing: it speaks of min(t, u) and u."""
    lower = BoundParameter(BOUNDS[0])
    least = BoundExtremum("min", *map(BoundParameter, BOUNDS))
    return replaced(side, bound=lambda bound: least if bound == lower else bound)


def law_data(law: Law) -> dict[str, Any]:
    """A law as data."""
    equation = str(Equation(law.left, law.right, "=="))
    return {"id": law.id, "equation": equation, "ordered": law.ordered, "primitive": sorted(law.primitive)}


def _law(data: Mapping[str, Any]) -> Law:
    equation = parse_equation(data["equation"])
    return Law(data["id"], equation.left, equation.right, data["ordered"], frozenset(data["primitive"]))


def totals(table: Table) -> Totals:
    """Count the terms, by the number of terms of each size in each class."""
    size, rows = table.size, table.rows
    counts = np.zeros((size + 1, len(table.row_of)))  # whole numbers below 2**53
    unary, binary = rows.operation >= len(BINARY), (rows.operation >= 0) & (rows.operation < len(BINARY))
    for each in range(1, size + 1):
        last = table.first_row[each + 1]
        made = np.where(rows.operation[:last] == VARIABLE, each == 1, 0).astype(float)
        some = np.flatnonzero(unary[:last])
        made[some] = counts[each - 1][rows.left[some]]
        some = np.flatnonzero(binary[:last])
        for part in range(1, each - 1):
            made[some] += counts[part][rows.left[some]] * counts[each - 1 - part][rows.right[some]]
        counts[each] = np.bincount(table.class_of[:last], weights=made, minlength=counts.shape[1])
    by_class = [int(count) for count in counts.sum(axis=0)]
    terms = sum(by_class)
    equal = sum(count * (count - 1) // 2 for count in by_class)
    pairs = terms * (terms - 1) // 2
    by_print: dict[int, list[int]] = {}
    for number, told in enumerate(table.prints):
        by_print.setdefault(int(told), []).append(by_class[number])
    alike = [counts for counts in by_print.values() if len(counts) > 1]
    open_pairs = sum(one * other for counts in alike for one, other in combinations(counts, 2))
    return Totals(terms, len(by_class), pairs, equal, pairs - equal - open_pairs, open_pairs)
