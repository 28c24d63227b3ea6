"""What the tests of the house itself share."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

#: Parts of the tree that are made, not written.
MADE = {".venv", "node_modules", "dist", "data", "migrations", "__pycache__", ".git"}


@pytest.fixture(scope="session")
def tracked_files(request: pytest.FixtureRequest) -> list[Path]:
    """The files of the project: what git follows, or, outside a clone, what stands in the tree."""
    root = request.config.rootpath
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        names = [root / name for name in listed.stdout.split("\0") if name]
    else:
        names = [path for path in root.rglob("*") if not MADE.intersection(path.parts)]
    return sorted(path for path in names if path.is_file())
