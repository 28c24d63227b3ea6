"""Rows by their public ids: found in the caller's workspace, or not at all."""

from __future__ import annotations

from agents_app.models.agents import Agent, AgentVersion
from agents_app.models.interrupts import Interrupt
from agents_app.models.sessions import Session
from playhead.core.errors import NotFound

#: So much of an id that is none is said again.
_SHOWN = 64


def session_row(*, workspace_id: str, session_id: str) -> Session:
    """A session with its head, version and agent.

    Raises:
        NotFound: no such session, or another workspace's.
    """
    sessions = Session.objects.select_related("head", "agent_version__agent", "parent", "root")
    try:
        return sessions.get(workspace_id=workspace_id, public_id=session_id)
    except Session.DoesNotExist:
        raise no_session(session_id) from None


def interrupt_row(*, workspace_id: str, interrupt_id: str) -> Interrupt:
    """A question with its session.

    Raises:
        NotFound: the server never asked this, or it is another workspace's.
    """
    rows = Interrupt.objects.select_related("session__agent_version__agent", "session__head")
    try:
        return rows.get(session__workspace_id=workspace_id, pk=interrupt_id)
    except Interrupt.DoesNotExist:
        raise NotFound(f"There is no question {_shown(interrupt_id)}.") from None


def version_row(*, workspace_id: str, slug: str, number: int | None = None) -> AgentVersion:
    """A version of an agent that sessions can be started with, with the agent.

    Args:
        number: by default the published one.

    Raises:
        NotFound: no such agent or version; ``detail["field"]`` is one of ``agent``, ``version``.
    """
    agent = Agent.objects.filter(workspace_id=workspace_id, slug=slug).first()
    versions = AgentVersion.objects.select_related("agent").startable().filter(agent=agent)
    if agent is None or not versions.exists():
        raise NotFound(f"There is no agent {_shown(slug)}.", detail={"field": "agent"})
    wanted = number or agent.published
    if wanted is None:
        said = f"No version of the agent {slug!r} is published: publish one, or say which version."
        raise NotFound(said, detail={"field": "version"})
    found = versions.filter(number=wanted).first()
    if found is None:
        said = f"The agent {slug!r} has no version {wanted}."
        raise NotFound(said, detail={"field": "version"})
    return found


def no_session(session_id: str) -> NotFound:
    """The error about a session that is not there, or not for the caller."""
    return NotFound(f"There is no session {_shown(session_id)}.")


def _shown(public_id: str) -> str:
    return repr(public_id if len(public_id) <= _SHOWN else f"{public_id[:_SHOWN]}…")
