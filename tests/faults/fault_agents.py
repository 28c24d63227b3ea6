"""Agents whose tools leave a trace outside of the database: a ledger, fsynced line by line."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from pathlib import Path

from agents_app.adapters.models.scripted import Rule, Script, call, reply
from agents_app.engine import AgentSpec, Limits, ToolContext, tool


def ledger() -> Path:
    """The file that every effect of a test writes to."""
    return Path(os.environ["FAULT_LEDGER"])


def note(kind: str, **fields: object) -> None:
    """One line of the ledger, on disk before this returns."""
    line = json.dumps({"kind": kind, **fields}) + "\n"
    descriptor = os.open(ledger(), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(descriptor, line.encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@tool
def look(what: str) -> str:
    """Look something up: may run again."""
    note("look", what=what)
    return f"{what} is there"


@tool(effectful=True)
def pay(amount: int, context: ToolContext, seconds: float = 0.0) -> str:
    """Pay: must never run twice for one decision."""
    note("pay", key=context.key, amount=amount)
    time.sleep(seconds)
    return f"paid {amount}"


@tool(effectful=True, approval=True)
def wire(amount: int, context: ToolContext) -> str:
    """Pay after a person has said yes."""
    note("wire", key=context.key, amount=amount)
    return f"wired {amount}"


@tool
def poison(context: ToolContext) -> str:
    """Take the process down, as a bug in a library does."""
    note("poison", key=context.key)
    os.kill(os.getpid(), signal.SIGKILL)
    return "never said"


@tool
async def leave(how: str) -> str:
    """Exit, as code does that was written for a process of its own."""
    note("leave", how=how)
    raise {"exit": SystemExit(3), "interrupt": KeyboardInterrupt()}[how]


@tool
def leave_from_thread() -> str:
    """Exit from a thread."""
    note("leave", how="thread")
    sys.exit(3)


@tool
async def leave_from_task() -> str:
    """Exit from a task of one's own."""
    note("leave", how="task")
    await asyncio.gather(leave.run("exit"))
    return "never said"


_LINE = [
    Rule(lambda v: "pay" in v.calls, lambda v: reply("all is paid")),
    Rule(
        lambda v: "look" in v.calls,
        lambda v: reply("I pay", calls=[call("pay", amount=1), call("pay", amount=2)]),
    ),
    Rule(
        lambda v: True,
        lambda v: reply("I look", calls=[call("look", what="a"), call("look", what="b")]),
    ),
]
_SLOW = [
    Rule(lambda v: "pay" in v.calls, lambda v: reply("all is paid")),
    Rule(lambda v: True, lambda v: reply(calls=[call("pay", amount=7, seconds=6.0)])),
]
_SLEEPY = [
    Rule(lambda v: "pay" in v.calls, lambda v: reply("all is paid")),
    Rule(lambda v: True, lambda v: reply(calls=[call("pay", amount=7, seconds=60.0)])),
]
_UNEVEN = [
    Rule(lambda v: "pay" in v.calls, lambda v: reply("all is paid")),
    Rule(
        lambda v: True,
        lambda v: reply(calls=[call("pay", amount=1), call("pay", amount=2, seconds=2.0)]),
    ),
]
_WIRE = [
    Rule(lambda v: "wire" in v.calls, lambda v: reply("the money is on its way")),
    Rule(lambda v: True, lambda v: reply(calls=[call("wire", amount=9)])),
]
_POISON = [Rule(lambda v: True, lambda v: reply(calls=[call("poison")]))]
_LEAVES = [
    Rule(lambda v: "leave" in v.calls, lambda v: reply("still here")),
    Rule(
        lambda v: True,
        lambda v: reply(
            calls=[
                call("leave", how="exit"),
                call("leave", how="interrupt"),
                call("leave_from_thread"),
                call("leave_from_task"),
            ]
        ),
    ),
]
_TALK = [Rule(lambda v: True, lambda v: reply("one two three four five six seven eight nine ten"))]

SCRIPTS = {
    "line": Script(_LINE, pace=0.0),
    "slow": Script(_SLOW, pace=0.0),
    "sleepy": Script(_SLEEPY, pace=0.0),
    "uneven": Script(_UNEVEN, pace=0.0),
    "wire": Script(_WIRE, pace=0.0),
    "talk": Script(_TALK, pace=0.15),
    "poison": Script(_POISON, pace=0.0),
    "leaves": Script(_LEAVES, pace=0.0),
}
AGENTS = [
    AgentSpec(
        slug=name,
        model=f"scripted:{name}",
        tools=(look, pay, wire, poison, leave, leave_from_thread, leave_from_task),
        limits=Limits(max_steps=6),
    )
    for name in SCRIPTS
]
