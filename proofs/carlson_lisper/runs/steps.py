"""Lemmas 5.2-5.7 on concrete histories: what a step does where its lemma is not proved.

A history says what the operands output, time by time. The step is run on it and compared with Def. 5.2 and with the
very state predicates that the proof uses (`laws.carlson_lisper.invariants`), evaluated on finite streams. All
histories over up to three instants are tried, then a fixed number of longer ones that are drawn from a fixed seed. That
no counterexample is found among these proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, TypeAlias

from detectors.carlson_lisper.source.figure2 import StepFactory
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, Step
from laws.carlson_lisper.invariants import (
    CANDIDATES,
    GREATEST_START,
    LATEST_STARTED,
    NEVER,
    NOTHING_YET,
    VALUE,
    StepLemma,
    Variable,
)
from proofs.carlson_lisper.lemmas.steps import RUNNING, UNIQUE_ENDS
from proofs.carlson_lisper.runs.histories import (
    LONGER,
    History,
    Instant,
    drawn_histories,
    histories,
    smaller_histories,
    text,
    told,
)
from proofs.carlson_lisper.runs.wrong_runs import WrongRun, search
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import Identifier, Operation
from semantics.carlson_lisper.finite import FINITE_LOGIC, FiniteStream, apply_operator
from semantics.carlson_lisper.occurrences import Instance, Stream, Time, by_end_time
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.restriction import valid
from semantics.carlson_lisper.staged import staged
from semantics.formulas import Scope, interpret, rename_streams

TICKS = (0, 1, 2)
"""The bounds and labels with which all of them are tried."""

HINDSIGHT = 2
"""Histories of up to so many instants are looked at in hindsight too: by Def. 5.2 later instances do not matter."""

Kind: TypeAlias = Literal["output", "exception", "state"]

Validity: TypeAlias = Callable[[Instance | None, Stream, Time], bool]
"""Whether an instance, or None for ⟨⟩, is a valid output for a stream at a time (Def. 5.2)."""


@dataclass(frozen=True)
class Wrong:
    """What is wrong after a step.

    Attributes:
        kind: the output, an exception, or an auxiliary variable.
        output: what the step output, None for ⟨⟩; after an exception or another non-instance, None as well.
        expected: the valid outputs; none means ⟨⟩.
        detail: the variable and what it holds, or what was raised or returned instead of an instance.
    """

    kind: Kind
    output: Instance | None = None
    expected: tuple[Instance, ...] = ()
    detail: str = ""

    @property
    def words(self) -> str:
        """What is wrong, as the end of a sentence."""
        if self.kind == "exception":
            return f"the step raises {self.detail}"
        if self.kind == "state":
            return f"the step leaves {self.detail}"
        if self.detail:
            return f"the step outputs {self.detail}"
        right = " or ".join(map(repr, self.expected)) or ("nothing" if self.output is None else "⟨⟩")
        return f"the step outputs {text(self.output)}; valid is {right}"

    def after(self, claim: str, operator: str, ticks: int | None, history: History) -> WrongRun[History]:
        """The run of a step that is right until the last instant of a history, with the lemma that it contradicts."""
        plain = {
            "claim": claim,
            "operator": operator,
            "ticks": ticks,
            "history": [
                {"time": at.time, "left": _plain(at.left), "right": _plain(at.right)} for at in history
            ],
            "kind": self.kind,
            "output": _plain(self.output),
            "expected": [_plain(instance) for instance in self.expected],
            "detail": self.detail,
        }
        said = f"{told(operator, ticks, history)}: {self.words}"
        return WrongRun(history, self.kind, said, plain, inside=self.kind == "state")


def _plain(instance: Instance | None) -> list[dict[str, object]] | None:
    if instance is None:
        return None
    return [occurrence._asdict() for occurrence in instance.sorted_occurrences()]


# ----------------------------------------------------------------------------------------------------------- runs


class StepRun:
    """A step that is run on a history, with what the operands have output so far."""

    def __init__(self, subject: TriedStep) -> None:
        self.lemma, self.ticks, self.valid = subject.lemma, subject.ticks, subject.valid
        self.operator = subject.operators[self.lemma.operator]
        names = [Identifier(name) for name in ("A", "B")[: self.operator.arity]]
        bound = self.ticks if self.operator.bounded else None
        label = self.ticks if self.lemma.figure == 4 else None
        self.made: Step = subject.factory(Operation(self.lemma.operator, tuple(names), bound, label))
        self.past: list[Instant] = []
        self.horizon = -(self.ticks or 0)

    def step(self, at: Instant) -> object:
        """Run the step once; what it returns."""
        self.past.append(at)
        if at.occurs:
            self.horizon = at.time - (self.ticks or 0)
        left, right = (NON_OCCURRENCE if x is None else x for x in (at.left, at.right))
        return self.made.step(left, right)

    def streams(self) -> tuple[Stream, ...]:
        """A(j) and A(k) of Def. 5.1, so far."""
        left = frozenset(at.left for at in self.past if at.left is not None)
        right = frozenset(at.right for at in self.past if at.right is not None)
        return (left, right)[: self.operator.arity]

    def operands_are_valid(self, at: Instant) -> bool:
        """Whether the lemma's assumption about the operands holds at a time, as it does by Def. 5.2.

        Under another definition of a valid output it may not, and then the lemma says nothing.
        """
        both = zip((at.left, at.right), self.streams(), strict=False)
        return all(self.valid(each, stream, at.time) for each, stream in both)

    def wrong_in_hindsight(self, outputs: Mapping[Time, Instance | None]) -> Wrong | None:
        """The first output that later instances make invalid.

        By Def. 5.2 only what ends at a time matters for what is valid then. Under another definition later instances
        may matter, for the operands' outputs as well, and where these become invalid the lemma says nothing.

        Args:
            outputs: what the step returned at the times at which it was run.
        """
        past = {at.time: at for at in self.past}
        before = (past.get(time, Instant(time, None, None)) for time in range(self.past[-1].time))
        if not all(map(self.operands_are_valid, before)):
            return None
        meaning = self.meaning()
        for time, output in outputs.items():
            if not self.valid(output, meaning, time):
                return Wrong("output", detail=f"{text(output)} at {time}, which is not valid in the end")
        return None

    def meaning(self) -> Stream:
        """The operator's value on what the operands have output so far."""
        return apply_operator(self.operator, self.streams(), self.ticks if self.operator.bounded else None)

    def wrong_output(self, output: object) -> Wrong | None:
        """Whether what the step returned is not valid at the time of the last step (Def. 5.2)."""
        if not isinstance(output, Instance):
            return Wrong("output", detail=f"a {type(output).__name__}")
        instance = None if output is NON_OCCURRENCE else output
        time = self.past[-1].time
        meaning = self.meaning()
        if self.valid(instance, meaning, time):
            return None
        expected = tuple(x for x in by_end_time(meaning) if self.valid(x, meaning, time))
        return Wrong("output", instance, expected)

    def wrong_state(self) -> Wrong | None:
        """The first auxiliary variable that does not hold what Def. 5.3-5.6 say at the start of the next time."""
        until = self.past[-1].time + 1 if self.past else 0
        for variable in self.lemma.variables:
            try:
                value = self.made.variables()[variable.name]
                holds = self.holds(variable, value, until)
            except Exception as error:  # a variable that is not there, or not of its kind
                return Wrong("state", detail=f"{variable.name} unusable ({type(error).__name__}: {error})")
            if not holds:
                return Wrong("state", detail=f"{variable.name} = {value!r}")
        return None

    def holds(self, variable: Variable, value: Any, until: Time) -> bool:
        """The state predicate of a variable for a value, at the start of a time."""
        times = {"until": until, "since": 0, NEVER.name: NON_OCCURRENCE.start}
        if variable.window == "before the horizon":
            times["until"] = self.horizon
        elif variable.window == "since the horizon":
            times["since"] = self.horizon
        environment = {"A": self.streams()[variable.operand], **times}
        match variable.kind:
            case "instance" if value is NON_OCCURRENCE:
                return _NOTHING_YET(environment)
            case "instance":
                return _LATEST_STARTED({**environment, "e": value})
            case "time":
                return _GREATEST_START({**environment, VALUE.name: value})
            case "set":
                return _CANDIDATES({**environment, "Q": frozenset(value._instances)})


