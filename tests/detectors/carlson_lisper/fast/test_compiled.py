"""Compilation of kernels where Numba is installed, and kernels as they are where it is not."""

import ast
import inspect

import pytest

from detectors.carlson_lisper.fast import kernel_files, kernels
from detectors.carlson_lisper.fast.lanes import compiled_text, lane_program
from detectors.carlson_lisper.fast.loops import loop_program
from semantics import compiled
from semantics.carlson_lisper.syntax import parse


def doubled(number: int) -> int:
    return 2 * number


def test_a_kernel_computes_the_same_in_either_form() -> None:
    assert compiled.compiled(doubled)(21) == doubled(21) == 42


def test_without_the_compiler_a_kernel_is_the_function_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "AVAILABLE", False)
    assert compiled.compiled(doubled) is doubled


def imported(text: str) -> set[str]:
    """The modules of the detectors that a module takes something from."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module == "detectors.carlson_lisper.fast":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {
                name
                for name in [node.module.removeprefix("detectors.carlson_lisper.fast.")]
                if name != node.module
            }
    return found


def test_a_kernel_is_made_anew_when_what_is_compiled_into_it_changes() -> None:
    sequence = parse("(a ; b)[5]")
    texts = [loop_program(sequence), compiled_text(lane_program(sequence), 64), inspect.getsource(kernels)]
    into = set[str]().union(*map(imported, texts)) - {"compiled", "kernels", "kernel_files"}
    assert {f"{module}.py" for module in into} == set(kernel_files.HELPERS)
