"""Programs made from steps: the text of a step is made once and put to each of its places."""

import pytest
from hypothesis import given, settings

from detectors import demand as demands
from detectors import programs, start_programs
from detectors.demand import demand
from detectors.programs import instance_program
from detectors.start_programs import loop_body, start_program, start_variables
from laws.strategies import expressions
from semantics.expressions import Expression


def texts(expression: Expression) -> list[str]:
    demand.cache_clear()
    wanted = demand(expression)
    body = loop_body(wanted.parts, {name: f"occurs_{name}" for name in wanted.names})
    return [instance_program(expression), start_program(expression), *body, *start_variables(wanted)]


@given(expressions())
@settings(deadline=None, max_examples=60)
def test_a_text_made_for_all_places_is_the_text_made_for_each_place(expression: Expression) -> None:
    kept = texts(expression)
    with pytest.MonkeyPatch.context() as patch:
        for module in (programs, start_programs, demands):
            patch.setattr(module, "placed", lambda part, write, *chosen: write(part, *chosen))
        assert texts(expression) == kept
