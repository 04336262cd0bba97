"""Lemmas 5.2-5.7 on concrete histories: what a step does where its lemma is not proved.

A history says what the operands output, time by time. The step is run on it and compared with Def. 5.2 and with the
very state predicates that the proof uses (`laws.carlson_lisper.invariants`), evaluated on finite streams. All
histories over up to
three instants are tried, then a fixed number of longer ones that are drawn from a fixed seed. That no counterexample is
found among these proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
)
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
class StepCounterexample:
    """A history after which a step is wrong.

    Attributes:
        claim: the id of the lemma.
        operator: the operator's name.
        ticks: the bound or the label τ that the step was made with, None if it takes none.
        history: what the operands output; the step is right until the last instant.
        kind: what is wrong there: the output, an exception, or an auxiliary variable.
        output: what the step output, None for ⟨⟩; after an exception or another non-instance, None as well.
        expected: the valid outputs; none means ⟨⟩.
        detail: the variable and what it holds, or what was raised or returned instead of an instance.
    """

    claim: str
    operator: str
    ticks: int | None
    history: History
    kind: Kind
    output: Instance | None
    expected: tuple[Instance, ...]
    detail: str = ""

    def summary(self) -> str:
        """The counterexample in one paragraph of text."""
        made = "" if self.ticks is None else f"with τ = {self.ticks}, "
        unary = OPERATORS[self.operator].arity == 1
        shown = shown_history(self.history, unary)
        match self.kind:
            case "output" if self.detail:
                wrong = f"the step outputs {self.detail}"
            case "output":
                right = " or ".join(map(repr, self.expected)) or ("nothing" if self.output is None else "⟨⟩")
                wrong = f"the step outputs {_text(self.output)}; valid is {right}"
            case "exception":
                wrong = f"the step raises {self.detail}"
            case "state":
                wrong = f"the step leaves {self.detail}"
        return f"{made}when the operands output {shown}: {wrong}"

    def data(self) -> dict[str, Any]:
        """Plain data for a report: instances as lists of occurrences, ⟨⟩ as None."""
        return {
            "claim": self.claim,
            "operator": self.operator,
            "ticks": self.ticks,
            "history": [
                {"time": at.time, "left": _plain(at.left), "right": _plain(at.right)} for at in self.history
            ],
            "kind": self.kind,
            "output": _plain(self.output),
            "expected": [_plain(instance) for instance in self.expected],
            "detail": self.detail,
        }


def shown_history(history: History, unary: bool) -> str:
    """What operands output, in words; of a unary operator the only one."""
    return "; ".join(f"at {at.time} {_shown(at, unary)}" for at in history)


def _text(instance: Instance | None) -> str:
    return "⟨⟩" if instance is None else repr(instance)


def _shown(at: Instant, unary: bool) -> str:
    return _text(at.left) if unary else f"{_text(at.left)} and {_text(at.right)}"


def _plain(instance: Instance | None) -> list[dict[str, object]] | None:
    if instance is None:
        return None
    return [occurrence._asdict() for occurrence in instance.sorted_occurrences()]


# ----------------------------------------------------------------------------------------------------------- runs


@dataclass(frozen=True)
class _Wrong:
    """What is wrong after a step."""

    kind: Kind
    output: Instance | None = None
    expected: tuple[Instance, ...] = ()
    detail: str = ""


class Run:
    """A step that is run on a history, with what the operands have output so far."""

    def __init__(
        self,
        lemma: StepLemma,
        factory: StepFactory,
        ticks: int | None,
        operators: Mapping[str, Operator] = OPERATORS,
        valid: Validity = valid,
    ) -> None:
        """Make the step.

        Args:
            lemma: the lemma about it.
            factory: what makes it.
            ticks: the bound or the label, None if it takes none.
            operators: the definitions of the operators.
            valid: the definition of a valid output.
        """
        self.lemma = lemma
        self.valid = valid
        self.ticks = ticks
        self.operator = operators[lemma.operator]
        names = [Identifier(name) for name in ("A", "B")[: self.operator.arity]]
        bound = ticks if self.operator.bounded else None
        label = ticks if lemma.figure == 4 else None
        self.made: Step = factory(Operation(lemma.operator, tuple(names), bound, label))
        self.past: list[Instant] = []
        self.horizon = -(ticks or 0)

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

    def operands_are_valid(self) -> bool:
        """Whether the lemma's assumption about the operands holds at the time of the last step, as it does by Def. 5.2.

        Under another definition of a valid output it may not, and then the lemma says nothing.
        """
        at, streams = self.past[-1], self.streams()
        current = (at.left, at.right)[: len(streams)]
        return all(self.valid(each, stream, at.time) for each, stream in zip(current, streams, strict=True))

    def wrong_in_hindsight(self, outputs: Mapping[Time, Instance | None]) -> _Wrong | None:
        """The first output that later instances make invalid.

        By Def. 5.2 only what ends at a time matters for what is valid then. Under another definition later instances
        may matter, for the operands' outputs as well, and where these become invalid the lemma says nothing.

        Args:
            outputs: what the step returned at the times at which it was run.
        """
        streams, meaning = self.streams(), self.meaning()
        past = {at.time: (at.left, at.right) for at in self.past}
        for time in range(self.past[-1].time):
            current = past.get(time, (None, None))[: len(streams)]
            if not all(self.valid(each, stream, time) for each, stream in zip(current, streams, strict=True)):
                return None
        for time, output in outputs.items():
            if not self.valid(output, meaning, time):
                return _Wrong("output", detail=f"{_text(output)} at {time}, which is not valid in the end")
        return None

    def meaning(self) -> Stream:
        """The operator's value on what the operands have output so far."""
        return apply_operator(self.operator, self.streams(), self.ticks if self.operator.bounded else None)

    def wrong_output(self, output: object) -> _Wrong | None:
        """Whether what the step returned is not valid at the time of the last step (Def. 5.2)."""
        if not isinstance(output, Instance):
            return _Wrong("output", detail=f"a {type(output).__name__}")
        instance = None if output is NON_OCCURRENCE else output
        time = self.past[-1].time
        meaning = self.meaning()
        if self.valid(instance, meaning, time):
            return None
        expected = tuple(x for x in by_end_time(meaning) if self.valid(x, meaning, time))
        return _Wrong("output", instance, expected)

    def wrong_state(self) -> _Wrong | None:
        """The first auxiliary variable that does not hold what Def. 5.3-5.6 say at the start of the next time."""
        until = self.past[-1].time + 1 if self.past else 0
        for variable in self.lemma.variables:
            try:
                value = self.made.variables()[variable.name]
                holds = self.holds(variable, value, until)
            except Exception as error:  # a variable that is not there, or not of its kind
                return _Wrong("state", detail=f"{variable.name} unusable ({type(error).__name__}: {error})")
            if not holds:
                return _Wrong("state", detail=f"{variable.name} = {value!r}")
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
class _Subject:
    """A step under one bound or label."""

    lemma: StepLemma
    factory: StepFactory
    ticks: int | None
    operators: Mapping[str, Operator]
    valid: Validity = valid

    @property
    def longest_right(self) -> int | None:
        """The greatest length of an instance of the right operand that the lemma allows."""
        return self.ticks if self.lemma.figure == 4 else None

    def run(self) -> Run:
        return Run(self.lemma, self.factory, self.ticks, self.operators, self.valid)

    def failure(self, history: History, *, everywhere: bool, inside: bool) -> StepCounterexample | None:
        """The first thing that is wrong: at the end of a history or everywhere, with or without the state."""
        number, wrong = 0, None
        outputs: dict[Time, Instance | None] = {}
        try:
            run = self.run()
            for number, at in enumerate(history, start=1):
                output = run.step(at)
                if not run.operands_are_valid():
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
            wrong = _Wrong("exception", detail=f"{type(error).__name__}: {error}")
        if wrong is None:
            return None
        return StepCounterexample(
            self.lemma.claim,
            self.lemma.operator,
            self.ticks,
            history[:number],
            wrong.kind,
            wrong.output,
            wrong.expected,
            wrong.detail,
        )

    def search(self, longer: int) -> StepCounterexample | None:
        """What is wrong on the first history that shows it from outside, else on the first that shows it inside."""
        arity = self.operators[self.lemma.operator].arity
        within = None
        small = ((history, False) for history in histories(arity, self.longest_right))
        drawn = ((history, True) for history in drawn_histories(arity, self.longest_right, longer))
        for history, everywhere in chain(small, drawn):
            found = self.failure(history, everywhere=everywhere, inside=within is None)
            if found is not None and found.kind == "state":
                within = found
                found = self.failure(history, everywhere=everywhere, inside=False)
            if found is not None:
                return self.shrunk(found)
        return None if within is None else self.shrunk(within)

    def shrunk(self, found: StepCounterexample) -> StepCounterexample:
        """Fewer instants, fewer and shorter instances, smaller gaps while it stays wrong; ends at a local minimum."""
        inside = found.kind == "state"
        while True:
            for history in smaller_histories(found.history):
                less = self.failure(history, everywhere=True, inside=inside)
                if less is not None:
                    found = less
                    break
            else:
                return found


