"""Known answers about what is refused: programs and profiles without a meaning, and traces that break a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO

from remora.verification.known.answers import Checks, Row
from semantics.bry_eckert.checking import parse as program
from semantics.errors import InputError
from semantics.events import ANY_TRACE, TraceForm
from semantics.hinze_voisard.syntax import parse as profiles
from semantics.traces.files import read_instants
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading

_A = "event A(x: int) within 0\nevent T(x: str) within 0\n"
_RULE = "F(x) <- a: A(x)\n"
_CLASS = 'class a = event(name = "a")\nclass b = event(name = "b")\n'

_TEXTS: Mapping[str, tuple[Callable[[str], object], str, bool]] = {
    "a rule": (program, _A + _RULE, True),
    "a constant of another type": (program, _A + 'F(x) <- a: A(x = "1"), b: A(x)', False),
    "a variable of two types": (program, _A + "F(x) <- a: A(x), t: T(x)", False),
    "recursion by an absence": (
        program,
        _A
        + "event H(x: int)\n"
        + _RULE
        + "G(x) <- a: A(x), w: extend(a, 5), while w: not H(x)\nH(x) <- g: G(x)",
        False,
    ),
    "a duration of what is derived": (program, _A + "event F(x: int) within 0\n" + _RULE, False),
    "a declaration of what is derived": (program, _A + "event F(x: int)\n" + _RULE, True),
    "an axiom about what is derived": (program, _A + "event F(x: int)\naxiom F(x) unique\n" + _RULE, False),
    "a quotient declared as a whole number": (
        program,
        _A + "event F(x: int)\nF(x / 2) <- a: A(x)",
        False,
    ),
    "a name of two events": (program, _A + "F(x) <- a: A(x), a: A(x)", False),
    "profiles": (profiles, _CLASS + "profile P = (a ; b)\nprofile Q = (a , b)", True),
    "profiles of one name": (profiles, _CLASS + "profile P = (a ; b)\nprofile P = (a , b)", False),
    "parameters of a disjunction": (
        profiles,
        _CLASS + "profile P = (a | b) { select first, first }",
        False,
    ),
    "a place before the first": (profiles, _CLASS + "profile P = a^0", False),
}
"""Texts with their readers, and whether they are read."""

_LOGS: Sequence[tuple[str, Reading, TraceForm, object]] = (
    ("1,a 2,a", Reading(), ANY_TRACE, (2, 0)),
    ("2,a 1,a", Reading(), ANY_TRACE, None),
    ("2,a 1,a", Reading(sort=True), ANY_TRACE, (2, 1)),
    ("1,a 1,a", Reading(), TraceForm(repeats=False), None),
    ("1,a 1,b 1,b", Reading(), TraceForm(repeats=False), None),
    ("1,a 1,a", Reading(same_time="first"), TraceForm(repeats=False), (1, 1)),
    ("1,a x,a", Reading(), ANY_TRACE, None),
    ("1,a 1.5,a", Reading(), ANY_TRACE, None),
    ("1,a -1,a", Reading(), ANY_TRACE, None),
    ("1,a 1e300,a", Reading(), ANY_TRACE, None),
    ("1,a 2,", Reading(), ANY_TRACE, None),
    ("1,a x,a y,a", Reading(skip_bad=True), ANY_TRACE, (1, 2)),
    ("1,a,2", Reading(), ANY_TRACE, None),
    ("2,a,1", Reading(), ANY_TRACE, (1, 0)),
    ("2,a,1", Reading(), TraceForm(intervals=False), None),
)
"""Rows of a trace, how it is read, and how many rows come out and are told to be changed; None if it is refused."""

checks = Checks()


@checks.known("refusals", "what breaks a rule is refused, and what is left out is told")
def _refusals() -> Iterator[Row]:
    for title, (read, text, right) in _TEXTS.items():
        try:
            found = bool(read(text))
        except InputError:
            found = False
        yield f"whether {title} is read", found, right
    for rows, reading, form, due in _LOGS:
        yield f"{rows} by {reading}", _read(rows, reading, form, 0), due
    for rows, due in (("5,a 3,a", (2, 1)), ("5,a 2,a 1,a", (1, 2)), ("5,a 1,a 6,a", (2, 1))):
        yield f"{rows} where rows come 2 ticks late", _read(rows, Reading(), ANY_TRACE, 2), due


def _read(rows: str, reading: Reading, form: TraceForm, lateness: int) -> tuple[int, int] | None:
    """How many rows come out of a trace, and how many are told to be out of order or left out; None if refused."""
    header = "time,event,start" if rows.count(",") > 2 * rows.count(" ") + 1 else "time,event"
    report = ReadReport()
    text = "\n".join((header, *rows.split()))
    try:
        instants = read_instants(BytesIO(text.encode()), reading, form=form, lateness=lateness, report=report)
        number = sum(len(one.rows) for one in instants)
    except InputError:
        return None
    told = report.out_of_order + report.late + report.dropped + len(report.bad)
    return number, told if told == 0 or report.messages() else 0
