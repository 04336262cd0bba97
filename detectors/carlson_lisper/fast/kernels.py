"""Modules of compiled kernels: generated text and the helpers that it may call."""

from __future__ import annotations

import importlib.util
import sys
from functools import lru_cache
from types import ModuleType

from detectors.carlson_lisper.fast.kernel_files import kernel_folder, kernel_name
from detectors.carlson_lisper.fast.planes import BLOCK as BLOCK
from detectors.carlson_lisper.fast.planes import LAST as LAST
from detectors.carlson_lisper.fast.planes import (
    digit,
    earlier,
    fill,
    highest,
    latest_in,
    latest_point,
    lowest,
    moved,
    occurring,
    prefetch,
    without_lowest,
)
from semantics.atomic_files import write_text
from semantics.compiled import AVAILABLE, callable_from_compiled

for helper in (digit, fill, latest_in, latest_point, moved, without_lowest):
    callable_from_compiled(helper)

if AVAILABLE:
    from detectors.carlson_lisper.fast import bits

    for function in (lowest, highest, occurring, earlier, prefetch):
        bits.replace(function, getattr(bits, function.__name__))


@lru_cache(maxsize=256)
def loops(text: str) -> ModuleType:
    """The generated module with this text.

    The module is a file in a folder of the user's, named after its text, so that what was compiled for it is found
    again by later processes.
    """
    name = kernel_name(text)
    folder = kernel_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{name}.py"
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        write_text(path, text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
