"""Sessions of Spark Connect: Spark runs elsewhere, as a server, and no Java is needed here."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

from pyspark.sql import SparkSession

USUAL_PORT = 15002

ANSWER_SECONDS = 10
"""How long a server may take to accept a connection."""

CONNECT_MODE = "SPARK_CONNECT_MODE_ENABLED"
"""The environment variable by which PySpark's functions know which kind of session they serve."""


class ConnectUnavailable(Exception):
    """There is no such session; the message says why, and what to do."""


def connect_session(master: str, settings: Mapping[str, str]) -> SparkSession:
    """A new session on a Spark Connect server.

    Args:
        master: the address of the server, `sc://host:port`.
        settings: settings of the session; those of Spark SQL alone can still be made.

    Raises:
        ConnectUnavailable: a package is missing here, or no server answers.
    """
    try:
        from pyspark.sql.connect.session import SparkSession as ConnectSession
    except ImportError as error:
        raise ConnectUnavailable(
            "Spark Connect needs packages that are not installed here; install them: pip install 'remora[connect]'"
        ) from error
    _ask(master)
    session: SparkSession = ConnectSession.builder.remote(master).config(map=dict(settings)).create()  # type: ignore[assignment]
    return session


def _ask(master: str) -> None:
    """Find out whether anybody listens: PySpark would go on trying for ten minutes."""
    address = urlsplit(master)
    try:
        socket.create_connection((address.hostname or "", address.port or USUAL_PORT), ANSWER_SECONDS).close()
    except (OSError, ValueError) as error:
        raise ConnectUnavailable(f"no Spark Connect server answers: {error}") from error
