"""What ends now, as formulas: right on small streams, and each slip of the pen refuted there."""

from random import Random

import pytest

from laws.carlson_lisper.claims import scripted_theorems
from laws.carlson_lisper.statements import Reading, finite, parse_goal
from laws.theorems import Part
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from tests.tables import table

PARTS = {f"{each.id}: {part.name}": part for each in scripted_theorems() for part in each.parts}


def case(random: Random) -> Reading[bool, int, Instance]:
    """Streams of up to two instances of up to two occurrences, and times."""
    drawn = [Instance(Occurrence("x", random.randint(0, 3)) for _ in range(random.randint(1, 2))) for _ in range(4)]
    streams = {"A": frozenset(drawn[: random.randint(0, 2)]), "B": frozenset(drawn[random.randint(2, 4) :])}
    return finite(streams, {name: random.randint(0, 3) for name in ("now", *"klmnstu")})


CASES = list(map(case, [Random(0)] * 1000))


def outcomes(part: Part) -> set[bool]:
    """The truth values of a formula where what is given holds."""
    goal, given = parse_goal(part.says), list(map(parse_goal, part.given))
    return {all(each.parts(goal).values()) for each in CASES if all(all(each.parts(known).values()) for known in given)}


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTS)
def test_a_formula_about_what_ends_now_holds_on_small_streams(name: str) -> None:
    assert outcomes(PARTS[name]) == {True}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "printed", "slip"), table(__file__, "slips"))
def test_a_slip_in_what_ends_now_is_refuted_on_small_streams(name: str, printed: str, slip: str) -> None:
    part = PARTS[f"theorem:ends-now{name}"]
    says, *given = (text.replace(printed, slip) for text in (part.says, *part.given))
    assert outcomes(Part(name, says, tuple(given))) == {True, False}
