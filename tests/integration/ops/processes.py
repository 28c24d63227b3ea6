"""`playhead` as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

COMMAND = [sys.executable, "-m", "playhead.ops.cli"]


def run(*arguments: str, env: dict[str, str], typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [*COMMAND, *arguments],
        env=env,
        input=typed,
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )


class Up:
    """A running `playhead up`; ends with the block, by Ctrl-C."""

    def __init__(
        self, env: dict[str, str], log: Path, *arguments: str, python: str | Path = sys.executable
    ) -> None:
        self._log = log
        self._errors = log.open("a")
        self._process = subprocess.Popen(
            [python, *COMMAND[1:], "up", "--port", "0", *arguments],
            env=env,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        self.line = ""
        self.jar = CookieJar()

    def __enter__(self) -> Up:
        assert self._process.stdout is not None
        self.line = self._process.stdout.readline().strip()
        if not self.line:
            self._close()
            raise AssertionError(f"It ended with {self._process.wait(20)}: {self.errors}")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self.stop(signal.SIGKILL)
        self._close()

    def _close(self) -> None:
        self._errors.close()
        assert self._process.stdout is not None
        self._process.stdout.close()

    @property
    def link(self) -> str:
        """The login link of the line."""
        return self.line.split()[-1]

    @property
    def url(self) -> str:
        return self.link.partition("/login/")[0]

    @property
    def token(self) -> str:
        return self.link.rpartition("/")[2]

    @property
    def errors(self) -> str:
        """What it wrote to stderr so far."""
        return self._log.read_text()

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send a signal; the exit status."""
        self._process.send_signal(number)
        rest, _ = self._process.communicate(timeout=20)
        self.line += rest
        return self._process.returncode

    def fetch(self, path: str, body: object = None, **headers: str) -> tuple[int, str]:
        """Status and text of an answer; cookies are kept like a browser's."""
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.jar)
        )
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=headers)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        try:
            with opener.open(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def sign_in(self) -> dict[str, Any]:
        """Use the link of the line; who one is then."""
        status, text = self.fetch("/api/v1/auth/link", {"token": self.token})
        assert status == 200, text
        return dict(json.loads(text))


def clean_env(root: Path, data: Path, **more: str) -> dict[str, str]:
    """An environment in which only the data folder is chosen."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PLAYHEAD_") and name not in {"DATABASE_URL", "REDIS_URL"}
    }
    path = os.pathsep.join([str(root / "platform"), str(root)])
    return kept | {"PYTHONPATH": path, "PLAYHEAD_DATA": str(data)} | more
