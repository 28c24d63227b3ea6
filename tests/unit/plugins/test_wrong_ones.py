"""One plug-in that is wrong is told with its place, and left out; the others are loaded."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ConfigDict

from playhead.plugins import PluginError, PluginMeta, PluginRegistry, PluginSettings, provides
from playhead.plugins.discovery import in_folder


class Options(BaseModel):
    url: str
    colour: str = "red"


class Murmur:
    meta = PluginMeta("murmur", "1", ("tool.murmur",), config_cls=Options)


class Listener:
    meta = PluginMeta("listener", "1", ("tool.listen",), requires=("tool.murmur",))


def loaded(*factories, **settings):
    told = []
    registry = PluginRegistry(PluginSettings(**settings), fault=no_text)
    for each in factories:
        registry.register(each, source=f"file {each.meta.name}.py")
    registry.load(told)
    return registry, told


def no_text(_capability, value):
    return "a text came" if isinstance(value, str) else None


def test_a_wrong_one_is_left_out_with_those_that_require_it():
    registry, told = loaded(Listener, Murmur, provides("tool.dice", object(), name="dice"))
    assert [row[0].name for row in registry.rows()] == ["dice"]
    (first, missing), (second, unmet) = told
    assert (first, second) == ("file murmur.py", "file listener.py")
    assert "murmur.url: Field required" in missing
    assert "plugins.toml, table [murmur]" in missing
    assert "listener requires it" in unmet
    assert registry.unknown() == []


def test_everything_that_is_wrong_with_options_is_told_at_once():
    _, [(_, said)] = loaded(Murmur, options={"murmur": {"ulr": "x", "colour": 1}})
    assert "murmur.url: Field required" in said
    assert "murmur.colour: Input should be a valid string" in said
    assert "murmur.ulr: no such option; did you mean url?" in said


def test_a_model_that_takes_more_is_given_more():
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")

    class Taker:
        meta = PluginMeta("taker", "1", (), config_cls=Open)

        def on_load(self, ctx):
            self.given = ctx.config.model_extra

    registry, told = loaded(Taker, options={"taker": {"anything": 1}})
    assert told == []
    assert [row[0].name for row in registry.rows()] == ["taker"]


def test_a_misfit_names_the_capability():
    registry, told = loaded(provides("tool.a", "text"), provides("tool.b", object()))
    assert told == [("file tool.a.py", "tool.a: a text came")]
    assert registry.names("tool") == ["b"]


def test_where_the_settings_choose_a_wrong_one_nobody_takes_its_place():
    """Prompts go to the provider that was chosen, or to none."""
    mine, theirs = provides("llm.x", "text", name="mine"), provides("llm.x", object(), name="other")
    registry, told = loaded(mine, theirs, choose={"llm.x": "mine"})
    assert len(told) == 1
    assert registry.names("llm") == []
    assert registry.unknown() == []


def test_a_table_that_no_plug_in_has_is_told_with_what_was_meant():
    registry, _ = loaded(Murmur, options={"murmur": {"url": "x"}, "mumur": {}})
    assert registry.unknown() == ["[mumur]: unknown plug-in 'mumur'; did you mean murmur?"]


def test_what_a_file_raises_is_told_with_its_line(tmp_path, caplog):
    text = "def look(found):\n    return found['colour']\n\nlook({})\n"
    (tmp_path / "raises.py").write_text(text)
    [found] = in_folder(tmp_path)
    assert found.problem == "KeyError: 'colour' (raises.py, line 2)"
    assert "Traceback" in caplog.text


def test_what_a_constructor_raises_is_told_with_its_line(tmp_path):
    text = """
from playhead.plugins import PluginMeta

class Broken:
    meta = PluginMeta("broken", "1", ())
    def on_load(self, ctx):
        {}["colour"]

PLUGINS = [Broken]
"""
    (tmp_path / "broken.py").write_text(text)
    [found] = in_folder(tmp_path)
    _, [(_, said)] = loaded(found.factory)
    assert said == "broken.on_load: KeyError('colour') (broken.py, line 7)"


def test_a_sentence_of_ours_needs_no_traceback(tmp_path, caplog):
    (tmp_path / "empty.py").write_text("x = 1\n")
    [found] = in_folder(tmp_path)
    assert found.problem.startswith("it has no list PLUGINS")
    assert "Traceback" not in caplog.text


def test_an_instance_in_the_list_is_told_to_be_a_class(tmp_path):
    text = """
from playhead.plugins import PluginMeta

class Weather:
    meta = PluginMeta("weather", "1", ())

PLUGINS = [Weather()]
"""
    (tmp_path / "weather.py").write_text(text)
    [found] = in_folder(tmp_path)
    assert "give the class, Weather" in found.problem


def test_a_circle_and_two_of_a_name_are_still_raised():
    class A:
        meta = PluginMeta("a", "1", ("tool.a",), requires=("tool.b",))

    class B:
        meta = PluginMeta("b", "1", ("tool.b",), requires=("tool.a",))

    with pytest.raises(PluginError, match="circle"):
        loaded(A, B)
    with pytest.raises(PluginError, match="duplicate plugin"):
        loaded(A, A)
