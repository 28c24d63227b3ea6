"""The arrows of ARCHITECTURE.md hold, and each contract catches what it is there for."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = ("platform", "agents_app", "replay_app")

RUN_LINTER = "import importlinter.cli as cli; cli.lint_imports_command()"

#: contract id → (file to write in a copy of the tree, what stands in it)
PLANTED = {
    "direction": ("platform/playhead/accounts/planted.py", "import playhead.rest"),
    "platform": ("platform/playhead/drawer.py", ""),
    "app": ("agents_app/services/planted.py", "import agents_app.facade"),
    "pure": ("platform/playhead/core/planted.py", "import django.db"),
    "engines": ("agents_app/engine/planted.py", "import playhead.jobs"),
    "door": ("replay_app/services/planted.py", "import agents_app.models"),
}

#: More of what must not go unseen: (contract id, file, content)
ALSO = [
    ("direction", "agents_app/services/planted.py", "import replay_app.facade"),
    ("direction", "agents_app/services/planted.py", "import playhead.config.settings"),
    ("app", "agents_app/engine/planted.py", "import agents_app.models"),
    ("app", "agents_app/services/planted.py", "import agents_app.tasks"),
    ("app", "agents_app/helpers.py", ""),
    ("app", "agents_app/models/planted.py", "import agents_app.adapters"),
    ("pure", "agents_app/engine/planted.py", "import openai"),
    ("pure", "replay_app/engine/planted.py", "import channels"),
]


@pytest.fixture
def copy_of_tree(root: Path, tmp_path: Path) -> Path:
    """The packages and their contracts in a folder where a test may break them."""
    for source in SOURCES:
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(root / source, tmp_path / source, ignore=ignore)
    shutil.copy(root / "pyproject.toml", tmp_path)
    return tmp_path


def broken_contracts(tree: Path) -> set[str]:
    """The names of the contracts that do not hold in a tree."""
    path = os.pathsep.join([str(tree / "platform"), str(tree)])
    done = subprocess.run(
        [sys.executable, "-c", RUN_LINTER, "--no-cache"],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.search(r"Contracts: \d+ kept, \d+ broken", done.stdout), done.stdout + done.stderr
    return set(re.findall(r"^(.*) BROKEN", done.stdout, re.MULTILINE))


def contracts(root: Path) -> dict[str, str]:
    """id → name of every contract in pyproject.toml."""
    settings = tomllib.loads((root / "pyproject.toml").read_text())
    return {one["id"]: one["name"] for one in settings["tool"]["importlinter"]["contracts"]}


def plant(tree: Path, file: str, content: str) -> None:
    """Write a module into the copy; a module that is a file in the tree gets the line appended."""
    target = tree / file
    if not target.parent.is_dir():
        target = target.parent.with_suffix(".py")
    with target.open("a") as module:
        module.write(content + "\n")


def test_all_contracts_hold(root: Path) -> None:
    assert broken_contracts(root) == set()


def test_each_contract_has_a_planted_violation(root: Path) -> None:
    assert set(contracts(root)) == set(PLANTED)


@pytest.mark.parametrize(
    ("contract", "file", "content"), [*((c, *p) for c, p in PLANTED.items()), *ALSO]
)
def test_a_planted_violation_is_caught(
    root: Path, copy_of_tree: Path, contract: str, file: str, content: str
) -> None:
    plant(copy_of_tree, file, content)
    assert contracts(root)[contract] in broken_contracts(copy_of_tree)


def test_a_new_room_of_the_platform_is_closed_to_the_engines(root: Path) -> None:
    settings = tomllib.loads((root / "pyproject.toml").read_text())
    contract = next(
        c for c in settings["tool"]["importlinter"]["contracts"] if c["id"] == "engines"
    )
    rooms = {
        f"playhead.{path.parent.name}"
        for path in (root / "platform/playhead").glob("*/__init__.py")
    }
    assert set(contract["forbidden_modules"]) == rooms - {"playhead.core"}
