"""The agents that are code: modules of ``PLAYHEAD_AGENTS``, and files in the data folder.

A module exposes ``AGENTS: list[AgentSpec]`` and, if it wants, ``SCRIPTS: dict[str, Script]`` for
the scripted model (``model="scripted:<name>"``). One door: the demo comes in by it too.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from operator import is_
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings

from agents_app.adapters import plugins
from agents_app.adapters.models.scripted import register_scripts
from agents_app.engine.drafting import Offer
from agents_app.engine.drafting.draft import RESERVED, SLUG
from agents_app.engine.drafting.fields import secret_in
from agents_app.engine.spec import AgentSpec
from agents_app.engine.tools import Tool
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import ModuleType


logger = logging.getLogger(__name__)
_FILES = "playhead_agents_"


@dataclass(frozen=True, slots=True)
class Definitions:
    """What the modules of this process define. ``problems`` says what could not be read.

    ``withheld`` are agents that wait for the tools of an MCP server: their sessions keep the code
    of the tools that are here, and nobody is offered them.
    """

    specs: Mapping[str, AgentSpec] = field(default_factory=dict)
    scripts: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    withheld: Mapping[str, AgentSpec] = field(default_factory=dict)

    def tools_of(self, slug: str) -> dict[str, Tool]:
        """The code of an agent's tools: by name its own and those that plug-ins provide.

        By ``source/name`` also those that an agent made in the browser takes from elsewhere.
        """
        spec = self.specs.get(slug) or self.withheld.get(slug)
        own = {} if spec is None else {tool.name: tool for tool in spec.tools}
        shared = {f"{each.source}/{each.tool.name}": each.tool for each in self._all()}
        return {**shared, **plugins.current().tools, **own}

    def offers(self) -> list[Offer]:
        """Every tool that an agent can be given; one that several agents share comes once."""
        seen: set[int] = set()
        found = []
        for each in self._all():
            if id(each.tool) not in seen:
                seen.add(id(each.tool))
                found.append(each)
        return found

    def _all(self) -> Iterator[Offer]:
        for name, tool in plugins.current().tools.items():
            yield Offer(plugins.source_of(f"tool.{name}"), tool)
        for slug, spec in self.specs.items():
            yield from (Offer(f"agent:{slug}", tool) for tool in spec.tools)


def load(modules: Sequence[str], folder: Path | None = None) -> Definitions:
    """Import the modules, then the ``*.py`` files of the folder in the order of their names.

    A file that can't be read is a problem, not the end: the others still serve.

    Raises:
        InvalidInput: a module can't be imported, or two define the same agent or script.
        PluginError: plug-ins do not fit together: no module is to blame.
    """
    plugins.current()
    homes: dict[tuple[str, str], str] = {}
    specs: dict[str, AgentSpec] = {}
    scripts: dict[str, Any] = {}
    problems: list[str] = []
    withheld: dict[str, AgentSpec] = {}
    for module in _modules(modules, folder, problems):
        for spec in module.AGENTS:
            waits = _waits(spec)
            problems += [*waits, *_telling(spec)]
            known = withheld if waits else specs
            _claim(homes, "agent", spec.slug, module)
            known[spec.slug] = _resolved(spec)
        for name in (own := getattr(module, "SCRIPTS", {})):
            _claim(homes, "script", name, module)
        scripts.update(own)
    return Definitions(specs, scripts, tuple(problems), withheld)


def _modules(
    names: Sequence[str], folder: Path | None, problems: list[str]
) -> Iterator[ModuleType]:
    for name in names:
        try:
            yield _checked(importlib.import_module(name))
        except Exception as error:
            raise InvalidInput(f"PLAYHEAD_AGENTS: {name} can't be loaded: {error}") from error
    for path in sorted(folder.glob("*.py")) if folder and folder.is_dir() else ():
        try:
            yield _checked(_from_file(path))
        except Exception as error:
            logger.exception("The agents of %s can't be loaded", path)
            problems.append(f"{path}: {type(error).__name__}: {error}")


def _from_file(path: Path) -> ModuleType:
    name = f"{_FILES}{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # annotations of its functions are looked up there
    spec.loader.exec_module(module)
    return module


def _checked(module: ModuleType) -> ModuleType:
    if not all(isinstance(spec, AgentSpec) for spec in getattr(module, "AGENTS", [None])):
        raise InvalidInput("it exposes no AGENTS: a list of AgentSpec")
    for spec in map(_resolved, module.AGENTS):
        if spec.slug in RESERVED:
            said = "this is an address of the API; take another slug"
            raise InvalidInput(f"agent {spec.slug!r}: {said}")
        if problem := _problem(spec):
            raise InvalidInput(problem)
    return module


def _problem(spec: AgentSpec) -> str | None:
    """What keeps an agent, or one below it, from being used; names agent and tool."""
    who = f"agent {spec.slug!r}"
    if not SLUG.fullmatch(spec.slug):
        return f"{who}: a slug has 1 to 80 of a-z, 0-9, - and _, and begins with a letter or digit"
    for each in spec.tools:
        if not isinstance(each, Tool):
            return f"{who}: {each!r} is no tool: use what @tool makes"
        agents = (*each.agents, *([each.agent] if each.agent else ()))
        below = next(filter(None, map(_problem, agents)), None)
        if said := (below and f"tool {each.name!r}: {below}") or each.problem():
            return f"{who}: {said}"
    for name, count in Counter(tool.name for tool in spec.tools).items():
        if count > 1:
            return f"{who}: {count} tools have the name {name!r}"
    return _misfit(spec)


def _misfit(spec: AgentSpec) -> str | None:
    """What is wrong with strategy and middlewares, before a session meets it; warnings are told."""
    refused = None
    for where, message, severity in plugins.current().parts.problems(spec):
        said = message if message.startswith(where) else f"{where}: {message}"
        if severity == "warning":
            logger.warning("agent %r: %s", spec.slug, said)
        elif refused is None:
            refused = f"agent {spec.slug!r}: {said}"
    return refused


def _waits(spec: AgentSpec) -> list[str]:
    """Why an agent can't be offered yet: a server that was never reached has its tools."""
    waits = []
    for each in cast("Sequence[Any]", spec.tools):
        if isinstance(each, Tool):
            agents = (*each.agents, *([each.agent] if each.agent else ()))
            waits += [why for agent in agents for why in _waits(agent)]
        elif why := isinstance(each, str) and plugins.current().why_not(each):
            waits.append(f"agent {spec.slug!r}: {each}: {why}")
    return waits


