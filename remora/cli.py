"""The command `remora`: how every failure ends in a message and an exit status."""

import os
import shlex
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

from laws.standings import ExitStatus
from remora.terminal.console import prepare_streams, print_error
from remora.terminal.interrupts import arrived, goes_on, interrupted, take_signals
from remora.terminal.packages import ROOMS, missing, python_packages
from semantics.errors import InputError

OUTPUT_GONE = 141
"""The exit status when the reader of the output has gone, as in `remora laws | head`: 128 + SIGPIPE.

Not 0: what was not printed may have been a refutation, and `set -o pipefail` makes a gate of a pipe.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; without arguments it is that of the process, whose signals are taken too."""
    goes_on(None)
    if arguments is None:
        take_signals()
    prepare_streams()
    try:
        status = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
        if arrived():
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        with suppress(OSError):
            sys.stdout.flush()
        status = interrupted()
    except OSError as error:
        # What is left of the output is written to nowhere when Python ends.
        nowhere, gone = os.open(os.devnull, os.O_WRONLY), isinstance(error, BrokenPipeError)
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:
                os.dup2(nowhere, stream.fileno())
        status = OUTPUT_GONE if gone else int(ExitStatus.INFRASTRUCTURE)
        if not gone:
            with suppress(OSError):
                print_error(f"the output cannot be written: {error.strerror or error}")
    sys.exit(status)


def _run(arguments: list[str]) -> int:
    """Run the command; the exit status. KeyboardInterrupt and BrokenPipeError are for the caller."""
    try:
        import click
    except ModuleNotFoundError:
        if arguments[:1] == ["doctor"]:  # what is missing is listed without a command line
            for item in python_packages():
                print(f"{item.state:12}{item.name:20}{item.found or item.remedy}")
        return _failed(missing("click"))
    try:
        from click.shell_completion import shell_complete

        from remora.commands import remora
        from remora.terminal.options import COMPLETING

        asked = os.environ.get(COMPLETING)
        if asked:  # by a shell, which completes a command line
            return shell_complete(remora, {}, "remora", COMPLETING, asked)
        with remora.make_context("remora", arguments) as context:
            remora.invoke(context)
        raise RuntimeError("a command ended without a standing")
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except click.exceptions.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        error.show(file=sys.stderr)
        return int(ExitStatus.BAD_INPUT)
    except InputError as error:
        options = getattr(error, "options", ())
        attempt = f"\n  Try: {shlex.join(['remora', *arguments, *options])}" if options else ""
        return _failed(f"{error}{attempt}", ExitStatus.BAD_INPUT)
    except BrokenPipeError:
        raise
    except OSError as error:
        if "os error 32" in str(error):  # as Polars says it
            raise BrokenPipeError from None
        place = f"{error.filename}: " if error.filename else ""
        return _failed(f"{place}the system refused: {error.strerror or error}")
    except MemoryError:
        return _failed("there is not enough memory for this")
    except Exception as error:  # Python would end with status 1, which here means that something was refuted
        if arrived():  # what was stopped may have broken down
            raise KeyboardInterrupt from None
        name = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
        if name and name.partition(".")[0] not in ROOMS:
            return _failed(missing(name))
        traceback.print_exc()
        return _failed("this is a defect of Remora; the lines above say where")


def _failed(text: str, status: ExitStatus = ExitStatus.INFRASTRUCTURE) -> int:
    sys.stdout.flush()
    print_error(text)
    return int(status)
