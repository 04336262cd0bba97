"""Temporal distances: those of the paper's figure, and bounds that every tuple obeys."""

import pytest

from semantics.bry_eckert.algebra.distances import distances, of_point
from semantics.bry_eckert.algebra.planning import plan_of
from semantics.bry_eckert.algebra.plans import Base, Join, Merge, Plan, Select
from semantics.bry_eckert.algebra.relations import Evaluation
from semantics.bry_eckert.temporal import Related, end, start
from tests.semantics.bry_eckert.programs import cases


def test_a_time_stamp_that_one_side_has_discarded_is_not_taken_for_one_of_the_other_side() -> None:
    """σ[c.e < a.s](μ[c ← a ⊔ b](A ⋈ B) ⋈ A): the a that is merged is another one than the a that follows."""
    a, b = Base("a", "A", ()), Base("b", "B", ())
    joined = Join(Merge("c", ("a", "b"), Join(a, b)), a)
    found = distances(Select(Related("c", "before", "a"), joined), Plan(()))
    assert not found.contradictory
    assert found[start("a"), end("c")] == -1 and found[start("a"), end("a")] is None


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
