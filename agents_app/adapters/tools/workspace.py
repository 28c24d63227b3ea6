"""A folder that a tool can't leave: every step of a path is opened without following links.

A link that somebody puts in the way between two steps is met like any: it is not followed. What is
written appears whole, under its name, or not at all.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents_app.engine.errors import ToolError
from playhead.core.ids import new_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
#: How deep folders may lie in one another, and how long a path is.
DEPTH, PATH = 32, 1000


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the workspace; ``path`` is relative to it, ``size`` in bytes."""

    path: str
    size: int


class Workspace:
    """Files below ``root``.

    Args:
        max_bytes: of one file.
        max_files: in all; more are neither written nor listed.
    """

    def __init__(self, root: Path, *, max_bytes: int = 1_000_000, max_files: int = 1000) -> None:
        self.root, self.max_bytes, self.max_files = root, max_bytes, max_files

    def read(self, path: str) -> str:
        """The text of a file.

        Raises:
            ToolError: it is not there, lies outside, is no text, or is too large.
        """
        *folders, name = parts_of(path)
        with _told(path), self._folder(folders) as folder:
            return self._text(folder, name, path)

    def write(self, path: str, text: str) -> int:
        """Write a file, with the folders above it, and return its bytes; the old one is replaced.

        Raises:
            ToolError: it would lie outside, is too large, or there are too many files.
        """
        *folders, name = parts_of(path)
        data = text.encode(errors="replace")
        if len(data) > self.max_bytes:
            raise ToolError(f"{path} would have {len(data)} bytes; at most {self.max_bytes}")
        self._refuse_more("/".join([*folders, name]))
        with _told(path), self._folder(folders, make=True) as folder:
            self._refuse_folder(folder, name, path)
            _replace(folder, name, data)
        return len(data)

    def files(self, path: str = "") -> list[Entry]:
        """The files below a folder of the workspace, in order of their paths; links are none.

        Raises:
            ToolError: there is no such folder.
        """
        parts = parts_of(path) if path.strip("./") else []
        if not parts and not self.root.is_dir():
            return []
        found: list[Entry] = []
        with _told(path or "."), self._folder(parts) as folder:
            self._gather(folder, "/".join(parts), found, len(parts))
        return sorted(found, key=lambda each: each.path)

    def _gather(self, folder: int, above: str, found: list[Entry], depth: int) -> None:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda each: each.name):
                path = f"{above}/{entry.name}" if above else entry.name
                if len(found) >= self.max_files:
                    return
                if entry.is_file(follow_symlinks=False):
                    found.append(Entry(path, entry.stat(follow_symlinks=False).st_size))
                elif entry.is_dir(follow_symlinks=False) and depth < DEPTH:
                    self._gather_below(folder, entry.name, path, found, depth)

    def _gather_below(
        self, folder: int, name: str, path: str, found: list[Entry], depth: int
    ) -> None:
        try:
            below = os.open(name, _FOLDER, dir_fd=folder)
        except OSError:
            return  # it is gone, or a link stands in its place
        try:
            self._gather(below, path, found, depth + 1)
        finally:
            os.close(below)

    @contextmanager
    def _folder(self, parts: list[str], *, make: bool = False) -> Iterator[int]:
        """The open folder at the end of a path, each step a folder and no link."""
        if make:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        here = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for part in parts:
                if make:
                    _make(here, part)
                below = os.open(part, _FOLDER, dir_fd=here)
                os.close(here)
                here = below
            yield here
        finally:
            os.close(here)

    def _text(self, folder: int, name: str, path: str) -> str:
        opened = os.open(name, _READ, dir_fd=folder)
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            os.close(opened)
            raise ToolError(f"{path} is no file")
        with os.fdopen(opened, "rb") as file:
            data = file.read(self.max_bytes + 1)
        if len(data) > self.max_bytes:
            raise ToolError(f"{path} has more than {self.max_bytes} bytes")
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise ToolError(f"{path} is no text (UTF-8)") from None

    def _refuse_more(self, path: str) -> None:
        """A full workspace takes no new file; those that it has can be replaced."""
        there = [entry.path for entry in self.files()]
        if len(there) >= self.max_files and path not in there:
            raise ToolError(f"the workspace has {self.max_files} files already")

    @staticmethod
    def _refuse_folder(folder: int, name: str, path: str) -> None:
        try:
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return
        if not stat.S_ISREG(found.st_mode):
            raise ToolError(f"{path} is there already and is no file")


def parts_of(path: str) -> list[str]:
    """The steps of a relative path.

    Raises:
        ToolError: it leads outside, or can be no path.
    """
    if len(path) > PATH or "\x00" in path:
        raise ToolError(f"argument path: not a path: {path[:100]!r}")
    if path.startswith(("/", "\\", "~")) or "\\" in path or path[1:2] == ":":
        raise ToolError(f"argument path: {path!r} is not relative to the workspace; use a/b.txt")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or ".." in parts or len(parts) > DEPTH:
        raise ToolError(f"argument path: {path!r} names no file of the workspace; use a/b.txt")
    return parts


def _make(folder: int, name: str) -> None:
    try:
        os.mkdir(name, 0o700, dir_fd=folder)
    except FileExistsError:
        return


def _replace(folder: int, name: str, data: bytes) -> None:
    """Put a file in the place of what is there: a link is replaced, never written through."""
    passing = f".{new_id('new')}"
    with os.fdopen(os.open(passing, _NEW, 0o600, dir_fd=folder), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.rename(passing, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        os.unlink(passing, dir_fd=folder)
        raise


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Errors of the machine as ones that name the path as it was given, and nothing above it."""
    try:
        yield
    except FileNotFoundError:
        raise ToolError(f"there is no {path}") from None
    except OSError as error:
        raise ToolError(f"{path}: {error.strerror or 'it cannot be opened'}") from None
