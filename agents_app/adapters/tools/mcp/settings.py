"""What the operator says about MCP servers: ``[mcp.servers.NAME]`` in ``plugins.toml``."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from playhead.core import digest
from playhead.core.errors import InvalidInput
from playhead.plugins import PluginError, PluginMeta
from playhead.plugins.configuration import configured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playhead.plugins import PluginSettings

Effect = Literal["read", "idempotent", "effectful"]
Text = Annotated[str, StringConstraints(min_length=1)]
Url = Annotated[str, StringConstraints(pattern=r"^https?://[^\s/]+")]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]
Prefix = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{0,40}$")]
#: A value, or the end of one (``Bearer env:TOKEN``), that stands in the environment.
_FROM_ENV = re.compile(r"(?:^|(?<=\s))env:([A-Za-z_][A-Za-z0-9_]*)$")


class McpServer(BaseModel):
    """One server: a ``command`` that talks over its standard streams, or the ``url`` of one.

    ``timeout`` is of a call, in seconds. ``tools`` are the names that are taken, by default all.
    ``effects`` and ``approval`` go by the server's own names of its tools.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: tuple[Text, ...] = ()
    cwd: Text | None = None
    env: dict[str, str] = Field(default_factory=dict)
    url: Url | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    tools: tuple[Text, ...] | None = None
    prefix: Prefix | None = None
    timeout: float = Field(60.0, gt=0, le=3600)
    effects: dict[str, Effect] = Field(default_factory=dict)
    approval: bool | tuple[Text, ...] = False

    @model_validator(mode="after")
    def _one_way(self) -> McpServer:
        if bool(self.command) == bool(self.url):
            raise PydanticCustomError("one_way", "give either command (a list) or url")
        if self.url and (self.env or self.cwd):
            raise PydanticCustomError("one_way", "env and cwd go with command, not with url")
        if self.command and self.headers:
            raise PydanticCustomError("one_way", "headers go with url, not with command")
        return self

    @property
    def about(self) -> str:
        """Whose catalogue it is: another command or address is another server."""
        return digest.of_value([list(self.command), self.cwd, self.url])

    def before(self, name: str) -> str:
        """What goes before the names of the tools of the server of this name."""
        return f"{name}__" if self.prefix is None else self.prefix

    def asks(self, tool: str) -> bool:
        """Whether a person must agree to each call of a tool."""
        return self.approval if isinstance(self.approval, bool) else tool in self.approval

    def takes(self, tool: str) -> bool:
        """Whether the tool is one of those that are taken."""
        return self.tools is None or tool in self.tools

    def values(self, field: Literal["env", "headers"], name: str) -> dict[str, str]:
        """``env`` or ``headers`` with what stands in this process's environment.

        Raises:
            InvalidInput: a variable is not set; names the field, never a value.
        """
        given: dict[str, str] = getattr(self, field)
        return {key: _filled(value, f"mcp.servers.{name}.{field}.{key}") for key, value in
                given.items()}  # fmt: skip

    def masked(self, text: str) -> str:
        """The text without the values of ``env`` and ``headers``, which may be secrets."""
        given = (*self.env.values(), *self.headers.values())
        return _without(
            text, {part for v in given for part in (v, v.rpartition(" ")[2], _known(v))}
        )

    def without_keys(self, text: str) -> str:
        """The text without what ``env:NAME`` stands for: a result may well name the other values,
        a folder or a region, and has to."""
        return _without(text, {_known(v) for v in (*self.env.values(), *self.headers.values())})


class McpOptions(BaseModel):
    """The table ``[mcp]``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    servers: dict[Name, McpServer] = Field(default_factory=dict)


def servers_in(settings: PluginSettings) -> tuple[PluginSettings, Mapping[str, McpServer]]:
    """The servers of the settings, and the settings without them.

    Raises:
        PluginError: a field has the wrong form; names it, and never its value.
    """
    options = settings.options.get("mcp")
    if options is None:
        return settings, {}
    meta = PluginMeta("mcp", "1", (), config_cls=McpOptions)
    try:
        servers: dict[str, McpServer] = configured(meta, options).servers
    except PluginError as error:
        raise PluginError(f"plugins.toml: {error.message}", detail=error.detail) from None
    rest = {name: table for name, table in settings.options.items() if name != "mcp"}
    return replace(settings, options=rest), servers


def _filled(value: str, field: str) -> str:
    found = _FROM_ENV.search(value)
    if found is None:
        return value
    if found[1] not in os.environ:
        raise InvalidInput(f"{field}: {found[1]} is not set", detail={"field": field})
    return value[: found.start()] + os.environ[found[1]]


def _without(text: str, secrets: set[str]) -> str:
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= 6:
            text = text.replace(secret, "[secret]")
    return text


def _known(value: str) -> str:
    found = _FROM_ENV.search(value)
    return os.environ.get(found[1], "") if found else ""
