"""The atlas: cells come out as recorded, traces refute, proofs are about the operators that a law has."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from laws.atlas import cells as atlas
from laws.atlas.cells import LAWS, Cell, OperandsOnTrace, Proof, instances, meaning, relates, replayed
from laws.atlas.deciding import alike, decision, implications
from laws.carlson_lisper.claims import EquationClaim
from proofs.atlas import record
from proofs.atlas.proving import agreed, asked_texts, cell, definitions, known
from proofs.atlas.record import RECORD, complaints, computed, differences, document, recorded, replay, write
from semantics.atlas.catalogue import SETTINGS, Setting
from semantics.atlas.literal import Definitions
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from semantics.hinze_voisard import pairing
from semantics.hinze_voisard.pairing import Listed
from tests.remora.documents import of_its_schema
from tests.semantics.atlas.test_pairs import intervals

EXPRESSIONS = (*atlas.POOL, "(a ; b) ; c", "a ; (b ; c)", "(a + b) - (b ; c)", "((a | b) ; c)[2]")


def test_the_cells_of_a_system_come_out_as_recorded() -> None:
    assert computed(["carlson-lisper"]) == [recorded()[law.id, "carlson-lisper"] for law in LAWS]


@pytest.mark.parametrize(("name", "first"), [("snoop-recent-points", 0), ("hv-last-all-lists-points-native", 1)])
def test_some_cells_of_other_systems_come_out_as_recorded(name: str, first: int) -> None:
    some = LAWS[first::22]
    assert [cell(law, SETTINGS[name]) for law in some] == [recorded()[law.id, name] for law in some]


def test_what_remains_is_asked_in_other_orders_of_ties() -> None:
    law = next(each for each in LAWS if each.id == "detection:4")
    found = cell(law, SETTINGS["hv-last-first-lists-points-filter"])
    assert (found.level, found.remains) == ("types", "")
    case = OperandsOnTrace((("a", 0), ("b", 0), ("b", 1)), {"A": "b", "B": "a"}, {})
    assert not relates("included", *replayed(law, SETTINGS["hv-last-first-lists-points-filter"], case))


def test_recorded_traces_refute_and_what_the_first_system_proves_is_on_record() -> None:
    cells = [each for each in recorded().values() if each.standing != "decided" and each.proof is None]
    assert [complaint for each in cells[::11] for complaint in complaints(each)] == []


@pytest.mark.long
def test_all_cells_stand_as_recorded() -> None:
    assert replay(recorded()) == []


@pytest.mark.long
@pytest.mark.parametrize("clock", ["points", "intervals"])
def test_automata_contradict_no_cell(clock: str) -> None:
    for (law, name), found in recorded().items():
        setting = SETTINGS[name]
        if setting.clock != clock or setting.spans != "filter":
            continue
        for level in ("types", "shared"):
            if found.level == "types" and level == "shared":
                continue  # one failure is enough
            decided = decision(next(each for each in LAWS if each.id == law), setting, level)
            if decided is not None:
                assert bool(decided[1]) == (found.level == level)


@pytest.mark.slow
def test_a_refutation_without_a_trace_and_a_proof_that_is_none_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = recorded()
    monkeypatch.setattr(record, "agreed", lambda law, setting, way: agreed(law, setting, way) if way else None)
    harmless = replace(cells["law:6", "snoop-recent-points"], case=None)
    claimed = replace(cells["law:6", "snoop-recent-points"], standing="proved", case=None)
    decided = replace(claimed, standing="decided")
    another = replace(cells["law:3", "snoop-recent-points"], proof=Proof("pairs", "0" * 64, ("one", "other")))
    for wrong in (harmless, claimed, decided, another):
        assert len(list(complaints(wrong))) == 1
    stray = replace(harmless, setting="nowhere")
    assert replay({("law:6", "nowhere"): stray}, [], []) == ["law:6 in nowhere: there is no such law or system"]
    assert replay({}, ["snoop-recent-points"], ["law:6"]) == ["law:6 in snoop-recent-points: no cell"]


@given(st.data())
@pytest.mark.parametrize("name", [each.name for each in SETTINGS.values() if definitions(each) is not None])
def test_what_is_proved_of_formulas_is_about_the_operators_that_run(name: str, data: st.DataObject) -> None:
    expression = parse(data.draw(st.sampled_from(EXPRESSIONS)))
    trace = data.draw(st.sampled_from(atlas.traces(3)))
    streams = {
        each: frozenset({Instance([Occurrence(each, time)]) for kind, time in trace if kind == each}) for each in "abc"
    }
    formulas = definitions(SETTINGS[name])
    assert formulas is not None
    ran = meaning(expression, SETTINGS[name])(instances(trace), {})
    assert {frozenset(trace[n] for n in range(len(trace)) if one.members >> n & 1) for one in ran} == {
        frozenset((each.event, each.time) for each in one.occurrences)
        for one in denotation(expression, streams, operators=formulas)
    }


def test_without_its_proof_on_record_a_law_is_only_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofs.atlas.proving.on_record", lambda: {"law:1"})
    assert known(LAWS[0], SETTINGS["carlson-lisper"]) == "common operators"
    assert known(LAWS[5], SETTINGS["carlson-lisper"]) == ""


@given(st.data())
def test_a_law_means_the_same_in_settings_that_are_alike_for_it(data: st.DataObject) -> None:
    law, name = data.draw(st.sampled_from(LAWS)), data.draw(st.sampled_from(sorted(SETTINGS)))
    same = alike(law, SETTINGS[name])
    assert alike(law, same) == same
    level = data.draw(st.sampled_from(atlas.EVENT_TYPES))
    for case in islice(atlas.cases(law, level), data.draw(st.integers(0, 300)), None, 97):
        assert replayed(law, same, case) == replayed(law, SETTINGS[name], case)


def test_a_case_is_made_small() -> None:
    case = OperandsOnTrace((("a", 0), ("b", 3), ("c", 5)), {"A": "a ; b"}, {"t": 2})
    small = atlas.shrunk(case, lambda each: any(name == "b" for name, _ in each.trace))
    assert small == OperandsOnTrace((("b", 0),), {"A": "a"}, {"t": 0})


def test_no_cell_is_better_than_what_implies_it() -> None:
    def holding(number: str) -> set[str]:
        law = number if ":" in number else f"law:{number}"
        return {name for name in SETTINGS if recorded()[law, name].standing != "refuted"}

    found = implications(recorded())
    assert found
    for some, others in found:
        assert all(holding(one) < holding(other) for one in some.split(", ") for other in others.split(", "))


def test_what_equal_detections_claim_is_refuted_by_other_detections_alone() -> None:
    law = next(each for each in LAWS if each.id == "detection:1")
    case = OperandsOnTrace((("a", 0), ("a", 1)), {"A": "a"}, {})
    left, right = replayed(law, SETTINGS["snoop-recent-points"], case)
    assert (left == right, relates("~=", left, right)) == (True, True)
    left, right = replayed(law, SETTINGS["snoop-unrestricted-points"], case)
    assert (left == right, relates("~=", left, right)) == (False, True)
    left, right = replayed(law, SETTINGS["hv-all-all-keep-points-filter"], case)
    assert relates("~=", left, right) is False


def test_changed_cells_and_changed_texts_of_proofs_are_told() -> None:
    cells, key = dict(recorded()), ("law:3", "snoop-recent-points")
    changed = {**cells, key: replace(cells[key], standing="tested", why="", proof=None)}
    assert differences(cells, changed) == ["law:3 in snoop-recent-points: proved became tested"]
    assert differences(cells, cells) == []
    proof = cells[key].proof
    assert proof is not None
    assert len(asked_texts(LAWS[2], SETTINGS[key[1]], proof)) == 2
    assert asked_texts(LAWS[2], SETTINGS[key[1]], replace(proof, obligations="0" * 64)) == []


@pytest.mark.slow
def test_a_line_of_the_record_tells_of_several_systems_and_each_cell_once(tmp_path: Path) -> None:
    record = tmp_path / "atlas.json"
    write(recorded().values(), record)
    assert record.read_text("utf-8") == RECORD.read_text("utf-8")
    assert list(recorded(record).items()) == list(recorded().items())
    of_its_schema(document(recorded().values(), "1.0"))
    record.write_text(record.read_text("utf-8").replace('"snoop-recent-points"', '"snoop-recent-intervals"'), "utf-8")
    with pytest.raises(InputError, match="is there twice"):
        recorded.__wrapped__(record)


@pytest.mark.slow
def test_a_system_is_one_record() -> None:
    third = Setting("third", "hinze_voisard", "points", Listed("first", 3, "lists"), "native")
    found = {law.id: cell(law, third) for law in LAWS[1:8:6]}
    assert {each.standing for each in found.values()} >= {"proved", "refuted"}
    for law in LAWS:
        if law.id in found and (case := found[law.id].case):
            assert not relates(law.equation.relation, *replayed(law, Definitions(third), case))


operands = st.frozensets(intervals, max_size=5)


@pytest.mark.slow
@settings(max_examples=400)
@given(st.sampled_from(sorted(SETTINGS)), operands, operands, st.integers(0, 3))
def test_the_definitions_mean_what_is_computed(
    name: str, left: pairing.Instances, right: pairing.Instances, length: int
) -> None:
    setting, definitions = SETTINGS[name], Definitions(SETTINGS[name])
    span = length if setting.spans == "native" else None
    assert definitions.sequence(left, right, span) == setting.sequence(left, right, span)
    assert definitions.conjunction(left, right, span) == setting.conjunction(left, right, span)
    assert definitions.negation(left, right) == setting.negation(left, right)
    assert definitions.restriction(left, length) == setting.restriction(left, length)


BY_TIES = OperandsOnTrace((("b", 0), ("a", 1), ("b", 1)), {"A": "a + b", "B": "b"}, {"t": 0})
"""It refutes law 26 in `hv-last-all-lists-points-native` in one order of ties."""


def test_a_trace_that_refutes_by_the_order_of_ties_alone_is_told_from_others() -> None:
    found = recorded()["law:26", "hv-last-all-lists-points-native"]
    law, setting = LAWS[25], SETTINGS[found.setting]
    left, right = replayed(law, setting, BY_TIES)
    assert left != right
    assert not atlas.firmly(law, setting, BY_TIES)
    assert list(complaints(replace(found, case=BY_TIES, by_ties=True))) == []
    (said,) = complaints(replace(found, case=BY_TIES))
    assert said.endswith("the recorded trace does not refute it in every order of ties")
    assert not found.by_ties
    (said,) = complaints(replace(found, by_ties=True))
    assert said.endswith("the recorded trace does not refute it by the order of ties alone")


@pytest.mark.parametrize(
    ("broken", "left_to"), [(Setting, "by the literal definitions"), (Definitions, "by the operators")]
)
def test_where_one_evaluation_finds_a_difference_in_everything_the_other_objects(
    broken: type, left_to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = recorded()["law:6", "snoop-recent-points"]
    assert found.case is not None
    harmless = replace(found, remains="", case=replace(found.case, trace=()))
    different = (frozenset[pairing.Instance](), frozenset({pairing.Instance(0, 0, 1)}))
    monkeypatch.setattr(
        record,
        "replayed",
        lambda law, system, case: different if isinstance(system, broken) else replayed(law, system, case),
    )
    monkeypatch.setattr(record, "firmly", lambda *asked: True)
    first, second = complaints(harmless)
    assert first == f"the law holds on the recorded trace {left_to}"
    assert "the literal definitions make other instances" in second


def test_what_does_not_remain_is_objected_to() -> None:
    found = recorded()["law:6", "snoop-recent-points"]
    said = list(complaints(replace(found, remains="intervals")))
    assert [each.partition(" by ")[0] for each in said] == ["what remains in the record does not remain"] * 2


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.usefixtures("in_spark")
def test_on_spark_the_cells_are_the_same(tmp_path: Path) -> None:
    names, some = ["carlson-lisper", "hv-first-first-keep-points-filter"], LAWS[5:8]
    cells = [recorded()[law.id, name] for name in names for law in some]
    kept = tmp_path / "cells"
    assert computed(names[:1], some, keep=kept) == cells[: len(some)]
    assert computed(names, some, master="local[2]", keep=kept) == cells
    assert len(kept.read_text("utf-8").splitlines()) == len(cells)


def test_a_computation_that_was_killed_goes_on_from_what_it_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    def known(law: EquationClaim, setting: Setting) -> Cell:
        asked.append((law.id, setting.name))
        return recorded()[law.id, setting.name]

    monkeypatch.setattr("proofs.atlas.record.cell", known)
    names, kept = ["snoop-recent-points", "snoop-continuous-points"], tmp_path / "cells"
    every = [(law.id, name) for name in names for law in LAWS]
    computed(names[:1], keep=kept)
    lines = kept.read_text("utf-8").splitlines(keepends=True)
    kept.write_text("".join(lines[:9]) + lines[9][:20], "utf-8")  # killed while it wrote the tenth
    there = set(asked[:9])
    del asked[:]
    assert computed(names, keep=kept) == [recorded()[key] for key in every]
    assert asked == [(law.id, name) for law in LAWS for name in names if (law.id, name) not in there]
    assert len(kept.read_text("utf-8").splitlines()) == len(every)
    for other in (b"{}\n", b"notes in one line", b'{"law": 6}', lines[0].encode() + b"notes", b"\xff\n"):
        kept.write_bytes(other)
        with pytest.raises(InputError, match="no cells of the atlas"):
            computed(names, keep=kept)
        assert kept.read_bytes() == other


def test_every_setting_is_in_the_record_with_cells_that_are_not_merely_tested_and_proved_for_the_first() -> None:
    assert {name for _, name in recorded()} == set(SETTINGS)
    tested = {each.setting for each in recorded().values() if each.standing == "tested"}
    assert tested == {"carlson-lisper-rem", "snoop-unrestricted-points-rem"}  # whose bounds compare distances
    assert {recorded()[law.id, "carlson-lisper"].standing for law in LAWS} == {"proved"}
