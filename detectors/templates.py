"""The text of a step, made once for all places: rewriting a step takes a thousand times as long as copying a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import cast

from detectors.carried import START, Suffix
from detectors.parts import Part
from detectors.specialisation import constants

_NUMBER, _LEFT, _RIGHT, _FIRST_SUFFIX = "\ue000", "\ue001", "\ue002", 0xE003
"""Stand for what depends on the place of a step in its text; no source has them."""


@dataclass(frozen=True)
class _Template:
    """All that the text of a step depends on, but for its place.

    Attributes:
        write: writes the text.
        chosen: further arguments of it.
        step: the class of the step.
        constants: the numbers that the step has.
        is_one: whether both operands are the same.
        suffixes: what the result carries.
    """

    write: Callable[..., str]
    chosen: tuple[bool, ...]
    step: type
    constants: tuple[tuple[str, int], ...]
    is_one: bool
    suffixes: tuple[Suffix, ...]
    part: Part = field(compare=False)


@lru_cache(maxsize=4096)
def _text(template: _Template) -> str:
    return template.write(template.part, *template.chosen)


def placed(part: Part, write: Callable[..., str], *chosen: bool) -> str:
    """The text of a step at its place.

    Args:
        part: the subexpression.
        write: writes the text for a place.
        chosen: further arguments of that.
    """
    assert part.place is not None
    step = part.place.step
    is_one = part.place.left == part.place.right
    right = _LEFT if is_one else _RIGHT
    suffixes = tuple(
        suffix if suffix == START else f"_{chr(_FIRST_SUFFIX + index)}"
        for index, suffix in enumerate(part.suffixes)
    )
    place = replace(part.place, number=cast(int, _NUMBER), left=_LEFT, right=right)
    anywhere = replace(part, number=cast(int, _NUMBER), place=place, suffixes=suffixes)
    template = _Template(write, chosen, type(step), constants(step), is_one, suffixes, anywhere)
    return _put(_text(template), part)


def _put(text: str, part: Part) -> str:
    assert part.place is not None
    said: Mapping[int, str] = {
        ord(_NUMBER): str(part.number),
        ord(_LEFT): part.place.left,
        ord(_RIGHT): part.place.right,
        **{_FIRST_SUFFIX + index: suffix[1:] for index, suffix in enumerate(part.suffixes)},
    }
    return text.translate(said)
