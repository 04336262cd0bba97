"""Findings as tables of other libraries: PyArrow, pandas and Polars."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from remora.api.cards import Shown
from semantics.errors import InputError
from semantics.events import Time

if TYPE_CHECKING:
    from semantics.clock import Clock


class Tabular(Shown):
    """Result with a table."""

    @abstractmethod
    def to_arrow(self) -> Any:
        """A PyArrow table with a row for each."""

    def to_pandas(self) -> Any:
        """Pandas data frame of the result.

        Raises:
            InputError: pandas is not installed.
        """
        _required("pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Polars data frame of the result.

        Raises:
            InputError: Polars is not installed.
        """
        return _required("polars").from_arrow(self.to_arrow())


def times_column(times: Sequence[Time], clock: Clock | None) -> Any:
    """Times as an Arrow column: ticks, or timestamps where there is a clock."""
    import pyarrow

    if clock is None:
        return pyarrow.array(times, pyarrow.int64())
    kind = pyarrow.timestamp("ns", tz=str(clock.zone or "UTC"))
    return pyarrow.array([int(time * clock.tick * 10**9) for time in times], pyarrow.int64()).cast(kind)


def _required(library: str) -> Any:
    try:
        return import_module(library)
    except ImportError:
        raise InputError(
            f"{library} is not installed", remedy=f"python -m pip install {library}, or use `to_arrow` or `rows`."
        ) from None
