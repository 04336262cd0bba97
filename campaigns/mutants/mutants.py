"""Wrong detectors as data: one text in a module of a detector is replaced by another one (`mutants.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campaigns.mutants.private_modules import PrivateModules, path_of
from campaigns.systems import Factory


@dataclass(frozen=True)
class Mutant:
    """A wrong detector.

    Attributes:
        engine: the name of the detector whose program is altered.
        module: the module that is altered.
        before: the text that is replaced; it is there exactly once.
        what: what is wrong, in one sentence.
        of_state: whether it is wrong about a stored state alone.
    """

    name: str
    engine: str
    module: str
    before: str
    after: str
    what: str
    of_state: bool = False

    def text(self) -> str:
        """The text of the altered module.

        Raises:
            LookupError: what is to be replaced is not there exactly once.
        """
        text = Path(path_of(self.module)).read_text("utf-8")
        if (count := text.count(self.before)) != 1:
            raise LookupError(f"{self.name}: {self.before!r} is {count} times in {self.module}")
        return text.replace(self.before, self.after)

    def modules(self) -> PrivateModules:
        """Private copies of the modules that the change reaches."""
        return PrivateModules(self.module, self.text(), f"mutant {self.name}")

    def factory(self) -> Factory:
        """Load the altered program: the factory of wrong detectors."""
        raise NotImplementedError

    @property
    def unaltered(self) -> Factory:
        """The factory of detectors without the fault."""
        raise NotImplementedError


def mutants_in(path: Path) -> Iterator[Mapping[str, Any]]:
    """The rows of a file of mutants; what they say of a table applies to all that follow in it."""
    for table in tomllib.loads(path.read_text("utf-8"))["of"]:
        common = {name: value for name, value in table.items() if name != "mutants"}
        for name, (before, after, what) in table["mutants"].items():
            yield {**common, "name": name, "before": before, "after": after, "what": what}
