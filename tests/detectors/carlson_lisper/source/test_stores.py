"""Places for the candidates of a sequence by the length of its label."""

from detectors.carlson_lisper.generated.figure3 import Figure3
from detectors.carlson_lisper.generated.parts import parts
from detectors.carlson_lisper.generated.programs import GENERATED_STEPS, STATIC_PLACES
from detectors.carlson_lisper.source.steps import CandidateQueue
from detectors.carlson_lisper.source.stores import StaticQueue
from semantics.carlson_lisper.expressions import Operation
from semantics.carlson_lisper.syntax import parse


def test_long_labels_get_a_queue_that_takes_the_room_that_is_used() -> None:
    for label, kind in ((STATIC_PLACES - 1, StaticQueue), (STATIC_PLACES, CandidateQueue)):
        made = Figure3(parse(f"a ; (b ; c)[{label}]"))
        queues = [name for node in made.state() for name in node.variables if name == "q"]
        assert len(queues) == 2
        (outer,) = [
            p
            for p in parts(made.expression, GENERATED_STEPS)
            if isinstance(p.expression, Operation) and p.expression.label == label
        ]
        assert outer.place is not None and type(outer.place.step.variables()["q"]) is kind
