"""Many tools at once: parallel, in order, each on its own. Faults 1 to 4 are not inherited."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import Any

import pytest

from agents_app.engine import AgentSpec, ToolContext, ToolExecutor, ToolResult, agent_tool, tool
from agents_app.engine.tools import run_batch, run_parallel


@tool
async def double(number: int) -> int:
    """Double it."""
    return number * 2


@tool
async def fail(number: int) -> str:
    """Fail."""
    raise ValueError(f"no {number}")


@tool
def leave(number: int) -> str:
    """Exit."""
    sys.exit(number)


@tool
async def ask(number: int, ctx: ToolContext) -> str:
    """Ask."""
    return str(ctx.interrupt("Which?"))


TOOLS = [double, fail, leave, ask]


def _task(name: str, given: Any) -> dict[str, Any]:
    return {"tool": name, "input_data": given}


async def test_h14_fault_1_four_tasks_are_at_work_at_the_same_time() -> None:
    """Each waits for the three others: one after the other none would ever come back."""
    meet = asyncio.Barrier(4)

    @tool
    async def wait(number: int) -> int:
        """Wait for the others."""
        async with asyncio.timeout(10):
            await meet.wait()
        return number

    async with ToolExecutor([wait], workers=4) as executor:
        found = await executor.batch("wait", [0, 1, 2, 3])
    assert [each.result for each in found] == ["0", "1", "2", "3"]


async def test_h14_fault_1_so_are_four_plain_functions_in_threads() -> None:
    meet = threading.Barrier(4, timeout=10)

    @tool
    def wait(number: int) -> int:
        """Wait for the others."""
        meet.wait()
        return number

    found = await ToolExecutor([wait]).batch("wait", [3, 2, 1, 0])
    assert [each.status for each in found] == ["success"] * 4
    assert [each.result for each in found] == ["3", "2", "1", "0"]


async def test_h14_no_more_than_the_workers_are_at_work() -> None:
    busy, most = 0, 0

    @tool
    async def count(number: int) -> int:
        """Count who is here."""
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        for _ in range(5):
            await asyncio.sleep(0)
        busy -= 1
        return number

    await ToolExecutor([count], workers=2).batch("count", list(range(10)))
    assert most == 2


async def test_h14_fault_3_a_result_that_says_it_failed_is_an_error_too() -> None:
    @tool
    async def refuse(number: int) -> ToolResult:
        """Refuse, without an exception."""
        return ToolResult("", f"not {number}", number > 1)

    found = await ToolExecutor([refuse]).batch("refuse", [1, 2])
    assert [(each.status, each.result) for each in found] == [
        ("error", "not 1"), ("success", "not 2"),
    ]  # fmt: skip


async def test_h14_results_come_in_the_order_of_the_tasks_whoever_is_first() -> None:
    gates = [asyncio.Event() for _ in range(3)]

    @tool
    async def wait(number: int) -> int:
        """Wait for the one behind."""
        if number < 2:
            await gates[number + 1].wait()
        gates[number].set()
        return number

    found = await ToolExecutor([wait]).batch("wait", [0, 1, 2])
    assert [(each.task_id, each.result) for each in found] == [(0, "0"), (1, "1"), (2, "2")]


async def test_h14_faults_3_and_4_what_is_wrong_with_a_task_is_its_own_result() -> None:
    tasks = [
        _task("double", {"number": 4}),
        _task("fail", 1),
        {"tool": "double"},
        _task("none", 1),
        _task("double", {"number": "x"}),
        _task("leave", 3),
        _task("ask", 1),
        {},
        _task("double", 21),
    ]
    found = await ToolExecutor(TOOLS).run(tasks)
    assert [each.status for each in found] == ["success", *["error"] * 7, "success"]
    said = [each.result for each in found]
    assert (said[0], said[-1]) == ("8", "42")
    for place, text in enumerate(
        ["ValueError: no 1", "task 2 has no input_data", "no tool named 'none'; there is: ask",
         "argument number", "SystemExit: 3", "nobody can be asked here: Which?", "named 'None'"],
        start=1,
    ):  # fmt: skip
        assert text in said[place]
    assert (found[2].task_id, found[2].tool_name, found[2].input_data) == (2, "double", None)


async def test_a_task_that_takes_too_long_is_an_error_and_the_others_are_there() -> None:
    @tool(timeout=0.01)
    async def hang(number: int) -> int:
        """Hang."""
        await asyncio.Event().wait()
        return number

    found = await ToolExecutor([hang, double]).run([_task("hang", 1), _task("double", 1)])
    assert [(each.status, each.result) for each in found] == [
        ("error", "no result after 0.01 s"), ("success", "2"),
    ]  # fmt: skip


def test_h14_fault_2_the_forms_without_an_event_loop_work() -> None:
    assert [e.result for e in run_parallel(TOOLS, [_task("double", 1), _task("double", 2)])] == [
        "2", "4",
    ]  # fmt: skip
    assert [e.result for e in run_batch(double, [1, {"number": 2}])] == ["2", "4"]


async def test_what_an_executor_can_not_do_is_told() -> None:
    with pytest.raises(ValueError, match="workers 0"):
        ToolExecutor([], workers=0)
    agent = agent_tool(AgentSpec(slug="clerk"))
    [found] = await ToolExecutor([agent]).run([_task("ask_clerk", "go")])
    assert "it runs in a session" in found.result
    executor = ToolExecutor([])
    executor.close()
    with pytest.raises(RuntimeError, match="closed"):
        await executor.run([])
