"""The example of tests for agents, and the page about them, run as they stand."""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from agents_app.testing.plain import waited

if TYPE_CHECKING:
    from pathlib import Path


def pytest_in(folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "pytest.ini"],
        cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def example(root: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "testing-agents"
    shutil.copytree(root / "examples/testing-agents", folder)
    return folder


def test_s0_41_the_example_passes(root: Path, tmp_path: Path, root_env: dict[str, str]) -> None:
    ran = pytest_in(example(root, tmp_path), root_env)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "5 passed" in ran.stdout


def test_s0_43_it_fails_when_its_agent_drifts(
    root: Path, tmp_path: Path, root_env: dict[str, str]
) -> None:
    folder = example(root, tmp_path)
    agent = folder / "librarian.py"
    agent.write_text(agent.read_text().replace("Find who wrote a book.", "Guess who wrote it."))
    ran = pytest_in(folder, root_env)
    assert ran.returncode == 1
    assert "First difference: event 3, llm_request" in ran.stdout
    assert "Guess who wrote it." in ran.stdout
    again = pytest_in(folder, root_env | {"PLAYHEAD_UPDATE_RECORDINGS": "1"})
    assert again.returncode == 0, again.stdout


def test_the_page_runs_as_it_stands(root: Path, tmp_path: Path) -> None:
    page = (root / "docs/testing.md").read_text()
    found = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(found) == 4
    ran = 0
    for code in found:
        names: dict[str, Any] = {"__name__": __name__}
        exec(compile(code, "docs/testing.md", "exec"), names)
        for name, test in names.items():
            if name.startswith("test_"):
                given = (tmp_path,) if "tmp_path" in inspect.signature(test).parameters else ()
                result = test(*given)
                if inspect.iscoroutine(result):
                    waited(result)
                ran += 1
    assert ran == 2
