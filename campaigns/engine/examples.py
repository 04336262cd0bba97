"""An example of each cause that a campaign meets: replayed, made small and told as soon as the cause was met."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from campaigns.engine.failures import Failure, examine
from campaigns.engine.settings import Settings
from campaigns.judging.verdicts import Cause

EXAMINED = 12
"""Of so many causes, the first that are met, an example is replayed and minimised; and of one of each detector."""


class Examples:
    """The examples of one campaign."""

    def __init__(
        self, settings: Settings, search_path: tuple[str, ...], tell: Callable[[Failure], None]
    ) -> None:
        """With none met yet.

        Args:
            settings: the campaign's settings.
            search_path: folders in which the detectors' modules are looked for.
            tell: is told each example.
        """
        self.settings = settings
        self.search_path = search_path
        self.tell = tell
        self._found: dict[Cause, Failure] = {}

    @property
    def found(self) -> tuple[Failure, ...]:
        """The examples, in the order in which their causes were met."""
        return tuple(self._found.values())

    def meet(self, causes: Mapping[Cause, tuple[int, str]]) -> None:
        """Examine a case of each new cause, up to `EXAMINED` and one for each detector.

        Args:
            causes: with the number of a case that has it, and what happened there.
        """
        for cause, (number, detail) in causes.items():
            known = {examined.detector for examined in self._found}
            if cause not in self._found and (len(self._found) < EXAMINED or cause.detector not in known):
                [failure] = examine(self.settings, [(number, cause, detail)], search_path=self.search_path)
                self._found[cause] = failure
                self.tell(failure)
