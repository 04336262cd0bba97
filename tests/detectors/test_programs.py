"""Programs made from steps: the text of a step is made once and put to each of its places."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from detectors import demand as demands
from detectors import programs, start_programs
from detectors.demand import demand
from detectors.parts import Part
from detectors.programs import instance_program
from detectors.start_programs import loop_body, start_program, start_variables
from laws.strategies import expressions
from semantics.expressions import Expression


def texts(expression: Expression) -> list[str]:
    demand.cache_clear()
    wanted = demand(expression)
    body = loop_body(wanted.parts, {name: f"occurs_{name}" for name in wanted.names})
    return [instance_program(expression), start_program(expression), *body, *start_variables(wanted)]


def written(part: Part, write: Callable[..., str], *chosen: bool, through: Part | None = None) -> str:
    """The text of a step, made for its place."""
    return write(part, *([through] if through else []), *chosen)


@given(expressions())
@settings(deadline=None, max_examples=60)
def test_a_text_made_for_all_places_is_the_text_made_for_each_place(expression: Expression) -> None:
    kept = texts(expression)
    with pytest.MonkeyPatch.context() as patch:
        for module in (programs, start_programs, demands):
            patch.setattr(module, "placed", written)
        assert texts(expression) == kept
