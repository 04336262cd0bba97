"""How often an engine agrees with the algebra on generated cases, and smallest logs on which it does not.

python docs/examples/engines/agreement.py docs/examples/engines/eql.toml --cases 3000 --seed 1
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.judge import Meaning
from detectors.carlson_lisper.programs import OfProgram, compared
from detectors.carlson_lisper.protocol import Report
from detectors.processes import program
from reports.drawing.layout import Timeline, compared_bars
from reports.drawing.timeline import to_text
from semantics.carlson_lisper.expressions import Expression, Operation, identifiers, size
from semantics.errors import LimitExceeded
from semantics.events import Interval
from semantics.shrinking import smallest

FORM = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
FORM.add_argument("form", type=Path, help="the form of an engine")
FORM.add_argument("--cases", type=int, default=3000, help="so many cases are generated")
FORM.add_argument("--taken", type=int, default=10**9, help="so many at most that the engine takes")
FORM.add_argument("--seed", type=int, default=1)
FORM.add_argument("--reduced", type=int, default=20, help="so many cases of each kind are made smaller")


class Engine:
    """A program that answers cases, as its form says."""

    def __init__(self, path: Path) -> None:
        found = program(str(path))
        form = msgspec.structs.replace(found.form, ties=True)  # how it differs there is to be seen
        self.program = OfProgram(msgspec.structs.replace(found, form=form))

    def compared(self, reports: Iterable[Report]) -> list[Report]:
        """Detections as far as they are compared; where all matches are told, of one end the latest start."""
        latest = {one.end: Interval(one.start, one.end) for one in sorted(reports, key=lambda one: one.start)}
        return sorted(compared(self.program.form, latest.values()))

    def both(self, case: Case) -> tuple[list[Report], list[Report]] | None:
        """What the algebra and the engine detect; None where the engine does not take the case."""
        try:
            found = self.program(case.expression).reports(list(case.instants()))
        except LimitExceeded:
            return None
        return self.compared(Meaning(case).expected), self.compared(found)


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
