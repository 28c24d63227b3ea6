"""States as files: one JSON file a session, replaced as a whole and on the disk when saved."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from pathlib import Path

from agents_app.adapters.states.threaded import ThreadedStateStore

_PLAIN = re.compile(r"[^A-Za-z0-9_-]+")


class FileStateStore(ThreadedStateStore):
    """States in the files of a folder, which is made when the first one is saved.

    No id leads out of the folder: a name is what is plain in the id, and a digest of all of it.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def path(self, session_id: str) -> Path:
        """The file of a session."""
        digest = hashlib.sha256(session_id.encode()).hexdigest()[:32]
        return self.folder / f"{_PLAIN.sub('-', session_id)[:60]}.{digest}.json"

    def read(self, session_id: str) -> bytes | None:
        """The bytes of the file."""
        try:
            return self.path(session_id).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, session_id: str, data: bytes) -> None:
        """Write beside it, then put it in its place: a reader sees the old state or the new one."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self.path(session_id))
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        self._sync()

    def remove(self, session_id: str) -> None:
        """Unlink the file."""
        if self.folder.is_dir():
            self.path(session_id).unlink(missing_ok=True)
            self._sync()

    def _sync(self) -> None:
        """A new name is on the disk when its folder is."""
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
