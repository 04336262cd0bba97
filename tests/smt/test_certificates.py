"""Certificates: bound to one problem, refused when anything else is in them, and judged by one word only."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from smt.certificates import Certificate, NotCertified, certificate, check_binding, complaints, run_checker, sha256
from smt.solvers.portfolio import CVC5, is_installed
from tests.smt.solvers.problems import text_of
from tests.tables import table

pytestmark = pytest.mark.skipif(not is_installed(), reason="no package of cvc5 for this platform")

FILE = "law-1-included.smt2"
PROBLEM = text_of("law:1", "included")
RLIMIT = 500_000


@pytest.fixture(scope="module")
def solver() -> Iterator[CVC5]:
    cvc5 = CVC5()
    yield cvc5
    cvc5.close()


@pytest.fixture(scope="module")
def good(solver: CVC5) -> Certificate:
    return certificate(PROBLEM, FILE, solver, rlimit=RLIMIT)


def rehashed(text: str, problem: str) -> str:
    return re.sub(r"sha256 [0-9a-f]{64}", f"sha256 {sha256(problem)}", text, count=1)


def test_a_certificate_says_of_what_by_whom_and_how(good: Certificate) -> None:
    first, second, *_ = good.text.splitlines()
    assert first.endswith(sha256(PROBLEM))
    assert second.startswith("; by cvc5 ") and "proof-granularity=dsl-rewrite" in second
    assert f'(reference "{FILE}")\n' in good.text
    assert complaints(good.text, PROBLEM, FILE) == ()


@pytest.mark.parametrize(("claim", "part"), [("law:14", "included"), ("theorem:4.6.tim", "condition-2")])
def test_proofs_are_complete_with_integer_and_dense_time(solver: CVC5, claim: str, part: str) -> None:
    problem = text_of(claim, part)
    dense = problem.replace("UFLIA", "UFLRA").replace("Int", "Real").replace("(<= 0 ", "(<= 0.0 ")
    for text in (problem, dense.replace("Realance", "Instance")):
        made = certificate(text, "problem.smt2", solver, rlimit=RLIMIT)
        assert ":rule trust" not in made.text


def test_what_enumeration_does_not_find_is_found_by_patterns(
    solver: CVC5, good: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smt.certificates.ENUMERATION_RLIMIT", 10)
    problem = text_of("law:14", "included")
    assert "e-matching=false" in good.text
    assert "full-saturate-quant=true" in certificate(problem, FILE, solver, rlimit=RLIMIT).text


def test_numbers_of_dense_time_need_a_point(solver: CVC5) -> None:
    problem = "(set-logic QF_LRA)(declare-const t Real)(assert (and (< t 1) (< 1 t)))(check-sat)"
    with pytest.raises(NotCertified, match="written with a point"):
        certificate(problem, FILE, solver, rlimit=RLIMIT)
    certificate(problem.replace("1", "1.0"), FILE, solver, rlimit=RLIMIT)


def test_what_is_not_refuted_has_no_certificate(solver: CVC5) -> None:
    with pytest.raises(NotCertified, match="sat"):
        certificate("(set-logic QF_LIA)(check-sat)", FILE, solver, rlimit=RLIMIT)
    with pytest.raises(NotCertified, match="budget"):
        certificate(text_of("law:14", "included"), FILE, solver, rlimit=10)


def test_a_certificate_repeats_byte_for_byte_in_another_process(good: Certificate) -> None:
    other = CVC5()
    assert certificate(PROBLEM, FILE, other, rlimit=RLIMIT).text == good.text
    other.close()


@pytest.mark.parametrize(("old", "new", "words"), table(__file__, "changed-problems"))
def test_a_changed_problem_is_another_problem(good: Certificate, old: str, new: str, words: str) -> None:
    changed = PROBLEM.replace(old, new)
    assert changed != PROBLEM
    found = "; ".join(complaints(good.text, changed, FILE))
    assert "hash" in found or "not looked into" in found
    assert re.search(words, "; ".join(complaints(rehashed(good.text, changed), changed, FILE)))


LAST_STEP = re.compile(r"\(step (@p\d+) false (:rule .*)\)\n\Z")


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (lambda text: LAST_STEP.sub("", text), "does not prove false"),
        (lambda text: LAST_STEP.sub(r"(step \1 true \2)\n", text), "does not prove false"),
        (lambda text: LAST_STEP.sub(r"(step \1 false :rule trust)\n", text), "on trust"),
        (lambda text: LAST_STEP.sub(r"(assume-push @p0 false)\n(step \1 false \2)\n", text), "prove false"),
        (lambda text: LAST_STEP.sub(r"(step \1 false :rule contra :premises (@p0))\n", text), "not known"),
        (
            lambda text: LAST_STEP.sub(
                "(assume-push @p0 false)\n(step @p00 false :rule refl :premises (@p0))\n"
                "(step-pop @p000 :rule scope :premises (@p00))\n"
                "(step @p0000 false :rule refl :premises (@p00))\n",
                text,
            ),
            "not known",
        ),
        (lambda text: f"{text}(step-pop @p0 false :rule scope :premises ())\n", "was not made"),
        (lambda text: f"{text}(assume @p0 false)\n", "does not assert"),
        (lambda text: re.sub(r"\(assume @p1 .*\n", "", text), "does not list everything"),
        (lambda text: text.replace("(assume @p1", "(exit)\n(assume @p1"), "no part of a refutation"),
        (
            lambda text: text.replace("(assume @p1", "(declare-rule r () :conclusion false)\n(assume @p1"),
            "no part of a refutation",
        ),
        (lambda text: text.replace("(define @t2 ", "(define @t1 "), "defined twice"),
        (lambda text: re.sub(r"\(define @t1 .*\n", "", text), "before it is defined"),
        (lambda text: text.replace("(reference ", '(reference "other.smt2")\n(reference '), "name"),
        (lambda text: text.partition("\n")[2], "hash"),
        (lambda text: text[:-3], "cannot be read"),
        (lambda text: "", "does not prove false"),
    ],
)
def test_a_certificate_that_was_tampered_with_is_refused(
    good: Certificate, tamper: Callable[[str], str], words: str
) -> None:
    changed = tamper(good.text)
    assert changed != good.text
    assert re.search(words, "; ".join(complaints(changed, PROBLEM, FILE)))


@given(st.data())
def test_no_assumption_can_be_another_formula(good: Certificate, data: st.DataObject) -> None:
    assumptions = re.findall(r"\(assume @p\d+ .*\)\n", good.text)
    one, other = data.draw(st.permutations(assumptions))[:2]
    formula = other.split(" ", 2)[2]
    changed = good.text.replace(one, " ".join([*one.split(" ", 2)[:2], formula]))
    assert any("does not list everything" in words for words in complaints(changed, PROBLEM, FILE))


def files(folder: Path, good: Certificate) -> tuple[Path, Path]:
    (folder / FILE).write_text(PROBLEM, "utf-8")
    (folder / "certificate.cpc").write_text(good.text, "utf-8")
    return folder / "certificate.cpc", folder / FILE


def script(folder: Path, body: str) -> Path:
    path = folder / "checker"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def test_the_word_correct_accepts_a_bound_certificate(good: Certificate, tmp_path: Path) -> None:
    checked = run_checker(script(tmp_path, "echo correct"), *files(tmp_path, good))
    assert (checked.accepted, checked.reason) == (True, "")


@pytest.mark.parametrize(("body", "reason"), table(__file__, "no-acceptance"))
def test_anything_else_is_no_acceptance(good: Certificate, tmp_path: Path, body: str, reason: str) -> None:
    checked = run_checker(script(tmp_path, body), *files(tmp_path, good))
    assert not checked.accepted
    assert reason in checked.reason


def test_the_word_correct_does_not_help_a_certificate_that_is_not_bound(good: Certificate, tmp_path: Path) -> None:
    checker = script(tmp_path, "echo correct")
    certificate_file, problem_file = files(tmp_path, good)
    other = tmp_path / "law-2-included.smt2"
    other.write_text(PROBLEM, "utf-8")
    assert "does not name" in run_checker(checker, certificate_file, other).reason
    problem_file.write_text(text_of("law:2", "included"), "utf-8")
    checked = run_checker(checker, certificate_file, problem_file)
    assert not checked.accepted
    assert "does not assert" in checked.reason


@pytest.mark.parametrize(("rest", "ends"), [("sleep 1000; echo correct", False), ("echo correct", True)])
def test_what_a_checker_starts_is_ended_with_it(good: Certificate, tmp_path: Path, rest: str, ends: bool) -> None:
    checker = script(tmp_path, f"sleep 1000 > /dev/null 2>&1 & echo $! > {tmp_path}/pid; {rest}")
    checked = run_checker(checker, *files(tmp_path, good), timeout_seconds=30 if ends else 0.5)
    assert (checked.accepted, "not done after 0.5 seconds" in checked.reason) == (ends, not ends)
    left = Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}/status")
    for _ in range(200):  # the system ends it in its own time
        if not left.exists() or "zombie" in left.read_text():
            return
        time.sleep(0.05)
    raise AssertionError("it goes on")


def test_a_certificate_is_bound_to_each_byte_of_its_problem(good: Certificate, tmp_path: Path) -> None:
    certificate_file, problem_file = files(tmp_path, good)
    assert check_binding(certificate_file, problem_file) == ()
    problem_file.write_bytes(PROBLEM.replace("\n", "\r\n").encode())
    assert any("hash" in words for words in check_binding(certificate_file, problem_file))
    problem_file.write_bytes(PROBLEM.encode())
    certificate_file.write_bytes(good.text.replace("\n", "\r\n").encode())
    assert check_binding(certificate_file, problem_file)


@pytest.mark.parametrize("which", [0, 1])
def test_a_file_that_is_not_utf_8_is_not_accepted(good: Certificate, tmp_path: Path, which: int) -> None:
    found = files(tmp_path, good)
    found[which].write_bytes(b"; caf\xe9\n" + found[which].read_bytes())
    (words,) = check_binding(*found)
    assert "not UTF-8" in words
    assert not run_checker(script(tmp_path, "echo correct"), *found).accepted


def test_the_checker_gets_the_signature_and_the_certificate(good: Certificate, tmp_path: Path) -> None:
    checker = script(tmp_path, f'[ "$1" = "--include={tmp_path}/Cpc.eo" ] && [ -f "$2" ] && echo correct')
    assert run_checker(checker, *files(tmp_path, good), signature=tmp_path / "Cpc.eo").accepted
    assert not run_checker(checker, *files(tmp_path, good)).accepted


def test_the_problem_may_be_in_another_folder(solver: CVC5, tmp_path: Path) -> None:
    made = certificate(PROBLEM, f"../obligations/{FILE}", solver, rlimit=RLIMIT)
    for folder, name, text in (("obligations", FILE, PROBLEM), ("certificates", "c.cpc", made.text)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text, "utf-8")
    certificate_file, problem_file = tmp_path / "certificates" / "c.cpc", tmp_path / "obligations" / FILE
    assert check_binding(certificate_file, problem_file) == ()
    assert run_checker(script(tmp_path, "echo correct"), certificate_file, problem_file).accepted
