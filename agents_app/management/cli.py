"""`playhead rebuild`, `playhead plugins` and `playhead agent`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.management import definitions

if TYPE_CHECKING:
    import argparse


def register(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "rebuild", help="make the rows that follow from the log again, from the log"
    )
    parser.add_argument("session", metavar="SESSION", nargs="?", help="only this one")
    parser.set_defaults(run=run)
    parser = commands.add_parser(
        "plugins", help="say which plug-ins are loaded, and why something is not"
    )
    parser.set_defaults(run=show_plugins)
    definitions.register(commands)


def show_plugins(_args: argparse.Namespace) -> int:
    """A line for each plug-in; 1 when one could not be loaded."""
    from agents_app.adapters import plugins
    from playhead.plugins import PluginError

    try:
        loaded = plugins.current()
    except PluginError as error:
        print(f"WRONG  {error.message}")
        return 1
    for meta, source, _phase in loaded.registry.rows():
        print(f"ok     {meta.name} {meta.version} ({source}): {', '.join(meta.provides)}")
    for name, tool in sorted(loaded.tools.items()):
        if "off" in tool.labels:
            print(f"off    tool.{name}: {tool.labels['off']}")
    for name in sorted(loaded.registry.settings.disabled):
        print(f"-      {name}: disabled in plugins.toml")
    for each in loaded.left_out:
        print(f"-      {each.source}: {each.problem}")
    for each in loaded.problems:
        print(f"WRONG  {each.source}: {each.problem}")
    return 1 if loaded.problems else 0


def run(args: argparse.Namespace) -> int:
    """Rebuild one session or all; says which rows were not what the log says."""
    from agents_app.models import Session
    from agents_app.services.projections import session_rebuild
    from playhead.core.errors import Conflict, NotFound

    sessions = Session.objects.order_by("pk")
    if args.session:
        sessions = sessions.filter(public_id=args.session)
        if not sessions.exists():
            raise NotFound(f"There is no session {args.session}.")
    mended = busy = 0
    for session in sessions.iterator():
        try:
            if not session_rebuild(session=session):
                mended += 1
                print(f"{session.public_id}: mended")
        except Conflict as conflict:
            busy += 1
            print(f"{session.public_id}: left alone: {conflict.message}")
    print(f"{mended} mended, {busy} left alone")
    return 0
