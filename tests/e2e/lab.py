"""An installation for trying things out: its model answers what a test says."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents_app.adapters.models.scripted import Rule, Script
from agents_app.testing.model_server import ModelServer, serving
from tests.e2e.installations import Installation, embedded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from agents_app.adapters.models.scripted import Reply, View

MODEL = "openai:gpt-lab"
#: One of each API; the server speaks them all.
MODELS = (MODEL, "openai-responses:gpt-lab", "anthropic:claude-lab")
#: Seconds without a word after which a call counts as stalled, here.
IDLE = 3


@dataclass
class Lab:
    """The installation, and the server behind its base URLs."""

    installation: Installation
    server: ModelServer

    @classmethod
    @contextmanager
    def running(cls, data: Path) -> Iterator[Lab]:
        """Both, until the block ends."""
        with serving(Script([])) as server:
            installation = embedded(
                data,
                OPENAI_BASE_URL=server.url,
                ANTHROPIC_BASE_URL=server.url,
                PLAYHEAD_MODEL=",".join(MODELS),
                PLAYHEAD_MODEL_IDLE=str(IDLE),
            )
            try:
                yield cls(installation, server)
            finally:
                installation.stop()

    @property
    def url(self) -> str:
        """Its address."""
        return self.installation.urls[0]

    def follows(self, script: Script) -> None:
        """From now on the model follows these rules."""
        self.server.script = script
        self.server.bodies.clear()
        self.server.used.clear()

    def answers(self, *replies: Reply) -> None:
        """From now on the model answers with these, one a request; the last one for ever."""
        self.follows(Script([Rule(lambda _: True, _InTurn(replies))]))

    def rest(self, seconds: float = 20) -> None:
        """Wait until no worker holds a session: what an earlier test began asks nothing more."""
        end = time.monotonic() + seconds
        while self.held():
            assert time.monotonic() < end, self.held()
            time.sleep(0.05)

    def held(self) -> set[str]:
        """The sessions that a worker holds now, as the database has it."""
        with closing(sqlite3.connect(self.installation.data / "playhead.sqlite3")) as rows:
            query = (
                "SELECT s.public_id FROM agents_head h JOIN agents_session s "
                "ON s.id = h.session_id WHERE h.owner IS NOT NULL"
            )
            return {row[0] for row in rows.execute(query)}


class _InTurn:
    def __init__(self, replies: Sequence[Reply]) -> None:
        self._replies = list(replies)

    def __call__(self, _: View) -> Reply:
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
