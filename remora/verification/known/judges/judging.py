"""Known answers about the judging of detectors: every way to be wrong is seen, and no sum hides it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, ClassVar
from unittest.mock import Mock, patch

from campaigns.carlson_lisper import growth
from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.meaning import Meaning
from campaigns.carlson_lisper.relations.catalogue import RELATIONS, choices, judge_relation
from campaigns.engine.campaign import _replayed
from campaigns.engine.execution import Execution
from campaigns.engine.settings import Settings
from campaigns.engine.summary import CampaignSummary, CauseCount, Share
from campaigns.judging.judgements import judge_case
from campaigns.judging.limits import TimeUp, time_limit
from campaigns.judging.regressions import Regression, own_regressions, store
from campaigns.judging.replays import RegressionOutcome, growing, replayed
from campaigns.judging.rounds import _prefix, rounds
from campaigns.judging.verdicts import MEANING, Cause, Kind, Verdict
from campaigns.systems import cases_of
from detectors.carlson_lisper.adapters import Instant
from detectors.carlson_lisper.protocol import run
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.protocol import NodeState
from laws.standings import ExitStatus, Standing
from remora.judging.campaign_data import campaign_standing
from remora.judging.cases import RANDOM, RELATION
from remora.judging.engine import Tally, standing_of
from remora.judging.results import Check, GateResult, Outcome, Request
from remora.verification.known.answers import Checks, Row
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time, Value
from semantics.carlson_lisper.restriction import valid
from semantics.carlson_lisper.syntax import parse
from semantics.errors import LimitExceeded
from semantics.events import Interval

S = Standing

checks = Checks()


# ---------------------------------------------------------------------------------------------------------- judge


def case_of(pattern: str, trace: str) -> Case:
    """A case; the trace as `a@0 b@2`."""
    occurrences = (each.split("@") for each in trace.split())
    return Case(0, 0, "", parse(pattern), tuple(Occurrence(name, int(time)) for name, time in occurrences))


_CASE = case_of("a ; b", "a@0 a@1 b@3 b@4")

_Change = Callable[[Time, Instance | None, list[Instance]], Any]


@dataclass(frozen=True)
class _Changed:
    """Figure 2, of whose reports something else is made."""

    change: _Change
    stored: int = 0

    def __call__(self, expression: Expression) -> _Detector:
        return _Detector(expression, self)


class _Detector:
    def __init__(self, expression: Expression, changed: _Changed) -> None:
        self._right, self._changed = Figure2(expression), changed
        self._seen: list[Instance] = []

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any:
        report = self._right.step(time, occurrences)
        if report is not None:
            self._seen.append(report)
        if self._changed.stored < 0:
            occurrences.clear()  # type: ignore[attr-defined]
        return self._changed.change(time, report, self._seen)

    def state(self) -> tuple[NodeState, ...]:
        """What Figure 2 remembers, for the last operator perhaps more than it says."""
        found = self._right.state()
        if self._changed.stored <= 0:
            return found
        return (*found[:-1], *(node._replace(bound=node.stored - 1) for node in found[-1:]))


def _raised(
    error: type[Exception], reports: int, _: Time, report: Instance | None, seen: list[Instance]
) -> Instance | None:
    if len(seen) == reports:
        raise error("wrong")
    return report


def _blocked(*_: object) -> None:
    until = monotonic() + 30
    while monotonic() < until:
        pass


def _only(instance: Instance, *events: str) -> Instance:
    return Instance(o for o in instance.occurrences if o.event in events)


def _odd_time(report: Instance, event: str) -> Instance:
    """The times of an event type as other numbers that equal them."""
    return Instance(
        o._replace(time=float(o.time)) if o.event == event else o  # type: ignore[arg-type]
        for o in report.occurrences
    )


def _renamed(report: Instance | None) -> Instance | None:
    return report and Instance(Occurrence("a", o.time) for o in report.occurrences)


WRONG: Mapping[Kind, Sequence[_Changed]] = {
    Kind.MISSING: (
        _Changed(lambda time, report, seen: None),
        _Changed(lambda time, report, seen: report if len(seen) == 1 else None),
        _Changed(lambda time, report, seen: report if len(seen) > 1 else None),
    ),
    Kind.SPURIOUS: (_Changed(lambda time, report, seen: report or Instance.primitive("a", time, None)),),
    Kind.WRONG_START: (_Changed(lambda time, report, seen: report and _only(report, "b")),),
    Kind.WRONG_END: (_Changed(lambda time, report, seen: report and (seen[0] if len(seen) > 1 else report)),),
    Kind.NOT_AN_INSTANCE: (
        _Changed(lambda time, report, seen: _renamed(report)),
        _Changed(lambda time, report, seen: report and 7),
    ),
    Kind.STORAGE: (_Changed(lambda time, report, seen: report, stored=1),),
    Kind.PROTOCOL: (_Changed(lambda time, report, seen: report, stored=-1),),
    Kind.CRASH: (_Changed(partial(_raised, ValueError, 1)), _Changed(partial(_raised, LimitExceeded, 2))),
    Kind.TIMEOUT: (_Changed(_blocked),),
}
"""Wrong detectors by how they are wrong; each is right in all that its kind is not about."""


@dataclass
class _OfTraces:
    """A right detector of whole traces, which may say each report several times."""

    times: int
    expression: Expression

    def detect_trace(self, trace: Sequence[Instant]) -> list[Interval]:
        return [
            Interval(*one.interval) for one in run(Figure2(self.expression), trace) for _ in range(self.times)
        ]


@checks.known("judge", "every way in which a detector can be wrong is seen by the judge")
def _judge() -> Iterator[Row]:
    yield "a right detector", judge(_CASE, Figure2).kind, None
    for failed in Kind:
        yield f"a verdict of {failed}", Verdict(failed, "", ()).ok, False
    for kind, several in WRONG.items():
        for factory in several:
            found = judge(_CASE, factory, seconds=0.2)
            yield f"a detector that is wrong: {kind}", found.kind, kind
            apart = judge_case(_CASE, {"x": factory}, seconds=0.2)
            yield f"the fault of it: {kind}", [fault.kind for fault in apart.faults], [kind]
    for times in (1, 2):
        said = judge(_CASE, partial(_OfTraces, times)).kind
        due = Kind.SPURIOUS if times > 1 else None
        yield f"a detector of whole traces that says all {times} times", said, due
    inner = _Changed(lambda time, report, seen: report and _odd_time(report, "b"))
    for wrong, kind in ((WRONG[Kind.STORAGE][0], Kind.STORAGE), (inner, Kind.NOT_AN_INSTANCE)):
        yield (
            f"a detector that is wrong in one of several places: {kind}",
            judge(_RELATED[2], wrong).kind,
            kind,
        )
    refusing = judge_case(_CASE, {"x": Figure2}, relation="", seconds=1.0)
    yield "judgements of a right detector", (refusing.judgements, refusing.faults), (1, ())


class _Leaking(Figure2):
    """Figure 2 that keeps what it was given besides what it says."""

    def __init__(self, expression: Expression) -> None:
        super().__init__(expression)
        self._kept: list[object] = []

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        self._kept.append([time] * 20)
        return super().step(time, occurrences)


def _squares(ending: Sequence[int], numbers: Sequence[int], apart: bool) -> Iterator[int]:
    """Squares; a number may end the process, where nothing runs apart."""
    for number in numbers:
        if number in ending and not apart:
            os._exit(0)
        yield number**2


@checks.known("late faults", "a detector that is wrong late, ends its process or grows is seen")
def _late() -> Iterator[Row]:
    often = case_of("a", " ".join(f"a@{time}" for time in range(120)))
    yield "a right detector on many reports", judge(often, Figure2).kind, None
    for last in (1, 50, 100, 118):
        wrong = _Changed(lambda time, report, seen, last=last: report if len(seen) <= last else None)  # type: ignore[misc]
        yield f"a detector that stops after {last} reports", judge(often, wrong).kind, Kind.MISSING
    ends = _Changed(lambda time, report, seen: os._exit(0))
    apart = judge_case(_CASE, {"x": ends}, seconds=5.0, apart=True)
    yield "a detector that ends its process", [fault.kind for fault in apart.faults], [Kind.WORKER_LOST]
    begin = monotonic()
    with suppress(TimeUp), time_limit(0.02):
        while monotonic() < begin + 2:
            pass
    yield "what takes too long is ended", monotonic() < begin + 1, True
    for title, ending in (("all end", ()), ("one ends its process", (3,))):
        done = [
            each
            for part in rounds(partial(_squares, ending), range(6), until=begin + 60, seconds=5.0)
            for each in part
        ]
        yield f"work of which {title}", done, [number**2 for number in range(6)]
    yield "what is done up to a gap", list(_prefix([1, 2, 3], {1: 1, 3: 3})), [1]
    for title, factory, grows in (("right", Figure2, False), ("wrong", _Leaking, True)):
        look = growth._look(factory, growth.EXPRESSIONS[1], 4, 60.0)
        yield f"whether a {title} detector grows", look is not None, grows
        with patch.object(
            growth, "_growth", lambda _, text, __, look=look: look if text != growth.EXPRESSIONS[0] else None
        ):
            found = [one.verdict.kind for one in growing({"x": factory})]
        yield f"what is said of a {title} detector", found, [Kind.STORAGE] if grows else []


_RELATED = (
    case_of("a + (b | c)", "a@0 b@1 a@2 c@5 b@9"),
    case_of("(a ; b)[3] | (c ; a)", "a@0 b@1 c@1 a@2 b@5 c@6 a@9"),
    case_of("(a ; (b ; c))[9]", "a@0 b@1 c@2 a@2 b@5 c@9"),
)
"""Cases to one of which each relation applies, with some instances in each."""


class _Later:
    """Figure 2 as it is the first time that it is made, and wrong every other time."""

    def __init__(self, change: _Change) -> None:
        self._made, self._wrong = 0, _Changed(change)

    def __call__(self, expression: Expression) -> Any:
        self._made += 1
        return Figure2(expression) if self._made == 1 else self._wrong(expression)


class _Forgetting(Figure2):
    """Figure 2 that takes up no state."""

    def restore(self, snapshot: Any) -> None:
        """Nothing."""


class _Emptied(Figure2):
    """Figure 2 that forgets everything when it is stored."""

    def snapshot(self) -> Any:
        """The state, which it has no longer."""
        found = super().snapshot()
        self.restore(Figure2(self.expression).snapshot())
        return found


class _Sharing(Figure2):
    """Figure 2 that says nothing where another one was fed before it."""

    _fed: ClassVar[object] = None

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        disturbed, _Sharing._fed = _Sharing._fed not in (None, self), self
        found = super().step(time, occurrences)
        return None if disturbed and time else found


FORGETTING = _Forgetting
"""A detector that is right until it is restored from a snapshot."""


@checks.known("relations", "a detector that is wrong in the related case alone is seen by each relation")
def _relations() -> Iterator[Row]:
    for name, relation in RELATIONS.items():
        applies = [case for case in _RELATED if relation.relate(case, choices(case)) is not None]
        yield f"whether {name} applies to a case", bool(applies), True
        for case in applies[:1]:
            right = judge_relation(relation, case, Figure2, choices(case))
            yield f"a right detector by {name}", (right.kind, right.refusal), (None, "")
            silent = _Later(lambda time, report, seen: None)
            wrong: Any = FORGETTING if name in ("past", "snapshot") else silent
            found = judge_relation(relation, case, wrong, choices(case))
            if wrong is silent:
                inventing = _Later(WRONG[Kind.SPURIOUS][0].change)
                invented = judge_relation(relation, case, inventing, choices(case)).kind
                yield f"a detector that reports too much by {name}", invented, Kind.RELATION
            if name == "twin":
                shared = judge_relation(relation, case, _Sharing, choices(case)).kind
                yield "detectors that disturb each other", shared, Kind.RELATION
            if name == "snapshot":
                for made in ("generated", "figure3"):
                    factory = cases_of("carlson_lisper").factory(made, ())
                    kept = judge_relation(relation, case, factory, choices(case)).kind
                    yield f"{made} when it has been stored", kept, None
                emptied = judge_relation(relation, case, _Emptied, choices(case)).kind
                yield "a detector that is wrong when it has been stored", emptied, Kind.RELATION
            kind = Kind.PROTOCOL if name == "past" else Kind.RELATION
            yield f"a detector that is wrong by {name}", found.kind, kind
    case, (begin, *_, end) = _RELATED[2], _RELATED[2].occurrences
    changes: Mapping[str, _Change] = {
        "gap": lambda now, report, _: (
            report or (now > end.time and Instance([begin, Occurrence("c", now)])) or None
        ),
        "shifted": lambda now, report, _: report and Instance(report.sorted_occurrences()[::2]),
    }
    for name, change in changes.items():
        found = judge_relation(RELATIONS[name], case, _Later(change), choices(case))
        yield f"a detector of other occurrences by {name}", found.kind, Kind.RELATION


_EXPECTED: Sequence[tuple[str, str, list[tuple[int, int]]]] = (
    ("a ; b", "a@0 a@1 b@3 b@4", [(1, 3), (1, 4)]),
    ("a + b", "a@0 b@1 a@2", [(0, 1), (1, 2)]),
    ("a - b", "a@0 b@0 a@1", [(1, 1)]),
    ("(a ; b)[2]", "a@0 b@2 b@3", [(0, 2)]),
    ("(a ; b)[2]", "a@5 b@7 b@8", [(5, 7)]),
    ("(a ; b) - c", "a@0 c@1 b@2 a@3 b@4", [(3, 4)]),
    ("a | (a ; a)", "a@0 a@1", [(0, 0), (1, 1)]),
)

_EXCLUDED: Mapping[str, Sequence[str]] = {
    "a ; b": ("a@0", "a@3 b@3", "a@0 a@1 b@3"),
    "a - b": ("a@0", "b@0"),
    "(a ; b) - c": ("a@0 b@2",),
    "(a ; b)[2]": ("a@0 b@3",),
}
"""What is no instance on the trace of the pattern."""


@checks.known("meaning", "what has to be detected in a case is what the definitions say")
def _meaning() -> Iterator[Row]:
    both = case_of("a", "a@0 a@1").occurrences
    early, late = Instance(both), Instance(both[1:])
    for given, right in ((late, True), (early, False), (None, False)):
        yield f"whether {given} is valid", valid(given, frozenset((early, late)), 1), right
    yield "whether nothing is valid where nothing ends", valid(None, frozenset((early, late)), 0), True
    for pattern, trace, spans in _EXPECTED:
        meaning = Meaning(case_of(pattern, trace))
        yield f"{pattern} on {trace}", [tuple(each) for each in meaning.expected], spans
        yield f"{pattern} on {trace}, instances listed", meaning.literal, True
        yield f"{pattern} on {trace}, both levels", meaning.contradiction, ""
        first = next(iter(sorted(meaning.instances or (), key=str)))
        yield f"{first} is one", first in meaning.members, True
        for excluded in _EXCLUDED.get(pattern, ()):
            outside = Instance(case_of(pattern, excluded).occurrences)
            yield f"whether {outside} is an instance of {pattern}", outside in meaning.members, False
        strange = Instance([Occurrence("z", 0)])
        yield f"{strange} is none", strange in meaning.members, False


# ----------------------------------------------------------------------------------------------------------- gate

_ENDS = {
    None: None,
    S.TESTED: ExitStatus.AS_CLAIMED,
    S.PROVED: ExitStatus.AS_CLAIMED,
    S.UNKNOWN: ExitStatus.INCONCLUSIVE,
    S.REFUTED: ExitStatus.REFUTED,
    S.ERROR: ExitStatus.INFRASTRUCTURE,
    S.DISAGREEMENT: ExitStatus.DISAGREEMENT,
}
_SEVERITY = list(_ENDS)
"""None, which is what was not looked at, and standings; the best first."""


@checks.known("gate", "a gate is green when everything passed, and something did")
def _gate() -> Iterator[Row]:
    request = Request(("x",), Path())
    yield "a gate without checks", GateResult(request).status, ExitStatus.INCONCLUSIVE
    for one, other in product(_ENDS, repeat=2):
        checks = [Check("laws", "law:1", "x", one, 1), Check("laws", "law:2", "x", other, 1)]
        worst = max(one, other, key=_SEVERITY.index)  # None is what was not looked at, the best
        right = ExitStatus.INCONCLUSIVE if worst is None else _ENDS[worst]
        result = GateResult(request, checks)
        yield f"a gate of {one} and {other}", result.status, right
        yield "who is wrong", result.wrong(), ["x"] if {one, other} & {S.REFUTED, S.DISAGREEMENT} else []
        yield "what is open", len(result.open()), sum(each in (S.UNKNOWN, S.ERROR) for each in (one, other))
        green = result.summary().startswith("May go in")
        yield "in words", green, right is ExitStatus.AS_CLAIMED
    yield "no failure", standing_of(()), S.TESTED
    for kind in Kind:
        stands = S.DISAGREEMENT if kind is Kind.DISAGREEMENT else S.REFUTED
        yield f"a failure by {kind}", standing_of([kind]), stands
        yield f"a failure by {kind} and a crash", standing_of([Kind.CRASH, kind]), stands


@checks.known("tallies", "failures and refusals of cases are counted as such")
def _tallies() -> Iterator[Row]:
    passed = Outcome(RANDOM, 0, "x", "", None, "")
    failed = passed._replace(kind=Kind.MISSING, detail="wrong")
    refused = passed._replace(refused=True, detail="too large")
    blocked = passed._replace(kind=Kind.TIMEOUT, detail="too slow")
    for name, rows, right in (
        ("passed", [passed], (S.TESTED, 1, 0, 0)),
        ("failed", [failed], (S.REFUTED, 1, 0, 1)),
        ("passed and failed", [passed, failed], (S.REFUTED, 2, 0, 1)),
        ("failed and passed", [failed, passed, passed], (S.REFUTED, 3, 0, 1)),
        ("refused", [refused], (S.UNKNOWN, 0, 1, 0)),
        ("refused and passed", [refused, passed], (S.TESTED, 1, 1, 0)),
        ("blocked", [blocked], (S.REFUTED, 1, 0, 1)),
        ("nothing", [], (S.UNKNOWN, 0, 0, 0)),
    ):
        tally = Tally("campaign", every=True)
        looked_at = list(tally.add([rows]))
        check = tally.check(RANDOM, "x")
        yield name, (check.standing, check.tried, check.refused, check.failed), right
        yield f"{name}: looked at", len(looked_at), right[3]
        yield f"{name}: blocked", tally.blocked, name == "blocked"
        yield f"{name}: failures", tally.failures, right[3]
    tally = Tally("campaign")
    list(tally.add([[failed]]))
    yield "another name", tally.check(RELATION + "x", "x").standing, None


def summary(**changed: Any) -> CampaignSummary:
    """That of a campaign in which all is well, but for what is changed."""
    share = Share(3, 0, 0)
    known: dict[str, Any] = {
        "directory": Path(),
        "campaign": "known",
        "settings": Settings(seed=0, cases=3, detectors=("figure2",)),
        "total": share,
        "judgements": 3,
        "literal": 3,
        "detectors": {"figure2": share},
        "relations": {},
        "operators": {},
        "profiles": {},
        "coverage": cases_of("carlson_lisper").coverage({}, 0),
        "causes": (),
        "failures": (),
        "regressions": RegressionOutcome(),
        "judged_now": 3,
        "seconds": 1.0,
    }
    return CampaignSummary(**{**known, **changed})


def cause(kind: Kind, relation: str = MEANING) -> CauseCount:
    """One failure of a kind."""
    return CauseCount(Cause("figure2", relation, "", kind), 1, 0, "wrong")


@checks.known("campaigns", "a campaign with a failure, or without a judgement, is not green")
def _campaigns() -> Iterator[Row]:
    yield "no failure", campaign_standing(summary()), S.TESTED
    yield "a failure", campaign_standing(summary(causes=(cause(Kind.MISSING),))), S.REFUTED
    yield "a worker lost", campaign_standing(summary(causes=(cause(Kind.WORKER_LOST),))), S.REFUTED
    both = (cause(Kind.MISSING), cause(Kind.DISAGREEMENT))
    yield "judges that disagree", campaign_standing(summary(causes=both)), S.DISAGREEMENT
    refused = {"figure2": Share(3, 0, 0, 3), "figure4": Share(3, 0, 0)}
    yield "a detector that takes nothing", campaign_standing(summary(detectors=refused)), S.UNKNOWN
    for total in (Share(3, 0, 0, 3), Share(3, 0, 3, 0)):
        counted: Any = Mock(settings=summary().settings, _by_detector=lambda *_: {"figure2": 3})
        yield f"what is counted of {total}", Execution.detectors(counted, Mock(), total), {"figure2": total}
    failed = replayed([REGRESSION], {"x": WRONG[Kind.MISSING][0]}, seconds=5.0)
    yield "a stored regression", campaign_standing(summary(regressions=failed)), S.REFUTED
    yield "its word", summary(regressions=failed).ok, False


@checks.known("what a campaign tries first", "stored cases that fail, and memory that grows, fail a campaign")
def _first() -> Iterator[Row]:
    settings = Settings(seed=0, cases=1, detectors=("figure2",))
    failed = replayed([REGRESSION], {"x": WRONG[Kind.MISSING][0]}, seconds=5.0)
    (failure,) = failed.failures
    own = [one for one in own_regressions() if one.case.system == settings.system]
    for regressions, grown in product((RegressionOutcome(), failed), ((), (failure,))):
        given = {"replayed": Mock(return_value=regressions), "growing": Mock(return_value=grown)}
        with patch.multiple("campaigns.engine.campaign", **given), TemporaryDirectory() as folder:
            store(Path(folder), [REGRESSION])
            found = _replayed(settings, Path(folder), ()).failures
        title = f"{len(regressions.failures)} that fail, {len(grown)} that grow"
        yield title, found, (*regressions.failures, *grown)
        tried, *_ = given["replayed"].call_args.args
        yield f"{title}: what is tried", {str(one) for one in tried}, {str(one) for one in (*own, REGRESSION)}


REGRESSION = Regression(_CASE, "meaning", "x", Kind.MISSING.value, "")


@checks.known("regressions", "a stored case that a detector fails is a failure")
def _regressions() -> Iterator[Row]:
    right = replayed([REGRESSION], {"figure2": Figure2}, seconds=5.0)
    yield "a right detector", (right.tried, right.failures, right.refusals), (1, (), ())
    for kind in (Kind.MISSING, Kind.SPURIOUS, Kind.WRONG_START, Kind.CRASH):
        found = replayed([REGRESSION], {"x": WRONG[kind][0], "y": Figure2}, seconds=5.0)
        said = [(failure.detector, failure.verdict.kind) for failure in found.failures]
        yield f"a detector that is wrong: {kind}", said, [("x", kind)]
