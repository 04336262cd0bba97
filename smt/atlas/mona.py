"""Laws in settings as formulas of WS1S for MONA, a second opinion on what automata decide for event types.

A trace is a word over a separator at the end of each instant and event types, which stand in their order within it;
which symbol a position has is what the free sets `S`, `A`, `B` and `C` say. An instance is a set of positions. The
definitions of pairs are those of `semantics.atlas.pairs`; no automaton of Remora's own is used.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import get_args

from laws.atlas.cases import Level, assignments
from laws.atlas.cells import LAWS, Cell
from laws.atlas.deciding import Bounded, of_types
from laws.carlson_lisper.claims import EquationClaim
from semantics.atlas.catalogue import SETTINGS, Setting
from semantics.atlas.pairs import Pairs
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation
from smt.atlas.obligations import Formula, Names
from smt.solvers.worker import ran

SECONDS = 20.0
"""The time that MONA may take for a formula."""

PRELUDE = """ws1s;
var2 S, A, B, C;
pred event(var1 p) = p in A | p in B | p in C;
pred before(var1 p, var1 q) = ex1 s: s in S & p <= s & s < q;
pred ends_earlier(var2 X, var2 Y) = before(max X, max Y);
pred follows_intervals(var2 X, var2 Y) = before(max X, min Y);
pred starts_not_later(var2 X, var2 Y) = ~before(min Y, min X);
pred ends_not_later(var2 X, var2 Y) = ~before(max Y, max X);
pred end_together(var2 X, var2 Y) = ends_not_later(X, Y) & ends_not_later(Y, X);
pred last_in(var2 X, var2 Y) = ex1 p: p in Y & p notin X & all1 q: q > p => (q in X <=> q in Y);
pred precedes(var2 X, var2 Y) = ends_earlier(X, Y) | (end_together(X, Y)
  & (before(min X, min Y) | (starts_not_later(X, Y) & starts_not_later(Y, X) & last_in(X, Y))));
pred includes(var2 X, var2 Y) = starts_not_later(X, Y) & ends_not_later(Y, X);
pred apart(var2 X, var2 Y) = X inter Y = empty;
pred closes(var2 X, var1 s) = s in S & max X < s & ~before(max X, s);
pred was(var2 O, var1 s) = ex1 r: r in O & r < s & all1 q: r < q & q < s => q notin S;
pred trace() = A inter B = empty & A inter C = empty & B inter C = empty & S inter (A union B union C) = empty
  & (all1 p: event(p) => ex1 s: s in S & p < s)
  & (all1 p, q: p < q & event(p) & event(q) & ~before(p, q) => (p in A & q notin A) | (p in B & q in C));
"""
"""Words that are traces, and what is said of two sets of positions."""

_COMPARED = {
    "points": "ends_earlier",
    "intervals": "follows_intervals",
    "starts not later": "starts_not_later",
    "ends earlier": "ends_earlier",
    "ends not later": "ends_not_later",
    "end together": "end_together",
    "precedes": "precedes",
    "includes": "includes",
    "apart": "apart",
}


class Monadic:
    """Connectives and quantifiers in the notation of MONA."""

    def all_of(self, *relations: Formula, but: Sequence[Formula] = ()) -> Formula:
        """The conjunction of formulas and of the negations of others."""
        return _formula(
            [*relations, *but],
            lambda said: " & ".join([*said[: len(relations)], *(f"~{each}" for each in said[len(relations) :])]),
        )

    def any_of(self, *relations: Formula) -> Formula:
        """The disjunction."""
        return _formula(relations, " | ".join)

    def exists(self, quantified: Sequence[str], relation: Formula) -> Formula:
        """The formula about the other sets for which there are such sets."""

        def text(terms: Names, depth: int) -> str:
            bound = {name: f"{name}{depth}" for name in quantified}
            return f"(ex2 {', '.join(bound.values())}: {relation.text({**terms, **bound}, depth + 1)})"

        return Formula(tuple(name for name in relation.variables if name not in quantified), text)


def _formula(parts: Sequence[Formula], joined: Callable[[list[str]], str]) -> Formula:
    variables = tuple(sorted({name for each in parts for name in each.variables}))
    return Formula(variables, lambda terms, depth: f"({joined([each.text(terms, depth) for each in parts])})")


class MonadicPairs(Pairs[Formula]):
    """The instances of a setting's operators for event types, as formulas about sets of positions."""

    def __init__(self, setting: Setting) -> None:
        """The pairs of a setting.

        Raises:
            CountingPairs: the setting uses up event by event, or selects by operand.
        """
        super().__init__(Monadic(), setting.clock, setting.pairing)

    def compared(self, name: str) -> Formula:
        """A comparison between `x` and `y`."""
        return Formula(("x", "y"), lambda terms, depth: f"{_COMPARED[name]}({terms['x']}, {terms['y']})")

    def stored(self, left: Formula, right: Formula) -> Formula:
        """The instances `x` of the left that complete nothing when they come."""

        def text(terms: Names, depth: int) -> str:
            sets = (f"L{depth}", f"R{depth}", f"OL{depth}", f"OR{depth}")
            lefts, rights, open_left, open_right = sets
            s, x = f"s{depth}", f"e{depth}"
            arrives = [
                f"(all1 {s}: {s} in {name} <=> (ex2 {x}: {own.text({'x': x}, depth + 1)} & closes({x}, {s})))"
                for name, own in ((lefts, left), (rights, right))
            ]
            opens = [
                f"(all1 {s}: {s} in {own} <=> ({s} in {one} & {s} notin {other} & ~was({others}, {s}))"
                f" | ({s} in S & {s} notin {one} & {s} notin {other} & was({own}, {s})))"
                for own, others, one, other in (
                    (open_left, open_right, lefts, rights),
                    (open_right, open_left, rights, lefts),
                )
            ]
            alone = f"{s} in {lefts} & {s} notin {rights} & ~was({open_right}, {s})"
            kept = f"(ex1 {s}: closes({terms['x']}, {s}) & {alone})"
            return f"(ex2 {', '.join(sets)}: {' & '.join([*arrives, *opens, left.text(terms, depth + 1), kept])})"

        return Formula(("x",), text)

    def of(self, expression: Expression) -> Formula:
        """The instances `x` of an expression over the event types `a`, `b` and `c`.

        Raises:
            Bounded: there is a bound in it.
        """
        if isinstance(expression, Identifier):
            types = expression.name.upper()
            return Formula(("x",), lambda terms, depth: f"(ex1 p: {terms['x']} = {{p}} & p in {types})")
        assert isinstance(expression, Operation)
        if expression.operator == "tim":
            raise Bounded("a bound compares distances")
        left, right = map(self.of, expression.operands)
        match expression.operator:
            case "dis":
                return self.logic.any_of(left, right)
            case "neg":
                inside = self.logic.all_of(right.at("y"), self.compared("includes"))
                return self.logic.all_of(left, but=[self.logic.exists(["y"], inside)])
            case "seq":
                pairs = self.sequence_pairs(left, right)
                return _gathered(pairs) if self.context and self.context.together else _united(pairs)
            case _:
                if self.context and self.context.together:
                    sides = (self._completing(left, right), self._completing(right, left))
                    return self.logic.any_of(*map(_gathered, sides))
                return _united(self.conjunction_pairs(left, right))


