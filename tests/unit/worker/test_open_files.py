"""How many files a process of ours may have open."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ROOMY = """
import resource
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
from playhead.ops import start
start.FILES = 64
start.make_room()
print(resource.getrlimit(resource.RLIMIT_NOFILE) == (most, most))
"""
LIMITED = """
import resource
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
from playhead.ops.start import FILES, make_room
make_room()
soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
print(soft == FILES or soft == most, soft > 64)
"""


def test_a_process_may_open_as_many_files_as_the_machine_allows(
    root: Path, root_env: dict[str, str]
) -> None:
    said = subprocess.check_output([sys.executable, "-c", LIMITED], env=root_env, text=True)
    assert said.split() == ["True", "True"]


def test_a_process_that_may_open_more_keeps_that(root: Path, root_env: dict[str, str]) -> None:
    said = subprocess.check_output([sys.executable, "-c", ROOMY], env=root_env, text=True)
    assert said.split() == ["True"]
