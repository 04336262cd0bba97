"""Known answers about a verification as a whole: what each stage finds is in its verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from laws.outcomes import TestOutcome
from laws.standings import ExitStatus, Standing
from laws.systems import find
from remora.api.claims import Checked
from remora.terminal.progress import Progress
from remora.verification.efforts import QUICK
from remora.verification.known.answers import Known, Row
from smt.attempts import ClaimResult
from smt.solvers.portfolio import Portfolio
from smt.solvers.z3_solver import Z3

if TYPE_CHECKING:  # which has these checks among its own
    from remora.verification.stages import Verification

S = Standing


def checks(_: Portfolio) -> list[Known]:
    """The checks of this module."""
    return [
        Known("verification", "a verification is green when all of it is as claimed", _verification),
        Known("stages", "what a stage of a verification finds is recorded", _found),
    ]


def _run() -> Verification:
    """A run that has found one claim to be agreed."""
    from remora.verification.stages import Verification

    run = object.__new__(Verification)
    run.standings, run.problems, run.warnings = [S.AGREED], [], []
    return run


def _broken(_: object) -> Any:
    raise RuntimeError("it broke down")


def _verification() -> Iterator[Row]:
    from remora.verification.stages import Verified

    (law,) = find(["law:2"])
    for proof in Standing:
        for test in (S.TESTED, S.REFUTED, S.ERROR):
            outcome = TestOutcome("known", test, 1, "")
            stands = Verified(
                ClaimResult(law, proof, (), None, 0, 0.0), Checked(law, (outcome,)), None
            ).standing
            yield f"{proof.value} and a test that is {test.value}", stands, _with_test(proof, test)
    for standing, right in (
        (S.AGREED, ExitStatus.AS_CLAIMED),
        (S.UNKNOWN, ExitStatus.INCONCLUSIVE),
        (S.REFUTED, ExitStatus.REFUTED),
        (S.DISAGREEMENT, ExitStatus.DISAGREEMENT),
        (S.ERROR, ExitStatus.INFRASTRUCTURE),
    ):
        run = _run()
        run._record(standing, "a problem")
        verdict = run.verdict([])
        yield f"a run with {standing.value}", verdict["exit_status"], int(right)
        yield "what is named", bool(verdict["problems"]), right is not ExitStatus.AS_CLAIMED
    run = _run()
    run._tried("known", partial(_broken, None))
    yield "a stage that breaks down", run.verdict([])["exit_status"], int(ExitStatus.INFRASTRUCTURE)


def _with_test(proof: Standing, test: Standing) -> Standing:
    if test is S.TESTED:
        return proof
    contradicted = test is S.ERROR or proof.unbounded or proof is S.DISAGREEMENT
    return S.DISAGREEMENT if contradicted else S.REFUTED


def _found() -> Iterator[Row]:
    (law,) = find(["law:2"])
    as_claimed, wrong = (ClaimResult(law, standing, (), None, 0, 0.0) for standing in (S.AGREED, S.UNKNOWN))

    def recorded(stage: str, **replaced: Any) -> list[Standing]:
        run = _run()
        run.effort, run.seed, run.results, run.checker, run.portfolio = QUICK, 0, [], None, Portfolio([Z3()])
        with ExitStack() as stack:
            run.progress = stack.enter_context(Progress(quiet=True))
            for name, value in {"every_claim": lambda: (law,), **replaced}.items():
                owner = run if name.startswith("_") else "remora.verification.stages"
                changed = (
                    patch.object(owner, name, value) if owner is run else patch(f"{owner}.{name}", value)
                )
                stack.enter_context(changed)
            getattr(run, stage)()
        return run.standings[1:]

    def proving(ints: ClaimResult, reals: ClaimResult) -> Callable[..., list[ClaimResult]]:
        return lambda stage, claims, time="int": [ints if time == "int" else reals]

    tested = [Checked(law, (TestOutcome("known", S.TESTED, 1, ""),))]
    for title, results, right in (
        ("as claimed", (as_claimed, as_claimed), [S.AGREED]),
        ("open", (wrong, as_claimed), [S.UNKNOWN]),
        ("open over dense time", (as_claimed, wrong), [S.AGREED, S.UNKNOWN]),
    ):
        given = {"_prove": proving(*results), "checked": lambda *_: tested}
        yield f"a claim that is {title}", recorded("claims", **given), right
    for differences, right in (([], []), (["law:2: another text"], [S.REFUTED])):
        yield (
            f"the record: {differences}",
            recorded("record", text_differences=lambda *_, found=differences: found),
            right,
        )
    yield (
        "a false equation that is proved",
        recorded("canaries", _prove=proving(as_claimed, as_claimed)),
        [S.DISAGREEMENT],
    )
