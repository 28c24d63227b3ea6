"""Sessions of agents that a test makes up on the spot, run by a real worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions
from agents_app.adapters.models.scripted import Rule, Script
from agents_app.adapters.stores import log_store
from agents_app.engine import AgentSpec
from agents_app.models import Session
from agents_app.services.agents import agents_sync
from agents_app.services.sessions import session_create
from playhead.accounts.contracts import Principal, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agents_app.adapters.models.scripted import Reply, View
    from agents_app.adapters.stores import Head
    from playhead.accounts.contracts import WorkspaceRef
    from playhead.core.events import Event
    from tests.integration.cast import Person


class Bench:
    """A workspace whose one agent says what the test says."""

    def __init__(self, by: Principal, workspace: WorkspaceRef) -> None:
        self.by = by
        self._workspace = workspace

    def agent(self, says: Callable[[View], Reply], *, pace: float = 0, **spec: Any) -> None:
        """Define the agent ``a``: its model answers with what ``says`` returns or raises."""
        script = Script([Rule(lambda view: True, says)], name="s", pace=pace)
        agent = AgentSpec(slug="a", name="A", model="scripted:s", **spec)
        definitions.use(definitions.Definitions({"a": agent}, {"s": script}))
        agents_sync(workspace_id=self._workspace.id)

    def session(self, text: str = "go") -> int:
        """A new session of the agent, by the number of its row."""
        return Session.objects.get(public_id=session_create(by=self.by, agent="a", text=text)).pk

    def head(self, session: int) -> Head:
        return log_store().head(session)

    def log(self, session: int, *types: str) -> list[Event]:
        return [row.event() for row in log_store().read(session, types=types or None)]


@pytest.fixture
def bench(workspace: WorkspaceRef, alice: Person) -> Iterator[Bench]:
    """What a test of this folder starts from."""
    yield Bench(Principal("user", alice.id, "Alice", Role.ADMIN, workspace), workspace)
    definitions.use(None)