def _telling(spec: AgentSpec) -> list[str]:
    """What of a definition no session gets: each log of it would show that to its readers."""
    fault = secret_in(_resolved(spec).definition())
    said = "; its sessions run without it"
    return [f"agent {spec.slug!r}: {fault.field} {fault.message}{said}"] if fault else []


def _resolved(spec: AgentSpec) -> AgentSpec:
    """The agent, and those below it, with the tools that they only name: of plug-ins.

    What a server has that was never reached is left out: ``_waits`` tells.

    Raises:
        InvalidInput: no plug-in provides one; says which do.
    """
    named = cast("Sequence[Any]", spec.tools)
    known = plugins.current().tools if any(isinstance(each, str) for each in named) else {}
    tools = []
    for each in named:
        tool = known.get(each) if isinstance(each, str) else each
        if tool is None and plugins.current().why_not(each):
            continue
        if not isinstance(tool, Tool):
            names = ", ".join(sorted(known)) or "none"
            said = f"{each!r} is no tool: use what @tool makes, or a plug-in's name ({names})"
            raise InvalidInput(f"agent {spec.slug!r}: {said}")
        tools.append(_below(tool))
    if len(tools) == len(named) and all(map(is_, tools, named)):
        return spec
    return replace(spec, tools=tuple(tools))


def _below(tool: Tool) -> Tool:
    """The tool with its agents resolved; itself where they were."""
    agent = None if tool.agent is None else _resolved(tool.agent)
    agents = tuple(map(_resolved, tool.agents))
    if agent is tool.agent and all(map(is_, agents, tool.agents)):
        return tool
    return replace(tool, agent=agent, agents=agents)


def _claim(homes: dict[tuple[str, str], str], what: str, name: str, module: ModuleType) -> None:
    """Note where an agent or a script is from; nobody can say which of two is meant."""
    of_file = module.__name__.startswith(_FILES)
    home = f"file {module.__file__}" if of_file else module.__name__
    former = homes.setdefault((what, name), home)
    if former != home:
        said = f"Two modules define the {what} {name!r}: {former} and {home}."
        raise InvalidInput(f"{said} Give one of them another name, or take it away.")


#: The module of the demo agents, which ``up`` adds to those that the settings name.
DEMO = "agents_app.demo"
_current: Definitions | None = None
_with_demo = False


def use(definitions: Definitions | None) -> None:
    """Serve these definitions from now on; ``None`` loads what the settings name, on next need."""
    global _current, _with_demo  # noqa: PLW0603 - code is loaded once per process
    _current = definitions
    _with_demo = _with_demo and definitions is not None
    if definitions is not None:
        register_scripts(definitions.scripts)


def current() -> Definitions:
    """What the settings name, loaded once: changed code takes a restart."""
    if _current is None:
        use(load(modules(), Path(settings.PLAYHEAD_DATA) / "agents"))
    return _current or Definitions()


def modules() -> list[str]:
    """The modules that this process serves."""
    named = list(settings.PLAYHEAD_AGENTS)
    return [*named, DEMO] if _with_demo and DEMO not in named else named


def use_demo() -> None:
    """Serve the demo agents besides those that the settings name.

    Raises:
        InvalidInput: an agent of this installation has the slug of one of them.
    """
    global _with_demo  # noqa: PLW0603 - code is loaded once per process
    here = current()
    if _with_demo or DEMO in settings.PLAYHEAD_AGENTS:
        return
    _with_demo = True
    demo = load([DEMO])
    for slug in demo.specs.keys() & here.specs.keys():
        raise InvalidInput(f"Two modules define the agent {slug!r}; one is {DEMO}.")
    specs, scripts = {**here.specs, **demo.specs}, {**here.scripts, **demo.scripts}
    use(Definitions(specs, scripts, here.problems, here.withheld))
