"""Names of event types in patterns and programs."""

import json

import pytest
from hypothesis import example, given, strategies as st

from semantics.bry_eckert import checking
from semantics.bry_eckert.temporal import ALLEN
from semantics.bry_eckert.terms import AGGREGATES
from semantics.carlson_lisper.expressions import Identifier
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from semantics.events import quoted, unquoted

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
HOSTILE = (
    "pay.ok", 'a"b', "it's", "\\", '\\"', '"""', "a\nb", "\x9b31m", "\u202e", "\u2028", "|", "naïve ☕", "𝔸",
)  # fmt: skip


@given(NAMES)
@example("𝒳\x85")
def test_a_name_is_printed_on_one_line_that_drives_no_terminal_and_reads_back(name: str) -> None:
    text = quoted(name)
    assert text.isprintable()
    assert text == name or unquoted(text) == name
    assert parse(text) == Identifier(name)
    assert str(parse(text)) == text


@pytest.mark.parametrize("name", HOSTILE)
def test_names_in_single_quotes_escape_these_and_not_double_ones(name: str) -> None:
    single = "'" + json.dumps(name)[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"
    assert parse(f"{single} ; a") == parse(f"{quoted(name)} ; a")


@pytest.mark.parametrize("name", [*HOSTILE, *ALLEN, *AGGREGATES, "event", "tick", "while", "not", "true", "within"])
def test_a_program_over_an_event_type_of_any_name_reads_back_from_its_text(name: str) -> None:
    type = quoted(name)
    text = f"event {type}(x: int)\nE(x) <- a: {type}(x), w: extend(a, 5), while w: not {type}(x)"
    program = checking.parse(text)
    assert program.read == (name,)
    assert checking.parse(str(program)) == program
    derived = checking.parse(f"event A(x: int)\n{json.dumps(name)}(x) <- a: A(x)")
    assert (derived.derived, checking.parse(str(derived))) == ((name,), derived)


@pytest.mark.parametrize("text", ['""', "''", r'"\ud800"', r'"\x"', '"a', "'a\""])
def test_what_is_no_name_in_quotes_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


@pytest.mark.parametrize(("text", "name"), [("pay.ok ; b", "pay.ok"), ("a | 4625", "4625"), ("b + über", "über")])
def test_a_name_that_should_be_in_quotes_is_told_as_it_is_written(text: str, name: str) -> None:
    with pytest.raises(InputError) as refused:
        parse(text)
    assert refused.value.remedy.endswith(quoted(name))
