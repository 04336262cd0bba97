"""Translations of patterns into the query languages of other engines, and what changes in meaning."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from remora.api.arguments import require_whole
from remora.api.cards import Card, Shown
from remora.api.claiming.data import picked
from remora.api.patterns.patterns import PatternLike, as_pattern
from remora.terminal.console import JsonObject
from reports.drawing.layout import Timeline, compared_bars
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import occurrence_data
from semantics.carlson_lisper.translation.chains import chain_of, eql, flink
from semantics.carlson_lisper.translation.models import LANGUAGES, MAX_STEPS, Difference, differences
from semantics.clock import tick_length
from semantics.errors import InputError, nearest

Language: TypeAlias = Literal["eql", "sql", "flink"]
"""EQL of Endgame and Elastic; SQL with window functions, as DuckDB has it; MATCH_RECOGNIZE of Flink SQL."""

TICK = "1s"  # The length of a tick where none is stated


@dataclass(frozen=True, repr=False)
class Translation(Shown):
    """Query of a pattern in another language, with what changes in meaning, kind by kind.

    Attributes:
        differences: whether each kind of difference can ever show for this pattern, with a smallest log if so.
    """

    pattern: Expression
    language: Language
    query: str
    differences: Sequence[Difference] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the query supposes."""
        return tuple(LANGUAGES[self.language]["notes"])

    def said(self, difference: Difference) -> str:
        """A difference in words, with whether it shows."""
        undecided = f"Whether it shows is not decided: {difference.reason}."
        verdict = {True: "It can show.", False: "It never shows, on any log.", None: undecided}[difference.shows]
        remedy = "" if difference.shows is False else difference.kind.remedy
        return f"{difference.kind.name}: {difference.kind.said} {verdict} {remedy}".rstrip()

    def timeline(self, difference: Difference) -> Timeline | None:
        """A smallest log on which a difference shows, with both answers; None where there is none."""
        if not difference.rows:
            return None
        order = f"rows: {' '.join(map(str, difference.rows))}"
        tied = len({row.time for row in difference.rows}) < len(difference.rows)
        names = ("algebra", LANGUAGES[self.language]["engine"])
        bars = compared_bars(difference.detections, difference.found)
        return Timeline("a smallest log", (order,) if tied else (), names, difference.rows, bars)

    def card(self) -> Card:
        """The query, and what changes."""
        lines = (str(self.pattern), *(self.said(each) for each in self.differences))
        drawn = filter(None, map(self.timeline, self.differences))
        return Card("", lines=lines, blocks=tuple(drawn), code=self.query, notes=self.notes)


def translate(
    pattern: PatternLike,
    to: Language,
    *,
    tick: str | None = None,
    partition_by: str | None = None,
    steps: int = MAX_STEPS,
) -> Translation:
    """Translate a pattern, and decide what changes in meaning.

    A tick is a second unless its length is stated, and then bounds may have units; `partition_by` is the column or
    field by which there is one detection each; so many steps are taken at most to decide one difference.

    Raises:
        InputError: the language cannot say the pattern, or an argument cannot be used.
        EnginesDisagree: a difference that was found is not confirmed by the executable semantics.
    """
    if to not in get_args(Language):
        raise InputError(f"there is no language {to!r}", remedy=nearest(str(to), LANGUAGES, "eql, sql or flink."))
    require_whole("steps", steps, 1)
    if partition_by == "":
        raise InputError("a column has no name", place="--partition-by", remedy="Name it, or leave the option out.")
    meant = as_pattern(pattern, tick)
    if to == "sql":
        from detectors.carlson_lisper.columns.plan import plan_of
        from detectors.carlson_lisper.columns.sql_plan import queries_of

        (query,) = queries_of(plan_of([meant]), "duckdb", with_rows=False, of=("log", partition_by))
        return Translation(meant, to, query)
    text = {"eql": eql, "flink": flink}[to](chain_of(meant), tick_length(tick or TICK), partition_by)
    return Translation(meant, to, text, tuple(differences(meant, to, steps)))


def translation_data(found: Translation) -> JsonObject:
    """A translation, with the keys of `remora/translate/1`."""
    kinds = [
        {
            "kind": each.kind.name,
            **picked(each.kind, "said", "remedy"),
            **picked(each, "shows", "reason", "detections", "found"),
            "log": list(map(occurrence_data, each.rows)),
        }
        for each in found.differences
    ]
    return {
        "pattern": str(found.pattern),
        "to": found.language,
        **picked(found, "query", "notes"),
        "differences": kinds,
    }
