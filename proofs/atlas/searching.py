"""The search for counterexamples of a cell: small traces, automata, longer traces, solvers, composite operands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice

from laws.atlas.cases import GREATER, REMAINING, Level, OperandsOnTrace, cases, greater_cases, longer_cases
from laws.atlas.cells import REASONS, RELATIONS, Cell, firmly, relates, replayed, shrunk
from laws.atlas.deciding import decision, nearby_cases
from laws.carlson_lisper.claims import EquationClaim
from proofs.atlas.proving import agreed, known
from semantics.atlas.catalogue import Setting
from semantics.hinze_voisard.pairing import Listed


def cell(law: EquationClaim, setting: Setting) -> Cell:
    """A law in a setting: proved where that is known, else refuted by the smallest case, decided, or tested."""
    if on_record := known(law, setting):
        return Cell(law.id, setting.name, "proved", on_record)
    chosen = (setting.pairing.anterior, setting.pairing.posterior) if isinstance(setting.pairing, Listed) else ()
    place = max((each for each in chosen if isinstance(each, int)), default=1)
    search = _Search(law, setting)
    levels: tuple[Level, ...] = ("types", "shared")
    for level in levels:
        search.level = level
        search.put(cases(law, level, place))
        search.decide()
        if search.undecided:
            search.put(chain(nearby_cases(law, setting, level), longer_cases(law, level)))
        if search.refutes:
            return search.refuted()
    search.level = "composites"
    search.put(cases(law, "composites", place))
    refuted = search.refutes is not None
    if search.first is None and (proof := agreed(law, setting)):
        return Cell(law.id, setting.name, "proved", proof.why, proof=proof, cases=search.cases)
    search.put(islice(greater_cases(law, place), REMAINING if refuted else GREATER))
    if search.first is not None:
        return search.refuted()
    untold = Cell(law.id, setting.name, "tested", search.why, cases=search.cases)
    return untold if search.why == "counting" else replace(untold, standing="decided")


@dataclass
class _Search:
    """What cases say of a law in a setting.

    Attributes:
        why: why it is decided for event types, if nothing refutes it; a key of `REASONS`.
        undecided: whether automata leave open whether it holds for the operands of the level, or are contradicted.
        first: the first case on which the sides differ, made small.
        refutes: the first one on which they differ in every order of ties.
        lost: the relations that do not remain.
    """

    law: EquationClaim
    setting: Setting
    level: Level = "types"
    cases: int = 0
    why: str = ""
    undecided: bool = False
    first: Cell | None = None
    refutes: Cell | None = None
    lost: set[str] = field(default_factory=set)

    def put(self, found: Iterable[OperandsOnTrace], *, all_of_them: bool = False) -> None:
        """Compare both sides on cases until they differ in every order of ties, and nothing remains."""
        for case in found:
            if self.refutes and len(self.lost) == len(RELATIONS) and not all_of_them:
                return
            self.cases += 1
            sides = replayed(self.law, self.setting, case)
            if sides[0] != sides[1]:
                self.lost |= {name for name in RELATIONS if not relates(name, *sides)}
                if not relates(self.law.equation.relation, *sides):
                    self._keep(case)

    def _keep(self, case: OperandsOnTrace) -> None:
        """A case on which the sides differ: the first one, or the first one in every order of ties."""
        firm = partial(firmly, self.law, self.setting)
        if self.first is None:
            self.first = self._small(case, self._differs)
            assert self.first.case is not None
            if firm(self.first.case):
                self.refutes = self._small(self.first.case, firm)
        if self.refutes is None and firm(case):
            self.refutes = self._small(case, firm)

    def _differs(self, case: OperandsOnTrace) -> bool:
        return not relates(self.law.equation.relation, *replayed(self.law, self.setting, case))

    def _small(self, case: OperandsOnTrace, differs: Callable[[OperandsOnTrace], bool]) -> Cell:
        small = shrunk(case, differs, simpler=self.level != "types")
        return Cell(self.law.id, self.setting.name, "refuted", level=self.level, case=small)

    def decide(self) -> None:
        """Ask automata, and put the cases by which they say that both sides differ."""
        decided = decision(self.law, self.setting, self.level)
        why, found = decided or ("counting", ())
        if decided is None or self.first is None:
            self.why = max(self.why, why, key=["", *REASONS].index)
        self.put(found, all_of_them=True)
        self.undecided = decided is None or (bool(found) and self.refutes is None)

    def refuted(self) -> Cell:
        """The cell that the first case refutes on which the sides differ, in every order of ties if there is one."""
        found = self.refutes or self.first
        assert found is not None
        remains = next((name for name in RELATIONS if name not in self.lost), "")
        return replace(found, remains=remains, by_ties=self.refutes is None, cases=self.cases)
