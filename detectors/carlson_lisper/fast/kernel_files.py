"""Files of compiled kernels, found without loading the compiler."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

HELPERS = ("bits.py", "planes.py", "vectors.py")
"""The files whose functions are compiled into generated loops."""


def kernel_name(text: str) -> str:
    """The name of the module with a generated text; see `detectors.carlson_lisper.fast.kernels.loops`.

    What is compiled for it holds the helpers too, so that other helpers make it another module.
    """
    digest = hashlib.sha256(text.encode())
    for helper in HELPERS:
        digest.update(Path(__file__).with_name(helper).read_bytes())
    return f"remora_kernel_{digest.hexdigest()[:32]}"


def kernel_folder() -> Path:
    """`REMORA_CACHE`, or a folder for caches in the user's home; it may not be there yet."""
    chosen = os.environ.get("REMORA_CACHE")
    if chosen:
        return Path(chosen) / "kernels"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "remora" / "kernels"
