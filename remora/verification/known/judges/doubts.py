"""Known answers about engines in doubt: solvers, provers, oracles and benchmarks that are wrong about what is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import product
from unittest.mock import Mock, patch

import numpy as np

from benchmarks.checks import Checker, OracleDiffers, confirm_oracle, difference, malformed, oracle
from benchmarks.patterns import PATTERNS
from benchmarks.rules import measured
from benchmarks.subjects import OURS, Absent, Answer, Pattern, Prepared, Subject
from benchmarks.timing import Effort
from benchmarks.timing import compare as timed
from benchmarks.traces import Trace
from laws.standings import Standing
from laws.systems import find
from proofs.third_opinions import contradicted
from remora.api.claiming.claims import EnginesInDoubt, _require_sound
from remora.verification.known.answers import Checks, Row, always
from remora.verification.known.verdicts import result
from reports.sections.throughput import growth_in_words
from smt.attempts import ClaimResult
from smt.first_order.provers import Opinion, Outcome, understood
from smt.first_order.translation import Problem
from smt.solvers.programs import Ended
from smt.solvers.solver import Status

S = Standing

checks = Checks()


@checks.known("doubts", "an engine that is wrong about what is known is noticed before it is believed")
def _doubts() -> Iterator[Row]:
    (law,) = find(["law:2"])
    for standing, right in ((S.REFUTED, False), (S.AGREED, True), (S.UNKNOWN, True)):
        results = [ClaimResult(law, standing, (), None, 0, 0.0)]
        with patch("proofs.proving.prove_claims", always(results)):
            try:
                _require_sound.__wrapped__("int")
                doubted = False
            except EnginesInDoubt:
                doubted = True
        yield f"a false equation that is {standing.value}", doubted, right
    pattern = PATTERNS["ii"]
    trace = Trace(8, {name: np.arange(0, 8, 2) + place % 2 for place, name in enumerate("ABCDEPT")})
    nothing = Answer(np.array([], np.int64), np.array([], np.int64))
    for title, given, right in (
        ("right", (), False),
        ("wrong", (patch("benchmarks.checks.oracle", always(nothing)),), True),
    ):
        with ExitStack() as stack:
            for each in given:
                stack.enter_context(each)
            try:
                confirm_oracle(pattern, trace)
                differs = False
            except OracleDiffers:
                differs = True
        yield f"an oracle that is {title}", differs, right
    yield from _benchmarks(pattern, trace)
    opinions: tuple[tuple[Outcome, Status, bool], ...] = (
        ("proved", "unsat", False),
        ("proved", "sat", True),
        ("refuted", "unsat", True),
        ("open", "sat", False),
    )
    for outcome, status, contrary in opinions:
        (part,) = result(S.PROVED if status == "unsat" else S.UNKNOWN, status).obligations
        said = contradicted(part, Opinion(outcome))
        yield f"a prover that says {outcome}, a solver that says {status}", bool(said), contrary
    for word, meant in (
        ("Theorem", "proved"),
        ("CounterSatisfiable", "refuted"),
        ("GaveUp", "open"),
        ("ResourceOut", "open"),
        ("Timeout", "open"),
        ("Unknown", "open"),
    ):
        ended = Ended(f"# SZS status {word}\n", 0, False)
        yield f"a prover that ends with {word}", understood(ended, Problem("", True)).outcome, meant
    got = understood(Ended("# SZS status CounterSatisfiable\n", 0, False), Problem("", False)).outcome
    yield "a prover without arithmetic", got, "open"


def _benchmarks(pattern: Pattern, trace: Trace) -> Iterator[Row]:
    """Answers that are compared with right ones, and with those of others."""
    ends = np.array([1, 2, 3])
    for number, due, starts in product(range(4), range(4), (ends, None)):
        found, right = (Answer(starts if starts is None else starts[:n], ends[:n]) for n in (number, due))
        yield f"{number} answers of {due}", difference(found, right, 10) is None, number == due

    def prepare(pattern: Pattern, trace: Trace, *, wrong: int) -> Prepared:
        right = oracle(pattern, trace)
        ends = right.ends[:-1] if trace.instants > wrong else right.ends
        return lambda: lambda: Answer(None, ends)

    for wrong, status in ((9, "measured"), (4, "wrong"), (0, "wrong")):
        subjects = [
            Subject(str(each), OURS, "each tick", partial(prepare, wrong=each)) for each in (9, wrong)
        ]
        with patch("benchmarks.timing.FIRST", 4):
            timings = timed(pattern, 0.5, trace, subjects, Effort(1, 1.0))
        yield f"one that is wrong after {wrong} instants", timings.measurements[-1].status, status
    for error, status in ((ValueError("wrong"), "failed"), (Absent("not there"), "absent")):
        broken = [Subject("known", OURS, "each tick", Mock(side_effect=error))]
        (only,) = timed(pattern, 0.5, trace, broken, Effort(1, 1.0)).measurements
        yield f"one that raises {error!r}", only.status, status
    short, whole, other = (Subject(name, OURS, "each tick", Mock()) for name in ("short", "whole", "other"))
    checker, right = Checker(pattern, trace), oracle(pattern, trace)
    checker.check(short, 4, oracle(pattern, trace.prefix(4)))
    checker.check(whole, trace.instants, Answer(None, right.ends))
    yield "how far answers were compared", checker.checked_instants(whole), 4
    checker.check(other, trace.instants, Answer(np.zeros_like(right.ends), right.ends))
    yield "starts that differ from those of a short answer", list(checker.wrong), ["other"]
    yield "an end that comes twice", bool(malformed(Answer(None, np.array([1, 1])))), True
    yield "an instant that costs twice as much", growth_in_words(2.0, ""), "grows 2.0 times"
    for second, differ in ((["a"], False), (["b"], True), ([], True)):
        with patch("benchmarks.rules.SUBJECTS", {"x": always(["a"]), "y": always(second)}):
            try:
                refused = not measured(2, 1, 0)
            except ValueError:
                refused = True
        yield f"engines of rules that say a and {second}", refused, differ
