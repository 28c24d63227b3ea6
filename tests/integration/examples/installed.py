"""An environment of its own with a package of plug-ins installed in it, without any network.

The environment sees what this one has, by a path file. The wheel is made by the package's own
build backend, and unpacked where wheels go: what an installer does with one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


def installed(package: Path, folder: Path) -> Path:
    """The Python of a new environment that has the package."""
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    asked = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    site = Path(subprocess.check_output([python, "-I", "-c", asked], text=True).strip())
    shared = [str(ROOT / "platform"), str(ROOT), sysconfig.get_paths()["purelib"]]
    (site / "shared.pth").write_text("\n".join(shared))
    wheels = folder / "wheels"
    wheels.mkdir()
    name = subprocess.check_output(
        [sys.executable, "-c", _BUILD, str(wheels)], cwd=package, text=True
    )
    with zipfile.ZipFile(wheels / name.split()[-1]) as wheel:
        wheel.extractall(site)
    return python


def environment(data: Path) -> dict[str, str]:
    """The environment of its processes: a data folder, and nothing of this one's Playhead."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PLAYHEAD_", "PYTHON", "DJANGO_", "DATABASE_URL", "REDIS_URL"))
    }
    return {**kept, "PLAYHEAD_DATA": str(data)}
