"""Several processes of one installation, with a Redis of their own: `playhead` as it is started."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import redis

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent


class RedisServer:
    """A Redis that a test may flush, kill and start again; nothing else uses it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it (again, on the same port), empty."""
        program = shutil.which("redis-server")
        assert program is not None, "redis-server is not installed: this test starts its own"
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly"]
        self._process = subprocess.Popen(
            [program, *options, "no", "--dir", str(self._folder)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self._answers, within=10, what="Redis does not answer")

    def _answers(self) -> bool:
        try:
            return bool(self._client().ping())
        except redis.RedisError:
            return False

    def _client(self) -> redis.Redis:
        return redis.Redis(host="127.0.0.1", port=self.port, socket_timeout=5)

    def flush(self) -> None:
        """Forget every key: queues, caches, who watches."""
        with self._client() as client:
            client.flushall()

    def count(self, command: str) -> int:
        """How often a command was called."""
        with self._client() as client:
            calls = client.info("commandstats").get(f"cmdstat_{command}", {})
        return int(calls.get("calls", 0))

    def stop(self) -> None:
        """Like a power cut."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Refused(AssertionError):
    """An answer of the API that is none of success."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Command:
    """A running `playhead` command."""

    def __init__(self, *arguments: str, env: dict[str, str], log: Path, plant: str = "") -> None:
        self._log = log
        start = [str(HERE / "planted_main.py")] if plant else ["-m", "playhead.ops.cli"]
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, *start, *arguments],
                env=env | {"PLANT": plant},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )

    @cached_property
    def line(self) -> str:
        """What it prints when it is ready; waits for that."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line, f"It ended: {self.errors}"
        return line

    @property
    def url(self) -> str:
        """Where a web process serves."""
        return self.line.split()[-1]

    @property
    def errors(self) -> str:
        """What it wrote to stderr so far."""
        return self._log.read_text(errors="replace")

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.communicate()


class Scaled:
    """Web and worker processes of one installation, and a key to its API."""

    def __init__(self, *, env: dict[str, str], key: str, folder: Path) -> None:
        self._env, self._folder = env, folder
        self.key = key
        self.commands: list[Command] = []

    def start(self, *arguments: str, plant: str = "", **env: str) -> Command:
        """Start a command; its ``line`` waits until it is ready."""
        log = self._folder / f"{len(self.commands)}-{arguments[0]}.log"
        command = Command(*arguments, env=self._env | env, log=log, plant=plant)
        self.commands.append(command)
        return command

    def web(self, plant: str = "", **env: str) -> Command:
        """A web process on a port of its own."""
        return self.start("web", "--port", "0", plant=plant, **env)

    def worker(self) -> Command:
        """A worker process."""
        return self.start("worker")

    def call(self, web: Command, path: str, body: object = None) -> Any:
        """Ask a web process; the answer, parsed."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{web.url}/api/v1{path}", data=data, headers=headers)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=20) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise Refused(error.code, f"{path}: {error.code} {error.read().decode()}") from None

    def stop(self) -> None:
        """End every process."""
        for command in self.commands:
            command.stop()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def until(holds: Callable[[], Any], *, within: float, what: str) -> None:
    """Wait for a state, looking often."""
    end = time.monotonic() + within
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.05)
