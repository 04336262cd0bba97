"""The build of the kernel: Rocq checks every theorem, and that none rests on an axiom.

    python -m proofs.carlson_lisper.kernel.building            check everything, and say what is proved
    python -m proofs.carlson_lisper.kernel.building --write    the same, and write `Generated.v` and the record anew

The record has the hash of each file that was checked: a claim is kernel-checked as long as the texts that are written
from what runs, and the proofs about them, are those that Rocq accepted.
Where OCaml is there, the detector that is proved is extracted and compiled: `remora detect --detector verified`.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from detectors.carlson_lisper.verified import EXECUTABLE
from proofs.carlson_lisper.kernel.gallina import generated
from semantics.atomic_files import draft, write_text
from smt.python.paths import NotTranslated

FOLDER = Path(__file__).parent
RECORD = FOLDER / "record.json"
SCHEMA = "remora/kernel/1"

_CHECKED = tomllib.loads((FOLDER / "kernel.toml").read_text("utf-8"))

FILES: Sequence[str] = _CHECKED["files"]
"""The files in the order in which they are checked."""

THEOREMS: Mapping[str, Sequence[str]] = {f"law:{number}": [f"law{number}"] for number in range(1, 37)} | _CHECKED[
    "theorems"
]
"""The theorems of the kernel behind each claim."""

CLOSED = "Closed under the global context"  # What Rocq says of a theorem that rests on no axiom


OBSOLETE = "obsolete: run make kernel"


class NotBuilt(Exception):
    """Rocq is not there, or does not accept a file; the text says why."""


def build(executable: Path | None = None) -> None:
    """Have Rocq check everything, and that no theorem rests on an axiom; where named, extract the executable detector.

    `NotBuilt` where Rocq is not installed, a file is not accepted, or a theorem rests on the axioms that the text
    names.
    """
    compiler = shutil.which("coqc")
    if compiler is None:
        raise NotBuilt("coqc is not there; on Debian and Ubuntu it is in the package coq")
    with tempfile.TemporaryDirectory(prefix="remora-kernel-") as folder:
        for name in FILES:
            text = generated() if name == "Generated" else (FOLDER / f"{name}.v").read_text("utf-8")
            _compile(compiler, Path(folder), name, text)
        check_axioms(compiler, Path(folder), {name for several in THEOREMS.values() for name in several})
        if executable is not None:
            _extract(compiler, Path(folder), executable)


def check_axioms(compiler: str, folder: Path, theorems: Collection[str], files: str = " ".join(FILES)) -> None:
    """Have Rocq look for what the theorems rest on: all in one question, which takes seconds, and each a minute."""
    everything = ", ".join(f"@{name}" for name in sorted(theorems))
    text = f"From Remora Require Import {files}.\nDefinition everything := ({everything}).\n"
    said = _compile(compiler, folder, "Assumptions", f"{text}Print Assumptions everything.\n").strip()
    if said != CLOSED:
        raise NotBuilt(f"not everything is proved: {said}")


def _compile(compiler: str, folder: Path, name: str, text: str) -> str:
    if re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture)\b", re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)):
        raise NotBuilt(f"{name}.v has something that is assumed and not proved")
    path = folder / f"{name}.v"
    path.write_text(text, "utf-8")
    return _run([compiler, "-q", "-R", str(folder), "Remora", str(path)], folder, f"{name}.v is not accepted")


def _run(command: list[str], folder: Path, failed: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotBuilt(f"{failed}: {done.stderr.strip()}")
    return done.stdout


def _extract(compiler: str, folder: Path, executable: Path) -> None:
    """Compile the machine of Figure 4 as OCaml, with the loop that feeds it."""
    _compile(compiler, folder, "Extraction", (FOLDER / "Extraction.v").read_text("utf-8"))
    (folder / "verified.mli").unlink()  # it says less of modules than their functors ask for
    shutil.copy(FOLDER / "driver.ml", folder)
    command = ["ocamlfind", "ocamlopt", "-inline", "200", "-w", "-a", "verified.ml", "driver.ml", "-o", "detector"]
    _run(command, folder, "what was extracted is not compiled")
    executable.parent.mkdir(exist_ok=True)
    with draft(executable) as place:
        shutil.copy(folder / "detector", place)


def hashes() -> dict[str, str]:
    """The hash of each file; of `Generated.v`, that of the text that is written from what runs."""
    texts = {name: (FOLDER / f"{name}.v").read_text("utf-8") for name in FILES}
    texts["Generated"] = generated()
    return {f"{name}.v": sha256(text.encode()).hexdigest() for name, text in texts.items()}


def checked() -> dict[str, str]:
    """Each claim that Rocq accepted, with why it does not count any more; "" where all is as it was."""
    kept = json.loads(RECORD.read_text("utf-8"))
    try:
        found = hashes()
        other = sorted(name for name in {*kept["files"], *found} if kept["files"].get(name) != found.get(name))
        why = f"{OBSOLETE}; {', '.join(other)} is not what Rocq accepted" if other else ""
    except NotTranslated as error:
        why = f"{OBSOLETE}; {error}"
    return dict.fromkeys(kept["claims"], why)


def main(arguments: list[str]) -> int:
    """Build, print what is proved and on what it rests, and write the record where that is asked for."""
    try:
        build(EXECUTABLE if shutil.which("ocamlfind") else None)
    except NotBuilt as error:
        print(f"error: {error}", file=sys.stderr)
        return 5 if shutil.which("coqc") is None else 1
    for claim in sorted(THEOREMS):
        print(f"kernel-checked {claim}")
    print(f"{len(THEOREMS)} claims are proved without an axiom")
    if shutil.which("ocamlfind") is None:
        print("ocamlfind is not there, so the detector is not extracted; it is in the package ocaml-findlib")
    if "--write" in arguments:
        write_text(FOLDER / "Generated.v", generated())
        version = _run(["coqc", "--print-version"], FOLDER, "coqc has no version").split()[0]
        record = {"schema": SCHEMA, "rocq": version, "files": hashes(), "claims": sorted(THEOREMS)}
        write_text(RECORD, json.dumps(record, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
