"""The pages become a site without a warning, and a wrong page makes one."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documentation.pages import FOLDER

pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("sphinx", "myst_parser", "furo")),
    reason="the tools of the documentation are not installed",
)


def built(source: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(source), str(site)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.long
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    run = built(FOLDER, tmp_path / "site")
    assert run.returncode == 0, run.stderr
    pages = {page.relative_to(FOLDER).with_suffix(".html") for page in FOLDER.rglob("*.md")}
    assert all((tmp_path / "site" / page).exists() for page in pages)
