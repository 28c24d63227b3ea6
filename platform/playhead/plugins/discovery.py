"""Where plug-ins come from: entry points of installed packages, and files in the data folder.

One that can't be imported is a problem that is shown, not the end: the others still serve.
"""

from __future__ import annotations

import importlib.util
import logging
import sys
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from playhead.plugins.errors import OURS, PluginError, place_of
from playhead.plugins.meta import PluginMeta

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playhead.plugins.meta import Factory

logger = logging.getLogger(__name__)
GROUP = "playhead.plugins"


@dataclass(frozen=True, slots=True)
class Found:
    """A factory and where it comes from, or why there is none."""

    source: str
    factory: Factory | None
    problem: str | None = None


def installed() -> Iterator[Found]:
    """What installed packages offer: a factory, or a list of them, per entry point."""
    for entry in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        package = entry.dist.name if entry.dist else entry.value
        yield from _found(f"package {package}", entry.load)


def in_folder(folder: Path) -> Iterator[Found]:
    """What the ``*.py`` files of a folder offer in their list ``PLUGINS``."""
    for path in sorted(folder.glob("*.py")) if folder.is_dir() else ():
        yield from _found(f"file {path.name}", lambda path=path: _from_file(path))


def _from_file(path: Path) -> Any:
    name = f"playhead_plugins_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("it is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # annotations of its functions are looked up there
    spec.loader.exec_module(module)
    if not hasattr(module, "PLUGINS"):
        raise PluginError("it has no list PLUGINS (its last line: PLUGINS = [provides(…)])")
    return module.PLUGINS


def _found(source: str, load: Any) -> Iterator[Found]:
    try:
        offered = load()
        factories = list(offered) if isinstance(offered, (list, tuple)) else [offered]
        _check(factories)
    except OURS:
        raise
    except PluginError as error:  # the sentence says all
        logger.warning("Plug-ins of %s can't be loaded: %s", source, error.message)
        yield Found(source, None, error.message)
        return
    except BaseException as error:  # a script that exits must not end who looks at it
        logger.exception("Plug-ins of %s can't be loaded", source)
        yield Found(source, None, f"{type(error).__name__}: {error}{place_of(error)}")
        return
    for factory in factories:
        yield Found(source, factory)


def _check(factories: list[Any]) -> None:
    for factory in factories:
        if not isinstance(getattr(factory, "meta", None), PluginMeta):
            raise PluginError(f"{factory!r} is no plug-in: it has no meta (a PluginMeta)")
        if not callable(factory):
            kind = type(factory).__name__
            raise PluginError(f"PLUGINS holds a {kind}() that was made: give the class, {kind}")