_TIMES = ("until", "since", NEVER.name, VALUE.name)
_NOTHING_YET = staged(NOTHING_YET, streams="A", times=_TIMES)
_LATEST_STARTED = staged(LATEST_STARTED, elements="e", streams="A", times=_TIMES)
_GREATEST_START = staged(GREATEST_START, streams="A", times=_TIMES)
_CANDIDATES = staged(CANDIDATES, streams="AQ", times=_TIMES)


@dataclass(frozen=True)
class TriedStep:
    """A step under one bound or label, None if it takes none."""

    lemma: StepLemma
    factory: StepFactory
    ticks: int | None
    operators: Mapping[str, Operator]
    valid: Validity = valid

    @property
    def arity(self) -> int:
        """The number of operands."""
        return self.operators[self.lemma.operator].arity

    @property
    def longest_right(self) -> int | None:
        """The greatest length of an instance of the right operand that the lemma allows."""
        return self.ticks if self.lemma.figure == 4 else None

    def small(self) -> Iterator[History]:
        """All small histories of its operands."""
        return histories(self.arity, self.longest_right)

    def drawn(self, longer: int = LONGER) -> Iterator[History]:
        """So many longer ones."""
        return drawn_histories(self.arity, self.longest_right, longer)

    def run(self) -> StepRun:
        """A fresh step that has not run."""
        return StepRun(self)

    def failure(self, tried: tuple[History, bool], inside: bool) -> WrongRun[History] | None:
        """The first thing that is wrong: at the end of a history or everywhere, with or without the state."""
        history, everywhere = tried
        number, wrong = 0, None
        outputs: dict[Time, Instance | None] = {}
        try:
            run = self.run()
            for number, at in enumerate(history, start=1):
                output = run.step(at)
                if not run.operands_are_valid(at):
                    return None
                if everywhere or number == len(history):
                    wrong = run.wrong_output(output) or (run.wrong_state() if inside else None)
                if wrong is not None:
                    break
                outputs[at.time] = (
                    output if isinstance(output, Instance) and output is not NON_OCCURRENCE else None
                )
            else:
                if 0 < len(history) <= HINDSIGHT:
                    wrong = run.wrong_in_hindsight(outputs)
        except Exception as error:  # whatever a wrong step may raise
            wrong = Wrong("exception", detail=f"{type(error).__name__}: {error}")
        if wrong is None:
            return None
        return wrong.after(self.lemma.claim, self.lemma.operator, self.ticks, history[:number])


