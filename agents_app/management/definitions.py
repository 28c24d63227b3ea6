"""`playhead agent`: agents as YAML files, by the same service as the API."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playhead.accounts.contracts import Principal


def register(commands: Any) -> None:
    """Add the command."""
    agent = commands.add_parser("agent", help="agents as YAML files")
    actions = agent.add_subparsers(dest="action", required=True)
    apply = actions.add_parser("apply", help="make an agent, or its next version, from a file")
    apply.add_argument("file", metavar="FILE", help="a YAML file; - is the standard input")
    apply.add_argument("--note", default="", help="what the version is for")
    apply.add_argument(
        "--publish",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="whether new sessions get it",
    )
    apply.set_defaults(run=run_apply)
    export = actions.add_parser("export", help="print an agent as YAML")
    export.add_argument("slug", metavar="SLUG")
    export.add_argument("--version", type=int, metavar="N", help="instead of the published one")
    export.set_defaults(run=run_export)
    actions.add_parser("list", help="print all agents").set_defaults(run=run_list)


def run_apply(args: argparse.Namespace) -> int:
    """Apply a file; 1 and a line for each fault when it does not fit."""
    from agents_app.services.yaml_files import yaml_apply
    from playhead.core.errors import InvalidInput

    by = _principal()
    try:
        slug, result = yaml_apply(
            by=by, text=_read(args.file), note=args.note, publish=args.publish
        )
    except InvalidInput as error:
        for each in error.detail.get("errors") or [{"field": "", "message": error.message}]:
            where = f"{each['field']}: " if each["field"] else ""
            print(f"{args.file}: {where}{each['message']}", file=sys.stderr)
        return 1
    said = {"created": "made", "version": "has a new version", "unchanged": "unchanged"}
    print(f"{slug}: {said[result]}")
    return 0


def run_export(args: argparse.Namespace) -> int:
    """Print what was written; of an agent that is code, what one would have to write."""
    from agents_app.adapters.yaml_text import write_yaml
    from agents_app.selectors.agents import agent_get
    from agents_app.selectors.versions import version_get

    workspace_id = _workspace_id(_principal())
    number = args.version or agent_get(workspace_id=workspace_id, slug=args.slug).version
    view = version_get(workspace_id=workspace_id, slug=args.slug, number=number)
    sys.stdout.write(write_yaml(view.definition))
    return 0


def run_list(_args: argparse.Namespace) -> int:
    """A line for each agent."""
    from agents_app.selectors.agents import agent_list

    agents = agent_list(workspace_id=_workspace_id(_principal()))
    if not agents:
        print("No agents yet. `playhead agent apply FILE` makes one, and so does the console.")
    for agent in agents:
        out = f"v{agent.published}" if agent.published else "not published"
        newer = f", newest v{agent.newest}" if agent.newest != agent.published else ""
        print(f"{agent.slug:24} {agent.origin:8} {out}{newer}  {agent.name}")
    return 0


def _principal() -> Principal:
    """Who has the data folder, in the workspace of this installation; its agents are known."""
    from agents_app.adapters import definitions
    from agents_app.services.agents import agents_sync
    from playhead.accounts.contracts import Principal, Role
    from playhead.accounts.services.setup import workspace_ensure
    from playhead.ops.commands.migrate import migrate_own

    migrate_own()
    workspace = workspace_ensure()
    agents_sync(workspace_id=workspace.id)
    definitions.use_demo()  # as `up` has them: a definition may name their tools
    return Principal("system", "system", "command line", Role.ADMIN, workspace)


def _workspace_id(by: Principal) -> str:
    from agents_app.services.sessions import workspace_of

    return workspace_of(by)


def _read(name: str) -> str:
    from playhead.core.errors import InvalidInput

    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"can't be read: {error}") from None
