"""Decisions by solvers for the cases that a gate puts to detectors: conditions of forgetting, generated texts."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from campaigns.engine.findings import Check
from campaigns.engine.settings import Settings
from campaigns.judging.judgements import maker_of
from laws.standings import Standing
from semantics.systems import system_of, systems_in


class Kind(NamedTuple):
    """A kind of decision, made by the function `decisions` of a module of the systems that have such a `room`."""

    room: str
    name: str
    case: str  # what each is made for
    none: str  # what is said of a detector of which nothing is decided; "" where that is as it should be
    words: tuple[str, str]  # how those are called that hold, and the others
    most: int  # for how many cases it is done


FORGETS = "is not known to forget by a condition"
KINDS: Mapping[str, Kind] = {
    "conditions": Kind("relevance", "relevance conditions", "plan", FORGETS, ("safe", "not safe"), 400),
    "texts": Kind("validation", "generated texts", "pattern", "", ("validated", "refuted"), 50),
}
"""By the stage of the gate, which is how several are called."""


def stages(system: str) -> list[str]:
    """The stages of the gate in which something is decided of a system's detectors."""
    return [stage for stage, kind in KINDS.items() if system in systems_in(kind.room)]


def decided(
    stage: str,
    system: str,
    detectors: Iterable[str],
    texts: Iterable[str],
    until: float = inf,
    progress: Callable[[str, int], None] = lambda said, done: None,
) -> Iterator[Check]:
    """For each detector, how that stands which is decided of it: of one text at least, and of others up to a time."""
    kind = KINDS[stage]
    decisions = system_of(system).module(kind.room).decisions
    found, besides = defaultdict[str, Counter[bool | None]](Counter), defaultdict[str, Counter[str]](Counter)
    first = dict[tuple[str, bool | None], str]()
    done = 0
    for text in dict.fromkeys(texts):
        progress(f"{done:,} cases", done)
        if done and monotonic() >= until:
            break
        done += 1
        for name in detectors:
            for one in decisions(text, name):
                found[name][one.holds] += 1
                besides[name][one.besides] += 1
                first.setdefault((name, one.holds), f"; {one}, for {text.strip().splitlines()[-1]}")
    for name in detectors:
        counts, cases = found[name], f"{done:,} {kind.case}{'' if done == 1 else 's'}"
        if not counts:
            if kind.none:
                yield Check(stage, kind.name, name, None, 0, f"not decided: {name} {kind.none} in any of {cases}")
            continue
        wrong, unknown = counts[False], counts[None]
        standing = Standing.REFUTED if wrong else Standing.UNKNOWN if unknown else Standing.PROVED
        said = f"{counts.total():,} {stage} of {cases}: {counts[True]:,} {kind.words[0]}"
        others = {kind.words[1]: wrong, "not decided": unknown, **dict(sorted(besides[name].items()))}
        said += "".join(f", {number:,} {word}" for word, number in others.items() if word and number)
        said += first[name, False if wrong else None] if wrong or unknown else ""
        yield Check(stage, kind.name, name, standing, counts.total(), said, failed=wrong)


def validated_texts(settings: Settings) -> list[Check]:
    """How the texts stand that the detectors of a campaign have for the patterns of its first cases."""
    if "texts" not in stages(settings.system):
        return []
    patterns = (case.text for case in map(maker_of(settings), range(min(settings.cases, KINDS["texts"].most))))
    return list(decided("texts", settings.system, settings.detectors, patterns))


def texts_data(checks: Iterable[Check]) -> list[dict[str, Any]]:
    """Checks of texts as plain data."""
    return [
        {"detector": one.detector, "standing": (one.standing or Standing.UNKNOWN).value}
        | {"tried": one.tried, "refuted": one.failed, "detail": one.detail}
        for one in checks
    ]
