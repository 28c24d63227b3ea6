"""The README's ten lines are an agent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agents_app.adapters.definitions import load

if TYPE_CHECKING:
    from pathlib import Path


def test_the_lines_of_the_readme_are_an_agent_with_a_tool(root: Path, tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", (root / "README.md").read_text(), re.DOTALL)
    assert code is not None
    (tmp_path / "mailer.py").write_text(code[1])
    found = load([], tmp_path)
    assert found.problems == ()
    tool = found.tools_of("mailer")["send_email"]
    assert (tool.effectful, tool.approval) == (True, True)
