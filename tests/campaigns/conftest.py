import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Makes `broken_detectors` importable by its name, by way of the current directory; yields its prefix."""
    monkeypatch.chdir(Path(__file__).parent)
    before = list(sys.path)
    yield "broken_detectors:"
    sys.path[:] = before
