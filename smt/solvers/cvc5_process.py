"""The program of the process in which cvc5 runs: questions and answers are lines of JSON.

cvc5 keeps Python's lock while it works: in the caller's process it would stop every other thread, and an interrupt
from the keyboard would have to wait. And it goes through the triggers of a quantified formula in the order of their
addresses, so that what it does depends, a little, on what was in memory before. Hence each line is answered by a fork
of a process that has answered nothing: then the work for it repeats exactly, and a crash loses only the line that
caused it.

cvc5 has phases in which it looks neither at its budget nor at the clock. So the fork has a limit of processor time as
well, at which the system ends it; the line has no answers then, but the time.

The file imports nothing of ours, so that a process starts quickly and any Python with the package can run it.

    line      {"text": ..., "options": [[name, value], ...], "proof": false, "processor_seconds": 60}
    reply     answer, failure or {"stopped_after": seconds}
    answer    {"status": ..., "reason": ..., "seconds": ..., "units": ..., "values": {...}, "proof": ""}
    failure   {"error": ...}
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from collections.abc import Mapping
from typing import Any, NoReturn

import cvc5

NO_MORE = 77
"""The exit status of a fork that found the end of the questions."""


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Decide a text in a solver of its own.

    Raises:
        Exception: cvc5 rejects the text or an option.
    """
    begin = time.perf_counter()
    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    for name, value in question["options"]:
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, question["text"], "obligation")
    symbols = parser.getSymbolManager()
    result = None
    while not (command := parser.nextCommand()).isNull():
        if command.getCommandName() == "check-sat":
            result = solver.checkSat()
        else:
            command.invoke(solver, symbols)
    if result is None:
        raise ValueError("the text does not ask (check-sat)")
    status = "unsat" if result.isUnsat() else "sat" if result.isSat() else "unknown"
    proof = ""
    if question["proof"] and status == "unsat":
        printed = solver.proofToString(solver.getProof()[0], cvc5.ProofFormat.CPC)
        proof = printed.decode() if isinstance(printed, bytes) else printed
    return {
        "status": status,
        "reason": result.getUnknownExplanation().name if status == "unknown" else "",
        "seconds": time.perf_counter() - begin,
        "units": _units(solver),
        "values": _values(solver, symbols) if status == "sat" else {},
        "proof": proof,
    }


def _units(solver: Any) -> int:
    statistics = solver.getStatistics().get(internal=True, defaulted=True)
    return int(statistics["resource::resourceUnitsUsed"]["value"])


def _values(solver: Any, symbols: Any) -> dict[str, int | bool]:
    values: dict[str, int | bool] = {}
    for term in symbols.getDeclaredTerms():
        sort = term.getSort()
        if sort.isBoolean():
            values[term.getSymbol()] = solver.getValue(term).getBooleanValue()
        elif sort.isInteger():
            values[term.getSymbol()] = int(solver.getValue(term).getIntegerValue())
    return values


def answer_or_failure(question: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a question, or why there is none."""
    try:
        return answer(question)
    except Exception as error:  # cvc5 says in words what it rejects
        return {"error": str(error).strip() or type(error).__name__}


def reply(line: Mapping[str, Any]) -> str:
    """The answer to the question of a line, as a line."""
    return json.dumps(answer_or_failure(line)) + "\n"


def serve(answers: int) -> int:
    """Answer the questions on standard input until its end; the exit status, which is that of a fork that crashed."""
    if not hasattr(os, "fork"):
        for line in sys.stdin:
            os.write(answers, reply(json.loads(line)).encode())
        return 0
    while True:
        select.select([0], [], [])  # the line itself is read by the fork, and leaves no trace here
        begin = time.perf_counter()
        child = os.fork()
        if child == 0:
            _answer_one(answers)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == -signal.SIGXCPU:
            os.write(answers, (json.dumps({"stopped_after": time.perf_counter() - begin}) + "\n").encode())
            continue
        if status < 0:
            os.kill(os.getpid(), -status)
        if status:
            return 0 if status == NO_MORE else status


def _answer_one(answers: int) -> NoReturn:
    """The fork's part."""
    parts: list[bytes] = []
    while not (parts and parts[-1].endswith(b"\n")):
        part = os.read(0, 1 << 16)
        if not part:
            os._exit(NO_MORE)
        parts.append(part)
    line = json.loads(b"".join(parts))
    _limit_processor_time(line["processor_seconds"])
    with os.fdopen(answers, "w", encoding="utf-8") as pipe:
        pipe.write(reply(line))
    os._exit(0)


def _limit_processor_time(seconds: int) -> None:
    import resource  # only systems that fork have it

    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    limit = seconds if most == resource.RLIM_INFINITY else min(seconds, most)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, most))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks is interrupted, and ends this process
    # What cvc5 itself prints must not get between the answers.
    private = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(serve(private))
