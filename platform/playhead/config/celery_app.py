"""The Celery application: every registered job is a task of the same name.

Used by `playhead worker` and `playhead beat`, and by `celery -A playhead.config.celery_app`.
"""

import os
from collections.abc import Callable

import django
from celery import Celery
from django.apps import apps

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playhead.config.settings")
if not apps.ready:  # started by `celery -A`, not by `playhead`
    django.setup()

from playhead import jobs

app = Celery("playhead", set_as_current=True)
app.config_from_object("django.conf:settings", namespace="CELERY")


def _task(name: str) -> Callable[..., None]:
    """A function for Celery, which asks its tasks for a ``__name__``."""

    def run(**ids: str | int) -> None:
        jobs.run(name, ids)

    return run


def _register() -> None:
    jobs.discover()
    schedule = {}
    for known in jobs.jobs():
        app.task(name=known.name, ignore_result=True)(_task(known.name))
        if known.every is not None:
            schedule[known.name] = {"task": known.name, "schedule": known.every}
    app.conf.beat_schedule = schedule


_register()
