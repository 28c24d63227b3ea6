"""Which processes of a server there are, told by what stands in their command lines."""

from __future__ import annotations

import os
from pathlib import Path


def processes_of(folder: Path, *, guards: bool = True) -> list[int]:
    """Those with this folder in their command line, with their guards or without; not this one."""
    return [process for process, line in _lines(folder) if guards or "guard.py" not in line]


def guards_of(folder: Path) -> list[int]:
    """The guards of the servers with this folder in their command line."""
    return [process for process, line in _lines(folder) if "guard.py" in line]


def _lines(folder: Path) -> list[tuple[int, str]]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if str(folder) in line:
                found.append((int(entry.name), line))
    return found
