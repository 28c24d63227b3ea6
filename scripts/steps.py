"""How the set-up scripts run a step: once per state of its inputs, with a word on the screen.

Standard library only, and readable by any Python since 3.8: these scripts run before there is
an environment, and by whatever `python3` the machine has.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
VENV_BIN = VENV / "bin"
STAMPS = VENV / "setup"
HEARTBEAT_SECONDS = 15.0
LOG_LINES_SHOWN = 40


class SetupError(Exception):
    """What the person at the terminal has to know or do; shown without a traceback."""


def say(text: str) -> None:
    """Tell one line, at once: a pipe between us and the screen must not hold it back."""
    print(text, flush=True)


def digest(*parts: str | Path) -> str:
    """The state of a step's inputs: the text of strings, the content of files."""
    found = hashlib.sha256()
    for part in parts:
        found.update(part.read_bytes() if isinstance(part, Path) else part.encode())
        found.update(b"\0")
    return found.hexdigest()


def tree_digest(folder: Path, *, skip: Iterable[str] = ()) -> str:
    """The state of all files below a folder, without the folders named in `skip`."""
    skipped = set(skip)
    found = hashlib.sha256()
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in skipped)
        for name in sorted(names):
            path = Path(where, name)
            found.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def is_done(step: str, key: str) -> bool:
    """Whether the step was finished on this same state of its inputs."""
    stamp = STAMPS / step
    return stamp.is_file() and stamp.read_text() == key


def mark_done(step: str, key: str) -> None:
    """Remember that the step is finished on this state of its inputs."""
    STAMPS.mkdir(parents=True, exist_ok=True)
    (STAMPS / step).write_text(key)


def run(
    title: str,
    command: Sequence[str | Path],
    *,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    hint: str = "",
) -> None:
    """Run one program of the set-up, quietly unless it fails.

    Raises SetupError with the end of its output, and `hint`, when it fails.
    """
    say(f"  {title} …")
    started = time.monotonic()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            [str(part) for part in command],
            cwd=str(cwd),
            env=None if env is None else dict(env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        code = _wait(child, started)
        output.seek(0)
        printed = output.read().decode(errors="replace").splitlines()
    if code != 0:
        tail = printed[-LOG_LINES_SHOWN:]
        raise SetupError("\n".join([*tail, "", f"{title}: failed ({code}).", hint]))
    took = time.monotonic() - started
    if took >= 1:
        say(f"    done in {took:.0f} s")


def _wait(child: subprocess.Popen[bytes], started: float) -> int:
    try:
        while True:
            try:
                return child.wait(timeout=HEARTBEAT_SECONDS)
            except subprocess.TimeoutExpired:
                say(f"    still at it after {time.monotonic() - started:.0f} s")
    except KeyboardInterrupt:
        child.terminate()
        child.wait()
        raise


def environment(*first_on_path: Path) -> dict[str, str]:
    """This process's environment with the folders before everything else on the PATH."""
    path = os.pathsep.join([*map(str, first_on_path), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path}


def fail(error: SetupError) -> int:
    """Show the error; the exit status of a script that ends with it."""
    print(f"\n{error}", file=sys.stderr, flush=True)
    return 1
