"""The proof side of the HTML report: proofs, errata, neighbours, axioms, stability, the record."""

from __future__ import annotations

import re
from typing import Any

import pytest

from reports.results.audits import Axioms, Erratum, NeededAxioms
from reports.results.claims import Claim, Obligation
from reports.results.report import report_of
from reports.sections.axioms import axiom_matrix
from reports.sections.claims import network, obligation_groups
from reports.sections.errata import KINDS, errata_groups, not_shown
from reports.writing.html import DRAWN, render_html, typeset
from tests.reports.test_html import Page


def section(html: str, name: str) -> str:
    found = re.search(rf'<section aria-labelledby="{name}">.*?</section>', html, re.DOTALL)
    assert found, name
    return found[0]


def words(html: str, name: str) -> str:
    return Page(section(html, name)).words


# --------------------------------------------------------------------------------------------------- claims


def test_a_theorem_says_how_it_is_proved_and_what_it_rests_on_and_trusts(proofs: dict[str, Any]) -> None:
    html = render_html(proofs)
    said = words(html, "claims")
    for text in ("Induction over the times.", "finitely many instances end", "It counts ticks."):
        assert text in said
    assert "not claimed: It counts ticks." in said
    assert "1 agreed, 1 not claimed" in said
    proofs["claims"].append(
        {**proofs["claims"][-2], "id": "lemma:5.4", "condition": "A is a primitive event type"}
    )
    said = words(render_html(proofs), "claims")
    assert "1 agreed, 2 not claimed" in said
    assert "where A is a primitive event type" in said
    assert '<a href="#claim-lemma-5-1">lemma:5.1</a>' in html


def test_a_name_that_stands_for_its_parts_leads_to_the_first_and_an_unknown_one_nowhere() -> None:
    known = network(
        [
            Claim("theorem:4.6.dis"),
            Claim("theorem:4.6.con"),
            Claim("lemma:5.3", rests_on=("theorem:4.6", "lemma:9")),
        ]
    )
    assert known.target("theorem:4.6") == "theorem:4.6.dis"
    assert known.target("lemma:5.3~7") == known.target("lemma:5.3/base") == "lemma:5.3"
    assert known.target("lemma:5") == "lemma:5.3"
    assert known.target("lemma:9") == known.target("lemma:5.31") == ""
    assert known.users == {"theorem:4.6.dis": ("lemma:5.3",), "theorem:4.6.con": ("lemma:5.3",)}


def test_a_name_of_a_claim_means_that_claim_and_not_what_is_below_it() -> None:
    claims = [Claim("lemma:5.5.queue"), Claim("lemma:5.5"), Claim("theorem:5.1", rests_on=("lemma:5.5",))]
    assert network(claims).users == {"lemma:5.5": ("theorem:5.1",)}


def test_many_obligations_are_folded_and_few_are_not() -> None:
    many, few = (obligation_groups([Obligation(standing="proved")] * count)[0] for count in (5, 4))
    assert (many.shown, few.shown) == (False, True)


def test_obligations_of_which_one_is_not_proved_are_not_folded() -> None:
    items = [Obligation(standing="proved")] * 8 + [Obligation(standing="unknown")]
    (group,) = obligation_groups(items)
    assert group.shown
    assert group.standings == {"proved": 8, "unknown": 1}


def test_obligations_over_dense_time_are_apart() -> None:
    items = [Obligation(time="int"), Obligation(time="real"), Obligation(time="int")]
    assert [group.title for group in obligation_groups(items)] == [
        "2 obligations over integer time",
        "1 obligation over dense time",
    ]


def test_each_engine_is_shown_with_its_answer_and_its_cost(proofs: dict[str, Any]) -> None:
    said = words(render_html(proofs), "claims")
    assert "z3 5.4.0 unsat 4 ms, 7 706, eager instantiation" in said
    assert "cvc5 1.4.2 unknown 10 ms, 3 125, full saturation its budget is used up" in said
    (group,) = obligation_groups(report_of(proofs).claims[3].obligations)
    assert [(engine, round(seconds, 3), work) for engine, seconds, work in group.engines] == [
        ("z3 5.4.0", 0.024, 6 * 7706),
        ("cvc5 1.4.2", 0.06, 6 * 3125),
    ]


