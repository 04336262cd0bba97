"""The text of expressions: what is printed is read back; what is wrong is said, and where."""

from contextlib import suppress
from typing import get_args

import pytest
from hypothesis import example, given, settings, strategies as st

from laws.carlson_lisper.checks import strategies
from semantics.carlson_lisper import expressions, syntax
from semantics.carlson_lisper.expressions import Bound, Expression, Identifier, Label, Operation
from semantics.errors import ExpressionError
from tests.tables import table

quick = settings(deadline=None, max_examples=30)
NAMES = ("a", "fail", "_", "min", "max", "inf", "A1", "x_2")
LABELS: st.SearchStrategy[Label | None] = st.sampled_from([None, 0, 2, 10**18, expressions.UNBOUNDED])
BOUNDS: st.SearchStrategy[Bound] = st.recursive(
    st.integers(0, syntax.MAX_BOUND) | st.sampled_from(["t", "u", "min", "inf"]).map(expressions.BoundParameter),
    lambda inner: st.builds(expressions.BoundExtremum, st.sampled_from(["min", "max"]), inner, inner),
    max_leaves=4,
)


@st.composite
def schemas(draw: st.DrawFn) -> Expression:
    """Expressions with all that the syntax knows: labels, symbolic bounds, names that look like keywords."""

    def operation(name: str, operands: object, bound: Bound | None) -> Expression:
        parts: tuple[Expression, ...] = tuple(operands)  # type: ignore[arg-type]
        label = draw(LABELS) if name == "seq" else None
        return Operation(name, parts, None if bound is None else draw(BOUNDS), label)

    return expressions.fold(draw(strategies.expressions(NAMES, max_leaves=8)), Identifier, operation)


def error_of(text: str) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        syntax.parse(text)
    return caught.value


def marked(error: ExpressionError) -> str:
    """What stands above the caret of a message."""
    lines = str(error).splitlines()
    caret = next(number for number, line in enumerate(lines) if line.strip() == "^")
    return lines[caret - 1][lines[caret].index("^") :]


@pytest.mark.slow
@quick
@given(schemas(), st.sampled_from(get_args(syntax.Relation)))
def test_what_is_printed_is_read_back(expression: Expression, relation: syntax.Relation) -> None:
    assert syntax.parse_schema(str(expression)) == expression
    equation = syntax.Equation(expression, Identifier("a"), relation)
    assert syntax.parse_equation(str(equation)) == equation


@quick
@given(strategies.expressions())
def test_printing_uses_no_parentheses_that_could_be_left_out(expression: Expression) -> None:
    text, opened = str(expression), list[int]()
    for closing, character in enumerate(text):
        if character == "(":
            opened.append(closing)
        elif character == ")":
            opening = opened.pop()
            with suppress(ExpressionError):
                assert syntax.parse(text[:opening] + text[opening + 1 : closing] + text[closing + 1 :]) != expression


@pytest.mark.parametrize(("text", "means"), table(__file__, "texts"))
def test_two_texts_of_one_expression(text: str, means: str) -> None:
    assert syntax.parse(text) == syntax.parse(means)


@pytest.mark.parametrize(("relation", "symbol"), [("==", "≡"), ("<=", "⊆"), ("~=", "≅")])
def test_a_relation_may_be_written_with_its_mathematical_symbol(relation: str, symbol: str) -> None:
    assert syntax.parse_equation(f"A {symbol} A[t]") == syntax.parse_equation(f"A {relation} A[t]")


def test_a_bracket_opens_a_bound_or_the_relation_of_the_same_intervals() -> None:
    assert syntax.parse_equation("A[t][=]A[2]") == syntax.parse_equation("A[t] [=] A[2]")
    assert error_of("a [=] b").reason == "unexpected '[=]'"


def test_a_chain_is_printed_plainly_and_in_laws_with_its_grouping() -> None:
    assert str(syntax.parse("(a | b) | c")) == "a | b | c"
    assert str(syntax.parse_equation("a | b | c == a | (b | c)")) == "(a | b) | c == a | (b | c)"


