"""Programs made from steps: the text of a step is made once and put to each of its places."""

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings

from detectors.carlson_lisper.generated import demand as demands
from detectors.carlson_lisper.generated import instants, programs
from detectors.carlson_lisper.generated.demand import demand
from detectors.carlson_lisper.generated.instants import start_variables
from detectors.carlson_lisper.generated.parts import Part
from detectors.carlson_lisper.generated.programs import instance_program
from detectors.carlson_lisper.generated.start_programs import start_program
from laws.carlson_lisper.checks.strategies import expressions
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse


def texts(expression: Expression) -> list[str]:
    demand.cache_clear()
    return [instance_program(expression), start_program(expression), *start_variables(demand(expression))]


def written(part: Part, write: Callable[..., str], *chosen: bool, through: Part | None = None) -> str:
    """The text of a step, made for its place."""
    return write(part, *([through] if through else []), *chosen)


@example(parse("(a + d) ; (b ; c)[5]"))
@example(parse("a ; ((b ; c)[5] + d)"))
@given(expressions())
@settings(deadline=None, max_examples=60)
def test_a_text_made_for_all_places_is_the_text_made_for_each_place(expression: Expression) -> None:
    kept = texts(expression)
    with pytest.MonkeyPatch.context() as patch:
        for module in (programs, instants, demands):
            patch.setattr(module, "placed", written)
        assert texts(expression) == kept
