"""Plain functions in threads: their places, their time, and what exits."""

from __future__ import annotations

import asyncio
import sys
import threading
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Tool, ToolContext, tool
from agents_app.engine.messages import Message
from agents_app.engine.strategies import FunctionCalling
from agents_app.engine.tools.threads import Threads
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import by_turn

if TYPE_CHECKING:
    from collections.abc import Callable


def _session(*tools: Tool, session_id: str = "sess_test", **options: Any) -> Session:
    wanted = [(each.name, {}) for each in tools]
    model = RuleModel(by_turn(calls(*wanted), says("Done.")))
    spec = AgentSpec(slug="desk", tools=tools)
    return Session(spec, model, session_id=session_id, **options).start("Go.")


async def test_r36_one_session_that_blocks_all_its_threads_starves_no_other() -> None:
    threads, held = Threads(per_session=2, in_all=3), threading.Event()
    busy = [asyncio.ensure_future((await threads.turn("a")).run(held.wait)) for _ in range(2)]
    more = asyncio.ensure_future(threads.turn("a"))
    other = await threads.turn("b")
    assert await other.run(lambda: "b ran") == "b ran"
    assert not more.done()
    held.set()
    assert await asyncio.gather(*busy) == [True, True]
    assert await (await more).run(lambda: "a ran") == "a ran"
    assert (threads.running("a"), threads.running("b")) == (0, 0)


