"""Small traces that come with the package, with patterns that mean something on them.

`logins.csv` has connections, failed and successful logins, locks and logouts of a made-up host, in seconds. `press.csv`
has the button and the alarms of Example 1.1 of the source, in tenths of a second. `deliveries.jsonl` has orders and
parcels of a made-up shop, in hours, for `deliveries.rules`. `logistics.jsonl` has a day of the trucks of Hinze and
Voisard, in minutes, for their profiles in `logistics.profile`.
"""

from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).parent

RULES, PROFILES = _HERE / "deliveries.rules", _HERE / "logistics.profile"
"""A program of rules for `deliveries.jsonl`, and a file of profiles for `logistics.jsonl`."""


class Example(NamedTuple):
    """A pattern on a trace, which is the name of a file of this package."""

    trace: str
    expression: str
    meaning: str

    @property
    def path(self) -> Path:
        """Where the trace is."""
        return _HERE / self.trace


EXAMPLES = (
    Example("logins.csv", "(fail ; fail)[60] - ok", "two failed logins within a minute with no success between"),
    Example("logins.csv", "(fail ; ok)[30]", "a success within half a minute of a failure"),
    Example("logins.csv", "connect ; lock", "a lock after a connection"),
    Example("logins.csv", "((fail ; fail)[60] ; ok)[120] - lock", "a success soon after repeated failures"),
    Example("press.csv", "(B ; B)[20] - (P | T)", "the button pressed twice within two seconds without an alarm"),
    Example("press.csv", "(P + T)[50]", "both alarms within five seconds, in either order"),
    Example("press.csv", "B ; (P ; T)[100]", "the button, then one alarm and then the other"),
    Example("press.csv", "(B ; B)[20] - (P ; (P + T))", "Example 6.1 of the source"),
)
"""Examples that every verification detects and compares with the meaning."""
