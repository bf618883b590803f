"""Reads programs and libraries of every system: what they are for, what they need, what they offer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import lief

lief.logging.disable()

MAGICS = {
    b"\x7fELF": "linux",
    b"MZ": "windows",
    b"\xcf\xfa\xed\xfe": "macos",
    b"\xca\xfe\xba\xbe": "macos",  # for several processors; Java's too
}
_MACHINES = {
    "ARCH.X86_64": "x86_64",
    "ARCH.AARCH64": "arm64",
    "MACHINE_TYPES.AMD64": "x86_64",
    "MACHINE_TYPES.ARM64": "arm64",
    "CPU_TYPE.X86_64": "x86_64",
    "CPU_TYPE.ARM64": "arm64",
}


@dataclass(frozen=True)
class Binary:
    """What a program or library says of itself."""

    system: str
    """linux, windows or macos"""
    machine: str
    """x86_64, arm64, or what it calls itself"""
    needs: tuple[str, ...]
    """Libraries that have to be there for it to load."""
    offers: frozenset[str]
    """Functions that others may call."""
    glibc: tuple[int, ...] = ()
    """The oldest C library of Linux that it runs with, such as (2, 36)."""


def system_of(path: Path) -> str | None:
    """Return which system a binary is for, or None for other files."""
    with path.open("rb") as file:
        start = file.read(4)
    return next((system for magic, system in MAGICS.items() if start.startswith(magic)), None)


def find(folder: Path) -> Iterator[Path]:
    """Yield the binaries in a folder, sorted."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and system_of(path):
            yield path


def read(path: Path) -> list[Binary]:
    """Read a binary; one for several processors is several."""
    system = system_of(path)
    if system == "linux":
        elf = lief.ELF.parse(path)
        assert elf is not None, path
        return [_elf(elf)]
    if system == "windows":
        pe = lief.PE.parse(path)
        assert pe is not None, path
        names = tuple(str(library.name) for library in pe.imports)
        offered = frozenset(str(function.name) for function in pe.exported_functions)
        return [Binary(system, _machine(pe.header.machine), names, offered)]
    fat = lief.MachO.parse(path)
    assert system == "macos", path
    assert fat is not None, path
    return [_macho(binary) for binary in fat]


def _elf(elf: lief.ELF.Binary) -> Binary:
    glibc: tuple[int, ...] = ()
    for requirement in elf.symbols_version_requirement:
        for version in requirement.get_auxiliary_symbols():
            name = str(version.name)
            if name.startswith("GLIBC_2"):
                glibc = max(glibc, tuple(int(part) for part in name[len("GLIBC_") :].split(".")))
    offered = frozenset(str(function.name) for function in elf.exported_functions)
    return Binary("linux", _machine(elf.header.machine_type), tuple(map(str, elf.libraries)), offered, glibc)


def _macho(binary: lief.MachO.Binary) -> Binary:
    itself = lief.MachO.LoadCommand.TYPE.ID_DYLIB
    needs = tuple(str(library.name) for library in binary.libraries if library.command != itself)
    offered = frozenset(str(symbol.name).removeprefix("_") for symbol in binary.exported_symbols)
    return Binary("macos", _machine(binary.header.cpu_type), needs, offered)


def _machine(kind: object) -> str:
    return _MACHINES.get(str(kind), str(kind))
