"""Modules with another program: it reaches all that use it, and nothing else."""

import ast
import sys

from campaigns.mutants.private_modules import PrivateModules, reached, source
from detectors.carlson_lisper.catalogue import DETECTORS
from semantics.carlson_lisper.syntax import parse

STEPS = "detectors.carlson_lisper.source.steps"


def altered(before: str, after: str) -> PrivateModules:
    text = ast.unparse(source(STEPS))
    assert text.count(before) == 1
    return PrivateModules(STEPS, text.replace(before, after), "altered steps")


def first_report(modules: PrivateModules, detector: str) -> object:
    made = modules.load("detectors.carlson_lisper.catalogue").DETECTORS[detector](parse("a | b"))
    return made.step(3, {"a": None, "b": None})


def test_a_change_reaches_every_detector_that_uses_the_module() -> None:
    modules = altered("right if left.start <= right.start else left", "NON_OCCURRENCE")
    for detector in DETECTORS:
        assert first_report(modules, detector) is None


def test_the_program_itself_notices_nothing() -> None:
    before = sys.modules[STEPS]
    altered("right if left.start <= right.start else left", "NON_OCCURRENCE").load(
        "detectors.carlson_lisper.catalogue"
    )
    assert sys.modules[STEPS] is before
    assert all(DETECTORS[name](parse("a | b")).step(3, {"a": None}) is not None for name in DETECTORS)


def test_without_a_change_the_copies_do_what_the_modules_do() -> None:
    modules = PrivateModules(STEPS, ast.unparse(source(STEPS)), "the same")
    for detector in DETECTORS:
        assert repr(first_report(modules, detector)) == "{b@3}"


def test_only_what_uses_a_module_is_loaded_anew() -> None:
    assert {STEPS, "detectors.carlson_lisper.source.figure2"} <= reached(STEPS)
    assert "detectors.carlson_lisper.source.figure2" not in reached("detectors.carlson_lisper.generated")
    modules = altered("right if left.start <= right.start else left", "NON_OCCURRENCE")
    assert (
        modules.load("detectors.carlson_lisper.protocol") is sys.modules["detectors.carlson_lisper.protocol"]
    )
