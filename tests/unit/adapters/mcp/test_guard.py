"""The guard between a worker and a server: whatever ends first, nothing is left of the server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from agents_app.adapters.tools.mcp import guard
from tests.mcp.processes import guards_of, processes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

GUARD = [sys.executable, "-I", "-S", guard.__file__]
#: Hears neither the end of its input nor a polite word, and has a child that is like it.
STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork():
    print("up", flush=True)
time.sleep(600)
"""
#: A worker: it starts the guard as the SDK does, and waits.
WORKER = """
import subprocess, sys, time
subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, start_new_session=True)
time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for process in processes_of(tmp_path):
        os.kill(process, signal.SIGKILL)


def stubborn(folder: Path) -> list[str]:
    return [*GUARD, sys.executable, "-c", STUBBORN, str(folder)]


def started(command: list[str], **options: object) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, **options)  # type: ignore[call-overload]
    assert process.stdout.readline() == b"up\n"
    return process  # type: ignore[no-any-return]


def gone(folder: Path) -> None:
    until(lambda: not processes_of(folder))


def until(holds: Callable[[], bool], within: float = 20.0) -> None:
    end = time.monotonic() + within
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_what_comes_in_goes_on_and_what_comes_out_comes_back(folder: Path) -> None:
    size = 3_000_000
    back = f"print('up', flush=True); import sys; read = sys.stdin.buffer.read({size})\n"
    back += "sys.stdout.buffer.write(read); sys.stdout.flush()"
    command = [*GUARD, sys.executable, "-c", back, str(folder)]
    process = started(command, stdin=subprocess.PIPE, start_new_session=True)
    assert process.stdin is not None
    assert process.stdout is not None
    data = os.urandom(size)
    process.stdin.write(data)
    process.stdin.flush()
    assert process.stdout.read(size) == data
    gone(folder)
    process.communicate()


def test_a_server_that_hears_nothing_ends_when_its_input_does(folder: Path) -> None:
    process = started(stubborn(folder), stdin=subprocess.PIPE, start_new_session=True)
    process.communicate()
    gone(folder)


def test_a_server_that_hears_nothing_ends_with_the_guard(folder: Path) -> None:
    process = started(stubborn(folder), stdin=subprocess.PIPE, start_new_session=True)
    process.terminate()
    gone(folder)
    process.communicate()


def test_a_server_that_hears_nothing_ends_with_the_worker(folder: Path) -> None:
    worker = started([sys.executable, "-c", WORKER, str(folder), *stubborn(folder)])
    assert len(guards_of(folder)) == 2  # the guard, and the worker that has it in its arguments
    worker.kill()
    gone(folder)
    worker.communicate()


def test_a_command_that_is_not_there_is_named(folder: Path) -> None:
    done = subprocess.run(
        [*GUARD, "no-such-server"], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert done.returncode == 127
    assert done.stderr.decode().strip() == (
        "no-such-server can't be started: No such file or directory"
    )
