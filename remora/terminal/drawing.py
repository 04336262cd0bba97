"""Timelines on the terminal and in files."""

from pathlib import Path

from rich.text import Text

from remora.terminal.console import output_console, print_note
from reports.drawing.layout import Timeline
from reports.drawing.timeline import to_svg, to_text
from semantics.atomic_files import write_text
from semantics.errors import InputError

_STYLES = {"left": "bold blue", "right": "bold dark_orange", "both": ""}


def print_timeline(timeline: Timeline) -> None:
    """Draw a timeline in the terminal's width; what differs is coloured as well as named.

    Elsewhere the drawing has 80 columns, and each sentence is one line, whatever its length.
    """
    console = output_console()
    styles = {timeline.label(bar): _STYLES[bar.side] for bar in timeline.bars if bar.differs and timeline.compares}
    for line in to_text(timeline, console.width, wrapped=console.file.isatty()).splitlines():
        style = next((style for label, style in styles.items() if line.startswith(f"{label} ")), "")
        console.print(Text(line, style))


def write_drawing(path: Path | None, timeline: Timeline | None) -> None:
    """Write a timeline as SVG, where that was asked for and there is something to draw."""
    if path is not None and timeline is not None:
        write_picture(path, to_svg(timeline) + "\n")
    elif path is not None:
        print_note(f"there is no trace to draw, and {path} is not written")


def write_picture(path: Path, svg: str) -> None:
    """Write a picture to the file of `--svg`."""
    try:
        write_text(path, svg)
    except OSError as error:
        said = f"the picture cannot be written: {error.strerror or error}"
        raise InputError(said, place=str(path), remedy="Name another file with --svg.") from None
