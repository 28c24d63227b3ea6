"""The rooms that apps may furnish: a module of a fixed name, found if it is there."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from django.apps import apps

APPS = ("playhead.rest", "agents_app", "replay_app")


def modules(name: str) -> list[ModuleType]:
    """The modules `<app>.<name>` of the apps that have one, in order."""
    names = [f"{app}.{name}" for app in APPS if apps.is_installed(app)]
    return [import_module(full) for full in names if find_spec(full) is not None]
