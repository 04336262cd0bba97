"""Code under test: objects imported by name (`package.module:object`), and the constants in its modules."""

import ast
import importlib
import inspect
import re
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import add, lshift, mul, sub
from pathlib import Path
from traceback import FrameSummary, extract_tb
from types import ModuleType
from typing import Any

from detectors.protocol import is_program
from semantics.errors import InputError

MUTANT = "mutant:"  # The beginning of the name of a mutant of ours

_OURS = {"semantics", "laws", "smt", "detectors", "proofs", "cluster", "campaigns", "streaming", "reports", "remora"}
_ROOT = Path(__file__).resolve().parents[1]
_PATHS = sysconfig.get_paths().items()
_LIBRARIES = {Path(place).resolve() for name, place in _PATHS if name.endswith(("lib", "stdlib"))}


def is_ours(filename: str) -> bool:
    """Whether a file is of the packages of this project, and not somebody else's code."""
    path = Path(filename).resolve()
    return path.is_relative_to(_ROOT) and path.relative_to(_ROOT).parts[0] in _OURS


def is_foreign(filename: str) -> bool:
    """Whether a file is neither of this project, nor of Python or an installed package."""
    path = Path(filename)
    return path.is_file() and not is_ours(filename) and not any(map(path.resolve().is_relative_to, _LIBRARIES))


def raised_in(error: BaseException) -> FrameSummary | None:
    """Where somebody else's code raised an error, or called what did; None if there is none of it."""
    frames = [frame for frame in extract_tb(error.__traceback__) if is_foreign(frame.filename)]
    return frames[-1] if frames else None


def crash_text(error: BaseException) -> str:
    """An error that a detector raised, in one line, with line and name of the file of its own code, on any machine."""
    text = " ".join(str(error).split())
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    frame = raised_in(error)
    return said if frame is None else f"{said} ({Path(frame.filename).name}, line {frame.lineno})"


def names_code(name: str) -> bool:
    """Whether the name of a detector is that of code that is imported, or of a program that is run."""
    return (":" in name and not name.startswith(MUTANT)) or is_program(name)


def require_trust(names: Iterable[str], place: str, *, trusted: bool) -> None:
    """Raise `InputError` where a file that is not trusted names code, which would be imported because it says so."""
    code = [name for name in names if names_code(name)]
    if code and not trusted:
        remedy = "If you know where the folder comes from: --trust."
        raise InputError(f"this names code that would be run: {', '.join(code)}", place=place, remedy=remedy)


def named(
    name: str, catalogue: Mapping[str, Any], mutants: Callable[[], Mapping[str, Any]], search_path: Sequence[str]
) -> Callable[..., Any]:
    """The detector of a catalogue, the mutant, or the object that `package.module:object` names.

    Modules are looked for in the search path after everything that Python finds by itself, so that a folder with names
    like ours does not hide our modules. `InputError` if there is no such detector, or it cannot be imported or called.
    """
    if name in catalogue:
        return catalogue[name]  # type: ignore[no-any-return]  # callable
    if name.startswith(MUTANT):
        known = mutants()
        if name.removeprefix(MUTANT) not in known:
            raise InputError(f"there is no {name}", remedy=f"There are {', '.join(known)}.")
        return known[name.removeprefix(MUTANT)]  # type: ignore[no-any-return]  # callable
    found = imported(name, search_path, f"Name one of {', '.join(catalogue)}, or your own as package.module:object.")
    if not callable(found):
        remedy = "A detector is made by a class or function that takes what is to be detected."
        raise InputError(f"{name} is not callable, but a {type(found).__name__}", remedy=remedy)
    return found  # type: ignore[no-any-return]  # callable


