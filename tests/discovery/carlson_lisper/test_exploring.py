"""Explorations: classes are those that the definitions tell apart, and runs go on where they ended."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from discovery.carlson_lisper.exploring import Answer, Exploration, explore, known_laws
from discovery.carlson_lisper.table import Table
from discovery.carlson_lisper.universes import Universe, universe
from laws.carlson_lisper.claims import EquationClaim, laws
from laws.carlson_lisper.mutations import changes
from laws.standings import Standing
from semantics.carlson_lisper.decisions import LEVELS, Decider, Level, related
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import BoundParameter, Expression, Identifier, Operation, size
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import parse_equation
from semantics.errors import EnginesDisagree, InputError

BINARY = [name for name, definition in OPERATORS.items() if not definition.bounded]


def believing(claims: Sequence[EquationClaim]) -> list[Answer]:
    """A judge who believes everything, for what does not depend on proofs."""
    return [(Standing.PROVED, None) for _ in claims]


@cache
def terms(nodes: int, variables: str, bounds: str) -> tuple[Expression, ...]:
    """All terms of a size, made without a table."""
    if nodes == 1:
        return tuple(map(Identifier, variables))
    made = [
        Operation(name, (one, other))
        for name in BINARY
        for left in range(1, nodes - 1)
        for one, other in product(terms(left, variables, bounds), terms(nodes - 1 - left, variables, bounds))
    ]
    return (*made, *(term[BoundParameter(name)] for name in bounds for term in terms(nodes - 1, variables, bounds)))


def all_terms(most: int, variables: str, bounds: str) -> list[Expression]:
    return [term for nodes in range(1, most + 1) for term in terms(nodes, variables, bounds)]


def class_in(table: Table, term: Expression, bounds: Mapping[str, int] = {"t": 0, "u": 1}) -> int:
    """The class of a term, found part by part."""
    values = {name: np.array([number]) for number, name in enumerate(table.variables)}
    return int(table.class_of[table.rows_of(term, values, bounds)[0]])


@pytest.fixture(scope="module", params=LEVELS)
def explored(request: pytest.FixtureRequest) -> Exploration:
    return explore(request.param, 4, believing, variables="AB", bounds=1)


def test_classes_are_those_that_the_definitions_tell_apart_on_streams(explored: Exploration) -> None:
    every, table = all_terms(4, "AB", "t"), explored.table
    members = defaultdict[int, list[Expression]](list)
    for term in every:
        members[class_in(table, term)].append(term)
    assert explored.totals.terms == len(every)
    assert explored.totals.classes == len(members)
    assert explored.totals.equal == sum(len(some) * (len(some) - 1) // 2 for some in members.values())
    random = Random(0)
    apart = dict.fromkeys(combinations(members, 2))
    for number in range(1000, 1040):
        drawn = universe(number, 0, explored.level, "AB")
        case, bounds = random.randrange(64), dict(zip("tu", drawn.bounds, strict=True))
        streams = {name: drawn.stream(drawn.streams[name][:, 0], case) for name in "AB"}
        told = {}
        for each, some in members.items():
            first, *others = [denotation(term, streams, bounds) for term in some]
            assert all(related(explored.level, "equivalence", first, other) for other in others), some
            told[each] = first
        apart = {
            (one, other): None for one, other in apart if related(explored.level, "equivalence", told[one], told[other])
        }
    assert len(apart) <= len(members) ** 2 / 200  # few need a rarer stream than these


def test_every_pair_is_equal_apart_or_open(explored: Exploration) -> None:
    totals = explored.totals
    assert totals.pairs == totals.terms * (totals.terms - 1) // 2 == totals.equal + totals.apart + totals.open
    assert totals.open == 0


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_classes_of_terms_over_event_types_are_those_that_automata_decide(level: Level) -> None:
    found = explore(level, 4, believing, variables="AB", bounds=0, types=True)
    every = all_terms(4, "AB", "")
    decider = Decider(every)
    for one, other in combinations(every, 2):
        same = class_in(found.table, one) == class_in(found.table, other)
        assert decider.decide(one, other, level).holds == same, (str(one), str(other))


def sabotaged(operator: str, text: str) -> Table:
    """The table of small terms in universes with another definition of an operator."""
    (change,) = (each for each in changes(operator) if each.text == text)
    operators = {**OPERATORS, operator: change.definition}
    drawn = [universe(number, 0, "detection", "AB") for number in range(6)]
    universes = [Universe(each.intervals, each.bounds, each.streams, "detection", operators) for each in drawn]
    table = Table(universes, "AB", 1)
    for _ in range(4):
        table.grow([])
        table.settle()
    return table


@pytest.mark.parametrize("operator", OPERATORS)
def test_another_definition_of_an_operator_makes_other_fingerprints(operator: str) -> None:
    right = explore("detection", 4, believing, variables="AB", bounds=1).totals.classes
    other = []
    for change in list(changes(operator))[:3]:
        table = sabotaged(operator, change.text)
        other.append(len(set(table.prints.tolist())))
    assert any(count != right for count in other)


def test_a_false_law_among_the_known_ones_is_told() -> None:
    for text in ("A ; B ~= B ; A", "A - B ~= A", "A[t] ~= A[u]", "A + B ~= A | B", "A ; (B | C) ~= A ; B"):
        false = EquationClaim("theirs", parse_equation(text))
        with pytest.raises(EnginesDisagree, match="theirs is false"):
            explore("detection", 5, believing, known=[*laws(), false])


def test_what_is_neither_proved_nor_refuted_leaves_pairs_open() -> None:
    found = explore("meaning", 3, lambda claims: [(Standing.UNKNOWN, None)] * len(claims), variables="A", bounds=0)
    assert found.totals.open and found.totals.pairs == found.totals.equal + found.totals.apart + found.totals.open
    assert {each.standing for each in found.findings} == {Standing.UNKNOWN}


KNOWN = [claim for claim in laws() if max(size(claim.equation.left), size(claim.equation.right)) <= 5]
KNOWN = [claim for claim in KNOWN if not claim.primitive]


@pytest.mark.slow
@pytest.mark.parametrize("left_out", KNOWN, ids=lambda claim: claim.id)
def test_a_law_that_is_left_out_is_found_again_at_its_size(left_out: EquationClaim) -> None:
    """Or it follows from the others."""
    level: Level = {"==": "meaning", "[=]": "intervals", "~=": "detection"}[left_out.equation.relation]  # type: ignore[assignment]
    nodes = max(size(side) for side in (left_out.equation.left, left_out.equation.right))
    others = [claim for claim in laws() if claim.id != left_out.id]
    found = explore(
        level, nodes, believing, variables=left_out.variables, bounds=len(left_out.parameters), known=others
    )
    order = {name: place for place, name in enumerate(left_out.parameters)}
    one, other = (class_in(found.table, side, order) for side in (left_out.equation.left, left_out.equation.right))
    assert one == other
    assert all(each.size <= nodes for each in found.findings)


def test_known_laws_are_those_that_hold_at_a_level() -> None:
    for level, relations in zip(LEVELS, ({"=="}, {"==", "[=]"}, {"==", "[=]", "~="}), strict=True):
        ids = {claim.id for claim in laws() if claim.equation.relation in relations and not claim.primitive}
        assert {law.id for law in known_laws(laws(), level, 9, types=False)} == ids


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def run(folder: Path, nodes: int, **settings: object) -> Exploration:
    return explore("detection", nodes, believing, folder=folder, **{"variables": "AB", **settings})  # type: ignore[arg-type]


def test_a_run_that_was_ended_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", 4)
    for ended in (1, 3, 4):
        run(tmp_path / "parts", ended)
    again = run(tmp_path / "parts", 4)
    assert files(tmp_path / "whole") == files(tmp_path / "parts")
    assert (again.totals, again.findings, again.laws) == (whole.totals, whole.findings, whole.laws)


def test_a_run_that_is_ended_in_a_size_leaves_the_one_before(tmp_path: Path) -> None:
    def stopped(claims: Sequence[EquationClaim]) -> list[Answer]:
        if any(size(claim.equation.left) > 3 for claim in claims):
            raise KeyboardInterrupt
        return believing(claims)

    with pytest.raises(KeyboardInterrupt):
        explore("detection", 4, stopped, variables="AB", folder=tmp_path / "ended")
    assert "size-3.npz" in files(tmp_path / "ended") and "size-4.npz" not in files(tmp_path / "ended")
    run(tmp_path / "ended", 4)
    run(tmp_path / "whole", 4)
    assert files(tmp_path / "ended") == files(tmp_path / "whole")


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    run(tmp_path / "run", 2)
    before = files(tmp_path / "run")
    for name, value in {"variables": "ABC", "bounds": 1, "types": True, "seed": 1}.items():
        with pytest.raises(InputError, match=f"has another {name}") as refusal:
            run(tmp_path / "run", 2, **{name: value})
        assert refusal.value.remedy and "exploration.json" in str(refusal.value)
    assert files(tmp_path / "run") == before
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        run(tmp_path / "else", 2)


def damages(text: bytes) -> Iterator[bytes]:
    yield b""
    yield text[: len(text) // 2]
    yield text.replace(b"document", b"DOCUMENT")
    yield text.replace(b"class_of", b"CLASS_OF")


def test_a_damaged_state_is_refused_and_may_be_removed(tmp_path: Path) -> None:
    run(tmp_path, 3)
    state = tmp_path / "size-3.npz"
    right = state.read_bytes()
    for damaged in damages(right):
        state.write_bytes(damaged)
        with pytest.raises(InputError, match="after size 3 is damaged"):
            run(tmp_path, 4)
    state.unlink()
    run(tmp_path, 3)
    assert state.read_bytes() == right
    record = tmp_path / "exploration.json"
    record.write_text(json.dumps([1]))
    with pytest.raises(InputError, match="exploration"):
        run(tmp_path, 3)
