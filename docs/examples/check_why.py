"""Check what `remora why PATTERN LOG --at TIME --format json` prints, by `python check_why.py WHY.json LOG`.

LOG is CSV or JSON Lines with time (in ticks), event and value. Every claim is checked but the sentences in `said`: what
is derived; that no instance with the same end starts later; that what is missing, or forbidden, is not there. By end
the latest start of each part is enough to know (Carlson and Lisper, Theorem 4.6). The exit status is 0 if all is
accepted, 1 if something is rejected, 2 if this checker cannot read the document or the log.
"""

import csv
import json
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import accumulate
from pathlib import Path

NEVER = (-1, 0)  # before every time, which is a tick and the place in it: 0, but for rows of --ties


def _ensure(holds, reason):
    if not holds:
        sys.exit(print("rejected:", reason) or 1)


def _text(cell):
    return "" if cell is None else str(cell)


def _stamp(time, place=0):
    return tuple(time) if isinstance(time, list) else (time, place)


def occurrences(path, why):
    """The values of what occurs, by event type and time."""
    how, types, column = why["reading"], _leaves(why["tree"]), why["reading"].get("partition_by")
    if why["language"] != "patterns" or how.keys() - {"ties", "sort", "partition_by"}:
        raise ValueError("only patterns are checked, and logs that are read without further options")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file)) if path.suffix == ".csv" else [json.loads(line) for line in file]
    found, places = {}, Counter()
    for row in sorted(rows, key=lambda row: int(row["time"])):
        if row["event"] in types and (not column or _text(row[column]) == _text(why["partition"])):
            time = int(row["time"])
            found[row["event"], (time, places[time] * ("ties" in how))] = row.get("value")
            places[time] += 1
    return found


def _leaves(tree):
    return [tree["event"]] if "event" in tree else [name for each in tree["operands"] for name in _leaves(each)]


class Part:
    """A part of the pattern, with the latest start for each end, by the definitions of the operators."""

    def __init__(self, tree, log):
        self.event, self.operator, self.bound = tree.get("event"), tree.get("operator"), tree.get("bound")
        self.operands = [Part(each, log) for each in tree.get("operands", ())]
        ends = {end for each in self.operands for end in each.ends} | {end for name, end in log if name == self.event}
        self.starts = {end: start for end in ends if (start := self._start(end)) > NEVER}
        self.ends = sorted(self.starts)
        self.latest = list(accumulate(map(self.starts.get, self.ends), max))

    def _start(self, end):
        s, t = (self.operands[0], self.operands[-1]) if self.operands else (self, self)
        left, right = (end, end) if self.event else (s.starts.get(end, NEVER), t.starts.get(end, NEVER))
        match self.operator:
            case "|" | None:
                return max(left, right)
            case "+":
                return max(min(left, t._best(end)), min(s._best(end), right))
            case ";":
                return s._best(right, bisect_left)
            case "-":
                return left if t._best(end) < left else NEVER
        return left if end[0] - left[0] <= self.bound else NEVER

    def _best(self, end, side=bisect_right):
        stop = side(self.ends, end)
        return self.latest[stop - 1] if stop else NEVER


def check(claim, part, log, forbidden=False):
    """Check a claim about a part of the pattern; the interval of the instance that it derives, if it derives one."""
    spans = [
        check(one, part.operands[(n := one["operand"])], log, (n, part.operator) == (1, "-")) for one in claim["parts"]
    ]
    derives = claim["claim"] == "instance"
    _ensure(claim["met"] is (derives is not forbidden), "what is met is there, or it is forbidden and not there")
    if not derives and "within" in claim:
        return _ensure(part._best(_stamp(claim["within"][1])) < _stamp(claim["within"][0]), "something lies within")
    if not derives:
        to, before = _stamp(claim.get("to"), float("inf")), claim.get("before")
        stop = bisect_right(part.ends, to) if before is None else bisect_left(part.ends, _stamp(before))
        first = NEVER if claim["from"] is None else _stamp(claim["from"])
        return _ensure(bisect_left(part.ends, first) >= stop, "an instance ends when none is said to")
    start, end = whole = _stamp(claim["start"]), _stamp(claim["end"])
    made = {one["operand"]: span for one, span in zip(claim["parts"], spans, strict=True) if span}
    if part.event:
        known = start == end and (part.event, end) in log and claim["event"] == part.event
        _ensure(known and _text(log[part.event, end]) == _text(claim["value"]), "there is no such occurrence")
        return whole
    wanted = {"+": {0, 1}, ";": {0, 1}, "|": {*list(made)[:1]}}.get(part.operator, {0})
    _ensure(made and made.keys() == wanted, "an instance is made of others than its operator says")
    _ensure(whole == (min(made.values())[0], max(b for _, b in made.values())), "the parts start or end elsewhere")
    _ensure(part.operator != ";" or made[0][1] < made[1][0], "the first part does not end before the second one starts")
    _ensure(part.operator != "[t]" or end[0] - start[0] <= part.bound, "it takes too long")
    last = [claim["parts"][-1].get(name) for name in ("claim", "operand", "within")]
    absent = last == ["none", 1, [claim["start"], claim["end"]]]
    _ensure(part.operator != "-" or absent, "nothing says that what is forbidden does not lie within")
    return whole


def _verify(why, log):
    whole, at = Part(why["tree"], log), why["at"]
    answers = [check(answer, whole, log) for answer in why["answers"]]
    there = [(whole.starts[end], end) for end in whole.ends if end[0] == at]
    _ensure(there == answers, "another instance ends then, or one starts later")
    missed = [check(one, whole, log) or (one["claim"], one.get("from"), one.get("to")) for one in why["missed"]]
    _ensure(missed == ([] if answers else [("none", at, at)]), "what is missed is not what was asked")


if __name__ == "__main__":
    try:
        why = json.loads(Path(sys.argv[1]).read_text("utf-8"))
        _verify(why, occurrences(Path(sys.argv[2]), why))
    except (ValueError, LookupError, TypeError, AttributeError, OSError) as error:
        sys.exit(print("not read:", repr(error)) or 2)
    print("accepted:", json.dumps(why["tree"]), "at", why["at"], "is found" if why["answers"] else "is not found")
