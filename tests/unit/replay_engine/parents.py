"""Parents to branch from, and what the tests of branches ask of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine import AgentSpec, Message, ToolContext, tool
from agents_app.testing import Crashed, RuleModel, Session
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, ask_age, by_turn, look_up

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agents_app.engine.tools import Tool
    from playhead.core.events import Event

PAY = ("pay", {"to": "Bo", "amount": 5})


def counting(ledger: Ledger, **options: Any) -> Tool:
    """A payment whose result says how many there have been, so that no two are alike."""

    @tool(effectful=True, **options)
    async def pay(to: str, amount: int, ctx: ToolContext) -> str:
        """Pay somebody."""
        ledger.note(ctx.key, f"paid {amount} to {to}")
        return f"payment {len(ledger.done)}"

    return pay


def desk(ledger: Ledger, *turns: Message, pays: Tool | None = None) -> Session:
    """A session of an agent that pays, looks things up and asks for an age."""
    tools = (pays or counting(ledger), look_up(ledger), ask_age(ledger))
    spec = AgentSpec(slug="desk", instructions="Help.", tools=tools)
    return Session(spec, RuleModel(by_turn(*turns))).start("Please.")


def results(session: Session, name: str = "pay") -> list[tuple[str, str]]:
    """(source, text) of the results of a tool that this session wrote itself."""
    own = [e for e in session.of("tool_result") if e.session_id == session.id]
    return [
        (e.payload["source"], e.payload["message"]["content"])
        for e in own
        if e.payload["tool"] == name
    ]


def seq_of(session: Session, event_type: str, place: int = 0) -> int:
    return session.of(event_type)[place].seq


async def holds(session: Session, *, complete: bool = True) -> None:
    """Chain, derivation and snapshots."""
    verdict = await verify(session)
    assert verdict.ok, verdict
    assert verdict.derivation.verdict == "ok"
    assert verdict.derivation.complete is complete
    assert [event.seq for event in session.events] == list(range(1, len(session.events) + 1))


def crash_at(at: int) -> Callable[[Session, int, Sequence[Event]], None]:
    def crash(_session: Session, number: int, _events: Sequence[Event]) -> None:
        if number == at:
            raise Crashed

    return crash
