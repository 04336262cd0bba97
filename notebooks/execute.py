"""Execute the notebooks and store their outputs: `python -m notebooks.execute`, which needs nbclient and ipykernel."""

import os
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from semantics.atomic_files import draft

HERE = Path(__file__).parent

NOTEBOOKS = tuple(sorted(HERE.glob("*.ipynb")))

SECONDS = 600
"""So long a cell may take."""

COLUMNS = "100"
"""How wide text is laid out, whatever terminal this runs in."""

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
"""What a notebook says of its kernel: nothing that differs from machine to machine."""


def executed(path: Path) -> Any:
    """The notebook with the outputs that it has now.

    Args:
        path: the file; its cells run in its folder.

    Raises:
        CellExecutionError: a cell failed that is not tagged `raises-exception`.
    """
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(notebook, timeout=SECONDS, record_timing=False)
    client.execute(cwd=str(path.parent), env={**os.environ, "COLUMNS": COLUMNS})
    notebook.metadata = nbformat.from_dict(METADATA)  # type: ignore[no-untyped-call]
    return notebook


def main() -> None:
    """Execute every notebook of this folder and replace it."""
    for path in NOTEBOOKS:
        notebook = executed(path)
        with draft(path) as place:
            nbformat.write(notebook, place)  # type: ignore[no-untyped-call]
        print(f"{path.name}: executed")


if __name__ == "__main__":
    main()
