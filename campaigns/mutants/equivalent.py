"""Derived mutants that detect the same as the detectors they were made from, as data: no case can kill them.

Each has a reason, and the bounded comparison of `campaigns.mutants.equivalence` agrees with it. Reasons are
arguments, no machine-checked proofs.
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
REWRITTEN = "the same ticks, or older ones that are written again, get the same answer"
ANY_STORE = "each store of candidates serves any label; they differ in the room that they take"
MORE_MEMORY = "one tick more is remembered than is asked for, or its variables have other names"
UNUSED = "the value is not used there: ages do not depend on the time, and traces are shorter than the limit"
PLANES = "more planes are made than are looked at, or some that have no bits"
APART = "the two do not depend on each other"
MET = "what ends now and is as old as the whole has met everything younger already"
RESTING = "a gap of no instants changes nothing, and neither does any gap in a state that rests"
AGAIN = "what is known already is worked out again, with the same result"
BEHIND = "only places before the marker differ, which nothing reads, or the time at which they are given back"
NOT_EVICTED = (
    "what is not evicted still stands behind what is looked for, or is found in its place; more than the bound of"
    " 4,098 is stored only on traces that are longer than those of all cases"
)
ROOM = (
    "more candidates are kept than are asked for, or one less than there is room for: a match is looked for before what"
    " ends now is pushed, so that at most as many candidates as the label are too late, and the next one is the match"
)
NEWEST_KNOWN = "the newest candidate is looked at before the search, which is for an older one"
WALKED = "without planes the stretch is walked through, which takes longer and finds the same"

_REASONS: Mapping[str, tuple[str, ...]] = {
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
    ROOM: (
        "generated:start_queue.places:1:1-more",
        "generated:start_queue.places:1:minus-plus",
        "generated:start_queue.places:1:1-less.2",
        "generated:start_queue.places:1:1-more.2",
        "generated:start_queue.latest_before:9:plus-minus",
        "generated:start_queue.latest_before:9:1-less",
        "generated:start_queue.latest_before:9:1-more",
        "generated-loops:planes.push_points:3:lt-le",
        "generated-loops:generated.Generated._catch_up:7:1-more",
    ),
    NEWEST_KNOWN: ("generated:start_queue.latest_before:3:1-more",),
    BEFORE: (
        "figure2:steps.NegationStep.__init__:1:1-more",
        "figure2:steps.SequenceStep.__init__:1:1-more",
        "figure4:steps.BoundedSequenceStep.__init__:3:1-more",
        "figure2:figure2.Figure2.__init__:17:1-more",
        "generated-loops:planes.latest_in:3:1-more",
        "generated-loops:planes.latest_in:9:1-more",
        "generated-loops:generated.Generated._catch_up:13:1-more.2",
        "register-machine:register_walk.Walk.place:2:1-more",
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
        "figure4:steps.BoundedSequenceStep.step:1:arguments",
        "generated:start_queue.latest_before:9:arguments",
        "figure4:transformation._disjunction:3:arguments.2",
        "figure4:transformation._negation:2:arguments",
        "figure4:transformation._restriction:1:arguments",
        "ring:stores.TickRing.push:3:arguments.2",
        "generated-loops:generated.Generated._catch_up:15:arguments",
        "generated-loops:bit_parallel._Program._recent:5:arguments",
        "generated-loops:bit_parallel._Program._recently:3:arguments",
        "generated-loops:bit_parallel._Program._first:5:arguments",
        "generated-loops:bit_parallel._conjunction:7:arguments",
        "generated-loops:bit_parallel._conjunction:8:arguments",
        "generated-loops:bit_parallel._conjunction:8:arguments.3",
        "generated-loops:bit_parallel._sequence:6:arguments",
        "generated-loops:bit_parallel._sequence:6:arguments.4",
        "register-machine:register_table.Table.gap:8:arguments",
    ),
    SHOWN: (
        "figure2:figure2.Figure2.__init__:13:drop",
        "figure4:steps.BoundedSequenceStep.__init__:2:2-more",
    ),
    GUARD: (
        "figure2:figure2.Figure2.step:3:drop",
        "register-machine:register_walk.Walk.step:2:always",
        "figure2-resumed:figure2.Figure2.restore:3:drop",
        "figure2-resumed:snapshots.restored:8:drop",
        "figure2-resumed:snapshots.restored:9:drop",
    ),
    KINDS: (
        "figure2:figure2.Figure2.__init__:15:always",
        "figure2-resumed:snapshots._Stored.value:3:later",
        "figure2-resumed:snapshots._Stored.occurrence:9:0-less",
        "figure4:transformation._restriction:1:0-less",
        "figure4:transformation._restriction:1:0-more",
        "figure4:transformation._restriction:2:0-less",
        "recent:catalogue._with_label:4:without-1",
        "generated-loops:loops._register_moves:3:without-1",
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
        "ring:stores.RingSequenceStep.__init__:3:1-more",
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
        "generated:start_queue.latest_before:9:1-more.2",
    ),
    SEARCH: (
        "recent:stores.StaticQueue._position:4:low-high",
        "recent:stores.StaticQueue._halved:1:high-low",
        "generated:start_queue.latest_before:8:drop",
        "generated:start_queue.latest_before:8:1-less",
        "generated:start_queue.latest_before:11:1-more",
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
        "register-machine:register_table.Table.gap:2:without-2",
        "register-machine:register_table.Table.gap:2:1-less",
        "register-machine:register_walk.Walk.step:2:gt-ge",
        "register-machine:register_walk.Walk.step:2:0-less",
        "register-machine:register_walk.Walk.step:3:always",
        "register-machine:register_walk.Walk.wait:3:without-2",
    ),
    AGAIN: (
        "register-machine:register_table.Table.cell:2:always",
        "register-machine:register_walk.Walk.step:9:always",
        "register-machine:register_walk.Walk.wait:6:lt-shifted",
    ),
    BEHIND: (
        "figure3:stores.MarkedQueue.evict_before:6:drop",
        "figure3:stores.MarkedQueue.evict_before:6:later",
        "figure3:stores.MarkedQueue.evict_before:7:drop",
        "figure3:stores.MarkedQueue.evict_before:7:if-not",
        "figure3:stores.MarkedQueue.evict_before:7:always",
        "figure3:stores.MarkedQueue.evict_before:7:gt-ge",
        "figure3:stores.MarkedQueue.evict_before:7:gt-lt",
        "figure3:stores.MarkedQueue.evict_before:7:gt-shifted",
        "figure3:stores.MarkedQueue.evict_before:7:2-less",
        "figure3:stores.MarkedQueue.evict_before:7:2-more",
    ),
    NOT_EVICTED: (
        "figure3:stores.MarkedQueue.evict_before:3:always",
        "figure3:stores.MarkedQueue.evict_before:11:drop",
    ),
    PLANES: (
        "generated-loops:bit_parallel._Program._recent:3:1-more",
        "generated-loops:bit_parallel._conjunction:1:1-more",
        "generated-loops:bit_parallel._negation:2:drop",
        "generated-loops:bit_parallel._negation:4:minus-plus",
        "generated-loops:bit_parallel._negation:4:1-less",
        "generated-loops:bit_parallel._sequence:1:drop",
        "generated-loops:bit_parallel._sequence:1:0-less",
        "generated-loops:bit_parallel._sequence:3:minus-plus",
        "generated-loops:bit_parallel._sequence:3:1-less",
        "generated-loops:bit_parallel._sequence:3:minus-plus.2",
        "generated-loops:bit_parallel._sequence:3:1-less.2",
    ),
    APART: (
        "generated-loops:bit_parallel._conjunction:3:later",
        "generated-loops:generated.Generated._catch_up:5:later",
        "generated-loops:generated.Generated._catch_up:13:later",
        "generated-loops:loops._register_moves:9:later",
        "generated-loops:loops._words:1:later",
        "generated-loops:loops._words:2:later",
        "register-machine:register_runs.Runs.advance:10:later",
        "register-machine:register_walk.Walk.place:1:later",
    ),
    MET: ("generated-loops:bit_parallel._conjunction:7:later",),
    WALKED: (
        "generated-loops:bit_parallel._Program._first:4:drop",
        "generated-loops:bit_parallel._Program._first:6:without-2",
    ),
    MORE_MEMORY: ("batch:lanes.memory:1:1-less", "batch:lanes.memory:1:1-more.2"),
    UNUSED: (
        "batch:lanes.StartLaneRewriting._latest_before:2:62-more",
        "batch:batches.Batch._vectors:3:0-more",
    ),
    REWRITTEN: (
        "ring:stores.TickRing.push:3:1-less",
        "ring:stores.TickRing.push:3:plus-minus.2",
        "ring:stores.TickRing.push:3:1-less.2",
        "ring:stores.TickRing.latest_before:1:lt-shifted",
    ),
}

EQUIVALENT: Mapping[str, str] = MappingProxyType(
    {name: reason for reason, names in _REASONS.items() for name in names}
)
"""The reason of each equivalent mutant, by its name."""
