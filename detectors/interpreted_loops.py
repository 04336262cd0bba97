"""The loops of generated detectors run by Python as they stand: the oracle of their compiled form.

Each expression has loops of its own, and compiling them takes a second or more; run by Python, the very same text is
ready at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from detectors.generated import SEGMENT, Generated
from detectors.intervals import Detections, Times
from detectors.loops import HELPERS, loop_program
from detectors.programs import defined
from semantics.expressions import Expression


class InterpretedLoops(Generated):
    """A generated detector whose stretches run in the loops that would be compiled."""

    def __init__(self, expression: Expression, *, text: str | None = None) -> None:
        """Take the loops from the program of the expression, or from a text in its place."""
        super().__init__(expression, compiles=True)
        self._text = text or loop_program(expression)
        self._module: dict[str, Any] | None = None
        self._most = SEGMENT

    def sparse(self, columns: Sequence[Times]) -> Detections:
        """As ever; queues get room for the instants there are, for Python is slow to make more."""
        self._most = sum(map(len, columns))
        try:
            return super().sparse(columns)
        finally:
            self._most = SEGMENT

    def _arrays(self, pushes: int) -> Sequence[NDArray[np.int64]]:
        return super()._arrays(min(pushes, self._most))

    def _run(self, *arguments: Any, **more: Any) -> Detections:
        with np.errstate(over="ignore"):  # products of bits overflow on purpose
            return super()._run(*arguments, **more)

    def _loop(self, name: str) -> Callable[..., int]:
        if self._module is None:
            from detectors import kernels  # loads Numba where it is installed

            helpers = {name: getattr(kernels, name) for name in HELPERS}
            kept = [
                line
                for line in self._text.splitlines()
                if not line.startswith(("from detectors.", "@compiled"))
            ]
            function = defined("\n".join(kept), "events", f"<loops of {self.expression}>", helpers)
            self._module = cast(Any, function).__globals__
        return cast(Callable[..., int], self._module[name])
