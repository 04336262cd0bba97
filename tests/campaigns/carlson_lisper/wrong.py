"""Wrong detectors that are made of a given one, wrong steps, and the first case that finds a wrong detector."""

import inspect
from dataclasses import dataclass
from typing import cast

from campaigns.carlson_lisper.cases import generate
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.mutants import KILLED_WITHIN, TellingMutant, WrongDetector
from campaigns.judging.verdicts import Kind
from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory
from detectors.carlson_lisper.source.figure2 import StepFactory
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue
from semantics.carlson_lisper.expressions import Expression


@dataclass(frozen=True)
class Made:
    """A detector that is called wrong, and the one that it is compared with."""

    name: str
    make: AnyFactory
    unaltered: AnyFactory
    description: str = "given by a test"

    def __call__(self, expression: Expression) -> AnyDetector:
        return self.make(expression)


def first_failure(mutant: WrongDetector, seed: int, limit: int = KILLED_WITHIN) -> tuple[int, Kind] | None:
    """The number of the first case that finds a mutant wrong, and how; None if the first `limit` do not."""
    for number in range(limit):
        case = generate(seed, number)
        kind = judge(case, mutant).kind
        if kind is not None and judge(case, mutant.unaltered).ok:
            return number, kind
    return None


def step_of(mutant: TellingMutant) -> StepFactory:
    """The altered step, with the same ⟨⟩ and the same queue as the right ones, but where the queue is what is wrong.

    Proofs know these objects; of copies of them nothing is proved, be the step right or wrong.
    """
    modules = mutant.modules()
    program = vars(modules.load(mutant.module))
    program["NON_OCCURRENCE"] = NON_OCCURRENCE
    if mutant.before not in inspect.getsource(CandidateQueue):
        program["CandidateQueue"] = CandidateQueue
    steps = modules.load("detectors.carlson_lisper.source.figure2").STEPS
    return cast(StepFactory, steps[mutant.operator])
