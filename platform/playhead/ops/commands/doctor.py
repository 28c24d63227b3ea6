"""`playhead doctor`: what is configured, reachable, migrated."""

import argparse
from typing import Any


def register(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser("doctor", help="say what is wrong and what to do about it")
    parser.set_defaults(run=run)


def run(_args: argparse.Namespace) -> int:
    """A line for each check; 1 when one is wrong."""
    from playhead.ops.doctor import examine
    from playhead.ops.logs import without_secrets

    findings = examine()
    for found in findings:
        mark = {True: "ok", False: "WRONG", None: "-"}[found.ok]
        todo = f" -> {found.todo}" if found.todo else ""
        print(without_secrets(f"{mark:6}{found.name}: {found.says}{todo}"))
    return 1 if any(found.ok is False for found in findings) else 0
