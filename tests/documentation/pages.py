"""A page of the documentation as blocks of text with the remarks that say how they are tested.

A remark is an HTML comment on the lines above a block; a reader of the page does not see it.

    <!-- not run: REASON -->   the block is not run
    <!-- slow -->              the block is run with the slow tests only
    <!-- file: NAME -->        the block is the contents of a file
    <!-- added to: NAME -->    the block is added to the end of a file

A block without a language below a line that ends with "prints" is what the Python block before it prints.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "docs"

_REMARK = re.compile(r"^<!-- (not run|slow|file|added to)(?:: (.*?))? -->$")


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Attributes:
        line: the line of the page on which its text begins, counted from 1.
        language: what stands behind the fence, or "".
        text: its lines.
        remarks: the remarks above it, each with what stands behind its colon.
        introduction: the line above it that is not empty, unless that is part of another block.
    """

    line: int
    language: str
    text: str
    remarks: dict[str, str] = field(default_factory=dict)
    introduction: str = ""

    @property
    def is_printed(self) -> bool:
        """Whether it is what the block before it prints."""
        return self.language in ("", "text") and self.introduction.endswith("prints")


class PageError(ValueError):
    """A page that cannot be taken apart."""


def pages() -> list[Path]:
    """All pages: the front page of the repository and what lies in the folder of the documentation."""
    return [ROOT / "README.md", *sorted(FOLDER.rglob("*.md"))]


def name_of(page: Path) -> str:
    """The name of a page, seen from the root of the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks(text: str) -> list[Block]:
    """The blocks of a page, from top to bottom."""
    found: list[Block] = []
    remarks: dict[str, str] = {}
    introduction, lines = "", text.splitlines()
    for token in MarkdownIt("commonmark").parse(text):
        first, last = token.map or (0, 0)
        said = [_REMARK.match(line) for line in token.content.splitlines()] if token.type == "html_block" else []
        if token.type == "fence":
            if lines[last - 1].strip() != token.markup:
                raise PageError(f"line {first + 2}: the block is not closed")
            found.append(Block(first + 2, token.info.strip(), token.content, remarks, introduction))
            remarks, introduction = {}, ""
        elif said and all(said):
            remarks |= {remark[1]: remark[2] or "" for remark in said if remark}
        elif token.content and remarks:
            raise PageError(f"line {first + 1}: a remark has to stand directly above a block")
        elif token.content:
            introduction = token.content.splitlines()[-1].strip()
    return found


def without_blocks(text: str) -> str:
    """The page with empty lines in the place of its blocks, so that the other lines keep their numbers."""
    lines = text.splitlines()
    for block in blocks(text):
        first, count = block.line - 2, len(block.text.splitlines()) + 2
        lines[first : first + count] = [""] * count
    return "\n".join(lines)
