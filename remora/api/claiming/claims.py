"""Claims about all event streams: proved or refuted by solvers, and checked on finitely many cases."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from laws.carlson_lisper.claims import chosen_claims
from laws.claims import Claim, every_claim, every_false_claim, false_beside, laws_of, stated
from laws.standings import Standing, weakest
from laws.theorems import Theorem
from remora.api.arguments import require_seed, require_whole, several
from remora.api.cards import Card, Shown
from remora.api.claiming.data import counterexample_data
from remora.terminal.progress import unheard
from reports.drawing.layout import Timeline
from reports.page import Table, standing
from reports.systems import counterexample_timeline
from semantics.errors import InputError

if TYPE_CHECKING:
    from laws.outcomes import Refutation, TestOutcome
    from smt.attempts import ClaimResult
    from smt.smtlib import TimeSort
    from smt.solvers.portfolio import Portfolio

DRAWN = 4  # So many counterexamples are drawn where several claims are refuted


class EnginesInDoubt(Exception):
    """A claim that is known to be false was not refuted: no answer of the same engines counts."""


class _Answer(Shown):
    """Standing of a claim."""

    claim: Claim
    standing: Standing
    counterexample: Refutation | None
    reason = ""

    def timeline(self) -> Timeline | None:
        """The counterexample; None without one."""
        found = self.counterexample
        data = counterexample_data(found)
        if found is None or data is None:
            return None
        return counterexample_timeline(data) or Timeline(found.summary(), (), ("", ""), (), (), compares=False)

    def _card(self, lines: Iterable[str], *blocks: Table) -> Card:
        mark, drawn = standing(self.standing.value), self.timeline()
        return Card(
            f"{self.claim.id}  {self.claim.statement}",
            mark._replace(word=f"{mark.word}: {mark.meaning}"),
            tuple(lines),
            blocks=blocks if drawn is None else (*blocks, drawn),
        )


class Proof(_Answer):
    """Proof of a claim for all event streams; true as a condition only where it was proved.

    Attributes:
        result: the claim, its obligations, what each solver said, a counterexample.
        standing: kernel-checked, certified, agreed or proved for all event streams, refuted, or unknown.
        counterexample: replayed; None where there is none.
        reason: why the standing is not better; "" where there is nothing to say.
    """

    def __init__(self, result: ClaimResult) -> None:
        self.result, self.claim, self.standing = result, result.claim, result.standing
        self.counterexample, self.reason = result.counterexample, result.reason

    def __bool__(self) -> bool:
        return self.standing.unbounded

    def card(self) -> Card:
        """The standing, the claim, and a counterexample."""
        reason = "" if self.counterexample is not None else self.reason
        return self._card(filter(None, (self.claim.reading, reason)))


class Checked(_Answer):
    """Check of a claim by finitely many cases, never a proof; true as a condition where no case contradicts it.

    Attributes:
        outcomes: one for each way of checking, each with its bound.
        seconds: how long each of them took.
        standing: tested, refuted, or error.
        cases: how many cases were judged.
        counterexample: the first one, replayed; None if there is none.
    """

    def __init__(self, claim: Claim, outcomes: Sequence[TestOutcome], seconds: Sequence[float] = ()) -> None:
        self.claim, self.outcomes, self.seconds = claim, tuple(outcomes), tuple(seconds)
        self.standing = weakest(outcome.standing for outcome in outcomes)
        self.cases = sum(outcome.cases for outcome in outcomes)
        self.counterexample = next(filter(None, (outcome.counterexample for outcome in outcomes)), None)

    def __bool__(self) -> bool:
        return self.standing is Standing.TESTED

    def card(self) -> Card:
        """Cases that were tried, and a counterexample."""
        rows = tuple((one.method, one.standing.value, f"{one.cases:,}", one.bound) for one in self.outcomes)
        return self._card((), Table(("method", "standing", "cases", "among"), rows, ("cases",)))


AnswerT = TypeVar("AnswerT", Proof, Checked)


@dataclass(frozen=True, repr=False)
class Answers(Shown, Sequence[AnswerT], Generic[AnswerT]):
    """Answers about several claims, in order; true as a condition if all of them are, and there are some."""

    answers: tuple[AnswerT, ...]

    @property
    def standing(self) -> Standing:
        """Standing of the weakest."""
        return weakest(each.standing for each in self.answers)

    @overload
    def __getitem__(self, index: int) -> AnswerT: ...
    @overload
    def __getitem__(self, index: slice) -> Answers[AnswerT]: ...
    def __getitem__(self, index: int | slice) -> AnswerT | Answers[AnswerT]:
        found: Any = self.answers[index]
        return Answers(found) if isinstance(index, slice) else found

    def __len__(self) -> int:
        return len(self.answers)

    def __bool__(self) -> bool:
        return bool(self.answers) and all(self.answers)

    def card(self) -> Card:
        """A table of all, and the counterexamples; of a single one, its own card."""
        if len(self.answers) == 1:
            return self.answers[0].card()
        marks = [standing(each.standing.value) for each in self.answers]
        said = zip(self.answers, marks, strict=True)
        rows = tuple((each.claim.id, f"{mark.symbol} {mark.word}", stated(each.claim)) for each, mark in said)
        drawings: list[Timeline] = list(filter(None, (each.timeline() for each in self.answers)))
        unseen = [each for each in self.answers if each.reason and each.counterexample is None]
        reasons = tuple(f"{each.claim.id}: {each.reason}" for each in unseen)
        return Card("", blocks=(Table(("claim", "standing", "statement"), rows), *drawings[:DRAWN]), notes=reasons)


def prove(*claims: str, primitive: str | Iterable[str] = (), time: TimeSort = "int", seed: int = 0) -> Answers[Proof]:
    """Prove claims for all event streams, or refute them with a trace that was replayed.

    False claims with the same signs are put to the same solvers, once in a process, and have to be refuted.

    Args:
        claims: ids such as `law:14` or `theorem:4.6`, with all that they rest on, and equations such as
            `A | B == B | A`; none means everything, which takes minutes.
        primitive: identifiers of equations that stand for primitive event types; others stand for any expression.
        time: natural numbers (Def. 3.1) or dense time.
        seed: the solvers' random seed.

    Raises:
        InputError: there is no such claim, or an equation cannot be read.
        EnginesInDoubt: a claim that is known to be false was not refuted.
    """
    from proofs.proving import prove_claims, with_dependencies
    from smt.solvers.portfolio import installed

    require_seed(seed)
    if time not in ("int", "real"):
        raise InputError(f"there is no time {time!r}", remedy='It is "int" or "real".')
    asked = chosen_claims(claims, ",".join(several("primitive", primitive, '["a", "b"]')))
    with installed() as portfolio:
        chosen = with_dependencies(asked, every_claim())
        _require_sound(false_beside(chosen) if claims else every_false_claim(), time, portfolio)
        results = prove_claims(chosen, portfolio, time=time, seed=seed)
    places = {claim.id: place for place, claim in enumerate(asked)}
    results.sort(key=lambda result: places.get(result.claim.id, len(places)))  # what they rest on comes last
    return Answers(tuple(map(Proof, results)))


_refuted = set[tuple[str, "TimeSort"]]()  # the false claims that the solvers have refuted


def _require_sound(false: Iterable[Claim], time: TimeSort, portfolio: Portfolio) -> None:
    """Refute false claims, each once in a process."""
    from proofs.proving import prove_claims

    results = prove_claims([each for each in false if (each.id, time) not in _refuted], portfolio, time=time)
    missed = [each.claim.id for each in results if each.standing is not Standing.REFUTED]
    if missed:
        raise EnginesInDoubt(f"{', '.join(missed)}: known to be false, and not refuted")
    _refuted.update((each.claim.id, time) for each in results)


def check(*claims: str, examples: int = 50, primitive: str | Iterable[str] = (), seed: int = 0) -> Answers[Checked]:
    """Check claims exhaustively up to a stated bound and on random cases of each kind; never called a proof.

    Claims are given as for `prove`; none means all that have executable checks.

    Raises:
        InputError: there is no such claim, it has no executable checks, or an equation cannot be read.
    """
    require_seed(seed)
    require_whole("examples", examples, 1)
    named = ",".join(several("primitive", primitive, '["a", "b"]'))
    return checked(checkable(claims, named), examples, seed)


def checkable(names: Sequence[str], primitive: str) -> tuple[Claim, ...]:
    """The claims that arguments name, or all: those that have executable checks, unlike theorems about code."""
    claims = chosen_claims(names, primitive)
    without = [claim.id for claim in claims if isinstance(claim, Theorem)]
    if names and without:
        remedy = "`remora prove` proves it; `remora campaign run` puts detectors to random traces."
        raise InputError(f"{', '.join(without)} has no check on finitely many cases", remedy=remedy)
    return tuple(claim for claim in claims if not isinstance(claim, Theorem))


def checked(
    claims: Iterable[Claim], examples: int, seed: int, tell: Callable[[str], object] = unheard
) -> Answers[Checked]:
    """Check claims on finitely many cases; one without executable checks has no outcomes."""
    from hypothesis.configuration import set_hypothesis_home_dir

    answers = []
    with tempfile.TemporaryDirectory(prefix="remora-") as elsewhere, ExitStack() as ending:
        set_hypothesis_home_dir(elsewhere)  # or it leaves a folder `.hypothesis` where the user happens to be
        ending.callback(set_hypothesis_home_dir, None)
        for claim in claims:
            tell(claim.id)
            outcomes, ends = [], [time.perf_counter()]
            for outcome in laws_of(claim.system).check(claim, examples=examples, seed_number=seed):
                outcomes.append(outcome)
                ends.append(time.perf_counter())
            answers.append(Checked(claim, outcomes, [end - begin for begin, end in pairwise(ends)]))
    return Answers(tuple(answers))
