"""How often an engine agrees with the algebra on generated cases, and smallest logs on which it does not.

python docs/examples/engines/agreement.py docs/examples/engines/eql.toml --cases 3000 --seed 1
"""

import argparse
import json
import shlex
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.judge import Meaning
from reports.drawing.layout import Timeline, compared_bars
from reports.drawing.timeline import to_text
from semantics.carlson_lisper.expressions import Expression, Operation, identifiers, size
from semantics.shrinking import smallest

FORM = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
FORM.add_argument("form", type=Path, help="the form of an engine")
FORM.add_argument("--cases", type=int, default=3000, help="so many cases are generated")
FORM.add_argument("--taken", type=int, default=10**9, help="so many at most that the engine takes")
FORM.add_argument("--seed", type=int, default=1)
FORM.add_argument("--reduced", type=int, default=20, help="so many cases of each kind are made smaller")


class Engine:
    """A process that answers cases, as its form says."""

    def __init__(self, path: Path) -> None:
        self.form = tomllib.loads(path.read_text("utf-8"))
        command = shlex.split(self.form["command"])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def asked(self, case: Case) -> dict:
        """The answer to a case; events of other types are left out."""
        events = [[each.time, each.event, each.value] for each in mentioned(case).occurrences]
        question = {"case": case.number, "pattern": case.text, "events": events}
        assert self.process.stdin is not None and self.process.stdout is not None
        print(json.dumps(question), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def compared(self, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Detections as far as they are compared: of one end the latest start, or the end alone."""
        latest = {end: start for start, end in sorted(pairs)}
        if self.form["compared"] == "ends":
            return [(end, end) for end in sorted(latest)]
        return [(start, end) for end, start in sorted(latest.items())]

    def both(self, case: Case) -> tuple[list[tuple[int, int]], list[tuple[int, int]]] | None:
        """What the algebra and the engine detect; None where the engine does not take the case."""
        answer = self.asked(case)
        if "error" in answer:
            raise SystemExit(f"{case}: {answer['error']}")
        if "refused" in answer:
            return None
        found = [(each["start"], each["end"]) for each in answer["detections"]]
        return self.compared([tuple(each) for each in Meaning(case).expected]), self.compared(found)


def mentioned(case: Case) -> Case:
    """The case without events of types that the pattern does not mention."""
    names = identifiers(case.expression)
    return replace(case, occurrences=tuple(each for each in case.occurrences if each.event in names))


def is_tied(case: Case) -> bool:
    """Whether two events of the pattern share a tick."""
    return len({each.time for each in case.occurrences}) < len(case.occurrences)


def smaller(case: Case) -> Iterator[Case]:
    """The case with a simpler pattern, without an event, or with less time between two."""
    for part in parts(case.expression):
        yield mentioned(replace(case, expression=part))
    events = case.occurrences
    for place, event in enumerate(events):
        yield replace(case, occurrences=events[:place] + events[place + 1 :])
        gap = event.time - (events[place - 1].time if place else 0)
        for by in sorted({gap, gap // 2, 1} - {0}, reverse=True) if gap else ():
            moved = tuple(each._replace(time=each.time - by) for each in events[place:])
            if not place or gap > by:  # what has no tie gets none
                yield replace(case, occurrences=events[:place] + moved)


def parts(pattern: Expression) -> Iterator[Expression]:
    """Patterns with an operation less."""
    if isinstance(pattern, Operation):
        yield from pattern.operands
        for place, operand in enumerate(pattern.operands):
            for part in parts(operand):
                operands = (*pattern.operands[:place], part, *pattern.operands[place + 1 :])
                yield Operation(pattern.operator, operands, pattern.bound)


def main() -> None:
    """Print the shares, and a smallest log of each kind."""
    asked = FORM.parse_args()
    engine, counts, differing = Engine(asked.form), Counter[tuple[bool, bool]](), {False: [], True: []}
    number = 0
    while number < asked.cases and counts.total() < asked.taken:
        case = mentioned(generate(asked.seed, number))
        number += 1
        both = engine.both(case)
        if both is not None:
            tied = is_tied(case)
            counts[tied, both[0] == both[1]] += 1
            if both[0] != both[1]:
                differing[tied].append(case)
    print(f"{number} cases of seed {asked.seed}: {counts.total()} taken, the others cannot be said")
    for tied, cases in differing.items():
        agreed, taken = counts[tied, True], counts[tied, True] + counts[tied, False]
        share = f"{100 * agreed / taken:.1f} %" if taken else "-"
        print(f"\n{'with' if tied else 'without'} ties: agrees in {agreed} of {taken} ({share})")

        def differs(case: Case, tied: bool = tied) -> bool:
            both = is_tied(case) is tied and engine.both(case)
            return bool(both) and both[0] != both[1]

        cases.sort(key=lambda each: (len(each.occurrences), size(each.expression)))
        reduced = [smallest(case, lambda given: filter(differs, smaller(given))) for case in cases[: asked.reduced]]
        for case in sorted(reduced, key=lambda each: (size(each.expression), len(each.occurrences), each.number))[:1]:
            left, right = engine.both(case) or ([], [])
            rows = " ".join(map(str, case.occurrences))
            names = ("algebra", asked.form.stem)
            drawn = Timeline(f"{case.text}   in   {rows}", (), names, case.occurrences, compared_bars(left, right))
            print(f"a smallest of {len(cases)}, case {case.number}:\n{to_text(drawn, 80)}")


if __name__ == "__main__":
    main()
