"""The middlewares that ship with the engine."""

from agents_app.engine.middleware.caching import CachingMiddleware, MemoryCache
from agents_app.engine.middleware.context_editing import ContextEditingMiddleware
from agents_app.engine.middleware.data_guard import PersonalDataMiddleware, SecretsMiddleware
from agents_app.engine.middleware.guardrail import GuardrailMiddleware
from agents_app.engine.middleware.logging import LoggingMiddleware
from agents_app.engine.middleware.memory import MemoryMiddleware
from agents_app.engine.middleware.model_fallback import ModelFallbackMiddleware
from agents_app.engine.middleware.model_retry import ModelRetryMiddleware
from agents_app.engine.middleware.model_router import ModelRouterMiddleware
from agents_app.engine.middleware.rate_limit import RateLimitMiddleware
from agents_app.engine.middleware.summarisation import SummarisationMiddleware
from agents_app.engine.middleware.tool_permission import ToolPermissionMiddleware
from agents_app.engine.middleware.tool_retry import ToolRetryMiddleware
from agents_app.engine.middleware.tool_selection import ToolSelectionMiddleware

__all__ = [
    "CachingMiddleware",
    "ContextEditingMiddleware",
    "GuardrailMiddleware",
    "LoggingMiddleware",
    "MemoryCache",
    "MemoryMiddleware",
    "ModelFallbackMiddleware",
    "ModelRetryMiddleware",
    "ModelRouterMiddleware",
    "PersonalDataMiddleware",
    "RateLimitMiddleware",
    "SecretsMiddleware",
    "SummarisationMiddleware",
    "ToolPermissionMiddleware",
    "ToolRetryMiddleware",
    "ToolSelectionMiddleware",
]
