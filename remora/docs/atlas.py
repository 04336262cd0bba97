"""Parts of the page about profiles that are made from the record of the atlas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from laws.atlas.cases import LONGER, MOST, MOST_IN_TURN
from laws.atlas.cells import LAWS, REASONS
from laws.atlas.findings import OF_LISTS, Likeness, classes, implications, likeness, shown_trace, withdrawal
from proofs.atlas.proving import WAYS
from proofs.atlas.record import recorded
from remora.docs.tables import table
from semantics.atlas.catalogue import CONTEXTS, SETTINGS, Setting

_OPERATORS = {"seq": "`a ; b`", "con": "`a + b`"}


def _classes() -> str:
    several = (names for names in classes(recorded()) if len(names) > 1)
    return table(("systems", "which"), ((str(len(names)), ", ".join(names)) for names in several))


def _implications() -> str:
    return table(("where this stands", "so does this"), implications(recorded()))


def _rosetta() -> str:
    rows = (
        (shown, _short(setting), *(_told(likeness(operator, setting, name), "**the same**") for name in CONTEXTS))
        for operator, shown in _OPERATORS.items()
        for setting in OF_LISTS
    )
    return table(("operator", "setting", *CONTEXTS), rows)


def _early() -> str:
    rows = (
        (_short(setting), *(_told(withdrawal(operator, setting), "never") for operator in _OPERATORS))
        for setting in OF_LISTS
    )
    return table(("setting", *_OPERATORS.values()), rows)


def _told(one: Likeness, decided: str) -> str:
    if one.trace is not None:
        return shown_trace(one.trace)
    return decided if one.decided else f"{decided}?"


def _short(setting: Setting) -> str:
    return setting.name.removeprefix("hv-").removesuffix("-points-filter")


def _counts() -> str:
    counts = Counter[str](cell.standing for cell in recorded().values())
    return ", ".join(f"{counts[word]:,} {word}" for word in ("proved", "decided", "refuted", "tested"))


def _ties() -> str:
    by_ties = sum(cell.by_ties for cell in recorded().values())
    return f"{by_ties or 'no'} cell{'s are' if by_ties > 1 else ' is'}"


def _bounds() -> str:
    return "; ".join(
        f"{events} events within {ticks} ticks for {types} event type{'' if types == 1 else 's'}"
        for types, (events, ticks) in MOST.items()
    )


PARTS: Mapping[str, Callable[[], str]] = {
    "systems": lambda: str(len(SETTINGS)),
    "laws": lambda: str(len(LAWS)),
    "counts": _counts,
    "contexts": lambda: ", ".join(CONTEXTS),
    "common": lambda: REASONS["common operators"],
    "same": lambda: REASONS["operators of the first system"],
    "solvers": lambda: "; or ".join(REASONS[why] for why in WAYS),
    "automata": lambda: REASONS["automata"],
    "unbounded": lambda: REASONS["no bounds"],
    "counting": lambda: REASONS["counting"],
    "bounds": _bounds,
    "longer": lambda: f"{LONGER:,}",
    "in_turn": lambda: str(MOST_IN_TURN),
    "ties": _ties,
    "kinds": lambda: str(len(classes(recorded()))),
    "classes": _classes,
    "implications": _implications,
    "rosetta": _rosetta,
    "early": _early,
}
"""Parts of the page about profiles, by name."""
