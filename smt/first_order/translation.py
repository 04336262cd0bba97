"""Problems of many-sorted first-order logic (TPTP's TFF) from obligations, for provers that have no arithmetic.

Sorts, functions and formulas are taken over as they are; what the last assertion denies becomes the conjecture. The
functions on numbers become symbols of which `smt.first_order.arithmetic` says something true. So what is proved of the
problem holds of the numbers; that something cannot be proved says nothing of them, unless the problem is `exact`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, pairwise, product

from smt.first_order.arithmetic import NUMBERS, Used
from smt.s_expressions import SExpression, parse_all

BOOLEAN = "Bool"

MULTIPLE = 8
"""A product with a numeral from 1 up to this is written as a sum; of others nothing is known."""

Variables = Mapping[str, str]
"""The sorts of the variables that are bound where a formula stands."""


class NotTranslated(ValueError):
    """An obligation uses what there is no translation of."""


@dataclass(frozen=True)
class Problem:
    """What a first-order prover is asked.

    Attributes:
        exact: whether it has a counterexample only if the obligation has a model.
    """

    text: str
    exact: bool


@dataclass(frozen=True)
class ConditionalTerm:
    """What a term is under conditions, which are formulas."""

    term: str
    sort: str
    conditions: tuple[str, ...] = ()


def translated(text: str) -> Problem:
    """The problem of an obligation's text.

    Raises:
        NotTranslated: the text uses what there is no translation of.
    """
    signature, assertions = Signature(), []
    for command in parse_all(text):
        match command:
            case ("set-logic", _) | ("check-sat",):
                pass
            case ("declare-sort", str(name), "0"):
                signature.sorts.append(name)
            case ("declare-fun", str(name), arguments, str(sort)):
                signature.functions[name] = (tuple(map(str, arguments)), sort)
            case ("declare-const", str(name), str(sort)):
                signature.functions[name] = ((), sort)
            case ("assert", formula):
                assertions.append(formula)
            case _:
                raise NotTranslated(f"there is no translation of {_shown(command)}")
    if not assertions:
        raise NotTranslated("nothing is asserted")
    *assumed, denied = (signature.formula(each, {}) for each in assertions)
    exact = all(each.exact for each in signature.numbers.values())
    truths = [truth for used in signature.numbers.values() for truth in used.truths()]
    axioms = [signature.formula(each, {}) for truth in truths for each in parse_all(truth)]
    lines = [
        *signature.types(),
        *(f"tff(arithmetic, axiom, {axiom})." for axiom in axioms),
        *(f"tff(assumed, axiom, {formula})." for formula in assumed),
        f"tff(conclusion, conjecture, ~({denied})).",
    ]
    return Problem("\n".join(lines) + "\n", exact)


class Signature:
    """The sorts and functions of a problem, and what it uses of the numbers."""

    def __init__(self) -> None:
        self.sorts: list[str] = []
        self.functions: dict[str, tuple[tuple[str, ...], str]] = {}
        self.numbers: dict[str, Used] = {}
        self._symbols: dict[str, str] = {}

    def types(self) -> list[str]:
        """The declarations of the problem."""
        declared = {_quoted(name): "$tType" for name in (*self.sorts, *self.numbers)}
        for name, (arguments, value) in self.functions.items():
            declared[_quoted(name)] = _type(arguments, value)
        pairs = (declared | self._symbols).items()
        return [f"tff(declared{place}, type, {name}: {of})." for place, (name, of) in enumerate(pairs)]

    def formula(self, expression: SExpression, variables: Variables) -> str:
        """A formula of the problem.

        Raises:
            NotTranslated: there is none for the expression.
        """
        match expression:
            case "true" | "false":
                return f"${expression}"
            case ("not", part):
                return f"~({self.formula(part, variables)})"
            case (("and" | "or") as word, *parts):
                listed = (" & " if word == "and" else " | ").join(
                    self.formula(each, variables) for each in parts
                )
                return f"({listed})"
            case ("=>", *parts):
                *premises, conclusion = (self.formula(each, variables) for each in parts)
                return reduce(lambda then, premise: f"({premise} => {then})", reversed(premises), conclusion)
            case (("forall" | "exists") as word, bound, body):
                return self._quantified("!" if word == "forall" else "?", bound, body, variables)
            case ("ite", condition, one, other) if self._is_formula(one):
                asked, then, otherwise = (self.formula(each, variables) for each in (condition, one, other))
                return f"(({asked} => {then}) & ({asked} | {otherwise}))"
            case ("=", *sides) if self._is_formula(sides[0]):
                formulas = [self.formula(each, variables) for each in sides]
                return _all(f"({one} <=> {other})" for one, other in pairwise(formulas))
            case (("=" | "distinct" | "<=" | "<" | ">=" | ">") as word, *sides):
                several = [self._cases(each, variables) for each in sides]
                pairs = combinations(several, 2) if word == "distinct" else pairwise(several)
                return _all(
                    _in_cases([self._comparison(word, *two) for two in product(one, other)])
                    for one, other in pairs
                )
            case str(name) | (str(name), *_) if name not in variables and self._value(name) == BOOLEAN:
                return _in_cases(self._cases(expression, variables))
        raise NotTranslated(f"there is no translation of the formula {_shown(expression)}")

    def _quantified(self, sign: str, bound: SExpression, body: SExpression, variables: Variables) -> str:
        inner, listed = dict(variables), []
        for each in bound:
            match each:
                case (str(name), str(sort)) if sort != BOOLEAN:
                    inner[name] = sort
                    listed.append(f"{_variable(name)}: {_quoted(sort)}")
                    if sort in NUMBERS:
                        self._used(sort).quantifies = True
                case _:
                    raise NotTranslated(f"there is no translation of the variable {_shown(each)}")
        return f"({sign}[{', '.join(listed)}]: {self.formula(body, inner)})"

    def _comparison(self, word: str, left: ConditionalTerm, right: ConditionalTerm) -> ConditionalTerm:
        if left.sort != right.sort:
            raise NotTranslated(
                f"{left.term} and {right.term} are of two sorts, {left.sort} and {right.sort}"
            )
        if word in ("=", "distinct"):
            said = f"{left.term} {'=' if word == '=' else '!='} {right.term}"
        else:
            least, most = (left, right) if word in ("<=", ">") else (right, left)
            at_most = self._symbol("<=", (left.sort, left.sort), BOOLEAN)
            said = f"{'' if word.endswith('=') else '~'}{at_most}({least.term}, {most.term})"
        return ConditionalTerm(f"({said})", BOOLEAN, left.conditions + right.conditions)

    def _cases(self, expression: SExpression, variables: Variables) -> list[ConditionalTerm]:
        """What a term may be, each with the conditions under which it is that."""
        match expression:
            case str(name) if name in variables:
                return [ConditionalTerm(_variable(name), variables[name])]
            case str(name) if name in self.functions:
                return [ConditionalTerm(_quoted(name), self._value(name))]
            case str(digits):
                return [self._numeral(digits)]
            case ("-", str(digits)) if digits[0].isdigit():
                return [self._numeral(f"-{digits}")]
            case ("ite", condition, one, other):
                asked = self.formula(condition, variables)
                return [
                    ConditionalTerm(each.term, each.sort, (*each.conditions, held))
                    for part, held in ((one, asked), (other, f"~({asked})"))
                    for each in self._cases(part, variables)
                ]
            case (("+" | "-" | "*") as word, *parts):
                return [self._calculated(word, chosen) for chosen in self._chosen(parts, variables)]
            case (str(name), *parts) if name in self.functions:
                return [
                    ConditionalTerm(
                        f"{_quoted(name)}({_terms(chosen)})", self._value(name), _conditions(chosen)
                    )
                    for chosen in self._chosen(parts, variables)
                ]
        raise NotTranslated(f"there is no translation of the term {_shown(expression)}")

    def _chosen(
        self, parts: Sequence[SExpression], variables: Variables
    ) -> list[tuple[ConditionalTerm, ...]]:
        return list(product(*(self._cases(each, variables) for each in parts)))

    def _numeral(self, digits: str) -> ConditionalTerm:
        try:
            value = float(digits)
        except ValueError:
            raise NotTranslated(f"there is no translation of {digits!r}") from None
        if not value.is_integer():
            raise NotTranslated(f"there is no translation of the fraction {digits}")
        sort = "Real" if "." in digits else "Int"
        self._used(sort).numerals.add(int(value))
        return ConditionalTerm(self._symbol(str(int(value)), (), sort), sort)

    def _calculated(self, word: str, parts: Sequence[ConditionalTerm]) -> ConditionalTerm:
        sort = parts[0].sort
        self._used(sort).calculates = True
        if len(parts) == 1:
            parts = (self._numeral("0.0" if sort == "Real" else "0"), *parts)
        term = parts[0].term
        for part in parts[1:]:
            if part.sort != sort:
                raise NotTranslated(f"a calculation with {term} and {part.term}, of two sorts")
            term = (
                self._multiple(term, part.term, sort)
                if word == "*"
                else self._combined(word, sort, term, part.term)
            )
        return ConditionalTerm(term, sort, _conditions(parts))

    def _multiple(self, one: str, other: str, sort: str) -> str:
        for number in range(1, MULTIPLE + 1):
            for factor, term in ((one, other), (other, one)):
                if factor == _arithmetic(str(number), sort):
                    return reduce(lambda sum_, each: self._combined("+", sort, sum_, each), [term] * number)
        return self._combined("*", sort, one, other)

    def _combined(self, word: str, sort: str, one: str, other: str) -> str:
        return f"{self._symbol(word, (sort, sort), sort)}({one}, {other})"

    def _symbol(self, word: str, arguments: tuple[str, ...], value: str) -> str:
        sort = arguments[0] if arguments else value
        self._used(sort)
        name = _arithmetic(word, sort)
        self._symbols[name] = _type(arguments, value)
        return name

    def _used(self, sort: str) -> Used:
        if sort not in NUMBERS:
            raise NotTranslated(f"{sort} is no sort of numbers")
        return self.numbers.setdefault(sort, Used(sort))

    def _is_formula(self, expression: SExpression) -> bool:
        match expression:
            case ("ite", _, one, _):
                return self._is_formula(one)
            case str(name) | (str(name), *_):
                return name in _FORMULAS or self._value(name) == BOOLEAN
        return False

    def _value(self, name: str) -> str:
        return self.functions.get(name, ((), ""))[1]


_FORMULAS = frozenset(
    ("true", "false", "not", "and", "or", "=>", "forall", "exists", "=", "distinct", "<=", "<", ">=", ">")
)


def _in_cases(cases: Sequence[ConditionalTerm]) -> str:
    """What is said in each case, where it is the case."""
    return _all(
        f"({_all(each.conditions)} => {each.term})" if each.conditions else each.term for each in cases
    )


def _all(formulas: Iterable[str]) -> str:
    listed = list(formulas)
    return listed[0] if len(listed) == 1 else f"({' & '.join(listed)})"


def _conditions(parts: Sequence[ConditionalTerm]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(condition for each in parts for condition in each.conditions))


def _terms(parts: Sequence[ConditionalTerm]) -> str:
    return ", ".join(each.term for each in parts)


def _type(arguments: Sequence[str], value: str) -> str:
    sorts = [_quoted(each) for each in arguments]
    of = "$o" if value == BOOLEAN else _quoted(value)
    return f"({' * '.join(sorts)}) > {of}" if len(sorts) > 1 else f"{sorts[0]} > {of}" if sorts else of


def _arithmetic(word: str, sort: str) -> str:
    """The symbol of a function on numbers; no name that an obligation declares has a bar."""
    return _quoted(f"{sort}|{word}")


def _quoted(name: str) -> str:
    escaped = name.replace("'", "\\'")
    return f"'{escaped}'"


def _variable(name: str) -> str:
    return "V" + "".join(each if each.isascii() and each.isalnum() else f"_{ord(each)}_" for each in name)


def _shown(expression: SExpression) -> str:
    return expression if isinstance(expression, str) else f"({' '.join(map(_shown, expression))})"
