"""What the proofs, the errata and the wrong steps really deliver is what the report reads."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from laws.carlson_lisper.altered.neighbours import neighbours
from laws.carlson_lisper.catalogue import errata, wordings
from laws.carlson_lisper.claims import find
from laws.carlson_lisper.invariants import STEP_LEMMAS
from laws.systems import find as find_claims
from proofs.carlson_lisper.lemmas.steps import RUNNING
from proofs.carlson_lisper.runs.steps import find_step_counterexample
from proofs.errata import check_errata
from proofs.proving import prove_claims
from remora.api.claiming.data import counterexample_data, result_data
from reports.drawing.timeline import to_text
from reports.sections.errata import KINDS
from reports.systems import counterexample_timeline
from reports.writing.html import render_html
from reports.writing.markdown import render_markdown
from smt.carlson_lisper.neighbours import decide_all, neighbour_table
from smt.solvers.portfolio import Portfolio
from smt.solvers.z3_solver import Z3
from tests.reports.test_html import Page


def as_read(data: Any) -> Any:
    return json.loads(json.dumps(data))


def test_a_theorem_and_a_law_are_shown_with_their_obligations_and_answers() -> None:
    with Portfolio([Z3()]) as portfolio:
        results = prove_claims(find_claims(["lemma:5.1", "lemma:5.2", "14"]), portfolio)
    claims = as_read([result_data(result) for result in results])
    said = Page(render_html({"claims": claims})).words
    for claim in claims:
        for obligation in claim["obligations"]:
            for text in (obligation["id"], obligation["sha256"], obligation["answers"][0]["strategy"]):
                assert text in said
    assert "Rests onlemma:5.1" in said
    assert "Used bylemma:5.2" in said


def test_errata_are_shown_with_their_evidence() -> None:
    kinds = {erratum.kind for erratum in errata()}
    assert kinds <= KINDS.keys()
    chosen = [e for e in errata() if e.id in ("introduction-shorter", "definition-3.7", "examples-3")]
    entries = as_read([result.to_data() for result in check_errata("carlson_lisper", Z3(), chosen)])
    assert len(entries) == 3
    slips = as_read([asdict(wording) for wording in wordings()])
    said = Page(render_html({"errata": entries, "wordings": slips})).words
    for entry in entries:
        assert entry["place"] in said
        assert entry["evidence"][0]["found"] in said
    assert slips[0]["printed"] in said
    assert "3 of 3 shown" in render_markdown({"errata": entries})


def test_a_step_that_is_wrong_is_drawn_with_its_history() -> None:
    lemma = STEP_LEMMAS["lemma:5.3"]
    steps = {**RUNNING[lemma.figure], "con": RUNNING[lemma.figure]["seq"]}
    found = find_step_counterexample(lemma, steps, longer=5)
    assert found is not None
    record = as_read(found.data())
    claims = [{"id": lemma.claim, "standing": "refuted", "counterexample": record}]
    said = Page(render_html({"claims": claims})).words
    assert found.summary().rpartition(": ")[2] in said
    assert "valid" in to_text(counterexample_timeline(record))


def test_neighbours_are_shown_with_examples() -> None:
    (law,) = find(["law:1"])
    decisions = decide_all(neighbours(law))
    (row,) = neighbour_table(decisions)
    near = {
        "claims": [
            {
                "id": row.claim,
                "statement": law.statement,
                "total": row.neighbours,
                "refuted": row.refuted,
                "true": row.proved,
                "open": row.open,
            }
        ],
        "true": [
            {"id": d.neighbour.id, "statement": d.neighbour.claim.statement, "changed": d.neighbour.change}
            for d in decisions
            if d.standing.unbounded
        ],
        "examples": [
            {
                "id": e.neighbour.id,
                "changed": e.neighbour.change,
                **(counterexample_data(e.counterexample) or {}),
            }
            for e in row.examples
        ],
    }
    page = Page(render_html({"neighbours": as_read(near)}))
    assert page.tags["svg"] == len(row.examples) > 0
    assert f"Of {row.neighbours} neighbours, {row.refuted} are refuted" in page.words
    assert f"{row.proved} true neighbours" in page.words
