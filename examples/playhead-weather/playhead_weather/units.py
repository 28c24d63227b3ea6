"""A middleware: results in the units that the reader thinks in."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from agents_app.engine import ToolResult

_CELSIUS = re.compile(r"(-?\d+) °C")


class Units:
    """Turns degrees Celsius in results of tools into Fahrenheit.

    Args:
        system: ``metric`` leaves them as they are.
    """

    name = "units"

    def __init__(self, system: Literal["metric", "imperial"] = "metric") -> None:
        self.system = system

    async def after_tool_call(self, result: ToolResult) -> ToolResult:
        if self.system == "metric":
            return result
        return replace(result, content=_CELSIUS.sub(_fahrenheit, result.content))


def _fahrenheit(found: re.Match[str]) -> str:
    return f"{round(int(found[1]) * 9 / 5 + 32)} °F"
