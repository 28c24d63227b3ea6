"""Each part by itself, then all of them in a session: no network, no server, no database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playhead_weather import PLUGINS
from playhead_weather.almanac import Almanac
from playhead_weather.briefing import Briefing
from playhead_weather.forecast import forecast
from playhead_weather.units import Units

from agents_app.engine import AgentLoop, ToolResult
from agents_app.engine.facade import as_tool
from playhead.plugins import PluginError, PluginRegistry, PluginSettings, provides


class Outlet:
    """Stands in for Playhead's ``event.sink``."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Any]] = []

    def emit(self, event_type: str, payload: Any) -> None:
        self.told.append((event_type, payload))


def registry(outlet: Outlet | None = None, **options: Any) -> PluginRegistry:
    made = PluginRegistry(PluginSettings(options={"weather-station": options}))
    for each in [provides("event.sink", outlet or Outlet(), name="outlet"), *PLUGINS]:
        made.register(each)
    made.load()
    return made


async def test_the_middleware_turns_degrees() -> None:
    warm = ToolResult("c1", "Bonn: rain, 18 °C, at night -4 °C", True)
    turned = await Units("imperial").after_tool_call(warm)
    assert turned.content == "Bonn: rain, 64 °F, at night 25 °F"
    assert await Units().after_tool_call(warm) is warm


def test_the_configuration_names_what_is_wrong() -> None:
    with pytest.raises(PluginError, match=r"weather-station\.place"):
        registry()


async def test_all_parts_in_one_run(tmp_path: Path) -> None:
    outlet, journal = Outlet(), tmp_path / "journal"
    parts = registry(outlet, place="Bonn", journal=str(journal))
    await parts.start()
    loop = AgentLoop(
        Almanac().model("farmer"),
        [forecast, as_tool(parts.get("tool.observe"))],
        strategy=Briefing(cities=2),
        middlewares=[Units("imperial")],
    )
    answer = await loop.run("How will it be in Oslo and Lima, and in Bonn?")
    await parts.stop()
    assert answer == "Farmers say: Oslo: snow, 39 °F; Lima: fog, 72 °F; Bonn now: 68 °F."
    assert outlet.told == [("tool.weather.request", {"place": "Bonn"})]
    assert journal.read_text().split() == ["opened", "measured", "closed"]
