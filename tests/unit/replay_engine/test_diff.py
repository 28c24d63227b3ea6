"""Two logs side by side: what says something else is never called the same."""

from __future__ import annotations

from agents_app.engine import AgentSpec, agent_tool
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.engine.diff import compare
from tests.unit.agents_engine.scenarios import by_agent, by_turn

CLERK = AgentSpec(slug="clerk", instructions="Clerk of it.")
AUDITOR = AgentSpec(slug="auditor", instructions="Auditor of it.")


async def _asked(said: str, *, task: str = "How many?", who: AgentSpec = CLERK) -> Session:
    desk = AgentSpec(slug="desk", instructions="Desk of it.", tools=(agent_tool(who),))
    rules = {
        "desk": by_turn(calls((f"ask_{who.slug}", {"task": task})), says("Done.")),
        who.slug: by_turn(says(said)),
    }
    session = Session(desk, RuleModel(by_agent(**rules))).start("Go.")
    assert (await session.run()).kind == "finished"
    return session


def _relations(a: Session, b: Session) -> dict[str, str]:
    rows = compare(a.events, b.events)
    return {(row.a or row.b).event_type: row.relation for row in rows if row.a or row.b}


async def test_agents_below_are_compared_by_what_they_said() -> None:
    one = await _asked("There is no alert.")
    assert _relations(one, await _asked("There is no alert."))["child_end"] == "same"
    assert _relations(one, await _asked("No alert at all."))["child_end"] == "wording"
    assert _relations(one, await _asked("There are 3 alerts."))["child_end"] == "different"


async def test_agents_below_are_compared_by_who_they_are_and_what_they_were_asked() -> None:
    one = await _asked("None.")
    assert _relations(one, await _asked("None.", task="Who?"))["child_start"] == "different"
    other = compare(one.events, (await _asked("None.", who=AUDITOR)).events)
    assert "same" not in {r.relation for r in other if r.a and r.a.event_type == "child_start"}
