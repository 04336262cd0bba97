"""Cells of the atlas computed: laws proved in settings, or else refuted by small cases, automata, or longer traces."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from hashlib import sha256
from itertools import chain, islice, product
from types import MappingProxyType
from typing import Any

from laws.atlas import cells as atlas
from laws.atlas.cells import LAWS, REASONS, RELATIONS, Cell, Level, OperandsOnTrace, Proof, firmly, relates, replayed
from laws.atlas.deciding import alike, decision, nearby_cases
from laws.carlson_lisper.claims import EquationClaim
from laws.standings import Standing, weakest
from proofs.proving import provable_of
from proofs.record import recorded
from semantics.atlas.catalogue import CONTEXTS, SETTINGS, Setting
from semantics.atlas.literal import TIES, Definitions
from semantics.atlas.pairs import NotPairs
from semantics.carlson_lisper.expressions import Operation, bottom_up
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.formulas import End
from semantics.hinze_voisard.pairing import Listed
from smt.atlas.obligations import same_instances, same_lists, same_pairs, same_places, same_whatever_pairs
from smt.attempts import ClaimResult, Provable, prove_all
from smt.carlson_lisper.law_proofs import LawProof
from smt.solvers.portfolio import installed


def definitions(setting: Setting) -> Mapping[str, Operator] | None:
    """The operators of a setting as formulas; None where selection or consumption cannot be said in them."""
    whole = CONTEXTS["unrestricted"]
    if (setting.pairing, setting.conjoined, setting.spans, setting.restricted) != (whole, whole, "filter", False):
        return None
    if setting.clock == "intervals":
        return OPERATORS
    (intervals,) = OPERATORS["seq"].comprehensions
    points = replace(intervals, condition=End("s") < End("t"))
    return {**OPERATORS, "seq": replace(OPERATORS["seq"], comprehensions=(points,))}


@cache
def on_record() -> Collection[str]:
    """The claims that the record of proofs has as agreed, with all their obligations."""
    standings: dict[str, list[Standing]] = {}
    for row in recorded().values():
        standings.setdefault(row["claim"], []).append(Standing(row["standing"]))
    return {claim for claim, parts in standings.items() if weakest(parts) is Standing.AGREED}


def known(law: EquationClaim, setting: Setting) -> str:
    """Why the record of proofs is about a law in a setting too: a key of `laws.atlas.cells.REASONS`, or "".

    The record is about the first system, for all sets of instances; all settings that do not restrict have its
    operators but for sequence and conjunction.
    """
    if law.id not in on_record() or setting.restricted:
        return ""
    inside = chain(bottom_up(law.equation.left), bottom_up(law.equation.right))
    used = {part.operator for part in inside if isinstance(part, Operation)}
    if not used & {"seq", "con"}:
        return "common operators"
    whole, native = CONTEXTS["unrestricted"], setting.spans == "native" and "tim" in used
    alike = {"con": setting.conjoined == whole, "seq": setting.pairing == whole and setting.clock == "intervals"}
    same = not native and all(alike[operator] for operator in used & {*alike})
    return "operators of the first system" if same else ""


@cache
def agreed(law: EquationClaim, setting: Setting, way: str = "") -> Proof | None:
    """The proof by two solvers of a law for all operands in a setting, in one way if one is named; None without one."""
    setting = alike(law, setting)
    for why in [way] if way in WAYS else WAYS:
        try:
            asked = WAYS[why](law, setting)
        except NotPairs:
            continue
        obligations = asked.obligations("int")
        texts = tuple(one.with_axioms(attempt.axioms).text for attempt in asked.ladder for one in obligations)
        if texts not in _PROVED:  # laws and settings that make the same texts ask the same
            _PROVED[texts] = prove_all([asked], _solvers())[0], tuple(one.name for one in _solvers().solvers)
        result, solvers = _PROVED[texts]
        if result.standing is Standing.AGREED:
            return Proof(why, _hash(part.obligation.text for part in result.obligations), solvers)
    return None


_solvers = cache(installed)  # their processes end with this one

_PROVED: dict[tuple[str, ...], tuple[ClaimResult, tuple[str, ...]]] = {}
"""What solvers say, and their names and versions, by the texts they were asked."""


def asked_texts(law: EquationClaim, setting: Setting, proof: Proof) -> list[str]:
    """The texts of a proof, which are found by their hash; none if no axioms of an attempt make such texts."""
    provable = WAYS[proof.why](law, alike(law, setting))
    obligations = provable.obligations("int")
    for attempts in product(provable.ladder, repeat=len(obligations)):
        pairs = zip(obligations, attempts, strict=True)
        texts = [one.with_axioms(attempt.axioms).text for one, attempt in pairs]
        if _hash(texts) == proof.obligations:
            return texts
    return []


def _hash(texts: Iterable[str]) -> str:
    return sha256("".join(texts).encode()).hexdigest()


def _by_formulas(law: EquationClaim, setting: Setting) -> Provable:
    operators = definitions(setting)
    if operators is None:
        raise NotPairs("the operators are no formulas")
    return LawProof(law, operators)


WAYS: Mapping[str, Callable[[EquationClaim, Setting], Provable]] = MappingProxyType(
    {
        "solvers": _by_formulas,
        "lists": same_lists,
        "pairs": same_pairs,
        "places": same_places,
        "whatever pairs": same_whatever_pairs,
        "instances": same_instances,
    }
)
"""What is asked of the solvers, by the key of `laws.atlas.cells.REASONS`; the first one agreed on is the proof."""


def evidence(cells: Iterable[Cell]) -> dict[str, Any]:
    """What a page shows of cells: both sides by places in the trace, texts by hash, and the record by law."""
    laws, sides, texts = {law.id: law for law in LAWS}, {}, dict[str, list[str]]()
    for cell in cells:
        law, setting = laws[cell.law], SETTINGS[cell.setting]
        if cell.case is not None:
            sides[f"{cell.law} {cell.setting}"] = [
                [[place for place in range(len(cell.case.trace)) if one.members >> place & 1] for one in sorted(found)]
                for found in replayed(law, setting, cell.case)
            ]
        if cell.proof is not None and cell.proof.obligations not in texts:
            texts[cell.proof.obligations] = asked_texts(law, setting, cell.proof)
    rows, record = recorded(), dict[str, list[dict[str, Any]]]()
    for law in laws.values():
        for part in provable_of(law).obligations("int"):
            row = rows[part.name]
            solvers, text = [each["solver"] for each in row["solvers"]], part.with_axioms(row["axioms"]).text
            record.setdefault(law.id, []).append({"sha256": row["sha256"], "solvers": solvers, "text": text})
    return {"sides": sides, "texts": texts, "record": record}


def cell(law: EquationClaim, setting: Setting) -> Cell:
    """A law in a setting: proved where that is known, else refuted by the smallest case, decided, or tested."""
    if on_record := known(law, setting):
        return Cell(law.id, setting.name, "proved", on_record)
    chosen = (setting.pairing.anterior, setting.pairing.posterior) if isinstance(setting.pairing, Listed) else ()
    place = max((each for each in chosen if isinstance(each, int)), default=1)
    search = _Search(law, setting)
    for level in atlas.EVENT_TYPES:
        search.level = level
        search.put(atlas.cases(law, level, place))
        if not search.settled:
            search.decide()
        if search.undecided:
            search.put(chain(nearby_cases(law, setting, level), atlas.longer_cases(law, level)))
        search.reorder(atlas.cases(law, level, place))
        if search.refutes:
            return search.refuted()
    search.level = "composites"
    search.put(atlas.cases(law, "composites", place))
    search.reorder(islice(atlas.cases(law, "composites", place), atlas.RANDOM))
    refuted = search.first is not None
    if search.first is None and (proof := agreed(law, setting)):
        return Cell(law.id, setting.name, "proved", proof.why, proof=proof)
    search.put(islice(atlas.greater_cases(law, place), atlas.REMAINING if refuted else atlas.GREATER))
    if search.first is not None:
        return search.refuted()
    if search.why == "counting":
        return Cell(law.id, setting.name, "tested", search.why, cases=search.cases)
    return Cell(law.id, setting.name, "decided", search.why)


@dataclass
class _Search:
    """What cases say of a law in a setting: the first one on which the sides differ, and in every order of ties.

    `why` it is decided for event types if nothing refutes it is a key of `REASONS`; it is `undecided` where automata
    leave open whether it holds on the level, or are contradicted. The relations that are `lost` do not remain.
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

    def put(self, found: Iterable[OperandsOnTrace], system: Definitions | None = None, *, every: bool = False) -> None:
        """Compare both sides on cases until they differ in every order of ties, and nothing remains.

        By the definitions of a `system` with another order of ties, only what remains is asked.
        """
        cases = iter(found)
        while (every or not self.settled) and (case := next(cases, None)):  # what is not put is not looked for
            self.cases += 1
            sides = replayed(self.law, system or self.setting, case)
            if sides[0] != sides[1]:
                self.lost |= {name for name in RELATIONS if not relates(name, *sides)}
                if system is None and not relates(self.law.equation.relation, *sides):
                    self._keep(case)

    def reorder(self, found: Iterable[OperandsOnTrace]) -> None:
        """Put cases in other orders of ties, where these matter, and something remains or the level is undecided."""
        if self.setting.by_order and (self.undecided or self.first) and not self.settled:
            ordered = [*atlas.reordered(found, atlas.FEW[0])]
            self.put(ordered)
            for ties in [each for each in TIES if each != "latest"]:
                few = (case for case in ordered if len(case.trace) <= atlas.FEW[1])
                self.put(few, Definitions(self.setting, ties))

    @property
    def settled(self) -> bool:
        """Whether both sides differ in every order of ties, and nothing remains."""
        return self.refutes is not None and len(self.lost) == len(RELATIONS)

    def _keep(self, case: OperandsOnTrace) -> None:
        """A case on which the sides differ: the first one, or the first one in every order of ties."""
        firm = partial(firmly, self.law, self.setting)

        def differs(case: OperandsOnTrace) -> bool:
            return not relates(self.law.equation.relation, *replayed(self.law, self.setting, case))

        if self.first is None:
            self.first = self._small(case, differs)
            assert self.first.case is not None
            if firm(self.first.case):
                self.refutes = self._small(self.first.case, firm)
        if self.refutes is None and firm(case):
            self.refutes = self._small(case, firm)

    def _small(self, case: OperandsOnTrace, differs: Callable[[OperandsOnTrace], bool]) -> Cell:
        small = atlas.shrunk(case, differs, simpler=self.level != "types")
        return Cell(self.law.id, self.setting.name, "refuted", level=self.level, case=small)

    def decide(self) -> None:
        """Ask automata, and put the cases by which they say that both sides differ."""
        decided = decision(self.law, self.setting, self.level)
        why, found = decided or ("counting", ())
        if decided is None or self.first is None:
            self.why = max(self.why, why, key=["", *REASONS].index)
        self.put(found, every=True)
        self.undecided = decided is None or (bool(found) and self.refutes is None)

    def refuted(self) -> Cell:
        """The cell that the first case refutes on which the sides differ, in every order of ties if there is one."""
        found = self.refutes or self.first
        assert found is not None
        remains = next((name for name in RELATIONS if name not in self.lost), "")
        return replace(found, remains=remains, by_ties=self.refutes is None)
