"""Cases from real traces: determined by two numbers and the traces, near to what happened there."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from campaigns.carlson_lisper.corpus import REAL, Corpus, load_corpus, read_corpus, real_case, write_corpus
from campaigns.engine.campaign import run_locally
from campaigns.engine.settings import CampaignDirectory, Settings
from semantics.carlson_lisper.expressions import identifiers
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.errors import InputError
from semantics.traces.reading import Reading
from semantics.traces.rows import ReadReport

LOG = "time,event,value\n" + "".join(
    f"{100 + 7 * n + n % 3},{name},{n}\n"
    for n, name in enumerate(("login", "fail", "fail", "login", "fail", "fail", "logout", "fail") * 12)
)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    (tmp_path / "log.csv").write_text(LOG)
    (tmp_path / "short.csv").write_text("time,event\n3,ping\n5,pong\n")
    return read_corpus([tmp_path / "log.csv", tmp_path / "short.csv"])


def test_a_corpus_is_read_and_read_back(corpus: Corpus, tmp_path: Path) -> None:
    assert [len(trace) for trace in corpus.traces] == [96, 2]
    write_corpus(tmp_path / "corpus.parquet", corpus)
    again = load_corpus(tmp_path / "corpus.parquet")
    assert (again, again.digest) == (corpus, corpus.digest)
    assert load_corpus(tmp_path / "missing.parquet") == Corpus()


def test_a_case_is_a_window_of_a_trace_that_is_moved_to_the_beginning(corpus: Corpus) -> None:
    def steps(trace: Sequence[Occurrence]) -> list[tuple[Any, ...]]:
        return [(b.time - a.time, a.event, a.value) for a, b in itertools.pairwise(trace)]

    for number in range(200):
        case = real_case(5, number, corpus)
        assert case == real_case(5, number, corpus)
        assert case.profile == REAL and 0 <= case.occurrences[0].time < 3
        window, gaps = steps(case.occurrences), map(steps, corpus.traces)
        assert any(window == part[begin : begin + len(window)] for part in gaps for begin in range(len(part) + 1))
        assert identifiers(case.expression) <= {occurrence.event for occurrence in case.occurrences}


@pytest.mark.slow
def test_half_of_a_campaign_is_from_real_traces_and_replayed_from_its_directory(corpus: Corpus, tmp_path: Path) -> None:
    settings = Settings(cases=60, detectors=("figure2", "mutant:seq-newest"), relations=(), corpus=corpus)
    rows = list(run_locally(settings, 0, 60))
    assert 20 < sum(row.profile == REAL for row in rows) < 40
    assert any(row.failures for row in rows if row.profile == REAL)
    place = CampaignDirectory(tmp_path / "one")
    place.write_settings(settings)
    assert place.settings() == settings
    assert list(run_locally(place.settings(), 0, 60)) == rows


def test_a_campaign_without_its_corpus_is_not_continued(corpus: Corpus, tmp_path: Path) -> None:
    place = CampaignDirectory(tmp_path / "one")
    place.write_settings(Settings(corpus=corpus))
    place.corpus.unlink()
    with pytest.raises(InputError, match="corpus"):
        place.settings()
    place.corpus.write_bytes(b"x")
    with pytest.raises(InputError, match="not the corpus"):
        place.settings()


def test_files_without_occurrences_and_too_many_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty.csv").write_text("time,event\n")
    with pytest.raises(InputError, match="no occurrences") as error:
        read_corpus([tmp_path / "empty.csv"])
    assert error.value.place.endswith("empty.csv")
    monkeypatch.setattr("campaigns.carlson_lisper.corpus.MAX_OCCURRENCES", 1)
    (tmp_path / "two.csv").write_text("time,event\n1,a\n2,b\n")
    with pytest.raises(InputError, match="at most 1 are taken"):
        read_corpus([tmp_path / "two.csv"])


def test_a_corpus_is_read_as_any_log_is(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("when;event\n1970-01-01T00:00:09Z;a\nnever;b\n1970-01-01T00:00:12Z;b\n")
    report = ReadReport()
    reading = Reading(time="when", delimiter=";", tick="1s", skip_bad=True)
    found = read_corpus([tmp_path / "log.csv"], reading, report)
    assert [[(one.event, one.time) for one in trace] for trace in found.traces] == [[("a", 9), ("b", 12)]]
    assert "left out 1 row" in report.messages()[0]
