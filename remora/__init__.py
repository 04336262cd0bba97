"""The command line, its configuration and its progress display."""

from __future__ import annotations

__all__ = ["__version__"]

__version__: str


def __getattr__(name: str) -> str:
    """`__version__`, looked up when it is asked for: that takes as long as the rest of a light command."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("remora")
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "0+unknown"
