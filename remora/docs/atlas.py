"""Parts of the page about profiles that are made from the record of the atlas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from laws.atlas.cases import LONGER, MOST, MOST_IN_TURN
from laws.atlas.cells import LAWS, REASONS
from laws.atlas.findings import Likeness, absences, classes, implications, in_numbers, rosetta, shown_trace, withdrawals
from proofs.atlas.proving import WAYS
from proofs.atlas.record import recorded
from remora.docs.tables import table
from semantics.atlas.catalogue import SETTINGS
from semantics.atlas.contexts import CONTEXTS

_OPERATORS = {"seq": "`a ; b`", "con": "`a + b`"}


def _classes() -> str:
    several = (names for names in classes(recorded()) if len(names) > 1)
    return table(("systems", "which"), ((str(len(names)), ", ".join(names)) for names in several))


def _implications() -> str:
    rows = ((in_numbers(one), in_numbers(other)) for one, other in implications(recorded()))
    return table(("where this stands", "so does this"), rows)


def _rosetta() -> str:
    rows: dict[tuple[str, str], list[str]] = {}
    for one in rosetta():
        rows.setdefault((one.operator, one.setting), []).append(_told(one, "**the same**", "**the same**?"))
    return table(
        ("operator", "setting", *CONTEXTS),
        ((_OPERATORS[operator], _short(name), *cells) for (operator, name), cells in rows.items()),
    )


def _early() -> str:
    rows: dict[str, list[str]] = {}
    for one in withdrawals():
        rows.setdefault(one.setting, []).append(_told(one, "never", "not decided"))
    return table(("setting", *_OPERATORS.values()), ((_short(name), *said) for name, said in rows.items()))


def _absences() -> str:
    rows = ((one.setting.removesuffix("-points"), _told(one, "**the same**", "**the same**?")) for one in absences())
    return table(("context", "NOT(b)[a, c] beside (a ; c) - b"), rows)


def _told(one: Likeness, decided: str, tried: str) -> str:
    if one.trace is None:
        return decided if one.decided else tried
    return shown_trace(one.trace)


def _short(name: str) -> str:
    return name.removeprefix("hv-").removesuffix("-points-filter")


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
    "absences": _absences,
}
"""Parts of the page about profiles, by name."""
