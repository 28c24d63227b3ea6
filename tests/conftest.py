"""What every test shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Nobody needs a test's database after a power cut: SQLite waits for no disk here."""
    from django.db import connection

    options = connection.settings_dict["OPTIONS"]
    if "init_command" in options:
        options["init_command"] = options["init_command"].replace(
            "synchronous=FULL", "synchronous=OFF"
        )


@pytest.fixture
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture
def root_env() -> dict[str, str]:
    """The environment of a child process that imports from the checkout, installed or not."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "platform"), str(ROOT)])}


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failed run: what cannot be checked has not been checked."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") == "true" and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
