"""`platform/` is a source folder and must never become a package (docs/adr/0001)."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SHADOWED = """
import importlib.util, sys
sys.path[:0] = sys.argv[1:]
import platform, uuid
print(importlib.util.find_spec("platform").origin, platform.system())
"""


def standard_platform(*first_on_path: Path, cwd: Path) -> str:
    """Where a fresh Python finds `platform` with the given folders first on its path."""
    done = subprocess.run(
        [sys.executable, "-c", SHADOWED, *map(str, first_on_path)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout or done.stderr


def test_no_python_file_stands_in_platform_itself(root: Path) -> None:
    assert not list((root / "platform").glob("*.py"))


@pytest.mark.parametrize("where", [".", "platform", "platform/playhead"])
def test_python_finds_its_own_platform_from(root: Path, where: str) -> None:
    found = standard_platform(root, root / "platform", cwd=root / where)
    assert str(root) not in found
    assert "Traceback" not in found


def test_an_init_file_there_would_be_noticed(tmp_path: Path) -> None:
    (tmp_path / "platform").mkdir()
    (tmp_path / "platform/__init__.py").touch()
    found = standard_platform(tmp_path, cwd=tmp_path)
    assert "Traceback" in found or str(tmp_path) in found


def test_no_test_folder_bears_the_name_of_a_standard_module(root: Path) -> None:
    folders = {path for path in (root / "tests").rglob("*") if path.is_dir()}
    ours = {path.name for path in folders if "node_modules" not in path.parts}
    assert not ours & sys.stdlib_module_names


def test_no_folder_of_a_package_bears_the_name_of_a_standard_module(root: Path) -> None:
    """But `selectors`, which the layout fixes: it is one level down, never first on a path."""
    packages = [root / "platform/playhead", root / "agents_app", root / "replay_app"]
    named = {
        path
        for package in packages
        for path in package.rglob("*")
        if path.is_dir() and path.name in sys.stdlib_module_names - {"selectors"}
    }
    assert not named


def test_tests_are_no_packages(root: Path) -> None:
    assert not list((root / "tests").rglob("__init__.py"))
