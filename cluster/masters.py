"""Spark masters as users name them: this machine, a cluster, a Spark Connect server, spark-submit's own."""

from __future__ import annotations

import os
import re

from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway

DEFAULT_MASTER = "local[*]"

ATTEMPTS_PER_TASK = 8
"""In plain local mode Spark gives a task one attempt, and a lost worker ends the job; on a cluster it gives four."""

_LOCAL = re.compile(r"local(?:\[(?P<threads>\d+|\*)(?:,\s*(?P<attempts>\d+))?\])?")
_LOCAL_CLUSTER = re.compile(r"local-cluster\[\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\]")
_CLUSTER = re.compile(r"yarn|(?:spark|k8s)://.+")
_CONNECT = re.compile(r"sc://(?:\[[^\]]+\]|[^/:;\[\]]+)(?::\d+)?(?:/.*)?")
_LOOPBACK = re.compile(r"local.*|spark://(?:localhost|127\.[\d.]+|\[::1\])(?::.*)?")

_SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""Set where spark-submit has started Spark's Java process, and then this Python."""


def retrying_master(master: str) -> str:
    """Return `master` such that a task whose worker was lost is tried again.

    `local`, `local[N]` and `local[*]` get a number of attempts; one that is written out (`local[2,1]`) stays.

    Raises:
        ValueError: when `master` is not an address that Spark knows.
    """
    local = _LOCAL.fullmatch(master)
    if local:
        return f"local[{local['threads'] or 1},{local['attempts'] or ATTEMPTS_PER_TASK}]"
    if any(kind.fullmatch(master) for kind in (_LOCAL_CLUSTER, _CLUSTER, _CONNECT)):
        return master
    raise ValueError(
        f"not a Spark master: {master!r}; use for example local[4], spark://host:7077, yarn or sc://host:15002"
    )


def workers_are_ours(master: str) -> bool:
    """Whether the workers find the modules that are found here, as those of `local` do; others get what is sent."""
    return _LOCAL.fullmatch(master) is not None


def is_on_this_machine(master: str) -> bool:
    """Whether Spark and its workers run on this machine, started by us."""
    return master.startswith("local")


def is_connect(master: str) -> bool:
    """Whether this is the address of a Spark Connect server."""
    return master.startswith("sc://")


def talks_on_loopback(master: str) -> bool:
    """Whether no process of Spark has to be reached from another machine."""
    return _LOOPBACK.fullmatch(master) is not None


def is_submitted() -> bool:
    """Whether this program was started by spark-submit, with Spark beside it."""
    return _SUBMITTED in os.environ


def submitted_settings() -> SparkConf:
    """The settings that spark-submit was given; to be asked for only where `is_submitted`."""
    SparkContext._ensure_initialized(gateway=SparkContext._gateway or launch_gateway())
    return SparkConf()


def usual_master() -> str:
    """The master where none is named: what spark-submit was given, or all processors of this machine."""
    return submitted_settings().get("spark.master", DEFAULT_MASTER) if is_submitted() else DEFAULT_MASTER