def find_step_counterexample(
    lemma: StepLemma,
    steps: Mapping[str, StepFactory] | None = None,
    operators: Mapping[str, Operator] = OPERATORS,
    *,
    valid: Validity = valid,
    longer: int = LONGER,
) -> StepCounterexample | None:
    """A history after which a step is wrong; None if there is none among those that are tried.

    A wrong output or an exception is preferred to a wrong auxiliary variable, and a shorter history to a longer one.
    A variable may be wrong in a program whose outputs are all valid.

    Args:
        lemma: the lemma, a value of `laws.carlson_lisper.invariants.STEP_LEMMAS`.
        steps: the steps of a detector; by default those that run.
        operators: the definitions of the operators.
        valid: the definition of a valid output (Def. 5.2).
        longer: how many histories longer than `INSTANTS` instants are tried.
    """
    factory = (steps or RUNNING[lemma.figure])[lemma.operator]
    takes_ticks = operators[lemma.operator].bounded or lemma.figure == 4
    found = [
        counterexample
        for ticks in (TICKS if takes_ticks else (None,))
        if (counterexample := _Subject(lemma, factory, ticks, operators, valid).search(longer)) is not None
    ]
    return min(found, key=_rank, default=None)


def _rank(found: StepCounterexample) -> tuple[bool, int, int]:
    return found.kind == "state", len(found.history), sum(at.weight for at in found.history)


