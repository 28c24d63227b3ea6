"""Django's settings, the same for every way to run Playhead; only the environment differs.

Nothing given: SQLite in the data folder, everything in one process. DATABASE_URL and REDIS_URL:
PostgreSQL, Celery and a shared channel layer.
"""

from pathlib import Path
from typing import Any

from playhead.config import security
from playhead.config.cache import redis_cache
from playhead.config.databases import database_from_url, namespace_of
from playhead.config.env import env_bool, env_int, env_list, env_secret, env_str
from playhead.config.keyfile import key_from_file, private_folder
from playhead.config.prices import env_prices

PACKAGE = Path(__file__).resolve().parent.parent
CHECKOUT = PACKAGE.parent.parent
IS_CHECKOUT = (CHECKOUT / "manage.py").is_file()

# ---------------------------------------------------------------- Playhead

PLAYHEAD_DATA = private_folder(
    Path(env_str("PLAYHEAD_DATA") or (CHECKOUT / "data" if IS_CHECKOUT else "~/.playhead"))
)
# The first is what a new agent is made with; each can be chosen in the start dialog.
PLAYHEAD_MODELS = env_list("PLAYHEAD_MODEL")
PLAYHEAD_MODEL = next(iter(PLAYHEAD_MODELS), "")
PLAYHEAD_AGENTS = env_list("PLAYHEAD_AGENTS")
# Seconds without a word from a model after which a call counts as stalled.
PLAYHEAD_MODEL_IDLE = env_int("PLAYHEAD_MODEL_IDLE", default=60)
# US dollars for a million tokens, for models that have no known price where they are.
PLAYHEAD_PRICES = env_prices("PLAYHEAD_PRICES")
OPENAI_API_KEY = env_secret("OPENAI_API_KEY")
OPENAI_BASE_URL = env_str("OPENAI_BASE_URL")
ANTHROPIC_API_KEY = env_secret("ANTHROPIC_API_KEY")
ANTHROPIC_BASE_URL = env_str("ANTHROPIC_BASE_URL")
PLAYHEAD_VAULT_KEY = env_secret("PLAYHEAD_VAULT_KEY") or key_from_file(PLAYHEAD_DATA / "vault.key")
KEYS_GIVEN = env_secret("PLAYHEAD_VAULT_KEY") and env_secret("PLAYHEAD_SECRET_KEY")
PLAYHEAD_URL = env_str("PLAYHEAD_URL").rstrip("/")
# Off: no job and no wake-up is sent at all. Sweeps and polling carry everything, only slower.
PLAYHEAD_WAKEUPS = env_bool("PLAYHEAD_WAKEUPS", default=True)
PLAYHEAD_FRONTEND = Path(
    env_str("PLAYHEAD_FRONTEND")
    or (CHECKOUT / "frontend" / "dist" if IS_CHECKOUT else PACKAGE / "frontend")
)
DATABASE_URL = env_secret("DATABASE_URL") or ""
REDIS_URL = env_secret("REDIS_URL") or ""

# ---------------------------------------------------------------- Django

DEBUG = False
SECRET_KEY = env_secret("PLAYHEAD_SECRET_KEY") or key_from_file(PLAYHEAD_DATA / "secret.key")
INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "csp",
    "ninja",
    "playhead.accounts",
    "playhead.audit",
    "playhead.rest",
    "playhead.ops",
    "agents_app",
    "replay_app",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "playhead.ops.frontend.FrontendFiles",
    "playhead.rest.middleware.problem_pages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
ROOT_URLCONF = "playhead.config.urls"
ASGI_APPLICATION = "playhead.config.asgi.application"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False
APPEND_SLASH = False
STATIC_URL = "/static/"
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_ALLOW_ALL_ORIGINS = False
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024

# ---------------------------------------------------------------- Where things are kept

DATABASES = {
    "default": database_from_url(
        DATABASE_URL, data=PLAYHEAD_DATA, pool_size=env_int("PLAYHEAD_DB_POOL", 10, minimum=2)
    )
}
# One Redis may serve several Playheads: nothing of one database is heard by another.
NAMESPACE = namespace_of(DATABASES["default"])
CACHES: dict[str, Any]
CHANNEL_LAYERS: dict[str, Any]
if REDIS_URL:
    CACHES = {"default": redis_cache(REDIS_URL, namespace=NAMESPACE)}
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL], "prefix": NAMESPACE},
        }
    }
else:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 5000},
        }
    }
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

# ---------------------------------------------------------------- Jobs

PLAYHEAD_BROKER_APP = "playhead.config.celery_app"
CELERY_BROKER_URL = REDIS_URL or None
CELERY_TASK_DEFAULT_QUEUE = NAMESPACE
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False  # a lost job only costs time: the sweep finds the work
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 2, "socket_timeout": 5}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_SEND_TASK_EVENTS = False

# ---------------------------------------------------------------- Who may come in, and how

AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
NAMED_HOSTS = env_list("PLAYHEAD_ALLOWED_HOSTS")
ALLOWED_HOSTS = security.allowed_hosts(NAMED_HOSTS)
CSRF_TRUSTED_ORIGINS = security.trusted_origins(NAMED_HOSTS)
CONTENT_SECURITY_POLICY = security.CONTENT_SECURITY_POLICY
# Behind a proxy that ends TLS and sets X-Forwarded-Proto.
HTTPS = env_bool("PLAYHEAD_HTTPS")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_NAME = "playhead_session"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 14 * 24 * 3600
CSRF_COOKIE_NAME = "playhead_csrf"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS

# ---------------------------------------------------------------- What is said, without secrets

LOG_LEVEL = env_str("PLAYHEAD_LOG_LEVEL", "INFO").upper()
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "playhead.ops.logs.Formatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {name: {"level": LOG_LEVEL} for name in ("playhead", "agents_app", "replay_app")}
    | {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        # A refusal is an answer, not an event: 4xx is only told to whoever debugs.
        "django.request": {"level": "WARNING" if LOG_LEVEL == "DEBUG" else "ERROR"},
    },
}
