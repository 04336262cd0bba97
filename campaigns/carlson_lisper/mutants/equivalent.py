"""Derived mutants that detect the same as the detectors they were made from, as data: no case can kill them.

Each has a reason, and the bounded comparison of `campaigns.carlson_lisper.mutants.equivalence` agrees with it.
Reasons are arguments, no machine-checked proofs.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TIES = "of instances with the same start and end, any one is a valid answer (Def. 3.12, Thm 4.5)"
EXISTS = (
    "the start and the end of ⟨⟩ are both -1, of anything else both >= 0: either tells whether it is there"
)
FIRST = "nothing ends before instant 0, so a right instance that starts there has no match, looked for or not"
BEFORE = "-2 is before every time as well as -1"
OPERAND = "a restriction has one operand, which is passed as both"
ORDER = "what is done in the other order does not meet: a left instance that ends now is no match now"
UNORDERED = "the two arguments may be given in either order"
SHOWN = "only what is shown and stored changes, not what is detected"
GUARD = "only bad input is treated differently: times out of order, damaged snapshots"
KINDS = "what is asked of is there in every case, or of the only kind that is left"
UNBOUNDED_LABEL = (
    "for the label ∞, Figure 4 never evicts; a sequence may also keep more than its label asks for"
)
LOOSER = "the label is greater or the restriction weaker than need be: more is kept, the same is detected (Thm 6.1)"
NO_NEARER = "bounds of transformed expressions are 0, ∞, or at most the restriction: none is a tick beyond it"
LATER = "what is out of date is evicted later, and still stands behind what is looked for"
STATIC = (
    "the place is empty or will be written before it is asked for, so that one more or less does not show"
)
SEARCH = "the search ends at the same place"
ANY_STORE = "each store of candidates serves any label; they differ in the room that they take"
APART = "the two do not depend on each other"
RESTING = "a gap of no instants changes nothing, and neither does any gap in a state that rests"
AGAIN = "what is known already is worked out again, with the same result"

NEVER_LONG = "⟨⟩, which would end at the last place of all, is not longer than any bound"
NO_TRACE = "the place is after the trace, or is not looked at, because nothing of the trace may still be used"
MORE_KEPT = "no fewer rows are kept for what ends later, and with more of them the same is detected"

ONE_PASS = "with the steps that there are, one pass finds all that has to be carried"
SAID = "the same is said with an expression in the place of a statement, or the other way round"

_REASONS: Mapping[str, tuple[str, ...]] = {
    NO_TRACE: (
        "arrays:arrays.Evaluation._remembered:7:le-shifted",
        "arrays:arrays.Evaluation._remembered:8:0-less",
        "arrays:arrays.Evaluation._remembered:8:0-more",
    ),
    MORE_KEPT: (
        "arrays:arrays.Evaluation.needed:20:eq-ne",
        "arrays:arrays.Evaluation._remembered:3:1-more",
        "arrays:arrays.Evaluation._remembered:4:lt-le",
        "arrays:arrays.Evaluation._remembered:4:lt-gt",
        "arrays:arrays.Evaluation._remembered:4:lt-shifted",
        "arrays:arrays.Evaluation._remembered:4:1-less",
        "arrays:arrays.Evaluation._remembered:4:1-more",
        "arrays:arrays.Evaluation._remembered:5:ge-shifted",
        "arrays:arrays.Evaluation._remembered:5:0-less",
        "arrays:arrays.Evaluation._remembered:9:lt-le",
        "arrays:arrays.Evaluation._remembered:9:lt-gt",
        "arrays:arrays.Evaluation._remembered:9:lt-shifted",
        "arrays:arrays.Evaluation._remembered:9:0-less",
        "arrays:arrays.Evaluation._remembered:9:0-more",
    ),
    NEVER_LONG: (
        "arrays:arrays.Evaluation._of:26:ge-shifted",
        "arrays:arrays.Evaluation._of:26:0-less",
    ),
    SAID: (
        "generated:carried._carrying:1:drop",
        "generated:carried._carrying:1:without-2",
        "generated:carried._carrying:1:gt-ge",
        "generated:carried._carrying:1:gt-lt",
        "generated:carried._carrying:1:gt-shifted",
        "generated:carried._carrying:1:1-less",
        "generated:carried._carrying:1:1-more",
    ),
    ONE_PASS: (
        "generated:carried.needed:14:drop",
        "generated:carried.needed:14:later",
    ),
    TIES: (
        "figure2:steps.DisjunctionStep.step:1:le-lt",
        "figure2:steps.ConjunctionStep.step:1:lt-le",
        "figure2:steps.ConjunctionStep.step:3:lt-le",
        "figure2:steps.ConjunctionStep.step:7:le-lt",
        "figure2:steps.NegationStep.step:1:lt-le",
        "figure2:steps.SequenceStep.step:6:lt-le",
    ),
    EXISTS: (
        "figure2:steps.ConjunctionStep.step:5:start-end",
        "figure2:steps.ConjunctionStep.step:5:start-end.2",
        "figure2:steps.ConjunctionStep.step:5:start-end.3",
        "figure2:steps.ConjunctionStep.step:5:start-end.4",
        "figure2:steps.SequenceStep.step:2:start-end",
        "figure2:steps.SequenceStep.step:4:start-end",
        "figure4:steps.BoundedSequenceStep.step:3:start-end",
        "figure4:steps.BoundedSequenceStep.step:6:start-end",
        "figure4:steps.BoundedSequenceStep.step:8:start-end",
        "figure4:steps.BoundedSequenceStep.step:10:start-end",
    ),
    FIRST: (
        "figure2:steps.SequenceStep.step:2:always",
        "figure2:steps.SequenceStep.step:2:ge-gt",
        "figure2:steps.SequenceStep.step:2:ge-shifted",
        "figure2:steps.SequenceStep.step:2:0-less",
        "figure2:steps.SequenceStep.step:2:0-more",
        "figure4:steps.BoundedSequenceStep.step:6:ge-gt",
        "figure4:steps.BoundedSequenceStep.step:6:0-more",
    ),
    BEFORE: (
        "arrays:arrays.Evaluation._of:2:1-more",
        "arrays:arrays.Evaluation._of:16:1-more",
        "arrays:arrays.Evaluation._of:21:1-more",
        "arrays:arrays.Evaluation._of:22:1-more",
        "arrays:arrays.Evaluation._of:29:1-more",
        "arrays:arrays.Evaluation.latest_so_far:5:1-more",
        "generated:specialisation.StartRewriting.none:1:1-more",
        "figure2:steps.NegationStep.__init__:1:1-more",
        "figure2:steps.SequenceStep.__init__:1:1-more",
        "figure4:steps.BoundedSequenceStep.__init__:3:1-more",
        "figure2:figure2.Figure2.__init__:17:1-more",
        "register-machine:walk.Walk.place:2:1-more",
    ),
    OPERAND: (
        "figure2:steps.RestrictionStep.step:1:left-right",
        "figure2:steps.RestrictionStep.step:1:left-right.2",
        "figure2:steps.RestrictionStep.step:1:left-right.3",
    ),
    ORDER: (
        "figure2:steps.SequenceStep.step:2:later",
        "figure4:steps.BoundedSequenceStep.step:6:later",
        "figure2:steps.CandidateQueue.push:1:later",
        "figure2:figure2.Figure2.__init__:13:later",
        "figure2-resumed:snapshots.restored:3:later",
        "figure2-resumed:snapshots.restored:4:later",
        "figure2-resumed:snapshots._plain:1:later",
        "figure2-resumed:snapshots._Stored.value:1:later",
        "figure2-resumed:snapshots._Stored.value:5:later",
    ),
    UNORDERED: (
        "arrays:arrays.Evaluation._of:12:arguments",
        "arrays:arrays.Evaluation._of:14:arguments",
        "arrays:arrays.Evaluation._of:14:arguments.2",
        "arrays:arrays.Evaluation._of:14:arguments.3",
        "arrays:arrays.Evaluation.needed:12:arguments",
        "arrays:arrays.Evaluation.needed:14:arguments",
        "arrays:arrays.Evaluation.needed:14:arguments.2",
        "arrays:arrays.Evaluation.needed:14:arguments.3",
        "arrays:arrays.Evaluation.needed:18:arguments",
        "arrays:arrays.Evaluation.needed:20:arguments",
        "arrays:arrays.Evaluation._remembered:3:arguments",
        "arrays:arrays.Evaluation._remembered:4:arguments",
        "figure4:steps.BoundedSequenceStep.step:1:arguments",
        "figure4:transformation._disjunction:3:arguments.2",
        "figure4:transformation._negation:2:arguments",
        "figure4:transformation._restriction:1:arguments",
        "register-machine:table.Table.gap:8:arguments",
    ),
    SHOWN: (
        "figure2:figure2.Figure2.__init__:13:drop",
        "figure4:steps.BoundedSequenceStep.__init__:2:2-more",
    ),
    GUARD: (
        "figure2:figure2.Figure2.step:3:drop",
        "register-machine:walk.Walk.step:2:always",
        "figure2-resumed:figure2.Figure2.restore:3:drop",
        "figure2-resumed:snapshots.restored:8:drop",
        "figure2-resumed:snapshots.restored:9:drop",
    ),
    KINDS: (
        "arrays:arrays.Evaluation._of:4:always",
        "arrays:arrays.Evaluation._of:20:always",
        "arrays:arrays.Evaluation.latest_so_far:4:always",
        "figure2:figure2.Figure2.__init__:15:always",
        "figure2-resumed:snapshots._Stored.value:3:later",
        "figure2-resumed:snapshots._Stored.occurrence:9:0-less",
        "figure4:transformation._restriction:1:0-less",
        "figure4:transformation._restriction:1:0-more",
        "figure4:transformation._restriction:2:0-less",
        "recent:catalogue._with_label:4:without-1",
    ),
    UNBOUNDED_LABEL: (
        "figure4:figure4._sequence:3:drop",
        "figure4:figure4._sequence:3:if-not",
        "figure4:figure4._sequence:3:always",
        "figure4:figure4._sequence:3:eq-ne",
        "recent:catalogue._with_label:4:always",
        "recent:catalogue._with_label:4:is-not",
        "recent:catalogue._with_label:4:ge-gt",
        "recent:catalogue._with_label:4:ge-shifted",
        "recent:stores.RecentSequenceStep.__init__:3:1-more",
    ),
    LOOSER: (
        "figure4:transformation._negation:2:min-max",
        "figure4:transformation._sequence:3:if-not",
        "figure4:transformation._sequence:3:always",
        "figure4:transformation._sequence:3:le-lt",
        "figure4:transformation._sequence:3:le-ge",
        "figure4:transformation._sequence:3:le-shifted",
        "figure4:transformation._sequence:3:right-left",
        "figure4:transformation._restriction:3:drop",
        "figure4:transformation._restriction:3:le-lt",
    ),
    NO_NEARER: ("figure4:transformation._restriction:3:le-shifted",),
    LATER: (
        "figure4:steps.BoundedSequenceStep.step:1:end-start.2",
        "figure4:steps.BoundedSequenceStep.step:1:right-left",
    ),
    STATIC: (
        "recent:stores.StaticQueue.__init__:3:0-less",
        "recent:stores.StaticQueue.__init__:4:0-more",
        "recent:stores.StaticQueue.push:3:minus-plus",
        "recent:stores.StaticQueue.latest_before:2:gt-ge",
    ),
    SEARCH: (
        "recent:stores.StaticQueue._position:4:low-high",
        "recent:stores.StaticQueue._halved:1:high-low",
    ),
    ANY_STORE: (
        "figure3:programs._sequence:2:later",
        "figure3:programs._sequence:4:drop",
        "figure3:programs._sequence:2:always",
        "figure3:programs._sequence:2:without-1",
        "figure3:programs._sequence:2:is-not",
        "figure3:programs._sequence:4:if-not",
        "figure3:programs._sequence:4:always",
        "figure3:programs._sequence:4:lt-le",
        "figure3:programs._sequence:4:lt-gt",
        "figure3:programs._sequence:4:lt-shifted",
    ),
    RESTING: (
        "register-machine:table.Table.gap:2:without-2",
        "register-machine:table.Table.gap:2:1-less",
        "register-machine:walk.Walk.step:2:gt-ge",
        "register-machine:walk.Walk.step:2:0-less",
        "register-machine:walk.Walk.step:3:always",
        "register-machine:walk.Walk.wait:3:without-2",
    ),
    AGAIN: (
        "arrays:arrays.Evaluation.latest_so_far:2:always",
        "arrays:arrays.Evaluation.latest_so_far:6:drop",
        "register-machine:table.Table.cell:2:always",
        "register-machine:walk.Walk.step:9:always",
        "register-machine:walk.Walk.wait:6:lt-shifted",
    ),
    APART: (
        "arrays:arrays.Evaluation._of:2:later",
        "arrays:arrays.Evaluation._of:27:later",
        "arrays:arrays.Evaluation._remembered:2:later",
        "arrays:arrays.Evaluation._remembered:4:later",
        "generated:carried._values:3:later",
        "generated:instants._own:2:later",
        "register-machine:runs.Runs.advance:10:later",
        "register-machine:walk.Walk.place:1:later",
    ),
}

EQUIVALENT: Mapping[str, str] = MappingProxyType(
    {name: reason for reason, names in _REASONS.items() for name in names}
)
"""The reason of each equivalent mutant, by its name."""
