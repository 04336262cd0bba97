"""Solvers for tests that answer as they are told."""

from dataclasses import dataclass, field
from functools import cache

from smt.carlson_lisper.countermodels import SEARCH_LOGIC
from smt.solvers.portfolio import Z3, Answer, Strategy

z3 = cache(Z3)  # The same Z3 for all tests of a process, so that its process is started once


class FakeSolver:
    """What every solver for tests has besides its answers."""

    name = "fake 1.0"
    strategy = Strategy("as told")

    def close(self) -> None:
        pass


@dataclass
class Fake(FakeSolver):
    """A solver that answers as it is told, and leaves the rest to a real one."""

    obligations: Answer | None = None
    searches: Answer | None = None
    asked: list[str] = field(default_factory=list)

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        self.asked.append(text)
        told = self.searches if SEARCH_LOGIC in text else self.obligations
        return told or z3().check(text, rlimit=rlimit, seed=seed)


def told(answer: Answer) -> Fake:
    return Fake(answer, answer)
