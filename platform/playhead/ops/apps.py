"""The Django app `ops`."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    """Operation of an installation. It has no rows of its own."""

    name = "playhead.ops"
    label = "ops"
