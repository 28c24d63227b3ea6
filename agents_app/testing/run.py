"""``run_to_end``: an agent, a model and a question; the answer and the whole log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.testing.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents_app.engine.ports import ModelPort
    from agents_app.engine.spec import AgentSpec
    from playhead.core.events import Event


async def run_to_end(
    spec: AgentSpec,
    model: ModelPort,
    text: str,
    *,
    decide: Callable[[Event], str | None] | None = None,
) -> Session:
    """Run a session in memory until it ends, or until a question stays open.

    Args:
        spec: the agent.
        model: what answers its requests.
        text: the user's message.
        decide: says of an open question which decision it gets, ``None`` to leave it open.
    """
    session = Session(spec, model).start(text)
    while True:
        outcome = await session.run()
        if outcome.ended or decide is None:
            return session
        verdicts = [(question, decide(question)) for question in session.questions()]
        if not any(verdict for _, verdict in verdicts):
            return session
        for question, verdict in verdicts:
            if verdict is not None:
                session.decide(question, verdict)