def _united(pairs: Formula) -> Formula:
    """The unions `x` of two sets that pair."""

    def text(terms: Names, depth: int) -> str:
        u, v = f"u{depth}", f"v{depth}"
        return f"(ex2 {u}, {v}: {pairs.text({'x': u, 'y': v}, depth + 1)} & {terms['x']} = {u} union {v})"

    return Formula(("x",), text)


def _gathered(pairs: Formula) -> Formula:
    """For each `y` of a pair its union with all `x` that it has."""

    def text(terms: Names, depth: int) -> str:
        y, x, p = f"v{depth}", f"u{depth}", f"p{depth}"
        one = f"(ex2 {x}: {pairs.text({'x': x, 'y': y}, depth + 1)}"
        return f"(ex2 {y}: {one}) & (all1 {p}: {p} in {terms['x']} <=> ({p} in {y} | {one} & {p} in {x}))))"

    return Formula(("x",), text)


def formulas(law: EquationClaim, setting: Setting, level: Level) -> Iterator[str]:
    """Programs of MONA whose formulas are valid if a law holds in a setting for event types, one for each choice.

    Raises:
        Bounded: there is a bound in the law.
        CountingPairs: the setting is beyond automata.
    """
    pairs = MonadicPairs(setting)
    for operands in assignments(law, level):
        left, right = (of_types(side, operands) for side in (law.equation.left, law.equation.right))
        if left != right:
            yield _program(pairs, pairs.of(left), pairs.of(right), law.equation.relation)


def _program(pairs: MonadicPairs, left: Formula, right: Formula, relation: str) -> str:
    def shown(other: Formula) -> Formula:
        if relation != "~=":
            return other
        beside = [pairs.compared("end together"), pairs.compared("starts not later")]
        return pairs.logic.exists(["y"], pairs.logic.all_of(other.at("y"), *beside))

    both = ((left, right), (right, left)) if relation != "<=" else ((left, right),)
    claimed = " & ".join(f"({one.text({'x': 'X'}, 0)} => {shown(other).text({'x': 'X'}, 0)})" for one, other in both)
    return f"{PRELUDE}trace() => all2 X: {claimed};\n"


def installed() -> str | None:
    """Where MONA is on this machine."""
    return shutil.which("mona")


def valid(program: str, mona: str) -> bool | None:
    """Whether the formula of a program is valid; None if MONA does not say so in its time and memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "law.mona"
        path.write_text(program, encoding="ascii")
        printed = ran([mona, "-q", path], seconds=SECONDS).printed
    if "Formula is valid" in printed:
        return True
    return False if "counter-example" in printed or "unsatisfiable" in printed else None


@dataclass(frozen=True)
class Opinions:
    """What MONA says of cells that automata decided.

    Attributes:
        agreed: how many it decides as they do.
        silent: how many it does not decide in its time.
        against: the others.
    """

    agreed: int
    silent: int
    against: tuple[str, ...]


def opinions(cells: Iterable[Cell], mona: str) -> Opinions:
    """What MONA says of the cells that automata decided, for event types that are different or the same."""
    laws, levels = {law.id: law for law in LAWS}, get_args(Level)[:2]
    told = cache(partial(valid, mona=mona))
    said: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for each in cells:
        if each.why == "automata":
            law, setting = laws[each.law], SETTINGS[each.setting]
            asked = (program for level in levels for program in formulas(law, setting, level))
            found = next((other for other in map(told, asked) if other is not True), True)
            said[found].append(f"{each.law} in {each.setting}")
    return Opinions(len(said[True]), len(said[None]), tuple(said[False]))
