"""Calls that a newcomer gets wrong: each ends in an `InputError` that names what was given and what may be."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import remora

unchecked: Any = remora
"""Remora without its types, for calls that are wrong on purpose."""

FOLDER = "nowhere.campaign"
LOGINS = Path(remora.__file__).parent / "examples" / "logins.csv"

MISTAKES: list[tuple[Callable[[], object], str, str]] = [
    (lambda: unchecked.detect(5, {"a": [1]}), "5 is no expression", "The pattern comes first"),
    (lambda: unchecked.detect("a", 5), "5 is no trace", '{"fail": [3, 9]}'),
    (lambda: unchecked.detect("a", {"x": {"a": [1]}}), "'x' has a mapping", "ask for each"),
    (lambda: unchecked.read_trace(5), "5 is no path", "in quotes"),
    (lambda: unchecked.equivalent("a", "a", steps="x"), "steps='x' is no whole number", "1 or more"),
    (lambda: unchecked.equivalent("a", "a", up_to="detections"), "not compared up to", "meaning"),
    (lambda: unchecked.explain("a[t]", bounds=5), "bounds=5 names no bounds", '{"t": 60}'),
    (lambda: unchecked.explain("a[t]", bounds={"t": -1}), "the bound t is -1", "integer >= 0"),
    (lambda: unchecked.prove("A + B == B + A", primitive=["x"]), "primitive names x", "on the command line"),
    (lambda: unchecked.check("A = A"), "unexpected", ""),
    (lambda: unchecked.prove("A == A", primitive=5), "primitive=5 is no list", '["a", "b"]'),
    (lambda: unchecked.judge("figure4", on=5), "on=5 is no list", '[("a ; b"'),
    (lambda: unchecked.judge("figure4", on=("a", {"a": [1]})), "number 1, 'a', is no pair", '[("a ; b"'),
    (lambda: unchecked.judge("figure4", cases=-1), "cases=-1 is less than 0", "0 or more"),
    (lambda: unchecked.judge("figure4", seconds="1"), "seconds='1' is no time", "more than 0"),
    (lambda: unchecked.judge("figure4", seed=-1), "the seed -1 is out of range", "whole number"),
    (lambda: unchecked.campaign(FOLDER, cases=0), "cases=0 is less than 1", "1 or more"),
    (lambda: unchecked.campaign(FOLDER, corpus="no.csv"), "there is no such file", "working directory"),
    (lambda: unchecked.detect("a", ""), "the path is empty", "path of a file"),
    (lambda: unchecked.detect("a", {"a": [1]}, detector=5), "5 makes no detector", "class or function"),
    (lambda: unchecked.trace({"a": [1, 1]}, same_time="both"), "no same_time 'both'", "first"),
    (lambda: unchecked.read_traces(LOGINS, "host"), "no column 'host'", "--partition-by"),
    (lambda: unchecked.derive("(a ; b)", []), "is no program", "remora.detect"),
    (lambda: unchecked.derive("none.rules", []), "cannot be read", ""),
    (lambda: unchecked.detect("ab.rules", {"a": [1]}), "a program, no pattern", "remora.derive"),
    (lambda: unchecked.parse(None), "None is no text", "in quotes"),
    (lambda: unchecked.prove("A == A", time="complex"), "no time 'complex'", '"int" or "real"'),
    (lambda: unchecked.prove("theorm:4.6"), "no claim 'theorm:4.6'", "Did you mean theorem:4.6?"),
    (lambda: unchecked.check(["14"]), "['14'] names no claim", "in quotes"),
    (lambda: unchecked.campaign(""), "path of the directory is empty", "working directory"),
]


@pytest.mark.parametrize(("call", "said", "remedy"), MISTAKES, ids=[said for _, said, _ in MISTAKES])
def test_a_mistake_is_told_with_what_may_be_given(
    call: Callable[[], object], said: str, remedy: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(remora.InputError) as error:
        call()
    assert said in str(error.value)
    assert remedy in error.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_one_primitive_is_not_taken_for_its_letters() -> None:
    (proof,) = remora.prove("fail ; A == fail ; A", primitive="fail")
    assert proof.standing.unbounded


def test_whole_numbers_of_other_libraries_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    assert remora.judge("figure4", cases=numpy.int64(0), seed=numpy.uint8(3))


def test_a_name_that_is_nearly_right_is_one_that_python_can_suggest_another_for() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'detecct'") as error:
        _ = unchecked.detecct
    assert (error.value.name, error.value.obj) == ("detecct", remora)