def imported(name: str, search_path: Sequence[str], otherwise: str) -> Any:
    """The object that `package.module:object` names; `InputError` if there is none, with a remedy if it is no name."""
    module, colon, path = name.partition(":")
    if not (colon and module and path):
        raise InputError(f"no detector is called {name!r}", remedy=otherwise)
    sys.path.extend(folder for folder in search_path if folder not in sys.path)
    importlib.invalidate_caches()
    try:
        found: Any = importlib.import_module(module)
        for attribute in path.split("."):
            found = getattr(found, attribute)
    except Exception as error:  # an import runs any code
        remedy = f"Looked for in {', '.join(search_path) or 'the folders where Python looks for modules'}."
        reason = f"the detector {name} cannot be imported: {type(error).__name__}: {error}"
        raise InputError(reason, remedy=remedy) from error
    return found


LEAST, GREATEST = 2, 2**62  # Smaller constants are met anyway; greater ones are no times
_DIGITS = re.compile(r"\b[0-9]{1,19}\b")
MOST = 60  # So many constants are taken: of the module of a detector first, then of those that it imports


def harvested(detectors: Mapping[str, Any]) -> tuple[int, ...]:
    """The integers in the text of detectors by name, ascending, as fuzzers take them.

    What is wrong for one bound or length is mostly wrong at a number that stands in the code. Looked at is the module
    of each detector but of mutants, and what it imports of the same package or of neither this project nor a library;
    of a program, the texts that its command names.
    """
    found: dict[int, None] = {}
    homes = (
        home
        for name, factory in detectors.items()
        if not (name.startswith(MUTANT) or is_program(name))
        for home in (name.partition(":")[0], getattr(inspect.unwrap(factory), "__module__", ""))
    )
    for name, factory in detectors.items():
        texts = factory.program.texts() if is_program(name) else ()
        for number in (int(digits) for text in texts for digits in _DIGITS.findall(text)):
            if LEAST <= number <= GREATEST and len(found) < MOST:
                found.setdefault(number)
    for module in _modules_of(homes):
        with suppress(OSError, TypeError, SyntaxError):
            for number in _integers(ast.parse(inspect.getsource(module))):
                if LEAST <= number <= GREATEST and len(found) < MOST:
                    found.setdefault(number)
    return tuple(sorted(found))


def _modules_of(homes: Iterable[str]) -> Iterator[ModuleType]:
    known = {
        home: sys.modules[home]
        for home in homes
        if home in sys.modules and home.partition(".")[0] not in sys.stdlib_module_names
    }
    packages = {name.partition(".")[0] for name in known}
    pending = list(known.values())
    while pending:
        module = pending.pop(0)
        yield module
        for value in list(vars(module).values()):
            home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            other = sys.modules.get(home) if isinstance(home, str) else None
            if other is None or other.__name__ in known:
                continue
            if other.__name__.partition(".")[0] in packages or is_foreign(getattr(other, "__file__", "") or ""):
                known[other.__name__] = other
                pending.append(other)


_FOLDED: Mapping[type[ast.operator], Callable[[int, int], int]] = dict(
    zip((ast.Add, ast.Sub, ast.Mult, ast.Pow, ast.LShift), (add, sub, mul, pow, lshift), strict=True)
)


def _integers(tree: ast.AST) -> Iterator[int]:
    """The integers in a text; products, powers and shifts of integers, as `24 * 60 * 60`, are computed."""
    for node in ast.walk(tree):
        with suppress(ValueError, OverflowError):
            if isinstance(node, ast.BinOp):
                yield _computed(node)
            elif isinstance(node, ast.Constant) and isinstance(node.value, int | float | str):
                number = int(node.value)
                if not isinstance(node.value, float) or number == node.value:
                    yield number


def _computed(node: ast.expr) -> int:
    """The value of an expression of small integers; `ValueError` if it is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _FOLDED:
        one, other = _computed(node.left), _computed(node.right)
        if not isinstance(node.op, ast.Pow | ast.LShift) or (0 <= other <= 64 and abs(one) <= GREATEST):
            return _FOLDED[type(node.op)](one, other)
    raise ValueError("no integer")
