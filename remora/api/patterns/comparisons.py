"""Decisions on patterns for all traces: comparisons with a trace that tells two apart, and whether one can occur."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from laws.standings import ExitStatus, Standing
from remora.api.arguments import require_seed, require_whole
from remora.api.cards import Card, Shown
from remora.api.claiming.data import picked, stream_data
from remora.api.detecting.traces import Trace
from remora.api.patterns.patterns import PatternLike, as_pattern
from remora.terminal.console import JsonObject, counted
from remora.terminal.progress import Tell, unheard
from reports.drawing.layout import Bar, Side, Timeline
from reports.page import Standing as Mark, standing
from semantics.carlson_lisper import decisions
from semantics.carlson_lisper.decisions import LEVELS, MAX_STEPS, DecidedRelation, Decider, Decision, Level, Witness
from semantics.carlson_lisper.expressions import Expression, Operation, evaluate_bound
from semantics.carlson_lisper.occurrences import Instance, Stream, by_end_time, occurrence_data
from semantics.carlson_lisper.operators import STREAM_NAMES
from semantics.carlson_lisper.restriction import restriction
from semantics.errors import InputError, LimitExceeded

PATIENCE = 6.0  # So many seconds a solver has for one question, where automata are too large


def _in_words(level: Level, relation: DecidedRelation, one: str = "left", other: str = "right") -> str:
    if relation == "equivalence":
        return f"the same {'detections' if level == 'detection' else level}"
    if level == "detection":
        return f"whenever the {one} is detected, so is the {other}, starting no earlier"
    return f"every {'instance' if level == 'meaning' else 'interval'} of the {one} is one of the {other}"


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """Whether one pattern is equivalent to another, or included in it, on all traces.

    It is true as a condition only where that was decided and holds.

    Attributes:
        level: what is compared: meaning (Def. 4.1), intervals or detection (Def. 4.3).
        relation: equivalence, or inclusion of the left in the right.
        holds: the answer; None where a limit was reached.
        verdict: the answer in words.
        levels: the answer at each level, where it is known.
        converse: for patterns that are not equivalent, whether each is included in the other; None if not decided.
        decision: what the automata decided, with a witness; None where they did not.
        standing: where solvers proved it, how well.
        obligations: the hashes of what they proved.
        decided_instants: where undecided, no trace with at most so many instants tells them apart.
    """

    left: Expression
    right: Expression
    level: Level
    relation: DecidedRelation
    holds: bool | None
    verdict: str
    levels: Mapping[Level, bool | None] = field(default_factory=dict)
    converse: Mapping[str, bool | None] = field(default_factory=dict)
    decision: Decision | None = None
    standing: Standing | None = None
    obligations: tuple[str, ...] = ()
    decided_instants: int = 0

    def __bool__(self) -> bool:
        return self.holds is True

    @property
    def witness(self) -> Witness | None:
        """A trace that tells the patterns apart, with what each has on it."""
        return None if self.decision is None else self.decision.witness

    @property
    def trace(self) -> Trace | None:
        """The trace that tells the patterns apart."""
        return None if self.witness is None else Trace(tuple(self.witness.trace))

    @property
    def exit_status(self) -> ExitStatus:
        """How a command ends that asked this."""
        return _STATUS[self.holds]

    @property
    def plainly(self) -> str:
        """The answer in a few plain words where the patterns differ; "" where the verdict is as plain.

        Of detections that end at the same times nothing more is said: they may differ in their starts alone.
        """
        if self.holds is not False or self.relation == "inclusion":
            return ""
        left, right = self.converse.get("right_within_left"), self.converse.get("left_within_right")
        streams = () if self.witness is None else (self.witness.left, self.witness.right)
        ends = {frozenset(one.end for one in _compared(self.level, stream).values()) for stream in streams}
        if None in (left, right) or (self.level == "detection" and len(ends) == 1):
            return "They differ."
        if left is right:
            return "They differ: each finds something that the other one does not."
        return f"They differ: the {'left' if left else 'right'} one finds more."

    @property
    def timeline(self) -> Timeline | None:
        """Instances, intervals or valid restrictions of both sides, as they are compared; None without a witness."""
        return self.drawn("left", "right")

    def drawn(self, one: str, other: str) -> Timeline | None:
        """The timeline, in which the left and the right pattern are called so."""
        witness = self.witness
        if witness is None:
            return None
        left, right = (_compared(self.level, stream) for stream in (witness.left, witness.right))
        bars = []
        for key, instance in {**right, **left}.items():
            side: Side = "both" if key in left and key in right else "left" if key in left else "right"
            differs = side != "both"
            if self.relation == "inclusion":
                alone, others = frozenset({instance}), frozenset(right.values())
                differs = side == "left" and not decisions.related(self.level, "inclusion", alone, others)
            bars.append(Bar(instance.start, instance.end, side, differs, instance.sorted_occurrences()))
        noun = "restricted instance" if self.level == "detection" else "instance"
        width = max(len(one), len(other)) + 1
        shown = (
            f"{f'{one}:':{width}} {self.left}  ({counted(len(left), noun)})",
            f"{f'{other}:':{width}} {self.right}  ({counted(len(right), noun)})",
        )
        bars.sort(key=lambda bar: (not bar.differs, bar.side, bar.end, bar.start, str(bar)))
        heading = _heading("that tells them apart", shortest=witness.shortest)
        return Timeline(heading, shown, (one, other), witness.trace, tuple(bars))

    def card(self) -> Card:
        """The verdict and the trace that tells the patterns apart."""
        mark = answer_mark(self.holds, f"{self.plainly} Precisely: {self.verdict}" if self.plainly else self.verdict)
        sign = "⊆" if self.relation == "inclusion" else "≡" if self.level == "meaning" else "≅"
        blocks = () if self.timeline is None else (self.timeline,)
        return Card(f"{self.left}   {sign}   {self.right}", mark, blocks=blocks)


_STATUS = {True: ExitStatus.AS_CLAIMED, False: ExitStatus.REFUTED, None: ExitStatus.INCONCLUSIVE}


def answer_mark(answer: bool | None, words: str) -> Mark:
    """The mark of what was decided, or not, with a verdict in words."""
    return standing({True: "proved", False: "refuted", None: "unknown"}[answer])._replace(word=words)


def _heading(what: str, *, shortest: bool) -> str:
    return f"a shortest trace {what}" if shortest else f"a trace {what} (perhaps not a shortest one)"


def equivalent(
    left: PatternLike, right: PatternLike, *, up_to: Level = "detection", steps: int = MAX_STEPS, seed: int = 0
) -> Comparison:
    """Decide whether two patterns are equivalent on all traces; see `compare`."""
    return compare(left, right, up_to, "equivalence", steps=steps, seed=seed)


def included(
    left: PatternLike, right: PatternLike, *, up_to: Level = "detection", steps: int = MAX_STEPS, seed: int = 0
) -> Comparison:
    """Decide whether the left pattern is included in the right one on all traces; see `compare`."""
    return compare(left, right, up_to, "inclusion", steps=steps, seed=seed)


def compare(
    left: PatternLike,
    right: PatternLike,
    level: Level,
    relation: DecidedRelation,
    *,
    steps: int,
    seed: int,
    tell: Tell = unheard,
) -> Comparison:
    """Decide a question about two ground expressions, by automata or, where these get too large, by solvers.

    Raises:
        InputError: a pattern or an argument cannot be used.
        EnginesDisagree: a trace that was found is not confirmed by the executable semantics.
    """
    if level not in LEVELS:
        raise InputError(f"patterns are not compared up to {level!r}", remedy=f"They are up to {', '.join(LEVELS)}.")
    require_whole("steps", steps, 1)
    require_seed(seed)
    left, right = as_pattern(left), as_pattern(right)
    decider = Decider((left, right), steps=steps)
    try:
        decision = decider.decide(left, right, level, relation)
    except LimitExceeded as error:
        tell(f"asking solvers, at most {PATIENCE:g} s a question")
        proved = _proved(left, right, level, relation, seed)
        if proved is not None:
            return proved
        instants = error.instants if isinstance(error, decisions.Undecided) else 0
        return Comparison(left, right, level, relation, None, f"undecided: {error.reason}", decided_instants=instants)
    levels = _levels(decider, decision)
    converse: dict[str, bool | None] = {}
    if relation == "equivalence" and not decision.holds:
        sides = {"left_within_right": (left, right), "right_within_left": (right, left)}
        converse = {name: _asked(decider, *pair, level, "inclusion") for name, pair in sides.items()}
    verdict = _verdict(decision, levels, converse)
    return Comparison(left, right, level, relation, decision.holds, verdict, levels, converse, decision)


def _proved(
    left: Expression, right: Expression, level: Level, relation: DecidedRelation, seed: int
) -> Comparison | None:
    """Proof by solvers where automata give up: a bound of any size is one number to them."""
    from smt.carlson_lisper.law_proofs import prove_patterns
    from smt.solvers.portfolio import installed

    with installed(PATIENCE) as portfolio:
        proof = prove_patterns(left, right, level, relation, portfolio, seed=seed)
    if proof is None:
        return None
    name = "equivalent" if relation == "equivalence" else "included"
    who = "both solvers" if proof.standing is Standing.AGREED else "one solver"
    verdict = f"{name} for all traces: {proof.equation} was proved by {who}, and not decided by automata"
    hashes = tuple(part.sha256 for part in proof.obligations)
    return Comparison(left, right, level, relation, True, verdict, standing=proof.standing, obligations=hashes)


def _asked(decider: Decider, *question: Any) -> bool | None:
    """Whether it holds; None if that is undecided."""
    try:
        return decider.decide(*question).holds
    except LimitExceeded:
        return None


def _levels(decider: Decider, decision: Decision) -> dict[Level, bool | None]:
    """The answer at every level: what holds at a level holds at all coarser ones."""
    answers: dict[Level, bool | None] = {}
    asked = LEVELS.index(decision.level)
    for number, level in enumerate(LEVELS):
        if True in answers.values() or (decision.holds and number >= asked):
            answers[level] = True
        elif not decision.holds and number <= asked:
            answers[level] = False
        else:
            answers[level] = _asked(decider, decision.left, decision.right, level, decision.relation)
    return answers


def _verdict(decision: Decision, levels: Mapping[Level, bool | None], converse: Mapping[str, bool | None]) -> str:
    relation, inclusion = decision.relation, decision.relation == "inclusion"
    name = "included" if inclusion else "equivalent"
    finest = next((level for level in LEVELS if levels[level]), None)
    if decision.holds and finest is not None:
        but = "; not up to {0}" if inclusion else ", but not {1}"
        refused = [but.format(level, _in_words(level, relation)) for level in LEVELS if levels[level] is False]
        return f"{name} for all traces: {_in_words(finest, relation)}{''.join(refused[-1:])}"
    text = f"not {name} up to {decision.level}"
    if finest is not None:
        return f"{text}; up to {finest} yes: {_in_words(finest, relation)}"
    for one, other in (("left", "right"), ("right", "left")):
        if converse.get(f"{one}_within_{other}"):
            text += f"; {_in_words(decision.level, 'inclusion', one, other)}"
    return text


def _compared(level: Level, stream: Stream) -> dict[Hashable, Instance]:
    if level == "meaning":
        return {instance: instance for instance in by_end_time(stream)}
    kept = by_end_time(restriction(stream) if level == "detection" else stream)
    return {instance.interval: instance for instance in reversed(kept)}


def comparison_data(found: Comparison) -> JsonObject:
    """Outcome: decided by automata, proved by solvers in their place, or neither."""
    status = {"exit_status": int(found.exit_status)}
    said = {"left": str(found.left), "right": str(found.right), **picked(found, "holds", "verdict"), **status}
    if found.holds is None:
        return {**said, "decided_instants": found.decided_instants}
    said |= picked(found, "level", "relation")
    if found.decision is None:
        return {**said, **picked(found, "standing", "obligations")}  # solvers proved it
    witness, shown = found.witness, None
    if witness is not None:
        sides = {"left": _side_data(found.left, witness.left), "right": _side_data(found.right, witness.right)}
        shown = {"trace": list(map(occurrence_data, witness.trace)), **picked(witness, "holder", "shortest"), **sides}
    said |= {"levels": dict(found.levels), **found.converse, **picked(found.decision, "states", "steps")}
    return {**said, "witness": shown}


def _side_data(expression: Expression, stream: Stream) -> JsonObject:
    return {"expression": str(expression), "instances": stream_data(stream)}


@dataclass(frozen=True)
class Occurring:
    """Whether an expression has an instance on any trace, and where; None if that is not decided.

    Attributes:
        reason: why it never occurs, or why that is not decided; "" if it occurs or no reason was found in time.
        decided_instants: where undecided, no trace of at most so many instants has an instance.
    """

    occurs: bool | None
    reason: str = ""
    found: decisions.Possibility | None = None
    decided_instants: int = 0

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        answers = {None: "not decided whether it can occur", True: "it can occur"}
        return answers.get(self.occurs, "it never occurs, on any trace") + (f": {self.reason}" if self.reason else "")

    @property
    def timeline(self) -> Timeline | None:
        """The trace on which it occurs, with all its instances; None without one."""
        found = self.found
        if found is None or found.trace is None:
            return None
        instances, heading = by_end_time(found.instances), _heading("on which it occurs", shortest=found.shortest)
        bars = tuple(Bar(*one.interval, "left", True, one.sorted_occurrences(), "instance") for one in instances)
        return Timeline(heading, (), ("pattern", ""), tuple(found.trace), bars, compares=False)


def occurring(expression: Expression, steps: int, *, reasons: bool = True) -> Occurring:
    """Decide whether a ground expression can occur, and if not, perhaps why."""
    decider = Decider((expression,), steps=steps)
    try:
        found = decider.possibility(expression)
    except LimitExceeded as error:
        return Occurring(None, error.reason, None, error.instants if isinstance(error, decisions.Undecided) else 0)
    if found.trace is not None:
        return Occurring(True, "", found)
    try:
        return Occurring(False, _why_never(decider, expression) if reasons else "")
    except LimitExceeded:
        return Occurring(False)


def _why_never(decider: Decider, expression: Expression) -> str:
    """The smallest parts that never occur although their own parts do."""
    reasons: dict[str, None] = {}
    pending = [expression]
    while pending:
        node = pending.pop()
        assert isinstance(node, Operation)  # an event type can occur
        absent = []  # of each comprehension an operand that it ranges over and that never occurs
        for comprehension in node.definition.comprehensions:
            operands = (node.operands[STREAM_NAMES.index(stream)] for _, stream in comprehension.ranges)
            absent.append(next((one for one in operands if decider.possibility(one).trace is None), None))
        left = node.operands[0]
        if None not in absent:
            pending.extend(each for each in reversed(absent) if each is not None)
        elif node.operator == "neg":
            reasons[f"every instance of {left} has an instance of {node.operands[-1]} within it"] = None
        elif node.bound is not None:
            found, bound = decider.possibility(left), evaluate_bound(node.bound)
            shortest = f", the shortest takes {found.trace[-1].time}" if found.trace and found.shortest else ""
            ticks = "tick" if bound == 1 else "ticks"
            reasons[f"no instance of {left} takes at most {bound} {ticks}{shortest}"] = None
    return "; ".join(reasons)


def occurring_data(answer: Occurring) -> JsonObject:
    """Whether a pattern can occur, with the keys of `remora/explain/1`."""
    found = answer.found
    return {
        **picked(answer, "occurs", "reason", "decided_instants"),
        "shortest": None if found is None else found.shortest,
        "trace": None if found is None else list(map(occurrence_data, found.trace or ())),
        "instances": None if found is None else stream_data(found.instances),
    }


def emptiness_data(pattern: Expression, answer: Occurring) -> JsonObject:
    """Whether a pattern can never occur, with a trace on which it does."""
    empty = None if answer.occurs is None else not answer.occurs
    said = {"left": str(pattern), "right": None, "holds": empty, "exit_status": int(_STATUS[empty])}
    if empty is None:
        return {**said, "verdict": f"undecided: {answer.reason}", "decided_instants": answer.decided_instants}
    found, witness = answer.found, None
    if found is not None:
        trace = list(map(occurrence_data, found.trace or ()))
        witness = {"trace": trace, "shortest": found.shortest, "left": _side_data(pattern, found.instances)}
    return {**said, "relation": "emptiness", "verdict": answer.verdict, "witness": witness}