@pytest.mark.parametrize(
    ("text", "column", "readings"),
    [
        ("a ; b - c[3]", 7, ("(a ; b) - c[3]", "a ; (b - c[3])")),
        ("(a | b) - c ; d", 13, ("((a | b) - c) ; d", "(a | b) - (c ; d)")),
        ("a | b | c + d", 11, ("(a | b | c) + d", "a | b | (c + d)")),
        ("a +\n b ∨ c", 8, ("(a + b) ∨ c", "a + (b ∨ c)")),
        ("x - (a ; b + c)", 12, ("(a ; b) + c", "a ; (b + c)")),
    ],
)
def test_operators_side_by_side_are_told_with_both_readings(text: str, column: int, readings: tuple[str, str]) -> None:
    error = error_of(text)
    assert error.column == column
    assert "two readings differ" in error.reason
    for reading in readings:
        assert reading in error.remedy
    assert len({syntax.parse(reading) for reading in readings}) == 2


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("", 1, "nothing to read"), ("a |", 4, "ends too early"), ("a b", 3, "unexpected 'b'"),
        ("a && b", 3, "unexpected character '&'"), ("1a", 1, "unexpected '1'"), ("a == b", 3, "unexpected '=='"),
        ("a \N{NO-BREAK SPACE}| b", 3, r"unexpected character '\xa0'"), ("a[-1]", 3, "unexpected '-'"),
        ("a[x]", 3, "the bound x is not a number"), ("a[60s]", 3, "60s has a unit"),
        ("a[٣]", 3, "unexpected character"), ("a[min(1, 2)]", 3, "min is not allowed here"),
        (f"a[{syntax.MAX_BOUND + 1}]", 3, "greater than"), (f"a ;[{10**30}] b", 5, "greater than"),
        ("a |[2] b", 4, "unexpected '['"),
    ],
)  # fmt: skip
def test_an_error_names_the_column_and_the_reason(text: str, column: int, reason: str) -> None:
    error = error_of(text)
    assert (error.column, error.place) == (column, f"column {column}")
    assert reason in error.reason
    if column <= len(text) and text.isascii() and text.strip():
        assert marked(error).startswith(text[column - 1])


def test_a_text_that_ends_too_early_is_told_what_is_missing() -> None:
    assert error_of("(a").remedy == "Expected: )"


@pytest.mark.parametrize("text", ["A", "A ==", "A = B", "A == B == C", "A[t + 1] == A", "A[mid(t, u)] == A"])
def test_what_is_not_an_equation_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        syntax.parse_equation(text)


def test_an_error_in_a_long_text_shows_the_part_around_the_column() -> None:
    error = error_of("a | " * 60 + "?" + " | a" * 60)
    assert marked(error).startswith("?")
    assert max(map(len, str(error).splitlines()[1:3])) <= ExpressionError.WINDOW + 4


def test_what_moves_the_cursor_is_not_shown_as_it_is() -> None:
    shown = str(error_of("a |\r\n\tb\x1b[2J + c"))
    assert not {"\r", "\x1b"} & set(shown)


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=40) | st.text("ab|+-;()[]0123∨∞=<~ inftmx,", max_size=40))
@example("a" * 60 + "|")
@example("A[min(")
@example("\x00")
@example("\ud800")
def test_random_text_is_read_or_refused_with_an_expression_error(text: str) -> None:
    for reader in (syntax.parse, syntax.parse_schema, syntax.parse_equation):
        try:
            result = reader(text)
        except ExpressionError as error:
            assert 1 <= error.column <= len(text) + 1
            assert str(error)
        else:
            again = syntax.parse_schema if reader is syntax.parse else reader
            assert again(str(result)) == result


def test_parentheses_alone_do_not_count_as_depth() -> None:
    assert syntax.parse("(" * 10_000 + "a" + ")" * 10_000) == Identifier("a")


@pytest.mark.parametrize("text", ["(b | " * 1000 + "a" + ")" * 1000, " | ".join(["a"] * 1001), "a" + "[5]" * 1000])
def test_a_thousand_nested_operators_are_refused_with_the_limit(text: str) -> None:
    error = error_of(text)
    assert f"more than {syntax.MAX_DEPTH} operators deep" in error.reason
    assert syntax.parse("(a | b) | (c | d)") == syntax.parse(error.remedy.partition("as in ")[2].rstrip("."))


@pytest.mark.parametrize("depth", [20, 5000])
def test_deeply_nested_minima_of_bounds_are_refused(depth: int) -> None:
    with pytest.raises(ExpressionError, match="min and max nest more than"):
        syntax.parse_equation("A[" + "min(t, " * depth + "t" + ")" * depth + "] == A")
