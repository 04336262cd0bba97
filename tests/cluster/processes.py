"""Processes as Linux shows them."""

from pathlib import Path


def children(parents: set[int]) -> set[int]:
    """The processes that some have started and that have not ended."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(after_name[1]) in parents and after_name[0] != "Z":
            found.add(int(status.parent.name))
    return found


def descendants(process: int) -> set[int]:
    """The processes that one has started, and those that they have started."""
    found, last = set[int](), {process}
    while last := children(last):
        found |= last
    return found


def command_line(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
