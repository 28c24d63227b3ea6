"""Plug-ins that exit, hang or cancel: an error that names them, and nobody else stays open."""

from __future__ import annotations

import asyncio

import pytest

from playhead.plugins import PluginError, PluginMeta, PluginRegistry, PluginSettings, registry


def loaded(*plugins, settings=None):
    made = PluginRegistry(settings)
    for each in plugins:
        made.register(each)
    made.load()
    return made


def plugin(name, **methods):
    """A plug-in with these methods, which provides ``tool.<name>``."""
    return type("Sample", (), {"meta": PluginMeta(name, "1", (f"tool.{name}",)), **methods})


def leave(*_):
    raise SystemExit(4)


async def leave_later(_):
    raise SystemExit(4)


async def say_cancelled(_):
    raise asyncio.CancelledError


async def hang(_):
    await asyncio.Event().wait()


def first(log):
    """A plug-in that starts and stops as it should, and writes it down."""

    async def on_start(_):
        log.append("started")

    async def on_stop(_):
        log.append("stopped")

    return plugin("first", on_start=on_start, on_stop=on_stop)


@pytest.mark.parametrize("method", ["__init__", "on_load", "on_validate"])
def test_an_exit_while_it_is_loaded_is_an_error_that_names_it(method):
    with pytest.raises(PluginError, match=r"weather.*SystemExit\(4\)"):
        loaded(plugin("weather", **{method: leave}))


@pytest.mark.parametrize("method", ["__init__", "on_load"])
def test_who_interrupts_the_process_does_interrupt_it(method):
    def interrupt(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loaded(plugin("weather", **{method: interrupt}))


def test_what_it_fails_to_provide_names_plug_in_and_capability():
    made = loaded(plugin("weather", provide=lambda _, capability: {}[capability]))
    with pytest.raises(PluginError, match=r"weather\.provide tool\.weather: KeyError"):
        made.get("tool.weather")


@pytest.mark.parametrize(
    ("on_start", "said"),
    [(leave_later, "SystemExit"), (say_cancelled, "Cancelled"), (hang, "took longer than 0 s")],
)
async def test_a_start_that_never_ends_well_stops_those_that_had_started(
    monkeypatch, on_start, said
):
    monkeypatch.setattr(registry, "START_LIMIT", 0.0)
    log = []
    made = loaded(first(log), plugin("second", on_start=on_start))
    with pytest.raises(PluginError, match=f"second could not start: .*{said}"):
        await made.start()
    assert log == ["started", "stopped"]


async def test_a_start_that_is_cancelled_from_outside_stops_those_that_had_started():
    log = []
    reached = asyncio.Event()

    async def on_start(_):
        reached.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(loaded(first(log), plugin("second", on_start=on_start)).start())
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert log == ["started", "stopped"]


@pytest.mark.parametrize("on_stop", [leave_later, say_cancelled, hang])
async def test_a_stop_that_never_ends_well_leaves_nobody_else_open(monkeypatch, on_stop):
    monkeypatch.setattr(registry, "STOP_LIMIT", 0.0)
    log = []
    made = loaded(first(log), plugin("second", on_stop=on_stop))
    await made.start()
    await made.stop()
    assert log == ["started", "stopped"]
    assert [phase for *_, phase in made.rows()] == ["stopped", "stopped"]


def test_settings_of_plug_ins_that_are_not_there_are_told():
    settings = PluginSettings(
        disabled=frozenset({"zzz", "off"}),
        choose={"tool.weather": "nobody", "tool.rain": "weather"},
        options={"wether": {"api_key": "k"}, "off": {}},
    )
    made = loaded(plugin("weather"), plugin("off"), settings=settings)
    assert made.unknown() == [
        "disabled: unknown plug-in 'zzz'",
        "[wether]: unknown plug-in 'wether'; did you mean weather?",
        "choose.\"tool.weather\": unknown plug-in 'nobody'",
        'choose."tool.rain": weather does not provide it',
    ]


def test_a_version_is_text():
    with pytest.raises(PluginError, match="weather: version must be text"):
        PluginMeta("weather", 2, ("tool.weather",))
