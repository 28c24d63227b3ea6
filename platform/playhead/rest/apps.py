"""The Django app `rest`."""

from django.apps import AppConfig


class RestConfig(AppConfig):
    """Keeps the answers of idempotent requests."""

    name = "playhead.rest"
    label = "rest"
