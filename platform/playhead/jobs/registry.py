"""The jobs that this process knows, by name."""

import inspect
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import close_old_connections
from django.utils.module_loading import autodiscover_modules

from playhead.jobs import home

logger = logging.getLogger(__name__)
Handler = TypeVar("Handler", bound=Callable[..., Any])
Ids = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Job:
    """A name, what it calls with the ids as keywords, and how often it runs by itself."""

    name: str
    call: Callable[..., Any]
    every: float | None = None


_jobs: dict[str, Job] = {}


def job(name: str, *, every: float | None = None) -> Callable[[Handler], Handler]:
    """Register a function, sync or async, under a name; `every` is in seconds."""

    def register(call: Handler) -> Handler:
        known = _jobs.get(name)
        if known is not None and known.call.__qualname__ != call.__qualname__:
            raise ValueError(f"Two jobs are called {name!r}.")
        _jobs[name] = Job(name, call, every)
        return call

    return register


def discover() -> None:
    """Import the `tasks` module of every installed app, which registers its jobs."""
    autodiscover_modules("tasks")


def jobs() -> list[Job]:
    """All registered jobs."""
    return list(_jobs.values())


def run(name: str, ids: Ids) -> None:
    """Run a job here, in a thread that may block. An async handler runs on the home loop.

    An unknown name and a failing handler are logged, not raised: nobody waits for a job.
    """
    known = _jobs.get(name)
    if known is None:
        logger.warning("A job that nobody knows was dropped: %s", name)
        return
    if inspect.iscoroutinefunction(known.call):
        home.spawn(lambda: known.call(**ids))
        return
    close_old_connections()
    try:
        known.call(**ids)
    except Exception:
        logger.exception("The job %s failed", name)
    finally:
        close_old_connections()
