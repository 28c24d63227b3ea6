"""The package says its version and drags nothing in."""

import subprocess
import sys


def test_importing_playhead_imports_no_framework(root_env: dict[str, str]) -> None:
    """The core can be used without Django, so the package itself may not load it."""
    code = "import sys, playhead; print(playhead.__version__); print('django' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=root_env
    )
    version, has_django = done.stdout.split()
    assert version.count(".") == 2
    assert has_django == "False"
