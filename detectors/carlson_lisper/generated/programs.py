"""Generated code: the algorithm of Figure 2 with its main loop unrolled for one expression, as in Figure 3.

The expression is transformed first (Section 6), so that each sequence knows how long its right instances can be. The
statements of every program are those of the steps, rewritten for their place
(`detectors.carlson_lisper.generated.specialisation`); the programs
differ in what the values are, and in what stands around the statements.

Nothing of the user's text gets into a program but names of event types, as string constants and in comments.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import cast

from detectors.carlson_lisper.generated.parts import Part, code, comment, parts
from detectors.carlson_lisper.generated.specialisation import Rewriting
from detectors.carlson_lisper.generated.templates import placed
from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from detectors.carlson_lisper.source.steps import BoundedSequenceStep, SequenceStep, Step
from detectors.carlson_lisper.source.stores import RecentSequenceStep
from detectors.generated_code import in_docstring
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Identifier, Operation

STATIC_PLACES = 4096
"""A smaller label gets a static array for its queue; any other one the list of Figure 4, as long as what is used."""


def _sequence(operation: Operation) -> Step:
    label = operation.label
    if label is None or label == UNBOUNDED:
        return SequenceStep()
    if label < STATIC_PLACES:
        return RecentSequenceStep(cast(int, label))
    return BoundedSequenceStep(cast(int, label))


GENERATED_STEPS: Mapping[str, StepFactory] = {**STEPS, "seq": _sequence}
"""The step of each operator for programs that work with instances."""


# ------------------------------------------------------------------------------------------------------ instances


def instance_program(expression: Expression) -> str:
    """Figure 3: the text of a function that makes a step from times with occurrences to current instances."""
    found = parts(expression, GENERATED_STEPS)
    lines = []
    for part in found:
        lines.append(comment(part))
        if part.place is None:
            name = repr(cast(Identifier, part.expression).name)
            lines.append(
                f"a{part.number} = primitive({name}, now, occurrences[{name}])"
                f" if {name} in occurrences else NON_OCCURRENCE"
            )
        else:
            lines.append(placed(part, _of_instances))
    return program(
        f"Detects {expression} with whole instances.",
        ["NON_OCCURRENCE", "primitive"],
        list(instance_variables(found)),
        "now, occurrences",
        [*lines, f"return a{len(found)}"],
    )


def _of_instances(part: Part) -> str:
    assert part.place is not None
    return code(Rewriting(part.place).statements())


def instance_variables(found: tuple[Part, ...]) -> dict[str, object]:
    """The auxiliary variables of a program for instances, with their initial values."""
    return {
        part.place.variable(name): value
        for part in found
        if part.place is not None
        for name, value in part.place.step.variables().items()
    }


def program(
    meaning: str, constants: Sequence[str], variables: Sequence[str], received: str, lines: Sequence[str]
) -> str:
    """A function that takes the initial values of the variables and returns the step, which keeps them."""
    kept = [f"nonlocal {', '.join(variables)}"] if variables else []
    body = textwrap.indent("\n".join([*kept, *lines]), " " * 8)
    return f"""\
def detector({", ".join([*constants, *variables])}):
    \"\"\"{in_docstring(meaning)}\"\"\"

    def step({received}):
{body}

    return step
"""