async def test_a_turn_that_is_not_waited_for_any_more_holds_no_place() -> None:
    threads, held = Threads(per_session=1), threading.Event()
    busy = asyncio.ensure_future((await threads.turn("a")).run(held.wait))
    gone, stays = (asyncio.ensure_future(threads.turn("a")) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    held.set()
    assert await busy
    assert await (await stays).run(lambda: 1) == 1
    assert threads.running("a") == 0


async def test_r36_plain_functions_of_one_turn_run_beside_one_another() -> None:
    """Each waits for the other: one after the other they would never meet."""
    meet = threading.Barrier(2, timeout=10)

    def named(name: str) -> Tool:
        def wait() -> str:
            """Wait."""
            meet.wait()
            return name

        return tool(name=name)(wait)  # type: ignore[no-any-return]

    session = _session(named("one"), named("two"))
    await session.run()
    assert sorted(r.payload["message"]["content"] for r in session.of("tool_result")) == [
        "one", "two",
    ]  # fmt: skip


async def test_a_thread_sees_the_context_variables_of_its_call() -> None:
    here: ContextVar[str] = ContextVar("here")
    here.set("kept")

    @tool
    def look() -> str:
        """Look."""
        return here.get("lost")

    session = _session(look)
    await session.run()
    assert session.of("tool_result")[0].payload["message"]["content"] == "kept"


async def test_a_thread_that_blocks_is_told_and_the_run_goes_on() -> None:
    held = threading.Event()

    @tool(timeout=0.05)
    def block() -> str:
        """Block."""
        held.wait()
        return "late"

    session = _session(block)
    assert (await session.run()).answer == "Done."
    held.set()
    said = session.of("tool_result")[0].payload["message"]["content"]
    assert said == (
        "Error: block: no result after 0.05 s; its thread can't be stopped and may still be at work"
    )
    assert (await verify(session)).ok


async def test_an_effectful_call_whose_thread_blocks_is_a_question_that_says_so() -> None:
    held = threading.Event()

    @tool(effectful=True, timeout=0.05)
    def block() -> str:
        """Block."""
        held.wait()
        return "late"

    session = _session(block)
    assert (await session.run()).kind == "interrupted"
    held.set()
    [question] = session.questions()
    assert question.payload["kind"] == "in_doubt"
    assert "its thread can't be stopped" in question.payload["info"]


@pytest.mark.parametrize(
    ("session_id", "who"),
    [("sess_test", "1 earlier calls of this session"), ("another", "calls of other sessions")],
)
async def test_a_call_that_gets_no_thread_says_that_it_did_not_start_and_who_has_them(
    session_id: str, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no doubt, though it is effectful: nothing ran."""
    threads, held = Threads(per_session=1, in_all=1), threading.Event()
    monkeypatch.setattr("agents_app.engine.tool_calls.execution.THREADS", threads)
    busy = asyncio.ensure_future((await threads.turn(session_id)).run(held.wait))

    @tool(effectful=True, timeout=0.05)
    def pay() -> str:
        """Pay."""
        return "paid"

    session = _session(pay)
    assert (await session.run()).kind == "finished"
    held.set()
    await busy
    said = session.of("tool_result")[0].payload["message"]["content"]
    assert said.startswith(f"Error: pay: not started: {who} still hold their threads")


async def test_a_timeout_of_the_tools_own_says_what_it_says() -> None:
    @tool
    async def slow() -> str:
        """Give up."""
        raise TimeoutError("the bank did not answer")

    session = _session(slow)
    await session.run()
    said = session.of("tool_result")[0].payload["message"]["content"]
    assert said == "Error: slow: TimeoutError: the bank did not answer"


class Odd(BaseException):
    """No ``Exception``, and none of ours."""


def _exits(how: BaseException, *, blocking: bool) -> Tool:
    if blocking:

        @tool(name="leave")
        def leave() -> str:
            """Leave."""
            raise how

        return leave

    @tool(name="leave")
    async def leave_soon() -> str:
        """Leave."""
        raise how

    return leave_soon


@pytest.mark.parametrize("blocking", [False, True])
@pytest.mark.parametrize("how", [SystemExit(3), KeyboardInterrupt(), Odd("odd")], ids=repr)
async def test_s_an_exit_of_a_tool_is_that_tools_error(how: BaseException, blocking: bool) -> None:
    session = _session(_exits(how, blocking=blocking))
    assert (await session.run()).answer == "Done."
    [result] = session.of("tool_result")
    assert not result.payload["success"]
    assert type(how).__name__ in result.payload["message"]["content"]
    assert (await verify(session)).ok


async def _together(*work: Any) -> None:
    async with asyncio.TaskGroup() as group:
        for each in work:
            group.create_task(each)


async def _one_by_one(*work: Any) -> None:
    for each in [asyncio.ensure_future(each) for each in work]:
        await each


@pytest.mark.parametrize("how", [asyncio.gather, _together, _one_by_one])
async def test_s_an_exit_in_a_task_that_a_tool_started_is_its_error(how: Any) -> None:
    """The event loop raises an exit of any task, and its process would end."""

    async def leave() -> None:
        await asyncio.sleep(0)
        sys.exit(3)

    async def deeper() -> None:
        await asyncio.gather(leave())

    @tool
    async def work() -> str:
        """Work in parallel."""
        await how(deeper(), asyncio.sleep(0))
        return "done"

    session = _session(work)
    assert (await session.run()).answer == "Done."
    [result] = session.of("tool_result")
    assert not result.payload["success"]
    assert (await verify(session)).ok


async def test_a_task_of_a_tool_that_is_cancelled_before_it_began_is_no_error() -> None:
    @tool
    async def work() -> str:
        """Start and stop."""
        task = asyncio.ensure_future(asyncio.sleep(10))
        task.cancel()
        return str(await asyncio.gather(task, return_exceptions=True))

    session = _session(work)
    await session.run()
    assert session.of("tool_result")[0].payload["message"]["content"].startswith("[Cancelled")


class Leaves:
    """A middleware that ends the process at one of its hooks."""

    name = "leaves"

    def __init__(self, hook: str) -> None:
        setattr(self, hook, self._leave)

    async def _leave(self, *_: Any) -> Any:
        sys.exit(3)


@tool
async def look() -> str:
    """Look."""
    return "seen"


@pytest.mark.parametrize(
    "hook", ["before_llm_call", "after_llm_call", "before_tool_call", "after_tool_call"]
)
async def test_s_an_exit_of_a_hook_fails_the_run(hook: str) -> None:
    session = _session(look, middlewares=lambda: [Leaves(hook)])
    outcome = await session.run()
    assert (outcome.kind, outcome.code) == ("failed", "middleware_error")
    assert "leaves: SystemExit: 3" in (outcome.answer or "")


async def test_s_an_exit_of_a_wrap_is_the_error_of_what_it_wraps() -> None:
    session = _session(look, middlewares=lambda: [Leaves("wrap_tool_call")])
    assert (await session.run()).answer == "Done."
    assert "SystemExit" in session.of("tool_result")[0].payload["message"]["content"]
    session = _session(look, middlewares=lambda: [Leaves("wrap_llm_call")])
    assert (await session.run()).code == "bad_response"


async def test_s_an_exit_of_a_strategy_fails_the_run() -> None:
    class Leaving(FunctionCalling):
        async def step(self, state: Any, ctx: Any) -> Any:
            raise SystemExit(3)

    session = _session(look, strategy=Leaving())
    assert (await session.run()).code == "strategy_error"


async def test_an_approval_rule_that_exits_fails_the_run() -> None:
    rule: Callable[[Any], bool] = lambda _: sys.exit(3)  # noqa: E731

    @tool(approval=rule)
    async def gated(ctx: ToolContext) -> str:
        """Run."""
        return ""

    outcome = await _session(gated).run()
    assert (outcome.kind, outcome.code) == ("failed", "strategy_error")
    assert isinstance(says(""), Message)
