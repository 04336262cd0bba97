"""The search for counterexamples of a cell, in stages that are divided into shards; the same whoever searches them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, TypeAlias

from laws.atlas.cases import (
    GREATER,
    REMAINING,
    Level,
    OperandsOnTrace,
    cases,
    greater_cases,
    longer_cases,
    number_of_small,
)
from laws.atlas.cells import (
    LAWS,
    REASONS,
    RELATIONS,
    Cell,
    Standing,
    case_data,
    case_from,
    cell_data,
    cell_from,
    firmly,
    relates,
    replayed,
    shrunk,
)
from laws.atlas.deciding import decision, nearby_cases
from laws.carlson_lisper.claims import EquationClaim
from proofs.atlas.proving import agreed, known
from semantics.atlas.catalogue import SETTINGS, Setting
from semantics.hinze_voisard.pairing import Listed

STAGES: Sequence[tuple[str, Level]] = (
    *((name, level) for level in ("types", "shared") for name in ("small", "decision", "longer")),
    ("small", "composites"),
    ("proof", "composites"),
    ("greater", "composites"),
)
"""The stages of a search with their operands: cases, and what automata and solvers say."""

SHARD = 10_000
"""So many cases of a stage are a shard. Random cases before those of a shard are drawn again, in a fifth of the time
that it takes to compare both sides on them."""


class Differing(NamedTuple):
    """A case on which the sides differ, made small."""

    number: int
    case: OperandsOnTrace
    level: Level


@dataclass
class Search:
    """What cases say of a law in a setting; what successive cases say is added up.

    Attributes:
        stage: the stage, as a place in `STAGES`.
        begun: how many cases were put before it.
        why: why it is decided for event types, if nothing refutes it; a key of `REASONS`.
        undecided: whether automata leave open whether it holds for the operands of the stage, or are contradicted.
        first: the first case on which the sides differ.
        made_firm: that one, if the sides still differ in every order of ties when it is small.
        firm: the first case on which they differ in every order of ties as it is.
        lost: the relations that do not remain, with the number of the first case that contradicts each.
    """

    law: EquationClaim
    setting: Setting
    stage: int = 0
    begun: int = 0
    cases: int = 0
    why: str = ""
    undecided: bool = False
    first: Differing | None = None
    made_firm: Differing | None = None
    firm: Differing | None = None
    lost: dict[str, int] = field(default_factory=dict)

    def go_on(self, most: int | None = None) -> Cell | None:
        """Stage after stage until the cell is known; None where a stage has more than so many cases."""
        cell = partial(Cell, self.law.id, self.setting.name)
        on_record = known(self.law, self.setting)
        if on_record:
            return cell("proved", on_record)
        for name, level in STAGES[self.stage :]:
            if name == "small" and self.refutes is not None:
                return self._refuted()
            if name == "decision":
                self._decide(level)
            elif name == "proof":
                proof = agreed(self.law, self.setting) if self.first is None else None
                if proof:
                    return cell("proved", proof.why, proof=proof, cases=self.cases)
            elif self.put(islice(self._left(), most)) == most and not self.over:
                return None
            self._end()
        if self.first is not None:
            return self._refuted()
        standing: Standing = "tested" if self.why == "counting" else "decided"
        return cell(standing, self.why, cases=self.cases)

    def shards(self) -> Iterator[range]:
        """The cases of the stage that are left when its first shard was put."""
        name, level = STAGES[self.stage]
        number = GREATER if name == "greater" else number_of_small(self.law, level)
        return (range(begin, begin + SHARD) for begin in range(SHARD, number, SHARD))

    def shard(self, places: range) -> Search:
        """What some cases of the stage say alone."""
        part = replace(self, cases=0, first=None, made_firm=None, firm=None, lost={})
        found = islice(self._left(), places.start, places.stop)
        part.put(found, lambda: part.firm is not None and len(part.lost) == len(RELATIONS))
        return part

    def add(self, parts: Iterable[Search]) -> None:
        """Go on with what its shards say, in their order, to the next stage."""
        for part in parts:

            def here(found: Differing | None) -> Differing | None:
                return found and found._replace(number=self.cases + found.number)

            if self.first is None:
                self.first, self.made_firm = here(part.first), here(part.made_firm)
            self.firm = self.firm or here(part.firm)
            self.lost = {name: self.cases + number for name, number in part.lost.items()} | self.lost
            self.cases += part.cases
        if self.over:
            assert self.refutes is not None
            self.cases = max(self.refutes.number, *self.lost.values()) + 1
        self._end()

    def _end(self) -> None:
        self.stage, self.begun = self.stage + 1, self.cases

    def put(self, found: Iterable[OperandsOnTrace], over: Callable[[], bool] | None = None) -> int:
        """Compare both sides on cases, until nothing is left to be found out; how many were put."""
        before, level = self.cases, STAGES[self.stage][1]
        for case in found:
            self._compare(case, level)
            if self.over if over is None else over():
                break
        return self.cases - before

    @property
    def refutes(self) -> Differing | None:
        """The first case on which the sides differ in every order of ties."""
        return self.made_firm or self.firm

    @property
    def over(self) -> bool:
        """Whether nothing is left to be found out: the sides differ in every order of ties, and nothing remains."""
        return self.refutes is not None and len(self.lost) == len(RELATIONS)

    def _compare(self, case: OperandsOnTrace, level: Level) -> None:
        number = self.cases
        self.cases += 1
        sides = replayed(self.law, self.setting, case)
        if sides[0] == sides[1]:
            return
        for name in RELATIONS:
            if name not in self.lost and not relates(name, *sides):
                self.lost[name] = number
        if relates(self.law.equation.relation, *sides):
            return
        firm = partial(firmly, self.law, self.setting)
        if self.first is None:
            self.first = self._small(number, case, level, self._differs)
            if firm(self.first.case):
                self.made_firm = self._small(number, self.first.case, level, firm)
        if self.firm is None and firm(case):
            self.firm = self._small(number, case, level, firm)

    def _differs(self, case: OperandsOnTrace) -> bool:
        return not relates(self.law.equation.relation, *replayed(self.law, self.setting, case))

    @staticmethod
    def _small(
        number: int, case: OperandsOnTrace, level: Level, differs: Callable[[OperandsOnTrace], bool]
    ) -> Differing:
        return Differing(number, shrunk(case, differs, simpler=level != "types"), level)

    def _decide(self, level: Level) -> None:
        """Ask automata, and put the cases by which they say that both sides differ."""
        decided = decision(self.law, self.setting, level)
        if decided is None:
            self.why = "counting"
        elif self.first is None:
            self.why = max(self.why, decided.why, key=["", *REASONS].index)
        found = decided.cases if decided else ()
        self.put(found, lambda: False)
        self.undecided = decided is None or (bool(found) and self.refutes is None)

    def _left(self) -> Iterator[OperandsOnTrace]:
        """The cases of the stage, from the first one on."""
        name, level = STAGES[self.stage]
        law, setting = self.law, self.setting
        if self.over:
            return iter(())
        if name == "small":
            return cases(law, level, _place(setting))
        if name == "longer":
            both = chain(nearby_cases(law, setting, level), longer_cases(law, level))
            return both if self.undecided else iter(())
        refuted = self.refutes is not None and self.refutes.number < self.begun
        return islice(greater_cases(law, _place(setting)), REMAINING if refuted else GREATER)

    def _refuted(self) -> Cell:
        """The cell that the first case refutes on which the sides differ, in every order of ties if there is one."""
        found = self.refutes or self.first
        assert found is not None
        remains = next((name for name in RELATIONS if name not in self.lost), "")
        return Cell(
            self.law.id,
            self.setting.name,
            "refuted",
            level=found.level,
            remains=remains,
            case=found.case,
            by_ties=self.refutes is None,
            cases=self.cases,
        )


Task: TypeAlias = tuple[Search, range | None]
"""A search to go on with, or which cases of the stage that it has come to are searched."""


def task_data(task: Task) -> dict[str, Any]:
    """A task as plain data."""
    search, places = task
    return found_data(search) | {"places": places and [places.start, places.stop]}


def task_from(data: Mapping[str, Any]) -> Task:
    """The task that `task_data` has written."""
    search = found_from(data)
    assert isinstance(search, Search)
    return search, data["places"] and range(*data["places"])


def found_data(found: Cell | Search) -> dict[str, Any]:
    """A cell, or a search on its way, as plain data."""
    if isinstance(found, Cell):
        return cell_data(found)
    differing = {name: getattr(found, name) for name in _DIFFERING}
    return {
        **{name: getattr(found, name) for name in ("stage", "begun", "cases", "why", "undecided", "lost")},
        **{name: one and [one.number, case_data(one.case), one.level] for name, one in differing.items()},
        "law": found.law.id,
        "setting": found.setting.name,
    }


def found_from(data: Mapping[str, Any]) -> Cell | Search:
    """The cell or the search that `found_data` has written."""
    if "stage" not in data:
        return cell_from(data)
    told = {name: data[name] for name in ("stage", "begun", "cases", "why", "undecided", "lost")}
    for name in _DIFFERING:
        one = data[name]
        told[name] = one and Differing(one[0], case_from(one[1]), one[2])
    return replace(search_of(data["law"], data["setting"]), **told)


_DIFFERING = ("first", "made_firm", "firm")


def search_of(law: str, setting: str) -> Search:
    """The search of a cell, before it begins; by the id of the law and the name of the setting."""
    return Search(next(each for each in LAWS if each.id == law), SETTINGS[setting])


def cell(law: EquationClaim, setting: Setting) -> Cell:
    """A law in a setting: proved where that is known, else refuted by the smallest case, decided, or tested."""
    found = Search(law, setting).go_on()
    assert found is not None
    return found


def in_waves(
    searches: Iterable[Search], run: Callable[[Sequence[Task]], Sequence[Cell | Search]], most: int
) -> Iterator[Cell]:
    """Cells, each as soon as it is known: what is left of a stage is searched in shards in the next wave.

    Args:
        run: what comes of the tasks of a wave, in their order.
        most: so many cells are gone on with in a wave, besides shards.
    """
    waiting, divided = deque(searches), list[Search]()
    while waiting or divided:
        tasks: list[Task] = [(search, places) for search in divided for places in search.shards()]
        tasks += [(waiting.popleft(), None) for _ in range(min(most, len(waiting)))]
        done = list(zip(tasks, run(tasks), strict=True))
        for search in divided:
            search.add(found for (of, places), found in done if of is search and isinstance(found, Search))
        waiting.extendleft(divided)
        divided = [found for (_, places), found in done if places is None and isinstance(found, Search)]
        yield from (found for _, found in done if isinstance(found, Cell))


def gone_on(task: Task) -> Cell | Search:
    """What comes of a task: the cell, the search that has come to a stage of several shards, or what a shard says."""
    search, places = task
    return search.shard(places) if places is not None else search.go_on(SHARD) or search


def _place(setting: Setting) -> int:
    """The greatest place in a list at which a setting selects."""
    listed = setting.pairing if isinstance(setting.pairing, Listed) else None
    return (
        max((each for each in (listed.anterior, listed.posterior) if isinstance(each, int)), default=1) if listed else 1
    )
