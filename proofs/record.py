"""The committed record of proofs: each obligation as a file, and what became of it.

    python -m proofs.record          write the record anew
    python -m proofs.record --check  prove everything again and say what differs from the record

The obligations are plain SMT-LIB 2: any solver that reads UFLIA can be asked for a second opinion. Texts and standings
must repeat; the solver's count of work is kept for comparison and may differ with another version.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from laws.claims import catalogue
from smt.prove import ClaimResult, prove
from smt.solver import Z3

FOLDER = Path(__file__).parent
RECORD = "record.json"
SCHEMA = "remora/proofs/1"

_WORDS = {"⊆": "included", "⊇": "includes", ":": "-", "/": "-", " ": "-", "'": "p"}


def file_name(obligation_id: str) -> str:
    """The file of an obligation: its id in letters that every file system takes."""
    name = obligation_id
    for sign, word in _WORDS.items():
        name = name.replace(sign, word)
    return f"{name}.smt2"


def files(results: Iterable[ClaimResult]) -> Iterator[tuple[str, str]]:
    """The contents of the record by path within its folder."""
    rows: list[dict[str, Any]] = []
    for result in results:
        for part in result.obligations:
            path = f"obligations/{file_name(part.obligation.id)}"
            yield path, part.obligation.text
            rows.append(
                {
                    "id": part.obligation.id,
                    "claim": result.claim.id,
                    "file": path,
                    "sha256": part.obligation.sha256,
                    "axioms": list(part.obligation.axioms),
                    "standing": part.standing.value,
                    "hypotheses": part.hypotheses,
                    "solver": part.answer.solver,
                    "rlimit": part.answer.rlimit,
                }
            )
    yield RECORD, json.dumps({"schema": SCHEMA, "obligations": rows}, ensure_ascii=False, indent=1) + "\n"


def prove_catalogue() -> list[ClaimResult]:
    """Every law and theorem, proved now."""
    solver = Z3()
    return [prove(claim, solver) for claim in catalogue()]


def write(folder: Path = FOLDER) -> None:
    """Write the record anew; files of obligations that no longer exist are removed."""
    contents = dict(files(prove_catalogue()))
    (folder / "obligations").mkdir(parents=True, exist_ok=True)
    for path, text in contents.items():
        (folder / path).write_text(text, encoding="utf-8", newline="\n")
    for old in (folder / "obligations").glob("*.smt2"):
        if f"obligations/{old.name}" not in contents:
            old.unlink()


def differences(folder: Path = FOLDER) -> list[str]:
    """What differs between the record and proofs made now: texts, standings, missing and superfluous obligations."""
    contents = dict(files(prove_catalogue()))
    now = {row["id"]: row for row in json.loads(contents[RECORD])["obligations"]}
    then = {row["id"]: row for row in json.loads((folder / RECORD).read_text("utf-8"))["obligations"]}
    found = [f"{name}: not in the record" for name in now if name not in then]
    found += [f"{name}: in the record, and no longer an obligation" for name in then if name not in now]
    for name in now.keys() & then.keys():
        path = folder / then[name]["file"]
        if not path.exists() or path.read_text("utf-8") != contents[now[name]["file"]]:
            found.append(f"{name}: the obligation's text is another one")
        elif now[name]["standing"] != then[name]["standing"]:
            found.append(f"{name}: {then[name]['standing']} in the record, {now[name]['standing']} now")
    return sorted(found)


def main(arguments: list[str]) -> int:
    """Write or check the record; 1 if something differs."""
    if arguments == ["--check"]:
        found = differences()
        print("\n".join(found) or "the record repeats")
        return 1 if found else 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
