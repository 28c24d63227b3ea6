"""The Django app `accounts`."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Who may come in, and what they may do."""

    name = "playhead.accounts"
    label = "accounts"
