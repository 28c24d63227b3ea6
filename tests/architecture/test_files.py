"""Small files, and nothing in them that belongs to one machine."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

LONGEST = 400
WRITTEN = {".py", ".ts", ".tsx", ".css"}
GENERATED = re.compile(r"/migrations/|\.d\.ts$|/generated/")
REGISTRY = re.compile(r"(pypi|pythonhosted|npmjs|yarnpkg)\.(org|com)|//registry\.")
TEXT = WRITTEN | {".md", ".toml", ".lock", ".json", ".yml", ".yaml", ".txt", ".cfg", ".npmrc", ""}


def test_no_file_is_longer_than_a_reader_can_hold(tracked_files: list[Path]) -> None:
    written = [path for path in tracked_files if path.suffix in WRITTEN]
    lines = {
        str(path): len(path.read_text().splitlines())
        for path in written
        if not GENERATED.search(path.as_posix())
    }
    assert len(lines) > 10
    assert {path: count for path, count in lines.items() if count > LONGEST} == {}


def test_python_locks_name_no_host(root: Path) -> None:
    locks = sorted(root.glob("requirements*.lock"))
    assert len(locks) == 4
    assert [lock.name for lock in locks if "://" in lock.read_text()] == []


@pytest.mark.parametrize("folder", ["frontend", "tests/mcp"])
def test_a_lock_of_npm_names_no_place_to_fetch_from(root: Path, folder: str) -> None:
    lock = json.loads((root / folder / "package-lock.json").read_text())
    assert [name for name, entry in lock["packages"].items() if "resolved" in entry] == []


def test_no_file_names_a_registry(tracked_files: list[Path]) -> None:
    named = [
        path
        for path in tracked_files
        if path.suffix in TEXT
        and path.name != "test_files.py"
        and REGISTRY.search(path.read_text(errors="replace"))
    ]
    assert named == []


@pytest.mark.parametrize("needed", ["hatchling", "editables", "django", "openai", "zstandard"])
def test_the_lock_holds_what_an_offline_install_needs(root: Path, needed: str) -> None:
    assert f"\n{needed}==" in "\n" + (root / "requirements.lock").read_text()


def test_every_locked_package_has_a_hash(root: Path) -> None:
    for lock in root.glob("requirements*.lock"):
        blocks = re.split(r"\n(?=\S)", lock.read_text().strip())
        assert all("--hash=sha256:" in block for block in blocks), lock.name
