"""A data folder of its own for each test, and commands that use it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.integration.ops.processes import Up, clean_env, run

if TYPE_CHECKING:
    from pathlib import Path

Playhead = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def env(root: Path, data: Path, tmp_path: Path) -> dict[str, str]:
    """SQLite in the data folder, and a front end of one page."""
    front = tmp_path / "front"
    front.mkdir()
    (front / "index.html").write_text("<html><title>the console</title></html>")
    return clean_env(root, data, PLAYHEAD_FRONTEND=str(front))


@pytest.fixture(scope="session")
def folder_after_migrate(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """What `playhead migrate` makes of an empty folder: made once, then copied."""
    folder = tmp_path_factory.mktemp("migrated") / "data"
    done = run("migrate", env=clean_env(request.config.rootpath, folder))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def migrated(data: Path, folder_after_migrate: Path) -> None:
    """The data folder is set up: a database of today, a workspace, an owner."""
    shutil.copytree(folder_after_migrate, data)


@pytest.fixture
def playhead(env: dict[str, str]) -> Playhead:
    """Run a command on the data folder."""

    def call(*arguments: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        return run(*arguments, env=env | more, typed=typed)

    return call


@pytest.fixture
def up(env: dict[str, str], tmp_path: Path) -> Callable[..., Up]:
    """Start `playhead up` on the data folder."""
    log = tmp_path / "up.log"
    return lambda *arguments: Up(env | {"PLAYHEAD_LOG_LEVEL": "DEBUG"}, log, *arguments)
