"""Django's settings."""

USE_TZ = True
TIME_ZONE = "UTC"
SECRET_KEY = "not-a-secret"  # noqa: S105
INSTALLED_APPS: list[str] = []
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
