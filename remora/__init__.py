"""Remora: detect, explain, compare, prove and judge patterns of an event detection algebra.

    import remora

    remora.detect("(fail ; fail)[60] - ok", "log.csv")     # one instance for each time at which it occurs
    remora.evaluate("fail ; ok", {"fail": [3], "ok": [9]})  # all instances, by definition
    remora.explain("a ; (b + c)")                           # what it takes, whether it can occur
    remora.equivalent("b | (a ; b)", "b")                   # on all traces, or a trace that tells them apart
    remora.prove("A + B == B + A")                          # for all event streams, or a counterexample
    remora.judge(MyDetector)                                # laws and random cases against a detector
    remora.derive("orders.rules", "orders.jsonl")           # what rules or profiles find in a log

A pattern is a text or an `Expression`; a trace is a path, a table, a mapping from event types to times, or a `Trace`.
What comes back is frozen, typed, and shows itself in a terminal and in a notebook. A mistake in what was given is an
`InputError`, which says where it is and what to do about it.

Each name is imported when it is first used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from detectors.carlson_lisper.protocol import Detector as Detector
    from detectors.protocol import NodeState as NodeState
    from laws.standings import Standing as Standing
    from remora.api.campaigning import Campaign as Campaign
    from remora.api.campaigning import campaign as campaign
    from remora.api.claiming.claims import Answers as Answers
    from remora.api.claiming.claims import Checked as Checked
    from remora.api.claiming.claims import EnginesInDoubt as EnginesInDoubt
    from remora.api.claiming.claims import Proof as Proof
    from remora.api.claiming.claims import check as check
    from remora.api.claiming.claims import prove as prove
    from remora.api.detecting.detection import WrongDetector as WrongDetector
    from remora.api.detecting.findings import detect as detect
    from remora.api.detecting.findings import evaluate as evaluate
    from remora.api.detecting.found import Found as Found
    from remora.api.detecting.found import FoundByPartition as FoundByPartition
    from remora.api.detecting.traces import Trace as Trace
    from remora.api.detecting.traces import read_trace as read_trace
    from remora.api.detecting.traces import read_traces as read_traces
    from remora.api.detecting.traces import trace as trace
    from remora.api.judging import Failure as Failure
    from remora.api.judging import Judgement as Judgement
    from remora.api.judging import judge as judge
    from remora.api.notebook import load_ipython_extension as load_ipython_extension
    from remora.api.notebook import unload_ipython_extension as unload_ipython_extension
    from remora.api.patterns.comparisons import Comparison as Comparison
    from remora.api.patterns.comparisons import equivalent as equivalent
    from remora.api.patterns.comparisons import included as included
    from remora.api.patterns.explanations import Explanation as Explanation
    from remora.api.patterns.explanations import explain as explain
    from remora.api.patterns.patterns import parse as parse
    from remora.systems.derivation import Derived as Derived
    from remora.systems.derivation import derive as derive
    from semantics.carlson_lisper.expressions import Expression as Expression
    from semantics.carlson_lisper.occurrences import Instance as Instance
    from semantics.carlson_lisper.occurrences import Occurrence as Occurrence
    from semantics.errors import InputError as InputError
    from semantics.errors import LimitExceeded as LimitExceeded
    from semantics.events import Interval as Interval

__version__ = "0.2.0"

_PLACES = {
    "detectors.carlson_lisper.protocol": ("Detector",),
    "detectors.protocol": ("NodeState",),
    "laws.standings": ("Standing",),
    "remora.api.campaigning": ("Campaign", "campaign"),
    "remora.api.claiming.claims": ("Answers", "Checked", "EnginesInDoubt", "Proof", "check", "prove"),
    "remora.api.patterns.comparisons": ("Comparison", "equivalent", "included"),
    "remora.api.patterns.explanations": ("Explanation", "explain"),
    "remora.api.detecting.findings": ("detect", "evaluate"),
    "remora.api.detecting.found": ("Found", "FoundByPartition"),
    "remora.api.judging": ("Failure", "Judgement", "judge"),
    "remora.api.patterns.patterns": ("parse",),
    "remora.api.detecting.traces": ("Trace", "read_trace", "read_traces", "trace"),
    "remora.api.detecting.detection": ("WrongDetector",),
    "remora.api.notebook": ("load_ipython_extension", "unload_ipython_extension"),
    "remora.systems.derivation": ("Derived", "derive"),
    "semantics.errors": ("InputError", "LimitExceeded"),
    "semantics.carlson_lisper.expressions": ("Expression",),
    "semantics.events": ("Interval",),
    "semantics.carlson_lisper.occurrences": ("Instance", "Occurrence"),
}
"""Where each name comes from; a test compares it with what type checkers are told above."""

_MODULE_OF = {name: module for module, names in _PLACES.items() for name in names}

__all__ = ["__version__", *_MODULE_OF]


def __getattr__(name: str) -> Any:
    """A name of the interface, imported when it is asked for; in IPython values then show themselves as there."""
    if name not in _MODULE_OF:
        # With its name and module, Python suggests one that is similar.
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__])
    if "IPython" in sys.modules:
        import_module("remora.api.notebook").load_if_in_ipython()
    found = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
