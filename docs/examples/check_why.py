"""Check what `remora why PATTERN LOG --at TIME --format json` prints, by `python check_why.py WHY.json LOG`.

LOG is CSV or JSON Lines, with ticks or dates. By it alone each claim is checked, not its words; the latest start for
each end is enough to know (Carlson and Lisper, Theorem 4.6). Exit status 0: accepted, 1: rejected, 2: cannot be read.
"""

import csv
import json
import sys
from bisect import bisect_left, bisect_right
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from itertools import accumulate, count
from pathlib import Path

NEVER = (-1, 0)  # before every time, which is a tick and the place in it: 0, but for rows of --ties
UNITS = {"us": "microseconds", "ms": "milliseconds", "s": "seconds", "min": "minutes", "h": "hours", "d": "days"}
LATEST = {  # the latest start of what ends at a time, by the definitions of the operators
    "|": lambda s, t, end: max(s.starts[end], t.starts[end]),
    "+": lambda s, t, end: max(min(s.starts[end], t._best(end)), min(s._best(end), t.starts[end])),
    ";": lambda s, t, end: s._best(t.starts[end], bisect_left),
    "-": lambda s, t, end: s.starts[end] if t._best(end) < s.starts[end] else NEVER,
    "[t]": lambda s, bound, end: s.starts[end] if end[0] - s.starts[end][0] <= bound else NEVER,
}


def _stamp(time, place=0):
    return tuple(time) if isinstance(time, list) else (time, place)


def _occurrences(path, why):
    how, found, places = {"tick": "1s", "partition_by": None, **why["reading"]}, {}, defaultdict(count)
    if why["language"] != "patterns" or how.keys() - {"ties", "sort", "partition_by", "tick"}:
        raise ValueError("only patterns are checked, and logs that are read without further options")
    tick = timedelta(**{UNITS[unit := how["tick"].lstrip("0123456789")]: int(how["tick"].removesuffix(unit))})
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file) if path.suffix == ".csv" else map(json.loads, file):
            cell = str(row["time"])
            date = cell.isdigit() or datetime.fromisoformat(cell)
            time = int(cell) if date is True else (date - datetime(1970, 1, 1, tzinfo=date.tzinfo and UTC)) // tick
            mine = str(row.get(how["partition_by"]) or "") == str(why.get("partition") or "")
            if mine and str({"event": row["event"]}) in str(why["tree"]):
                found[row["event"], (time, next(places[time]) * ("ties" in how))] = str(row.get("value") or "")
    return found


class Part:
    """A part of the pattern, with the latest start for each end."""

    def __init__(self, tree, log):
        self.event, self.operator, operands = tree.get("event"), tree.get("operator"), tree.get("operands", ())
        self.operands = [Part(each, log) for each in operands]
        ends = {end for each in self.operands for end in each.ends}
        starts = {end: LATEST[self.operator](*(*self.operands, tree.get("bound"))[:2], end) for end in ends}
        starts |= {end: end for event, end in log if event == self.event}
        self.starts = defaultdict(lambda: NEVER, {end: start for end, start in sorted(starts.items()) if start > NEVER})
        self.ends, self.latest = list(self.starts), [NEVER, *accumulate(self.starts.values(), max)]

    def _best(self, end, side=bisect_right):
        return self.latest[side(self.ends, end)]


def check(claim, part, log, of=None):
    """Check a claim about a part of the pattern; the interval in which it says that an instance is, or none is."""
    spans = {one["operand"]: check(one, part.operands[one["operand"]], log, part.operator) for one in claim["parts"]}
    found, ends, whole = claim["claim"] == "instance", part.ends, None
    if found or "within" in claim:
        start, end = whole = tuple(map(_stamp, claim.get("within") or (claim["start"], claim["end"])))
        right = part.starts[end] == start if found else part._best(end) < start
    else:
        to, before = _stamp(claim.get("to"), float("inf")), claim.get("before")
        stop = bisect_right(ends, to) if before is None else bisect_left(ends, _stamp(before))
        right = bisect_left(ends, _stamp(claim["from"] or 0)) >= stop
    if found and part.event:
        right &= (claim["event"], str(claim["value"] or "")) == (part.event, log.get((part.event, end)))
    elif found:
        right &= sorted(spans) in {"|": [[0], [1]], "[t]": [[0]]}.get(part.operator, [[0, 1]])
        starts, ends = ([spans[n][side] for n in sorted(spans)] for side in (0, 1))
        right &= {";": ends[:1] < starts[1:], "-": len({*spans.values()}) == 1}.get(part.operator, True)
        right = right and all(one["met"] for one in claim["parts"]) and whole == (min(starts), max(ends))
    if not right or claim["met"] is not (found is not (claim["operand"] == 1 and of == "-")):
        sys.exit(print("rejected:", claim["said"]) or 1)
    return whole


def _verify(why, log):
    whole, at = Part(why["tree"], log), why["at"]
    answers = [check(answer, whole, log) for answer in why["answers"]]
    missed = [check(one, whole, log) or (one["claim"], one.get("from"), one.get("to")) for one in why["missed"]]
    there = [(whole.starts[end], end) for end in whole.ends if end[0] == at]
    if there != answers or missed != ([] if answers else [("none", at, at)]):
        sys.exit(print("rejected: this is not all that ends, or the miss of it, at", at) or 1)


if __name__ == "__main__":
    try:
        _verify(why := json.loads(Path(sys.argv[1]).read_text("utf-8")), _occurrences(Path(sys.argv[2]), why))
    except (ValueError, LookupError, TypeError, AttributeError, OSError) as error:
        sys.exit(print("not read:", repr(error)) or 2)
    print("accepted:", json.dumps(why["tree"]), "at", why["at"], "is found" if why["answers"] else "is not found")
