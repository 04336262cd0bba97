"""Compilation of kernels where Numba is installed, and kernels as they are where it is not."""

import pytest

from detectors import compiled


def doubled(number: int) -> int:
    return 2 * number


def test_a_kernel_computes_the_same_in_either_form() -> None:
    assert compiled.compiled(doubled)(21) == doubled(21) == 42


def test_without_the_compiler_a_kernel_is_the_function_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "AVAILABLE", False)
    assert compiled.compiled(doubled) is doubled
