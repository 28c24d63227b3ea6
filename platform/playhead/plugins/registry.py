"""The registry: an index by capability, the order of loading, and one life for all plug-ins."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from playhead.plugins.configuration import PluginSettings, configured, nearest
from playhead.plugins.context import PluginContext
from playhead.plugins.errors import OURS, CapabilityNotFound, PluginError, blamed, told
from playhead.plugins.graph import load_order

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from playhead.plugins.meta import Factory, PluginMeta

    Fault = Callable[[str, Any], str | None]

logger = logging.getLogger(__name__)
#: Seconds that ``on_start`` and ``on_stop`` may take.
START_LIMIT, STOP_LIMIT = 20.0, 10.0
#: Points whose objects are asked for when they are used, not when all is loaded.
WHEN_WANTED = ("llm", "state")
Phase = Literal["registered", "loaded", "validated", "running", "stopped"]


@dataclass(slots=True)
class _Entry:
    factory: Factory
    source: str
    plugin: Any = None
    phase: Phase = "registered"

    @property
    def meta(self) -> PluginMeta:
        return self.factory.meta


class PluginRegistry:
    """Plug-ins by name and by capability.

    First everything is registered; ``load`` looks at the whole graph before it makes anything;
    then come start, runtime and stop. What is registered later needs a restart. ``fault`` says what
    is wrong with the object behind a capability, if anything.
    """

    def __init__(
        self, settings: PluginSettings | None = None, *, fault: Fault | None = None
    ) -> None:
        self.settings = settings or PluginSettings()
        self._fault = fault
        self._left: dict[str, PluginMeta] = {}
        self._entries: dict[str, _Entry] = {}
        self._providers: dict[str, list[str]] = {}
        self._order: list[str] = []
        self._running: list[str] = []
        self._disabled: set[str] = set()

    def register(self, factory: Factory, *, source: str = "code") -> None:
        """Add a factory; one that the settings disable is passed over.

        Raises:
            PluginError: another plug-in has the name already.
        """
        meta = factory.meta
        if meta.name in self._entries:
            before = self._entries[meta.name].source
            raise PluginError(
                f"duplicate plugin: {meta.name} comes from {source} and from {before}"
            )
        if meta.name in self.settings.disabled:
            self._disabled.add(meta.name)
            return
        self._entries[meta.name] = _Entry(factory, source)
        for capability in meta.provides:
            self._providers.setdefault(capability, []).append(meta.name)

    def provide(self, capability: str) -> Factory:
        """The factory of the plug-in that provides a capability.

        Raises:
            CapabilityNotFound: nobody does.
            PluginError: two do, and the settings choose none of them.
        """
        return self._entries[self._provider(capability)].factory

    def get(self, capability: str) -> Any:
        """The object behind a capability, of a plug-in that is loaded.

        Raises:
            CapabilityNotFound: nobody provides it, or its plug-in is not loaded.
            PluginError: its plug-in fails to give it.
        """
        entry = self._entries[self._provider(capability)]
        if entry.plugin is None:
            raise CapabilityNotFound(capability)
        return self._given(entry, capability)

    def provided(self) -> Collection[str]:
        """Every capability that somebody provides."""
        return self._providers.keys()

    def names(self, point: str) -> list[str]:
        """The names that are provided at a point (``strategy`` → ``["react", …]``), sorted."""
        found = (capability.partition(".") for capability in self._providers)
        return sorted(name for where, _, name in found if where == point)

    def versions(self) -> list[dict[str, str]]:
        """Name and version of everything loaded, in order of loading: for ``session_start``."""
        metas = (self._entries[name].meta for name in self._order)
        return [{"name": meta.name, "version": meta.version} for meta in metas]

    def rows(self) -> list[tuple[PluginMeta, str, Phase]]:
        """(what it says of itself, where it comes from, how far it has come), as registered."""
        return [(each.meta, each.source, each.phase) for each in self._entries.values()]

    def unknown(self) -> list[str]:
        """What the settings say of plug-ins that are not there, a sentence each."""
        known = self._entries.keys() | self._disabled | self._left.keys()
        choices = self.settings.choose.items()
        fields = [
            *(("disabled", name) for name in sorted(self.settings.disabled)),
            *((f"[{name}]", name) for name in self.settings.options),
            *((f'choose."{capability}"', name) for capability, name in choices),
        ]
        wrong = [
            f"{field}: unknown plug-in {name!r}{nearest(name, known)}"
            for field, name in fields
            if name not in known
        ]
        return wrong + [
            f'choose."{capability}": {name} does not provide it'
            for capability, name in choices
            if name in known - self._left.keys() and name not in self._providers.get(capability, ())
        ]

    def load(self, told: list[tuple[str, str]] | None = None) -> None:
        """Make and validate every plug-in, the required ones first.

        Args:
            told: gets (source, sentence) of each plug-in that is wrong by itself; it is left out,
                and with it those that require it. Without this list the first one is raised.

        Raises:
            PluginError: a cycle, or two providers of one capability.
            CapabilityNotFound, PluginError: a missing requirement, a configuration or an object
                that does not fit, or a plug-in that fails itself.
        """
        while (wrong := self._load_rest()) is not None:
            name, error = wrong
            if told is None:
                raise error
            source = self._entries[name].source
            logger.error("%s: %s is left out: %s", source, name, error.message,
                         exc_info=error.__cause__)  # fmt: skip
            told.append((source, error.message))
            self._leave_out(name)

    def _load_rest(self) -> tuple[str, PluginError] | None:
        """Go on with what is not loaded yet; the first plug-in that is wrong by itself, and why."""
        providers = {capability: self._provider(capability) for capability in self._providers}
        metas = {name: entry.meta for name, entry in self._entries.items()}
        try:
            order = load_order(metas, providers)
        except CapabilityNotFound as error:
            return str(error.wanted_by), error
        for step in (self._load, self._validate):
            for name in order:
                try:
                    step(self._entries[name])
                except PluginError as error:
                    return name, error
        self._order = order
        return None

    def _leave_out(self, name: str) -> None:
        """Where the settings choose it, nobody else takes its place: a chosen model provider may
        be the one that prompts may go to."""
        meta = self._left[name] = self._entries.pop(name).meta
        for capability in meta.provides:
            others = [each for each in self._providers.pop(capability, ()) if each != name]
            if others and self.settings.choose.get(capability) != name:
                self._providers[capability] = others

    async def start(self) -> None:
        """Open what plug-ins keep open.

        Raises:
            PluginError: one could not start; those that had started are stopped again.
        """
        for name in self._order:
            entry = self._entries[name]
            try:
                await _awaited(entry.plugin, "on_start", START_LIMIT)
            except OURS:
                raise
            except BaseException as error:
                await self.stop()
                if _meant_for_us(error):
                    raise
                raise PluginError(f"{name} could not start: {told(error)}") from error
            entry.phase = "running"
            self._running.append(name)

    async def stop(self) -> None:
        """Close in the reverse order of starting; one that fails does not keep the others open."""
        cancelled: BaseException | None = None
        while self._running:
            entry = self._entries[self._running.pop()]
            try:
                await _awaited(entry.plugin, "on_stop", STOP_LIMIT)
            except OURS:
                raise
            except BaseException as error:
                if _meant_for_us(error):
                    cancelled = error
                logger.exception("Plug-in %s did not stop cleanly", entry.meta.name)
            entry.phase = "stopped"
        if cancelled:
            raise cancelled

    def _provider(self, capability: str) -> str:
        names = self._providers.get(capability, [])
        if not names:
            raise CapabilityNotFound(capability)
        if len(names) == 1:
            return names[0]
        chosen = self.settings.choose.get(capability)
        if chosen not in names:
            raise PluginError(
                f"{capability} is provided by {' and '.join(names)}: choose one of them in the "
                f'settings ([choose] "{capability}" = "{names[0]}") or disable the other',
                detail={"capability": capability},
            )
        return chosen

    def _load(self, entry: _Entry) -> None:
        if entry.phase != "registered":
            return
        meta = entry.meta
        with blamed(f"{meta.name}: its options can't be read"):
            config = configured(meta, self.settings.options.get(meta.name, {}))
        with blamed(f"{meta.name} could not be made"):
            entry.plugin = entry.factory()
        self._call(entry, "on_load", PluginContext(meta, config, self.get))
        entry.phase = "loaded"

    def _validate(self, entry: _Entry) -> None:
        if entry.phase != "loaded":
            return
        self._call(entry, "on_validate")
        for capability in entry.meta.provides if self._fault else ():
            self._look_at(entry, capability)
        entry.phase = "validated"

    def _look_at(self, entry: _Entry, capability: str) -> None:
        """Refuse an object that does not fit its point; one that is made when it is first wanted,
        and can't be made yet, is not judged."""
        try:
            value = self._given(entry, capability)
        except PluginError:
            if capability.partition(".")[0] in WHEN_WANTED:
                return
            raise
        with blamed(f"{entry.meta.name}: {capability}"):
            said = self._fault(capability, value) if self._fault else None
        if said:
            raise PluginError(f"{capability}: {said}", detail={"capability": capability})

    def _given(self, entry: _Entry, capability: str) -> Any:
        give = getattr(entry.plugin, "provide", None)
        with blamed(f"{entry.meta.name}.provide {capability}"):
            return entry.plugin if give is None else give(capability)

    def _call(self, entry: _Entry, method: str, *arguments: Any) -> None:
        call = getattr(entry.plugin, method, None)
        if call is None:
            return
        with blamed(f"{entry.meta.name}.{method}"):
            call(*arguments)


def _meant_for_us(error: BaseException) -> bool:
    """Whether it is our task that is cancelled, and not the plug-in that says so."""
    task = asyncio.current_task()
    is_cancel = isinstance(error, asyncio.CancelledError)
    return is_cancel and task is not None and task.cancelling() > 0


async def _awaited(plugin: Any, method: str, limit: float) -> None:
    call = getattr(plugin, method, None)
    if call is None:
        return
    try:
        async with asyncio.timeout(limit) as clock:
            result = call()
            if hasattr(result, "__await__"):
                await result
    except TimeoutError as error:
        if clock.expired():
            raise PluginError(f"{method} took longer than {limit:g} s") from error
        raise
