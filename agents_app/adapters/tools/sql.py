"""``sql_query``: questions to one database, which can't be changed by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

import playhead
from agents_app.engine.errors import ToolError
from agents_app.engine.tools import Tool, tool
from playhead.plugins import PluginMeta

if TYPE_CHECKING:
    from playhead.plugins import PluginContext

_SQLITE, _POSTGRES = "sqlite:///", ("postgres://", "postgresql://")
OFF = 'sql_query is off: name a database in plugins.toml, ["playhead.sql"] url = "sqlite:///…"'


def _url(value: SecretStr) -> SecretStr:
    if value.get_secret_value() and not value.get_secret_value().startswith((_SQLITE, *_POSTGRES)):
        raise ValueError("use sqlite:///path or postgres://user:password@host/name")
    return value


class SqlOptions(BaseModel):
    """``["playhead.sql"]`` in ``plugins.toml``.

    ``own``: whether it may be the database of this installation, with everybody's sessions.
    """

    model_config = ConfigDict(extra="forbid")

    url: Annotated[SecretStr, AfterValidator(_url)] = SecretStr("")
    own: bool = False
    timeout: Annotated[float, Field(gt=0, le=300)] = 10.0
    max_rows: Annotated[int, Field(ge=1, le=100_000)] = 200
    max_bytes: Annotated[int, Field(ge=100, le=10_000_000)] = 100_000


class SqlTool:
    """``tool.sql_query``."""

    meta = PluginMeta(
        "playhead.sql", playhead.__version__, ("tool.sql_query",), config_cls=SqlOptions
    )

    def on_load(self, ctx: PluginContext) -> None:
        """Take the options."""
        self.options: SqlOptions = ctx.config

    def provide(self, _capability: str) -> Tool:
        """The tool."""
        return sql_query(self.options)


def sql_query(options: SqlOptions) -> Tool:
    """The tool for these options; without a database it says in ``labels`` that it is off."""
    url = options.url.get_secret_value()

    @tool(timeout=options.timeout + 5, labels={} if url else {"off": OFF})
    async def sql_query(query: str) -> dict[str, Any]:
        """Ask the database; one SELECT statement, nothing is changed.

        Args:
            query: SQL.
        """
        if not url:
            raise ToolError(OFF)
        if url.startswith(_SQLITE):
            from agents_app.adapters.tools.sqlite import ask
        else:
            from agents_app.adapters.tools.postgres import ask
        columns, rows, is_cut = await ask(url, query, options)
        return {"columns": columns, "rows": rows, "cut": is_cut}

    return sql_query
