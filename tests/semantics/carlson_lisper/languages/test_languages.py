"""Interval languages against the denotation: words, instances, and definitions that are not the algebra's."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Literal

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from laws.carlson_lisper.checks.strategies import expressions
from laws.carlson_lisper.claims import EquationClaim, find
from laws.carlson_lisper.mutations import ALTERED_OPERATORS, AlteredOperator
from semantics.automata.automata import EVERYWHERE, Budget, OutOfReach, build, minimal
from semantics.automata.inclusion import Inclusion
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, substitute, with_bounds
from semantics.carlson_lisper.interpretations import interpretation
from semantics.carlson_lisper.languages.conditions import NotAnIntervalLanguage, length_test, turning_point
from semantics.carlson_lisper.languages.filters import FilterMachine
from semantics.carlson_lisper.languages.languages import Languages
from semantics.carlson_lisper.languages.letters import Track, marked_track, plain_track
from semantics.carlson_lisper.languages.operands import Operand
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.carlson_lisper.operators import BOUND_NAME, OPERATORS, Comprehension, Operator, Operators
from semantics.carlson_lisper.syntax import parse
from semantics.errors import LimitExceeded
from semantics.formulas import (
    And,
    Compare,
    Difference,
    End,
    Exists,
    ForAll,
    Formula,
    Not,
    Or,
    Parameter,
    Same,
    Start,
    Term,
)

NAMES = ("a", "b")
PLAIN, MARKED = plain_track(NAMES), marked_track(NAMES)

quick = settings(deadline=None, max_examples=80)

words = st.lists(st.integers(0, 3), min_size=1, max_size=5)
small_expressions = expressions(NAMES, max_leaves=5, max_bound=3)


def languages(track: Track, operators: Operators = OPERATORS) -> Languages:
    return Languages(track, Budget(200_000), operators)


def trace(word: Sequence[int]) -> list[Occurrence]:
    return [Occurrence(event, time) for time, letter in enumerate(word) for event in PLAIN.events(letter)]


def spanning(instances: Iterable[Instance], word: Sequence[int]) -> set[Instance]:
    return {instance for instance in instances if instance.interval == (0, len(word) - 1)}


def marked_word(word: Sequence[int], instance: Instance) -> list[int]:
    letters = list(zip(MARKED.present, MARKED.marked, strict=True))
    marks = [
        sum(1 << NAMES.index(o.event) for o in instance.occurrences if o.time == time)
        for time in range(len(word))
    ]
    return [letters.index(letter) for letter in zip(word, marks, strict=True)]


# ------------------------------------------------------------------------------------------- against the meaning


@quick
@given(small_expressions, words, st.sampled_from([EVERYWHERE, 5]))
def test_a_marked_word_belongs_exactly_if_what_is_marked_is_an_instance(
    expression: Expression, word: list[int], depth: int
) -> None:
    assume(sum(letter.bit_count() for letter in word) <= 6)
    occurrences = trace(word)
    found = spanning(denotation(expression, interpretation(occurrences)), word)
    automaton = languages(MARKED).language(expression, depth).automaton
    for size in range(1, len(occurrences) + 1):
        for chosen in combinations(occurrences, size):
            instance = Instance(chosen)
            if spanning([instance], word):
                assert automaton.accepts(marked_word(word, instance)) == (instance in found)


@quick
@given(small_expressions, st.integers(0, 3))
def test_an_automaton_of_short_words_is_right_on_them_and_says_how_far(
    expression: Expression, depth: int
) -> None:
    shared = languages(PLAIN)
    short, whole = shared.language(expression, depth), languages(PLAIN).language(expression)
    assert short.reach >= depth
    for word in ([x, y, z][:depth] for x in range(4) for y in range(4) for z in range(4)):
        assert short.automaton.accepts(word) == whole.automaton.accepts(word)
    assert shared.language(expression).automaton == whole.automaton


@pytest.mark.parametrize("track", [PLAIN, MARKED], ids=["plain", "marked"])
def test_equal_languages_have_the_same_automaton(track: Track) -> None:
    shared = languages(track)
    for left, right in [("a + b", "b + a"), ("a ; (b ; a)", "(a ; b) ; a"), ("(a - b)[2]", "a[2] - b[2]")]:
        assert shared.language(parse(left)).automaton == shared.language(parse(right)).automaton
    assert shared.language(parse("a ; b")).automaton != shared.language(parse("b ; a")).automaton


# ------------------------------------------------------------------------------------------- other definitions


def terms(variables: Sequence[str]) -> st.SearchStrategy[Term]:
    return st.sampled_from([*map(Start, variables), *map(End, variables)])


def lengths(variable: str) -> st.SearchStrategy[Formula]:
    own: list[Term] = [
        Difference(End(variable), Start(variable)),
        Parameter(BOUND_NAME),
        Difference(Parameter(BOUND_NAME), Start(variable)),
        Difference(Difference(End(variable), Parameter(BOUND_NAME)), Start(variable)),
    ]
    return st.builds(Compare, st.sampled_from(["<", "<=", "="]), st.sampled_from(own), st.sampled_from(own))


def orders(variables: Sequence[str]) -> st.SearchStrategy[Formula]:
    relations = st.sampled_from(["<", "<=", "="])
    return st.builds(Compare, relations, terms(variables), terms(variables))


def combined(atoms: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    pairs = st.tuples(atoms, atoms)
    return st.one_of(atoms, atoms.map(Not), pairs.map(And), pairs.map(Or))


WITHIN = And((Start("s") <= Start("t"), End("t") <= End("s")))

bodies = st.one_of(
    combined(orders(("s", "t"))), combined(orders(("s", "t"))).map(lambda body: And((WITHIN, body)))
)
quantified = st.builds(
    lambda kind, stream, body: kind("t", stream, Not(body) if kind is ForAll else body),
    st.sampled_from([Exists, ForAll]),
    st.sampled_from(["S", "T"]),
    bodies,
)
filters = st.builds(
    lambda stream, condition: Comprehension((("s", stream),), ("s",), condition),
    st.sampled_from(["S", "T"]),
    combined(st.one_of(quantified, quantified, lengths("s"), orders(("s",)))),
)
joins = st.builds(
    lambda streams, result, condition: Comprehension(
        tuple(zip("st", streams, strict=True)), result, condition
    ),
    st.tuples(st.sampled_from(["S", "T"]), st.sampled_from(["S", "T"])),
    st.sampled_from([("s", "t"), ("t", "s"), ("s",), ("t",)]),
    st.one_of(combined(orders(("s", "t"))), combined(combined(orders(("s", "t"))))),
)
definitions = st.lists(st.one_of(filters, joins), min_size=1, max_size=2).map(
    lambda comprehensions: Operator("new", "?", "new operator", 2, True, tuple(comprehensions))
)
operands = st.tuples(*[expressions(NAMES, max_leaves=3, max_bound=2)] * 2)


LENGTH = Difference(End("s"), Start("s"))
SHORTER_OR_NEVER = Or((Compare("<", LENGTH, LENGTH), Compare("<", LENGTH, Parameter(BOUND_NAME))))


@settings(deadline=None, max_examples=300)
@given(definitions, operands, st.integers(0, 3), st.lists(words, min_size=6, max_size=6))
@example(  # a length test that never changes beside one that changes later
    Operator("new", "?", "new operator", 2, True, (Comprehension((("s", "S"),), ("s",), SHORTER_OR_NEVER),)),
    (parse("a + a"), parse("a")),
    1,
    [[1, 0, 1]],
)
def test_any_definition_of_an_operator_is_refused_or_decided_as_it_is_defined(
    definition: Operator, parts: tuple[Expression, Expression], bound: int, some: list[list[int]]
) -> None:
    operators = {**OPERATORS, "new": definition}
    expression = Operation("new", parts, bound)
    try:
        plain = languages(PLAIN, operators).language(expression).automaton
        marked = languages(MARKED, operators).language(expression).automaton
    except NotAnIntervalLanguage:
        return
    for word in some:
        # What surrounds the interval must not matter to a definition that was accepted.
        inside = [Occurrence(o.event, o.time + 2) for o in trace(word)]
        around = [Occurrence("a", 0), Occurrence("b", 1), Occurrence("a", len(word) + 2)]
        found = denotation(expression, interpretation(inside + around), operators=operators)
        shifted = {
            Instance(Occurrence(o.event, o.time - 2) for o in instance.occurrences)
            for instance in found
            if instance.interval == (2, len(word) + 1)
        }
        assert plain.accepts(word) == bool(shifted)
        for instance in shifted:
            assert marked.accepts(marked_word(word, instance))
        everything = Instance(trace(word)) if any(word) else None
        if everything is not None and spanning([everything], word):
            assert marked.accepts(marked_word(word, everything)) == (everything in shifted)


@pytest.mark.parametrize("alteration", ALTERED_OPERATORS, ids=lambda alteration: alteration.operator)
def test_an_altered_operator_has_its_own_language(alteration: AlteredOperator) -> None:
    (law,) = find([alteration.law])
    assert isinstance(law, EquationClaim)
    candidates = [parse(text) for text in ("a", "b", "a + b", "a ; b")]

    def differs(operators: Operators) -> bool:
        shared = languages(MARKED, operators)
        for values in combinations([*candidates, *candidates], len(law.variables)):
            chosen = dict(zip(law.variables, values, strict=True))
            chosen |= {name: Identifier("a") for name in law.primitive}
            for bound in (0, 1):
                left, right = (
                    with_bounds(substitute(side, chosen), dict.fromkeys(law.parameters, bound))
                    for side in (law.equation.left, law.equation.right)
                )
                if shared.language(left).automaton != shared.language(right).automaton:
                    return True
        return False

    assert not differs(OPERATORS)
    assert differs(alteration.operators())


def altered(name: str, condition: Formula) -> Operator:
    (comprehension,) = OPERATORS[name].comprehensions
    return replace(OPERATORS[name], comprehensions=(replace(comprehension, condition=condition),))


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        (altered("tim", Start("s") <= Parameter(BOUND_NAME)), "absolute times"),
        (altered("tim", Start("t") <= Start("s")), "not in scope"),
        (altered("seq", Start("t") - End("s") <= Parameter(BOUND_NAME)), "distances"),
        (altered("seq", Start("t") - End("s") < Start("s") - Start("t")), "distances"),
        (altered("con", Not(Same("s", "t"))), "more of instances"),
        (altered("con", Exists("u", "S", Start("u") < Start("s"))), "quantifier"),
        (altered("neg", Not(Exists("t", "T", Start("t") <= Start("s")))), "beyond the interval"),
        (altered("neg", Not(Exists("t", "T", Exists("u", "T", WITHIN)))), "quantifier"),
        (altered("neg", Not(Same("s", "s"))), "more of instances"),
    ],
)
def test_a_definition_that_intervals_do_not_decide_is_refused_by_name(
    definition: Operator, said: str
) -> None:
    operands = (parse("a ; b"), parse("b"))[: definition.arity]
    expression = Operation(definition.name, operands, 2 if definition.bounded else None)
    with pytest.raises(NotAnIntervalLanguage, match=said):
        languages(PLAIN, {**OPERATORS, definition.name: definition}).language(expression)


# ------------------------------------------------------------------------------------------- automata and limits

tables = st.integers(1, 3).flatmap(
    lambda size: st.tuples(
        st.lists(st.tuples(st.integers(0, size), st.integers(0, size)), min_size=size, max_size=size),
        st.lists(st.booleans(), min_size=size, max_size=size),
    )
)

# Two automata of three states and a dead one that differ do so on a word of at most seven letters.
BINARY = [tuple(number >> bit & 1 for bit in range(size)) for size in range(8) for number in range(2**size)]


@quick
@given(tables, tables)
def test_minimal_automata_are_equal_exactly_if_they_accept_the_same_words(
    one: tuple[list[tuple[int, int]], list[bool]], two: tuple[list[tuple[int, int]], list[bool]]
) -> None:
    automata = [minimal([[0], [1]], [(0, 0), *rows], [False, *accepting]) for rows, accepting in (one, two)]
    different = any(automata[0].accepts(word) != automata[1].accepts(word) for word in BINARY)
    assert (automata[0] == automata[1]) == (not different)


@quick
@given(tables)
def test_inclusion_of_states_is_inclusion_of_what_they_accept(
    table: tuple[list[tuple[int, int]], list[bool]],
) -> None:
    automaton = minimal([[0], [1]], [(0, 0), *table[0]], [False, *table[1]])
    columns = sorted({(column, column) for column in automaton.columns})
    within = Inclusion(automaton, automaton, Budget(10_000), columns)

    def accepted(state: int) -> set[tuple[int, ...]]:
        return {word for word in BINARY if replace(automaton, initial=state).accepts(word)}

    for one in range(len(automaton.rows)):
        for two in range(len(automaton.rows)):
            assert within(one, two) == (accepted(one) <= accepted(two))


def test_a_budget_that_does_not_suffice_is_an_error_and_not_an_answer() -> None:
    with pytest.raises(LimitExceeded, match="more than 50 steps"):
        Languages(PLAIN, Budget(50)).language(parse("(a ; b)[100]"))


def test_too_many_event_types_are_refused() -> None:
    with pytest.raises(LimitExceeded, match="different instants"):
        marked_track([f"e{number}" for number in range(9)])


def test_a_bound_beyond_all_lengths_costs_nothing() -> None:
    shared = languages(PLAIN)
    assert shared.language(Identifier("a")[10**18]).automaton == shared.language(Identifier("a")).automaton


# -------------------------------------------------------------------------------------------- what is known before


@quick
@given(small_expressions, st.integers(0, 12))
def test_the_work_that_is_foreseen_is_never_more_than_what_is_done(
    expression: Expression, bound: int
) -> None:
    for track in (PLAIN, MARKED):
        known = languages(track)
        operand = Operand(known.language(expression).automaton, known.plain.language(expression).automaton)
        (comprehension,) = OPERATORS["tim"].comprehensions
        machine = FilterMachine(comprehension, {"S": operand}, bound, track, Budget(0))
        for depth in (1, 3, EVERYWHERE):
            budget = Budget(200_000)
            build(machine, budget, depth)
            assert machine.least_work(depth) <= budget.spent


def test_the_work_that_a_bound_takes_is_foreseen() -> None:
    for text, states in (("a ; b", 2), ("a ; (b ; a)", 3), ("a", 0), ("(a ; b)[3]", 0)):
        automaton = languages(PLAIN).language(parse(text)).automaton
        (comprehension,) = OPERATORS["tim"].comprehensions
        operand = {"S": Operand(automaton, automaton)}
        machines = [FilterMachine(comprehension, operand, bound, PLAIN, Budget(0)) for bound in (50, 100)]
        less, more = (machine.least_work(EVERYWHERE) for machine in machines)
        assert more - less == 50 * states * len(machines[0].classes)


@quick
@given(small_expressions, st.integers(0, 9))
def test_states_are_counted_with_the_numbers_of_letters_that_lead_there(
    expression: Expression, letters: int
) -> None:
    automaton = languages(PLAIN).language(expression).automaton
    found, frontier = 0, {automaton.initial}
    for _ in range(letters):
        frontier = {after for state in frontier for after in automaton.rows[state]} - {0}
        found += len(frontier)
    assert automaton.reached(letters) <= found
    if letters <= automaton.size:
        assert automaton.reached(letters) == found


def test_a_budget_that_does_not_suffice_refuses_what_is_foreseen_and_is_not_spent() -> None:
    budget = Budget(10)
    budget.require(10)
    with pytest.raises(OutOfReach, match="more than 10 steps"):
        budget.require(11)
    assert (budget.left, budget.spent) == (10, 0)


LENGTHS: tuple[Term, ...] = (
    Difference(End("s"), Start("s")),
    Difference(Start("s"), End("s")),
    Parameter(BOUND_NAME),
    Difference(Parameter(BOUND_NAME), Difference(End("s"), Start("s"))),
)
"""Terms that depend on the length of an instance and on the bound alone."""


@pytest.mark.parametrize("bound", [0, 1, 7])
@pytest.mark.parametrize(("left", "right"), list(product(LENGTHS, repeat=2)))
@pytest.mark.parametrize("relation", ["<", "<="])
def test_a_length_test_changes_its_truth_where_it_is_said_to(
    relation: Literal["<", "<="], left: Term, right: Term, bound: int
) -> None:
    test = length_test(Compare(relation, left, right), "s")
    at_first, turn = turning_point(test, bound)
    for length in range(40):
        changed = turn is not None and length >= turn
        assert test.holds(length, bound) == (at_first != changed)
