"""What starting Playhead loads, and what it must not."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

LOADED = "import sys, {module}; print(*sorted(name.split('.')[0] for name in sys.modules))"
#: Imported on first use: together they cost more time than the first page may take.
ON_FIRST_USE = {"openai", "anthropic", "aiohttp", "mcp", "genai_prices", "xllamacpp"}


def loaded_by(module: str, env: dict[str, str]) -> set[str]:
    """The top-level modules in a fresh Python that imported one module."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(module=module)],
        env={**env, "DJANGO_SETTINGS_MODULE": "playhead.config.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("module", ["playhead.config.asgi", "playhead.config.celery_app"])
def test_starting_a_process_imports_no_provider_sdk(root_env: dict[str, str], module: str) -> None:
    loaded = loaded_by(module, root_env)
    assert {"django", "agents_app"} <= loaded
    assert loaded & ON_FIRST_USE == set()


def test_the_engine_loads_no_framework(root_env: dict[str, str]) -> None:
    loaded = loaded_by("agents_app.engine", root_env)
    assert loaded & {"django", "celery", "channels", "ninja", "redis", *ON_FIRST_USE} == set()


def test_the_tables_are_what_the_models_say(root: Path, root_env: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"],
        cwd=root,
        env={name: value for name, value in root_env.items() if name != "DATABASE_URL"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_servers_of_the_browser_tests_may_not_read_the_database_on_their_loop(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The browser's own loop asks for it in the test process; a server's fault must show."""
    from tests.e2e.installations import environment

    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    assert "DJANGO_ALLOW_ASYNC_UNSAFE" not in environment(tmp_path)
