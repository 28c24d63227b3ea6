"""The registry: capabilities by name, order by requirement, one life (S3-18 … S3-29, S3-60)."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from playhead.plugins import (
    POINTS,
    CapabilityNotFound,
    PluginError,
    PluginMeta,
    PluginRegistry,
    PluginSettings,
    provides,
)


def plugin(name, provides=(), requires=(), config_cls=None, log=None, fail=()):
    """A factory whose plug-in writes down each phase it goes through."""
    said = log if log is not None else []

    class Sample:
        meta = PluginMeta(name, "1.0", tuple(provides), tuple(requires), config_cls)

        def __init__(self):
            said.append(f"{name}:made")

        def on_load(self, ctx):
            self.ctx = ctx
            said.append(f"{name}:load")

        def on_validate(self):
            said.append(f"{name}:validate")

        async def on_start(self):
            if "start" in fail:
                raise OSError("no route")
            said.append(f"{name}:start")

        async def on_stop(self):
            said.append(f"{name}:stop")
            if "stop" in fail:
                raise OSError("stuck")

    return Sample


class Weather(BaseModel):
    api_key: str
    timeout: float = 5.0


def test_s3_19_a_duplicate_name_is_refused():
    registry = PluginRegistry()
    registry.register(plugin("weather"))
    with pytest.raises(PluginError, match="duplicate plugin: weather"):
        registry.register(plugin("weather"))


def test_s3_20_a_capability_that_nobody_provides_is_named():
    registry = PluginRegistry()
    sample = plugin("weather", provides=["tool.weather"])
    registry.register(sample)
    assert registry.provide("tool.weather") is sample
    with pytest.raises(CapabilityNotFound) as caught:
        registry.provide("tool.rain")
    assert caught.value.capability == "tool.rain"


async def test_s3_22_the_required_ones_are_made_first_and_stopped_last():
    log = []
    registry = PluginRegistry()
    registry.register(plugin("a", requires=["event.sink"], log=log))
    registry.register(plugin("b", provides=["event.sink"], log=log))
    registry.load()
    await registry.start()
    await registry.stop()
    assert [each for each in log if each.endswith("made")] == ["b:made", "a:made"]
    assert [each for each in log if each.endswith("start")] == ["b:start", "a:start"]
    assert [each for each in log if each.endswith("stop")] == ["a:stop", "b:stop"]


def test_s3_23_a_cycle_is_printed_before_anything_is_made():
    log = []
    registry = PluginRegistry()
    registry.register(plugin("a", ["tool.a"], ["tool.b"], log=log))
    registry.register(plugin("b", ["tool.b"], ["tool.c"], log=log))
    registry.register(plugin("c", ["tool.c"], ["tool.a"], log=log))
    with pytest.raises(PluginError, match="a → b → c → a"):
        registry.load()
    assert log == []


def test_a_missing_requirement_says_who_wants_it():
    registry = PluginRegistry()
    registry.register(plugin("weather", requires=["event.sink"]))
    with pytest.raises(CapabilityNotFound, match=r"event\.sink: weather requires it"):
        registry.load()


def test_s3_24_only_a_declared_requirement_can_be_had():
    seen = {}

    class Nosy:
        meta = PluginMeta("nosy", "1", ("tool.nosy",), ("event.sink",))

        def on_load(self, ctx):
            seen["sink"] = ctx.require("event.sink")
            ctx.require("tool.other")

    registry = PluginRegistry()
    for each in (Nosy, provides("event.sink", "the sink"), provides("tool.other", "no")):
        registry.register(each)
    with pytest.raises(PluginError, match=r"nosy asks for tool\.other"):
        registry.load()
    assert seen == {"sink": "the sink"}


async def test_s3_25_five_phases_in_order():
    log = []
    registry = PluginRegistry()
    registry.register(plugin("a", log=log))
    registry.load()
    assert registry.rows()[0][2] == "validated"
    await registry.start()
    assert registry.rows()[0][2] == "running"
    await registry.stop()
    assert registry.rows()[0][2] == "stopped"
    assert log == ["a:made", "a:load", "a:validate", "a:start", "a:stop"]


async def test_a_failing_start_stops_those_that_had_started():
    log = []
    registry = PluginRegistry()
    registry.register(plugin("a", log=log, fail=["stop"]))
    registry.register(plugin("b", log=log))
    registry.register(plugin("c", log=log, fail=["start"]))
    registry.register(plugin("d", log=log))
    registry.load()
    with pytest.raises(PluginError, match="c could not start: no route"):
        await registry.start()
    assert log[-4:] == ["a:start", "b:start", "b:stop", "a:stop"]


def test_s3_27_an_error_in_the_configuration_names_the_field_and_not_the_value():
    options = {"weather": {"api_key": "k", "timeout": "sk-secret-1234"}}
    registry = PluginRegistry(PluginSettings(options=options))
    registry.register(plugin("weather", config_cls=Weather))
    with pytest.raises(PluginError, match=r"weather\.timeout") as caught:
        registry.load()
    assert "sk-secret" not in caught.value.message
    assert caught.value.detail["field"] == "weather.timeout"


def test_s3_28_a_plug_in_gets_its_checked_configuration():
    made = []
    sample = plugin("weather", config_cls=Weather)
    keep = sample.__init__

    def init(self):
        keep(self)
        made.append(self)

    sample.__init__ = init
    registry = PluginRegistry(PluginSettings(options={"weather": {"api_key": "k"}}))
    registry.register(sample)
    registry.load()
    assert made[0].ctx.config == Weather(api_key="k", timeout=5.0)


def test_two_providers_of_one_capability_need_a_choice():
    both = [plugin("a", ["llm.chat"]), plugin("b", ["llm.chat"])]
    registry = PluginRegistry()
    for each in both:
        registry.register(each)
    with pytest.raises(PluginError, match=r"llm\.chat is provided by a and b"):
        registry.load()
    chosen = PluginRegistry(PluginSettings(choose={"llm.chat": "b"}))
    for each in both:
        chosen.register(each)
    chosen.load()
    assert chosen.provide("llm.chat") is both[1]


def test_a_disabled_plug_in_is_not_there():
    registry = PluginRegistry(PluginSettings(disabled=frozenset({"a"})))
    registry.register(plugin("a", ["tool.a"]))
    registry.load()
    assert registry.names("tool") == []
    assert registry.versions() == []


SEVEN = ["llm", "tool", "memory", "strategy", "state", "event", "middleware"]
NONE = ["weather", "loop.main", "tool.", "tool.A b", "seq.next", "prompt.greeting", "session.ids"]


@pytest.mark.parametrize("point", SEVEN)
def test_s3_6_s3_18_each_of_the_seven_points_takes_a_plug_in(point):
    meta = PluginMeta("weather", "1.2", (f"{point}.weather",))
    assert (meta.name, meta.version, meta.provides) == ("weather", "1.2", (f"{point}.weather",))
    assert (meta.requires, meta.config_cls) == ((), None)
    registry = PluginRegistry()
    registry.register(provides(f"{point}.weather", "it", name="weather"))
    registry.load()
    assert registry.names(point) == ["weather"]
    assert registry.get(f"{point}.weather") == "it"


@pytest.mark.parametrize("capability", NONE)
def test_s3_14_s3_15_there_are_seven_points_and_no_others(capability):
    assert list(POINTS) == SEVEN
    with pytest.raises(PluginError, match="capability"):
        PluginMeta("weather", "1", (capability,))
    with pytest.raises(PluginError, match="capability"):
        PluginMeta("weather", "1", (), (capability,))


async def test_s3_16_a_class_with_a_meta_and_nothing_else_is_a_plug_in():
    class Bare:
        meta = PluginMeta("bare", "1", ("tool.bare",))

    registry = PluginRegistry()
    registry.register(Bare)
    registry.load()
    await registry.start()
    assert isinstance(registry.get("tool.bare"), Bare)
    await registry.stop()
    assert registry.rows()[0][2] == "stopped"


def test_s3_22_nothing_is_made_before_the_whole_graph_is_known():
    log = []
    registry = PluginRegistry()
    registry.register(plugin("a", log=log))
    registry.register(plugin("z", requires=["event.sink"], log=log))
    with pytest.raises(CapabilityNotFound):
        registry.load()
    assert log == []


def test_s3_70_versions_are_listed_in_the_order_of_loading():
    registry = PluginRegistry()
    registry.register(plugin("a", requires=["event.sink"]))
    registry.register(provides("event.sink", object(), name="sink", version="2.1"))
    registry.load()
    assert registry.versions() == [
        {"name": "sink", "version": "2.1"},
        {"name": "a", "version": "1.0"},
    ]