@pytest.mark.parametrize(
    ("checked", "shown"),
    [(True, "certificate accepted"), (False, "CERTIFICATE REJECTED"), (None, "certificate not checked")],
)
def test_only_a_certificate_that_was_checked_counts_as_accepted(
    checked: bool | None, shown: str, proofs: dict[str, Any]
) -> None:
    proofs["claims"][2]["obligations"][0]["certificate"]["checked"] = checked
    said = words(render_html(proofs), "claims")
    assert shown in said
    assert ("certificate accepted" in said) == (checked is True)


def test_a_counterexample_that_is_a_sentence_is_one_and_is_not_drawn(proofs: dict[str, Any]) -> None:
    proofs["neighbours"] = None
    proofs["claims"][1]["counterexample"] = {"summary": "with τ = 2 the step outputs ⟨⟩"}
    html = render_html(proofs)
    assert "with τ = 2 the step outputs ⟨⟩" in words(html, "claims")
    assert "<svg" not in section(html, "claims")


def test_a_wrong_step_is_drawn_and_its_history_is_a_table(
    proofs: dict[str, Any], step: dict[str, Any]
) -> None:
    proofs["neighbours"] = None
    proofs["claims"][1]["counterexample"] = step
    html = section(render_html(proofs), "claims")
    said = Page(html).words
    assert "Time Left operand Right operand 0 {a@0} ⟨⟩ 1 ⟨⟩ {b@1}" in said
    assert "Then the step outputs {b@1}; valid is {a@0, b@1}." in said
    assert html.count("<svg") == 1


# --------------------------------------------------------------------------------------------------- errata


def test_errata_are_grouped_by_kind_with_the_gravest_first_and_unknown_kinds_last() -> None:
    entries = [Erratum(kind=kind) for kind in ("zeal", *reversed(list(KINDS)))]
    assert [group.kind for group in errata_groups(entries)] == [*KINDS, "zeal"]
    assert all(group.meaning for group in errata_groups(entries)[:-1])


def test_an_erratum_has_its_place_print_problem_reading_and_evidence(proofs: dict[str, Any]) -> None:
    said = words(render_html(proofs), "errata")
    assert "Theorem 4.5, proof theorem-4.5-less Printedstart(t) < start(t')" in said
    assert "a sign may have been lost in the scan" in said
    assert "What is wrongDef. 3.12 gives at most." in said
    assert "Readstart(t) ≤ start(t')" in said
    assert "✓ shown by 1 check" in said
    assert "expected: fails; found: false of S = {p@0}" in said
    assert "In questionA count." in said
    assert "all evidence comes out as claimed" in said


@pytest.mark.parametrize("as_claimed", [False, None])
def test_an_erratum_that_its_evidence_does_not_show_is_an_alarm(
    as_claimed: bool | None, proofs: dict[str, Any]
) -> None:
    assert not not_shown(report_of(proofs).errata)
    proofs["errata"][0]["as_claimed"] = as_claimed
    html = section(render_html(proofs), "errata")
    assert "NOT AS CLAIMED" in html
    assert '<a href="#erratum-theorem-4-5-less">' in html
    assert '<article class="entry alarm"' in html
    assert "✕ NOT SHOWN" in html


def test_errata_and_claims_can_be_filtered_by_what_their_entries_carry(proofs: dict[str, Any]) -> None:
    html = render_html(proofs)
    for name, number in (("claims", 5), ("errata", 2)):
        part = section(html, name)
        (target,) = re.findall(r'data-for="([\w-]+)"', part)
        assert f'id="{target}"' in part
        assert part.count("data-item") == number
        for select in re.findall(r'<select name="(\w+)"', part):
            assert part.count(f"data-{select}=") == number


# ----------------------------------------------------------------------------------- neighbours and definitions


def test_neighbours_are_counted_and_an_open_one_is_said(proofs: dict[str, Any]) -> None:
    said = words(render_html(proofs), "neighbours")
    assert "all decided Of 51 neighbours, 47 are refuted and 4 are proved for all streams." in said
    proofs["neighbours"]["claims"][0] |= {"refuted": 41, "open": 1}
    said = words(render_html(proofs), "neighbours")
    assert "all decided" not in said
    assert "OPEN Of 51 neighbours, 46 are refuted and 4 are proved for all streams; 1 are open." in said


def claim(html: str, name: str) -> str:
    found = re.search(
        rf'<tbody role="rowgroup" id="claim-{name}".*?(?=<tbody role="rowgroup" id=|</section>)',
        html,
        re.DOTALL,
    )
    assert found, name
    return found[0]


