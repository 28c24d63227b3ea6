"""`playhead`: the command line.

Nothing of Django is imported before the arguments are read: `--data` chooses the settings. Apps
bring their own commands in `<app>.management.cli`, whose `register(subparsers)` adds parsers with
`set_defaults(run=…)`; `run(args)` returns the exit status and is called with Django set up.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import playhead
from playhead.core.errors import PlayheadError
from playhead.ops.start import hurry, make_room

OWN = ("up", "web", "worker", "beat", "doctor", "accounts", "migrate")
#: Commands that look at a folder and do not say by themselves which.
SAY_WHERE = ("agent", "plugins")
APPS = ("agents_app", "replay_app")


class CommandParser(argparse.ArgumentParser):
    """Every command takes the data folder."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**options)
        self.add_argument(
            "--data", metavar="DIR", help="the data folder (PLAYHEAD_DATA)", default=None
        )


def build_parser() -> argparse.ArgumentParser:
    """The parser with the commands of the platform and of the apps that are there."""
    parser = argparse.ArgumentParser(
        prog="playhead", description="Run AI agents, watch, stop and approve them, replay, branch."
    )
    parser.add_argument("--version", action="version", version=playhead.__version__)
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=CommandParser
    )
    rooms = [f"playhead.ops.commands.{name}" for name in OWN]
    rooms += [f"{app}.management.cli" for app in APPS if _exists(f"{app}.management.cli")]
    for room in rooms:
        import_module(room).register(commands)
    return parser


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even its parent
        return False


def _set_up(args: argparse.Namespace) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playhead.config.settings")
    if args.data:
        os.environ["PLAYHEAD_DATA"] = args.data
    host = getattr(args, "host", None)
    if host and host not in {"0.0.0.0", "::"}:  # noqa: S104 - compared only
        named = os.environ.get("PLAYHEAD_ALLOWED_HOSTS", "")
        os.environ["PLAYHEAD_ALLOWED_HOSTS"] = f"{named},{host}"
    hurry()
    make_room()
    import django

    django.setup()


def _say_where() -> None:
    """A folder that nobody has named is said: it may be another one than meant."""
    from django.conf import settings

    said = f"playhead: data folder {settings.PLAYHEAD_DATA} (--data names another)"
    print(said, file=sys.stderr)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status: 0 done, 1 refused or failed, 2 not understood."""
    args = build_parser().parse_args(argv)
    from django.core.exceptions import ImproperlyConfigured

    run: Callable[[argparse.Namespace], int] = args.run
    try:
        named = args.data is not None or "PLAYHEAD_DATA" in os.environ
        _set_up(args)
        if not named and args.command in SAY_WHERE:
            _say_where()
        return run(args)
    except ImproperlyConfigured as error:
        print(f"playhead: {error}", file=sys.stderr)
        return 2
    except PlayheadError as error:
        print(f"playhead: {error.message}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
