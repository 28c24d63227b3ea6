"""The Django app that replays, branches, compares and shares what was recorded."""

from django.apps import AppConfig


class ReplayConfig(AppConfig):
    """Label ``replay``: tables are ``replay_…``."""

    name = "replay_app"
    label = "replay"
    verbose_name = "Replay"
    default_auto_field = "django.db.models.BigAutoField"
