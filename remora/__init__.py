"""Remora: detect, explain, compare, prove and judge patterns of an event detection algebra.

    import remora

    remora.detect("(fail ; fail)[60] - ok", "log.csv")     # one instance for each time at which it occurs
    remora.evaluate("fail ; ok", {"fail": [3], "ok": [9]})  # all instances, by definition
    remora.instances("fail ; ok", "log.csv").count()        # all of them, however many, listed or counted
    remora.explain("a ; (b + c)")                           # what it takes, whether it can occur
    remora.equivalent("b | (a ; b)", "b")                   # on all traces, or a trace that tells them apart
    remora.diff("a ; b", "(a ; b)[9]", "log.csv")           # what a change of a pattern does
    remora.prove("A + B == B + A")                          # for all event streams, or a counterexample
    remora.judge(MyDetector)                                # laws and random cases against a detector
    remora.derive("orders.rules", "orders.jsonl")           # what rules or profiles find in a log
    remora.why("fail ; ok", "log.csv", at=9)                # how that is found at a time, or what is missing

A pattern is a text or an `Expression`; a trace is a path, a table, a mapping from event types to times, or a `Trace`.
What comes back is frozen, typed, and shows itself in a terminal and in a notebook. A mistake in what was given is an
`InputError`, which says where it is and what to do about it.

Each name is imported when it is first used.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from detectors.carlson_lisper.catalogue import WrongDetector
    from detectors.carlson_lisper.protocol import Detector
    from detectors.protocol import NodeState
    from laws.standings import Standing
    from remora.api.campaigning import Campaign, campaign
    from remora.api.claiming.claims import Answers, Checked, EnginesInDoubt, Proof, check, prove
    from remora.api.detecting.found import Found, FoundByPartition, detect, evaluate
    from remora.api.detecting.instances import Instances, instances
    from remora.api.detecting.traces import Trace, read_trace, read_traces, trace
    from remora.api.judging import Failure, Judgement, judge
    from remora.api.notebook import load_ipython_extension, unload_ipython_extension
    from remora.api.patterns.comparisons import Comparison, equivalent, included
    from remora.api.patterns.explanations import Explanation, explain
    from remora.api.patterns.sampling import samples
    from remora.api.patterns.translations import Translation, translate
    from remora.systems.changes import Change, diff
    from remora.systems.derivation import Derived, derive
    from remora.systems.reasons import Why, why
    from semantics.carlson_lisper.expressions import Expression
    from semantics.carlson_lisper.occurrences import Instance, Occurrence
    from semantics.carlson_lisper.syntax import parse
    from semantics.errors import InputError, LimitExceeded
    from semantics.events import Interval
    from semantics.traces.reading import Reading

__version__ = "0.2.0"

__all__ = [
    "Answers", "Campaign", "Change", "Checked", "Comparison", "Derived", "Detector", "EnginesInDoubt",
    "Explanation", "Expression", "Failure", "Found", "FoundByPartition", "InputError", "Instance", "Instances",
    "Interval", "Judgement", "LimitExceeded", "NodeState", "Occurrence", "Proof", "Reading", "Standing", "Trace",
    "Translation", "Why", "WrongDetector", "__version__", "campaign", "check", "derive", "detect", "diff",
    "equivalent", "evaluate", "explain", "included", "instances", "judge", "load_ipython_extension", "parse",
    "prove", "read_trace", "read_traces", "samples", "trace", "translate", "unload_ipython_extension", "why",
]  # fmt: skip

_IMPORTS = re.findall(r"^    from ([\w.]+) import (.+)$", Path(__file__).read_text("utf-8"), re.MULTILINE)
_MODULE_OF = {name: module for module, names in _IMPORTS for name in names.split(", ")}
"""Where each name comes from, as type checkers are told above."""


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
