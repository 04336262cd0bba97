import sys
import sysconfig
from pathlib import Path

import pytest

FOREIGN = """
from detectors.carlson_lisper.source.figure2 import Figure2

from their_helper import nothing


class Theirs(Figure2):
    def step(self, time, occurrences):
        found = super().step(time, occurrences)
        return nothing() if str(self.expression).count("-") else found
"""


@pytest.fixture(scope="session")
def foreign_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with the packages that the project needs and without the project, as on the machines of a cluster."""
    folder = tmp_path_factory.mktemp("foreign")
    ours = {path.name for path in Path(__file__).parent.parent.parent.iterdir() if path.is_dir()}
    packages = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    packages.mkdir(parents=True)
    for place in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        for path in Path(place).iterdir():
            # The files of an editable installation lead to the project.
            if path.suffix != ".pth" and path.name not in ours and not path.name.startswith(("remora", "_editable")):
                (packages / path.name).symlink_to(path)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    (folder / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).resolve().parent}\n")
    return folder / "bin" / "python"


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a user's own detector, wrong and in two modules of the current directory."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "their_detectors.py").write_text(FOREIGN)
    (folder / "their_helper.py").write_text("def nothing():\n    return None\n")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("their_detectors", "their_helper"):
        sys.modules.pop(name, None)
    return "their_detectors:Theirs"