def test_a_claim_draws_its_own_false_neighbours_and_tells_those_beyond_a_few(proofs: dict[str, Any]) -> None:
    proofs["neighbours"]["examples"] = [
        {**proofs["neighbours"]["examples"][0], "id": f"law:14~{number}"} for number in range(DRAWN + 2)
    ]
    html = render_html(proofs)
    own = claim(html, "law-14")
    assert own.count("<svg") == DRAWN
    said = Page(own).words
    assert "46 with one thing changed: ✕ 42 false, refuted by a trace, ● 4 true." in said
    assert "2 further false neighbours, not drawn" in said
    assert "with A = a, B = b, t = 1; over a@0, b@1, left only: {a@0, b@1}" in said
    assert "1 true neighbour: a law of its own" in said
    assert "law:14~" not in claim(html, "lemma-5-3")


def test_neighbours_of_a_claim_that_the_report_lacks_are_not_lost(proofs: dict[str, Any]) -> None:
    assert "theorem:4.5~5" in words(render_html(proofs), "neighbours")


def test_a_definition_that_no_claim_pins_down_is_said_first(proofs: dict[str, Any]) -> None:
    said = words(render_html(proofs), "neighbours")
    assert "1 not noticed" in said
    assert said.index("valid~1") < said.index("seq~1")
    proofs["alterations"] = proofs["alterations"][:1]
    said = words(render_html(proofs), "neighbours")
    assert "all are noticed" in said
    assert "not noticed" not in said


# ------------------------------------------------------------------------------------------ axioms, solvers, record


def test_the_matrix_of_axioms_counts_and_names_the_claims_that_need_none(proofs: dict[str, Any]) -> None:
    matrix = axiom_matrix(report_of(proofs).axioms)
    assert matrix.without == ("lemma:5.1",)
    assert [(row.claim, row.needs) for row in matrix.rows] == [
        ("law:14", (False, True)),
        ("lemma:5.3", (True, False)),
    ]
    assert matrix.counts == (1, 1)
    said = words(render_html(proofs), "axioms")
    assert "1 of 3 claims need none of them: lemma:5.1." in said


def test_the_matrix_tells_a_model_without_an_axiom_from_a_proof_that_was_not_found() -> None:
    data = {
        "axioms": ["interval", "join-end"],
        "rows": [
            {"id": "law:1", "needs": [], "detail": "interval: spare; join-end: spare"},
            {
                "id": "law:2",
                "needs": ["interval", "join-end"],
                "detail": "interval: independent; join-end: unproved",
            },
        ],
    }
    matrix = axiom_matrix(report_of({"axioms": data}).axioms)
    assert matrix.without == ("law:1",)
    (row,) = matrix.rows
    assert (row.needs, row.shown, row.detail) == ((True, True), (True, False), "")
    html = section(render_html({"axioms": data}), "axioms")
    assert [html.count(sign) for sign in ("●</span>", "○</span>")] == [1, 1]


def test_an_axiom_that_is_needed_and_not_listed_has_a_column() -> None:
    matrix = axiom_matrix(Axioms(("interval",), (NeededAxioms("law:1", ("join-end",)),)))
    assert (matrix.axioms, matrix.counts) == (("interval", "join-end"), (0, 1))


def test_a_disagreement_and_a_difference_from_the_record_are_loud(proofs: dict[str, Any]) -> None:
    html = section(render_html(proofs), "solvers")
    assert "DISAGREEMENT" in html
    assert "law:9: z3 has a proof, cvc5 a model" in html
    assert "DIFFERENT" in html
    assert "law:3 was recorded as unknown" in html
    proofs["solvers"]["disagreements"] = []
    proofs["record"] = {"same": True, "differences": []}
    html = section(render_html(proofs), "solvers")
    assert "DISAGREEMENT" not in html
    assert "DIFFERENT" not in html


# ------------------------------------------------------------------------------------------------------------ text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("E_τ ≡ E'_τ'", "E<sub>τ</sub> ≡ E&#39;<sub>τ&#39;</sub>"),
        ("(B;B)_2 and e_0", "(B;B)<sub>2</sub> and e<sub>0</sub>"),
        ("the obligation `a < b`", "the obligation <code>a &lt; b</code>"),
        ("join_start and user_x", "join_start and user_x"),
        ("a & <b>", "a &amp; &lt;b&gt;"),
    ],
)
def test_a_text_is_typeset_as_the_source_prints_it(text: str, shown: str) -> None:
    assert str(typeset(text)) == shown