def steps_of(lemma: StepLemma, about: Subject, tried: tuple[int, ...] = TICKS) -> Iterator[TriedStep]:
    """A step under each bound or label that is tried, if it takes one; for the lemma about it."""
    factory = (about.steps or RUNNING[lemma.figure])[lemma.operator]
    takes_ticks = about.operators[lemma.operator].bounded or lemma.figure == 4
    for ticks in tried if takes_ticks else (None,):
        yield TriedStep(lemma, factory, ticks, about.operators)


def find_step_counterexample(
    lemma: StepLemma, about: Subject, longer: int = LONGER
) -> WrongRun[History] | None:
    """A history after which a step is wrong; None if there is none among those that are tried.

    A wrong output or an exception is preferred to a wrong auxiliary variable, and a shorter history to a longer one.
    A variable may be wrong in a program whose outputs are all valid.

    Args:
        longer: how many histories longer than `INSTANTS` instants are tried.
    """
    found = []
    for subject in steps_of(lemma, about):
        small = ((history, False) for history in subject.small())
        drawn = ((history, True) for history in subject.drawn(longer))
        found.append(search(chain(small, drawn), subject.failure, _smaller))
    return min(filter(None, found), key=_rank, default=None)


def _smaller(found: WrongRun[History]) -> Iterator[tuple[History, bool]]:
    return ((history, True) for history in smaller_histories(found.tried))


def _rank(found: WrongRun[History]) -> tuple[bool, int, int]:
    return found.inside, len(found.tried), sum(at.weight for at in found.tried)


# ------------------------------------------------------------------------------------------------------ hypotheses


def hypotheses_hold(lemma: StepLemma, about: Subject) -> tuple[Instance | None, ...] | None:
    """The outputs of a run in which all hypotheses of a lemma hold at every instant, one at least an instance.

    None if no such run is found.

    The hypotheses of a step at a time are that the operands' current instances are valid for what they output, that
    no two of those end together, for Figure 4 that none of the right operand is longer than the label, and that the
    auxiliary variables hold what Def. 5.3-5.6 say. With such a run the lemma is not vacuously true.
    """
    (subject,) = steps_of(lemma, about, tried=(2,))
    for history in subject.drawn():
        run = subject.run()
        outputs: list[Instance | None] = []
        for at in history:
            if run.wrong_state() is not None:
                break
            output = run.step(at)
            if not isinstance(output, Instance) or not _assumed(run, subject.longest_right):
                break
            outputs.append(None if output is NON_OCCURRENCE else output)
        if len(outputs) == len(history) and any(output is not None for output in outputs):
            return tuple(outputs)
    return None


def _assumed(run: StepRun, longest_right: int | None) -> bool:
    """What the lemma assumes of the operands, so far."""
    streams = run.streams()
    unique = rename_streams(UNIQUE_ENDS, {"S'": "S"})
    right = streams[-1]
    return (
        run.operands_are_valid(run.past[-1])
        and all(
            interpret(unique, FINITE_LOGIC, Scope({}, {"S": FiniteStream(stream)}, {})) for stream in streams
        )
        and (longest_right is None or apply_operator(OPERATORS["tim"], [right], longest_right) == right)
    )
