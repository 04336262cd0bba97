"""That Spark SQL has the answers of the step-wise engine on a million events, on this machine and on a cluster."""

from collections.abc import Iterator
from random import Random

import pytest
from pyspark.sql import SparkSession

from cluster.session import spark_session
from detectors.bry_eckert.differencing import Differencing
from detectors.bry_eckert.protocol import answers
from detectors.bry_eckert.relational.batch import evaluate_spark
from semantics.bry_eckert.algebra.planning import pushed
from semantics.bry_eckert.algebra.translation import plan_of
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import by_time
from semantics.events import Event
from tests.cluster.standalone import standalone
from tests.semantics.bry_eckert.programs import CHAIN

pytestmark = [pytest.mark.spark, pytest.mark.long]

EVENTS = 1_000_000


def log() -> list[Event]:
    """A million points of four types, about one in a hundred of which completes an answer."""
    random = Random(5)
    return [Event(random.choice("ABDE"), time, time, {"x": random.randrange(400)}) for time in range(EVENTS)]


@pytest.fixture(params=["embedded", "standalone"])
def session(request: pytest.FixtureRequest) -> Iterator[SparkSession]:
    if request.param == "embedded":
        with spark_session("local[2]") as started:
            yield started
    else:
        with standalone(workers=2) as cluster, spark_session(cluster.master) as started:
            yield started


def test_a_million_events_have_the_same_answers_on_spark(session: SparkSession) -> None:
    program = parse(
        CHAIN.replace("within 4h", "within 400h").replace("within 1h", "within 100h").replace("2h", "200h")
    )
    plan = pushed(plan_of(program))
    events = log()
    expected = list(answers(Differencing(program, plan), events))
    found = evaluate_spark(program, plan, events, session)
    assert len(expected) > EVENTS / 1000
    assert found == sorted(expected, key=by_time)
