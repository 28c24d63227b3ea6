"""Plug-ins from files of the data folder and their settings file."""

from __future__ import annotations

import pytest

from playhead.plugins import PluginError, PluginSettings
from playhead.plugins.discovery import in_folder

GOOD = """
from playhead.plugins import provides
PLUGINS = [provides("tool.dice", object(), version="1.2")]
"""


def test_files_are_read_and_a_broken_one_is_a_problem_not_the_end(tmp_path):
    (tmp_path / "a_broken.py").write_text("import no_such_module")
    (tmp_path / "b_good.py").write_text(GOOD)
    (tmp_path / "c_other.py").write_text("PLUGINS = [1]")
    broken, good, other = in_folder(tmp_path)
    assert broken.factory is None
    assert "no_such_module" in broken.problem
    assert good.factory.meta.provides == ("tool.dice",)
    assert "no plug-in" in other.problem


def test_a_file_that_exits_is_a_problem_not_the_end(tmp_path):
    (tmp_path / "a_script.py").write_text("raise SystemExit(3)")
    (tmp_path / "b_good.py").write_text(GOOD)
    script, good = in_folder(tmp_path)
    assert (script.factory, script.problem) == (None, "SystemExit: 3 (a_script.py, line 1)")
    assert good.factory is not None


def test_settings_come_from_a_file(tmp_path):
    path = tmp_path / "plugins.toml"
    path.write_text(
        'disabled = ["x"]\n[choose]\n"llm.chat" = "a"\n[weather]\napi_key = "k"\n', encoding="utf-8"
    )
    settings = PluginSettings.from_file(path)
    assert settings.disabled == {"x"}
    assert settings.choose == {"llm.chat": "a"}
    assert settings.options == {"weather": {"api_key": "k"}}
    assert PluginSettings.from_file(tmp_path / "none.toml") == PluginSettings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("disabled = 1", "disabled must be"),
        ('disabled = [["x"]]', "disabled must be"),
        ("disabled = [1]", "disabled must be"),
        ('[choose]\n"tool.x" = ["a"]', r"choose\.tool\.x must be"),
        ("weather = 1", "weather must be"),
        ("[", "plugins.toml"),
    ],
)
def test_a_wrong_settings_file_is_refused_with_the_field(tmp_path, text, said):
    path = tmp_path / "plugins.toml"
    path.write_text(text)
    with pytest.raises(PluginError, match=said):
        PluginSettings.from_file(path)
