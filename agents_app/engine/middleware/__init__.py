"""The middlewares that ship with the engine."""

from agents_app.engine.middleware.caching import CachingMiddleware, MemoryCache
from agents_app.engine.middleware.guardrail import GuardrailMiddleware
from agents_app.engine.middleware.logging import LoggingMiddleware

__all__ = ["CachingMiddleware", "GuardrailMiddleware", "LoggingMiddleware", "MemoryCache"]
