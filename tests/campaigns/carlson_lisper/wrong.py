"""Wrong steps."""

import inspect
from typing import cast

from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.mutants import Mutant
from detectors.carlson_lisper.source.figure2 import StepFactory
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue

WRONG_STEPS = {name: mutant for name, mutant in MUTANTS.items() if mutant.operator}
"""Those in which one step of Figure 2 is altered."""


def step_of(mutant: Mutant) -> StepFactory:
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
