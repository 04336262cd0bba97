"""Reductions of a case: an expression and a trace made smaller, each as candidates, the boldest first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from campaigns.carlson_lisper.cases import Case
from campaigns.judging.minimise import Shape, smaller_numbers, without_runs
from semantics.carlson_lisper.expressions import (
    Expression,
    Identifier,
    Operation,
    bottom_up,
    evaluate_bound,
    identifiers,
    size,
    substitute,
)
from semantics.carlson_lisper.occurrences import Occurrence

FEW = 4  # So many event types are tried in the place of an operation…
MANY = 40  # …or one, in an expression of more nodes: what cannot be tried everywhere is tried where it is cheap


def measure(case: Case) -> tuple[int, ...]:
    """The size: nodes, occurrences, types, values, bounds and span in ticks, spelling, and restored snapshots."""
    types, restored = _types(case), case.restored or ()
    operations = [part for part in _parts(case.expression) if isinstance(part, Operation)]
    return (
        size(case.expression),
        len(case.occurrences),
        len(types),
        sum(o.value is not None for o in case.occurrences),
        sum(evaluate_bound(part.bound or 0) for part in operations),
        case.occurrences[-1].time if case.occurrences else 0,
        sum(ord(character) for name in types for character in name),
        len(restored),
        sum(restored),
    )


def _types(case: Case) -> list[str]:
    """The event types of the expression and of the trace, sorted."""
    return sorted(identifiers(case.expression) | {each.event for each in case.occurrences})


def _parts(expression: Expression) -> Iterator[Expression]:
    """All parts, as often as they are there."""
    yield expression
    for operand in _operands(expression):
        yield from _parts(operand)


def _operands(expression: Expression) -> Sequence[Expression]:
    return expression.operands if isinstance(expression, Operation) else ()


def _with_operands(expression: Expression, operands: Sequence[Expression]) -> Expression | None:
    if not isinstance(expression, Operation) or len(operands) != len(expression.operands):
        return None
    return replace(expression, operands=tuple(operands))


def _simpler(expression: Expression) -> Iterator[Expression]:
    """An operand or an event type in the place of an operation, or a smaller bound."""
    if isinstance(expression, Operation):
        yield from expression.operands
        names = sorted(identifiers(expression))
        yield from map(Identifier, names[: FEW if size(expression) <= MANY else 1])
        if expression.bound is not None:
            for bound in smaller_numbers(evaluate_bound(expression.bound)):
                yield replace(expression, bound=bound)


EXPRESSIONS = Shape(_operands, _with_operands, _simpler)


def _what_matters(case: Case) -> Iterator[Case]:
    """Without occurrences of what the expression does not mention, and without parts that never happen."""
    types = identifiers(case.expression)
    kept = tuple(each for each in case.occurrences if each.event in types)
    possible = _possible(case.expression, {each.event for each in case.occurrences})
    if possible is not None:
        types = identifiers(possible)
        yield replace(case, expression=possible, occurrences=tuple(o for o in kept if o.event in types))
        yield replace(case, expression=possible)
    yield replace(case, occurrences=kept)


def _possible(expression: Expression, types: set[str]) -> Expression | None:
    """The expression without the operands in which something has to happen that never does; None if it is all."""
    made: dict[Expression, Expression | None] = {}
    for part in bottom_up(expression):
        if isinstance(part, Identifier):
            made[part] = part if part.name in types else None
            continue
        assert isinstance(part, Operation)  # there is nothing else
        operands = [made[operand] for operand in part.operands]
        left = [operand for operand in operands if operand is not None]
        if len(left) == len(operands):
            made[part] = replace(part, operands=tuple(left))
        elif part.operator == "dis" or (part.operator == "neg" and operands[0] is not None):
            made[part] = left[0] if left else None
        else:
            made[part] = None
    return made[expression]


def _common_names(case: Case) -> Iterator[Case]:
    """One event type for all, or a few for many; or letters for names."""
    used = _types(case)
    for types in (1, 2, 4, 8, 16):
        if types < len(used):
            yield _with_names(case, {name: _letter(n * types // len(used)) for n, name in enumerate(used)})
    letters = sorted(_letter(n) for n in range(len(used)))  # the order of the names may matter
    yield _with_names(case, dict(zip(used, letters, strict=True)))


def _fewer_names(case: Case) -> Iterator[Case]:
    """One event type renamed to an earlier letter, in use or not."""
    used = _types(case)
    letters = [_letter(number) for number in range(len(used))]
    for old in reversed(used):
        earlier = [new for new in sorted({*used, *letters}) if new < old]
        for new in earlier if len(used) <= 2 * FEW else earlier[:1]:
            yield _with_names(case, {old: new})


def _letter(number: int) -> str:
    """The name of the event type with a number: a letter, or a letter and a number where there are more."""
    turn, place = divmod(number, 26)
    return chr(ord("a") + place) + (str(turn) if turn else "")


def _fewer_snapshots(case: Case) -> Iterator[Case]:
    """Fewer snapshots that are restored, or one of them earlier."""
    restored = case.restored or ()
    for fewer in without_runs(restored):
        yield replace(case, restored=fewer)
    for place, tick in enumerate(restored):
        for smaller in smaller_numbers(tick, restored[place - 1] if place else 0):
            yield replace(case, restored=(*restored[:place], smaller, *restored[place + 1 :]))


def _part_alone(case: Case) -> Iterator[Case]:
    """A part of the expression instead of the whole, the smallest first."""
    return (replace(case, expression=part) for part in sorted(bottom_up(case.expression), key=size)[:-1])


def _fewer_occurrences(case: Case) -> Iterator[Case]:
    return (replace(case, occurrences=fewer) for fewer in without_runs(case.occurrences))


def _smaller_expressions(case: Case) -> Iterator[Case]:
    return (replace(case, expression=smaller) for smaller in EXPRESSIONS.smaller(case.expression))


def _put(expression: Expression, old: Expression, new: Expression) -> Expression:
    """The expression with another part in all places of one."""
    if expression == old:
        return new
    if not isinstance(expression, Operation):
        return expression
    return replace(expression, operands=tuple(_put(each, old, new) for each in expression.operands))


def _fewer_values(case: Case) -> Iterator[Case]:
    """The trace without values, or without one of them."""
    yield replace(case, occurrences=tuple(o._replace(value=None) for o in case.occurrences))
    for place, occurrence in enumerate(case.occurrences):
        if occurrence.value is not None:
            kept, bare = case.occurrences, occurrence._replace(value=None)
            yield replace(case, occurrences=(*kept[:place], bare, *kept[place + 1 :]))


def _shorter_gaps(case: Case) -> Iterator[Case]:
    """A shorter gap between two instants, or before the first; alone, or with bounds as much shorter."""
    times = sorted({o.time for o in case.occurrences})
    for time, before in zip(times, [-1, *times], strict=False):
        for gap in smaller_numbers(time - before, 1):
            less = time - before - gap
            earlier = tuple(o._replace(time=o.time - less) if o.time >= time else o for o in case.occurrences)
            restored = case.restored
            if restored is not None:
                restored = tuple(t if t <= time - less else max(t, time) - less for t in restored)
            moved = replace(case, occurrences=earlier, restored=restored)
            yield moved
            for part in bottom_up(case.expression):
                bound = evaluate_bound(part.bound) - less if isinstance(part, Operation) and part.bound else -1
                if bound >= 0:
                    assert isinstance(part, Operation)  # only operations have bounds
                    yield replace(moved, expression=_put(case.expression, part, replace(part, bound=bound)))


REDUCTIONS = (
    _what_matters,
    _common_names,
    _fewer_snapshots,
    _part_alone,
    _fewer_occurrences,
    _smaller_expressions,
    _fewer_names,
    _fewer_values,
    _shorter_gaps,
)
"""The reductions in the order in which they are tried."""


def _with_names(case: Case, names: Mapping[str, str]) -> Case:
    """The case with other names for some event types, of which several may get the same."""
    new = {name: Identifier(other) for name, other in names.items()}
    occurrences = [each._replace(event=names.get(each.event, each.event)) for each in case.occurrences]
    return replace(case, expression=substitute(case.expression, new), occurrences=_in_order(occurrences))


def _in_order(occurrences: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    """The occurrences in order, one for each time and event type (Def. 3.4)."""
    ordered = sorted(occurrences, key=Occurrence.sort_key)
    return tuple({(o.time, o.event): o for o in reversed(ordered)}.values())[::-1]
