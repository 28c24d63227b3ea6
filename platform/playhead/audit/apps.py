"""The Django app `audit`."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """The record of what people and programs did."""

    name = "playhead.audit"
    label = "audit"
