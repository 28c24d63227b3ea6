"""Several processes, one broker: each starts, does its part and stops when it is asked to."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from tests.integration.ops.processes import COMMAND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.integration.ops.conftest import Playhead

pytestmark = [pytest.mark.redis, pytest.mark.serial]

SEND = """
import django; django.setup()
from django.conf import settings
from importlib import import_module
from playhead import jobs
from playhead.rest.models import IdempotentAnswer
IdempotentAnswer.objects.create(
    principal="p", route="r", key="k", body_digest="d", claimed_at="2020-01-01T00:00:00Z")
import_module(settings.PLAYHEAD_BROKER_APP).app.send_task("rest.tidy")
"""


@pytest.fixture
def scaled(env: dict[str, str]) -> dict[str, str]:
    """The environment of all processes: they share a broker."""
    url = os.environ["REDIS_URL"]
    return env | {"REDIS_URL": url, "DJANGO_SETTINGS_MODULE": "playhead.config.settings"}


@pytest.fixture
def start(scaled: dict[str, str]) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a process and wait for its line."""
    running: list[subprocess.Popen[str]] = []

    def begin(*arguments: str) -> subprocess.Popen[str]:
        command = [*COMMAND, *arguments]
        process = subprocess.Popen(command, env=scaled, stdout=subprocess.PIPE, text=True)
        running.append(process)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Playhead")
        return process

    yield begin
    for process in running:
        process.kill()
        process.communicate()


def rows(data: Path) -> int:
    with sqlite3.connect(data / "playhead.sqlite3") as database:
        count = database.execute("SELECT count(*) FROM rest_idempotentanswer").fetchone()[0]
    database.close()
    return int(count)


def until(holds: Callable[[], bool], seconds: float = 20) -> bool:
    """Wait for a state of another process."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        threading.Event().wait(0.05)  # let the other process run
    return True


def test_a_job_reaches_the_worker_and_every_process_ends_when_asked(
    start: Callable[..., subprocess.Popen[str]],
    playhead: Playhead,
    scaled: dict[str, str],
    data: Path,
) -> None:
    assert playhead("migrate").returncode == 0
    processes = [start("web", "--port", "0"), start("worker", "--concurrency", "5"), start("beat")]
    subprocess.run([sys.executable, "-c", SEND], env=scaled, check=True)
    assert until(lambda: rows(data) == 0)
    for process in processes:
        process.send_signal(signal.SIGTERM)
    assert [process.wait(15) for process in processes] == [0, 0, 0]
