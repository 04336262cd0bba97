"""Generated code: the text of a function becomes the function, with a source that tracebacks show."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.abc import InspectLoader
from importlib.util import module_from_spec, spec_from_loader
from types import CodeType
from typing import TypeAlias, cast

Function: TypeAlias = Callable[..., object]


class _Text(InspectLoader):
    """Imports a module from its text; tracebacks show its lines."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, fullname: str) -> str:
        return self._text

    def get_code(self, fullname: str) -> CodeType:
        return _compiled(self._text)


@lru_cache(64)
def _compiled(text: str) -> CodeType:
    """The code of a program; the last few are remembered, as detectors of one thing are made again and again."""
    return _Text.source_to_code(text)


def in_docstring(text: str) -> str:
    """A text of one line as it stands in a docstring, which it cannot end."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def defined(text: str, name: str, origin: str, globals_: Mapping[str, object]) -> Function:
    """The function that a program of our making defines: nothing in it is a user's but names and constants."""
    loader = _Text(text)
    spec = spec_from_loader(origin, loader)
    assert spec is not None
    module = module_from_spec(spec)
    vars(module).update(globals_)
    loader.exec_module(module)
    return cast(Function, getattr(module, name))
