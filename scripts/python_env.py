"""The Python half of the set-up: `.venv` with what a lock file says, and this checkout in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from steps import ROOT, VENV, VENV_BIN, SetupError, digest, is_done, mark_done, run, say

OLDEST, TOO_NEW = (3, 11), (3, 14)
CANDIDATES = ("python3", "python3.13", "python3.12", "python3.11", "python")
PYTHON = VENV_BIN / "python"
#: Has uv trust what this machine trusts, as pip does; the second is the name of older releases.
SYSTEM_CERTIFICATES = {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1"}

_PROBE = "import sys, sqlite3, ssl, {modules}; print(sys.version_info[0], sys.version_info[1])"


def ensure_environment() -> None:
    """Make `.venv` unless a fitting one is there."""
    if _version(PYTHON, need_venv=False):
        return
    python = find_python()
    uv = shutil.which("uv")
    if uv:
        command = [uv, "venv", "--quiet", "--clear", "--python", python, str(VENV)]
    else:
        command = [python, "-m", "venv", "--clear", str(VENV)]
    if VENV.exists():
        shutil.rmtree(str(VENV))
    run(f"Making .venv with {python}", command)


def find_python() -> str:
    """The path of a Python that fits. Raises SetupError when the machine has none."""
    need_venv = shutil.which("uv") is None
    names = [sys.executable] + [shutil.which(name) or "" for name in CANDIDATES]
    for name in names:
        if name and _version(Path(name), need_venv=need_venv):
            return name
    raise SetupError(
        "Playhead needs Python 3.11, 3.12 or 3.13 with venv, ssl and sqlite3; none was found on "
        "the PATH.\nOn Debian and Ubuntu: apt install python3 python3-venv. "
        "Or name one: make run PYTHON=/path/to/python3.12"
    )


def _version(python: Path, *, need_venv: bool) -> tuple[int, int] | None:
    """The version of a Python when it fits and has what it needs, else None."""
    modules = "venv, ensurepip" if need_venv else "json"
    try:
        answer = subprocess.run(
            [str(python), "-c", _PROBE.format(modules=modules)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=True,
        ).stdout.split()
    except (OSError, subprocess.SubprocessError):
        return None
    version = (int(answer[0]), int(answer[1]))
    return version if OLDEST <= version < TOO_NEW else None


def ensure_packages(lock: str, *, dependencies: bool = True) -> None:
    """Install what the lock file says, checked by its hashes."""
    file = ROOT / lock
    key = digest(file)
    if is_done(lock, key):
        return
    count = sum("==" in line for line in file.read_text().splitlines())
    options = ["--require-hashes", "-r", str(file)]
    if not dependencies:
        options.insert(0, "--no-deps")
    _install(f"{lock} ({count} package{'' if count == 1 else 's'})", options)
    mark_done(lock, key)


def ensure_checkout() -> None:
    """Put this checkout, and its command `playhead`, into `.venv`."""
    key = digest(str(ROOT), ROOT / "pyproject.toml", ROOT / "platform/playhead/__init__.py")
    if is_done("checkout", key) and (VENV_BIN / "playhead").exists():
        return
    options = ["--no-build-isolation", "--no-deps", "-e", str(ROOT)]
    _install("this checkout", options)
    mark_done("checkout", key)


def _install(what: str, options: list[str]) -> None:
    """Install with uv when the machine has it; with pip otherwise, or when uv could not."""
    uv = shutil.which("uv")
    if uv:
        try:
            command = [uv, "pip", "install", "--quiet", "--compile-bytecode"]
            command += ["--python", str(PYTHON), *options]
            run(f"Installing {what} (uv)", command, env={**SYSTEM_CERTIFICATES, **os.environ})
        except SetupError as error:
            say(f"{error}\n  Trying pip instead.")
            _ensure_pip()
        else:
            return
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run(
        f"Installing {what} (pip)",
        [*pip, *options],
        hint="Is the network there? A package index is needed for the first set-up only.",
    )


def _ensure_pip() -> None:
    """An environment made by uv has no pip of its own."""
    if not (VENV_BIN / "pip").exists():
        run("Adding pip", [str(PYTHON), "-m", "ensurepip", "--default-pip"])