# ------------------------------------------------------------------------------------------------------ hypotheses


@dataclass(frozen=True)
class Witness:
    """A run of a step in which everything that its lemma assumes is true, and something is output.

    Attributes:
        claim: the id of the lemma.
        ticks: the bound or the label, None if the step takes none.
        history: what the operands output.
        outputs: what the step output at each instant.
    """

    claim: str
    ticks: int | None
    history: History
    outputs: tuple[Instance | None, ...]


def hypotheses_hold(
    lemma: StepLemma,
    steps: Mapping[str, StepFactory] | None = None,
    operators: Mapping[str, Operator] = OPERATORS,
) -> Witness | None:
    """A run in which all hypotheses of a lemma hold at every instant and an instance is output; None if none is found.

    The hypotheses of a step at a time are that the operands' current instances are valid for what they output, that
    no two of those end together, for Figure 4 that none of the right operand is longer than the label, and that the
    auxiliary variables hold what Def. 5.3-5.6 say. With such a run the lemma is not vacuously true.

    Args:
        lemma: the lemma.
        steps: the steps of a detector; by default those that run.
        operators: the definitions of the operators.
    """
    factory = (steps or RUNNING[lemma.figure])[lemma.operator]
    definition = operators[lemma.operator]
    ticks = 2 if definition.bounded or lemma.figure == 4 else None
    subject = _Subject(lemma, factory, ticks, operators)
    for history in drawn_histories(definition.arity, subject.longest_right):
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
            return Witness(lemma.claim, ticks, history, tuple(outputs))
    return None


def _assumed(run: Run, longest_right: int | None) -> bool:
    """What the lemma assumes of the operands, so far."""
    at, streams = run.past[-1], run.streams()
    current = (at.left, at.right)[: len(streams)]
    unique = rename_streams(UNIQUE_ENDS, {"S'": "S"})
    right = streams[-1]
    return (
        all(valid(instance, stream, at.time) for instance, stream in zip(current, streams, strict=True))
        and all(
            interpret(unique, FINITE_LOGIC, Scope({}, {"S": FiniteStream(stream)}, {})) for stream in streams
        )
        and (longest_right is None or apply_operator(OPERATORS["tim"], [right], longest_right) == right)
    )
