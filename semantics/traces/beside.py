"""Files `remora.toml` beside logs: how the logs of a folder are read, by the options of commands."""

import fnmatch
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from semantics.atomic_files import write_text
from semantics.errors import InputError, nearest
from semantics.traces.reading import OPTIONS, USUAL, option_name

NAME: Final = "remora.toml"

_FIELDS: Final[Mapping[str, str]] = {option_name(name): name for name in OPTIONS if name != "sql"}  # the log is a file


def beside(log: str) -> tuple[Path, dict[str, Any]]:
    """The file beside a log or in a folder of logs, and the fields of `Reading` that it states for it.

    Options at the top are for all logs of the folder, those of a table for the files that its name is like.
    `InputError` where the file cannot be read, or states what is no option or no value of one.
    """
    path = (Path(log) if Path(log).is_dir() else Path(log).parent) / NAME
    if not path.is_file():
        return path, {}
    try:
        stated = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        remedy = 'Write options as on the command line: time = "at". `remora look LOG --write` does it.'
        raise InputError(f"it is no TOML: {error}", place=str(path), remedy=remedy) from None
    tables = {name: value for name, value in stated.items() if isinstance(value, dict)}
    found = _checked({name: value for name, value in stated.items() if name not in tables}, path)
    for pattern, table in tables.items():
        given = _checked(table, path, f"[{json.dumps(pattern, ensure_ascii=False)}] ")
        found |= given if fnmatch.fnmatchcase(Path(log).name, pattern) else {}
    return path, found


def _checked(stated: Mapping[str, Any], path: Path, where: str = "") -> dict[str, Any]:
    found = {}
    for key, value in stated.items():
        place = f"{path}: {where}{key}"
        if key not in _FIELDS:
            remedy = nearest(key, _FIELDS, f"A log is read with {', '.join(_FIELDS)}.")
            raise InputError("there is no such option", place=place, remedy=remedy)
        name = _FIELDS[key]
        kind = bool if isinstance(getattr(USUAL, name), bool) else int if name == "year" else str
        if type(value) is not kind:
            words = {bool: "true or false", int: "a year, such as 2017", str: 'text in quotes, such as "1s"'}[kind]
            raise InputError(f"{value!r} is no value of it", place=place, remedy=f"Write {words}.")
        found[name] = value
    return found


def write_beside(log: str, stated: Mapping[str, Any]) -> Path:
    """Add a table with fields of `Reading` for a log to the file beside it; its path; `InputError` if there is one."""
    path, name = Path(log).parent / NAME, Path(log).name
    before = path.read_text("utf-8") if path.exists() else ""
    if name in tomllib.loads(before):
        raise InputError(f"there is a table for {name} already", place=str(path), remedy="Remove it, or change it.")
    lines = [f"{option_name(key)} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in stated.items()]
    table = f"[{json.dumps(name, ensure_ascii=False)}]\n{''.join(lines)}"
    write_text(path, f"{before.rstrip()}\n\n{table}".lstrip())
    return path
