"""An agent with the tools of MCP servers that others wrote, brought in by the data folder."""

from __future__ import annotations

import os
from pathlib import Path

from agents_app.adapters.models.scripted import Rule, Script, View, call, reply
from agents_app.engine import AgentSpec

SUM, WRITE = "every__get-sum", "files__write_file"
ECHO, LONG = "slow__echo", "slow__trigger-long-running-operation"
NOTE = Path(os.environ["PLAYHEAD_DATA"]) / "files" / "note.txt"


def _said(view: View) -> str:
    return " ".join(m.content for m in view.turn if m.role == "tool")


SCRIPT = Script(
    [
        Rule(lambda v: v.calls and v.calls[-1] in (WRITE, LONG), lambda v: reply(_said(v))),
        Rule(
            lambda v: ECHO in v.calls,
            lambda v: reply(calls=[call(WRITE, path=str(NOTE), content=_said(v))]),
        ),
        Rule(lambda v: SUM in v.calls, lambda _: reply(calls=[call(ECHO, message="really")])),
        Rule(lambda v: "long" in v.user, lambda _: reply(calls=[call(LONG, duration=90, steps=9)])),
        Rule(lambda _: True, lambda _: reply(calls=[call(SUM, a=2, b=40)])),
    ],
    pace=0.0,
)
SCRIPTS = {"mcp-clerk": SCRIPT}
TOOLS = [SUM, ECHO, WRITE, LONG]
AGENTS = [AgentSpec(slug="mcp-clerk", name="MCP clerk", model="scripted:mcp-clerk", tools=TOOLS)]
