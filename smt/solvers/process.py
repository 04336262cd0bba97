"""Program of the process in which a solver runs, `process.py z3` or `process.py cvc5`: JSON lines in, JSON lines out.

cvc5 keeps Python's lock while it works, and Python raises no KeyboardInterrupt while Z3 works; so neither runs in the
process of who asks. Each line is answered by a fork of a process that has answered nothing: then the work for it
repeats exactly, and a crash loses only the line that caused it. (cvc5 goes through the triggers of a quantified formula
in the order of their addresses, which depends a little on what was in memory before.) An empty context of Z3 is made
once: to make one takes as long as most answers. The file imports nothing of ours, so that a process starts quickly.

cvc5 has phases in which it looks neither at its budget nor at the clock. So the fork has a limit of processor time as
well, at which the system ends it; the line has no answer then, but the time.

    line      {"text": ..., "options": [[name, value], ...], "proof": false, "processor_seconds": 60}
    reply     answer, failure or {"stopped_after": seconds}
    answer    {"status": ..., "reason": ..., "seconds": ..., "units": ..., "values": {...}, "proof": ""}
    failure   {"error": ...}
"""

import importlib
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NoReturn

NO_MORE = 77  # The exit status of a fork that found the end of the questions


def of_z3(z3: Any, context: Any, question: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of Z3, with a context in which nothing was asked."""
    solver = z3.Solver(ctx=context)
    for name, value in question["options"]:
        solver.set(name, value)
    solver.from_string(question["text"].replace("(check-sat)", ""))
    status = str(solver.check())
    values: dict[str, int | bool] = {}
    for declaration in solver.model().decls() if status == "sat" else ():
        found: Any = solver.model()[declaration] if declaration.arity() == 0 else None
        if z3.is_int_value(found):
            values[declaration.name()] = found.as_long()
        elif z3.is_true(found) or z3.is_false(found):
            values[declaration.name()] = z3.is_true(found)
    return {
        "status": status,
        "reason": solver.reason_unknown() if status == "unknown" else "",
        "units": next((value for key, value in solver.statistics() if key == "rlimit count"), 0),
        "values": values,
    }


def of_cvc5(cvc5: Any, question: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of cvc5, with a proof in the format CPC where that is wanted."""
    solver = cvc5.Solver(cvc5.TermManager())
    for name, value in question["options"]:
        solver.setOption(name, str(value).lower() if isinstance(value, bool) else str(value))
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
    values: dict[str, int | bool] = {}
    for term in symbols.getDeclaredTerms() if status == "sat" else ():
        if term.getSort().isBoolean():
            values[term.getSymbol()] = solver.getValue(term).getBooleanValue()
        elif term.getSort().isInteger():
            values[term.getSymbol()] = int(solver.getValue(term).getIntegerValue())
    wanted = question["proof"] and status == "unsat"
    proof = solver.proofToString(solver.getProof()[0], cvc5.ProofFormat.CPC) if wanted else ""
    return {
        "status": status,
        "reason": result.getUnknownExplanation().name if status == "unknown" else "",
        "units": int(solver.getStatistics().get(internal=True, defaulted=True)["resource::resourceUnitsUsed"]["value"]),
        "values": values,
        "proof": proof.decode() if isinstance(proof, bytes) else proof,
    }


def reply(ask: Callable[[Mapping[str, Any]], dict[str, Any]], question: Mapping[str, Any]) -> bytes:
    """The answer to a question, or why there is none, as a line."""
    begin = time.perf_counter()
    try:
        said = {"proof": "", **ask(question), "seconds": time.perf_counter() - begin}
    except Exception as error:  # the solver says in words what it rejects
        said = {"error": str(error).strip() or type(error).__name__}
    return json.dumps(said).encode() + b"\n"


def serve(made: Callable[[], Callable[[Mapping[str, Any]], dict[str, Any]]], answers: int) -> int:
    """Answer the questions on standard input until its end; the exit status, which is that of a fork that crashed."""
    if not hasattr(os, "fork"):
        for line in sys.stdin:
            os.write(answers, reply(made(), json.loads(line)))
        return 0
    ask = made()
    while True:
        select.select([0], [], [])  # the line itself is read by the fork, and leaves no trace here
        begin = time.perf_counter()
        child = os.fork()
        if child == 0:
            _answer_one(ask, answers)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == -signal.SIGXCPU:
            os.write(answers, (json.dumps({"stopped_after": time.perf_counter() - begin}) + "\n").encode())
            continue
        if status < 0:
            os.kill(os.getpid(), -status)
        if status:
            return 0 if status == NO_MORE else status


def _answer_one(ask: Callable[[Mapping[str, Any]], dict[str, Any]], answers: int) -> NoReturn:
    import resource  # only systems that fork have it

    parts: list[bytes] = []
    while not (parts and parts[-1].endswith(b"\n")):
        part = os.read(0, 1 << 16)
        if not part:
            os._exit(NO_MORE)
        parts.append(part)
    question = json.loads(b"".join(parts))
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    seconds = question["processor_seconds"]
    resource.setrlimit(resource.RLIMIT_CPU, (seconds if most == resource.RLIM_INFINITY else min(seconds, most), most))
    with os.fdopen(answers, "wb") as pipe:
        pipe.write(reply(ask, question))
    os._exit(0)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks is interrupted, and ends this process
    package = importlib.import_module(sys.argv[1])
    # What the solver itself prints must not get between the answers.
    private = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    asked = {"z3": lambda: partial(of_z3, package, package.Context()), "cvc5": lambda: partial(of_cvc5, package)}
    sys.exit(serve(asked[sys.argv[1]], private))
