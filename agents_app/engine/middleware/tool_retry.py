"""Tool retry: a tool that raises is run again, where running it twice does no harm (R-41)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from agents_app.engine.errors import ToolError
from agents_app.engine.loop.hooks import current
from agents_app.engine.middleware.backoff import Backoff, Factor, Seconds
from agents_app.engine.placing import alone
from agents_app.engine.said import Said
from playhead.core.errors import PlayheadError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.engine.messages import ToolCall, ToolResult
    from agents_app.engine.placing import Severity
    from agents_app.engine.ports import ToolHandler
    from agents_app.engine.spec import AgentSpec
    from agents_app.engine.tools import Tool


class ToolRetryMiddleware:
    """Runs a tool that failed again, unless it has an effect that may not happen twice.

    Args:
        tools: names of those that are run again; when it is empty, all that may be.
        max_retries: runs after the first one.
        initial_delay: seconds before the first of them.
        backoff_factor: how many times as long each next one waits.
        max_delay: the longest wait in seconds.
        jitter: whether the wait is spread, so that not all sessions try at once.
    """

    name = "tool-retry"
    roles = ("tool-retry",)
    placing = (alone("tool-retry", "each would try again what the other has given up."),)

    def __init__(
        self,
        tools: tuple[str, ...] = (),
        max_retries: Annotated[int, Field(ge=0, le=10)] = 2,
        initial_delay: Seconds = 0.5,
        backoff_factor: Factor = 2.0,
        max_delay: Seconds = 10.0,
        jitter: bool = True,
    ) -> None:
        self.tools = tools
        self.max_retries = max_retries
        self._backoff = Backoff(initial_delay, backoff_factor, max_delay, jitter)

    def problems(self, spec: AgentSpec) -> Iterator[tuple[str, str, Severity]]:
        """Tools that the agent does not have, or that may not run again."""
        for place, name in enumerate(self.tools):
            tool = spec.tool(name)
            if tool is None:
                yield (
                    f"tools.{place}",
                    Said(f"the agent has no tool {name}.", "no_such_tool", name=name),
                    "problem",
                )
            elif not _may_run_again(tool):
                text = f"{name} has an effect and is not idempotent: it may not run again."
                said = Said(text, "not_twice", name=name)
                yield f"tools.{place}", said, "problem"

    async def wrap_tool_call(self, call: ToolCall, run: ToolHandler) -> ToolResult:
        """The result of the first try that does not raise; what a tool tells the model is one."""
        tool = current().tool(call.name)
        wanted = not self.tools or call.name in self.tools
        retries = self.max_retries if tool and wanted and _may_run_again(tool) else 0
        for retry in range(retries):
            try:
                return await run(call)
            except Exception as error:
                if isinstance(error, ToolError) or _is_permanent(error):
                    raise
            await self._backoff.wait(retry)
        return await run(call)


def _may_run_again(tool: Tool) -> bool:
    return tool.idempotent or not tool.effectful


def _is_permanent(error: Exception) -> bool:
    return isinstance(error, PlayheadError) and error.permanent
