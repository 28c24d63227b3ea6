"""Small files, and nothing in them that belongs to one machine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

LONGEST = 400
WRITTEN = {".py", ".ts", ".tsx", ".css"}
GENERATED = re.compile(r"/migrations/|\.d\.ts$|/generated/")
REGISTRY = re.compile(r"(pypi|pythonhosted|npmjs|yarnpkg)\.(org|com)|registry\.")


def test_no_file_is_longer_than_a_reader_can_hold(tracked_files: list[Path]) -> None:
    written = [path for path in tracked_files if path.suffix in WRITTEN]
    lines = {
        str(path): len(path.read_text().splitlines())
        for path in written
        if not GENERATED.search(path.as_posix())
    }
    assert len(lines) > 10
    assert {path: count for path, count in lines.items() if count > LONGEST} == {}


def test_lock_files_name_no_host(tracked_files: list[Path]) -> None:
    locks = [
        path
        for path in tracked_files
        if path.suffix == ".lock" or path.name in ("package-lock.json", ".npmrc")
    ]
    assert {path.name for path in locks} >= {"requirements.lock", "requirements-dev.lock"}
    found = {
        f"{path.name}:{number}": line
        for path in locks
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if REGISTRY.search(line) or ("://" in line and '"url"' not in line)
    }
    assert found == {}


@pytest.mark.parametrize("needed", ["hatchling", "editables", "django", "openai", "zstandard"])
def test_the_lock_holds_what_an_offline_install_needs(root: Path, needed: str) -> None:
    assert f"\n{needed}==" in "\n" + (root / "requirements.lock").read_text()


def test_every_locked_package_has_a_hash(root: Path) -> None:
    for lock in root.glob("requirements*.lock"):
        blocks = re.split(r"\n(?=\S)", lock.read_text().strip())
        assert all("--hash=sha256:" in block for block in blocks), lock.name
