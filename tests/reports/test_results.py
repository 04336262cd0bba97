"""The values of a report have the fields of its schema, and claim nothing that a document lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

import pytest

from reports.carlson_lisper.counterexamples import Counterexample
from reports.results.audits import CommittedRecord, Stability
from reports.results.claims import Certificate, Claim
from reports.results.report import Report, report_of
from reports.results.runs import FailedCase, Power, Span
from reports.schemas import schema

OF_SYSTEMS = {"rules", "profiles", "side_by_side"}
DOCUMENT = schema("remora/report/1")
COMMON = DOCUMENT["$defs"]["common"]["$defs"]


def properties(definition: Any) -> dict[str, Any]:
    """The properties of an object, through references, lists, mappings and alternatives."""
    found: dict[str, Any] = {}
    if not isinstance(definition, Mapping):
        return found
    if "$ref" in definition:
        found |= properties(COMMON[definition["$ref"].rpartition("/")[2]])
    for inner in (
        definition.get("items"),
        definition.get("additionalProperties"),
        *definition.get("anyOf", ()),
    ):
        found |= properties(inner)
    return {**found, **definition.get("properties", {})}


def values(kind: Any) -> Iterator[type]:
    """The classes of values within a type such as `tuple[Claim, ...]`."""
    if is_dataclass(kind):
        assert isinstance(kind, type)
        yield kind
    for inner in get_args(kind):
        yield from values(inner)


def unlike(kind: type, definition: Mapping[str, Any]) -> Iterator[str]:
    """Fields that a class or its definition has alone, those of what it holds included."""
    said, hints = properties(definition), get_type_hints(kind)
    names = {"from" if kind is Span and field.name == "begin" else field.name for field in fields(kind)}
    yield from (f"{kind.__name__}.{name}" for name in names ^ said.keys())
    for name in names & hints.keys() & said.keys():
        for inner in values(hints[name]):
            yield from unlike(inner, said[name])


def test_the_values_have_the_fields_of_the_schema_but_for_those_of_systems() -> None:
    found = set(unlike(Report, DOCUMENT)) - {f"Report.{name}" for name in OF_SYSTEMS}
    # A failing case and a stored regression are one class: each lacks what only the other has.
    assert {name for name in found if not name.startswith(FailedCase.__name__)} == set()
    assert found <= {f"FailedCase.{field.name}" for field in fields(FailedCase)}


def test_a_counterexample_has_the_fields_of_its_definition() -> None:
    assert {field.name for field in fields(Counterexample)} == properties(COMMON["counterexample"]).keys()


def test_the_comparison_with_the_schema_notices_a_field_of_either() -> None:
    definition: dict[str, Any] = {"properties": {"sha256": {}, "checked": {}, "size": {}}}
    assert set(unlike(Certificate, definition)) == {"Certificate.detail", "Certificate.size"}


@pytest.mark.parametrize("part", [Stability(), CommittedRecord(), Power()])
def test_a_part_that_is_missing_is_false_and_one_that_says_no_is_not(part: object) -> None:
    assert not part
    assert Stability(ok=False)
    assert CommittedRecord(same=False)


def test_what_a_document_lacks_is_neither_known_nor_ok() -> None:
    (claim,) = report_of({"claims": [{"id": "law:1", "counterexample": None, "ok": None}]}).claims
    assert claim == Claim("law:1")
    assert (claim.standing, claim.ok, claim.obligations) == ("unknown", False, ())
    assert report_of(dict.fromkeys(DOCUMENT["properties"])) == Report()


def test_what_a_document_has_besides_is_ignored_and_numbers_stay_as_they_are() -> None:
    report = report_of({"seconds": 3, "later": [1], "campaign": {"cases_per_second": 800, "later": {}}})
    assert f"{report.seconds} {report.campaign.cases_per_second}" == "3 800"
