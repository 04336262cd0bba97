"""A report on disk: `report.json`, which other programs read, beside `report.html`, which people read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reports.documents import complaint
from reports.html import page_html
from reports.report import report_page
from semantics.atomic_files import to_json, write_text
from semantics.errors import InputError

SCHEMA = "remora/report/1"  # The name and version of the data that is written and read
JSON_NAME, HTML_NAME = "report.json", "report.html"

_AGAIN = "Write it again: run `remora verify` with --out."


def write_report(directory: str | Path, report: Mapping[str, Any]) -> None:
    """Write `report.json` and `report.html`, each at once as a whole; makes the directory if there is none.

    A number that JSON does not have (an infinity, NaN) is written as text. Raises `InputError` where the directory is a
    file, `OSError` where it cannot be written to.
    """
    directory = Path(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        said, remedy = "this is a file, not a directory", "Name a directory for the report."
        raise InputError(said, place=str(directory), remedy=remedy) from None
    text = to_json(report, indent=2)
    html = page_html(report_page(report))
    # A lone surrogate has no UTF-8; in JSON the escape written instead means the same character.
    write_text(directory / JSON_NAME, text + "\n", errors="backslashreplace")
    write_text(directory / HTML_NAME, html, errors="backslashreplace")


def read_report(source: str | Path) -> dict[str, Any]:
    """The report in a directory, or in a file; an `InputError` names the place where it is none of this version."""
    path = Path(source)
    path = path if path.is_file() else path / JSON_NAME
    try:
        report = json.loads(path.read_bytes().decode())
    except (FileNotFoundError, NotADirectoryError):
        remedy = "Name the directory that was given to --out."
        raise InputError("there is no report here", place=str(path), remedy=remedy) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", place=str(path)) from None
    except (ValueError, RecursionError) as error:  # of the encoding, or of the text
        said = "nested too deeply" if isinstance(error, RecursionError) else error
        raise InputError(f"not JSON: {said}", place=str(path), remedy=_AGAIN) from None
    found = report.get("schema") if isinstance(report, dict) else None
    if found != SCHEMA:
        said = f"not a report that this version reads: its schema is {found!r}, expected {SCHEMA!r}"
        raise InputError(said, place=str(path), remedy=f"Read it with the version of Remora that wrote it. {_AGAIN}")
    wrong = complaint(SCHEMA, report)
    if wrong is not None:
        place = f"{path}: {wrong.place}" if wrong.place else str(path)
        raise InputError(f"the report is damaged: {wrong.reason}", place=place, remedy=_AGAIN)
    return dict(report)
