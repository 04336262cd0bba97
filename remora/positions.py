"""Where claims, errata and detectors stand in source code."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import laws
from campaigns.judging.loading import MUTANT_PREFIX, any_factory
from laws.carlson_lisper.claims import canaries, catalogue
from reports.sarif import Position

_LAWS = Path(laws.__file__).parent / "carlson_lisper"

_HEADER = re.compile(r"\[\[(\w+)\]\]")
_KEY = re.compile(r'(id|number) = "?([^"\s]+)"?')
_NUMBERED = ("law", "canary")
_ERRATA = "erratum"


def position(file: str | Path, line: int, end: int | None = None) -> Position:
    """A position in a file, relative to the folder in which the command runs where the file is in it."""
    path, here = Path(file).resolve(), Path.cwd()
    uri = path.as_uri()  # in which blanks and the like are escaped
    if path.is_relative_to(here):
        uri = uri.removeprefix(here.as_uri()).lstrip("/")
    return Position(uri, line, line if end is None else end)


@cache
def _records() -> Mapping[str, tuple[Path, int, int]]:
    """File, first and last line of every record of a claim or an erratum, by its id."""
    found: dict[str, tuple[Path, int, int]] = {}
    for path in sorted(_LAWS.glob("*.toml")):
        if path.name == "derivations.toml":  # whose records are called after the claims that they derive
            continue
        for name, begin, end in _records_of(path.read_text("utf-8")):
            found.setdefault(name, (path, begin, end))
    return found


def _records_of(text: str) -> Iterator[tuple[str, int, int]]:
    """Name, first and last line of the records of a TOML file; they begin with a line `[[kind]]`."""
    lines = text.splitlines()
    heads = [(n, match[1]) for n, line in enumerate(lines) if (match := _HEADER.fullmatch(line.strip()))]
    for (begin, kind), end in zip(heads, [*(n for n, _ in heads[1:]), len(lines)], strict=True):
        while end > begin + 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
            end -= 1
        keys = {match[1]: match[2] for line in lines[begin:end] if (match := _KEY.match(line))}
        if "id" in keys:
            yield (f"{_ERRATA}:{keys['id']}" if kind == _ERRATA else keys["id"]), begin + 1, end
        elif kind in _NUMBERED and "number" in keys:
            yield f"{kind}:{keys['number']}", begin + 1, end


def claim_position(name: str) -> Position | None:
    """Where the record of a claim stands; None if there is no such claim.

    Claims about arbitrary streams are made in Python, several of them in one place.
    """
    if name in _records():
        path, begin, end = _records()[name]
        return position(path, begin, end)
    if name not in {claim.id for claim in (*catalogue(), *canaries())}:
        return None
    source = _LAWS / "restriction_claims.py"
    family = name[: max(name.rfind("."), name.rfind(":")) + 1]  # `theorem:4.6.` of `theorem:4.6.seq`
    for number, line in enumerate(source.read_text("utf-8").splitlines(), start=1):
        if f'"{name}"' in line or (family and f'f"{family}{{' in line):
            return position(source, number)
    return None


def erratum_position(name: str) -> Position | None:
    """Where the record of an erratum stands; None if there is no such erratum."""
    found = _records().get(f"{_ERRATA}:{name}")
    return None if found is None else position(*found)


def detector_position(name: str, search_path: Sequence[str] = ()) -> Position | None:
    """Where a detector stands that can be loaded; None if its source is not to be had.

    Args:
        name: its name, as `campaigns.judging.loading.any_factory` understands it. A module of the user's is imported.
        search_path: folders in which such a module is looked for.

    Raises:
        InputError: there is no such detector, or its import fails.
    """
    if ":" in name and not name.startswith(MUTANT_PREFIX):
        return factory_position(any_factory(name, search_path))
    return own_detector_position(name)


def own_detector_position(name: str) -> Position | None:
    """Where a detector of the project stands; None for any other name, for which nothing is imported."""
    if ":" in name and not name.startswith(MUTANT_PREFIX):
        return None
    from campaigns.carlson_lisper.mutants.catalogue import ALL
    from detectors.carlson_lisper.catalogue import DETECTORS
    from detectors.carlson_lisper.interval_catalogue import INTERVAL_DETECTORS

    known: Mapping[str, object] = {**DETECTORS, **INTERVAL_DETECTORS}
    made = ALL.get(name.removeprefix(MUTANT_PREFIX)) if name.startswith(MUTANT_PREFIX) else known.get(name)
    return None if made is None else factory_position(made)


def factory_position(factory: object) -> Position | None:
    """Where the class or function stands that makes a detector; None if its source is not to be had."""
    while isinstance(factory, partial):
        factory = factory.func
    made = factory if inspect.isclass(factory) or inspect.isroutine(factory) else _inner(factory)
    try:
        file = inspect.getsourcefile(made)
        lines, begin = inspect.getsourcelines(made)
    except (OSError, TypeError):
        return None
    return None if file is None else position(file, begin, begin + len(lines) - 1)


def _inner(factory: object) -> Callable[..., object]:
    """What does the work of a factory that is an object: what it makes or alters, or its class."""
    for attribute in ("make", "step"):
        made = getattr(factory, attribute, None)
        if inspect.isclass(made) or inspect.isroutine(made):
            return made
    return type(factory)
