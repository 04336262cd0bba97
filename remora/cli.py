"""The command `remora`: how every failure ends in a message and an exit status.

What is imported here is light, so that there is no moment at which Ctrl-C ends in a traceback; the rest is imported
when the signals are taken.
"""

from __future__ import annotations

import gc
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import StringIO

from remora.terminal.encoding import prepare_streams
from remora.terminal.interrupts import arrived, end_in_order, finish, goes_on, take_signals, words

OUTPUT_GONE = 141
"""The exit status when the reader of the output has gone, as in `remora laws | head`: 128 + SIGPIPE.

Not 0: what was not printed may have been a refutation, and `set -o pipefail` makes a gate of a pipe.
"""

COLLECTED = 200_000
"""So many new objects are made before cycles among them are looked for. With Python's 700 a short command spends a
twentieth of its time on that, and finds nothing: nearly all that it makes are modules."""

ROOMS = frozenset(
    {"semantics", "laws", "smt", "detectors", "proofs", "cluster", "campaigns", "streaming", "reports"}
    | {"benchmarks", "remora"}
)
"""The packages of this code: a module that is missing in one of them is a defect of ours, not of the installation."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; a user's mistake never ends in a traceback.

    Args:
        arguments: without any, those of the process, which then is the command: its signals are taken too.
    """
    goes_on(None)
    if arguments is not None:
        try:
            status = _ended(arguments)
        except KeyboardInterrupt:
            _say(words())
            status = 128 + signal.SIGINT
        sys.exit(status)
    try:
        take_signals()
        gc.set_threshold(COLLECTED)
        status = _ended(sys.argv[1:])
        if arrived():
            raise KeyboardInterrupt
        finish(status)
    except KeyboardInterrupt:
        end_in_order()


def _ended(arguments: Sequence[str]) -> int:
    """Run the command and write out what it printed; the exit status."""
    from laws.standings import ExitStatus

    prepare_streams()
    try:
        status = _run(list(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        status = OUTPUT_GONE
        _abandon_output()
    except OSError as error:
        status = int(ExitStatus.INFRASTRUCTURE)
        _abandon_output()
        with suppress(OSError):
            _say(f"the output cannot be written: {error.strerror or error}")
    return status


def _run(arguments: list[str]) -> int:
    """Run the command; the exit status.

    Raises:
        KeyboardInterrupt: the user interrupted it.
        BrokenPipeError: the reader of the output has gone.
    """
    import click

    from laws.standings import ExitStatus
    from remora.terminal.subcommands import remora
    from semantics.errors import InputError

    asked = os.environ.get("_REMORA_COMPLETE")
    try:
        if asked:
            from click.shell_completion import shell_complete

            from remora.terminal.completion import VARIABLE, prepare

            prepare()
            return shell_complete(remora, {}, "remora", VARIABLE, asked)
        with remora.make_context("remora", arguments) as context:
            remora.invoke(context)
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except click.exceptions.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        from remora.terminal.console import abridged

        text = StringIO()
        error.show(file=text)
        sys.stderr.write(abridged(text.getvalue()))
        return int(ExitStatus.BAD_INPUT)
    except InputError as error:
        options = getattr(error, "options", ())
        attempt = f"\n  Try: {shlex.join(['remora', *arguments, *options])}" if options else ""
        _say(f"{error}{attempt}")
        return int(ExitStatus.BAD_INPUT)
    except BrokenPipeError:
        raise
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _say(f"{place}the system refused: {error.strerror or error}")
        return int(ExitStatus.INFRASTRUCTURE)
    except MemoryError:
        _say("there is not enough memory for this")
        return int(ExitStatus.INFRASTRUCTURE)
    except ModuleNotFoundError as error:
        if arrived():
            raise KeyboardInterrupt from None
        if (error.name or "").partition(".")[0] in ROOMS:
            return _defect()
        _say(
            f"a package is missing: {error.name}\n  `remora doctor` tells what is installed and what is not."
        )
        return int(ExitStatus.INFRASTRUCTURE)
    except Exception:  # Python would end with status 1, which here means that something was refuted
        if arrived():  # what was stopped may have broken down
            raise KeyboardInterrupt from None
        return _defect()
    return int(ExitStatus.AS_CLAIMED)


def _defect() -> int:
    """Say where the exception that is being handled comes from; the exit status."""
    import traceback

    from laws.standings import ExitStatus

    traceback.print_exc()
    _say("this is a defect of Remora; the lines above say where")
    return int(ExitStatus.INFRASTRUCTURE)


def _say(text: str) -> None:
    from remora.terminal.console import print_error

    sys.stdout.flush()
    print_error(text)


def _abandon_output() -> None:
    """Let Python write what is left of the output to nowhere when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
