"""`playhead login-link`, `user create`, `api-key create`: who may come in."""

import argparse
import sys
from typing import Any

ROLES = ("viewer", "operator", "approver", "editor", "admin")


def register(commands: Any) -> None:
    """Add the commands."""
    link = commands.add_parser("login-link", help="print a one-time sign-in link")
    link.add_argument("user", nargs="?", help="e-mail; without it the owner")
    link.set_defaults(run=print_link)

    user = commands.add_parser("user", help="create users")
    create = user.add_subparsers(dest="action", required=True).add_parser("create")
    create.add_argument("email")
    create.add_argument("--role", required=True, choices=ROLES)
    create.add_argument("--name", default="")
    create.add_argument("--password-stdin", action="store_true", help="read a password from stdin")
    create.set_defaults(run=create_user)

    key = commands.add_parser("api-key", help="create API keys")
    create = key.add_subparsers(dest="action", required=True).add_parser("create")
    create.add_argument("--name", required=True)
    create.add_argument("--role", required=True, choices=ROLES)
    create.set_defaults(run=create_key)


def _url() -> str:
    from django.conf import settings

    from playhead.ops.lock import served_url

    return settings.PLAYHEAD_URL or served_url(settings.PLAYHEAD_DATA) or "http://127.0.0.1:8000"


def _link(user_id: str) -> str:
    from playhead.accounts.services.links import login_link_create

    return f"{_url()}/login/link/{login_link_create(user_id=user_id)}"


def _audit(what: str, object_type: str, object_id: str, **detail: str) -> None:
    from playhead.accounts.contracts import SYSTEM
    from playhead.accounts.services.setup import workspace_ensure
    from playhead.audit.services import record

    record(
        who=SYSTEM,
        what=what,
        object_type=object_type,
        object_id=object_id,
        workspace_id=workspace_ensure().id,
        detail={"by": "command line", **detail},
    )


def print_link(args: argparse.Namespace) -> int:
    """The link is the last line."""
    from playhead.accounts.selectors.users import user_find
    from playhead.accounts.services.setup import owner_ensure

    user = user_find(args.user) if args.user else owner_ensure()
    _audit("user.link", "user", user.pk)
    print(_link(user.pk))
    return 0


def create_user(args: argparse.Namespace) -> int:
    """The link of the new user is the last line."""
    from playhead.accounts.contracts import Role
    from playhead.accounts.services.setup import workspace_ensure
    from playhead.accounts.services.users import user_create

    password = sys.stdin.readline().rstrip("\n") if args.password_stdin else None
    user = user_create(
        workspace_id=workspace_ensure().id,
        email=args.email,
        role=Role(args.role),
        name=args.name,
        password=password,
    )
    _audit("user.create", "user", user.id, email=user.email, role=user.role)
    print(f"{user.email} is {user.role}. Sign-in link, works once:")
    print(_link(user.id))
    return 0


def create_key(args: argparse.Namespace) -> int:
    """The key is the last line, and is never shown again."""
    from playhead.accounts.contracts import Role
    from playhead.accounts.services.keys import api_key_create
    from playhead.accounts.services.setup import workspace_ensure

    view, token = api_key_create(
        workspace_id=workspace_ensure().id, name=args.name, role=Role(args.role)
    )
    _audit("api_key.create", "api_key", view.id, name=view.name, role=view.role)
    print(f"API key {view.name!r} is {view.role}. It is shown only now:")
    print(token)
    return 0
