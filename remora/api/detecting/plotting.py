"""Drawing of detections: a timeline of the first ones as an SVG document."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from semantics.errors import InputError


@dataclass(frozen=True, repr=False)
class Drawing:
    """A drawing that a notebook shows, and that can be saved.

    Attributes:
        title: what is drawn, in words.
        svg: the drawing as an SVG document.
    """

    title: str
    svg: str

    def __repr__(self) -> str:
        """Drawing, and how to see it where drawings are not shown."""
        return f'a drawing of {self.title}; .save("found.svg") writes it to a file'

    def _repr_svg_(self) -> str:
        """The drawing, for a notebook."""
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the drawing to a file, as SVG or as a page.

        Args:
            path: a file that ends in `.svg` or `.html`.

        Raises:
            InputError: it ends otherwise, or cannot be written.
        """
        file = Path(path)
        if file.suffix not in (".svg", ".html"):
            raise InputError(
                f"a drawing is saved as SVG or as a page, not as {file.suffix or 'a file without a suffix'}",
                place=os.fspath(path),
                remedy="End the name in .svg or .html; a browser prints either as PDF or PNG.",
            )
        page = "<!doctype html><meta charset='utf-8'><title>Detections</title>" if file.suffix == ".html" else ""
        try:
            file.write_text(page + self.svg, encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", place=os.fspath(path)) from None
