"""The text of a step, made once for all places: rewriting a step takes a thousand times as long as copying a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import cast

from detectors.carlson_lisper.generated.carried import START, Suffix
from detectors.carlson_lisper.generated.parts import Part
from detectors.carlson_lisper.generated.specialisation import Place, constants

_NUMBER, _LEFT, _RIGHT, _NEXT, _FIRST_SUFFIX = "\ue000", "\ue001", "\ue002", "\ue003", 0xE004
"""Stand for what depends on the place of a step in its text; no source has them."""


@dataclass(frozen=True)
class _Template:
    """All that the text of a step depends on, but for its place.

    Attributes:
        steps: the class and the numbers of the step, and of the one that its result goes through.
        is_one: whether both operands are the same.
        parts: the subexpressions at no place.
    """

    write: Callable[..., str]
    chosen: tuple[bool, ...]
    steps: tuple[tuple[type, tuple[tuple[str, int], ...]], ...]
    is_one: bool
    suffixes: tuple[tuple[Suffix, ...], ...]
    parts: tuple[Part, ...] = field(compare=False)


@lru_cache(maxsize=4096)
def _text(template: _Template) -> str:
    return template.write(*template.parts, *template.chosen)


def placed(part: Part, write: Callable[..., str], *chosen: bool, through: Part | None = None) -> str:
    """The text of a step at its place.

    Args:
        chosen: further arguments of that.
        through: the operation with one operand that the result goes through in the same text; an argument before these.
    """
    assert part.place is not None
    is_one = part.place.left == part.place.right
    sign = {suffix: f"_{chr(_FIRST_SUFFIX + index)}" for index, suffix in enumerate(part.suffixes)}
    sign[START] = START
    place = replace(part.place, number=cast(int, _NUMBER), left=_LEFT, right=_LEFT if is_one else _RIGHT)
    anywhere = [_moved(part, place, sign)]
    if through is not None:
        assert through.place is not None
        operand = place.result
        place = replace(through.place, number=cast(int, _NEXT), left=operand, right=operand)
        anywhere.append(_moved(through, place, sign))
    template = _Template(
        write,
        chosen,
        tuple((type(one.place.step), constants(one.place.step)) for one in anywhere if one.place),
        is_one,
        tuple(one.suffixes for one in anywhere),
        tuple(anywhere),
    )
    return _text(template).translate(_said(part, through))


def _moved(part: Part, place: Place, sign: Mapping[Suffix, Suffix]) -> Part:
    suffixes = tuple(sign[suffix] for suffix in part.suffixes)
    return replace(part, number=place.number, place=place, suffixes=suffixes)


def _said(part: Part, through: Part | None) -> Mapping[int, str]:
    assert part.place is not None
    return {
        ord(_NUMBER): str(part.number),
        ord(_LEFT): part.place.left,
        ord(_RIGHT): part.place.right,
        ord(_NEXT): str(through.number) if through is not None else "",
        **{_FIRST_SUFFIX + index: suffix[1:] for index, suffix in enumerate(part.suffixes)},
    }
