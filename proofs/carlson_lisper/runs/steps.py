"""Lemmas 5.2-5.7 and the memory statements on concrete histories: what a step does where they are not proved.

The step is run on a history and compared with Def. 5.2, with the very state predicates that the proof uses
(`laws.carlson_lisper.invariants`), evaluated on finite streams, and with what it says of its storage. All histories
over up to three instants are tried, then a fixed number of longer ones that are drawn from a fixed seed. That no
counterexample is found among these proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from traceback import extract_tb
from typing import Any

from detectors.carlson_lisper.source.figure2 import StepFactory
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, Step
from laws.carlson_lisper.invariants import (
    CANDIDATES,
    GREATEST_START,
    LATEST_STARTED,
    NEVER,
    NOTHING_YET,
    STEP_LEMMAS,
    VALUE,
    StepLemma,
    Variable,
)
from proofs.carlson_lisper.lemmas.steps import RUNNING
from proofs.carlson_lisper.runs.histories import (
    LONGER,
    History,
    Instant,
    WrongRun,
    drawn_histories,
    first,
    histories,
    shrunk,
    smaller_histories,
    text,
    told,
)
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.denotation import apply_operator, compiled
from semantics.carlson_lisper.expressions import UNBOUNDED, Identifier, Operation
from semantics.carlson_lisper.occurrences import Instance, Stream, Time, by_end_time
from semantics.carlson_lisper.operators import Operator
from semantics.carlson_lisper.restriction import valid

TICKS = (0, 1, 2)
"""The bounds and labels with which all of them are tried."""


@dataclass(frozen=True)
class TriedStep:
    """A step under one bound or label, None if it takes none."""

    lemma: StepLemma
    factory: StepFactory
    ticks: int | None
    operator: Operator

    @property
    def longest_right(self) -> int | None:
        """The greatest length of an instance of the right operand that the lemma allows."""
        return self.ticks if self.lemma.figure == 4 else None

    def small(self) -> Iterator[History]:
        """All small histories of its operands."""
        return histories(self.operator.arity, self.longest_right)

    def drawn(self, longer: int = LONGER) -> Iterator[History]:
        """So many longer ones."""
        return drawn_histories(self.operator.arity, self.longest_right, longer)

    def wrong(
        self, kind: str, history: History, words: str, output: object = None, expected: tuple[Instance, ...] = ()
    ) -> WrongRun[History]:
        """The run of a step that is right until the last instant of a history, with the lemma that it contradicts."""
        shown = output if isinstance(output, Instance) and output is not NON_OCCURRENCE else None
        plain = {
            "claim": self.lemma.claim,
            "operator": self.lemma.operator,
            "ticks": self.ticks,
            "history": [{"time": at.time, "left": _plain(at.left), "right": _plain(at.right)} for at in history],
            "kind": kind,
            "output": _plain(shown),
            "expected": [_plain(instance) for instance in expected],
            "detail": words.removeprefix("the step raises ").removeprefix("the step leaves "),
        }
        said = f"{told(self.lemma.operator, self.ticks, history)}: {words}"
        return WrongRun(history, kind, said, plain, inside=kind in ("state", "storage"))


def _plain(instance: Instance | None) -> list[dict[str, object]] | None:
    return None if instance is None else [each._asdict() for each in instance.sorted_occurrences()]


class StepRun:
    """A step that is run on a history, with what the operands have output so far."""

    def __init__(self, tried: TriedStep) -> None:
        """A fresh step that has not run."""
        self.tried = tried
        names = tuple(Identifier(name) for name in ("A", "B")[: tried.operator.arity])
        bound = tried.ticks if tried.operator.bounded else None
        label = tried.ticks if tried.lemma.figure == 4 else None
        try:
            self.made: Step = tried.factory(Operation(tried.lemma.operator, names, bound, label))
        except Exception:  # whatever a factory raises that makes steps of labelled sequences alone
            if tried.lemma.operator != "seq" or label is not None:
                raise
            self.made = tried.factory(Operation("seq", names, bound, UNBOUNDED))
        self.past: list[Instant] = []
        self.horizon = -(tried.ticks or 0)

    def step(self, at: Instant) -> object:
        """Run the step once; what it returns."""
        self.past.append(at)
        if at.occurs:
            self.horizon = at.time - (self.tried.ticks or 0)
        left, right = (NON_OCCURRENCE if x is None else x for x in (at.left, at.right))
        return self.made.step(left, right)

    def streams(self) -> tuple[Stream, ...]:
        """A(j) and A(k) of Def. 5.1, so far."""
        left = frozenset(at.left for at in self.past if at.left is not None)
        right = frozenset(at.right for at in self.past if at.right is not None)
        return (left, right)[: self.tried.operator.arity]

    def wrong_output(self, output: object) -> WrongRun[History] | None:
        """Whether what the step returned is not valid at the time of the last step (Def. 5.2)."""
        past = tuple(self.past)
        if not isinstance(output, Instance):
            return self.tried.wrong("output", past, f"the step outputs a {type(output).__name__}")
        instance, time = None if output is NON_OCCURRENCE else output, past[-1].time
        bound = self.tried.ticks if self.tried.operator.bounded else None
        meaning = apply_operator(self.tried.operator, self.streams(), bound)
        if valid(instance, meaning, time):
            return None
        expected = tuple(x for x in by_end_time(meaning) if valid(x, meaning, time))
        right = " or ".join(map(repr, expected)) or ("nothing" if instance is None else "⟨⟩")
        words = f"the step outputs {text(instance)}; valid is {right}"
        return self.tried.wrong("output", past, words, output, expected)

    def wrong_state(self) -> WrongRun[History] | None:
        """The first auxiliary variable that does not hold what Def. 5.3-5.6 say at the start of the next time."""
        until = self.past[-1].time + 1 if self.past else 0
        for variable in self.tried.lemma.variables:
            try:
                value = self.made.variables()[variable.name]
                holds = self.holds(variable, value, until)
                words = f"{variable.name} = {value!r}"
            except Exception as error:  # a variable that is not there, or not of its kind
                holds, words = False, f"{variable.name} unusable ({type(error).__name__}: {error})"
            if not holds:
                return self.tried.wrong("state", tuple(self.past), f"the step leaves {words}")
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

    # -------------------------------------------------------------------------------------------------- storage

    def kept(self) -> int:
        """How many instances the variables of the step hold."""
        held = self.made.variables()
        kinds = {variable.name: variable.kind for variable in self.tried.lemma.variables}
        sets: list[Any] = [held[name] for name, kind in kinds.items() if kind == "set"]
        single = [held[name] for name, kind in kinds.items() if kind == "instance"]
        return sum(len(queue.contents()) for queue in sets) + sum(x is not NON_OCCURRENCE for x in single)

    def wrong_storage(self, before: int) -> str:
        """What is wrong with what the step keeps, in words; it kept so many instances before the last instant."""
        lemma, kept, stored, bound = self.tried.lemma, self.kept(), self.made.stored(), self.made.bound
        stated = lemma.kept + ((self.tried.ticks or 0) if lemma.figure == 4 else 0)
        left = self.past[-1].left if self.past else None
        added = kept > before or stated != UNBOUNDED or left is None or left.start != left.end
        asked = self.kept()
        found = {
            f"asked how many of its {kept} instances it keeps, the step keeps {asked}": asked != kept,
            f"the step says that it keeps {stored} instances, and keeps {kept}": stored != kept,
            f"the step keeps {stored} instances, and its bound is {bound}": stored > bound,
            f"the bound is {bound}; stated is {stated}": bound != stated,
            "an occurrence on the left is not added to the queue": not added,
        }
        return next((words for words, is_so in found.items() if is_so), "")


_NOTHING_YET = compiled(NOTHING_YET)
_LATEST_STARTED = compiled(LATEST_STARTED)
_GREATEST_START = compiled(GREATEST_START)
_CANDIDATES = compiled(CANDIDATES)


def steps_of(lemma: StepLemma, about: Subject, tried: tuple[int, ...] = TICKS) -> Iterator[TriedStep]:
    """A step under each bound or label that is tried, if it takes one; for the lemma about it."""
    factory = (about.steps or RUNNING[lemma.figure])[lemma.operator]
    operator = about.operators[lemma.operator]
    for ticks in tried if operator.bounded or lemma.figure == 4 else (None,):
        yield TriedStep(lemma, factory, ticks, operator)


def find_step_counterexample(lemma: StepLemma, about: Subject, longer: int = LONGER) -> WrongRun[History] | None:
    """A history after which a step is wrong; None if there is none among those that are tried.

    A wrong output or an exception is preferred to a wrong auxiliary variable, and a shorter history to a longer one.
    A variable may be wrong in a program whose outputs are all valid.

    Args:
        longer: how many histories longer than `INSTANTS` instants are tried.
    """
    found = [_searched(tried, inside, longer) for inside in (False, True) for tried in steps_of(lemma, about)]
    return min(filter(None, found), key=_rank, default=None)


def _searched(tried: TriedStep, inside: bool, longer: int) -> WrongRun[History] | None:
    def fails(history: History) -> WrongRun[History] | None:
        run: StepRun | None = None
        try:
            run = StepRun(tried)
            for at in history:
                wrong = run.wrong_output(run.step(at)) or (run.wrong_state() if inside else None)
                if wrong is not None:
                    return wrong
        except Exception as error:  # whatever a wrong step may raise
            words = _raised(error)
            return tried.wrong("exception", tuple(run.past) if run else (), words)
        return None

    found = first(chain(tried.small(), tried.drawn(longer)), fails)
    return found and shrunk(found, lambda run: smaller_histories(run.tried), fails)


def _raised(error: Exception) -> str:
    frame = extract_tb(error.__traceback__)[-1]
    return f"the step raises {type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})"


def _rank(found: WrongRun[History]) -> tuple[bool, int, int]:
    return found.inside, len(found.tried), sum(at.weight for at in found.tried)


def find_storage_counterexample(claim: str, about: Subject) -> WrongRun[History] | None:
    """A history after which the storage of a step is not what is stated; None if none of those that are tried is one.

    The claim is the lemma about the step, a key of `laws.carlson_lisper.invariants.STEP_LEMMAS`.
    """

    def fails(each: tuple[TriedStep, History]) -> WrongRun[History] | None:
        tried, history = each
        run: StepRun | None = None
        words = ""
        try:
            run = StepRun(tried)
            words, before = run.wrong_storage(0), run.kept()
            for at in () if words else history:
                run.step(at)
                words, before = run.wrong_storage(before), run.kept()
                if words:
                    break
        except Exception as error:  # whatever a wrong step may raise
            words = _raised(error)
        return tried.wrong("storage", tuple(run.past) if run else (), words) if words else None

    tried = steps_of(STEP_LEMMAS[claim], about)
    return first(((one, past) for one in tried for past in chain([()], one.small(), one.drawn())), fails)


def hypotheses_hold(lemma: StepLemma, about: Subject) -> tuple[Instance | None, ...] | None:
    """The outputs of a run in which all hypotheses of a lemma hold at every instant, one at least an instance.

    None if no such run is found. The operands of every history output what is valid, no two instances that end
    together, and for Figure 4 none of the right operand that is longer than the label; what is looked at is that the
    auxiliary variables hold what Def. 5.3-5.6 say. With such a run the lemma is not vacuously true.
    """
    (tried,) = steps_of(lemma, about, tried=(2,))
    for history in tried.drawn():
        try:
            run = StepRun(tried)
        except Exception:  # whatever a wrong factory may raise
            return None
        outputs: list[Instance | None] = []
        for at in history:
            output = run.step(at) if run.wrong_state() is None else None
            if not isinstance(output, Instance):
                break
            outputs.append(None if output is NON_OCCURRENCE else output)
        if len(outputs) == len(history) and any(output is not None for output in outputs):
            return tuple(outputs)
    return None
