"""SARIF 2.1.0 (OASIS): findings at positions of source code, for the tools that show them beside that code.

A finding without a position becomes a notification of the run: tools that show code refuse a result that is nowhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"

Level: TypeAlias = Literal["error", "warning", "note"]
"""Error: something is wrong. Warning: it is not known whether something is wrong."""


@dataclass(frozen=True)
class Position:
    """Where something stands.

    Attributes:
        uri: the file; a relative one is relative to the folder in which the command runs.
        line: the line in which it begins, from 1.
        end: the last line, no earlier than `line`.
    """

    uri: str
    line: int
    end: int

    def __str__(self) -> str:
        """As compilers write it."""
        return f"{self.uri}:{self.line}"


@dataclass(frozen=True)
class Rule:
    """What findings of one kind have in common.

    Attributes:
        id: a short stable name, such as `detector/wrong`.
        title: what it says of a place, in a few words.
        help: what it means and what to do, in a sentence or two.
    """

    id: str
    title: str
    help: str


@dataclass(frozen=True)
class Result:
    """A finding.

    Attributes:
        rule: what it has in common with others.
        level: how bad it is.
        message: what is wrong in one sentence, then at length.
        position: where, if it is known.
        subject: what it is about, such as the id of a claim or the name of a detector.
        identity: the same text in every run in which the same thing is wrong.
    """

    rule: Rule
    level: Level
    message: str
    position: Position | None
    subject: str
    identity: str


@dataclass(frozen=True)
class Run:
    """A run of a command.

    Attributes:
        version: the version of Remora.
        command: the command line; "" if it is not known.
        exit_status: how it ended.
        results: what was found.
    """

    version: str
    command: str
    exit_status: int
    results: Sequence[Result]


def sarif_json(run: Run) -> str:
    """The document as text."""
    return json.dumps(sarif_data(run), ensure_ascii=False, indent=2) + "\n"


def sarif_data(run: Run) -> dict[str, Any]:
    """The document as plain data."""
    rules = list(dict.fromkeys(result.rule for result in run.results))
    placed = [(result, result.position) for result in run.results if result.position is not None]
    invocation: dict[str, Any] = {
        # A command that looked at everything has succeeded, whatever it found.
        "executionSuccessful": run.exit_status in (0, 1),
        "exitCode": run.exit_status,
        "toolExecutionNotifications": [
            _notification(result, rules) for result in run.results if result.position is None
        ],
    }
    if run.command:
        invocation["commandLine"] = run.command
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Remora",
                        "version": run.version,
                        "semanticVersion": run.version,
                        "rules": [_rule_data(rule) for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [invocation],
                "results": [_result_data(result, place, rules) for result, place in placed],
            }
        ],
    }


def _rule_data(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.help},
        "help": {"text": rule.help},
    }


def _result_data(result: Result, place: Position, rules: Sequence[Rule]) -> dict[str, Any]:
    return {
        "ruleId": result.rule.id,
        "ruleIndex": rules.index(result.rule),
        "level": result.level,
        "message": {"text": result.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": place.uri},
                    "region": {"startLine": place.line, "endLine": place.end},
                },
                "logicalLocations": [{"fullyQualifiedName": result.subject}],
            }
        ],
        "partialFingerprints": {"remora/v1": result.identity},
    }


def _notification(result: Result, rules: Sequence[Rule]) -> dict[str, Any]:
    return {
        "level": result.level,
        "message": {"text": f"{result.subject}: {result.message}"},
        "associatedRule": {"id": result.rule.id, "index": rules.index(result.rule)},
    }
