"""Execute the notebooks and store their outputs: `python -m notebooks.execute`, which needs nbclient and ipykernel."""

import os
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from semantics.atomic_files import draft

NOTEBOOKS = tuple(sorted(Path(__file__).parent.glob("*.ipynb")))

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
"""What a notebook says of its kernel: nothing that differs from machine to machine."""


def executed(path: Path) -> Any:
    """The notebook with the outputs that it has now; its cells run in its folder.

    Raises:
        CellExecutionError: a cell failed that is not tagged `raises-exception`.
    """
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(notebook, timeout=600, record_timing=False)  # seconds for a cell
    client.execute(cwd=str(path.parent), env={**os.environ, "COLUMNS": "100"})  # whatever terminal this runs in
    notebook.metadata = nbformat.from_dict(METADATA)  # type: ignore[no-untyped-call]
    return notebook


if __name__ == "__main__":
    for path in NOTEBOOKS:
        notebook = executed(path)
        with draft(path) as place:
            nbformat.write(notebook, place)  # type: ignore[no-untyped-call]
        print(f"{path.name}: executed")
