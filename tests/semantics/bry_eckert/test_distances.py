"""Temporal distances: bounds that every tuple obeys."""

import pytest

from semantics.bry_eckert.algebra.distances import of_point
from semantics.bry_eckert.algebra.planning import plan_of
from semantics.bry_eckert.algebra.relations import Evaluation
from tests.semantics.bry_eckert.programs import cases


@pytest.mark.slow
def test_every_tuple_obeys_the_distances_of_its_expression() -> None:
    checked = 0
    for case in cases(40):
        plan = plan_of(case.program)
        whole = Evaluation(plan, case.events)
        for definition in plan.definitions:
            relation, known = whole[definition.name], of_point(definition.name, plan)
            for row in relation:
                at = dict(zip(plan.schema_of(definition.name), row, strict=True))
                for (i, j), distance in known.between.items():
                    checked += 1
                    assert at[j] - at[i] <= distance, (case.number, i, j)
    assert checked > 250
