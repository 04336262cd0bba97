"""The conditions by which engines forget, decided for the plans of the cases that a gate puts to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol, cast

from laws.standings import Standing
from remora.judging.results import Check
from semantics.systems import system_of, systems_in

ROOM = "relevance"
"""The room of the systems whose engines forget by conditions that a solver decides."""

STAGE, NAME = "conditions", "relevance conditions"


class RelevanceOfSystem(Protocol):
    """What a system knows of forgetting; a module with this function is one."""

    def forgetting(self, text: str, engine: str) -> Iterator[Any]:
        """The conditions by which an engine forgets for what is to be detected.

        Each has `decided.safe`, which is None where the solver does not know, and says as text what is wrong.
        """


def decides(system: str) -> bool:
    """Whether a system has conditions to decide."""
    return system in systems_in(ROOM)


def decided_conditions(
    system: str, detectors: Mapping[str, Any], texts: Iterable[str], going: Callable[[int], bool]
) -> Iterator[Check]:
    """For each detector, how the conditions stand by which it forgets.

    Args:
        system: the system.
        detectors: the detectors by name.
        texts: what is to be detected, one case after the other.
        going: is told how many texts are done, and says whether to go on.
    """
    relevance = cast(RelevanceOfSystem, system_of(system).module(ROOM))
    safe, wrong, unknown = (dict.fromkeys(detectors, 0) for _ in range(3))
    first: dict[str, str] = {}
    texts_done = 0
    for text in dict.fromkeys(texts):
        if not going(texts_done):
            break
        texts_done += 1
        for name in detectors:
            for one in relevance.forgetting(text, name):
                counts = unknown if one.decided.safe is None else safe if one.decided.safe else wrong
                counts[name] += 1
                if not one.decided.safe and (counts is wrong or name not in first):
                    first.setdefault(name, f"{one}, for {text.strip().splitlines()[-1]}")
    for name in detectors:
        tried = safe[name] + wrong[name] + unknown[name]
        if not tried:
            said = f"not decided: {name} is not known to forget by a condition in any of {texts_done:,} plans"
            yield Check(STAGE, NAME, name, None, 0, said)
            continue
        standing = Standing.REFUTED if wrong[name] else Standing.UNKNOWN if unknown[name] else Standing.PROVED
        said = f"{tried:,} conditions of {texts_done:,} plan{'' if texts_done == 1 else 's'}: {safe[name]:,} safe"
        said += f", {wrong[name]:,} not safe" if wrong[name] else ""
        said += f", {unknown[name]:,} not decided" if unknown[name] else ""
        said += f"; {first[name]}" if name in first else ""
        yield Check(STAGE, NAME, name, standing, tried, said, failed=wrong[name])
