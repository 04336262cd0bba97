"""Plans: every order and every materialization point derive the same; choices are text that is read back."""

import pytest

from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.feeding import answers
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.notation import plan_text
from semantics.bry_eckert.planning import Choice, candidates, chosen, names_of, planned, read_choices
from semantics.bry_eckert.relations import derived_events
from semantics.errors import InputError
from tests.semantics.bry_eckert.programs import CHAIN, cases


def test_every_plan_derives_the_same() -> None:
    tried = 0
    for case in cases(20):
        program, expected = case.program, denotation(case.program, case.events)
        for name, rule in names_of(program).items():
            for choice in list(candidates(rule))[1:5]:
                tried += 1
                plan = planned(program, {name: choice})
                assert read_choices(f"{name}: {choice}", program) == {name: choice}
                assert derived_events(program, plan, case.events) == expected, (case.number, choice)
                for engine in ("differencing", "nodes"):
                    made = ENGINES[engine](program, plan, case.points)
                    assert list(answers(made, case.events)) == expected, (case.number, choice, engine)
    assert tried > 40


def test_the_second_plan_of_figure_1_has_the_point_of_the_paper() -> None:
    program = parse(CHAIN)
    lines = plan_text(planned(program, read_choices("F: c, d / e", program))).splitlines()
    assert [line.partition(" := ")[0] for line in lines] == ["C", "F/1", "F"]
    assert "C[c: x]" in lines[1]
    assert "D[d: x]" in lines[1]
    assert "F/1" in lines[2]


def test_the_choice_with_the_least_cost_is_taken() -> None:
    program = parse(CHAIN)
    wanted = Choice((("e", "d"), ("c",)))
    found = chosen(program, lambda plan: 0 if plan == planned(program, {"F": wanted}) else 1)
    assert found == {"F": wanted}
    assert chosen(program, lambda _: 1) == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("G: a, b", "'G' is no rule"),
        ("F: c, d", "c, d does not join each atom once"),
        ("F c, d, e", "is no rule"),
    ],
)
def test_a_choice_that_does_not_fit_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(InputError, match="line 2") as caught:
        read_choices(f"# plan\n{text}\n", parse(CHAIN))
    assert reason in caught.value.reason
