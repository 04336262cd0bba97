"""The detector of Figure 4 that is extracted from its proof (`proofs/carlson_lisper/kernel/Machine.v`).

It is a process in OCaml (`driver.ml` says what it reads) and shares no code with the other detectors: an oracle for
campaigns. `make kernel` compiles it, where Rocq and OCaml are there. Other programs ask it in lines of JSON:

    python -m detectors.carlson_lisper.verified < cases.jsonl
"""

import json
import os
import subprocess
import sys
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO, cast

from detectors.carlson_lisper.protocol import instants, run
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Bound, Expression, fold, identifiers
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Value, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError, LimitExceeded
from semantics.events import Time
from semantics.traces.rows import event_of, value_of
from semantics.traces.times import ticks_of

EXECUTABLE = Path(__file__).parents[2] / "proofs" / "carlson_lisper" / "kernel" / "build" / "verified"

LATEST = 2**61  # Times and bounds are integers of OCaml

_OPERATORS = {"dis": "D", "con": "C", "neg": "N", "seq": "S", "tim": "R"}


class Process:
    """The process with all machines of this process of Python."""

    def __init__(self) -> None:
        """Start it; `InputError` where it is not there."""
        if not EXECUTABLE.exists():
            raise InputError("the verified detector is not compiled", remedy="`make kernel` does, with Rocq and OCaml.")
        self._process = subprocess.Popen([EXECUTABLE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._numbers, self._owner = count(), os.getpid()

    def begin(self, pattern: str) -> int:
        """The number of a machine for a pattern."""
        number = next(self._numbers)
        self._say(f"+ {number} {pattern}")
        return number

    def forget(self, machine: int) -> None:
        """Let a machine go."""
        if self._owner == os.getpid() and self._process.poll() is None:
            self._say(f"- {machine}")

    def advance(self, machine: int, words: str) -> list[int]:
        """Go one instant on: the numbers of the occurrences of the instance that ends then."""
        self._say(f"{machine} {words}\n!")
        cast(IO[str], self._process.stdin).flush()
        answer = cast(IO[str], self._process.stdout).readline()
        if not answer:
            raise RuntimeError("the verified detector has ended")
        return [int(word) for word in answer.split()]

    def _say(self, line: str) -> None:
        cast(IO[str], self._process.stdin).write(f"{line}\n")


@cache
def _process_of(owner: int) -> Process:
    """The one of a process of Python: a fork does not share it."""
    return Process()


class Verified:
    """A detector of whole instances whose steps, loop and transformation are proved (`machine_right`)."""

    def __init__(self, expression: Expression) -> None:
        """Begin; `InputError` without the executable, `LimitExceeded` for a bound beyond `LATEST` or a new operator."""
        self._types = {name: number for number, name in enumerate(sorted(identifiers(expression)))}
        self._occurrences: list[Occurrence] = []
        self._machine = _process_of(os.getpid()).begin(_in_prefix_order(expression, self._types))
        weakref.finalize(self, _process_of(os.getpid()).forget, self._machine).atexit = False
        self._now = -1

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        """The instance of the expression that ends at this instant; see `Detector.step`."""
        if time <= self._now:
            raise ValueError(f"time {time} is not later than {self._now}")
        if time >= LATEST:
            raise LimitExceeded(f"time {time} is beyond the integers of the verified detector")
        self._now = time
        words = [str(time)]
        for name, value in occurrences.items():
            if name in self._types:
                words += [str(self._types[name]), str(len(self._occurrences))]
                self._occurrences.append(Occurrence(name, time, value))
        found = _process_of(os.getpid()).advance(self._machine, " ".join(words))
        return Instance(self._occurrences[number] for number in found) if found else None

    def state(self) -> tuple[NodeState, ...]:
        """Nothing: what is stored is in the process."""
        return ()


def _in_prefix_order(expression: Expression, types: Mapping[str, int]) -> str:
    def operation(name: str, operands: Sequence[str], bound: Bound | None) -> str:
        if name not in _OPERATORS or (isinstance(bound, int) and bound >= LATEST):
            raise LimitExceeded(f"the verified detector does not know {name} with the bound {bound}")
        return " ".join([_OPERATORS[name], *([] if name != "tim" else [str(bound)]), *operands])

    return fold(expression, lambda name: f"E {types[name]}", operation)


def answers(lines: Iterable[str]) -> Iterator[str]:
    """Answers to cases, a line of JSON each, in order; what is no case is answered by its `error`.

    `{"case": 7, "pattern": "a ; b", "events": [[3, "a", "u"], [5, "b", null]]}`, with times in ticks, has the answer
    `{"case": 7, "detections": [{"start": 3, "end": 5, "instance": [[3, "a", "u"], [5, "b", null]]}]}`.
    """
    for line in lines:
        case: object = None
        try:
            given = json.loads(line)
            case = given["case"]
            rows = ((event_of(name), ticks_of(time), value_of(cell)) for time, name, cell in given["events"])
            trace = instants(interpretation(Occurrence(*row) for row in rows))
            found = run(Verified(parse(given["pattern"])), trace)
            answer: dict[str, object] = {"detections": [_shown(instance) for instance in found]}
        except (InputError, LimitExceeded, KeyError, RecursionError, TypeError, ValueError) as error:
            answer = {"error": str(error) or type(error).__name__}
        yield json.dumps({"case": case, **answer}, ensure_ascii=False)


def _shown(found: Instance) -> dict[str, object]:
    instance = [[one.time, one.event, one.value] for one in found.sorted_occurrences()]
    return {"start": found.start, "end": found.end, "instance": instance}


if __name__ == "__main__":
    try:
        _process_of(os.getpid())
    except InputError as missing:
        print(f"error: {missing}", file=sys.stderr)
        sys.exit(2)
    for answer in answers(sys.stdin):
        print(answer, flush=True)
