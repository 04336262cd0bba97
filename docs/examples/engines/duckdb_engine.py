"""DuckDB as a detector: SQL with window functions, as `remora translate --to sql` prints it."""

from collections.abc import Sequence

import duckdb
from protocol import Event, serve

from remora import translate
from semantics.carlson_lisper.expressions import Expression


def answer(pattern: Expression, events: Sequence[Event]) -> list[dict]:
    """What DuckDB finds in a log."""
    query = translate(pattern, "sql").query
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE log (time BIGINT, event VARCHAR)")
        if events:
            connection.executemany("INSERT INTO log VALUES (?, ?)", [(time, event) for time, event, _ in events])
        rows = connection.execute(f'SELECT "start", "end" FROM ({query}) ORDER BY "end"').fetchall()
    return [{"start": start, "end": end} for start, end in rows]


if __name__ == "__main__":
    serve(answer)
