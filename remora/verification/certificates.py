"""Certificates at the command line: where they are written, who checks them, and what is to be said of it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from proofs.certification import Certified, certify, check, with_certificates
from remora.terminal.progress import Progress
from semantics.atomic_files import write_text
from semantics.errors import InputError
from smt.attempts import ClaimResult
from smt.solvers.portfolio import Portfolio
from smt.solvers.worker import kill_group

ETHOS = "Name an Ethos binary, or a script that runs one, with --checker."


def startable(checker: Path, remedy: str = ETHOS) -> Path:
    """The program that is to check certificates, as a path, or a name that is looked up as a shell does.

    Raises:
        InputError: there is none, or the system cannot start it.
    """
    found = shutil.which(checker) if len(checker.parts) == 1 and not checker.exists() else None
    program = Path(found) if found else checker
    if not program.is_file():
        missing = "this is no file" if program.exists() else "there is no such program"
        raise InputError(missing, place=str(checker), remedy=remedy)
    try:
        with subprocess.Popen(
            [program.resolve()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            kill_group(process.pid)  # that it starts is all that can be known without a certificate
    except OSError as error:
        if not os.access(program, os.X_OK):
            remedy = f"Make it executable: chmod +x {shlex.quote(str(program))}."
        raise InputError(
            f"it cannot be started: {error.strerror}", place=str(checker), remedy=remedy
        ) from None
    return program


def with_certificates_made(
    results: list[ClaimResult],
    portfolio: Portfolio,
    out: Path | None,
    checker: Path | None,
    signature: Path | None,
    progress: Progress,
) -> tuple[list[ClaimResult], dict[str, Certified]]:
    """Write certificates of all proofs and have them checked, if there is a checker."""
    obligations = [part.obligation for result in results for part in result.obligations]
    with progress.stage("certificates", len(obligations)) as advance:
        certified = certify(results, portfolio, advance)
    if checker is None:
        return results, certified
    with tempfile.TemporaryDirectory() as scratch, progress.stage("checker", len(certified)) as advance:
        folder = out or Path(scratch)
        write_proofs(folder, results, certified)
        certified = check(certified, obligations, folder, checker, signature, advance)
    return with_certificates(results, certified), certified


def rejections(certified: dict[str, Certified], *, asked: bool) -> list[tuple[str, str]]:
    """What has no certificate, and, if a checker was asked, what it did not accept."""
    found = []
    for name, each in certified.items():
        if each.certificate is None:
            found.append((name, f"no certificate: {each.reason}"))
        elif asked and not (each.checked and each.checked.accepted):
            found.append((name, f"not accepted: {each.checked.reason if each.checked else 'not checked'}"))
    return found


def by_reason(complaints: Iterable[tuple[str, str]]) -> list[str]:
    """What is said of obligations, once for all of which the same is said."""
    names: dict[str, list[str]] = {}
    for name, why in complaints:
        names.setdefault(why, []).append(name)
    return [
        f"{first}{f' and {len(others)} more' if others else ''}: {why}"
        for why, (first, *others) in names.items()
    ]


def write_proofs(folder: Path, results: Iterable[ClaimResult], certified: Mapping[str, Certified]) -> None:
    """Write the obligations and their certificates into the folders `obligations` and `certificates`."""
    for result in results:
        for part in result.obligations:
            write_text(folder / "obligations" / part.obligation.file_name(), part.obligation.text)
            found = certified.get(part.obligation.name)
            if found is not None and found.certificate is not None:
                path = folder / "certificates" / part.obligation.file_name("cpc")
                write_text(path, found.certificate.text)
