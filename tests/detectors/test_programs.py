"""Programs made from steps: the text of a step is made once and put to each of its places."""

import pytest
from hypothesis import given, settings

from detectors import programs
from detectors.programs import START_STEPS, instance_program, loop_body, parts, start_program
from detectors.protocol import event_types
from laws.strategies import expressions
from semantics.expressions import Expression


def texts(expression: Expression) -> list[str]:
    names = event_types(expression)
    occurs = [f"occurs_{bit}" for bit in range(len(names))]
    body = loop_body(parts(expression, START_STEPS), occurs, names)
    return [instance_program(expression), start_program(expression), *body]


@given(expressions())
@settings(max_examples=60)
def test_a_text_made_for_all_places_is_the_text_made_for_each_place(expression: Expression) -> None:
    kept = texts(expression)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(programs, "_placed", lambda part, kind, make: programs.code(make(part.place)))
        assert texts(expression) == kept
