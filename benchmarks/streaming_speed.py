"""How many events a second a stream on Spark takes, by the number of keys, beside one process of `remora detect`.

    python benchmarks/streaming_speed.py [--events 400000] [--files 4] [--keys 1 100 10000] [--processes 2]

The files of a folder are detected in one run, each as a micro-batch of its own. The time begins when the session is
there and warm and ends when the last micro-batch and what is pending are written. The time of `remora detect` is that
of the whole command over the same rows in one file. Where /proc tells it, the processor time is given as well, which
other programs on the machine disturb less.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from pyspark.sql import SparkSession

from benchmarks.campaign_speed import processor_seconds
from cluster.session import spark_session
from streaming.detection import SESSION_OPTIONS, settings_of
from streaming.results import Results
from streaming.run import Job, open_checkpoint, run

PATTERN = "(a ; (b + c))[9] - (c ; a)"
LATENESS = 10


def write_events(folder: Path, events: int, files: int, keys: int) -> Path:
    """Write events in order of time into files, and all of them into one; each key has an event about every tick."""
    random = Random(keys)
    folder.mkdir()
    whole = folder.parent / "whole.csv"
    header, share = "time,event,user\n", events // files
    with whole.open("w") as all_rows:
        all_rows.write(header)
        for number in range(files):
            begin = number * share
            chosen = {
                (place // keys, random.choice("abcd"), random.randrange(keys))
                for place in range(begin, begin + share)
            }
            rows = [f"{when},{event},k{key}\n" for when, event, key in sorted(chosen)]
            all_rows.writelines(rows)
            path = folder / f"{number:04}.csv"
            path.write_text(header + "".join(rows))
            os.utime(path, (1_000_000 + number, 1_000_000 + number))
    return whole


def stream_seconds(session: SparkSession, folder: Path, *, intervals: bool) -> tuple[float, float, int]:
    """How long a run over a folder takes, on the clock and of processors; how many detections there were."""
    settings = settings_of(PATTERN, lateness=LATENESS, instances=not intervals, keep_one=True)
    with tempfile.TemporaryDirectory() as place:
        results = Results(Path(place, "out"), "jsonl")
        job = Job(settings, folder, "user", Path(place, "checkpoint"), files=1, once=True)
        open_checkpoint(job, results)
        used, begin = processor_seconds(), time.monotonic()
        counts = run(session, job, results, print)
        seconds, used = time.monotonic() - begin, processor_seconds() - used
    return seconds, used, counts["detected"] + counts["pending"]


def plain_seconds(trace: Path, *, intervals: bool) -> tuple[float, int]:
    """How long `remora detect` takes for a file, and how many detections there were."""
    options = [
        "--partition-by",
        "user",
        "--same-time",
        "first",
        "--sort",
        *(["--intervals"] if intervals else []),
    ]
    command = [sys.executable, "-m", "remora", "detect", PATTERN, str(trace), *options, "--format", "jsonl"]
    begin = time.monotonic()
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - begin, ended.stdout.count(b"\n")


def main() -> None:
    """Print a line for each number of keys."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--events", type=int, default=400_000)
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument("--keys", type=int, nargs="*", default=[1, 100, 10_000])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--instances", action="store_true", help="whole instances, not only starts and ends")
    arguments = parser.parse_args()
    intervals, processes = not arguments.instances, arguments.processes
    options = {**SESSION_OPTIONS, "spark.sql.shuffle.partitions": str(processes)}
    with (
        spark_session(f"local[{processes}]", options=options) as session,
        tempfile.TemporaryDirectory() as place,
    ):
        write_events(Path(place, "warm"), 1000, 2, 10)
        stream_seconds(session, Path(place, "warm"), intervals=intervals)
        for keys in arguments.keys:
            folder = Path(place, f"keys-{keys}")
            whole = write_events(folder, arguments.events, arguments.files, keys)
            events = sum(1 for _ in whole.open()) - 1
            plain, there = plain_seconds(whole, intervals=intervals)
            seconds, used, found = stream_seconds(session, folder, intervals=intervals)
            if found != there:
                raise SystemExit(f"{found} detections by the stream, {there} by remora detect")
            line = f"{keys:6} keys  {events:9,} events  stream {events / seconds:9,.0f} events/s"
            line += f"  remora detect {events / plain:9,.0f} events/s"
            if used:
                line += f"  processor time of the stream {1e6 * used / events:6.1f} µs an event"
            print(line, flush=True)


if __name__ == "__main__":
    main()
