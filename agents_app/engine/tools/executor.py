"""Many runs of tools at once: really in parallel, in the order of the tasks, each on its own."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

from agents_app.engine.errors import ToolError
from agents_app.engine.tools.arguments import InvalidArguments
from agents_app.engine.tools.single import context_alone, text_of
from agents_app.engine.tools.threads import Threads

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agents_app.engine.tools.function import Tool

#: Keys of executors that are made in this process.
_number = itertools.count(1)


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What became of a task; ``result`` is the tool's text, or the error's."""

    task_id: int
    tool_name: str
    input_data: Any
    result: str
    status: Literal["success", "error"]


class ToolExecutor:
    """Runs tools by name, ``workers`` at a time; plain functions in threads of its own.

    It belongs to no session: nothing of it is recorded, nobody can be asked in it, and effectful
    tools run as they are called. Agents use their turn, which runs its calls in parallel too.
    """

    def __init__(self, tools: Iterable[Tool], *, workers: int = 4) -> None:
        if workers < 1:
            raise ValueError(f"workers {workers} must be at least 1")
        self._tools = {tool.name: tool for tool in tools}
        self._workers = workers
        self._threads = Threads(per_session=workers, in_all=workers)
        self._key = f"executor-{next(_number)}"
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Take no more tasks."""
        self._closed = True

    async def run(self, tasks: Sequence[Mapping[str, Any]]) -> list[TaskResult]:
        """Run tasks ``{"tool": name, "input_data": arguments}``; the results come in their order.

        Whatever is wrong with one is its result; the others go on.

        Raises:
            RuntimeError: the executor is closed.
        """
        if self._closed:
            raise RuntimeError("this executor is closed")
        places = asyncio.Semaphore(self._workers)
        running = [self._one(number, task, places) for number, task in enumerate(tasks)]
        return list(await asyncio.gather(*running))

    async def batch(self, tool: str, inputs: Sequence[Any]) -> list[TaskResult]:
        """Run one tool on each input."""
        return await self.run([{"tool": tool, "input_data": each} for each in inputs])

    async def _one(
        self, number: int, task: Mapping[str, Any], places: asyncio.Semaphore
    ) -> TaskResult:
        name, given = str(task.get("tool")), task.get("input_data")
        async with places:
            try:
                text = await self._text(number, name, task)
            except (ToolError, InvalidArguments, TimeoutError) as error:
                return TaskResult(number, name, given, str(error), "error")
        return TaskResult(number, name, given, text, "success")

    async def _text(self, number: int, name: str, task: Mapping[str, Any]) -> str:
        tool = self._tools.get(name)
        if tool is None:
            known = ", ".join(sorted(self._tools)) or "none"
            raise ToolError(f"there is no tool named {name!r}; there is: {known}")
        if "input_data" not in task:
            raise ToolError(f"task {number} has no input_data")
        if tool.agent is not None:
            raise ToolError(f"{name} is an agent: it runs in a session")
        context = context_alone(f"{self._key}:{number}")
        return await text_of(tool, task["input_data"], context, threads=self._threads)


def run_parallel(
    tools: Iterable[Tool], tasks: Sequence[Mapping[str, Any]], *, workers: int = 4
) -> list[TaskResult]:
    """``ToolExecutor.run`` for code without an event loop."""
    return asyncio.run(ToolExecutor(tools, workers=workers).run(tasks))


def run_batch(tool: Tool, inputs: Sequence[Any], *, workers: int = 4) -> list[TaskResult]:
    """``ToolExecutor.batch`` for code without an event loop."""
    return asyncio.run(ToolExecutor([tool], workers=workers).batch(tool.name, inputs))
