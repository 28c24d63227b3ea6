"""Plug-ins for Playhead about the weather: what the entry point leads to."""

from __future__ import annotations

from playhead.plugins import provides
from playhead_weather.almanac import Almanac
from playhead_weather.briefing import Briefing
from playhead_weather.forecast import forecast
from playhead_weather.station import Station
from playhead_weather.units import Units

VERSION = "0.3.0"

PLUGINS = [
    provides("tool.forecast", forecast, name="weather-forecast", version=VERSION),
    provides("strategy.briefing", Briefing, name="weather-briefing", version=VERSION),
    provides("middleware.units", Units, name="weather-units", version=VERSION),
    Almanac,
    Station,
]
