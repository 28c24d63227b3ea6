"""Keys that nobody gave: made once, kept in a file that only the owner can read."""

import base64
import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def private_folder(path: Path) -> Path:
    """Make the folder (0700) when it is missing; returns it absolute."""
    path = path.expanduser().resolve()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"PLAYHEAD_DATA={path}: can't be made: {error}") from error
    return path


def key_from_file(path: Path) -> str:
    """The key in this file; a new one of 256 bits when there is none.

    Two processes that start together agree: the file appears whole, by a link, and the first wins.
    """
    if not path.exists():
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        key = base64.urlsafe_b64encode(secrets.token_bytes(32))
        fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # Another process was first; its key is the key.
        finally:
            draft.unlink()
    key_text = path.read_text(encoding="ascii").strip()
    if len(key_text) < 32:
        raise ImproperlyConfigured(f"{path} holds no key: move it away to get a new one.")
    return key_text
