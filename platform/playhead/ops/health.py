"""Is it alive, and can it serve? For load balancers and people."""

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

CONNECT_SECONDS = 3


def _reach() -> None:
    """One plain connection, soon or not at all: the pool would wait for a lost server."""
    if connection.vendor == "postgresql":
        import psycopg

        params = connection.get_connection_params() | {"connect_timeout": CONNECT_SECONDS}
        psycopg.connect(**params).close()


def database_problem() -> str | None:
    """What keeps the database from serving; None when it is reachable and migrated."""
    try:
        _reach()
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Exception as error:  # whatever a driver raises, it is not ready
        return f"the database can't be reached ({type(error).__name__})"
    if pending:
        return f"{len(pending)} migrations are not applied"
    return None


@require_safe
def live(_request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})


@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """The database is reachable and migrated; 503 and the reason when not."""
    found = database_problem()
    body = {"status": "ok"} if found is None else {"status": "unready", "reason": found}
    return JsonResponse(
        body, status=200 if found is None else 503, headers={"Cache-Control": "no-store"}
    )
