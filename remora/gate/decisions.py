"""Decisions by solvers for the cases that a gate puts to detectors: conditions of forgetting, generated texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol, cast

from campaigns.engine.settings import Settings, maker_of
from campaigns.judging.findings import Check
from laws.standings import Standing, weakest
from semantics.systems import system_of, systems_in


class Decided(Protocol):
    """Something that was asked; as text it says what, and what is wrong or not known."""

    @property
    def holds(self) -> bool | None:
        """Whether it is as it should be; None where the solver does not know."""

    @property
    def besides(self) -> str:
        """A further property in a word, which is counted; "" for none."""


class DecisionsOfSystem(Protocol):
    """Protocol of a system whose conditions or texts a solver decides; a module with this function is one."""

    def decisions(self, text: str, detector: str) -> Iterator[Decided]:
        """The decisions about a detector of a text; none for detectors of which nothing is decided."""


class Kind(NamedTuple):
    """A kind of decision.

    Attributes:
        room: the room of the systems that have such.
        name: what it is about.
        case: what each is made for.
        none: what is said of a detector of which nothing is decided; "" where that is as it should be.
        words: how those are called that hold, and the others.
        share: how much of the time that is left the gate may spend.
        most: for how many cases it is done at most.
    """

    room: str
    name: str
    case: str
    none: str
    words: tuple[str, str]
    share: float
    most: int


TEXTS = "texts"
"""The stage in which the texts of generated detectors are validated."""

KINDS: Mapping[str, Kind] = {
    "conditions": Kind(
        "relevance",
        "relevance conditions",
        "plan",
        "is not known to forget by a condition",
        ("safe", "not safe"),
        0.1,
        400,
    ),
    TEXTS: Kind("validation", "generated texts", "pattern", "", ("validated", "refuted"), 0.05, 50),
}
"""By the stage of the gate, which is how several are called."""


def stages(system: str) -> list[str]:
    """The stages of the gate in which something is decided of a system's detectors."""
    return [stage for stage, kind in KINDS.items() if system in systems_in(kind.room)]


def decided(
    stage: str, system: str, detectors: Mapping[str, Any], texts: Iterable[str], going: Callable[[int], bool]
) -> Iterator[Check]:
    """For each detector, how that stands which is decided of it.

    Args:
        stage: the stage, a key of `KINDS`.
        going: is told how many texts are done, and says whether to go on.
    """
    kind = KINDS[stage]
    of_system = cast(DecisionsOfSystem, system_of(system).module(kind.room))
    found, besides = defaultdict[str, Counter[bool | None]](Counter), defaultdict[str, Counter[str]](Counter)
    first = dict[tuple[str, bool | None], str]()
    done = 0
    for text in dict.fromkeys(texts):
        if not going(done):
            break
        done += 1
        for name in detectors:
            for one in of_system.decisions(text, name):
                found[name][one.holds] += 1
                besides[name][one.besides] += 1
                first.setdefault((name, one.holds), f"{one}, for {text.strip().splitlines()[-1]}")
    cases = f"{done:,} {kind.case}{'' if done == 1 else 's'}"
    for name in detectors:
        counts = found[name]
        if not counts:
            if kind.none:
                said = f"not decided: {name} {kind.none} in any of {cases}"
                yield Check(stage, kind.name, name, None, 0, said)
            continue
        right, wrong, unknown = counts[True], counts[False], counts[None]
        standing = Standing.REFUTED if wrong else Standing.UNKNOWN if unknown else Standing.PROVED
        said = f"{counts.total():,} {stage} of {cases}: {right:,} {kind.words[0]}"
        said += f", {wrong:,} {kind.words[1]}" if wrong else ""
        said += f", {unknown:,} not decided" if unknown else ""
        said += "".join(f", {number:,} {word}" for word, number in sorted(besides[name].items()) if word)
        said += f"; {first[name, False if wrong else None]}" if wrong or unknown else ""
        yield Check(stage, kind.name, name, standing, counts.total(), said, failed=wrong)


def validated_texts(settings: Settings) -> list[Check]:
    """How the texts stand that the detectors of a campaign have for the patterns of its first cases."""
    if TEXTS not in stages(settings.system):
        return []
    patterns = (case.text for case in map(maker_of(settings), range(min(settings.cases, KINDS[TEXTS].most))))
    return list(decided(TEXTS, settings.system, dict.fromkeys(settings.detectors), patterns, lambda _: True))


def with_texts(standing: Standing, texts: Iterable[Check]) -> Standing:
    """The weakest of the standing of a campaign and those of its texts."""
    stand = [check.standing for check in texts if check.standing not in (None, Standing.PROVED)]
    return weakest([standing, *(each for each in stand if each is not None)])


def texts_data(checks: Iterable[Check]) -> list[dict[str, Any]]:
    """Checks of texts as plain data."""
    return [
        {
            "detector": check.detector,
            "standing": (check.standing or Standing.UNKNOWN).value,
            "tried": check.tried,
            "refuted": check.failed,
            "detail": check.detail,
        }
        for check in checks
    ]
