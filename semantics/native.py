"""Machine code of kernels, made by Numba once and kept on disk; from then on it is loaded without Numba.

A kernel is a function over numbers and pointers, in a module of nothing but such functions: plain Python, of which
Numba makes machine code that needs nothing else. To load that takes a millisecond (`semantics.object_code`), or where
object files are others, LLVM, a tenth of the time that Numba itself takes.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any, NamedTuple, TypeAlias

from semantics import object_code
from semantics.kept_files import digest, folders, store, stored

AVAILABLE = find_spec("numba") is not None
"""Whether kernels can be compiled. Numba itself is loaded only where one is."""

Pointer: TypeAlias = Any
"""An array of numbers as a kernel sees it: items can be read and written, and nobody checks where."""


class Kernel(NamedTuple):
    """A kernel and what it takes.

    Attributes:
        module: where it is.
        name: of the function, which returns an integer of 64 bits.
        arguments: the type of each: "bytes" and "integers" for pointers to numbers of 8 bits without sign and of 64
            bits with one, "integer" for such a number itself.
    """

    module: str
    name: str
    arguments: Sequence[str]


_made: dict[Kernel, Any] = {}
"""Kernels as machine code, each of which owns it."""

_making = RLock()


@cache
def is_compiled(kernel: Kernel) -> bool:
    """Whether machine code of a kernel is on disk. It may still be of another machine; then it is compiled again."""
    source = _source(kernel)
    name = f"{source.stem}.{kernel.name}-*-{digest(source, Path(__file__))}.o"
    return any(any(folder.glob(name)) for folder in folders(source))


def _function(kernel: Kernel) -> Callable[..., int]:
    """A kernel as machine code, which takes first where to put its result, and an exception, of which there is none.

    Threads that ask for one at the same time get the same.

    Raises:
        ImportError: there is no Numba, or not the one that this is made for.
    """
    with _making:
        if kernel not in _made:
            _made[kernel] = _placed(kernel)
        function: Callable[..., int] = _made[kernel]
        return function


def _placed(kernel: Kernel) -> Any:
    import ctypes

    source = _source(kernel)
    name = f"{source.stem}.{kernel.name}-{_machine()}-{digest(source, Path(__file__))}.o"
    places = [folder / name for folder in folders(source)]
    code = next(filter(None, map(stored, places)), None)
    if code is None:
        code = _target().emit_object(_parsed(_assembly(kernel)))
        store(places, code)
    try:
        owner, place = object_code.placed(code, kernel.name)
    except ImportError:
        from llvmlite import binding

        owner = binding.create_mcjit_compiler(_parsed(""), _target())
        owner.add_object_file(binding.ObjectFileRef.from_data(code))
        owner.finalize_object()
        place = owner.get_function_address(kernel.name)
    given = [ctypes.c_int64 if each == "integer" else ctypes.c_void_p for each in kernel.arguments]
    types = [ctypes.c_void_p, ctypes.c_void_p, *given]  # the calling convention of Numba
    function: Any = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(place)
    function.owner = owner  # whoever can call it keeps the machine code
    return function


@cache
def _machine() -> str:
    """What tells machines apart for which other code is made."""
    told = object_code.machine()
    if told is None:
        _target()
        from llvmlite import binding

        features = binding.get_host_cpu_features().flatten()
        told = f"{binding.get_process_triple()} {binding.get_host_cpu_name()} {features}"
    return f"{zlib.crc32(told.encode()):08x}"


@cache
def _target() -> Any:
    """What makes code for this machine."""
    from llvmlite import binding

    for each in ("initialize", "initialize_native_target", "initialize_native_asmprinter"):
        with suppress(RuntimeError, AttributeError):  # newer ones do without
            getattr(binding, each)()
    return binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=3,
        codemodel="jitdefault",
        jit=True,
    )


def _parsed(assembly: str) -> Any:
    from llvmlite import binding

    return binding.parse_assembly(assembly)


@cache
def loaded(kernel: Kernel) -> Callable[..., int]:
    """A kernel as machine code, compiled if need be, which takes seconds; other threads go on while it runs.

    Raises:
        ImportError: there is no Numba, or not the one that this is made for.
    """
    import ctypes

    function = _function(kernel)

    def call(*arguments: Any) -> int:
        result = ctypes.c_int64()
        function(ctypes.addressof(result), None, *arguments)
        return result.value

    return call


def run(kernel: Kernel, *arguments: Any) -> int:
    """What a kernel makes of integers and arrays of NumPy: as machine code where there is some, otherwise as Python."""
    if AVAILABLE:
        with suppress(ImportError):
            return loaded(kernel)(*(each if isinstance(each, int) else address(each) for each in arguments))
    result: int = getattr(import_module(kernel.module), kernel.name)(*arguments)
    return result


def bound(
    kernel: Kernel, function: Callable[..., int], given: Sequence[array[int]], *, large: bool
) -> Callable[[], object]:
    """A kernel over arrays of integers, to be called many times; it says in these what it has to say.

    As machine code or as Python, like `run`; a function that was altered and is not that of the module, as Python.
    """
    own = getattr(import_module(kernel.module), kernel.name) is function
    if AVAILABLE and own and (large or kernel in _made or is_compiled(kernel)):
        with suppress(ImportError):
            from ctypes import c_void_p

            addresses = (c_void_p(each.buffer_info()[0]) for each in (_ignored, *given))
            result, *others = addresses
            return partial(_function(kernel), result, None, *others)
    return partial(function, *given)


_ignored = array("q", [0])
"""Takes what kernels return where nobody asks."""


def address(array: Any) -> int:
    """Where the numbers of an array of NumPy begin, for a kernel; they must be one after the other."""
    place: int = array.__array_interface__["data"][0]
    return place


def _source(kernel: Kernel) -> Path:
    found = find_spec(kernel.module)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin)


def _assembly(kernel: Kernel) -> str:
    """The kernel in the language of LLVM, with everything that it calls.

    Raises:
        ImportError: it calls something that is not there.
    """
    import numba
    from llvmlite import binding
    from numba import types
    from numba.extending import register_jitable

    module = import_module(kernel.module)
    for each in vars(module).values():
        if isinstance(each, FunctionType) and each.__module__ == module.__name__:
            register_jitable(each)
    numbers = {
        "bytes": types.CPointer(types.uint8),
        "integers": types.CPointer(types.int64),
        "integer": types.int64,
    }
    signature = types.int64(*(numbers[each] for each in kernel.arguments))
    alone = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # which would call Python
    jit: Any = numba.jit(signature, nopython=True, error_model="numpy", **alone)  # type: ignore[call-overload]
    text: str = jit(getattr(module, kernel.name)).inspect_llvm(signature.args)
    functions = [(each.name, each.is_declaration) for each in binding.parse_assembly(text).functions]
    missing = [name for name, is_missing in functions if is_missing and not name.startswith("llvm.")]
    mangled = f"{len(kernel.name)}{kernel.name}B"
    found = [name for name, is_missing in functions if not is_missing and mangled in name]
    if missing or len(found) != 1:
        raise ImportError(f"{kernel.name} is no kernel of its own: {', '.join(missing or found)}")
    return text.replace(found[0], kernel.name)
