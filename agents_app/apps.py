"""The Django app that holds agents, sessions and their log."""

from django.apps import AppConfig


class AgentsConfig(AppConfig):
    """Label ``agents``: tables are ``agents_…``, foreign keys name ``agents.Session``."""

    name = "agents_app"
    label = "agents"
    verbose_name = "Agents"
    default_auto_field = "django.db.models.BigAutoField"
