"""Wrong steps, and the first case that finds a wrong detector."""

import inspect
from typing import cast

from campaigns.carlson_lisper.cases import generate
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.judging.verdicts import Kind
from campaigns.mutants import Mutant
from detectors.carlson_lisper.source.figure2 import StepFactory
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue

WRONG_STEPS = {name: mutant for name, mutant in MUTANTS.items() if mutant.operator}
"""Those in which one step of Figure 2 is altered."""


def first_failure(mutant: Mutant, seed: int, limit: int = 2000) -> tuple[int, Kind] | None:
    """The number of the first usual case that finds a mutant wrong, and how; None if the first `limit` do not."""
    for number in range(limit):
        case = generate(seed, number)
        kind = judge(case, mutant).kind
        if kind is not None and judge(case, mutant.unaltered).ok:
            return number, kind
    return None


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
