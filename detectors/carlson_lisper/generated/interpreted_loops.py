"""The loops of generated detectors run by Python as they stand: the oracle of their compiled form.

Each expression has loops of its own, and compiling them takes a second or more; run by Python, the very same text is
ready at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from detectors.carlson_lisper.fast.loops import HELPERS, loop_program
from detectors.carlson_lisper.generated.generated import Generated
from detectors.generated_code import defined
from semantics.carlson_lisper.expressions import Expression


class InterpretedLoops(Generated):
    """A generated detector whose stretches, however short, run in the loops that would be compiled."""

    words_from = 0

    def __init__(self, expression: Expression, *, text: str | None = None) -> None:
        """Take the loops from the program of the expression, or from a text in its place."""
        super().__init__(expression, compiles=True)
        self._text = text or loop_program(expression)
        self._module: dict[str, Any] | None = None

    def _loop(self, name: str) -> Callable[..., int]:
        if self._module is None:
            from detectors.carlson_lisper.fast import kernels

            helpers = {name: getattr(kernels, name) for name in HELPERS}
            kept = [
                line
                for line in self._text.splitlines()
                if not line.startswith(("from detectors.", "@compiled"))
            ]
            function = defined("\n".join(kept), "events", f"<loops of {self.expression}>", helpers)
            self._module = cast(Any, function).__globals__
        return cast(Callable[..., int], self._module[name])
