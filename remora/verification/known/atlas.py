"""Known answers about the atlas: its cells, what is found in them, what of an earlier run is taken up."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args
from unittest.mock import Mock, patch

from laws.carlson_lisper.claims import EquationClaim
from remora.atlas.cases import Level, OperandsOnTrace, assignments
from remora.atlas.cells import LAWS, Cell, cell_data, relates
from remora.atlas.deciding import Decision, decision, languages
from remora.atlas.findings import absences, holding, likeness, withdrawal
from remora.atlas.mona import formulas, opinions, valid
from remora.atlas.proving import Proof, agreed, asked_texts, definitions, known, on_record, recorded_texts
from remora.atlas.record import complaints, computed, differences, recorded, replay
from remora.atlas.searching import Search, gone_on, in_waves
from remora.atlas.traces import instances as of_types
from remora.atlas.traces import traces
from remora.verification.known.answers import Checks, Row, always
from semantics.carlson_lisper.syntax import parse_equation
from semantics.events import Event, Time
from semantics.hinze_voisard.evaluation import Evaluation
from semantics.hinze_voisard.literal import pairs as word_for_word
from semantics.hinze_voisard.printed import AsPrinted
from semantics.hinze_voisard.syntax import parse
from semantics.settings.catalogue import FOLLOWS, SETTINGS, Setting
from semantics.settings.contexts import CONTEXTS
from semantics.settings.instances import Instance, Instances, occurrence
from semantics.settings.lists import Consumption, Listed, Selection
from semantics.settings.literal import Definitions
from semantics.settings.pairs import CountingPairs, Pairs
from smt.solvers.programs import Ended

checks = Checks()


@checks.known("atlas", "no law is proved where a trace refutes it, and false cells are named")
def _atlas() -> Iterator[Row]:
    cells = recorded()
    laws = {law.id: law for law in LAWS}
    for name, setting in SETTINGS.items():
        said = setting.pairing == "unrestricted" and setting.spans == "filter"
        yield f"formulas that say {name}", definitions(setting) is not None, said
    for (law, name), cell in cells.items():
        if cell.proof:
            texts = asked_texts(laws[law], SETTINGS[name], cell.proof)
            yield f"texts about {law} in {name}", texts == recorded_texts(cell.proof) != [], True
    for (law, name), cell in cells.items():
        if cell.standing == "refuted":
            yield f"a proof of {law} in {name}", known(laws[law], SETTINGS[name]), ""
            if name in _REFUTED_BY_ALL:
                way = "solvers" if definitions(SETTINGS[name]) else "pairs"
                yield f"solvers on {law} in {name}", agreed(laws[law], SETTINGS[name], way), None
    for law, name, way in _NOT_AGREED:
        yield f"solvers on {law} in {name}, {way}", agreed(laws[law], SETTINGS[name], way), None
    for law, name, level in _OF_TYPES:
        decided = decision(laws[law], SETTINGS[name], level)
        yield f"automata on {law} in {name}", decided is not None and bool(decided.cases), True
    yield "automata on bounds", decision(laws["law:25"], SETTINGS["snoop-unrestricted-points"], "types"), None
    some = [next(one for one in cells.values() if one.standing == standing) for standing in _STANDINGS]
    few = {(each.law, each.setting): each for each in some}
    there = {**few, **{key: cells[key] for key in (*_PROVED, *_IN_OTHER_WAYS)}}
    yield "as recorded", [line for line in replay(there) if "no cell" not in line], []
    yield "cells that are not there", len(replay(few)), len(cells) - len(few)
    for title, cell in _false_cells(some):
        yield title, bool(list(complaints(cell))), True
    refuted = [cell for cell in cells.values() if cell.standing == "refuted"]
    yield "every trace", [line for cell in refuted for line in complaints(cell)], []
    for title, cell, objections in _false_traces(cells):
        yield title, [line.partition(": ")[2] for line in complaints(cell)], objections
    key = next(iter(cells))
    worse = replace(cells[key], standing="tested" if cells[key].standing == "proved" else "proved")
    yield "the same atlas", differences(cells, cells), []
    yield "another standing", len(differences(cells, {**cells, key: worse})), 1
    tied = replace(cells[key], by_ties=not cells[key].by_ties)
    yield "refuted by ties alone", len(differences(cells, {**cells, key: tied})), 1
    strange = replay({("law:0", "nowhere"): replace(cells[key], law="law:0")}, systems=(), laws=())
    yield "a cell of no law", len(strange), 1
    rows = {name: {"claim": "law:2", "standing": name} for name in ("agreed", "unknown")}
    with patch("remora.atlas.proving.recorded", lambda: rows):
        yield "a law of which a part is open", on_record.__wrapped__(), set()
    yield "a cell less", len(differences(cells, {k: c for k, c in cells.items() if k != key})), 1


_STANDINGS = ("proved", "refuted", "decided")

_PROVED = (("law:8", "snoop-unrestricted-points"), ("law:9", "snoop-recent-points"))
"""Laws that the solvers prove by formulas of both kinds."""

_IN_OTHER_WAYS = (
    ("law:3", "snoop-chronicle-points"),
    ("law:3", "hv-first-first-keep-points-filter"),
    ("detection:1", "snoop-recent-points"),
    ("detection:2", "snoop-recent-points"),
)
"""Laws that they prove by places, by lists, by instances, and whatever pairs."""

_OF_TYPES: Sequence[tuple[str, str, Level]] = (
    ("law:6", "snoop-unrestricted-points", "types"),
    ("law:7", "snoop-recent-intervals", "types"),
    ("law:8", "snoop-cumulative-points", "types"),
    ("law:10", "snoop-continuous-points", "types"),
    ("law:9", "hv-first-last-lists-points-native", "types"),
    ("law:15", "hv-2-2-lists-points-native", "types"),
)
"""Laws that fail for event types."""

_NOT_AGREED = (
    ("law:26", "hv-all-all-keep-points-native", "pairs"),
    ("detection:1", "snoop-cumulative-points", "whatever pairs"),
    ("detection:7", "snoop-continuous-points", "instances"),
    ("law:15", "snoop-cumulative-intervals", "instances"),
)
"""Laws of equal detections that fail, by the ways of the solvers that are about them."""

_REFUTED_BY_ALL = ("snoop-unrestricted-points", "snoop-recent-points")
"""Systems in which each law that is refuted is asked of the solvers too."""


def _false_cells(known: list[Cell]) -> Iterator[tuple[str, Cell]]:
    proved, refuted, decided = known
    yield "a refuted cell as proved", replace(refuted, standing="proved", why="common operators")
    yield "a proof of another kind", replace(proved, why="another")
    yield "a refuted cell as decided", replace(refuted, standing="decided", why="automata")
    yield "a decided cell as proved", replace(decided, standing="proved", why="pairs")
    for one in _PROVED:
        asked = recorded()[one]
        yield "a proof by other texts", replace(asked, proof=Proof(asked.why, "another", ()))
    asked, other = (recorded()[each] for each in _PROVED)
    assert other.proof is not None
    yield "a proof by the texts of another", replace(asked, proof=replace(other.proof, why=asked.why))
    yield "a refutation without a trace", replace(refuted, case=None)
    yield "a law that there is not", replace(proved, law="law:0")


def _false_traces(cells: Mapping[tuple[str, str], Cell]) -> Iterator[tuple[str, Cell, list[str]]]:
    """Cells with traces that do not refute them as they say, and what is objected to."""
    same = [
        f"the law holds on the recorded trace by {each}"
        for each in ("the operators", "the literal definitions")
    ]
    firm = "the recorded trace does not refute it in every order of ties"
    by_ties = "the recorded trace does not refute it by the order of ties alone"
    cell = cells["law:26", "hv-last-all-lists-points-native"]
    alone = OperandsOnTrace((("b", 0), ("a", 1), ("b", 1)), {"A": "a + b", "B": "b"}, {"t": 0})
    yield "a trace that refutes nothing", replace(cell, case=replace(alone, trace=())), [*same, firm]
    yield "a trace that refutes by ties alone", replace(cell, case=alone), [firm]
    yield "the same said to do so", replace(cell, case=alone, by_ties=True), []
    yield "a trace said to do so that does not", replace(cell, by_ties=True), [by_ties]
    remains = [
        f"what remains in the record does not remain by {each}"
        for each in ("the operators", "the literal definitions")
    ]
    yield "a relation that does not remain", replace(cell, remains="intervals"), remains


# -------------------------------------------------------------------------------------------------------- findings

_BOTH_SAME = EquationClaim("known", parse_equation("A ; B == A ; C"))
"""An equation that fails where B and C are of different event types."""


@checks.known(
    "decisions of the atlas", "a law is decided when it holds for all event types, the same ones among them"
)
def _decisions() -> Iterator[Row]:
    (setting,) = (one for name, one in SETTINGS.items() if name == "snoop-unrestricted-points")
    ways: Mapping[Level, int] = {"types": 1, "shared": 4}
    for level, many in ways.items():
        yield f"ways to choose {level}", len(list(assignments(_BOTH_SAME, level))), many
        found = decision(_BOTH_SAME, setting, level)
        failing = {tuple(case.operands.values()) for case in found.cases} if found else None
        right = {("a", "b", "c")} if level == "types" else {("a", "a", "b"), ("a", "b", "a")}
        yield f"which of them fail by {level}", failing, right
    known_of = languages(setting.clock, setting.pairing, 2)
    one, other = (known_of.of_type(number) for number in (1, 2))
    yield "what tells two event types apart", known_of.differences(one, other), ((("a", 0),), (("b", 0),))
    for name, each in SETTINGS.items():
        listed = each.pairing if isinstance(each.pairing, Listed) else None
        counts = listed is not None and listed.consumption not in ("keep", "lists")
        got = _regular(each)
        yield f"whether pairs of {name} are regular", got, not counts and each.pairing != "chronicle"
    listed = next(
        one.pairing for one in SETTINGS.values() if isinstance(one.pairing, Listed) and _regular(one)
    )
    by_operand = replace(setting, pairing=replace(listed, by_operand=True))
    yield "whether pairs are regular that are selected by operand", _regular(by_operand), False
    cell = next(one for one in recorded().values() if one.standing == "decided")
    for failing_level in ("types", "shared"):

        def said(_: object, __: object, level: str, failing_level: str = failing_level) -> Decision:
            return Decision("automata", (OperandsOnTrace((), {}, {}),) if level == failing_level else ())

        with patch("remora.atlas.record.decision", said):
            yield f"a cell that fails by {failing_level}", bool(list(complaints(cell))), True
    for failing_level, says in product(("types", "shared"), (True, False)):
        told = {failing_level: says}
        with (
            patch("remora.atlas.mona.formulas", lambda _, __, level: [level]),
            patch("remora.atlas.mona.valid", lambda asked, mona, told=told: told.get(asked, True)),
        ):
            against = len(opinions([cell], "known").against)
        yield f"MONA says {says} of a cell by {failing_level}", against, int(not says)
    printed = {"Formula is valid": True, "A counter-example of least length (2) is:": False, "": None}
    for words, meant in printed.items():
        with patch("remora.atlas.mona.ran", always(Ended(words, 0, hung=False))):
            yield f"what MONA means by {words!r}", valid("", "known"), meant
    claims = [EquationClaim("known", parse_equation(f"A | B {sign} A")) for sign in ("==", "<=", "~=")]
    asked = {text for claim in claims for text in formulas(claim, setting, "types")}
    yield "what MONA is asked of equations and inclusions", len(asked), 3
    more = frozenset({Instance(0, 9, 7)})
    refuted = next(one for one in recorded().values() if one.standing == "refuted" and not one.remains)
    with patch("remora.atlas.record.replayed_literally", lambda *_: (more, frozenset())):
        yield "other instances by the definitions", bool(list(complaints(refuted))), True
    for place in ("", *(f"{level} 4" for level in get_args(Level)), "greater 4"):
        for firm in (True, False):
            due = ("refuted" if place else "decided", bool(place) and not firm)
            yield f"a law that {place or 'no case'} refutes, firmly: {firm}", _searched(place, firm), due
    yield "a law that automata leave open", _searched("", True, {"shared"}), ("tested", False)
    for level in ("types", "shared"):
        longer = _searched(f"longer {level} 4", True, {level})
        yield f"a law that a longer case with {level} refutes", longer, ("refuted", False)


def _searched(place: str, firm: bool, undecided: Collection[str] = ()) -> tuple[str, bool]:
    """The standing of a law that one case refutes, whether by ties alone; automata leave it open at some levels."""

    def five(begin: str) -> Callable[..., Iterator[OperandsOnTrace]]:
        return lambda _, level="": (
            OperandsOnTrace((), {"A": " ".join(filter(None, (begin, level, str(n))))}, {}) for n in range(5)
        )

    def said(_: object, __: object, level: str) -> Decision | None:
        return None if level in undecided else Decision("automata")

    def sides(_: object, __: object, case: OperandsOnTrace) -> tuple[object, object]:
        return frozenset({Instance(0, 0, 1)} if case.operands["A"] == place else ()), frozenset()

    given: dict[str, Any] = {
        "known": always(""),
        "agreed": always(None),
        "GREATER": 5,
        "SHARD": 2,
        "cases": lambda law, level, _: five("")(law, level),
        "longer_cases": five("longer"),
        "greater_cases": lambda law, _: five("greater")(law),
        "nearby_cases": always(()),
        "number_of_small": always(5),
        "decision": said,
        "replayed": sides,
        "firmly": always(firm),
        "shrunk": lambda case, *_, **__: case,
    }
    with patch.multiple("remora.atlas.searching", **given):
        begun = Search(_BOTH_SAME, SETTINGS["snoop-unrestricted-points"])
        (cell,) = in_waves([begun], lambda tasks: list(map(gone_on, tasks)), 1)
    return cell.standing, cell.by_ties


def _regular(setting: Setting) -> bool:
    try:
        Pairs[Any](None, setting.clock, setting.pairing)  # type: ignore[arg-type]
    except CountingPairs:
        return False
    return True


_LIKE = (
    ("seq", "hv-last-all-lists-points-filter", "recent", ""),
    ("seq", "hv-first-all-lists-points-filter", "recent", "aab"),
    ("con", "hv-first-first-keep-points-filter", "unrestricted", "aab"),
    ("con", "hv-all-all-events-points-filter", "chronicle", ""),
    ("con", "hv-all-first-reapply-points-filter", "chronicle", "aabba"),
)
"""Operators and settings beside contexts, with the events of a shortest trace that tells them apart."""

_WITHDRAWING = (
    ("seq", "hv-first-last-keep-points-filter", "abb"),
    ("seq", "hv-first-last-events-points-filter", "abb"),
    ("seq", "hv-last-all-lists-points-filter", ""),
    ("con", "hv-all-all-reapply-points-filter", ""),
    ("con", "hv-first-first-reapply-points-filter", "abbab"),
)
"""Operators and settings with the events of a shortest trace that withdraws an instance."""

_RELATED: Mapping[str, tuple[bool, bool, bool]] = {
    "included": (True, False, False),
    "includes": (False, True, False),
    "intervals": (False, False, True),
    "ends": (True, True, True),
}
"""Whether relations hold between one instance and two, two and one, two that differ in their occurrences."""


@checks.known(
    "findings of the atlas", "what is read off the atlas is in it, and what is kept of a run is of that run"
)
def _findings() -> Iterator[Row]:
    for operator, name, context, events in _LIKE:
        found = likeness(operator, SETTINGS[name], context)
        got = "".join(event for event, _ in found.trace or ())
        yield f"{operator} of {name} beside {context}", got, events
        yield f"whether that is decided by {name}", found.decided, not events or "reapply" not in name
    for operator, name, events in _WITHDRAWING:
        trace = withdrawal(operator, SETTINGS[name]).trace
        yield f"what {operator} of {name} withdraws", "".join(event for event, _ in trace or ()), events
    absent = {one.setting: "".join(event for event, _ in one.trace or ()) for one in absences()}
    apart = {"snoop-chronicle-points": "abac", "snoop-cumulative-points": "abac"}
    same = {f"snoop-{context}-points": "" for context in CONTEXTS}
    yield "where NOT of Snoop is another negation", absent, {**same, **apart}
    one, other = Instance(0, 3, 1), Instance(1, 3, 2)
    few, both, alike = frozenset({one}), frozenset({one, other}), frozenset({one, Instance(1, 3, 4)})
    for relation, right in _RELATED.items():
        said = tuple(relates(relation, *pair) for pair in ((few, both), (both, few), (both, alike)))
        yield f"whether {relation} remains", said, right
    cells = recorded()
    for law, names in holding(cells).items():
        refuted = {name for (of, name), cell in cells.items() if of == law and cell.standing == "refuted"}
        yield f"where {law} holds", names, SETTINGS.keys() - refuted
    yield from _kept_of_a_run(cells)


def _kept_of_a_run(cells: Mapping[tuple[str, str], Cell]) -> Iterator[Row]:
    name, other = list(SETTINGS)[:2]
    right = [cells[law.id, name] for law in LAWS]
    for title, kept, missing in (
        ("these cells", right, []),
        ("a cell less", right[1:], right[:1]),
        ("another system's cells", [cells[law.id, other] for law in LAWS], right),
        ("no cells", [], right),
    ):
        asked: list[tuple[str, str]] = []
        with (
            TemporaryDirectory() as folder,
            patch("remora.atlas.record._computed", lambda key, asked=asked: asked.append(key) or cells[key]),
        ):
            file = Path(folder) / "kept.jsonl"
            file.write_text("".join(f"{json.dumps(cell_data(each))}\n" for each in kept), "utf-8")
            yield f"a file that has {title}", computed([name], keep=file), right
        yield f"what is computed beside {title}", asked, [(each.law, each.setting) for each in missing]


_LISTED = "hv-first-last-keep-points-filter"
"""A setting of duplicate lists."""


def _is_word_for_word(listed: Listed, left: Instances, right: Instances, span: Time | None) -> bool:
    """Whether the pairs of both operators are those of the definitions as they are written."""
    sequences = set(listed.sequence(left, right, FOLLOWS["points"], span))
    return word_for_word(";", left, right, listed, span) == sequences and all(
        word_for_word(",", left, right, one, span) == set(one.conjunction(left, right, span))
        for one in (listed, replace(listed, by_operand=True))
    )


@checks.known(
    "literal definitions", "definitions as they are written run no code of what they are compared with"
)
def _literal() -> Iterator[Row]:
    left, right = (frozenset({occurrence(number, time)}) for number, time in ((0, 0), (1, 2)))
    both = frozenset({Instance(0, 2, 3)})
    nothing = {name: Mock(return_value=frozenset()) for name in ("sequence", "conjunction")}
    with patch.multiple(Setting, **nothing):
        for setting in (*(Setting(name, "", "points", name) for name in CONTEXTS), SETTINGS[_LISTED]):
            written = Definitions(setting)
            found = [of(left, right) for of in (written.sequence, written.conjunction)]
            yield f"pairs in the setting {setting.name}", found, [both, both]
    file = parse('class a = event(name = "a")\nclass b = event(name = "b")\nprofile P = (a ; b)\n')
    events = [Event("a", 0, 0), Event("b", 2, 2)]
    with patch.object(Evaluation, "_pairs", lambda *_: iter(())):
        pairs = AsPrinted(file, events).instances(file.profiles[0].expression)
    yield "pairs word for word", pairs, both
    selections: tuple[Selection, ...] = ("first", "last", "all", 2)
    classes = [of_types(trace) for trace in traces(2) if len(trace) <= 3]
    for consumption, anterior, posterior in product(get_args(Consumption), selections, selections):
        listed = Listed(anterior, posterior, consumption)
        operands = [(types["a"], types["b"], span) for types, span in product(classes, (None, 1))]
        apart = [each for each in operands if not _is_word_for_word(listed, *each)]
        yield f"pairs of the lists {anterior}, {posterior}, {consumption} word for word", apart, []
