"""`python -m remora.docs [FOLDER]` writes the generated parts of the pages of the documentation."""

import sys
from pathlib import Path

from remora.docs.pages import FOLDER, refreshed
from semantics.atomic_files import write_text

if __name__ == "__main__":
    for page in sorted((Path(sys.argv[1]) if sys.argv[1:] else FOLDER).glob("*.md")):
        write_text(page, refreshed(page.read_text("utf-8")))
