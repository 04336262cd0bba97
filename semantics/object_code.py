"""Object files put into memory without a linker: ELF of x86-64 on Linux, as LLVM writes it for addresses of 64 bits."""

from __future__ import annotations

import mmap
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

_X86_64, _RELOCATABLE = 62, 1
_SYMBOLS, _ADDENDS, _NO_BITS = 2, 4, 8
"""Types of sections: symbols; places to be written to, with what is added; memory that begins as zeros."""

_ALLOCATED: Final = 2
"""The flag of sections that are in memory when the code runs."""

_ABSOLUTE: Final = 1
"""The only kind of relocation that is known here: the address of a symbol, in 64 bits."""

_MACHINE: Final = ("vendor_id", "cpu family", "model", "flags")


class _Section(NamedTuple):
    name: int
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    align: int
    entry: int


def machine() -> str | None:
    """What tells apart processors that do not run the same code; None where object files are not loaded here."""
    if sys.platform != "linux" or struct.calcsize("P") != 8:
        return None
    with suppress(OSError), Path("/proc/cpuinfo").open("rb") as file:
        lines = file.read(1 << 13).decode("ascii", "replace").partition("\n\n")[0].splitlines()
        told = [line for line in lines if line.startswith(_MACHINE)]
        return "\n".join(told) if any(line.startswith("flags") for line in told) else None
    return None


def placed(code: bytes, function: str) -> tuple[mmap.mmap, int]:
    """Memory that holds an object file's code, which lives as long as it, and the address of a function in it.

    Raises:
        ImportError: the file has something else than what is expected here, or the system grants no such memory.
    """
    import ctypes

    if code[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<HH", code, 16) != (_RELOCATABLE, _X86_64):
        raise ImportError("no object file of x86-64")
    (table,), (number,) = struct.unpack_from("<Q", code, 40), struct.unpack_from("<H", code, 60)
    sections = [
        _Section._make(struct.unpack_from("<IIQQQQIIQQ", code, table + 64 * n)) for n in range(number)
    ]
    begins, size = _layout(sections)
    try:
        memory = mmap.mmap(-1, max(size, 1), prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    except OSError as error:
        raise ImportError("no memory for machine code") from error
    base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for section, begin in zip(sections, begins, strict=True):
        if section.flags & _ALLOCATED and section.type != _NO_BITS:
            memory[begin : begin + section.size] = code[section.offset : section.offset + section.size]
    (symbols,) = (section for section in sections if section.type == _SYMBOLS)
    names, found = sections[symbols.link], None
    addresses = []
    for place in range(symbols.offset, symbols.offset + symbols.size, 24):
        name, _, _, of, value, _ = struct.unpack_from("<IBBHQQ", code, place)
        begin = names.offset + name
        text = code[begin : code.index(b"\0", begin)].decode()
        if 0 < of < number:
            addresses.append(base + begins[of] + value)
        else:  # a function of the C library, such as memcpy
            outside = getattr(ctypes.CDLL(None), text, None) if text and not of else None
            addresses.append(0 if outside is None else ctypes.cast(outside, ctypes.c_void_p).value or 0)
        if text == function:
            found = addresses[-1]
    for section in sections:
        if section.type != _ADDENDS or not sections[section.info].flags & _ALLOCATED:
            continue
        for place in range(section.offset, section.offset + section.size, 24):
            offset, kind, symbol, addend = struct.unpack_from("<QIIq", code, place)
            if kind != _ABSOLUTE or not addresses[symbol]:
                raise ImportError("a relocation of another kind, or of something that is not there")
            struct.pack_into("<Q", memory, begins[section.info] + offset, addresses[symbol] + addend)
    if not found:
        raise ImportError(f"there is no function {function}")
    return memory, found


def _layout(sections: Sequence[_Section]) -> tuple[list[int], int]:
    """Where each section begins in memory, and how much memory all of them take."""
    begins, size = [], 0
    for section in sections:
        if section.flags & _ALLOCATED:
            size += -size % max(section.align, 1)
        begins.append(size)
        size += section.size * bool(section.flags & _ALLOCATED)
    return begins, size
